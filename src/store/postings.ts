import type { Database } from "better-sqlite3";
import { addScores, PostingList } from "./posting-list.ts";

/** Chunk numbers of one block. What lies above the last whole block is read into memory at the first search. */
const blockBits = 15;
const blockSize = 1 << blockBits;
/** A block is built again when this share of its chunks has gone. */
const goneShare = 0.2;

/** Robertson and Zaragoza, "The probabilistic relevance framework", 2009; the values that FTS5 has. */
const k1 = 1.2;
const b = 0.75;

export interface PostingSource {
  readonly seq: number;
  readonly terms: readonly string[];
}

export interface Postings {
  /** Best chunk numbers by BM25 over all chunks, those that have gone since a block was built included. */
  search(terms: readonly string[], k: number): readonly { readonly seq: number; readonly score: number }[];
  /** Builds blocks that became whole, and those that lost many chunks. The caller holds no transaction. */
  build(): void;
}

interface Segment {
  readonly base: number;
  readonly chunks: number;
  readonly terms: number;
  readonly lengths: Uint16Array;
  /** Made for the average length at the time. */
  norms: Float32Array;
}

/**
 * BM25 over delta-coded posting lists: every posting of every term is added up, so it is exact, and a million chunks
 * take milliseconds where FTS5, which counts and sorts row by row, takes half a second.
 * @param read chunks of a range of numbers [from, to), in order, with their terms
 */
export function openPostings(db: Database, read: (from: number, to: number) => Iterable<PostingSource>): Postings {
  const blocks = db.prepare<[], { block: number; chunks: number; lengths: Buffer }>(
    "SELECT block, chunks, lengths FROM posting_blocks ORDER BY block",
  );
  const blockNumbers = db.prepare<[], { block: number; chunks: number }>("SELECT block, chunks FROM posting_blocks ORDER BY block");
  const lists = db.prepare<[string], { block: number; chunks: number; list: Buffer }>(
    "SELECT block, chunks, list FROM postings WHERE term = ?",
  );
  const newest = db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM chunks").pluck();
  const present = db.prepare<[number, number], number>("SELECT count(*) FROM chunks WHERE seq >= ? AND seq < ?").pluck();
  const built = db.prepare<[], string>("SELECT count(*) || ' ' || ifnull(sum(chunks), 0) FROM posting_blocks").pluck();

  let segments = new Map<number, Segment>();
  let loaded = "";
  let tail: Tail | null = null;
  let averageFor = 0;

  function refresh(): void {
    const now = built.get() ?? "";
    if (now !== loaded) {
      segments = new Map(blocks.all().map((row) => [row.block, segmentOf(row.block, row.chunks, row.lengths)]));
      loaded = now;
      tail = null;
      averageFor = 0;
    }
    const from = (Math.max(-1, ...segments.keys()) + 1) * blockSize;
    const to = (newest.get() ?? 0) + 1;
    tail ??= new Tail(from);
    if (to > tail.next) {
      for (const { seq, terms } of read(tail.next, to)) tail.add(seq, terms);
      tail.next = to;
    }
  }

  function search(terms: readonly string[], k: number): { seq: number; score: number }[] {
    refresh();
    const all = [...segments.values(), ...(tail === null ? [] : [tail.segment()])];
    const chunks = all.reduce((total, segment) => total + segment.chunks, 0);
    const average = all.reduce((total, segment) => total + segment.terms, 0) / Math.max(1, chunks);
    if (Math.abs(average - averageFor) > averageFor / 1000) {
      for (const segment of segments.values()) segment.norms = normsOf(segment.lengths, average);
      averageFor = average;
    }
    const scores = new Map<number, Float32Array>();
    for (const term of new Set(terms)) {
      const rows = lists.all(term);
      const inTail = tail?.lists.get(term);
      const frequency = rows.reduce((total, row) => total + row.chunks, inTail?.count ?? 0);
      const idf = Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
      for (const { block, list } of rows) {
        const segment = segments.get(block);
        if (segment !== undefined) addScores(list, idf, k1, segment.norms, scoresOf(scores, block, segment.lengths.length));
      }
      if (tail !== null && inTail !== undefined) {
        addScores(inTail.bytes(), idf, k1, normsOf(tail.segment().lengths, average), scoresOf(scores, tail.from / blockSize, tail.size));
      }
    }
    return best(scores, k);
  }

  function build(): void {
    const last = Math.floor((newest.get() ?? 0) / blockSize);
    const known = new Map(blockNumbers.all().map(({ block, chunks }) => [block, chunks]));
    for (let block = 0; block < last; block++) {
      const then = known.get(block);
      if (then !== undefined && (present.get(block * blockSize, (block + 1) * blockSize) ?? 0) >= then * (1 - goneShare)) continue;
      db.transaction(() => writeBlock(db, block, read(block * blockSize, (block + 1) * blockSize))).immediate();
    }
  }

  return { search, build };
}

/** Chunks above the last whole block, in memory. */
class Tail {
  readonly from: number;
  next: number;
  readonly lists = new Map<string, PostingList>();
  #lengths = new Uint16Array(1024);
  #chunks = 0;
  #terms = 0;

  constructor(from: number) {
    this.from = from;
    this.next = from;
  }

  get size(): number {
    return this.next - this.from;
  }

  add(seq: number, terms: readonly string[]): void {
    const place = seq - this.from;
    while (place >= this.#lengths.length) {
      const larger = new Uint16Array(this.#lengths.length * 2);
      larger.set(this.#lengths);
      this.#lengths = larger;
    }
    this.#lengths[place] = Math.min(65_535, terms.length);
    this.#chunks++;
    this.#terms += terms.length;
    addTerms(this.lists, place, terms);
  }

  segment(): Segment {
    return { base: this.from, chunks: this.#chunks, terms: this.#terms, lengths: this.#lengths.subarray(0, this.size), norms: empty };
  }
}

const empty = new Float32Array(0);

function addTerms(lists: Map<string, PostingList>, place: number, terms: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [term, count] of counts) {
    let list = lists.get(term);
    if (list === undefined) {
      list = new PostingList();
      lists.set(term, list);
    }
    list.add(place, count);
  }
}

function writeBlock(db: Database, block: number, chunks: Iterable<PostingSource>): void {
  const lists = new Map<string, PostingList>();
  const lengths = new Uint16Array(blockSize);
  let count = 0;
  for (const { seq, terms } of chunks) {
    const place = seq - block * blockSize;
    lengths[place] = Math.min(65_535, terms.length);
    count++;
    addTerms(lists, place, terms);
  }
  db.prepare("DELETE FROM postings WHERE block = ?").run(block);
  const put = db.prepare("INSERT INTO postings (term, block, chunks, list) VALUES (?, ?, ?, ?)");
  for (const [term, list] of lists) put.run(term, block, list.count, list.bytes());
  const blob = Buffer.from(lengths.buffer);
  db.prepare("INSERT OR REPLACE INTO posting_blocks (block, chunks, lengths) VALUES (?, ?, ?)").run(block, count, blob);
}

function segmentOf(block: number, chunks: number, bytes: Buffer): Segment {
  const lengths = new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  let terms = 0;
  for (const length of lengths) terms += length;
  return { base: block * blockSize, chunks, terms, lengths, norms: empty };
}

function normsOf(lengths: Uint16Array, average: number): Float32Array {
  const norms = new Float32Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) norms[i] = k1 * (1 - b + (b * (lengths[i] as number)) / Math.max(1, average));
  return norms;
}

function scoresOf(scores: Map<number, Float32Array>, block: number, size: number): Float32Array {
  let found = scores.get(block);
  if (found === undefined) {
    found = new Float32Array(size);
    scores.set(block, found);
  }
  return found;
}

/** The k best places of all blocks; ties go to the lower number. */
function best(scores: ReadonlyMap<number, Float32Array>, k: number): { seq: number; score: number }[] {
  let taken: { seq: number; score: number }[] = [];
  let least = 0;
  const cut = () => {
    taken.sort((x, y) => y.score - x.score || x.seq - y.seq);
    taken = taken.slice(0, k);
    least = taken.length < k ? 0 : (taken.at(-1)?.score ?? 0);
  };
  for (const block of [...scores.keys()].sort((x, y) => x - y)) {
    const list = scores.get(block) ?? empty;
    for (let place = 0; place < list.length; place++) {
      const score = list[place] as number;
      if (score <= least) continue;
      taken.push({ seq: block * blockSize + place, score });
      if (taken.length >= 4 * k + 256) cut();
    }
  }
  cut();
  return taken;
}
