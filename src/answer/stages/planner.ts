import { hasFacts, type Run, type Stage } from "../run.ts";
import { type GenerateDeps, inPlaceOfModel, unusable } from "./generate.ts";

/**
 * The last word after a model's draft was corrected and still not let through: what the graph holds as facts, without the model.
 * No where it holds none, or where its own sentences are what was not let through.
 */
export function planner(deps: GenerateDeps): Stage {
  return async function* (run: Run) {
    if (run.writer === "rules" || !hasFacts(run)) return { ok: false };
    return yield* inPlaceOfModel(run, unusable("The model's corrected draft was not let through."), deps);
  };
}
