import type { Embedder } from "../core/chunk.ts";
import type { Encoded, OnnxEncoder } from "./onnx-encoder.ts";
import { normalise } from "./vectors.ts";

/** Longer texts are cut; the model was trained with 128 tokens and its card allows 256. */
const MAX_TOKENS = 256;
/** Large batches do not pay on a CPU (models/README.md, Speed), and their memory grows with padding. */
const BATCH = 8;

/** Sentence vectors: mean of the token vectors over the attention mask, then unit length. */
export function meanPoolingEmbedder(id: string, encoder: OnnxEncoder, dimensions: number): Embedder {
  return {
    id,
    dimensions,
    async embed(texts, _kind, signal) {
      // texts of like length share a batch, so little is padded
      const order = texts.map((_, at) => at).sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
      const vectors: Float32Array[] = new Array(texts.length);
      for (let from = 0; from < order.length; from += BATCH) {
        const batch = order.slice(from, from + BATCH);
        const encoded = await encoder.encode(
          batch.map((at) => texts[at] ?? ""),
          MAX_TOKENS,
          signal,
        );
        for (const [row, at] of batch.entries()) vectors[at] = meanOf(encoded, row);
      }
      return vectors;
    },
  };
}

function meanOf({ hidden, longest, dimensions, lengths }: Encoded, row: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const tokens = lengths[row] ?? 0;
  for (let token = 0; token < tokens; token += 1) {
    const start = (row * longest + token) * dimensions;
    for (let at = 0; at < dimensions; at += 1) vector[at] = (vector[at] ?? 0) + (hidden[start + at] ?? 0);
  }
  normalise(vector);
  return vector;
}
