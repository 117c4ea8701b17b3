import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexEvent } from "../core/app.ts";
import { type ContextError, toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import type { Extraction } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { declare, rechunk, ruleFailed } from "./commit.ts";
import type { Deepener, GraphChange } from "./deps.ts";
import { fail, instant, type RunState, raiseGeneration, stopIfAsked } from "./run-state.ts";

/** Records read between two turns of the event loop, and in one transaction. */
const SLICE = 50;

/** After a change of rules: what every record declares and how it is cut, from the records as they are. */
export async function* rederive<N extends Names>(run: RunState<N>): AsyncGenerator<IndexEvent, void> {
  const { store, extractor, chunkerVersion } = run.deps;
  yield* slices(run, "undeclared", extractor.version, (id) => {
    const record = store.records.get(id);
    return record === null ? [] : declare(run, record.source, record);
  });
  yield* slices(run, "unchunked", chunkerVersion, (id) => {
    const record = store.records.get(id);
    return record === null ? [] : rechunk(run, record.source, record);
  });
}

/** Tier 1: reads every record that is marked, with the dictionary as it now is. */
export async function* extractStale<N extends Names>(run: RunState<N>): AsyncGenerator<IndexEvent, void> {
  const { store, extractor, graph } = run.deps;
  let changes: GraphChange[] = [];
  const read = (id: RecordId): readonly IndexEvent[] => {
    const record = store.records.get(id);
    const hash = store.records.hash(id);
    if (record === null || hash === null) return [];
    try {
      const extraction = extractor.extract(record, run.names);
      store.extractions.replace(id, `${hash}:${extractor.version}`, extractor.version, extraction, instant(run));
      run.extracted.set(id, extraction.tier);
      changes.push({ record: id, extraction });
      return [];
    } catch (error) {
      const none: Extraction = { record: id, facts: [], nodes: [], tier: 1, tierReason: "a rule failed" };
      store.extractions.replace(id, "", "", none, instant(run));
      changes.push({ record: id, extraction: none });
      return ruleFailed(run, record.source, id, toContextError(error));
    }
  };
  yield* slices(run, "stale", extractor.version, read, () => {
    graph.apply(changes);
    changes = [];
  });
}

/** Works through one of the manifest's lists, a slice a transaction; what was done is no longer on it. */
async function* slices(
  run: RunState<Names>,
  list: "undeclared" | "unchunked" | "stale",
  version: string,
  work: (id: RecordId) => readonly IndexEvent[],
  committed: () => void = () => {},
): AsyncGenerator<IndexEvent, void> {
  const { store } = run.deps;
  const next = (after: string): readonly RecordId[] => store.extractions[list](version, { after, limit: SLICE });
  let total: number | null = null;
  let done = 0;
  for (let ids = next(""); ids.length > 0; ids = next(ids.at(-1) ?? "")) {
    stopIfAsked(run.signal);
    total ??= store.extractions.count(list, version);
    const events: IndexEvent[] = [];
    {
      using tx = store.begin();
      for (const id of ids) events.push(...work(id));
      raiseGeneration(run);
      tx.commit();
    }
    committed();
    yield* events;
    done += ids.length;
    yield { type: "progress", stage: "extract", done, total };
    await nextTurn();
  }
}

/**
 * Tiers 2 and 3: what rules left open is read by a model, a few records at a time. A failure leaves the record's
 * tier 1 result as it is; a spent budget or a refused key ends the stage, since the next record would fail as well.
 */
export async function* deepenShallow<N extends Names>(run: RunState<N>, deepener: Deepener<N>): AsyncGenerator<IndexEvent, void> {
  const { store, graph } = run.deps;
  const next = (after: string): readonly RecordId[] => store.extractions.shallow(deepener.version, { after, limit: deepener.concurrency });
  let stopped: ContextError | null = null;
  let total: number | null = null;
  let done = 0;
  for (let batch = next(""); batch.length > 0 && stopped === null; batch = next(batch.at(-1) ?? "")) {
    stopIfAsked(run.signal);
    total ??= store.extractions.count("shallow", deepener.version);
    const results = await Promise.all(batch.map((id) => deepenOne(run, deepener, id)));
    const changes: GraphChange[] = [];
    using tx = store.begin();
    for (const result of results) {
      if (result.type !== "read") continue;
      store.extractions.deepen(result.extraction.record, deepener.version, result.extraction, instant(run));
      run.extracted.set(result.extraction.record, result.extraction.tier);
      run.llmCalls += result.calls;
      run.costUsd += result.costUsd;
      changes.push({ record: result.extraction.record, extraction: result.extraction });
    }
    if (changes.length > 0) raiseGeneration(run);
    tx.commit();
    graph.apply(changes);
    for (const result of results) {
      if (result.type !== "failed") continue;
      if (result.error.code === "LLM_BUDGET" || result.error.code === "LLM_UNAUTHORIZED") stopped = result.error;
      else yield { type: "failure", failure: fail(run, result.source, result.id, result.error) };
    }
    done += batch.length;
    yield { type: "progress", stage: "extract", done, total };
  }
  if (stopped !== null) yield { type: "failure", failure: fail(run, "llm", "llm", stopped) };
}

type Deepened =
  | { readonly type: "read"; readonly extraction: Extraction; readonly calls: number; readonly costUsd: number }
  | { readonly type: "failed"; readonly id: RecordId; readonly source: string; readonly error: ContextError }
  | { readonly type: "gone" };

async function deepenOne<N extends Names>(run: RunState<N>, deepener: Deepener<N>, id: RecordId): Promise<Deepened> {
  const { store } = run.deps;
  const record = store.records.get(id);
  const stored = store.extractions.get(id);
  if (record === null || stored === null) return { type: "gone" };
  try {
    return { type: "read", ...(await deepener.deepen(record, stored.extraction, run.names, run.signal)) };
  } catch (error) {
    stopIfAsked(run.signal);
    return { type: "failed", id, source: record.source, error: toContextError(error) };
  }
}
