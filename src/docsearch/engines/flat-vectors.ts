import { DotRows, toInt8 } from "../../core/rows.ts";
import { SignRows } from "../../core/sign-rows.ts";
import type { VectorBlock } from "../search-store.ts";
import { SeqRows } from "./seq-rows.ts";
import { Top } from "./top.ts";

const firstCapacity = 1024;
/** Rows taken beyond those asked for by the rounded scan, to be scored again with the query unrounded. */
const rescored = 3;

/** From this many rows on, only those that the query likely is near, by their signs alone, are scored. */
const signsFrom = 50_000;
/**
 * So many of them at least, and so many for each one asked for. Of the nearest 50, 99.4 % are among 2,000, and 99.9 % of the
 * nearest 10, whether there are 8,000 rows or 130,000 (`npm run bench -- search-recall`, docs/decisions/0030).
 */
const leastScored = 2000;
const scoredForOne = 40;

export interface Near {
  readonly seq: number;
  readonly cosine: number;
}

/**
 * int8 vectors side by side in memory, scanned whole: no build, nothing to tune, and a row is replaced by writing over
 * it. The scan rounds the query too; the best are scored again with the query as it is. Large tables are scanned by
 * sign bits first, an eighth of the bytes.
 */
export class FlatVectors {
  readonly dimensions: number;
  readonly #rows: DotRows;
  readonly #signs: SignRows;
  readonly #signsFrom: number;
  #scales: Float32Array;
  #seqs: Float64Array;
  readonly #rowOf = new SeqRows();
  #size = 0;

  /** @param options `rows`: how many are expected, so that room for them is made at once */
  constructor(dimensions: number, options: { readonly signsFrom?: number; readonly rows?: number } = {}) {
    const rows = Math.max(firstCapacity, options.rows ?? 0);
    this.dimensions = dimensions;
    this.#rows = new DotRows(dimensions);
    this.#signs = new SignRows(dimensions);
    this.#rows.reserve(rows);
    this.#signs.reserve(rows);
    this.#scales = new Float32Array(rows);
    this.#seqs = new Float64Array(rows);
    this.#signsFrom = options.signsFrom ?? signsFrom;
  }

  get size(): number {
    return this.#size;
  }

  /** Takes in a packed vector (float32 scale, then int8 components), replacing the chunk's earlier one. */
  put(seq: number, packed: Uint8Array): void {
    let row = this.#rowOf.get(seq);
    if (row === undefined) {
      row = this.#size++;
      this.#grow(this.#size);
      this.#rowOf.set(seq, row);
    }
    const codes = new Int8Array(packed.buffer, packed.byteOffset + 4, this.dimensions);
    this.#rows.set(row, codes);
    this.#signs.set(row, codes);
    let square = 0;
    for (let i = 0; i < codes.length; i++) square += (codes[i] as number) ** 2;
    this.#scales[row] = square > 0 ? 1 / Math.sqrt(square) : 0;
    this.#seqs[row] = seq;
  }

  /** Takes in many vectors that are not there yet. */
  putBlock({ seqs, scales, codes, signs }: VectorBlock): void {
    const first = this.#size;
    this.#size += seqs.length;
    this.#grow(this.#size);
    this.#rows.set(first, codes);
    this.#signs.setBits(first, signs);
    this.#scales.set(scales, first);
    this.#seqs.set(seqs, first);
    for (const [i, seq] of seqs.entries()) this.#rowOf.set(seq, first + i);
  }

  drop(seq: number): void {
    const row = this.#rowOf.get(seq);
    if (row === undefined) return;
    this.#rowOf.delete(seq);
    const last = --this.#size;
    if (row === last) return;
    this.#rows.copy(last, row);
    this.#signs.copy(last, row);
    this.#scales[row] = this.#scales[last] ?? 0;
    this.#seqs[row] = this.#seqs[last] ?? 0;
    this.#rowOf.set(this.#seqs[row] ?? 0, row);
  }

  /** Nearest rows to a unit-length query, among all or the allowed ones; best first, ties by number. */
  search(query: Float32Array, k: number, allowed: Iterable<number> | null = null): Near[] {
    const rows = allowed === null ? this.#candidates(query, k) : this.#rounded(query, k * rescored, this.#rowsOf(allowed));
    const top = new Top(Math.min(k, this.#size));
    for (const row of rows) top.add(this.#seqs[row] ?? 0, this.#cosine(query, row));
    return top.sorted().map(({ id, score }) => ({ seq: id, cosine: score }));
  }

  #candidates(query: Float32Array, k: number): readonly number[] {
    const depth = Math.max(leastScored, k * scoredForOne);
    const likely = this.#size < this.#signsFrom ? null : this.#signs.likely(query, this.#size, depth);
    return this.#rounded(query, k * rescored, likely);
  }

  /** The best of some rows, or of all, by the query rounded to int8. */
  #rounded(query: Float32Array, k: number, some: Uint32Array | null): readonly number[] {
    const top = new Top(Math.min(k, this.#size));
    const scales = this.#scales;
    const take = (first: number, dots: Int32Array) => {
      let least = top.threshold;
      for (let i = 0; i < dots.length; i++) {
        const row = some === null ? first + i : (some[first + i] as number);
        const score = (dots[i] as number) * (scales[row] as number);
        if (score < least) continue;
        top.add(row, score);
        least = top.threshold;
      }
    };
    if (some === null) this.#rows.scan(toInt8(query), this.#size, take);
    else this.#rows.pick(toInt8(query), some, take);
    return top.sorted().map(({ id }) => id);
  }

  #rowsOf(allowed: Iterable<number>): Uint32Array {
    const rows: number[] = [];
    for (const seq of allowed) {
      const row = this.#rowOf.get(seq);
      if (row !== undefined) rows.push(row);
    }
    return Uint32Array.from(rows);
  }

  #cosine(query: Float32Array, row: number): number {
    const codes = this.#rows.get(row);
    let dot = 0;
    for (let i = 0; i < codes.length; i++) dot += (query[i] as number) * (codes[i] as number);
    return dot * (this.#scales[row] ?? 0);
  }

  #grow(size: number): void {
    if (size <= this.#scales.length) return;
    const rows = Math.max(size, Math.ceil(this.#scales.length * 1.5));
    const scales = new Float32Array(rows);
    scales.set(this.#scales);
    const seqs = new Float64Array(rows);
    seqs.set(this.#seqs);
    [this.#scales, this.#seqs] = [scales, seqs];
  }
}
