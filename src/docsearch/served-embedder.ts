import type { Embedder } from "../core/chunk.ts";

/** The embedder of searches: one model at a time, another from some moment on. */
export class ServedEmbedder implements Embedder {
  #now: Embedder;

  constructor(now: Embedder) {
    this.#now = now;
  }

  get id(): string {
    return this.#now.id;
  }

  get dimensions(): number {
    return this.#now.dimensions;
  }

  embed(...args: Parameters<Embedder["embed"]>): ReturnType<Embedder["embed"]> {
    return this.#now.embed(...args);
  }

  /** What is asked from now on is asked of this model. */
  switchTo(embedder: Embedder): void {
    this.#now = embedder;
  }
}
