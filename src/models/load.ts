import { join } from "node:path";
import type { Embedder, Reranker } from "../core/chunk.ts";
import { modelsDir } from "./files.ts";
import { LateInteractionReranker } from "./late-interaction.ts";
import { meanPoolingEmbedder } from "./mini-lm.ts";
import { OnnxEncoder } from "./onnx-encoder.ts";

export interface LocalModels {
  readonly embedder: Embedder;
  readonly reranker: Reranker | null;
}

/** The bundled pair: MiniLM int8 and late interaction over the same encoder, loaded once. */
export async function loadBundled(threads: number): Promise<LocalModels> {
  const encoder = await OnnxEncoder.load(join(modelsDir, "minilm-l6-v2-int8"), "onnx/model_quantized.onnx", threads);
  return { embedder: meanPoolingEmbedder("minilm-l6-v2-int8", encoder, 384), reranker: new LateInteractionReranker(encoder) };
}
