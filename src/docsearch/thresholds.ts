/**
 * From which cosine on a passage may be about the question. Measured, not guessed: docs/retrieval.md has the curve.
 * A high cosine never shows that a passage answers; a low one shows that it does not.
 */
export const relevanceThreshold = {
  /** MiniLM int8: keeps 92 % of the answerable questions of the dev set and none of another subject's. */
  bundled: 0.4,
  /** Static vectors lie closer together: keeps 77 %, and none of another subject's. */
  static: 0.5,
  /** Models that were not measured. */
  other: 0.6,
} as const;

/** The threshold for an embedder, by its id. */
export function thresholdOf(embedderId: string): number {
  if (embedderId.startsWith("minilm-l6-v2-int8") || /all-minilm-l6-v2/i.test(embedderId)) return relevanceThreshold.bundled;
  return embedderId.startsWith("static-256") ? relevanceThreshold.static : relevanceThreshold.other;
}
