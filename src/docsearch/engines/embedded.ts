import type { Chunk, Embedder, Hit, Index, SearchFilter } from "../../core/chunk.ts";
import { passageText } from "../../core/passage.ts";
import { isFiltered } from "../filter.ts";
import type { SearchStore, VectorMark, VectorStore } from "../search-store.ts";
import { FlatVectors } from "./flat-vectors.ts";

export interface EmbeddedDeps {
  readonly store: { readonly vectors: VectorStore; readonly chunks: Pick<SearchStore["chunks"], "size"> };
  readonly embedder: Embedder;
}

/** Hits looked at beyond those asked for before a filter is resolved exactly. */
const beyond = 4;

/**
 * Rows in memory for each chunk of the store, at most, and how many more where it is small. A row whose chunk has gone is let go
 * when a search meets it, and most are met by none: a daemon whose sources change all day would gather them without end. Blocks
 * bring up to a quarter of such rows with them, so less than that cannot be asked for.
 */
const mostRows = 1.5;
const spareRows = 4096;

/**
 * The vectors of the store, in memory. Nothing tells it of changes: before each search it takes in what came since the
 * last, and hits whose chunk is gone are let go, so it can never disagree with the store for longer than one search.
 */
export class EmbeddedVectorIndex implements Index {
  readonly name = "embedded";
  readonly #vectors: VectorStore;
  readonly #embedder: Embedder;
  readonly #chunks: EmbeddedDeps["store"]["chunks"];
  #rows: FlatVectors | null = null;
  /** From so many rows on it is looked whether too many of them are of chunks that have gone. */
  #lookAt = spareRows;
  #mark: VectorMark = { number: 0, seq: 0 };
  /** Whose vectors are in memory. */
  #model = "";

  constructor({ store, embedder }: EmbeddedDeps) {
    this.#vectors = store.vectors;
    this.#chunks = store.chunks;
    this.#embedder = embedder;
  }

  /** Chunks held in memory. */
  get size(): number {
    return this.#rows?.size ?? 0;
  }

  /** Makes the vectors of chunks that have none yet; chunks and vectors themselves are the store's. */
  async put(chunks: readonly Chunk[], signal: AbortSignal): Promise<void> {
    const known = this.#vectors.get(
      this.#embedder.id,
      chunks.map(({ id }) => id),
    );
    const wanted = chunks.filter(({ id }) => !known.has(id));
    if (wanted.length === 0) return;
    const vectors = await this.#embedder.embed(wanted.map(passageText), "passage", signal);
    this.#vectors.put(
      this.#embedder.id,
      wanted.flatMap(({ id: chunkId }, i) => {
        const vector = vectors[i];
        return vector === undefined ? [] : [{ chunkId, vector }];
      }),
    );
  }

  /** Nothing to do: a chunk that left the store is let go when a search meets it. */
  async drop(): Promise<void> {}

  async search(query: string, k: number, filter: SearchFilter, signal: AbortSignal): Promise<readonly Hit[]> {
    if (query.trim() === "" || k < 1) return [];
    for (;;) {
      const model = this.#embedder.id;
      const [vector] = await this.#embedder.embed([query], "query", signal);
      signal.throwIfAborted();
      if (vector === undefined) return [];
      // searches may have gone over to another model meanwhile
      if (this.#embedder.id === model) return this.nearest(vector, k, filter);
    }
  }

  /** Hits for a vector that is already made. */
  nearest(vector: Float32Array, k: number, filter: SearchFilter): readonly Hit[] {
    this.#takeIn();
    const rows = this.#rows;
    if (rows === null || rows.size === 0) return [];
    const filtered = isFiltered(filter);
    for (;;) {
      const found = rows.search(vector, filtered ? k * beyond : k);
      const ids = this.#vectors.chunkIds(
        found.map(({ seq }) => seq),
        filter,
      );
      const hits = toHits(found, ids);
      if (hits.length >= k || (found.length === rows.size && !this.#letGo(found))) return hits.slice(0, k);
      if (this.#letGo(found)) continue;
      if (!filtered) return hits.slice(0, k);
      const allowed = this.#vectors.seqs(filter);
      const exact = rows.search(vector, k, allowed);
      return toHits(exact, this.#vectors.chunkIds(exact.map(({ seq }) => seq)));
    }
  }

  #takeIn(): void {
    if (this.#model !== this.#embedder.id) {
      this.#model = this.#embedder.id;
      this.#forget();
    }
    const now = this.#vectors.mark();
    if (now.number === this.#mark.number && now.seq === this.#mark.seq) return;
    this.#readOn(now);
    if (this.size < this.#lookAt) return;
    if (this.size > this.#chunks.size() * mostRows) {
      this.#forget();
      this.#readOn(now);
    }
    this.#lookAt = Math.max(this.#chunks.size() * mostRows, this.size) + spareRows;
  }

  #forget(): void {
    this.#rows = null;
    this.#mark = { number: 0, seq: 0 };
  }

  #readOn(now: VectorMark): void {
    if (this.#rows === null) this.#load();
    for (const { seq, vector } of this.#vectors.since(this.#embedder.id, this.#mark)) {
      this.#rows ??= new FlatVectors(vector.length - 4);
      this.#rows.put(seq, vector);
    }
    this.#mark = now;
  }

  /** The first time most of it comes in blocks, which is many times faster than row by row. */
  #load(): void {
    const { chunks, mark, blocks } = this.#vectors.blocks(this.#embedder.id);
    for (const block of blocks) {
      this.#rows ??= new FlatVectors(block.codes.length / block.seqs.length, { rows: chunks });
      this.#rows.putBlock(block);
    }
    this.#mark = mark;
  }

  /** Drops rows whose chunk is no longer in the store; true when there were any. */
  #letGo(found: readonly { readonly seq: number }[]): boolean {
    const present = this.#vectors.chunkIds(found.map(({ seq }) => seq));
    const gone = found.filter(({ seq }) => !present.has(seq));
    for (const { seq } of gone) this.#rows?.drop(seq);
    return gone.length > 0;
  }
}

function toHits(found: readonly { readonly seq: number; readonly cosine: number }[], ids: ReadonlyMap<number, string>): Hit[] {
  return found.flatMap(({ seq, cosine }) => {
    const chunkId = ids.get(seq);
    return chunkId === undefined ? [] : [{ chunkId, score: cosine }];
  });
}
