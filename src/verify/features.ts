import type { Alignment } from "./align.ts";
import { contentOf, type Evidence } from "./evidence.ts";
import type { Token } from "./tokens.ts";

/** What the score of a claim is made of; all lie between 0 and 1. */
export interface Features {
  /** Cosine of the claim and the best window of the evidence. */
  readonly cosine: number;
  /** Share of the claim's content that the window or the title holds; a missing word counts as much as its nearest word there. */
  readonly soft: number;
  /** The missing word that is farthest from all words of the window; 1 when none is missing. */
  readonly weakest: number;
}

/** Cosine of two words, 0 to 1. */
export type WordSimilarity = (a: string, b: string) => number;

/** @param similar null: nothing is known of words that are not of one family */
export function featuresOf(
  claim: readonly Token[],
  evidence: Evidence,
  alignment: Alignment,
  cosine: number,
  similar: WordSimilarity | null,
): Features {
  const content = contentOf(claim);
  const total = content.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const window = wordsOf(evidence, alignment);
  let held = alignment.coverage * total;
  let weakest = 1;
  for (const { token, weight } of content) {
    if (!alignment.missing.includes(token)) continue;
    const nearest = similar === null ? 0 : Math.max(0, ...window.map((word) => similar(token.folded, word)));
    held += weight * nearest;
    weakest = Math.min(weakest, nearest);
  }
  return { cosine: Math.max(0, Math.min(1, cosine)), soft: Math.min(1, held / total), weakest };
}

/** Words of content in the window, folded. */
export function wordsOf(evidence: Evidence, { window }: Alignment): string[] {
  return [...new Set(window.flatMap((at) => contentOf(evidence.sentences[at]?.tokens ?? []).map(({ token }) => token.folded)))];
}
