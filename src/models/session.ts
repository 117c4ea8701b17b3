import { InferenceSession, Tensor } from "onnxruntime-node";
import type { Encoded } from "./tokenize.ts";

export interface Output {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** One ONNX model of the BERT shape: token ids in, its first output out. One text a run: see docs/retrieval.md, Batches. */
export class ModelSession {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  static async open(path: string, threads: number): Promise<ModelSession> {
    return new ModelSession(
      await InferenceSession.create(path, {
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: "sequential",
        graphOptimizationLevel: "all",
      }),
    );
  }

  async run({ ids, types }: Encoded): Promise<Output> {
    const shape = [1, ids.length];
    const inputs: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(ids.length).fill(1n),
      token_type_ids: types.length === ids.length ? BigInt64Array.from(types, BigInt) : new BigInt64Array(ids.length),
    };
    const feeds: Record<string, Tensor> = {};
    for (const name of this.#session.inputNames) {
      const data = inputs[name];
      if (data === undefined) throw new Error(`The model asks for an input named ${name}; only BERT-shaped models can be used.`);
      feeds[name] = new Tensor("int64", data, shape);
    }
    const outputs = await this.#session.run(feeds);
    const first = outputs[this.#session.outputNames[0] ?? ""];
    if (!(first?.data instanceof Float32Array)) throw new Error("The model's first output is not a float32 tensor.");
    return { data: first.data, dims: first.dims };
  }
}
