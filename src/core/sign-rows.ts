import { compiled, pageBytes, type WasmMemory } from "./wasm.ts";

/** The code is sign-rows.wat. */
const instantiate = compiled<Exports>(
  "AGFzbQEAAAABGANgBX9/f39/AGADf39/AGAFf39/f38BfwMFBAAAAQIFAwEAAQclBQZtZW1vcnkCAANsYXkAAANzdW0AAQV0YWxseQACBHBpY2sAAwqDBgSZAQEFfwJAIAFFDQADQCADIARBD3EgBEEFdkEFdCACbGpqIQUgBEEQcUECdiEIQQ9BBCAIa3QhCSAAIAJqIQYDQCAALQAAIQcgBSAFLQAAIAlxIAdBD3EgCHRyOgAAIAUgBS0AECAJcSAHQQR2IAh0cjoAECAFQSBqIQUgAEEBaiIAIAZJDQALIARBAWohBCABQQFrIgENAAsLC58DAgJ/BnsCQCACRQ0AIAAgA0EFdGohBgNA/QwAAAAAAAAAAAAAAAAAAAAAIQn9DAAAAAAAAAAAAAAAAAAAAAAhCv0MAAAAAAAAAAAAAAAAAAAAACEL/QwAAAAAAAAAAAAAAAAAAAAAIQwgACEFA0AgAf0ABAAhByAF/QAEACAH/QwPDw8PDw8PDw8PDw8PDw8P/U79gAIhCCAJIAj9jgEhCSAKIAhBCP2NAf2OASEKIAX9AAQAIAdBBP2NAf0MDw8PDw8PDw8PDw8PDw8PD/1O/YACIQggCyAI/Y4BIQsgDCAIQQj9jQH9jgEhDCABQRBqIQEgBUEQaiIFIAZJDQALIAkgCkEI/YsB/ZEBIQkgCyAMQQj9iwH9kQEhCyAEIAkgCv0NAAEQEQIDEhMEBRQVBgcWF/0LBAAgBCAJIAr9DQgJGBkKCxobDA0cHQ4PHh/9CwQQIAQgCyAM/Q0AARARAgMSEwQFFBUGBxYX/QsEICAEIAsgDP0NCAkYGQoLGhsMDRwdDg8eH/0LBDAgBEHAAGohBCACQQFrIgINAAsLCzkBAX8CQCABRQ0AA0AgAiAALwEAQQJ0aiEDIAMgAygCAEEBajYCACAAQQJqIQAgAUEBayIBDQALCwuKAQEDfyAEIQcgAyABaiEFAkAgAUUNAANAIAD9AAQAIAL9EP02/YQBIQYgBSADa0EISQRAIAZBASAFIANrdEEBa3EhBgsCQCAGRQ0AA0AgByADIAZoajYCACAHQQRqIQcgBiAGQQFrcSIGDQALCyAAQRBqIQAgA0EIaiIDIAVJDQALCyAHIARrQQJ2Cw==",
);

interface Exports {
  readonly memory: WasmMemory;
  readonly lay: (bits: number, count: number, bytes: number, groups: number, first: number) => void;
  readonly sum: (table: number, groups: number, count: number, bytes: number, out: number) => void;
  readonly tally: (sums: number, count: number, histogram: number) => void;
  readonly pick: (sums: number, count: number, least: number, first: number, out: number) => number;
}

const mostDimensions = 8192;
/** Sums are uint16. */
const mostSum = 65_535;
/** Rows of a group of sign-rows.wat. */
const group = 32;
/** Rows laid or picked out in one call. */
const block = 1024;
const tableAt = 0;
const histogramAt = tableAt + (mostDimensions / 4) * 16;
const bitsAt = histogramAt + (mostSum + 1) * 4;
const outAt = bitsAt + (mostDimensions / 8) * block;
const groupsAt = outAt + block * 4;

/**
 * Rows of one bit a dimension (its sign), of which a query picks those that are likely near: by the sum of its components
 * with the row's signs. Keeping the query's own sizes, it needs to look at a third of the rows that counting differing
 * signs does, for as many to be found (docs/decisions/0030). The query is rounded to 8 bits for each four dimensions.
 */
export class SignRows {
  readonly dimensions: number;
  readonly #exports = instantiate();
  /** Of a row. */
  readonly #bytes: number;
  #capacity = 0;

  constructor(dimensions: number) {
    if (!(dimensions > 0 && dimensions <= mostDimensions)) throw new RangeError(`Rows of ${dimensions} signs cannot be compared.`);
    this.dimensions = dimensions;
    this.#bytes = Math.ceil(dimensions / 8);
  }

  /** Makes room for so many rows; what is there stays. Grows by a quarter at least, so that adding rows one by one is cheap. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const { memory } = this.#exports;
    this.#capacity = Math.ceil(Math.max(rows, this.#capacity * 1.25) / group) * group;
    // a sum of 2 bytes for each row besides
    const missing = groupsAt + this.#capacity * (this.#bytes + 2) - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
  }

  set(row: number, codes: ArrayLike<number>): void {
    this.setBits(row, signBits(codes));
  }

  /** Writes rows one after the other from a place on, as sign bits. */
  setBits(row: number, bits: Uint8Array): void {
    const rows = bits.length / this.#bytes;
    this.reserve(row + rows);
    const { memory, lay } = this.#exports;
    for (let done = 0; done < rows; done += block) {
      const some = bits.subarray(done * this.#bytes, (done + block) * this.#bytes);
      new Uint8Array(memory.buffer, bitsAt, some.length).set(some);
      lay(bitsAt, some.length / this.#bytes, this.#bytes, groupsAt, row + done);
    }
  }

  copy(from: number, to: number): void {
    this.setBits(to, this.#bitsOf(from));
  }

  /** At least `wanted` of rows [0, count), or all: those with the highest sums, all of the last sum included; rising. */
  likely(query: ArrayLike<number>, count: number, wanted: number): Uint32Array {
    if (count === 0) return new Uint32Array(0);
    const { memory, sum, tally, pick } = this.#exports;
    const { table, highest } = tableOf(query, this.#bytes * 2);
    new Uint8Array(memory.buffer, tableAt, table.length).set(table);
    const histogram = new Uint32Array(memory.buffer, histogramAt, highest + 1).fill(0);
    const sumsAt = groupsAt + this.#capacity * this.#bytes;
    sum(tableAt, groupsAt, Math.ceil(count / group), this.#bytes, sumsAt);
    tally(sumsAt, count, histogramAt);
    let least = highest;
    let found = histogram[least] ?? 0;
    while (found < Math.min(wanted, count)) found += histogram[--least] ?? 0;
    const rows = new Uint32Array(found);
    for (let first = 0, at = 0; first < count; first += block) {
      const some = pick(sumsAt + first * 2, Math.min(block, count - first), least, first, outAt);
      rows.set(new Uint32Array(memory.buffer, outAt, some), at);
      at += some;
    }
    return rows;
  }

  #bitsOf(row: number): Uint8Array {
    const shift = (row & 16) >> 2;
    const at = groupsAt + (row - (row % group)) * this.#bytes + (row & 15);
    const lane = new Uint8Array(this.#exports.memory.buffer, at, (this.#bytes - 1) * group + 17);
    return Uint8Array.from({ length: this.#bytes }, (_, i) => {
      const low = ((lane[i * group] as number) >> shift) & 15;
      const high = ((lane[i * group + 16] as number) >> shift) & 15;
      return low | (high << 4);
    });
  }
}

/**
 * For each four dimensions and each choice of them the sum of the query's components chosen, all moved and scaled to uint8;
 * and the highest sum that a row can have.
 */
function tableOf(query: ArrayLike<number>, fours: number): { readonly table: Uint8Array; readonly highest: number } {
  const sums = new Float64Array(fours * 16);
  let widest = 0;
  for (let four = 0; four < fours; four++) {
    const at = four * 16;
    for (let i = 0; i < 4; i++) {
      const component = query[four * 4 + i] ?? 0;
      // the sum of none is moved up until the lowest sum is 0
      if (component < 0) for (let chosen = 0; chosen < 1 << i; chosen++) sums[at + chosen] = (sums[at + chosen] as number) - component;
      for (let chosen = 0; chosen < 1 << i; chosen++) sums[at + chosen + (1 << i)] = (sums[at + chosen] as number) + component;
    }
    for (let chosen = 0; chosen < 16; chosen++) widest = Math.max(widest, sums[at + chosen] as number);
  }
  const scale = widest > 0 ? Math.min(255, Math.floor(mostSum / fours)) / widest : 0;
  const table = Uint8Array.from(sums, (sum) => Math.round(sum * scale));
  let highest = 0;
  for (let four = 0; four < fours; four++) highest += Math.max(...table.subarray(four * 16, four * 16 + 16));
  return { table, highest };
}

/** One bit a component, lowest first: whether it is above zero. */
export function signBits(codes: ArrayLike<number>): Uint8Array {
  const bits = new Uint8Array(Math.ceil(codes.length / 8));
  for (let i = 0; i < codes.length; i++) if ((codes[i] as number) > 0) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
  return bits;
}
