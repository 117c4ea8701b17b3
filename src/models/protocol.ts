/** What main thread and model thread say to each other. One request, one reply with the same id. */

export interface WorkerSetup {
  readonly onnx: string;
  readonly tokenizer: string;
  readonly tokenizerConfig: string;
  readonly maxTokens: number;
  readonly pooling: "mean" | "cls";
  readonly threads: number;
  /** Bytes of token vectors kept for reranking. */
  readonly cacheBytes: number;
}

/** A word of the question and how much finding it counts. */
export interface WeightedWord {
  readonly word: string;
  readonly weight: number;
}

export type Work =
  | { readonly type: "embed"; readonly texts: readonly string[] }
  | { readonly type: "maxSim"; readonly query: readonly WeightedWord[]; readonly passages: readonly string[] }
  | { readonly type: "pairs"; readonly query: string; readonly passages: readonly string[] };

export type Request =
  /** Urgent work (a question) goes before the rest (indexing). */
  | { readonly id: number; readonly urgent: boolean; readonly work: Work }
  | { readonly cancel: number }
  /** No more work comes: what is under way ends after its present text, then the thread. */
  | { readonly close: true };

export type Reply =
  /** `embed`: vectors one after the other; `maxSim` and `pairs`: one score a passage. */
  { readonly id: number; readonly values: Float32Array; readonly dimensions: number } | { readonly id: number; readonly error: string };
