import type { Embedder, Index } from "../core/chunk.ts";
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
  const ids = Array.from(store.chunks.all(), ({ id }) => id);
  for (let at = 0; at < ids.length; at += SEND) {
    signal.throwIfAborted();
    await index.put([...store.chunks.getMany(ids.slice(at, at + SEND)).values()], signal);
  }
}
