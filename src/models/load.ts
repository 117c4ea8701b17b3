import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Embedder, Reranker } from "../core/chunk.ts";
import { type ContextError, toContextError } from "../core/errors.ts";
import { crossEncoderReranker } from "./cross-encoder.ts";
import { bundledModels, type EncoderFiles, encoderFiles } from "./files.ts";
import { fetchModel } from "./hub.ts";
import { lateInteractionReranker } from "./late-interaction.ts";
import { onnxEmbedder } from "./onnx-embedder.ts";
import { OnnxThread, type ThreadOptions } from "./onnx-thread.ts";
import { openAiEmbedder } from "./openai-embedder.ts";
import { isStaticModel, staticEmbedder } from "./static-embedder.ts";

/** manifest.json, `models`. */
export interface ModelChoice {
  /** "bundled", "static-256", a folder, a hub id ("Xenova/all-MiniLM-L6-v2"), or "openai:model". */
  readonly embedding: string;
  /** "bundled", "none", a folder or a hub id of a cross-encoder. */
  readonly reranker: string;
}

export interface ModelOptions extends ThreadOptions {
  /** Folder that relative paths start from. */
  readonly root?: string;
  /** Where models from a hub are kept. */
  readonly cacheDir?: string;
  readonly fetch?: typeof fetch;
  /** Base URL of the hub. */
  readonly hub?: string;
  readonly openai?: { readonly baseUrl: string | null; readonly apiKey: string };
}

const encoderName = "minilm-l6-v2-int8";
/** Folders of `models/` that can be named without a path. */
const shipped = new Set([encoderName, "static-256"]);

/**
 * Embedder and reranker as configured. Nothing is loaded before the first use; a model that cannot be loaded throws
 * MODEL_MISSING then, so that commands which need none still work.
 */
export function openModels(
  choice: ModelChoice,
  options: ModelOptions = {},
): { readonly embedder: Embedder; readonly reranker: Reranker | null } & Disposable {
  const threads = new Map<string, OnnxThread>();
  const threadOf = (files: EncoderFiles): OnnxThread => {
    const thread = threads.get(files.folder) ?? new OnnxThread(files, options);
    threads.set(files.folder, thread);
    return thread;
  };
  return {
    embedder: openEmbedder(choice.embedding, options, threadOf),
    reranker: openReranker(choice.reranker, options, threadOf),
    [Symbol.dispose]() {
      for (const thread of threads.values()) thread[Symbol.dispose]();
    },
  };
}

/** One embedder of its own, for benches and evaluation. */
export function loadEmbedder(embedding: string, options: ModelOptions = {}): Embedder & Disposable {
  const { embedder, [Symbol.dispose]: dispose } = openModels({ embedding, reranker: "none" }, options);
  return {
    id: embedder.id,
    get dimensions() {
      return embedder.dimensions;
    },
    embed: (texts, kind, signal) => embedder.embed(texts, kind, signal),
    [Symbol.dispose]: dispose,
  };
}

type ThreadOf = (files: EncoderFiles) => OnnxThread;

function openEmbedder(setting: string, options: ModelOptions, threadOf: ThreadOf): Embedder {
  if (setting.startsWith("openai:")) {
    const { baseUrl, apiKey } = options.openai ?? { baseUrl: null, apiKey: "" };
    return openAiEmbedder({ model: setting.slice("openai:".length), baseUrl, apiKey: apiKey || "none" });
  }
  const folder = folderOf(setting, encoderName, options);
  if (folder === null) return fromHub(setting, options, threadOf);
  try {
    return isStaticModel(folder) ? staticEmbedder(folder) : encoder(encoderFiles(folder), threadOf);
  } catch (error) {
    return broken(setting, toContextError(error));
  }
}

function encoder(files: EncoderFiles, threadOf: ThreadOf): Embedder {
  return onnxEmbedder(files, threadOf(files));
}

function openReranker(setting: string, options: ModelOptions, threadOf: ThreadOf): Reranker | null {
  if (setting === "none") return null;
  try {
    if (setting === "bundled" || setting === "late-interaction") {
      const files = encoderFiles(join(bundledModels, encoderName));
      return lateInteractionReranker(files.id, threadOf(files));
    }
    const folder = folderOf(setting, encoderName, options);
    if (folder !== null) {
      const files = encoderFiles(folder);
      return crossEncoderReranker(files.id, threadOf(files));
    }
  } catch (error) {
    const failure = toContextError(error);
    return { id: setting, rerank: () => Promise.reject(failure) };
  }
  let ready: Promise<Reranker> | null = null;
  return {
    id: `cross-encoder:${setting}`,
    async rerank(query, candidates, signal, hints) {
      ready ??= fetchModel(setting, options, signal).then((at) => crossEncoderReranker(setting, threadOf(encoderFiles(at))));
      ready.catch(() => {
        ready = null;
      });
      return (await ready).rerank(query, candidates, signal, hints);
    },
  };
}

/** The folder a setting names, null for a hub id. */
function folderOf(setting: string, bundled: string, { root = ".", cacheDir }: ModelOptions): string | null {
  if (setting === "bundled") return join(bundledModels, bundled);
  if (shipped.has(setting)) return join(bundledModels, setting);
  const path = isAbsolute(setting) ? setting : resolve(root, setting);
  if (existsSync(path)) return path;
  if (cacheDir !== undefined && existsSync(join(cacheDir, setting, "tokenizer.json"))) return join(cacheDir, setting);
  return /^[\w.-]+\/[\w.-]+$/.test(setting) && !setting.startsWith(".") ? null : path;
}

/** A model that is fetched at first use; its id is the hub's, since the weights are not known yet. */
function fromHub(setting: string, options: ModelOptions, threadOf: ThreadOf): Embedder {
  let ready: Promise<Embedder> | null = null;
  let dimensions = 0;
  return {
    id: setting,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, kind, signal) {
      ready ??= fetchModel(setting, options, signal).then((at) => encoder(encoderFiles(at), threadOf));
      ready.catch(() => {
        ready = null;
      });
      const vectors = await (await ready).embed(texts, kind, signal);
      dimensions = vectors[0]?.length ?? dimensions;
      return vectors;
    },
  };
}

function broken(setting: string, error: ContextError): Embedder {
  return { id: setting, dimensions: 0, embed: () => Promise.reject(error) };
}
