/**
 * Rows of bytes in WebAssembly memory, compared with a query: the inner loop of vector search and of late interaction,
 * several times faster than the same loop in JavaScript. The code is rows.wat.
 */
const code =
  "AGFzbQEAAAABEgJgBX9/f39/AGAGf39/f39/AAMEAwABAAUDAQABByIEBm1lbW9yeQIABHNjYW4AAARwaWNrAAEHaGFtbWluZwACCpYEA8kBAgF/A3sCQCACRQ0AA0D9DAAAAAAAAAAAAAAAAAAAAAAhB/0MAAAAAAAAAAAAAAAAAAAAACEIQQAhBQNAIAEgBWr9AAQAIQYgByAG/YcBIAAgBUEBdGr9AAQA/boB/a4BIQcgCCAG/YgBIAAgBUEBdGr9AAQQ/boB/a4BIQggBUEQaiIFIANJDQALIAcgCP2uASEHIAQgB/0bACAH/RsBaiAH/RsCIAf9GwNqajYCACABIANqIQEgBEEEaiEEIAJBAWsiAg0ACwsL1gECAn8DewJAIANFDQADQP0MAAAAAAAAAAAAAAAAAAAAACEJ/QwAAAAAAAAAAAAAAAAAAAAAIQpBACEGIAEgAigCACAEbGohBwNAIAcgBmr9AAQAIQggCSAI/YcBIAAgBkEBdGr9AAQA/boB/a4BIQkgCiAI/YgBIAAgBkEBdGr9AAQQ/boB/a4BIQogBkEQaiIGIARJDQALIAkgCv2uASEJIAUgCf0bACAJ/RsBaiAJ/RsCIAn9GwNqajYCACACQQRqIQIgBUEEaiEFIANBAWsiAw0ACwsLcQIBfwF+AkAgAkUNAANAQgAhBkEAIQUDQCAGIAEgBWopAwAgACAFaikDAIV7IAEgBWopAwggACAFaikDCIV7fHwhBiAFQRBqIgUgA0kNAAsgBCAGpzYCACABIANqIQEgBEEEaiEEIAJBAWsiAg0ACwsL";

/** The part of the engine's API that is used here; TypeScript keeps it in its browser library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly scan: Compare;
  readonly hamming: Compare;
  readonly pick: (query: number, rows: number, places: number, count: number, stride: number, out: number) => void;
}

type Compare = (query: number, rows: number, count: number, stride: number, out: number) => void;

const module = new WebAssembly.Module(Buffer.from(code, "base64"));

const pageBytes = 65_536;
/** Rows scanned in one call; their results share a fixed place. */
const block = 4096;
const queryAt = 0;
const mostDimensions = 8192;
const outAt = queryAt + mostDimensions * 2;
const placesAt = outAt + block * 4;
const rowsAt = placesAt + block * 4;

/** Gets the first row of a block and the results of its rows; the array is used again for the next block. */
export type Take = (first: number, results: Int32Array) => void;

/** A growing table of rows of the same length. */
class Rows {
  readonly stride: number;
  readonly #exports: Exports;
  #capacity = 0;

  constructor(bytes: number) {
    if (!(bytes > 0 && bytes <= mostDimensions)) throw new RangeError(`Rows of ${bytes} bytes cannot be compared.`);
    this.stride = Math.ceil(bytes / 16) * 16;
    this.#exports = new WebAssembly.Instance(module).exports as Exports;
  }

  /** Makes room for so many rows; what is there stays. Grows by a quarter at least, so that adding rows one by one is cheap. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const { memory } = this.#exports;
    const wanted = Math.max(rows, Math.ceil(this.#capacity * 1.25));
    const pages = Math.ceil((rowsAt + wanted * this.stride - memory.buffer.byteLength) / pageBytes);
    if (pages > 0) memory.grow(pages);
    this.#capacity = Math.floor((memory.buffer.byteLength - rowsAt) / this.stride);
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

  /** Runs over rows [0, count), block by block. */
  compare(how: "scan" | "hamming", query: Int16Array | Uint8Array, count: number, take: Take): void {
    const { memory } = this.#exports;
    this.#ask(query);
    for (let first = 0; first < count; first += block) {
      const rows = Math.min(block, count - first);
      this.#exports[how](queryAt, rowsAt + first * this.stride, rows, this.stride, outAt);
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
    this.#rows.compare("scan", Int16Array.from(query), count, take);
  }

  /** Dot products of the query with the rows at these places; `take` gets them in the order of the places. */
  pick(query: Int8Array, places: Uint32Array, take: Take): void {
    this.#rows.pick(Int16Array.from(query), places, take);
  }
}

/** Rows of one bit a dimension (its sign) and how many bits of a query differ. */
export class SignRows {
  readonly dimensions: number;
  readonly #rows: Rows;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rows = new Rows(Math.ceil(dimensions / 8));
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

  /** Numbers of differing signs for rows [0, count). */
  scan(query: ArrayLike<number>, count: number, take: Take): void {
    this.#rows.compare("hamming", signBits(query), count, take);
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
