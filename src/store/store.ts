import type { Answer } from "../core/answer.ts";
import type { IndexReport, ManifestRow, RunRow, SpendRow } from "../core/app.ts";
import type { Chunk, SearchFilter } from "../core/chunk.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Declaration, Extraction } from "../core/fact.ts";
import type { StoredExtractions } from "../core/graph.ts";
import type { Ledger } from "../core/llm.ts";
import type { Instant, Json, RecordId, SourceRecord } from "../core/record.ts";
import type { Scope } from "../core/visibility.ts";

/**
 * The SQLite file. All calls are synchronous, so that no transaction can be left open across an await.
 * Errors: STORE_NEWER, STORE_LOCKED (names the holder's pid), STORE_DAMAGED, DATA_DIR_UNWRITABLE.
 */
export interface Store extends Disposable {
  readonly path: string;
  /** `using tx = store.begin(); …; tx.commit();` rolls back by itself unless committed. Not nested. */
  begin(): Disposable & { commit(): void };
  readonly records: RecordTable;
  readonly scopes: ScopeTable;
  readonly extractions: ExtractionTable;
  readonly chunks: ChunkTable;
  readonly vectors: VectorTable;
  readonly cursors: CursorTable;
  readonly runs: RunTable;
  readonly outbox: OutboxTable;
  readonly unread: UnreadTable;
  /** An empty table for the time of a run; part of the open transaction like all others. */
  scratch(): Scratch;
  readonly answers: KeptAnswers;
  readonly llm: LlmTable;
  readonly upkeep: UpkeepTable;
  /** Small named values: "index.generation", "names.hash". */
  readonly meta: { get(key: string): string | null; set(key: string, value: string): void };
  /** What is wrong within the file; `deep` makes lexical rows and hashes again and compares. */
  check(deep: boolean): IterableIterator<Problem>;
}

/** Lets what is old go and keeps the file small. Each call takes some ms; those that return 0 have nothing left to do. */
export interface UpkeepTable {
  /** Some of the runs, answers and model replies from before these times; the newest runs stay. Returns how many of each. */
  sweep(before: { readonly runsBefore: Instant; readonly answersBefore: Instant; readonly repliesBefore: Instant }): {
    readonly runs: number;
    readonly answers: number;
    readonly replies: number;
  };
  /** Puts the model calls of one of the days before this time together, a row for each purpose and model; false when there was none. */
  fold(before: Instant): boolean;
  /** Gives some free pages back to the file system; returns how many. */
  release(): number;
  /** Brings SQLite's statistics up to date and the log into the file. */
  settle(): void;
}

/** Something derived that does not agree with what it was derived from. */
export interface Problem {
  readonly kind: string;
  readonly id: string;
  readonly message: string;
}

export interface RecordTable {
  get(id: RecordId): SourceRecord | null;
  raw(id: RecordId): Json | null;
  /** sha256 of the record's content (body, fields, title, url, author, …; not the time of the pull); null when unknown. */
  hash(id: RecordId): string | null;
  /** Puts record and raw payload (compressed). `source` is the configured source's label, for sweeping. */
  put(record: SourceRecord, raw: Json, source: string, runId: string, now: Instant): "added" | "changed" | "unchanged";
  /**
   * Marks an unchanged record as seen by this run, so that it is not swept; false when this source never held it, or the run
   * has seen it already.
   * @param fingerprint what the connector knows it by from now on, where that changed
   */
  seen(id: RecordId, source: string, runId: string, fingerprint?: string): boolean;
  /** Marks all of a source whose ids begin so; returns how many the run had not seen yet. */
  seenBelow(start: string, source: string, runId: string): number;
  /** The run that saw it last at this source; null when the source does not hold it. */
  seenBy(id: RecordId, source: string): string | null;
  /** This source no longer holds the record; true when no other one does, so that it is to be dropped. */
  release(id: RecordId, source: string): boolean;
  /** Record, manifest row, declarations and extraction. Its chunks are let go first, by `chunks.replace(id, [])`. */
  drop(id: RecordId): void;
  /** Ids of this source that none of the runs of a scan met, the next ones after an id. */
  unseen(source: string, runs: readonly string[], after: string, limit: number): readonly RecordId[];
  /** How many of this source's records a run did not meet. */
  unmet(source: string, runId: string): number;
  /** What the connector knows the record's file by; null when it set none. */
  fingerprint(id: RecordId, source: string): string | null;
  /** Records whose fingerprint, at any source, begins so, at most so many. */
  alike(start: string, limit: number): readonly RecordId[];
  /** Labels of all configured sources that hold records. */
  sources(): readonly string[];
  all(): IterableIterator<SourceRecord>;
  ids(source?: string): IterableIterator<RecordId>;
  /** All, or those of one configured source. */
  count(source?: string): number;
}

/** The places that records lie in. A record is visible in a set of scopes when every source that holds it lets it be seen there. */
export interface ScopeTable {
  /** The scope's id; a new one where it is not known yet. */
  id(source: string, place: string): number;
  /** All of them, by id. */
  all(): readonly Scope[];
  /** Whether a record is visible; false for one that does not exist. */
  sees(scopes: readonly number[], id: RecordId): boolean;
  /** Records that are not. */
  hidden(scopes: readonly number[]): ReadonlySet<RecordId>;
  count(scopes: readonly number[]): number;
}

/**
 * Tier results, keyed by record; replaced whole, so that a changed record takes exactly its own contributions along.
 * With it the manifest: which version read which content. What is missing there is work still to be done, so that a
 * run that died is taken up where it stopped.
 */
export interface ExtractionTable extends StoredExtractions {
  get(id: RecordId): { readonly key: string; readonly declarations: readonly Declaration[]; readonly extraction: Extraction } | null;
  /** Keeps what the record introduces and marks its extraction as to be done again. Belongs in the record's transaction. */
  declare(id: RecordId, extractorVersion: string, declarations: readonly Declaration[], now: Instant): void;
  /** Every record's declarations. */
  declarations(): IterableIterator<Declaration>;
  /** `key`: content hash + extractor version + names that mattered. */
  replace(id: RecordId, key: string, extractorVersion: string, extraction: Extraction, now: Instant): void;
  /** The extraction with what tiers 2 and 3 found. `version` names model and prompt. */
  deepen(id: RecordId, version: string, extraction: Extraction, now: Instant): void;
  markStale(ids: Iterable<RecordId>): void;
  /** Records to be read (again) by this version. */
  stale(extractorVersion: string, page?: Page): readonly RecordId[];
  isStale(id: RecordId, extractorVersion: string): boolean;
  /** Records routed to tier 2 or 3 that this version of them has not read. */
  shallow(version: string, page?: Page): readonly RecordId[];
  /** Records whose declarations are missing, of another content, or of another version. */
  undeclared(extractorVersion: string, page?: Page): readonly RecordId[];
  markChunked(id: RecordId, chunkerVersion: string): void;
  /** Records whose chunks were cut by another version. */
  unchunked(chunkerVersion: string, page?: Page): readonly RecordId[];
  /** How many records one of the lists above has. */
  count(list: "stale" | "shallow" | "undeclared" | "unchunked", version: string): number;
  all(): IterableIterator<{ readonly key: string; readonly declarations: readonly Declaration[]; readonly extraction: Extraction }>;
  manifest(): IterableIterator<ManifestRow>;
}

/** A part of a list in the order of ids: those after an id, at most so many. Without one, all of it. */
export interface Page {
  readonly after: string;
  readonly limit: number;
}

/** Why something could not be read. */
export interface Unread {
  /** The run that met it last. */
  readonly runId: string;
  /** What the connector knows it by: until that changes it is not tried again; null: it is to be asked for again. */
  readonly fingerprint: string | null;
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
}

/** What could not be read at each source. */
export interface UnreadTable {
  get(id: RecordId, source: string): Unread | null;
  put(id: RecordId, source: string, why: Unread): void;
  drop(id: RecordId, source: string): void;
  /** Ids that this run has not met. */
  pending(source: string, runId: string, limit: number): readonly RecordId[];
  /** Lets go of what none of these runs met. */
  sweep(source: string, runs: readonly string[]): void;
}

/** Ids with a number each, on disk: what a run over a million records notes of each of them. */
export interface Scratch extends Disposable {
  set(id: string, value: number): void;
  get(id: string): number | null;
  /** How many have this number; how many there are without one. */
  count(value?: number): number;
}

/** Chunks that an index outside the file has still to take in or let go. */
export interface OutboxTable {
  add(engine: string, chunkIds: Iterable<string>, action: "put" | "drop"): void;
  next(engine: string, action: "put" | "drop", limit: number): readonly string[];
  done(engine: string, chunkIds: Iterable<string>, action: "put" | "drop"): void;
  count(engine: string): number;
}

export interface LexicalHit {
  readonly chunkId: string;
  /** BM25, higher is better. */
  readonly score: number;
}

export interface ChunkTable {
  /** Replaces the record's chunks and their lexical rows; returns what came and went. Unchanged chunks (same id and text) stay untouched. */
  replace(record: RecordId, chunks: readonly Chunk[]): { readonly added: readonly Chunk[]; readonly dropped: readonly string[] };
  get(id: string): Chunk | null;
  getMany(ids: readonly string[]): ReadonlyMap<string, Chunk>;
  ofRecord(record: RecordId): readonly Chunk[];
  /** The chunk that holds the place, the one with most of it. */
  at(record: RecordId, start: number, end: number): Chunk | null;
  /** BM25 over words. `words` are plain tokens; the table quotes them. Empty list: no hits. */
  matchWords(words: readonly string[], k: number, filter: SearchFilter): readonly LexicalHit[];
  /** Chunks that hold every one of the identifiers as whole tokens (folded), for the exact-identifier check. */
  matchIdentifiers(identifiers: readonly string[], k: number, filter: SearchFilter): readonly LexicalHit[];
  /** Chunks that hold the phrase letter for letter, apart from case, diacritics and white space. */
  matchPhrase(phrase: string, k: number, filter: SearchFilter): readonly LexicalHit[];
  /** In how many chunks a word stands, in any of its forms; with scopes: of those that are visible in them. */
  documentFrequency(word: string, scopes?: readonly number[]): number;
  /** How many chunks there are, to within a hundredth and at once; `count` is exact. With scopes: those visible in them. */
  size(scopes?: readonly number[]): number;
  count(filter?: SearchFilter): number;
  /** By number; the caller may write in between. */
  all(): IterableIterator<Chunk>;
  /** Puts a part of the word index in order; false when nothing is left to do. */
  optimise(): boolean;
}

/** Vectors are kept here as the truth; any index file is a cache that can be rebuilt. */
export interface VectorTable {
  put(model: string, rows: readonly { readonly chunkId: string; readonly vector: Float32Array }[]): void;
  /** A chunk has the vectors of another one, of every model that gave it none of its own. */
  share(chunkId: string, fromChunkId: string): void;
  /** Chunks without a vector of this model. */
  missing(model: string, limit: number): readonly Chunk[];
  all(model: string): IterableIterator<{ readonly chunkId: string; readonly vector: Float32Array }>;
  get(model: string, chunkIds: readonly string[]): ReadonlyMap<string, Float32Array>;
  count(model: string): number;
  /** How far the tables go now; `since` it there is nothing. */
  mark(): VectorMark;
  /** Vectors side by side, as far as blocks of them are built; `since` the mark there is the rest. Chunks that went may be among them. */
  blocks(model: string): { readonly chunks: number; readonly mark: VectorMark; readonly blocks: Iterable<PackedBlock> };
  /** Whether there is any vector of this model. */
  has(model: string): boolean;
  /** Lets go the vectors of all other models. */
  keepOnly(model: string): void;
  /** Builds one of the blocks of a model that became whole, for a fast start; false when there was none. */
  optimise(model: string): boolean;
  /** Packed vectors that came after the mark. Chunks that went are not told: `chunkIds` leaves them out. */
  since(model: string, mark: VectorMark): IterableIterator<PackedRow>;
  /** Ids of those of the chunks that still are and that the filter lets through, by their number. */
  chunkIds(seqs: readonly number[], filter?: SearchFilter): ReadonlyMap<number, string>;
  /** Numbers of all chunks that the filter lets through. */
  seqs(filter: SearchFilter): readonly number[];
}

export interface VectorMark {
  readonly number: number;
  readonly seq: number;
}

/** A chunk's number, which is never used twice, and its vector: float32 scale (little endian), then one int8 a dimension. */
export interface PackedRow {
  readonly seq: number;
  readonly vector: Uint8Array;
}

/** Vectors of many chunks, row after row: 1 / length of the components, the components, their sign bits. */
export interface PackedBlock {
  readonly seqs: readonly number[];
  readonly scales: Float32Array;
  readonly codes: Int8Array;
  readonly signs: Uint8Array;
}

export interface CursorTable {
  get(source: string): string | null;
  set(source: string, cursor: string, now: Instant): void;
  drop(source: string): void;
  /** Takes a source that is no longer configured off the list. */
  forget(source: string): void;
  /** Until when each source is known to be complete. */
  synced(): readonly {
    readonly source: string;
    readonly kind: string;
    readonly syncedUntil: Instant | null;
    /** Since when it fails; null while it works. */
    readonly failedAt: Instant | null;
    readonly error: string | null;
  }[];
  markSynced(source: string, kind: string, until: Instant): void;
  markFailed(source: string, kind: string, at: Instant, error: string): void;
}

export interface RunTable {
  start(id: string, trigger: string, now: Instant): void;
  end(id: string, status: RunRow["status"], report: IndexReport | null, now: Instant): void;
  /** Ends the runs that a process left behind when it died; returns how many. */
  interrupted(now: Instant): number;
  get(id: string): RunRow | null;
  list(limit: number): readonly RunRow[];
}

export interface AnswerTable {
  /** `cited`: record id to content hash, as the answer was given. `cache`: what the same question may be served from again. */
  put(
    answer: Answer,
    now: Instant,
    options?: {
      readonly cited?: Readonly<Record<string, string>>;
      /** Scopes that whoever asked could see; absent: all. */
      readonly seen?: readonly number[];
      readonly cache?: { readonly key: string; readonly generation: string };
    },
  ): void;
  get(id: string): Answer | null;
  /** Hashes of the cited records at that time. */
  cited(id: string): Readonly<Record<string, string>>;
  /** The answer kept under a cache key; whether it still holds is for the caller to check against `cited`. */
  recall(key: string): Answer | null;
}

export interface KeptAnswers extends AnswerTable {
  /** Scopes that whoever asked could see; null: all. */
  seen(id: string): readonly number[] | null;
}

export interface LlmTable extends Ledger {
  /** A model's reply by the hash of everything it was asked with. */
  cached(key: string): string | null;
  cache(key: string, reply: string, model: string, now: Instant): void;
  spend(): readonly SpendRow[];
}
