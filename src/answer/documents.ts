import type { Gather } from "../core/answer.ts";
import type { Embedder, Search } from "../core/chunk.ts";
import { quote, type Thresholds } from "./quote.ts";
import { nothing } from "./run.ts";

export interface DocumentsDeps {
  readonly search: Search;
  /** For comparing sentences with the question; null: by words alone. */
  readonly embedder: Embedder | null;
  readonly thresholds?: Partial<Thresholds>;
}

const FIRST = 5;
const WIDER = 10;

/**
 * The gatherer over chunks: searches once, then quotes. An identifier of the question that no chunk holds means that nothing here
 * speaks of it, however near the neighbours are: CONF-1032 is no answer about CONF-1023.
 */
export function documentGatherer({ search, embedder, thresholds = {} }: DocumentsDeps): Gather {
  return async function* ({ question, query, attempt, corpus, signal }) {
    const result = await search(query, { k: attempt === 0 ? FIRST : WIDER, filter: { corpus } }, signal);
    if (result.missing.length > 0) {
      const lookedFor = result.missing.map((identifier) => ({ what: identifier, window: null, found: 0 }));
      return { ...nothing, lookedFor, notes: [`no source holds ${result.missing.join(", ")}`] };
    }
    const statements = await quote(question, result.passages, { embedder, signal, thresholds });
    return { ...nothing, passages: result.passages, statements };
  };
}
