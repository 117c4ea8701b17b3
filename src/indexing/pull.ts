import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexEvent } from "../core/app.ts";
import type { Io } from "../core/connector.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import type { RecordId } from "../core/record.ts";
import { storeError } from "../store/open.ts";
import { commitPage, type Item, letGo } from "./commit.ts";
import type { IndexSource } from "./deps.ts";
import { countKept, countRecord, fail, instant, type RunState, raiseGeneration, stopIfAsked } from "./run-state.ts";

/** Most items held before they are written: a source without checkpoints does not fill the memory, a page not the event loop. */
const PAGE = 200;
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
  const { cursor, runs } = startScan(run, source);
  let held: Item[] = [];
  let chars = 0;
  const write = (also?: () => void): readonly IndexEvent[] => {
    const items = held;
    held = [];
    chars = 0;
    return commitPage(run, label, items, also);
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
        if (pulled.scan === "full") yield* sweep(run, label, runs);
        else {
          held.push(...(await failedBefore(run, source)));
          yield* write();
          countKept(run, store.records.unmet(label, run.id)); // what it did not speak of is unchanged
        }
        const next = pulled.cursor;
        using tx = store.begin();
        if (next !== undefined) store.cursors.set(label, next, instant(run));
        store.meta.set(`scan:${label}`, "");
        store.unread.sweep(label, runs);
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
 * Where to read on, and the runs of the scan under way. A scan that a crash or a failure cut in two is one scan: what
 * its first half met must not count as unseen when the second half ends.
 */
function startScan(run: RunState<Names>, source: IndexSource): { readonly cursor: string | null; readonly runs: readonly string[] } {
  const { store } = run.deps;
  const { label } = source;
  const config = source.config ?? "";
  using tx = store.begin();
  if (run.full || (store.meta.get(`config:${label}`) ?? config) !== config) store.cursors.drop(label);
  store.meta.set(`config:${label}`, config);
  const cursor = store.cursors.get(label) || null; // an empty one marks a place from which nothing can be taken up
  const before = cursor === null ? [] : openScan(run, label);
  const runs = [...before, run.id];
  store.meta.set(`scan:${label}`, runs.join(" "));
  tx.commit();
  return { cursor, runs };
}

/** The runs of a scan that did not come to its end. */
function openScan(run: RunState<Names>, label: string): readonly string[] {
  return (run.deps.store.meta.get(`scan:${label}`) ?? "").split(" ").filter((id) => id !== "");
}

async function* sweep<N extends Names>(run: RunState<N>, label: string, runs: readonly string[]): AsyncGenerator<IndexEvent, void> {
  const next = (after: string): readonly RecordId[] => run.deps.store.records.unseen(label, runs, after, PAGE);
  for (let unseen = next(""); unseen.length > 0; unseen = next(unseen.at(-1) ?? "")) {
    stopIfAsked(run.signal);
    const items = unseen.map((id) => ({ type: "gone", id }) as const);
    yield* commitPage(run, label, items);
    await nextTurn();
  }
}

/** Lets go of the records of sources that are no longer in the configuration. */
export async function* forgetSources<N extends Names>(run: RunState<N>): AsyncGenerator<IndexEvent, void> {
  const { store, configured, graph } = run.deps;
  if (configured === undefined) return;
  // what is let go is no longer among them
  const idsOf = (label: string): readonly RecordId[] => [...Iterator.from(store.records.ids(label)).take(PAGE)];
  for (const label of store.records.sources()) {
    if (configured(label)) continue;
    for (let ids = idsOf(label); ids.length > 0; ids = idsOf(label)) {
      stopIfAsked(run.signal);
      const dropped: RecordId[] = [];
      using tx = store.begin();
      for (const id of ids) if (letGo(run, label, id)) dropped.push(id);
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
  for (const { source } of store.cursors.synced()) {
    if (configured(source)) continue;
    store.cursors.forget(source);
    store.unread.sweep(source, []);
  }
}

/** A delta does not bring a record again that could not be read last time: what can be read singly is asked for again. */
async function failedBefore(run: RunState<Names>, source: IndexSource): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const id of run.deps.store.unread.pending(source.label, run.id, MOST_RETRIED)) items.push(...(await readOne(run, source, id)));
  return items;
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
    const items: Item[] = [];
    for (const id of new Set(ids)) items.push(...(await readOne(run, source, id)));
    yield* commitPage(run, label, items, () => {
      // part of a scan that was cut in two, so that its second half does not sweep them
      const open = openScan(run, label);
      if (open.length > 0) run.deps.store.meta.set(`scan:${label}`, [...open, run.id].join(" "));
    });
  }
}

/** What a connector is given for one source: what this store knows of it, unless everything is to be read again. */
export function ioFor(run: RunState<Names>, label: string): Io {
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
    unread(id) {
      const why = run.full ? null : store.unread.get(id, label);
      if (why === null || why.fingerprint === null) return null;
      const { fingerprint, code, message, remedy } = why;
      return { fingerprint, error: new ContextError(code, message, { remedy }) };
    },
    alike(start) {
      const [id] = run.full ? [] : store.records.alike(start, 1);
      const record = id === undefined ? null : store.records.get(id);
      return id === undefined || record === null ? null : { record, raw: store.records.raw(id) };
    },
  };
}

/** Faults of the store, and of ours, end the run; they are not the source's. */
function isOurs(error: ContextError): boolean {
  return error.code.startsWith("STORE_") || error.code === "DATA_DIR_UNWRITABLE";
}
