import { Worker } from "node:worker_threads";
import { ContextError } from "../core/errors.ts";
import type { EncoderFiles } from "./files.ts";
import type { Reply, Request, Work, WorkerSetup } from "./protocol.ts";

export interface ThreadOptions {
  /** Threads of one inference. More than one is slower on a busy machine. */
  readonly threads?: number;
  /** Bytes of token vectors kept for reranking: 200 tokens x 384 bytes a passage. */
  readonly cacheBytes?: number;
}

interface Waiting {
  readonly resolve: (reply: { readonly values: Float32Array; readonly dimensions: number }) => void;
  readonly reject: (error: unknown) => void;
}

const defaultCacheBytes = 128 * 1024 * 1024;

/** How long a thread may take to end by itself. */
const CLOSE_MS = 5_000;

/** One model in a thread of its own, started at first use; the process may end while it idles. */
export class OnnxThread implements Disposable {
  readonly #setup: WorkerSetup;
  readonly #name: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(files: EncoderFiles, { threads = 1, cacheBytes = defaultCacheBytes }: ThreadOptions = {}) {
    const { onnx, tokenizer, tokenizerConfig, maxTokens, pooling } = files;
    this.#setup = { onnx, tokenizer, tokenizerConfig, maxTokens, pooling, threads, cacheBytes };
    this.#name = files.id;
  }

  /** @throws ContextError MODEL_MISSING when the model cannot be loaded or run; CANCELLED */
  async ask(work: Work, urgent: boolean, signal: AbortSignal): Promise<{ readonly values: Float32Array; readonly dimensions: number }> {
    if (signal.aborted) throw cancelled();
    const id = ++this.#lastId;
    const worker = this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly values: Float32Array; readonly dimensions: number }>();
    this.#waiting.set(id, { resolve, reject });
    worker.ref();
    const stop = () => {
      worker.postMessage({ cancel: id } satisfies Request);
      reject(cancelled());
    };
    signal.addEventListener("abort", stop, { once: true });
    worker.postMessage({ id, urgent, work } satisfies Request);
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    }
  }

  [Symbol.dispose](): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#fail(cancelled());
    if (worker === null) return;
    // ended in the middle of a run, the runtime takes the whole process down: the thread is asked to end by itself
    worker.ref();
    worker.postMessage({ close: true } satisfies Request);
    setTimeout(() => void worker.terminate(), CLOSE_MS).unref();
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const file = import.meta.url.endsWith(".ts") ? "./onnx-worker.ts" : "./onnx-worker.js";
    const worker = new Worker(new URL(file, import.meta.url), { workerData: this.#setup });
    worker.unref();
    worker.on("message", (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id);
      if ("error" in reply) waiting?.reject(this.#broken(reply.error));
      else waiting?.resolve(reply);
    });
    worker.on("error", (error) => {
      if (this.#worker === worker) this.#worker = null;
      this.#fail(this.#broken(error instanceof Error ? error.message : String(error), error));
    });
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#fail(this.#broken("its thread ended"));
    });
    this.#worker = worker;
    return worker;
  }

  #fail(error: ContextError): void {
    for (const waiting of [...this.#waiting.values()]) waiting.reject(error);
  }

  #broken(reason: string, cause?: unknown): ContextError {
    return new ContextError("MODEL_MISSING", `The model ${this.#name} cannot be used: ${reason}.`, { cause });
  }
}

function cancelled(): ContextError {
  return new ContextError("CANCELLED", "Stopped on request.");
}
