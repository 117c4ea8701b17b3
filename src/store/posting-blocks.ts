import type { Database } from "better-sqlite3";
import { PostingList } from "./posting-list.ts";

/** Chunk numbers of a small block: what lies above the last one is read into memory at the first search. */
export const smallBlock = 1 << 10;
/** Chunk numbers of a large one, made of small ones. */
export const largeBlock = 1 << 15;
/** Terms of each small block that are in memory while they are made one large one. */
const mergedAtOnce = 1000;
/** Follows every term. */
const afterTerms = "\u{10ffff}";
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

  /** Takes in lists of a finished block of later chunk numbers. */
  append(block: PostingBlock, rows: Iterable<{ readonly term: string; readonly list: Uint8Array }>): void {
    const shift = block.start - this.start;
    for (const { term, list } of rows) {
      if (term === lengthsTerm) this.#lengths.set(readLengths(list), shift);
      else this.#list(term).append(list, shift);
    }
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
  const newest = db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM chunks").pluck();
  const merge = postingMerge(db);
  const drop = blockDropper(db).all;

  function writeSmall(start: number): PostingBlock {
    const built = new PostingBuilder(start, smallBlock);
    for (const chunk of read(start, start + smallBlock)) built.add(chunk);
    const { lengths, chunks, terms } = built;
    db.transaction(() => {
      drop(start, start + smallBlock);
      writeLists(db, start, smallBlock, built.lists);
      writeBlock(db, { start, size: smallBlock, chunks, terms }, lengths);
    })();
    return { start, size: smallBlock, chunks, terms };
  }

  /** In one transaction, so that at no time there is a gap. */
  function rebuild({ start, size }: PostingBlock): void {
    db.transaction(() => {
      drop(start, start + size);
      const parts: PostingBlock[] = [];
      for (let from = start; from < start + size; from += smallBlock) parts.push(writeSmall(from));
      if (size === largeBlock) merge(start, parts);
    })();
  }

  return () => {
    const end = (newest.get() ?? 0) + 1;
    const blocks = known.all();
    const at = new Map(blocks.map((block) => [block.start, block]));
    for (const block of blocks) {
      if (block.gone <= block.chunks * goneShare) continue;
      rebuild(block);
      return true;
    }
    for (let start = 0; start < end; start += largeBlock) {
      if (at.get(start)?.size === largeBlock) continue;
      const parts: PostingBlock[] = [];
      for (let from = start; from < start + largeBlock && from + smallBlock <= end; from += smallBlock) {
        const part = at.get(from);
        if (part === undefined) {
          writeSmall(from);
          return true;
        }
        parts.push(part);
      }
      if (start + largeBlock > end) return false;
      db.transaction(() => merge(start, parts))();
      return true;
    }
    return false;
  };
}

/** Makes a large block of its small ones, a range of terms at a time: all lists of 32,768 chunks would fill the memory. */
function postingMerge(db: Database): (start: number, parts: readonly PostingBlock[]) => void {
  const bounds = db
    .prepare<{ start: number; end: number; step: number }, string>(
      `SELECT DISTINCT term FROM
         (SELECT term, row_number() OVER (PARTITION BY start ORDER BY term) AS n FROM postings WHERE start >= @start AND start < @end)
       WHERE n % @step = 0 ORDER BY term`,
    )
    .pluck();
  const range = "start = @start AND term >= @from AND term < @to";
  const rows = db.prepare<{ start: number; from: string; to: string }, { term: string; list: Buffer }>(
    `SELECT term, list FROM postings WHERE ${range}`,
  );
  const dropRows = db.prepare<{ start: number; from: string; to: string }>(`DELETE FROM postings WHERE ${range}`);
  const dropBlock = blockDropper(db);

  return (start, parts) => {
    const froms = [lengthsTerm, ...(bounds.all({ start, end: start + largeBlock, step: mergedAtOnce }) as string[])];
    let lengths: Uint16Array = new Uint16Array(largeBlock);
    for (const [at, from] of froms.entries()) {
      const built = new PostingBuilder(start, largeBlock);
      for (const part of parts) {
        const these = { start: part.start, from, to: froms[at + 1] ?? afterTerms };
        built.append(part, rows.all(these));
        dropRows.run(these);
      }
      // every block has them, before its first term
      if (at === 0) lengths = built.lengths;
      writeLists(db, start, largeBlock, built.lists);
    }
    const sum = (of: "chunks" | "terms"): number => parts.reduce((total, part) => total + part[of], 0);
    dropBlock.heads(start, start + largeBlock);
    writeBlock(db, { start, size: largeBlock, chunks: sum("chunks"), terms: sum("terms") }, lengths);
  };
}

function blockDropper(db: Database) {
  const lists = db.prepare("DELETE FROM postings WHERE start >= ? AND start < ?");
  const heads = db.prepare("DELETE FROM posting_blocks WHERE start >= ? AND start < ?");
  return {
    heads: (start: number, end: number) => heads.run(start, end),
    all(start: number, end: number) {
      lists.run(start, end);
      heads.run(start, end);
    },
  };
}

/** In the order of the table, so that its pages are written once. */
function writeLists(db: Database, start: number, size: number, lists: ReadonlyMap<string, PostingList>): void {
  const put = db.prepare("INSERT INTO postings (start, term, chunks, list) VALUES (?, ?, ?, ?)");
  for (const [term, list] of [...lists].sort(([a], [b]) => (a < b ? -1 : 1))) put.run(start, term, list.count, list.stored(size));
}

function writeBlock(db: Database, { start, size, chunks, terms }: PostingBlock, lengths: Uint16Array): void {
  db.prepare("INSERT INTO postings (start, term, chunks, list) VALUES (?, ?, ?, ?)").run(
    start,
    lengthsTerm,
    chunks,
    Buffer.from(lengths.buffer, 0, 2 * size),
  );
  db.prepare(
    `INSERT INTO posting_blocks (start, size, chunks, terms, gone)
     SELECT ?, ?, ?, ?, ifnull(sum(gone), 0) FROM chunks_gone WHERE range >= ? AND range < ?`,
  ).run(start, size, chunks, terms, start / smallBlock, (start + size) / smallBlock);
}
