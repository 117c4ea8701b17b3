import type { Database } from "better-sqlite3";
import { signBits } from "../core/sign-rows.ts";
import { smallBlock } from "./posting-blocks.ts";
import type { PackedBlock, VectorMark } from "./store.ts";

/** Chunk numbers of a block: few enough that what lies above the last one is read in milliseconds. */
const blockSize = 4096;
/** A block is built again when this share of its chunks has gone. */
const goneShare = 0.2;

interface Row {
  readonly start: number;
  readonly chunks: number;
  readonly number: number;
  readonly rows: Buffer;
}

/**
 * Vectors of one model side by side: reading a million of them row by row takes many seconds, reading them in blocks
 * less than one. A cache of the table `vectors`; a vector never changes under a chunk number, so a block never does but
 * for chunks that have gone.
 */
export function vectorBlocks(db: Database) {
  const known = db.prepare<[number], { start: number; chunks: number; gone: number }>(
    `SELECT start, chunks, (SELECT ifnull(sum(g.gone), 0) FROM chunks_gone g
       WHERE g.range >= start / ${smallBlock} AND g.range < (start + ${blockSize}) / ${smallBlock}) - gone AS gone
     FROM vector_blocks WHERE model = ? ORDER BY start`,
  );
  const range = db.prepare<{ model: number; from: number; to: number }, { seq: number; vector: Buffer | null }>(
    `SELECT c.seq, v.vector FROM chunks c LEFT JOIN vectors v ON v.passage = c.passage AND v.model = @model
     WHERE c.seq >= @from AND c.seq < @to ORDER BY c.seq`,
  );
  const newest = db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM chunks").pluck();
  const put = db.prepare(
    `INSERT OR REPLACE INTO vector_blocks (model, start, chunks, gone, number, rows)
     SELECT @model, @start, @chunks, (SELECT ifnull(sum(gone), 0) FROM chunks_gone WHERE range >= @range AND range < @range + ${blockSize / smallBlock}),
       (SELECT ifnull(max(number), 0) FROM vectors), @rows`,
  );
  const blocks = db.prepare<[number], Row>("SELECT start, chunks, number, rows FROM vector_blocks WHERE model = ? ORDER BY start");
  const heads = db.prepare<[number], Omit<Row, "rows">>("SELECT start, chunks, number FROM vector_blocks WHERE model = ? ORDER BY start");

  /** False when a chunk of the range has no vector yet. */
  function write(model: number, start: number): boolean {
    const rows: { readonly seq: number; readonly vector: Buffer }[] = [];
    for (const { seq, vector } of range.all({ model, from: start, to: start + blockSize })) {
      if (vector === null) return false;
      rows.push({ seq, vector });
    }
    put.run({ model, start, range: start / smallBlock, chunks: rows.length, rows: pack(start, rows) });
    return true;
  }

  return {
    /** Builds one of the blocks that became whole or lost many chunks; false when there was none. */
    build(model: number): boolean {
      const have = new Map(known.all(model).map((block) => [block.start, block]));
      const end = (newest.get() ?? 0) + 1;
      for (let start = 0; start + blockSize <= end; start += blockSize) {
        const block = have.get(start);
        if (block !== undefined && block.gone <= block.chunks * goneShare) continue;
        return write(model, start);
      }
      return false;
    },

    /** The blocks from chunk number 0 without a gap; the mark says from where on the rest is to be read. */
    read(model: number): { readonly chunks: number; readonly mark: VectorMark; readonly blocks: Iterable<PackedBlock> } {
      let chunks = 0;
      let number = 0;
      let end = 0;
      for (const head of heads.all(model)) {
        if (head.start !== end) break;
        chunks += head.chunks;
        number = Math.max(number, head.number);
        end += blockSize;
      }
      return { chunks, mark: { number, seq: Math.max(0, end - 1) }, blocks: unpacked(model, end) };
    },
  };

  function* unpacked(model: number, end: number): Iterable<PackedBlock> {
    for (const { start, chunks, rows } of blocks.iterate(model)) {
      if (start >= end) return;
      if (chunks > 0) yield unpack(start, chunks, rows);
    }
  }
}

/** uint16 numbers within the block, float32 1 / length, int8 components, sign bits: each for all rows, one after the other. */
function pack(start: number, rows: readonly { readonly seq: number; readonly vector: Buffer }[]): Buffer {
  const codes = rows.map(({ vector }) => new Int8Array(vector.buffer, vector.byteOffset + 4, vector.length - 4));
  const numbers = Uint16Array.from(rows, ({ seq }) => seq - start);
  const scales = Float32Array.from(codes, inverseLength);
  return Buffer.concat([bytes(numbers), bytes(scales), ...codes.map(bytes), ...codes.map(signBits)]);
}

function unpack(start: number, chunks: number, rows: Buffer): PackedBlock {
  // the copy of SQLite's row begins anywhere; typed arrays of more than a byte want an even place
  const at = (from: number, length: number) => rows.buffer.slice(rows.byteOffset + from, rows.byteOffset + from + length);
  const numbers = new Uint16Array(at(0, 2 * chunks));
  const scales = new Float32Array(at(2 * chunks, 4 * chunks));
  const rest = rows.length / chunks - 6;
  // components and their signs: n + ceil(n / 8) bytes
  const dimensions = Math.floor((rest * 8) / 9);
  const codes = new Int8Array(rows.buffer, rows.byteOffset + 6 * chunks, dimensions * chunks);
  const signs = new Uint8Array(rows.buffer, rows.byteOffset + (6 + dimensions) * chunks, (rest - dimensions) * chunks);
  return { seqs: Array.from(numbers, (number) => start + number), scales, codes, signs };
}

/** What a row's dot product is multiplied by to be a cosine. */
export function inverseLength(codes: Int8Array): number {
  let square = 0;
  for (let i = 0; i < codes.length; i++) square += (codes[i] as number) ** 2;
  return square > 0 ? 1 / Math.sqrt(square) : 0;
}

function bytes(array: Uint16Array | Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
