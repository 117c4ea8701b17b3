import type { Chunk, Embedder, Index } from "../core/chunk.ts";
import type { Store } from "../store/store.ts";

/**
 * Which model's vectors searches use. It is not the configured one while that one's vectors are still being made: then
 * the old model goes on answering, over its own vectors, and new chunks get vectors of both.
 */
export interface Served {
  /** The model that searches use now. */
  readonly embedder: Embedder;
  /** Whether the process makes the vectors between its runs (`reembed`), so that runs need not wait for them. */
  readonly inBackground: boolean;
  /** Fills the engine that the configured model's vectors go to, where the store itself is not searched. */
  fill?(signal: AbortSignal): Promise<void>;
  /** All vectors of the configured model are there: from now on searches use it. */
  settle(): void;
}

/** Chunks handed to an index at a time. */
export const SEND = 200;

/** Hands every chunk of the store to an index. */
export async function fillIndex(store: Store, index: Index, signal: AbortSignal): Promise<void> {
  let batch: Chunk[] = [];
  const send = async (): Promise<void> => {
    signal.throwIfAborted();
    if (batch.length > 0) await index.put(batch, signal);
    batch = [];
  };
  for (const chunk of store.chunks.all()) {
    batch.push(chunk);
    if (batch.length >= SEND) await send();
  }
  await send();
}
