import { cite as citeDraft } from "../marks.ts";
import { quiet, type Run, type Stage } from "../run.ts";

const MOST_SENTENCES = 8;

/** Makes the draft's citations agree with its sources; yes when a cited sentence remains. */
export function cite(): Stage {
  return quiet(async (run: Run) => {
    // statements were counted when they were put together, where lists may be longer
    const most = run.writer === "rules" ? Number.POSITIVE_INFINITY : MOST_SENTENCES;
    const cited = citeDraft(run.draft, run.sources.length, most);
    const sources = cited.order.map((n) => run.sources[n - 1]).filter((passage) => passage !== undefined);
    return {
      ok: cited.sentences > 0,
      set: { draft: cited.text, sources },
      detail: { sentences: cited.sentences, uncited: cited.uncited, invented: cited.invented, sources: sources.length },
    };
  });
}
