import type { Failure, IndexReport, Outcome } from "../core/app.ts";
import { ContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import type { Scratch } from "../store/store.ts";
import type { IndexDeps } from "./deps.ts";
import { keptSize, loadNames } from "./load.ts";

/** Ids of a kind of change that a run's history holds. */
const CHANGES_KEPT = 50;
/** Failures that it holds; `records.failed` counts all, and the store has what could not be read. */
const FAILURES_KEPT = 10_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What one run knows and counts. What grows with the number of records is on disk. */
export interface RunState<N extends Names> extends Disposable {
  readonly id: string;
  readonly deps: IndexDeps<N>;
  readonly full: boolean;
  readonly signal: AbortSignal;
  /** The dictionary as stored, then as folded. */
  names: N;
  readonly records: Mutable<IndexReport["records"]>;
  readonly changes: { readonly [Kind in keyof NonNullable<IndexReport["changes"]>]: string[] };
  readonly chunks: { added: number; deleted: number };
  /** Records whose content came again under another id. */
  readonly takenOver: Scratch;
  /** How many of those are gone themselves: they were moved, not copied. */
  moved: number;
  /** Tier of each record that was read in this run; a record read twice counts once. */
  readonly extracted: Scratch;
  llmCalls: number;
  costUsd: number;
  /** The first of them. */
  readonly failures: Failure[];
  /** Records on which a rule failed in this run; the next one tries again. */
  readonly broken: Set<string>;
  failedSources: number;
  readonly startedAt: number;
}

export function newRun<N extends Names>(deps: IndexDeps<N>, id: string, full: boolean, signal: AbortSignal): RunState<N> {
  const takenOver = deps.store.scratch();
  const extracted = deps.store.scratch();
  return {
    id,
    deps,
    full,
    signal,
    names: loadNames(deps),
    records: { seen: 0, added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 },
    changes: { added: [], changed: [], deleted: [] },
    chunks: { added: 0, deleted: 0 },
    takenOver,
    moved: 0,
    extracted,
    llmCalls: 0,
    costUsd: 0,
    failures: [],
    broken: new Set(),
    failedSources: 0,
    startedAt: deps.clock(),
    [Symbol.dispose]() {
      takenOver[Symbol.dispose]();
      extracted[Symbol.dispose]();
    },
  };
}

export function count(run: RunState<Names>, outcome: Outcome): void {
  run.records[outcome] += 1;
  if (outcome !== "deleted") run.records.seen += 1;
}

/** Counts records that are kept without having been looked at. */
export function countKept(run: RunState<Names>, kept: number): void {
  run.records.unchanged += kept;
  run.records.seen += kept;
}

/** Counts a record and, where something happened to it, keeps its id for the run's history. */
export function countRecord(run: RunState<Names>, id: string, outcome: Outcome): void {
  count(run, outcome);
  if (outcome === "unchanged" || outcome === "failed") return;
  if (run.changes[outcome].length < CHANGES_KEPT) run.changes[outcome].push(id);
}

export function fail(run: RunState<Names>, source: string, id: string, error: ContextError): Failure {
  const failure = { source, id, code: error.code, message: error.message, at: run.deps.now().toISOString() };
  if (run.failures.length < FAILURES_KEPT) run.failures.push(failure);
  return failure;
}

export function instant(run: RunState<Names>): string {
  return run.deps.now().toISOString();
}

/** Throws CANCELLED once the run is to stop. */
export function stopIfAsked(signal: AbortSignal): void {
  if (signal.aborted)
    throw new ContextError("CANCELLED", "The index run was stopped; the next one goes on from here.", { cause: signal.reason });
}

/** Raises the index state that cached answers are bound to. Belongs in the transaction that changes something. */
export function raiseGeneration(run: RunState<Names>): void {
  const { meta } = run.deps.store;
  meta.set("index.generation", String(Number(meta.get("index.generation") ?? "0") + 1));
}

export function report(run: RunState<Names>): IndexReport {
  const { store, clock } = run.deps;
  const { extracted } = run;
  return {
    runId: run.id,
    records: { ...run.records, ...(run.moved > 0 ? { moved: run.moved } : {}) },
    extraction: {
      tier1: extracted.count(1),
      tier2: extracted.count(2),
      tier3: extracted.count(3),
      cached: Math.max(0, store.records.count() - extracted.count()),
      llmCalls: run.llmCalls,
      costUsd: run.costUsd,
    },
    graph: keptSize(store),
    chunks: { total: store.chunks.count(), ...run.chunks },
    failures: [...run.failures],
    changes: structuredClone(run.changes),
    durationMs: Math.round(clock() - run.startedAt),
  };
}
