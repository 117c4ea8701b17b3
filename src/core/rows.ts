import { compiled, pageBytes, type WasmMemory } from "./wasm.ts";

/**
 * Rows of bytes in WebAssembly memory, compared with a query: the inner loop of vector search and of late interaction,
 * several times faster than the same loop in JavaScript. The code is rows.wat.
 */
const instantiate = compiled<Exports>(
  "AGFzbQEAAAABEgJgBX9/f39/AGAGf39/f39/AAMDAgABBQMBAAEHGAMGbWVtb3J5AgAEc2NhbgAABHBpY2sAAQqkAwLJAQIBfwN7AkAgAkUNAANA/QwAAAAAAAAAAAAAAAAAAAAAIQf9DAAAAAAAAAAAAAAAAAAAAAAhCEEAIQUDQCABIAVq/QAEACEGIAcgBv2HASAAIAVBAXRq/QAEAP26Af2uASEHIAggBv2IASAAIAVBAXRq/QAEEP26Af2uASEIIAVBEGoiBSADSQ0ACyAHIAj9rgEhByAEIAf9GwAgB/0bAWogB/0bAiAH/RsDamo2AgAgASADaiEBIARBBGohBCACQQFrIgINAAsLC9YBAgJ/A3sCQCADRQ0AA0D9DAAAAAAAAAAAAAAAAAAAAAAhCf0MAAAAAAAAAAAAAAAAAAAAACEKQQAhBiABIAIoAgAgBGxqIQcDQCAHIAZq/QAEACEIIAkgCP2HASAAIAZBAXRq/QAEAP26Af2uASEJIAogCP2IASAAIAZBAXRq/QAEEP26Af2uASEKIAZBEGoiBiAESQ0ACyAJIAr9rgEhCSAFIAn9GwAgCf0bAWogCf0bAiAJ/RsDamo2AgAgAkEEaiECIAVBBGohBSADQQFrIgMNAAsLCw==",
);

interface Exports {
  readonly memory: WasmMemory;
  readonly scan: (query: number, rows: number, count: number, stride: number, out: number) => void;
  readonly pick: (query: number, rows: number, places: number, count: number, stride: number, out: number) => void;
}

/** Rows scanned in one call; their results share a fixed place. */
const block = 4096;
const queryAt = 0;
const mostDimensions = 8192;
const outAt = queryAt + mostDimensions * 2;
const placesAt = outAt + block * 4;
const rowsAt = placesAt + block * 4;

/** Gets the first row of a block and the results of its rows; the array is used again for the next block. */
export type Take = (first: number, results: Int32Array) => void;

/** A growing table of int8 rows of the same length, and their dot products with a query. */
export class DotRows {
  readonly dimensions: number;
  readonly #stride: number;
  readonly #exports = instantiate();
  #capacity = 0;

  constructor(dimensions: number) {
    if (!(dimensions > 0 && dimensions <= mostDimensions)) throw new RangeError(`Rows of ${dimensions} bytes cannot be compared.`);
    this.dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / 16) * 16;
  }

  /** Makes room for so many rows; what is there stays. Grows by a quarter at least, so that adding rows one by one is cheap. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const { memory } = this.#exports;
    const wanted = Math.max(rows, Math.ceil(this.#capacity * 1.25));
    const pages = Math.ceil((rowsAt + wanted * this.#stride - memory.buffer.byteLength) / pageBytes);
    if (pages > 0) memory.grow(pages);
    this.#capacity = Math.floor((memory.buffer.byteLength - rowsAt) / this.#stride);
  }

  /** Writes rows one after the other from a place on; `codes` holds whole rows. */
  set(row: number, codes: Int8Array): void {
    const { dimensions } = this;
    const count = codes.length / dimensions;
    this.reserve(row + count);
    if (dimensions === this.#stride) this.#at(row, codes.length).set(codes);
    else for (let i = 0; i < count; i++) this.#at(row + i, dimensions).set(codes.subarray(i * dimensions, (i + 1) * dimensions));
  }

  /** A row as it is in memory; valid until rows are added. */
  get(row: number): Int8Array {
    return this.#at(row, this.dimensions);
  }

  copy(from: number, to: number): void {
    this.#at(to, this.#stride).set(this.#at(from, this.#stride));
  }

  /** Dot products of the query with rows [0, count). */
  scan(query: Int8Array, count: number, take: Take): void {
    const { memory, scan } = this.#exports;
    this.#ask(query);
    for (let first = 0; first < count; first += block) {
      const rows = Math.min(block, count - first);
      scan(queryAt, rowsAt + first * this.#stride, rows, this.#stride, outAt);
      take(first, new Int32Array(memory.buffer, outAt, rows));
    }
  }

  /** Dot products of the query with the rows at these places; `take` gets them in the order of the places. */
  pick(query: Int8Array, places: Uint32Array, take: Take): void {
    const { memory, pick } = this.#exports;
    this.#ask(query);
    for (let first = 0; first < places.length; first += block) {
      const some = places.subarray(first, first + block);
      new Uint32Array(memory.buffer, placesAt, some.length).set(some);
      pick(queryAt, rowsAt, placesAt, some.length, this.#stride, outAt);
      take(first, new Int32Array(memory.buffer, outAt, some.length));
    }
  }

  #at(row: number, length: number): Int8Array {
    return new Int8Array(this.#exports.memory.buffer, rowsAt + row * this.#stride, length);
  }

  #ask(query: Int8Array): void {
    new Int16Array(this.#exports.memory.buffer, queryAt, this.#stride).fill(0).set(query);
  }
}

/** The vector with its largest component at 127: a direction as int8. */
export function toInt8(vector: Float32Array): Int8Array {
  let most = 0;
  for (const component of vector) most = Math.max(most, Math.abs(component));
  const codes = new Int8Array(vector.length);
  if (most > 0) for (let i = 0; i < vector.length; i++) codes[i] = Math.round(((vector[i] as number) / most) * 127);
  return codes;
}
