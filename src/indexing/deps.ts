import type { Chunk, Embedder, Index } from "../core/chunk.ts";
import type { Io, Log, Pulled } from "../core/connector.ts";
import type { Extractor, NameHints, Names } from "../core/extract.ts";
import type { Extraction, Tier } from "../core/fact.ts";
import type { Graph } from "../core/graph.ts";
import type { Json, RecordId, SourceRecord } from "../core/record.ts";
import type { Spans } from "../core/spans.ts";
import type { Store } from "../store/store.ts";
import type { Served } from "./served.ts";

/** One configured source: a connector with its block of the manifest. */
export interface IndexSource {
  /** Names it in cursors, sightings and failures; stable as long as it is the same source. */
  readonly label: string;
  /** Connector kind; `index --source KIND` picks by it. */
  readonly kind: string;
  /** Changes when the configuration does (never holds a secret): the saved cursor then says nothing any more. */
  readonly config?: string;
  pull(io: Io, cursor: string | null): AsyncGenerator<Pulled, void>;
  /** Yields whenever something may have changed, until the signal of `io` aborts. */
  watch?(io: Io): AsyncGenerator<void, void>;
  /** One record again, null when it is gone; connectors without it pull instead. */
  read?(io: Io, id: RecordId): Promise<{ readonly record: SourceRecord; readonly raw: Json } | null>;
}

/** What one record changed to; null when it is gone. */
export interface GraphChange {
  readonly record: RecordId;
  readonly extraction: Extraction | null;
}

/** What the graph must take: a record's contributions, whole, in any order of records. */
export interface GraphFold<N extends Names = Names> {
  setNames(names: N): void;
  apply(changes: Iterable<GraphChange>): void;
  /** Nodes and edges; null while that can only be told by folding what nobody has looked at. */
  readonly counted: Graph["size"] | null;
  /** Tells it what was counted in what is stored as it is now. */
  sized(size: Graph["size"]): void;
}

/** Tiers 2 and 3: reads what rules left open. */
export interface Deepener<N extends Names = Names> {
  /** Names models, prompts and parameters; another version reads again. */
  readonly version: string;
  /** Records read at the same time. */
  readonly concurrency: number;
  /** @throws ContextError LLM_*: the record keeps its tier 1 result and is tried again by the next run */
  deepen(
    record: SourceRecord,
    extraction: Extraction,
    names: N,
    signal: AbortSignal,
  ): Promise<{ readonly extraction: Extraction; readonly calls: number; readonly costUsd: number }>;
}

/** Everything an index run works with; nothing is reached past it. */
export interface IndexDeps<N extends Names = Names> {
  readonly store: Store;
  readonly sources: readonly IndexSource[];
  /** Whether a label with records is still configured; the records of others are let go by an unrestricted run. */
  readonly configured?: (label: string) => boolean;
  readonly extractor: Extractor<N>;
  readonly hints: NameHints;
  readonly graph: GraphFold<N>;
  readonly chunk: (record: SourceRecord) => readonly Chunk[];
  /** Raised when records are to be cut again. */
  readonly chunkerVersion: string;
  /** Null: lexical search only. */
  readonly embedder: Embedder | null;
  /** Which model searches use while the vectors of `embedder` are being made; absent: always `embedder`. */
  readonly served?: Served;
  /** Indexes beside the store: the vector index, remote engines. */
  readonly indexes: readonly Index[];
  readonly deepener: Deepener<N> | null;
  /** Price of reading a record by a tier, for the dry run. */
  readonly price: (tier: Tier, record: SourceRecord) => number;
  /** Times the steps for a trace; absent: none. */
  readonly spans?: Spans;
  readonly io: Pick<Io, "fetch" | "root">;
  readonly now: () => Date;
  /** Monotonic milliseconds, for durations. */
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
}

/** List prices of the tiers, USD a record, where no model with a price of its own is configured. */
export const tierPrices: Readonly<Record<Tier, number>> = { 1: 0, 2: 0.0002, 3: 0.003 };
