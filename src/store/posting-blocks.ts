import type { Database } from "better-sqlite3";
import { PostingList } from "./posting-list.ts";

/** Chunk numbers of a small block: what lies above the last one is read into memory at the first search. */
export const smallBlock = 1 << 10;
/** Chunk numbers of a large one, made of small ones. */
export const largeBlock = 1 << 15;
/** A block is built again when this share of its chunks has gone. */
const goneShare = 0.2;
/** The lengths of a block's chunks stand beside its lists, under a term that no text has. */
export const lengthsTerm = "";

export interface PostingSource {
  readonly seq: number;
  readonly terms: readonly string[];
}

export interface PostingBlock {
  /** First chunk number. */
  readonly start: number;
  readonly size: number;
  /** Chunks and terms that it held when it was built. */
  readonly chunks: number;
  readonly terms: number;
}

/** Lists of a range of chunks while they are made. */
export class PostingBuilder {
  readonly start: number;
  readonly lists = new Map<string, PostingList>();
  #lengths: Uint16Array;
  #chunks = 0;
  #terms = 0;

  constructor(start: number, size: number) {
    this.start = start;
    this.#lengths = new Uint16Array(size);
  }

  get chunks(): number {
    return this.#chunks;
  }

  get terms(): number {
    return this.#terms;
  }

  /** Terms of each chunk number, 0 where there is none. */
  get lengths(): Uint16Array {
    return this.#lengths;
  }

  add({ seq, terms }: PostingSource): void {
    const place = seq - this.start;
    while (place >= this.#lengths.length) {
      const larger = new Uint16Array(this.#lengths.length * 2);
      larger.set(this.#lengths);
      this.#lengths = larger;
    }
    this.#lengths[place] = Math.min(65_535, terms.length);
    this.#chunks++;
    this.#terms += terms.length;
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) this.#list(term).add(place, count);
  }

  /** Takes in a finished block of later chunk numbers. */
  append(block: PostingBlock, rows: Iterable<{ readonly term: string; readonly list: Uint8Array }>): void {
    const shift = block.start - this.start;
    for (const { term, list } of rows) {
      if (term === lengthsTerm) this.#lengths.set(readLengths(list), shift);
      else this.#list(term).append(list, shift);
    }
    this.#chunks += block.chunks;
    this.#terms += block.terms;
  }

  #list(term: string): PostingList {
    let list = this.lists.get(term);
    if (list === undefined) {
      list = new PostingList();
      this.lists.set(term, list);
    }
    return list;
  }
}

export function readLengths(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/**
 * Builds a block at each call: one that lost many chunks, else the next one that became whole. In the end what is left above
 * the last is less than a small one, and blocks follow each other from chunk number 0 without a gap.
 * @param read chunks of a range of numbers [from, to), in order, with their terms
 * @returns a function that is false when there was none to build
 */
export function postingBuild(db: Database, read: (from: number, to: number) => Iterable<PostingSource>): () => boolean {
  const known = db.prepare<[], PostingBlock & { gone: number }>(
    `SELECT start, size, chunks, terms,
       (SELECT ifnull(sum(g.gone), 0) FROM chunks_gone g WHERE g.range >= start / ${smallBlock} AND g.range < (start + size) / ${smallBlock}) - gone AS gone
     FROM posting_blocks ORDER BY start`,
  );
  const rows = db.prepare<[number], { term: string; list: Buffer }>("SELECT term, list FROM postings WHERE start = ?");
  const newest = db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM chunks").pluck();

  function fromTexts(start: number, size: number): PostingBuilder {
    const built = new PostingBuilder(start, size);
    for (const chunk of read(start, start + size)) built.add(chunk);
    return built;
  }

  function fromBlocks(start: number, parts: readonly PostingBlock[]): PostingBuilder {
    const built = new PostingBuilder(start, largeBlock);
    for (const part of parts) built.append(part, rows.all(part.start));
    return built;
  }

  return () => {
    const end = (newest.get() ?? 0) + 1;
    const blocks = known.all();
    const at = new Map(blocks.map((block) => [block.start, block]));
    for (const block of blocks) {
      if (block.gone <= block.chunks * goneShare) continue;
      write(db, fromTexts(block.start, block.size), block.size);
      return true;
    }
    for (let start = 0; start < end; start += largeBlock) {
      if (at.get(start)?.size === largeBlock) continue;
      const parts: PostingBlock[] = [];
      for (let from = start; from < start + largeBlock && from + smallBlock <= end; from += smallBlock) {
        const part = at.get(from);
        if (part === undefined) {
          write(db, fromTexts(from, smallBlock), smallBlock);
          return true;
        }
        parts.push(part);
      }
      if (start + largeBlock > end) return false;
      write(db, fromBlocks(start, parts), largeBlock);
      return true;
    }
    return false;
  };
}

function write(db: Database, { start, lists, lengths, chunks, terms }: PostingBuilder, size: number): void {
  const end = start + size;
  const put = db.prepare("INSERT INTO postings (start, term, chunks, list) VALUES (?, ?, ?, ?)");
  db.transaction(() => {
    db.prepare("DELETE FROM postings WHERE start >= ? AND start < ?").run(start, end);
    db.prepare("DELETE FROM posting_blocks WHERE start >= ? AND start < ?").run(start, end);
    put.run(start, lengthsTerm, chunks, Buffer.from(lengths.buffer, 0, 2 * size));
    // in the order of the table, so that its pages are written once
    for (const term of [...lists.keys()].sort(byBytes)) {
      const list = lists.get(term);
      if (list !== undefined) put.run(start, term, list.count, list.stored(size));
    }
    db.prepare(
      `INSERT INTO posting_blocks (start, size, chunks, terms, gone)
       SELECT ?, ?, ?, ?, ifnull(sum(gone), 0) FROM chunks_gone WHERE range >= ? AND range < ?`,
    ).run(start, size, chunks, terms, start / smallBlock, end / smallBlock);
  })();
}

/** Nearly SQLite's order of texts; what differs beyond the basic plane costs a little time only. */
function byBytes(a: string, b: string): number {
  return a < b ? -1 : 1;
}
