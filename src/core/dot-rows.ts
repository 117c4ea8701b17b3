/**
 * int8 rows in WebAssembly memory and their dot products with a query: the inner loop of vector search and of late
 * interaction, some ten times faster than the same loop in JavaScript. The code is dot-rows.wat.
 */
const code =
  "AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAAQcRAgZtZW1vcnkCAARzY2FuAAAKzAEByQECAX8DewJAIAJFDQADQP0MAAAAAAAAAAAAAAAAAAAAACEH/QwAAAAAAAAAAAAAAAAAAAAAIQhBACEFA0AgASAFav0ABAAhBiAHIAb9hwEgACAFQQF0av0ABAD9ugH9rgEhByAIIAb9iAEgACAFQQF0av0ABBD9ugH9rgEhCCAFQRBqIgUgA0kNAAsgByAI/a4BIQcgBCAH/RsAIAf9GwFqIAf9GwIgB/0bA2pqNgIAIAEgA2ohASAEQQRqIQQgAkEBayICDQALCws=";

/** The part of the engine's API that is used here; TypeScript keeps it in its browser library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  scan(query: number, rows: number, count: number, stride: number, out: number): void;
}

const module = new WebAssembly.Module(Buffer.from(code, "base64"));

const pageBytes = 65_536;
/** Rows scanned in one call; their results share a fixed place. */
const block = 4096;
const queryAt = 0;
const mostDimensions = 8192;
const outAt = queryAt + mostDimensions * 2;
const rowsAt = outAt + block * 4;

/** A growing table of int8 rows. */
export class DotRows {
  readonly dimensions: number;
  readonly #stride: number;
  readonly #exports: Exports;
  #capacity = 0;

  constructor(dimensions: number) {
    if (!(dimensions > 0 && dimensions <= mostDimensions)) throw new RangeError(`${dimensions} dimensions cannot be compared.`);
    this.dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / 16) * 16;
    this.#exports = new WebAssembly.Instance(module).exports as Exports;
    this.reserve(1);
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Makes room for so many rows; what is there stays. Grows by a quarter at least, so that adding rows one by one is cheap. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const wanted = Math.max(rows, Math.ceil(this.#capacity * 1.25));
    const pages = Math.ceil((rowsAt + wanted * this.#stride) / pageBytes) - this.bytes / pageBytes;
    if (pages > 0) this.#exports.memory.grow(pages);
    this.#capacity = Math.floor((this.bytes - rowsAt) / this.#stride);
  }

  /** Writes rows one after the other from a place on; `codes` holds whole rows. */
  set(row: number, codes: Int8Array): void {
    const count = codes.length / this.dimensions;
    this.reserve(row + count);
    const at = rowsAt + row * this.#stride;
    const memory = new Int8Array(this.#exports.memory.buffer);
    if (this.#stride === this.dimensions) memory.set(codes, at);
    else for (let i = 0; i < count; i++) memory.set(codes.subarray(i * this.dimensions, (i + 1) * this.dimensions), at + i * this.#stride);
  }

  /** A row as it is in memory; valid until rows are added. */
  get(row: number): Int8Array {
    return new Int8Array(this.#exports.memory.buffer, rowsAt + row * this.#stride, this.dimensions);
  }

  copy(from: number, to: number): void {
    const at = rowsAt + from * this.#stride;
    new Int8Array(this.#exports.memory.buffer).copyWithin(rowsAt + to * this.#stride, at, at + this.#stride);
  }

  /**
   * Dot products of the query with rows [0, count), block by block.
   * @param take gets the first row of a block and the results of its rows; the array is used again for the next
   */
  scan(query: Int8Array, count: number, take: (first: number, dots: Int32Array) => void): void {
    const { memory, scan } = this.#exports;
    const place = new Int16Array(memory.buffer, queryAt, this.#stride);
    place.fill(0);
    place.set(query);
    for (let first = 0; first < count; first += block) {
      const rows = Math.min(block, count - first);
      scan(queryAt, rowsAt + first * this.#stride, rows, this.#stride, outAt);
      take(first, new Int32Array(memory.buffer, outAt, rows));
    }
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
