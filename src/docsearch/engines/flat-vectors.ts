import { Top } from "./top.ts";

const firstCapacity = 1024;

/** int8 vectors side by side in memory, scanned whole: exact, no build, and a row is replaced by writing over it. */
export class FlatVectors {
  readonly dimensions: number;
  #codes: Int8Array;
  #scales: Float32Array;
  #seqs: Float64Array;
  readonly #rowOf = new Map<number, number>();
  #size = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#codes = new Int8Array(firstCapacity * dimensions);
    this.#scales = new Float32Array(firstCapacity);
    this.#seqs = new Float64Array(firstCapacity);
  }

  get size(): number {
    return this.#size;
  }

  /** Takes in a packed vector (float32 scale, then int8 components), replacing the chunk's earlier one. */
  put(seq: number, packed: Uint8Array): void {
    let row = this.#rowOf.get(seq);
    if (row === undefined) {
      row = this.#size++;
      if (row === this.#scales.length) this.#grow();
      this.#rowOf.set(seq, row);
    }
    const codes = new Int8Array(packed.buffer, packed.byteOffset + 4, this.dimensions);
    this.#codes.set(codes, row * this.dimensions);
    let square = 0;
    for (const code of codes) square += code * code;
    this.#scales[row] = square > 0 ? 1 / Math.sqrt(square) : 0;
    this.#seqs[row] = seq;
  }

  drop(seq: number): void {
    const row = this.#rowOf.get(seq);
    if (row === undefined) return;
    this.#rowOf.delete(seq);
    const last = --this.#size;
    if (row === last) return;
    this.#codes.copyWithin(row * this.dimensions, last * this.dimensions, (last + 1) * this.dimensions);
    this.#scales[row] = this.#scales[last] ?? 0;
    this.#seqs[row] = this.#seqs[last] ?? 0;
    this.#rowOf.set(this.#seqs[row] ?? 0, row);
  }

  /** Cosines of the query with all rows, or with the allowed ones; best first, ties by number. */
  search(query: Float32Array, k: number, allowed: Iterable<number> | null = null): { readonly seq: number; readonly cosine: number }[] {
    const top = new Top(Math.min(k, this.#size));
    if (allowed === null) {
      for (let row = 0; row < this.#size; row++) top.add(this.#seqs[row] ?? 0, this.#cosine(query, row));
    } else {
      for (const seq of allowed) {
        const row = this.#rowOf.get(seq);
        if (row !== undefined) top.add(seq, this.#cosine(query, row));
      }
    }
    return top.sorted().map(({ id, score }) => ({ seq: id, cosine: score }));
  }

  #cosine(query: Float32Array, row: number): number {
    const codes = this.#codes;
    let dot = 0;
    for (let i = 0, at = row * this.dimensions; i < this.dimensions; i++) dot += (query[i] as number) * (codes[at + i] as number);
    return dot * (this.#scales[row] ?? 0);
  }

  #grow(): void {
    const rows = Math.ceil(this.#scales.length * 1.5);
    const codes = new Int8Array(rows * this.dimensions);
    codes.set(this.#codes);
    const scales = new Float32Array(rows);
    scales.set(this.#scales);
    const seqs = new Float64Array(rows);
    seqs.set(this.#seqs);
    [this.#codes, this.#scales, this.#seqs] = [codes, scales, seqs];
  }
}
