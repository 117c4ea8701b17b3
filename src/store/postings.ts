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
import { eachPosting } from "./posting-list.ts";
import { BlockScores } from "./posting-scores.ts";
import type { VisibleChunks } from "./visible-chunks.ts";

export interface Scored {
  readonly seq: number;
  readonly score: number;
}

export interface Postings {
  /**
   * Best chunk numbers by BM25 over all chunks, those that have gone since a block was built included. Null while too
   * many chunks are in no block: after an older version's file was opened, until the next run.
   * @param among only these, scored as if there were no others
   */
  search(terms: readonly string[], k: number, among?: VisibleChunks): readonly Scored[] | null;
  /** In how many chunks a term stands; null likewise. */
  frequency(term: string, among?: VisibleChunks): number | null;
  /** Builds one of the blocks that became whole or lost many chunks; false when there was none. */
  build(): boolean;
}

/** Chunks in no block that are read into memory; a text takes some 100 µs. */
const mostUnbuilt = 8 * smallBlock;

interface Row {
  readonly chunks: number;
  readonly list: Buffer;
}

/** One list to add up, and what a place of it is worth. */
interface Part {
  readonly list: Uint8Array;
  readonly idf: number;
}

/** Chunks and their terms. */
interface Size {
  readonly chunks: number;
  readonly terms: number;
}

/** What was counted of the chunks that somebody sees, in blocks. */
interface Counted {
  /** Of the blocks. */
  readonly stamp: string | null;
  readonly size: Size;
  readonly frequencies: Map<string, number>;
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
  const lists = db.prepare<[number, string], Row>("SELECT chunks, list FROM postings WHERE start = ? AND term = ?");
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
  const counted = new WeakMap<VisibleChunks, Counted>();

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

  function countedOf(among: VisibleChunks): Counted {
    let found = counted.get(among);
    if (found?.stamp !== loaded) {
      const size = blocks.map((block) => sizeOf(block.start, lengthsOf(block), among)).reduce(added, { chunks: 0, terms: 0 });
      found = { stamp: loaded, size, frequencies: new Map() };
      counted.set(among, found);
    }
    return found;
  }

  function size(among: VisibleChunks | undefined): Size {
    if (among === undefined) return blocks.reduce(added, tail);
    return added(countedOf(among).size, sizeOf(tail.start, tail.lengths, among));
  }

  /** @param rows the term's list of each block; read when they are not given and needed */
  function frequencyOf(term: string, among: VisibleChunks | undefined, rows?: readonly (Row | undefined)[]): number {
    const late = tail.lists.get(term);
    if (among === undefined) {
      const chunks = rows?.map((row) => row?.chunks ?? 0) ?? blocks.map(({ start }) => counts.get(start, term) ?? 0);
      return chunks.reduce((total, some) => total + some, late?.count ?? 0);
    }
    const { frequencies } = countedOf(among);
    let found = frequencies.get(term);
    if (found === undefined) {
      found = 0;
      for (const [i, { start }] of blocks.entries()) {
        const row = rows === undefined ? lists.get(start, term) : rows[i];
        if (row !== undefined) found += countIn(start, row.list, among);
      }
      frequencies.set(term, found);
    }
    return found + (late === undefined ? 0 : countIn(tail.start, late.stored(tail.lengths.length), among));
  }

  function search(terms: readonly string[], k: number, among?: VisibleChunks): readonly Scored[] | null {
    if (!refresh()) return null;
    const { chunks, terms: allTerms } = size(among);
    const average = allTerms / Math.max(1, chunks);
    const parts: Part[][] = blocks.map(() => []);
    const inTail: Part[] = [];
    for (const term of new Set(terms)) {
      const rows = blocks.map(({ start }) => lists.get(start, term));
      const frequency = frequencyOf(term, among, rows);
      const idf = Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
      for (const [i, row] of rows.entries()) if (row !== undefined) parts[i]?.push({ list: row.list, idf });
      const late = tail.lists.get(term);
      if (late !== undefined) inTail.push({ list: late.stored(tail.lengths.length), idf });
    }
    const best = new Best(k, among);
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
    frequency: (term, among) => (refresh() ? frequencyOf(term, among) : null),
    build,
  };
}

function added(a: Size, b: Size): Size {
  return { chunks: a.chunks + b.chunks, terms: a.terms + b.terms };
}

/** Of those of a block's chunks that somebody sees. */
function sizeOf(start: number, lengths: Uint16Array, among: VisibleChunks): Size {
  let chunks = 0;
  let terms = 0;
  for (let place = 0; place < lengths.length; place++) {
    if (!among.has(start + place)) continue;
    chunks++;
    terms += lengths[place] as number;
  }
  return { chunks, terms };
}

function countIn(start: number, list: Uint8Array, among: VisibleChunks): number {
  let found = 0;
  eachPosting(list, (place) => {
    if (among.has(start + place)) found++;
  });
  return found;
}

/** Places that are looked through before the worst is let go; a block is a multiple of it. */
const part = 512;

/** The k best places of blocks that come in rising order; ties go to the lower number. */
class Best {
  readonly #k: number;
  readonly #among: VisibleChunks | undefined;
  #taken: Scored[] = [];
  #least = 0;

  constructor(k: number, among?: VisibleChunks) {
    this.#k = k;
    this.#among = among;
  }

  take(start: number, scores: BlockScores): void {
    // in parts, so that the first ones make most of the others not worth a look
    for (let from = 0; from < scores.places; from += part) {
      scores.above(this.#least, from, from + part, (place, score) => {
        if (this.#among?.has(start + place) !== false) this.#taken.push({ seq: start + place, score });
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
