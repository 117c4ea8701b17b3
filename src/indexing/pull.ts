import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexEvent } from "../core/app.ts";
import type { Io } from "../core/connector.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import type { RecordId } from "../core/record.ts";
import { storeError } from "../store/open.ts";
import { commitPage, type Item, letGo, type Met } from "./commit.ts";
import type { IndexSource } from "./deps.ts";
import { count, countRecord, fail, instant, type RunState, raiseGeneration, stopIfAsked } from "./run-state.ts";

/** Most items held before they are written: a source without checkpoints does not fill the memory, a page not the event loop. */
const PAGE = 100;
/** The same for their text, in characters: one long document is a page of its own. */
const PAGE_CHARS = 300_000;

/** Most failed records of a source that are asked for again one by one. */
const MOST_RETRIED = 500;

/**
 * Pulls one source from its saved cursor. Each page is written whole, with its cursor; only a full end lets the
 * records go that were not met. A source that fails keeps what it gave, sweeps nothing, and the run goes on.
 */
export async function* pullSource<N extends Names>(run: RunState<N>, source: IndexSource): AsyncGenerator<IndexEvent, void> {
  const { store } = run.deps;
  const { label, kind } = source;
  const began = instant(run);
  const { cursor, scan } = startScan(run, source);
  const met: Met = new Map();
  let held: Item[] = [];
  let chars = 0;
  const write = (also?: () => void): readonly IndexEvent[] => {
    const items = held;
    held = [];
    chars = 0;
    return commitPage(run, label, scan, items, met, also);
  };
  let ended = false;
  try {
    for await (const pulled of source.pull(ioFor(run, label), cursor)) {
      stopIfAsked(run.signal);
      if (pulled.type === "checkpoint") {
        yield* write(() => store.cursors.set(label, pulled.cursor, instant(run)));
        yield { type: "progress", stage: "pull", done: run.records.seen, total: null };
      } else if (pulled.type === "end") {
        yield* write(); // what the source named again is met now, and not asked for once more
        held.push(...(await failedBefore(run, source, met)));
        yield* write();
        if (pulled.scan === "full") yield* sweep(run, label, scan, met);
        else countRest(run, label, met);
        const next = pulled.cursor;
        using tx = store.begin();
        if (next !== undefined) store.cursors.set(label, next, instant(run));
        store.meta.set(`scan:${label}`, "");
        rememberFailed(run, label, met);
        store.cursors.markSynced(label, kind, began);
        tx.commit();
        ended = true;
        break;
      } else {
        held.push(pulled);
        if (pulled.type === "record") chars += pulled.record.body.length;
        if (held.length >= PAGE || chars >= PAGE_CHARS) {
          yield* write();
          await nextTurn();
        }
      }
    }
    if (!ended) throw new ContextError("SOURCE_BAD_REPLY", `${label} stopped before its end.`);
  } catch (error) {
    if (run.signal.aborted) {
      write(); // what came is kept; it is written again at no cost when it comes again
      stopIfAsked(run.signal);
    }
    const known = toContextError(storeError(error, store.path));
    if (isOurs(known)) throw known;
    yield* write();
    store.cursors.markFailed(label, kind, instant(run), `${known.code}: ${known.message}`);
    run.failedSources += 1;
    run.deps.log.warn({ run: run.id, source: label, code: known.code, err: known }, "source failed");
    yield { type: "failure", failure: fail(run, label, label, known) };
  }
}

/**
 * Where to read on, and the mark of the scan under way. A scan that a crash or a failure cut in two is one scan: what
 * its first half met must not count as unseen when the second half ends.
 */
function startScan(run: RunState<Names>, source: IndexSource): { readonly cursor: string | null; readonly scan: string } {
  const { store } = run.deps;
  const { label } = source;
  const config = source.config ?? "";
  using tx = store.begin();
  if (run.full || (store.meta.get(`config:${label}`) ?? config) !== config) store.cursors.drop(label);
  store.meta.set(`config:${label}`, config);
  const cursor = store.cursors.get(label) || null; // an empty one marks a place from which nothing can be taken up
  const open = store.meta.get(`scan:${label}`);
  const scan = cursor === null || !open ? run.id : open;
  store.meta.set(`scan:${label}`, scan);
  tx.commit();
  return { cursor, scan };
}

async function* sweep<N extends Names>(run: RunState<N>, label: string, scan: string, met: Met): AsyncGenerator<IndexEvent, void> {
  const unseen = run.deps.store.records.unseen(label, scan);
  for (let at = 0; at < unseen.length; at += PAGE) {
    stopIfAsked(run.signal);
    const items = unseen.slice(at, at + PAGE).map((id) => ({ type: "gone", id }) as const);
    yield* commitPage(run, label, scan, items, met);
    await nextTurn();
  }
}

/** What a source did not speak of because nothing happened to it is unchanged. */
function countRest(run: RunState<Names>, label: string, met: Met): void {
  const { records } = run.deps.store;
  let rest = records.count(label);
  for (const [id, outcome] of met) if (outcome !== "failed" || records.hash(id as RecordId) !== null) rest -= outcome === "deleted" ? 0 : 1;
  for (; rest > 0; rest -= 1) count(run, "unchanged");
}

/** Lets go of the records of sources that are no longer in the configuration. */
export async function* forgetSources<N extends Names>(run: RunState<N>): AsyncGenerator<IndexEvent, void> {
  const { store, configured, graph } = run.deps;
  if (configured === undefined) return;
  for (const label of store.records.sources()) {
    if (configured(label)) continue;
    const ids = [...store.records.ids(label)];
    for (let at = 0; at < ids.length; at += PAGE) {
      stopIfAsked(run.signal);
      const dropped: RecordId[] = [];
      using tx = store.begin();
      for (const id of ids.slice(at, at + PAGE)) if (letGo(run, label, id)) dropped.push(id);
      raiseGeneration(run);
      tx.commit();
      graph.apply(dropped.map((record) => ({ record, extraction: null })));
      for (const id of dropped) {
        countRecord(run, id, "deleted");
        yield { type: "record", source: label, id, outcome: "deleted" };
      }
      await nextTurn();
    }
  }
  for (const { source } of store.cursors.synced()) if (!configured(source)) store.cursors.forget(source);
}

/** A delta does not bring a record again that could not be read last time: what can be read singly is asked for again. */
async function failedBefore(run: RunState<Names>, source: IndexSource, met: Met): Promise<readonly Item[]> {
  const ids = JSON.parse(run.deps.store.meta.get(`failed:${source.label}`) ?? "[]") as RecordId[];
  const items: Item[] = [];
  for (const id of ids) if (!met.has(id)) items.push(...(await readOne(run, source, id)));
  return items;
}

function rememberFailed(run: RunState<Names>, label: string, met: Met): void {
  const { meta } = run.deps.store;
  const failed = [...met].flatMap(([id, outcome]) => (outcome === "failed" ? [id] : [])).slice(0, MOST_RETRIED);
  const value = JSON.stringify(failed);
  if ((meta.get(`failed:${label}`) ?? "[]") !== value) meta.set(`failed:${label}`, value);
}

/** Nothing where the source cannot give single records. */
async function readOne(run: RunState<Names>, source: IndexSource, id: RecordId): Promise<readonly Item[]> {
  stopIfAsked(run.signal);
  try {
    const found = await source.read?.(ioFor(run, source.label), id);
    if (found === undefined) return [];
    return found === null ? [{ type: "gone", id }] : [{ type: "record", ...found }];
  } catch (error) {
    stopIfAsked(run.signal);
    return [{ type: "failed", id, error: toContextError(error) }];
  }
}

/** Single records again, as a webhook asks for them; cursors stay where they are. */
export async function* readAgain<N extends Names>(
  run: RunState<N>,
  sources: readonly IndexSource[],
  ids: readonly RecordId[],
): AsyncGenerator<IndexEvent, void> {
  for (const source of sources) {
    if (source.read === undefined) continue;
    const { label } = source;
    const met: Met = new Map();
    const items: Item[] = [];
    for (const id of new Set(ids)) items.push(...(await readOne(run, source, id)));
    // under the mark of a scan that was cut in two, so that its second half does not sweep them
    yield* commitPage(run, label, run.deps.store.meta.get(`scan:${label}`) || run.id, items, met);
  }
}

function ioFor(run: RunState<Names>, label: string): Io {
  const { io, now, log, store } = run.deps;
  return {
    ...io,
    now,
    log,
    signal: run.signal,
    known(id) {
      if (run.full) return null;
      const fingerprint = store.records.fingerprint(id, label);
      return fingerprint === null ? null : { fingerprint };
    },
    alike(start) {
      const id = run.full ? null : store.records.alike(start);
      const record = id === null ? null : store.records.get(id);
      return id === null || record === null ? null : { record, raw: store.records.raw(id) };
    },
  };
}

/** Faults of the store, and of ours, end the run; they are not the source's. */
function isOurs(error: ContextError): boolean {
  return error.code.startsWith("STORE_") || error.code === "DATA_DIR_UNWRITABLE";
}
