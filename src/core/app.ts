import type { Answer, AnswerEvent, AskOptions, Corpus } from "./answer.ts";
import type { Chunk, SearchOptions, SearchResult } from "./chunk.ts";
import type { Check } from "./connector.ts";
import type { ContextError } from "./errors.ts";
import type { NodeId } from "./fact.ts";
import type { Graph, GraphEdge, GraphNode, SubGraph } from "./graph.ts";
import type { ToolSpec } from "./llm.ts";
import type { OidcSettings } from "./oidc.ts";
import type { Instant, Json, RecordId, SourceRecord } from "./record.ts";
import type { Viewer } from "./visibility.ts";

export type Outcome = "added" | "changed" | "unchanged" | "deleted" | "failed";

export interface Failure {
  readonly source: string;
  readonly id: string;
  readonly code: string;
  readonly message: string;
  /** When it happened. */
  readonly at?: string;
}

/** What happened to one record, or how far a stage is; total is null while unknown. */
export type IndexEvent =
  | { readonly type: "record"; readonly source: string; readonly id: string; readonly outcome: Outcome }
  | {
      readonly type: "progress";
      readonly stage: "pull" | "extract" | "embed" | "fold" | "optimise";
      readonly done: number;
      readonly total: number | null;
    }
  | { readonly type: "failure"; readonly failure: Failure };

/** As `contextd index --json` prints it (contract). */
export interface IndexReport {
  readonly runId: string;
  readonly records: {
    seen: number;
    added: number;
    changed: number;
    deleted: number;
    unchanged: number;
    failed: number;
    /** Of those added and deleted, how many are one and the same at another place; absent where none is. */
    moved?: number;
  };
  readonly extraction: { tier1: number; tier2: number; tier3: number; cached: number; llmCalls: number; costUsd: number };
  readonly graph: { nodes: number; edges: number };
  readonly chunks: { total: number; added: number; deleted: number };
  readonly failures: readonly Failure[];
  /** Which records came, changed and went: the first of each; `records` counts them all. */
  readonly changes?: Readonly<Record<"added" | "changed" | "deleted", readonly string[]>>;
  readonly durationMs: number;
}

export interface RunId {
  readonly runId: string;
  readonly startedAt: string;
}

/** How a run goes on. `report` and `error` are both null where it was stopped by whoever started it. */
export type RunNews =
  | { readonly type: "began"; readonly trigger: string }
  | { readonly type: "event"; readonly event: IndexEvent }
  | { readonly type: "ended"; readonly report: IndexReport | null; readonly error: ContextError | null };

export type RunListener = (run: RunId, news: RunNews) => void;

/** When the index is brought up to date by itself. */
export interface ScheduleStatus {
  readonly cron: string;
  readonly timezone: string;
  readonly jitterSeconds: number;
  /** Planned runs are left out since then; null while they are not. */
  readonly pausedSince: Instant | null;
  /** Null while paused, and where none is planned within a month. */
  readonly nextRun: Instant | null;
  readonly lastRun: RunRow | null;
}

/** How old what is answered from is, on the real clock. */
export interface Freshness {
  /** Seconds since the last run ended well; null when none has. */
  readonly indexAge: number | null;
  /** Whether planned runs are left out. */
  readonly paused: boolean;
  /** By kind, its laggard: seconds since it was known to be complete, null when it never was; and whether it fails now. */
  readonly sources: readonly { readonly source: string; readonly lag: number | null; readonly failing: boolean }[];
}

export interface IndexOptions {
  /** Connector kind to restrict to. */
  readonly source?: string;
  /** Forget cursors and pull all again. */
  readonly full?: boolean;
  /** Price the run, change nothing. */
  readonly dryRun?: boolean;
  /** Read only these again, from the sources that can give single records (webhooks); no source is pulled. */
  readonly records?: readonly RecordId[];
  readonly trigger?: "cli" | "http" | "schedule" | "start" | "webhook" | "watch";
  readonly signal: AbortSignal;
}

export interface RunRow {
  readonly id: string;
  readonly trigger: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly status: "running" | "done" | "partial" | "failed" | "cancelled";
  readonly report: IndexReport | null;
}

export interface ManifestRow {
  readonly recordId: string;
  readonly source: string;
  readonly contentHash: string;
  readonly extractorVersion: string;
  readonly tier: number;
  readonly indexedAt: string;
}

/** One row of what models cost. */
export interface SpendRow {
  readonly day: string;
  readonly purpose: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** Two spellings that were taken for one node, with the rule and the place that say so. */
export interface MergeRow {
  /** Stable; `graph merges --undo ID` takes it. */
  readonly id: string;
  readonly node: NodeId;
  readonly name: string;
  readonly rule: string;
  readonly score: number;
  readonly records: readonly RecordId[];
}

/** One hop of the path between two nodes, with the words that state it. */
export interface WhyHop {
  readonly edge: GraphEdge;
  readonly quotes: readonly { readonly record: RecordId; readonly text: string; readonly url: string | null }[];
}

export interface GraphDiff {
  readonly since: string;
  readonly began: readonly GraphEdge[];
  readonly ended: readonly GraphEdge[];
}

export type ExportFormat = "json" | "graphml" | "dot";

/** A row of derived data that does not agree with its record. */
export interface Inconsistency {
  readonly what: string;
  readonly id: string;
}

/** The agent's tools, one by one, for other assistants. */
export interface Toolbox {
  readonly specs: readonly ToolSpec[];
  /** Runs one tool as of an instant. An unknown tool or malformed arguments are an answer with `isError`, not a throw. */
  call(name: string, args: unknown, now: Date, signal: AbortSignal): Promise<{ readonly content: unknown; readonly isError: boolean }>;
}

/** Another document with the same content, byte for byte. */
export interface Copy {
  readonly id: RecordId;
  readonly title: string;
  readonly url: string | null;
}

/** A page or file about something. */
export interface AboutDocument {
  readonly record: SourceRecord;
  /** Its title or its place among the files names the thing. */
  readonly titled: boolean;
}

/** What one reader can ask: of everything, or of what their groups may see, as if nothing else were there. */
export interface Reading {
  readonly name: string;
  /** False: some records are hidden from this reader; what speaks of all records is not for them. */
  readonly whole: boolean;
  /** Whether documents may be uploaded, and those uploaded be seen. */
  readonly uploads: boolean;
  /** The manifest's fixed clock, or the real one. */
  now(): Date;
  readonly graph: Graph;
  ask(question: string, options: AskOptions): AsyncGenerator<AnswerEvent, Answer>;
  answer(id: string): Answer | null;
  readonly tools?: Toolbox;
  search(query: string, options: SearchOptions & { readonly corpus?: Corpus }, signal: AbortSignal): Promise<SearchResult>;
  record(id: RecordId): { readonly record: SourceRecord; readonly raw: Json; readonly copies: readonly Copy[] } | null;
  /** A chunk with up to `around` neighbours on each side, in order, and where else its document lies. */
  chunk(
    id: string,
    around?: number,
  ): {
    readonly chunk: Chunk;
    readonly before: readonly Chunk[];
    readonly after: readonly Chunk[];
    readonly copies: readonly Copy[];
  } | null;
  /** Lines of text; a large graph is more than a string can hold. */
  exportGraph(format: ExportFormat, part?: SubGraph): Iterable<string>;
  /** The shortest path between two nodes with each hop's quoted evidence; null when there is none. */
  why(from: NodeId, to: NodeId): readonly WhyHop[] | null;
  graphDiff(since: Instant): GraphDiff;
  /** Pages and files about a service, whether they state a fact or not; those whose title names it first. */
  documentsAbout(service: GraphNode): readonly AboutDocument[];
  merges(): readonly MergeRow[];
  /** Spellings that could mean several nodes, and are therefore kept apart. */
  ambiguities(): readonly { readonly name: string; readonly nodes: readonly NodeId[] }[];
  /** Why questions cannot be answered yet; empty when they can. */
  notReady(): readonly ContextError[];
}

/** What a command changes in the index: in this process, or in the daemon that holds the store. */
export type Changing = Pick<App, "index" | "ingest" | "forget" | "undoMerge">;

/** Everything the outside can ask for. http/ and cli/ see only this. As a reading it is of everything. */
export interface App extends Reading, AsyncDisposable {
  /** What somebody may see; this very app where that is everything. Waits for the first index run, for a while. */
  as(viewer: Viewer, signal: AbortSignal): Promise<Reading>;
  /** Whose access tokens are taken over HTTP; null: none but our own. */
  readonly oidc: OidcSettings | null;
  index(options: IndexOptions): AsyncGenerator<IndexEvent, IndexReport>;
  /** @param name what the ids of the documents begin with, in place of their path */
  ingest(paths: readonly string[], signal: AbortSignal, name?: string): AsyncGenerator<IndexEvent, IndexReport>;
  runs(limit?: number): readonly RunRow[];
  run(id: string): RunRow | null;
  /** The run in progress in this process, null when none. */
  readonly running: RunId | null;
  /** Hears of every run of this process, whoever starts it. */
  watchRuns(listener: RunListener): Disposable;
  manifest(): Iterable<ManifestRow>;
  doctor(signal: AbortSignal): Promise<readonly Check[]>;
  /** Takes a merge back from the next fold on; throws NOT_FOUND. */
  undoMerge(id: string): Promise<void>;
  spend(): readonly SpendRow[];
  /** Whether everything derived agrees with the records; deep derives all again and compares. */
  verify(deep: boolean, signal: AbortSignal): Promise<readonly Inconsistency[]>;
  /** A checked copy of the store while it is in use. */
  backup(file: string, signal: AbortSignal): Promise<void>;
  /** Runs the manifest's schedule until disposed; a planned run that was missed is caught up at once. */
  schedule(): AsyncDisposable;
  scheduleStatus(): ScheduleStatus;
  /** Leaves planned runs out from now on, or no longer; kept over restarts. */
  pauseSchedule(paused: boolean): void;
  freshness(): Freshness;
  /** Files and folders that were ingested besides the manifest's sources. */
  ingested(): readonly string[];
  /** Lets what was ingested from these paths go from every index; the files stay. @throws ContextError NOT_FOUND */
  forget(paths: readonly string[], signal: AbortSignal): AsyncGenerator<IndexEvent, IndexReport>;
}
