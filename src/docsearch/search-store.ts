import type { Chunk, Hit, SearchFilter } from "../core/chunk.ts";

/** What search reads of the store: the parts of its tables that are used here (store/store.ts has the whole). */
export interface SearchStore {
  readonly chunks: {
    getMany(ids: readonly string[]): ReadonlyMap<string, Chunk>;
    matchWords(words: readonly string[], k: number, filter: SearchFilter): readonly Hit[];
    matchIdentifiers(identifiers: readonly string[], k: number, filter: SearchFilter): readonly Hit[];
    matchPhrase(phrase: string, k: number, filter: SearchFilter): readonly Hit[];
    documentFrequency(word: string): number;
    size(): number;
  };
  readonly vectors: VectorStore;
}

export interface VectorMark {
  readonly number: number;
  readonly seq: number;
}

export interface VectorStore {
  put(model: string, rows: readonly { readonly chunkId: string; readonly vector: Float32Array }[]): void;
  get(model: string, chunkIds: readonly string[]): ReadonlyMap<string, Float32Array>;
  mark(): VectorMark;
  blocks(model: string): { readonly chunks: number; readonly mark: VectorMark; readonly blocks: Iterable<VectorBlock> };
  since(model: string, mark: VectorMark): Iterable<{ readonly seq: number; readonly vector: Uint8Array }>;
  chunkIds(seqs: readonly number[], filter?: SearchFilter): ReadonlyMap<number, string>;
  seqs(filter: SearchFilter): readonly number[];
}

/** Vectors of many chunks, row after row: 1 / length of the components, the components, their sign bits. */
export interface VectorBlock {
  readonly seqs: readonly number[];
  readonly scales: Float32Array;
  readonly codes: Int8Array;
  readonly signs: Uint8Array;
}
