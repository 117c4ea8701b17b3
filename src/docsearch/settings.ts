import type { FusionWeights } from "./fuse.ts";

/** How search is tuned. The defaults were chosen on the dev collections: docs/retrieval.md has the figures. */
export interface SearchSettings {
  /** Candidates taken from each list. */
  readonly depth: number;
  /** Candidates that are reranked. */
  readonly seats: number;
  /** First places of each list that are reranked whatever the fusion says. */
  readonly ownSeats: number;
  readonly weights: FusionWeights;
  /** Passages given back unless asked otherwise. */
  readonly k: number;
  /** BM25 scores looked up beyond `depth`, so that a candidate that only the vectors found has its score too. */
  readonly scored: number;
  /** Literal matches looked up for one identifier. */
  readonly literals: number;
  /** The same for one quoted phrase. */
  readonly phrases: number;
}

export const defaultSettings: SearchSettings = {
  depth: 50,
  seats: 20,
  ownSeats: 3,
  weights: { bm25: 1, vector: 1 },
  k: 5,
  scored: 200,
  literals: 10,
  phrases: 3,
};
