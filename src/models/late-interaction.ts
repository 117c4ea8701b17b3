import type { RerankCandidate, Reranker } from "../core/chunk.ts";
import { foldWord } from "../core/words.ts";
import type { OnnxThread } from "./onnx-thread.ts";
import type { WeightedWord } from "./protocol.ts";

/** BM25 counts half: measured on chunks of 200 tokens, where it is the weaker of the three (docs/retrieval.md). */
const weights = [0.5, 1, 1] as const;

/**
 * Orders candidates by late interaction over the encoder's token vectors, which needs no weights of its own: the
 * weighted sum of z(BM25), z(cosine) and z(MaxSim), each z within the candidates; in MaxSim a word counts by its rarity.
 * The form is that of models/README.md. A score within one question orders; it says nothing about whether a candidate
 * answers.
 */
export function lateInteractionReranker(id: string, thread: OnnxThread): Reranker {
  return {
    id: `late-interaction:${id}`,
    async rerank(query, candidates, signal, hints) {
      if (candidates.length === 0) return [];
      const words = weightedWords(query, hints?.termWeight ?? (() => 1));
      const passages = candidates.map(({ text }) => text);
      const { values } = await thread.ask({ type: "maxSim", query: words, passages }, true, signal);
      const features = [candidates.map(bm25Of), candidates.map(cosineOf), [...values]].map(standardize);
      return candidates.map((_, i) => features.reduce((total, feature, f) => total + (weights[f] ?? 0) * (feature[i] ?? 0), 0));
    },
  };
}

function bm25Of({ bm25 }: RerankCandidate): number | null {
  return bm25;
}

function cosineOf({ cosine }: RerankCandidate): number | null {
  return cosine;
}

/** Zero mean and unit variance; what is not known counts as the lowest; a feature that is the same for all says nothing. */
export function standardize(values: readonly (number | null)[]): number[] {
  const known = values.filter((value) => value !== null);
  const lowest = known.length > 0 ? known.reduce((a, b) => Math.min(a, b)) : 0;
  const filled = values.map((value) => value ?? lowest);
  const mean = filled.reduce((total, value) => total + value, 0) / filled.length;
  const variance = filled.reduce((total, value) => total + (value - mean) ** 2, 0) / filled.length;
  const deviation = Math.sqrt(variance);
  return filled.map((value) => (deviation > 1e-9 ? (value - mean) / deviation : 0));
}

/** Words and marks as BERT parts them, each with the weight of its word. */
function weightedWords(query: string, weight: (word: string) => number): WeightedWord[] {
  const words = query.match(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu) ?? [];
  return words.map((word) => ({ word, weight: /[\p{L}\p{N}]/u.test(word) ? weight(foldWord(word)) : 0 }));
}
