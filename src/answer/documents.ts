import type { Gather } from "../core/answer.ts";
import type { Embedder, Search } from "../core/chunk.ts";
import { findIdentifiers } from "../core/identifiers.ts";
import { quote, type Thresholds } from "./quote.ts";
import { nothing } from "./run.ts";

export interface DocumentsDeps {
  readonly search: Search;
  /** For comparing sentences with the question; null: by words alone. */
  readonly embedder: Embedder | null;
  readonly thresholds?: Partial<Thresholds>;
}

const SHORT_CODE = 6;
const FIRST = 5;
const WIDER = 10;

/**
 * The gatherer over chunks: searches once, then quotes. An identifier of the question that no chunk holds means that nothing here
 * speaks of it, however near the neighbours are: CONF-1032 is no answer about CONF-1023.
 */
export function documentGatherer({ search, embedder, thresholds = {} }: DocumentsDeps): Gather {
  return async function* ({ question, query, attempt, corpus, signal }) {
    const result = await search(query, { k: attempt === 0 ? FIRST : WIDER, filter: { corpus } }, signal);
    const unknown = result.missing.filter((identifier) => naming(question, identifier));
    if (unknown.length > 0) {
      const lookedFor = unknown.map((identifier) => ({ what: identifier, window: null, found: 0 }));
      return { ...nothing, lookedFor, notes: [`no source holds ${unknown.join(", ")}`] };
    }
    const statements = await quote(question, result.passages, { embedder, signal, thresholds });
    return { ...nothing, passages: result.passages, statements };
  };
}

/** A ticket key, sha, version or file means one thing; a short code ("p95", "utf16") may be written otherwise in the sources. */
function naming(question: string, identifier: string): boolean {
  const found = findIdentifiers(question).find(({ token }) => token === identifier);
  return found === undefined || found.kind !== "code" || identifier.length >= SHORT_CODE;
}
