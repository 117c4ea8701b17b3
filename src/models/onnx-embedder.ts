import { BoundedCache } from "../core/bounded-cache.ts";
import type { Embedder } from "../core/chunk.ts";
import type { EncoderFiles } from "./files.ts";
import type { OnnxThread } from "./onnx-thread.ts";

/** Questions whose vectors are kept: a retry or a second page asks the same again. */
const questions = 200;

/** An encoder in its thread, as an Embedder. Questions go before passages that are being indexed. */
export function onnxEmbedder(files: EncoderFiles, thread: OnnxThread): Embedder {
  const known = new BoundedCache<Float32Array>(questions);

  async function ask(texts: readonly string[], urgent: boolean, signal: AbortSignal): Promise<readonly Float32Array[]> {
    if (texts.length === 0) return [];
    const { values, dimensions } = await thread.ask({ type: "embed", texts }, urgent, signal);
    return texts.map((_, i) => values.subarray(i * dimensions, (i + 1) * dimensions));
  }

  return {
    id: files.id,
    dimensions: files.dimensions,
    async embed(texts, kind, signal) {
      const prompted = texts.map((text) => files.prompts[kind] + text);
      const [only] = prompted;
      if (kind === "passage" || prompted.length !== 1 || only === undefined) return ask(prompted, kind === "query", signal);
      const kept = known.get(only);
      if (kept !== undefined) return [kept];
      const made = await ask(prompted, true, signal);
      if (made[0] !== undefined) known.set(only, made[0], 1);
      return made;
    },
  };
}
