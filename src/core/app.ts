import type { Answer, AnswerEvent, AskOptions, Corpus } from "./answer.ts";
import type { Chunk, SearchOptions, SearchResult } from "./chunk.ts";
import type { Check } from "./connector.ts";
import type { ContextError } from "./errors.ts";
import type { Graph } from "./graph.ts";
import type { Json, RecordId, SourceRecord } from "./record.ts";

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
  readonly records: { seen: number; added: number; changed: number; deleted: number; unchanged: number; failed: number };
  readonly extraction: { tier1: number; tier2: number; tier3: number; cached: number; llmCalls: number; costUsd: number };
  readonly graph: { nodes: number; edges: number };
  readonly chunks: { total: number; added: number; deleted: number };
  readonly failures: readonly Failure[];
  readonly durationMs: number;
}

export interface IndexOptions {
  /** Connector kind to restrict to. */
  readonly source?: string;
  /** Forget cursors and pull all again. */
  readonly full?: boolean;
  /** Price the run, change nothing. */
  readonly dryRun?: boolean;
  readonly trigger?: "cli" | "http" | "schedule" | "start" | "webhook";
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

/** Everything the outside can ask for. http/ and cli/ see only this. */
export interface App extends AsyncDisposable {
  readonly name: string;
  /** The manifest's fixed clock, or the real one. */
  now(): Date;
  readonly graph: Graph;
  ask(question: string, options: AskOptions): AsyncGenerator<AnswerEvent, Answer>;
  answer(id: string): Answer | null;
  search(query: string, options: SearchOptions & { readonly corpus?: Corpus }, signal: AbortSignal): Promise<SearchResult>;
  index(options: IndexOptions): AsyncGenerator<IndexEvent, IndexReport>;
  ingest(paths: readonly string[], signal: AbortSignal): AsyncGenerator<IndexEvent, IndexReport>;
  record(id: RecordId): { readonly record: SourceRecord; readonly raw: Json } | null;
  /** A chunk with up to `around` neighbours on each side, in order. */
  chunk(id: string, around?: number): { readonly chunk: Chunk; readonly before: readonly Chunk[]; readonly after: readonly Chunk[] } | null;
  runs(limit?: number): readonly RunRow[];
  run(id: string): RunRow | null;
  /** The run in progress in this process, null when none. */
  readonly running: { readonly runId: string; readonly startedAt: string } | null;
  manifest(): Iterable<ManifestRow>;
  doctor(signal: AbortSignal): Promise<readonly Check[]>;
  /** Why the daemon is not ready yet; empty when it is. */
  notReady(): readonly ContextError[];
}
