import type { IndexEvent, IndexOptions, IndexReport, RunRow } from "../core/app.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import { storeError } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import type { IndexDeps, IndexSource } from "./deps.ts";
import { refold } from "./dictionary.ts";
import { priceRun } from "./dry-run.ts";
import { embedMissing, flush } from "./embed.ts";
import { forgetSources, pullSource, readAgain } from "./pull.ts";
import { deepenShallow, extractStale, rederive } from "./read.ts";
import { fail, newRun, type RunState, report, stopIfAsked } from "./run-state.ts";

/** The word index is put in order once a tenth of it changed in a run. */
const WORTH_OPTIMISING = 10;

/** One store has one run at a time; other processes are kept out by the store's own lock. */
const running = new WeakMap<Store, { readonly runId: string; readonly startedAt: string }>();

/** The run in progress on this store, null when none. */
export function runningOn(store: Store): { readonly runId: string; readonly startedAt: string } | null {
  return running.get(store) ?? null;
}

/**
 * One index run: pulls every source from its cursor, folds the dictionary, reads what is new or concerned, cuts,
 * embeds, folds into the graph. What is unchanged costs nothing. It may be stopped or killed at any point: each step
 * is written whole, and the next run goes on from what is missing.
 * @throws ContextError INDEX_RUNNING, CANCELLED, STORE_*; what a source or record does wrong is a failure in the report
 */
export async function* indexRun<N extends Names>(deps: IndexDeps<N>, options: IndexOptions): AsyncGenerator<IndexEvent, IndexReport> {
  const { store } = deps;
  const busy = running.get(store);
  if (busy !== undefined) {
    throw new ContextError("INDEX_RUNNING", `Run ${busy.runId} has been going on since ${busy.startedAt}.`, { detail: busy });
  }
  const sources = chosen(deps.sources, options.source);
  const id = deps.newId();
  const startedAt = deps.now().toISOString();
  running.set(store, { runId: id, startedAt });
  try {
    if (options.dryRun) return yield* priceRun(deps, id, sources, options);
    store.runs.interrupted(startedAt);
    store.runs.start(id, options.trigger ?? "cli", startedAt);
    return yield* recorded(newRun(deps, id, options.full ?? false, options.signal), sources, options);
  } catch (error) {
    throw storeError(error, store.path);
  } finally {
    running.delete(store);
  }
}

/** Runs the stages and writes down how it ended, also when the caller stops listening. */
async function* recorded<N extends Names>(
  run: RunState<N>,
  sources: readonly IndexSource[],
  options: IndexOptions,
): AsyncGenerator<IndexEvent, IndexReport> {
  const { store, now } = run.deps;
  let status: RunRow["status"] = "cancelled";
  let ended: IndexReport | null = null;
  try {
    yield* stages(run, sources, options);
    status = run.failures.length === 0 ? "done" : sources.length > 0 && run.failedSources === sources.length ? "failed" : "partial";
    ended = report(run);
    return ended;
  } catch (error) {
    const known = toContextError(storeError(error, store.path));
    status = known.code === "CANCELLED" ? "cancelled" : "failed";
    if (status === "failed") fail(run, "contextd", run.id, known);
    throw known;
  } finally {
    store.runs.end(run.id, status, ended ?? report(run), now().toISOString());
  }
}

async function* stages<N extends Names>(
  run: RunState<N>,
  sources: readonly IndexSource[],
  options: IndexOptions,
): AsyncGenerator<IndexEvent, void> {
  const { store, embedder, deepener } = run.deps;
  if (options.records !== undefined) yield* readAgain(run, sources, options.records);
  else {
    for (const source of sources) {
      stopIfAsked(run.signal);
      yield* pullSource(run, source);
    }
    if (options.source === undefined) yield* forgetSources(run);
  }
  yield* rederive(run);
  yield* refold(run);
  yield* extractStale(run);
  if (deepener !== null) yield* deepenShallow(run, deepener);
  // a few changed chunks are merged as they come; only after many is it worth the pause
  if ((run.chunks.added + run.chunks.deleted) * WORTH_OPTIMISING > store.chunks.count()) store.chunks.optimise();
  if (embedder !== null) yield* withFailure(run, embedder.id, embedMissing(run, embedder));
  yield* flush(run);
}

/** A model that cannot be used costs the vectors, not the run: words and graph are there already. */
async function* withFailure<N extends Names>(
  run: RunState<N>,
  name: string,
  stage: AsyncGenerator<IndexEvent, void>,
): AsyncGenerator<IndexEvent, void> {
  try {
    yield* stage;
  } catch (error) {
    stopIfAsked(run.signal);
    const known = toContextError(storeError(error, run.deps.store.path));
    if (known.code.startsWith("STORE_") || known.code === "DATA_DIR_UNWRITABLE") throw known;
    yield { type: "failure", failure: fail(run, name, name, known) };
  }
}

function chosen(sources: readonly IndexSource[], wanted: string | undefined): readonly IndexSource[] {
  if (wanted === undefined) return sources;
  const found = sources.filter(({ kind, label }) => kind === wanted || label === wanted);
  if (found.length === 0) {
    const kinds = [...new Set(sources.map(({ kind }) => kind))].sort().join(", ") || "none";
    throw new ContextError("USAGE", `No source of kind "${wanted}" is configured; configured: ${kinds}.`);
  }
  return found;
}
