import { compiled, pageBytes, type WasmMemory } from "../core/wasm.ts";
import { isDense } from "./posting-list.ts";

/** Robertson and Zaragoza, "The probabilistic relevance framework", 2009; the values that FTS5 has. */
const k1 = 1.2;
const b = 0.75;

/** The code is posting-scores.wat. */
const instantiate = compiled<Exports>(
  "AGFzbQEAAAABFAJgB39/fX19f38AYAV/f399fwF/AwQDAAABBQMBAAcHMQQGbWVtb3J5AgALYWRkUG9zdGluZ3MAAA5hZGRGcmVxdWVuY2llcwABBWFib3ZlAAIKuAIDYAMBfwF9AX8CQCAAIAFPDQADQCAALwEAIQcgAC0AArMhCCAGIAdBAnRqIQkgCSAJKgIAIAIgCJQgCCADIAQgBSAHQQF0ai8BALOUkpKVkjgCACAAQQNqIgAgAUkNAAsLC3UBBHsgAv0TIQggA/0TIQkgBP0TIQoDQCAA/VwCAP2JAf2pAf37ASEHIAYgBv0ABAAgCCAH/eYBIAcgCSAKIAX9BAMA/fsB/eYB/eQB/eQB/ecB/eQB/QsEACAFQQhqIQUgBkEQaiEGIABBBGoiACABSQ0ACwtfAQJ/IAQhBgNAIAAgAUECdGr9AAQAIAP9E/1E/aQBIQUCQCAFRQ0AA0AgBiABIAVoajYCACAGQQRqIQYgBSAFQQFrcSIFDQALCyABQQRqIgEgAkkNAAsgBiAEa0ECdgs=",
);

/** From a place in memory to an end, with k1 (1 - b + b length / average) as base + slope x length. */
type Add = (from: number, end: number, weight: number, base: number, slope: number, lengths: number, scores: number) => void;

interface Exports {
  readonly memory: WasmMemory;
  readonly addPostings: Add;
  readonly addFrequencies: Add;
  readonly above: (scores: number, from: number, to: number, least: number, out: number) => number;
}

/**
 * BM25 of one block's chunks at a time, list by list, in memory that the processor keeps near: idf x tf (k1 + 1) /
 * (tf + norm) is added to the score of each place of a list, in WebAssembly, four places at once where the list gives
 * the frequency of each.
 */
export class BlockScores {
  readonly #exports = instantiate();
  readonly #lengthsAt: number;
  readonly #outAt: number;
  readonly #listAt: number;
  #places = 0;
  #slope = 0;

  /** @param places most that a block has, a multiple of four */
  constructor(places: number) {
    this.#lengthsAt = places * 4;
    this.#outAt = this.#lengthsAt + places * 2;
    this.#listAt = this.#outAt + places * 4;
  }

  /**
   * Begins a block: all scores are 0.
   * @param lengths terms of each place's chunk
   * @param average terms of a chunk of the store
   */
  begin(lengths: Uint16Array, average: number): void {
    this.#places = lengths.length;
    this.#slope = (k1 * b) / Math.max(1, average);
    this.#room(0);
    new Uint16Array(this.#exports.memory.buffer, this.#lengthsAt, lengths.length).set(lengths);
    this.#scores().fill(0);
  }

  /** Adds up a term's list (store/posting-list.ts). */
  add(list: Uint8Array, idf: number): void {
    this.#room(list.length);
    const { memory, addPostings, addFrequencies } = this.#exports;
    new Uint8Array(memory.buffer, this.#listAt, list.length).set(list);
    const add = isDense(list) ? addFrequencies : addPostings;
    add(this.#listAt, this.#listAt + list.length, idf * (k1 + 1), k1 * (1 - b), this.#slope, this.#lengthsAt, 0);
  }

  /** Places of the block. */
  get places(): number {
    return this.#places;
  }

  /** Gives each place of a range with a score above this, rising, and its score. The range's ends are multiples of four. */
  above(least: number, from: number, to: number, take: (place: number, score: number) => void): void {
    const { memory, above } = this.#exports;
    const found = new Uint32Array(memory.buffer, this.#outAt, above(0, from, to, least, this.#outAt));
    const scores = this.#scores();
    for (const place of found) take(place, scores[place] as number);
  }

  #scores(): Float32Array {
    return new Float32Array(this.#exports.memory.buffer, 0, this.#places);
  }

  #room(bytes: number): void {
    const { memory } = this.#exports;
    const missing = this.#listAt + bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
  }
}
