import type { Chunk, Embedder, Hit, Index, Passage, RerankCandidate, Reranker, Search, SearchFilter } from "../core/chunk.ts";
import type { Log } from "../core/connector.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import { passageText } from "../core/passage.ts";
import { foldWord, isStopWord } from "../core/words.ts";
import { passes } from "./filter.ts";
import { type Fused, fuse, seat } from "./fuse.ts";
import { type Asked, askedIdentifiers } from "./identifiers.ts";
import { findLiterals, judgeLiteral } from "./literal.ts";
import type { SearchStore } from "./search-store.ts";
import { defaultSettings, type SearchSettings } from "./settings.ts";

export interface SearchDeps {
  readonly store: SearchStore;
  readonly vectors: Index;
  /** Null: by words alone. */
  readonly embedder: Embedder | null;
  readonly reranker: Reranker | null;
  readonly log: Log;
  /** A lexical engine beside the store's own (OpenSearch); asked for words, while identifiers stay with the store. */
  readonly lexical?: Index;
  /** Other names of what the query names, looked for as words: aliases of services. */
  readonly expand?: (query: string) => readonly string[];
  readonly settings?: Partial<SearchSettings>;
  /** Milliseconds. */
  readonly clock?: () => number;
}

/** Chunks read beyond those that get a seat: of equal texts one is taken, and some may have gone. */
const spare = 10;
const noneMust: ReadonlySet<string> = new Set();

interface Candidate extends Fused {
  readonly chunk: Chunk;
  readonly literal: boolean;
  /** Holds an identifier itself, not only a quoted phrase. */
  readonly named: boolean;
  readonly bm25: number | null;
  readonly cosine: number | null;
}

/**
 * Hybrid search: BM25 and vectors side by side, joined by rank, the best reranked. What a question names letter for
 * letter (CONF-1023, a sha, a version) is looked for as such: chunks that hold it come first, and chunks that hold
 * only a look-alike are left out. A vector engine or reranker that fails is logged and done without.
 * @throws ContextError BAD_REQUEST for a query without a letter or digit; CANCELLED
 */
export function createSearch(deps: SearchDeps): Search {
  const settings = { ...defaultSettings, ...deps.settings };
  const clock = deps.clock ?? (() => performance.now());

  return async (query, options, signal) => {
    if (!/[\p{L}\p{N}]/u.test(query)) throw new ContextError("BAD_REQUEST", "The query is empty: it holds no word to look for.");
    const k = Math.max(1, Math.floor(options.k ?? settings.k));
    const filter = options.filter ?? {};
    const timings: Record<string, number> = {};
    const started = clock();

    const depth = Math.max(settings.depth, Math.ceil(k / 2));
    const asked = askedIdentifiers(query);
    const vectorList = timed("vector", () => nearest(deps, query, depth, filter, signal));
    const reranks = options.rerank !== false && deps.reranker !== null;
    // only the reranker asks for more scores than there are candidates
    const scored = reranks ? Math.max(settings.scored, depth) : depth;
    const bm25List = await timed("bm25", () => byWords(deps, query, scored, filter, signal));
    const literal = findLiterals(asked, settings, filter, deps.store);
    const found = await vectorList;
    signal.throwIfAborted();

    const fused = withLiterals(fuse(bm25List.slice(0, depth), found, settings.weights), literal.chunkIds);
    const read = (list: readonly Fused[]): Candidate[] => {
      const chunks = deps.store.chunks.getMany(list.map(({ chunkId }) => chunkId));
      return toCandidates(list, chunks, asked, bm25List, found, filter);
    };
    const seatCount = reranks ? Math.max(settings.seats, k) : k;
    // whether one holds an identifier or a look-alike is only known of those that were read
    const likely = asked.length > 0 ? fused : seat(fused, seatCount + spare, settings.ownSeats, noneMust);
    const some = read(likely);
    const candidates = some.length < seatCount && likely.length < fused.length ? read(fused) : some;
    const must = new Set(candidates.filter(({ chunkId, named }) => named || literal.chunkIds.has(chunkId)).map(({ chunkId }) => chunkId));
    const seats = reranks
      ? seat(candidates, settings.seats, settings.ownSeats, must)
      : withOneLiteral(namedFirst(candidates, itself), k, itself);
    const seated = await withCosines(deps, query, reranks ? seats : seats.slice(0, k), signal);

    const scores = reranks ? await timed("rerank", () => rerank(deps, query, seated, signal)) : null;
    const ranked: Ranked[] = seated.map((candidate, i) => ({ candidate, score: scores?.[i] ?? null }));
    if (scores !== null) ranked.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
    // those without a seat follow in fused order
    if (reranks) ranked.push(...candidates.filter((one) => !seats.includes(one)).map((candidate) => ({ candidate, score: null })));
    const ordered = reranks ? withOneLiteral(namedFirst(ranked, ofRanked), k, ofRanked) : ranked;
    timings.total = clock() - started;
    return {
      query,
      identifiers: asked.map(({ text }) => text),
      missing: literal.missing,
      passages: ordered.slice(0, k).map(({ candidate, score }) => toPassage(candidate, score)),
      timings,
    };

    async function timed<T>(name: string, work: () => T | Promise<T>): Promise<T> {
      const from = clock();
      try {
        return await work();
      } finally {
        timings[name] = clock() - from;
      }
    }
  };
}

interface Ranked {
  readonly candidate: Candidate;
  readonly score: number | null;
}

const itself = (one: Candidate): Candidate => one;
const ofRanked = ({ candidate }: Ranked): Candidate => candidate;

/** Who asks for CONF-1023 by name wants it first; a quoted phrase is only one wish among others. */
function namedFirst<T>(list: readonly T[], candidate: (one: T) => Candidate): T[] {
  return [...list.filter((one) => candidate(one).named), ...list.filter((one) => !candidate(one).named)];
}

/** The best literal match takes the last of the k places when none of them has one. */
function withOneLiteral<T>(list: readonly T[], k: number, candidate: (one: T) => Candidate): readonly T[] {
  const best = list.findIndex((one) => candidate(one).literal);
  const moved = list[best];
  if (best < k || moved === undefined) return list;
  return [...list.slice(0, k - 1), moved, ...list.slice(k - 1).filter((one) => one !== moved)];
}

async function nearest(deps: SearchDeps, query: string, k: number, filter: SearchFilter, signal: AbortSignal): Promise<readonly Hit[]> {
  if (deps.embedder === null) return [];
  try {
    return await deps.vectors.search(query, k, filter, signal);
  } catch (error) {
    return withoutIt(deps, error, `${deps.vectors.name} vectors`, signal, []);
  }
}

async function byWords(deps: SearchDeps, query: string, depth: number, filter: SearchFilter, signal: AbortSignal): Promise<readonly Hit[]> {
  const words = [query, ...(deps.expand?.(query) ?? [])];
  if (deps.lexical !== undefined) {
    try {
      return await deps.lexical.search(words.join(" "), depth, filter, signal);
    } catch (error) {
      withoutIt(deps, error, deps.lexical.name, signal, null);
    }
  }
  return deps.store.chunks.matchWords(words, depth, filter);
}

async function rerank(
  deps: SearchDeps,
  query: string,
  seated: readonly Candidate[],
  signal: AbortSignal,
): Promise<readonly number[] | null> {
  if (deps.reranker === null || seated.length < 2) return null;
  const candidates: RerankCandidate[] = seated.map(({ chunkId, chunk, bm25, cosine }) => ({
    chunkId,
    text: passageText(chunk),
    bm25,
    cosine,
  }));
  try {
    return await deps.reranker.rerank(query, candidates, signal, { termWeight: termWeights(deps.store) });
  } catch (error) {
    return withoutIt(deps, error, deps.reranker.id, signal, null);
  }
}

/** Goes on without what failed, and says so; a stop is passed on. */
function withoutIt<T>(deps: SearchDeps, error: unknown, what: string, signal: AbortSignal, instead: T): T {
  if (signal.aborted) throw new ContextError("CANCELLED", "Stopped on request.", { cause: error });
  const { code } = toContextError(error);
  deps.log.warn({ err: error, code, engine: what }, "search went on without an engine");
  return instead;
}

/** Inverse document frequency as BM25 has it; a stop word counts nothing. */
function termWeights({ chunks }: SearchStore): (word: string) => number {
  const count = chunks.size();
  return (word) => {
    if (isStopWord(foldWord(word))) return 0;
    const frequency = chunks.documentFrequency(word);
    return Math.log(1 + (Math.max(0, count - frequency) + 0.5) / (frequency + 0.5));
  };
}

/** Literal matches that neither list found, after those found. */
function withLiterals(fused: readonly Fused[], literals: ReadonlySet<string>): Fused[] {
  const known = new Set(fused.map(({ chunkId }) => chunkId));
  const added = [...literals].filter((chunkId) => !known.has(chunkId));
  return [...fused, ...added.map((chunkId) => ({ chunkId, bm25Rank: null, vectorRank: null, rrf: 0 }))];
}

/** Without chunks that only hold a look-alike of what was asked for, and with equal texts once. */
function toCandidates(
  fused: readonly Fused[],
  chunks: ReadonlyMap<string, Chunk>,
  asked: readonly Asked[],
  bm25: readonly Hit[],
  vector: readonly Hit[],
  filter: SearchFilter,
): Candidate[] {
  const bm25Score = new Map(bm25.map(({ chunkId, score }) => [chunkId, score]));
  const cosine = new Map(vector.map(({ chunkId, score }) => [chunkId, score]));
  const texts = new Set<string>();
  return fused.flatMap((one) => {
    const chunk = chunks.get(one.chunkId);
    if (chunk === undefined || !passes(chunk, filter)) return [];
    const { literal, named, lookAlike } = judgeLiteral(chunk, asked);
    const text = passageText(chunk);
    if (lookAlike || texts.has(text)) return [];
    texts.add(text);
    return [{ ...one, chunk, literal, named, bm25: bm25Score.get(one.chunkId) ?? null, cosine: cosine.get(one.chunkId) ?? null }];
  });
}

/** Cosines of candidates that only words found, from the stored vectors. */
async function withCosines(
  { embedder, store, log }: SearchDeps,
  query: string,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const without = candidates.filter(({ cosine }) => cosine === null).map(({ chunkId }) => chunkId);
  if (embedder === null || without.length === 0) return candidates;
  try {
    const [asked] = await embedder.embed([query], "query", signal);
    const vectors = store.vectors.get(embedder.id, without);
    return candidates.map((candidate) => {
      const vector = vectors.get(candidate.chunkId);
      return asked === undefined || vector === undefined ? candidate : { ...candidate, cosine: dot(asked, vector) };
    });
  } catch (error) {
    if (signal.aborted) throw new ContextError("CANCELLED", "Stopped on request.", { cause: error });
    log.debug({ err: error }, "no cosines for candidates found by words");
    return candidates;
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}

function toPassage({ chunk, bm25Rank, vectorRank, cosine, rrf, literal }: Candidate, score: number | null): Passage {
  return { chunk, edges: [], ranks: { bm25Rank, vectorRank, cosine, rrf, rerank: score, literal } };
}
