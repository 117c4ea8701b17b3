import type { Database } from "better-sqlite3";
import {
  largeBlock,
  lengthsTerm,
  type PostingBlock,
  PostingBuilder,
  type PostingSource,
  postingBuild,
  readLengths,
  smallBlock,
} from "./posting-blocks.ts";
import { BlockScores } from "./posting-scores.ts";

export interface Scored {
  readonly seq: number;
  readonly score: number;
}

export interface Postings {
  /**
   * Best chunk numbers by BM25 over all chunks, those that have gone since a block was built included. Null while too
   * many chunks are in no block: after an older version's file was opened, until the next run.
   */
  search(terms: readonly string[], k: number): readonly Scored[] | null;
  /** In how many chunks a term stands; null likewise. */
  frequency(term: string): number | null;
  /** Builds one of the blocks that became whole or lost many chunks; false when there was none. */
  build(): boolean;
}

/** Chunks in no block that are read into memory; a text takes some 100 µs. */
const mostUnbuilt = 8 * smallBlock;

/** One list to add up, and what a place of it is worth. */
interface Part {
  readonly list: Uint8Array;
  readonly idf: number;
}

/**
 * BM25 over posting lists in blocks: every posting of every term is added up, so it is exact, and a million chunks
 * take milliseconds where FTS5, which counts and sorts row by row, takes half a second.
 * @param read chunks of a range of numbers [from, to), in order, with their terms
 */
export function openPostings(db: Database, read: (from: number, to: number) => Iterable<PostingSource>): Postings {
  const all = db.prepare<[], PostingBlock>("SELECT start, size, chunks, terms FROM posting_blocks ORDER BY start");
  const stamp = db
    .prepare<[], string>("SELECT count(*) || ' ' || ifnull(sum(size), 0) || ' ' || ifnull(sum(chunks), 0) FROM posting_blocks")
    .pluck();
  // block by block: a join over the blocks is planned as a walk over all postings
  const lists = db.prepare<[number, string], { chunks: number; list: Buffer }>(
    "SELECT chunks, list FROM postings WHERE start = ? AND term = ?",
  );
  const counts = db.prepare<[number, string], number>("SELECT chunks FROM postings WHERE start = ? AND term = ?").pluck();
  const newest = db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM chunks").pluck();
  const build = postingBuild(db, read);

  let blocks: readonly PostingBlock[] = [];
  let loaded: string | null = null;
  let tail = new PostingBuilder(0, smallBlock);
  let tailEnd = 0;
  /** By first chunk number. */
  let lengths = new Map<number, Uint16Array>();
  const scores = new BlockScores(largeBlock);

  /** Takes in what changed since the last search, in this process or another; false when that is too much. */
  function refresh(): boolean {
    const now = stamp.get() ?? "";
    if (now !== loaded) {
      blocks = all.all();
      loaded = now;
      lengths = new Map();
      const last = blocks.at(-1);
      tailEnd = last === undefined ? 0 : last.start + last.size;
      tail = new PostingBuilder(tailEnd, smallBlock);
    }
    const end = (newest.get() ?? 0) + 1;
    if (end - tail.start > mostUnbuilt) return false;
    if (end > tailEnd) {
      for (const chunk of read(tailEnd, end)) tail.add(chunk);
      tailEnd = end;
    }
    return true;
  }

  function lengthsOf(block: PostingBlock): Uint16Array {
    let found = lengths.get(block.start);
    if (found === undefined) {
      const stored = lists.get(block.start, lengthsTerm)?.list;
      found = stored === undefined ? new Uint16Array(block.size) : readLengths(stored);
      lengths.set(block.start, found);
    }
    return found;
  }

  function search(terms: readonly string[], k: number): readonly Scored[] | null {
    if (!refresh()) return null;
    const chunks = blocks.reduce((total, block) => total + block.chunks, tail.chunks);
    const average = blocks.reduce((total, block) => total + block.terms, tail.terms) / Math.max(1, chunks);
    const parts: Part[][] = blocks.map(() => []);
    const inTail: Part[] = [];
    for (const term of new Set(terms)) {
      const rows = blocks.map(({ start }) => lists.get(start, term));
      const late = tail.lists.get(term);
      const frequency = rows.reduce((total, row) => total + (row?.chunks ?? 0), late?.count ?? 0);
      const idf = Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
      for (const [i, row] of rows.entries()) if (row !== undefined) parts[i]?.push({ list: row.list, idf });
      if (late !== undefined) inTail.push({ list: late.stored(tail.lengths.length), idf });
    }
    const best = new Best(k);
    const score = (start: number, found: readonly Part[], lengths: () => Uint16Array) => {
      if (found.length === 0) return;
      scores.begin(lengths(), average);
      for (const { list, idf } of found) scores.add(list, idf);
      best.take(start, scores);
    };
    for (const [i, block] of blocks.entries()) score(block.start, parts[i] ?? [], () => lengthsOf(block));
    score(tail.start, inTail, () => tail.lengths);
    return best.sorted();
  }

  return {
    search,
    frequency(term) {
      if (!refresh()) return null;
      return blocks.reduce((total, { start }) => total + (counts.get(start, term) ?? 0), tail.lists.get(term)?.count ?? 0);
    },
    build,
  };
}

/** Places that are looked through before the worst is let go; a block is a multiple of it. */
const part = 512;

/** The k best places of blocks that come in rising order; ties go to the lower number. */
class Best {
  readonly #k: number;
  #taken: Scored[] = [];
  #least = 0;

  constructor(k: number) {
    this.#k = k;
  }

  take(start: number, scores: BlockScores): void {
    // in parts, so that the first ones make most of the others not worth a look
    for (let from = 0; from < scores.places; from += part) {
      scores.above(this.#least, from, from + part, (place, score) => {
        this.#taken.push({ seq: start + place, score });
      });
      if (this.#taken.length >= 4 * this.#k + part) this.#cut();
    }
  }

  sorted(): readonly Scored[] {
    this.#cut();
    return this.#taken;
  }

  #cut(): void {
    this.#taken.sort((x, y) => y.score - x.score || x.seq - y.seq);
    this.#taken.length = Math.min(this.#taken.length, this.#k);
    this.#least = this.#taken.length < this.#k ? 0 : (this.#taken.at(-1)?.score ?? 0);
  }
}
