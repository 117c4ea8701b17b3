import type { Reranker } from "../core/chunk.ts";
import type { OnnxThread } from "./onnx-thread.ts";

/** Question and passage through one network, one logit out (ms-marco-MiniLM-L-6-v2 and its like). */
export function crossEncoderReranker(id: string, thread: OnnxThread): Reranker {
  return {
    id: `cross-encoder:${id}`,
    async rerank(query, candidates, signal) {
      if (candidates.length === 0) return [];
      const { values } = await thread.ask({ type: "pairs", query, passages: candidates.map(({ text }) => text) }, true, signal);
      return [...values];
    },
  };
}
