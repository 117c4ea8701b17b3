import { keywords } from "../../core/keywords.ts";
import { visible } from "../instructions.ts";
import { quiet, type Run, type Stage } from "../run.ts";

/** Spells out the names of a question: "is cart down?" to "is cart down? (cartservice)". Deterministic. */
export type ExpandNames = (question: string) => readonly string[];

/**
 * The question as a query. First time: its own words and the canonical names of what it mentions. Second time: keywords only,
 * which finds passages that share the subject but not the form of the question.
 */
export function rewrite(expandNames: ExpandNames): Stage {
  return quiet(async (run: Run) => {
    const again = run.gathered.passages.length > 0 || run.query !== "";
    const attempt = again ? 1 : 0;
    const question = visible(run.question).replace(/\s+/g, " ").trim();
    const lower = question.toLowerCase();
    const names = expandNames(question).filter((name) => !lower.includes(name.toLowerCase()));
    const asked = again ? keywords(question) : question;
    const query = names.length === 0 ? asked : `${asked} (${names.join(", ")})`;
    return {
      ok: true,
      set: { query, attempt },
      detail: {
        query,
        ...(run.question === run.asked ? {} : { standalone: run.question }),
        strategy: again ? "keywords" : names.length > 0 ? "names" : "as asked",
      },
    };
  });
}
