import { compiled, pageBytes, type WasmMemory } from "./wasm.ts";

/**
 * Rows of bytes in WebAssembly memory, compared with a query: the inner loop of vector search and of late interaction,
 * several times faster than the same loop in JavaScript. The code is rows.wat.
 */
const instantiate = compiled<Exports>(
  "AGFzbQEAAAABGwNgBX9/f39/AGAGf39/f39/AGAFf39/f38BfwMFBAABAQIFAwEAAQcqBQZtZW1vcnkCAARzY2FuAAAEcGljawABBmRpZmZlcgACBndpdGhpbgADCsAFBMkBAgF/A3sCQCACRQ0AA0D9DAAAAAAAAAAAAAAAAAAAAAAhB/0MAAAAAAAAAAAAAAAAAAAAACEIQQAhBQNAIAEgBWr9AAQAIQYgByAG/YcBIAAgBUEBdGr9AAQA/boB/a4BIQcgCCAG/YgBIAAgBUEBdGr9AAQQ/boB/a4BIQggBUEQaiIFIANJDQALIAcgCP2uASEHIAQgB/0bACAH/RsBaiAH/RsCIAf9GwNqajYCACABIANqIQEgBEEEaiEEIAJBAWsiAg0ACwsL1gECAn8DewJAIANFDQADQP0MAAAAAAAAAAAAAAAAAAAAACEJ/QwAAAAAAAAAAAAAAAAAAAAAIQpBACEGIAEgAigCACAEbGohBwNAIAcgBmr9AAQAIQggCSAI/YcBIAAgBkEBdGr9AAQA/boB/a4BIQkgCiAI/YgBIAAgBkEBdGr9AAQQ/boB/a4BIQogBkEQaiIGIARJDQALIAkgCv2uASEJIAUgCf0bACAJ/RsBaiAJ/RsCIAn9GwNqajYCACACQQRqIQIgBUEEaiEFIANBAWsiAw0ACwsLjgEDAX8BfgJ/AkAgAkUNAANAQgAhB0EAIQYDQCAHIAEgBmopAwAgACAGaikDAIV7IAEgBmopAwggACAGaikDCIV7fHwhByAGQRBqIgYgA0kNAAsgB6chCCAEIAg7AQAgBSAIQQJ0aiEJIAkgCSgCAEEBajYCACABIANqIQEgBEECaiEEIAJBAWsiAg0ACwsLigEBA38gBCEHIAMgAWohBQJAIAFFDQADQCAA/QAEACAC/RD9NP2EASEGIAUgA2tBCEkEQCAGQQEgBSADa3RBAWtxIQYLAkAgBkUNAANAIAcgAyAGaGo2AgAgB0EEaiEHIAYgBkEBa3EiBg0ACwsgAEEQaiEAIANBCGoiAyAFSQ0ACwsgByAEa0ECdgs=",
);

interface Exports {
  readonly memory: WasmMemory;
  readonly scan: (query: number, rows: number, count: number, stride: number, out: number) => void;
  readonly pick: (query: number, rows: number, places: number, count: number, stride: number, out: number) => void;
  readonly differ: (query: number, rows: number, count: number, stride: number, out: number, histogram: number) => void;
  readonly within: (differing: number, count: number, most: number, first: number, out: number) => number;
}

/** Rows scanned in one call; their results share a fixed place. */
const block = 4096;
const queryAt = 0;
const mostDimensions = 8192;
const outAt = queryAt + mostDimensions * 2;
const placesAt = outAt + block * 4;
const histogramAt = placesAt + block * 4;
const rowsAt = histogramAt + (mostDimensions + 16) * 4;
/** What is read eight at a time may go on behind the last. */
const slack = 16;

/** Gets the first row of a block and the results of its rows; the array is used again for the next block. */
export type Take = (first: number, results: Int32Array) => void;

/** A growing table of rows of the same length. */
class Rows {
  readonly stride: number;
  readonly #exports = instantiate();
  /** Bytes kept behind the rows for each of them, while a query runs. */
  readonly #scratch: number;
  #capacity = 0;

  constructor(bytes: number, scratch = 0) {
    if (!(bytes > 0 && bytes <= mostDimensions)) throw new RangeError(`Rows of ${bytes} bytes cannot be compared.`);
    this.stride = Math.ceil(bytes / 16) * 16;
    this.#scratch = scratch;
  }

  /** Makes room for so many rows; what is there stays. Grows by a quarter at least, so that adding rows one by one is cheap. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const { memory } = this.#exports;
    const each = this.stride + this.#scratch;
    const wanted = Math.max(rows, Math.ceil(this.#capacity * 1.25));
    // what a query left there would stand in the padding of rows to come
    new Uint8Array(memory.buffer).fill(0, rowsAt + this.#capacity * this.stride);
    const pages = Math.ceil((rowsAt + wanted * each + slack - memory.buffer.byteLength) / pageBytes);
    if (pages > 0) memory.grow(pages);
    this.#capacity = Math.floor((memory.buffer.byteLength - rowsAt - slack) / each);
  }

  /** A row as it is in memory; valid until room is made for more. */
  at(row: number, length: number): Int8Array {
    return new Int8Array(this.#exports.memory.buffer, rowsAt + row * this.stride, length);
  }

  copy(from: number, to: number): void {
    this.at(to, this.stride).set(this.at(from, this.stride));
  }

  /** Writes whole rows of `length` bytes one after the other; there must be room. */
  write(row: number, bytes: Int8Array, length: number): void {
    if (length === this.stride) this.at(row, bytes.length).set(bytes);
    else for (let i = 0; i * length < bytes.length; i++) this.at(row + i, length).set(bytes.subarray(i * length, (i + 1) * length));
  }

  /** Dot products with rows [0, count), block by block. */
  scan(query: Int16Array, count: number, take: Take): void {
    const { memory, scan } = this.#exports;
    this.#ask(query);
    for (let first = 0; first < count; first += block) {
      const rows = Math.min(block, count - first);
      scan(queryAt, rowsAt + first * this.stride, rows, this.stride, outAt);
      take(first, new Int32Array(memory.buffer, outAt, rows));
    }
  }

  /** Dot products with the rows at these places, block by block of them. */
  pick(query: Int16Array, places: Uint32Array, take: Take): void {
    const { memory, pick } = this.#exports;
    this.#ask(query);
    for (let first = 0; first < places.length; first += block) {
      const some = places.subarray(first, first + block);
      new Uint32Array(memory.buffer, placesAt, some.length).set(some);
      pick(queryAt, rowsAt, placesAt, some.length, this.stride, outAt);
      take(first, new Int32Array(memory.buffer, outAt, some.length));
    }
  }

  /** At least `wanted` of rows [0, count), or all: those that differ in the fewest bits, all of the last number included. */
  fewest(query: Uint8Array, count: number, wanted: number): Uint32Array {
    if (count === 0) return new Uint32Array(0);
    const { memory, differ, within } = this.#exports;
    this.#ask(query);
    const histogram = new Uint32Array(memory.buffer, histogramAt, this.stride * 8 + 1).fill(0);
    const differingAt = rowsAt + this.#capacity * this.stride;
    differ(queryAt, rowsAt, count, this.stride, differingAt, histogramAt);
    let most = 0;
    let found = histogram[0] ?? 0;
    while (found < Math.min(wanted, count)) found += histogram[++most] ?? 0;
    const rows = new Uint32Array(found);
    for (let first = 0, at = 0; first < count; first += block) {
      const some = within(differingAt + first * 2, Math.min(block, count - first), most, first, outAt);
      rows.set(new Uint32Array(memory.buffer, outAt, some), at);
      at += some;
    }
    return rows;
  }

  #ask(query: Int16Array | Uint8Array): void {
    const place = new Uint8Array(this.#exports.memory.buffer, queryAt, this.stride * query.BYTES_PER_ELEMENT).fill(0);
    place.set(new Uint8Array(query.buffer, query.byteOffset, query.byteLength));
  }
}

/** int8 rows and their dot products with a query. */
export class DotRows {
  readonly dimensions: number;
  readonly #rows: Rows;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rows = new Rows(dimensions);
  }

  reserve(rows: number): void {
    this.#rows.reserve(rows);
  }

  /** Writes rows one after the other from a place on; `codes` holds whole rows. */
  set(row: number, codes: Int8Array): void {
    const count = codes.length / this.dimensions;
    this.#rows.reserve(row + count);
    this.#rows.write(row, codes, this.dimensions);
  }

  /** A row as it is in memory; valid until rows are added. */
  get(row: number): Int8Array {
    return this.#rows.at(row, this.dimensions);
  }

  copy(from: number, to: number): void {
    this.#rows.copy(from, to);
  }

  /** Dot products of the query with rows [0, count). */
  scan(query: Int8Array, count: number, take: Take): void {
    this.#rows.scan(Int16Array.from(query), count, take);
  }

  /** Dot products of the query with the rows at these places; `take` gets them in the order of the places. */
  pick(query: Int8Array, places: Uint32Array, take: Take): void {
    this.#rows.pick(Int16Array.from(query), places, take);
  }
}

/** Rows of one bit a dimension (its sign), compared by how many bits of a query differ. */
export class SignRows {
  readonly dimensions: number;
  readonly #rows: Rows;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rows = new Rows(Math.ceil(dimensions / 8), 2);
  }

  reserve(rows: number): void {
    this.#rows.reserve(rows);
  }

  set(row: number, codes: ArrayLike<number>): void {
    this.setBits(row, signBits(codes));
  }

  /** Writes rows that are sign bits already. */
  setBits(row: number, bits: Uint8Array): void {
    const length = Math.ceil(this.dimensions / 8);
    this.#rows.reserve(row + bits.length / length);
    this.#rows.write(row, new Int8Array(bits.buffer, bits.byteOffset, bits.length), length);
  }

  copy(from: number, to: number): void {
    this.#rows.copy(from, to);
  }

  /** At least `wanted` of rows [0, count), or all: those with the fewest differing signs, all of the last number included. */
  fewest(query: ArrayLike<number>, count: number, wanted: number): Uint32Array {
    return this.#rows.fewest(signBits(query), count, wanted);
  }
}

/** One bit a component, lowest first: whether it is above zero. */
export function signBits(codes: ArrayLike<number>): Uint8Array {
  const bits = new Uint8Array(Math.ceil(codes.length / 8));
  for (let i = 0; i < codes.length; i++) if ((codes[i] as number) > 0) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
  return bits;
}

/** The vector with its largest component at 127: a direction as int8. */
export function toInt8(vector: Float32Array): Int8Array {
  let most = 0;
  for (const component of vector) most = Math.max(most, Math.abs(component));
  const codes = new Int8Array(vector.length);
  if (most > 0) for (let i = 0; i < vector.length; i++) codes[i] = Math.round(((vector[i] as number) / most) * 127);
  return codes;
}
