import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ContextError } from "../core/errors.ts";

/** The folder `models/` that is shipped with contextd; the same distance from src/models and dist/models. */
export const bundledModels = fileURLToPath(new URL("../../models", import.meta.url));

/** What is read of a model's folder, in the layout of Hugging Face and sentence-transformers. */
export interface EncoderFiles {
  readonly folder: string;
  /** Folder name and the first hex digits of the weights' sha256: another build of a model is another model. */
  readonly id: string;
  readonly onnx: string;
  readonly tokenizer: string;
  readonly tokenizerConfig: string;
  readonly maxTokens: number;
  readonly dimensions: number;
  readonly pooling: "mean" | "cls";
  /** Put before each text, for models trained with instructions. */
  readonly prompts: { readonly query: string; readonly passage: string };
}

const onnxNames = ["onnx/model_quantized.onnx", "model_quantized.onnx", "onnx/model.onnx", "model.onnx"];

const SentenceBertConfig = z.object({ max_seq_length: z.int().positive().nullish() });
const ModelConfig = z.object({ hidden_size: z.int().positive().nullish(), dim: z.int().positive().nullish() });
const Pooling = z.object({ pooling_mode_cls_token: z.boolean().nullish() });
const Prompts = z.object({ prompts: z.record(z.string(), z.string()).nullish() });
const TokenizerConfig = z.object({ model_max_length: z.number().nullish() });

/** Encoders are trained on passages of a few hundred tokens; more is slower and no better. */
const mostTokens = 512;

/**
 * Finds the files of an encoder or cross-encoder in a folder.
 * @throws ContextError MODEL_MISSING, naming what is not there
 */
export function encoderFiles(folder: string): EncoderFiles {
  const onnx = onnxNames.map((name) => join(folder, name)).find((path) => existsSync(path));
  const tokenizer = join(folder, "tokenizer.json");
  const tokenizerConfig = join(folder, "tokenizer_config.json");
  if (onnx === undefined) throw missing(folder, onnxNames[0] ?? "");
  if (!existsSync(tokenizer)) throw missing(folder, "tokenizer.json");
  if (!existsSync(tokenizerConfig)) throw missing(folder, "tokenizer_config.json");
  const limit = read(join(folder, "sentence_bert_config.json"), SentenceBertConfig)?.max_seq_length;
  const stated = limit ?? read(tokenizerConfig, TokenizerConfig)?.model_max_length ?? mostTokens;
  const config = read(join(folder, "config.json"), ModelConfig);
  const prompts = read(join(folder, "config_sentence_transformers.json"), Prompts)?.prompts ?? {};
  return {
    folder,
    id: `${basename(folder)}@${fingerprint(onnx)}`,
    onnx,
    tokenizer,
    tokenizerConfig,
    maxTokens: Math.max(8, Math.min(stated, mostTokens)),
    dimensions: config?.hidden_size ?? config?.dim ?? 0,
    pooling: read(join(folder, "1_Pooling", "config.json"), Pooling)?.pooling_mode_cls_token === true ? "cls" : "mean",
    prompts: { query: prompts.query ?? "", passage: prompts.passage ?? prompts.document ?? "" },
  };
}

/** The error for a model folder that lacks a file. */
export function missing(folder: string, file: string): ContextError {
  return new ContextError("MODEL_MISSING", `The model folder ${folder} has no ${file}.`, { detail: { folder, file } });
}

/** First 12 hex digits of a file's sha256. */
export function fingerprint(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 12);
}

function read<T>(path: string, shape: z.ZodType<T>): T | null {
  if (!existsSync(path)) return null;
  try {
    return shape.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new ContextError("MODEL_MISSING", `${path} is not readable as a model's configuration.`, { cause });
  }
}
