import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexEvent, IndexOptions, IndexReport, RunRow } from "../core/app.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import { noSpans } from "../core/spans.ts";
import { storeError } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import type { IndexDeps, IndexSource } from "./deps.ts";
import { refold } from "./dictionary.ts";
import { priceRun } from "./dry-run.ts";
import { embedMissing, flush } from "./embed.ts";
import { keepSize } from "./load.ts";
import { forgetSources, pullSource, readAgain } from "./pull.ts";
import { deepenShallow, extractStale, rederive } from "./read.ts";
import { fail, newRun, type RunState, report, stopIfAsked } from "./run-state.ts";

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
    using run = newRun(deps, id, options.full ?? false, options.signal);
    const attributes = { "contextd.run.id": id, "contextd.run.trigger": options.trigger ?? "cli" };
    return yield* (deps.spans ?? noSpans).steps("index run", { attributes }, async function* (span) {
      const ended = yield* recorded(run, sources, options);
      span.set({
        "contextd.run.failures": ended.failures.length,
        "contextd.run.records": ended.records.seen,
        "contextd.llm.calls": ended.extraction.llmCalls,
        "contextd.llm.cost_usd": ended.extraction.costUsd,
      });
      return ended;
    });
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
    await keepSize(run.deps, run.names, run.signal);
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
  const { embedder, deepener, spans = noSpans } = run.deps;
  const { records } = options;
  if (records !== undefined) yield* spans.steps("index pull", {}, () => readAgain(run, sources, records));
  else {
    for (const source of sources) {
      stopIfAsked(run.signal);
      yield* spans.steps("index pull", { attributes: { "contextd.source": source.kind } }, () => pullSource(run, source));
    }
    if (options.source === undefined) yield* forgetSources(run);
  }
  yield* rederive(run);
  yield* spans.steps("index fold", {}, () => refold(run));
  yield* spans.steps("index extract", {}, () => extractStale(run));
  if (deepener !== null) yield* spans.steps("index deepen", {}, () => deepenShallow(run, deepener));
  yield* tidy(run);
  if (embedder !== null) {
    const attributes = { "gen_ai.operation.name": "embeddings", "gen_ai.request.model": embedder.id };
    const embedding = spans.steps(`embeddings ${embedder.id}`, { attributes }, () => embedMissing(run, embedder));
    yield* withFailure(run, embedder.id, embedding);
  }
  yield* spans.steps("index flush", {}, () => flush(run));
}

/** Puts the word index in order, part by part. */
async function* tidy(run: RunState<Names>): AsyncGenerator<IndexEvent, void> {
  for (let done = 1; run.deps.store.chunks.optimise(); done += 1) {
    yield { type: "progress", stage: "optimise", done, total: null };
    await nextTurn();
    stopIfAsked(run.signal);
  }
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
