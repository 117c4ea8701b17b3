import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { modelFile, modelJson } from "./files.ts";

/** Texts through the encoder: one hidden vector a token, `[CLS]` first and `[SEP]` last of each text. */
export interface Encoded {
  /** Hidden states, row-major: text, token, dimension; padded to `longest` tokens. */
  readonly hidden: Float32Array;
  readonly longest: number;
  readonly dimensions: number;
  /** Tokens of each text, special ones included. */
  readonly lengths: readonly number[];
  readonly ids: readonly (readonly number[])[];
}

const CLS = 101;
const SEP = 102;

/**
 * A BERT-like encoder in ONNX with its WordPiece tokenizer. Inference runs on the runtime's own threads, so the event
 * loop stays free; calls queue behind each other, so that memory stays bounded.
 */
export class OnnxEncoder {
  readonly #session: InferenceSession;
  readonly #tokenizer: Tokenizer;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(session: InferenceSession, tokenizer: Tokenizer) {
    this.#session = session;
    this.#tokenizer = tokenizer;
  }

  /**
   * @param folder with onnx/model_quantized.onnx (or onnx/model.onnx), tokenizer.json, tokenizer_config.json
   * @param threads of the runtime
   * @throws ContextError MODEL_MISSING
   */
  static async load(folder: string, model: string, threads: number): Promise<OnnxEncoder> {
    const tokenizer = new Tokenizer(
      modelJson(folder, "tokenizer.json") as ConstructorParameters<typeof Tokenizer>[0],
      modelJson(folder, "tokenizer_config.json") as ConstructorParameters<typeof Tokenizer>[1],
    );
    const session = await InferenceSession.create(modelFile(folder, model), {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
      logSeverityLevel: 3,
    });
    return new OnnxEncoder(session, tokenizer);
  }

  /** WordPiece ids without special tokens. */
  tokens(text: string): number[] {
    return this.#tokenizer.encode(text, { add_special_tokens: false }).ids;
  }

  /** Hidden states of texts; longer ones are cut to `maxTokens`, special tokens included. */
  async encode(texts: readonly string[], maxTokens: number, signal: AbortSignal): Promise<Encoded> {
    const ids = texts.map((text) => [CLS, ...this.tokens(text).slice(0, maxTokens - 2), SEP]);
    const output = await this.#run(ids, null, signal);
    const dimensions = output.dims[2] ?? 0;
    return { hidden: output.data as Float32Array, longest: output.dims[1] ?? 0, dimensions, lengths: ids.map((one) => one.length), ids };
  }

  /** One logit a pair: query and passage as one input, as a cross-encoder reads them. */
  async score(query: string, passages: readonly string[], maxTokens: number, signal: AbortSignal): Promise<number[]> {
    const first = [CLS, ...this.tokens(query).slice(0, Math.floor(maxTokens / 2) - 2), SEP];
    const ids: number[][] = [];
    const types: number[][] = [];
    for (const passage of passages) {
      const second = [...this.tokens(passage).slice(0, maxTokens - first.length - 1), SEP];
      ids.push([...first, ...second]);
      types.push([...first.map(() => 0), ...second.map(() => 1)]);
    }
    const output = await this.#run(ids, types, signal);
    const width = (output.data.length / passages.length) | 0;
    return passages.map((_, row) => Number(output.data[row * width]));
  }

  async #run(ids: readonly (readonly number[])[], types: readonly (readonly number[])[] | null, signal: AbortSignal): Promise<Tensor> {
    const turn = this.#queue.then(() => {
      signal.throwIfAborted();
      return this.#session.run(this.#feeds(ids, types));
    });
    this.#queue = turn.catch(() => undefined);
    const outputs = await turn;
    const [name = ""] = this.#session.outputNames;
    return outputs[name] as Tensor;
  }

  #feeds(ids: readonly (readonly number[])[], types: readonly (readonly number[])[] | null): Record<string, Tensor> {
    const longest = Math.max(...ids.map((one) => one.length));
    const shape = [ids.length, longest];
    const input = new BigInt64Array(ids.length * longest);
    const mask = new BigInt64Array(ids.length * longest);
    const type = new BigInt64Array(ids.length * longest);
    for (const [row, one] of ids.entries()) {
      for (const [at, id] of one.entries()) {
        input[row * longest + at] = BigInt(id);
        mask[row * longest + at] = 1n;
        type[row * longest + at] = BigInt(types?.[row]?.[at] ?? 0);
      }
    }
    const feeds: Record<string, Tensor> = {};
    const all: Record<string, BigInt64Array> = { input_ids: input, attention_mask: mask, token_type_ids: type };
    for (const name of this.#session.inputNames) {
      const data = all[name];
      if (data !== undefined) feeds[name] = new Tensor("int64", data, shape);
    }
    return feeds;
  }
}
