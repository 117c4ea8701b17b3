import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { everyPath, type Path } from "../../test/support/paths.ts";
import { askOnce, smallWorld } from "../../test/support/small-world.ts";
import { refusals } from "../core/answer.ts";
import { diagram, type StageName, stageNames } from "./diagram.ts";
import type { Run, Stage, Step } from "./run.ts";

const { deps } = smallWorld({ "a.md": "The ledger is kept in Bern." });
const chunk = deps.chunkAt("documents:a.md", 0, 5);
assert.ok(chunk !== null);
const passage = { chunk, edges: [], ranks: { bm25Rank: 1, vectorRank: null, cosine: 1, rrf: null, rerank: null, literal: false } };
/** Set by the writer, so that something could be shown if a path let it through. */
const written: Partial<Run> = { draft: "The ledger is kept in Bern [1].", sources: [passage] };

/** Stages that answer as a path says, in its order; one that is asked out of turn fails the test. */
function following({ steps }: Path): Readonly<Record<StageName, Stage>> {
  let at = 0;
  const stage = (name: StageName): Stage =>
    // biome-ignore lint/correctness/useYield: the shape of a stage without its events
    async function* (): AsyncGenerator<never, Step> {
      const [expected, ok = false] = steps[at++] ?? [];
      assert.equal(name, expected);
      if (name === "guard" || name === "screen") return { ok, set: { reason: refusals.guardrail("it is a test") } };
      return { ok, set: name === "generate" ? written : {} };
    };
  return Object.fromEntries(stageNames.map((name) => [name, stage(name)])) as Record<StageName, Stage>;
}

describe("a question on every path through the table", () => {
  const paths = everyPath();

  it("goes from stage to stage as the table says, and ends as it says, with nothing shown of what was refused", async () => {
    assert.ok(paths.length > 1_000);
    for (const path of paths) {
      const { answer } = await askOnce({ ...deps, stages: following(path) }, "Where is the ledger kept?", { cache: false });

      const walked = answer.trace.stages.filter(({ name }) => name !== "refuse").map(({ name, detail }) => [name, detail.ok]);
      assert.deepEqual(walked, path.steps);
      assert.equal(answer.trace.retries, path.retries.searches + path.retries.rounds);
      const [last = "guard"] = path.steps.at(-1) ?? [];
      if (path.end !== "refused") {
        assert.equal(answer.status, path.end === "answered" ? "answered" : answer.status);
        continue;
      }
      const { refusal } = diagram[last];
      assert.equal(answer.refusal, refusal);
      assert.equal(answer.answer, refusal === "guardrail" ? refusals.guardrail("it is a test") : refusals[refusal]);
      assert.deepEqual([answer.citations, answer.claims], [[], []]);
    }
  });
});
