import type { IndexEvent, Outcome } from "../core/app.ts";
import type { Chunk } from "../core/chunk.ts";
import type { Pulled } from "../core/connector.ts";
import { type ContextError, type ErrorCode, toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import type { Declaration, Extraction } from "../core/fact.ts";
import type { RecordId, SourceRecord } from "../core/record.ts";
import type { GraphChange } from "./deps.ts";
import { countKept, countRecord, fail, instant, type RunState, raiseGeneration } from "./run-state.ts";

/** What a pull says of single records. */
export type Item = Exclude<Pulled, { type: "checkpoint" } | { type: "end" }>;

/** After these the old text is known to be no longer there; other failures keep what was read before. */
const REPLACED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "FILE_EMPTY",
  "FILE_ENCRYPTED",
  "FILE_NO_TEXT",
  "FILE_UNSUPPORTED",
  "FILE_TOO_LARGE",
  "FILE_NOT_FOUND",
]);

/**
 * Writes a page of a pull in one transaction: records with their declarations, chunks and lexical rows, and what
 * `also` adds (the cursor). A changed record is read at once with the dictionary at hand, so that no fact ever points
 * into a text that is gone; after the fold it is read again if the dictionary changed for it.
 * A record that comes twice, since pages overlap, is one record: whether this run has met it is told by what it wrote.
 * @returns what happened, to be yielded once it is committed
 */
export function commitPage<N extends Names>(
  run: RunState<N>,
  source: string,
  items: readonly Item[],
  also: () => void = () => {},
): readonly IndexEvent[] {
  const { store, graph } = run.deps;
  const events: IndexEvent[] = [];
  const changes: GraphChange[] = [];
  const counts = structuredClone({ records: run.records, changes: run.changes, chunks: run.chunks, moved: run.moved });
  const isMet = (id: RecordId): boolean => store.records.seenBy(id, source) === run.id || store.unread.get(id, source)?.runId === run.id;
  const tell = (id: string, outcome: Outcome): void => {
    countRecord(run, id, outcome);
    events.push({ type: "record", source, id, outcome });
  };
  const failures = run.failures.length;
  try {
    using tx = store.begin();
    for (const item of items) {
      switch (item.type) {
        case "record": {
          const { record } = item;
          const isNew = !isMet(record.id);
          const outcome = store.records.put(record, item.raw, source, run.id, instant(run));
          store.unread.drop(record.id, source);
          if (outcome !== "unchanged") {
            events.push(...deriveFrom(run, source, record));
            if (item.from !== undefined) takeOver(run, item.from, record);
            if (outcome === "changed") changes.push({ record: record.id, extraction: provisional(run, record) });
          }
          if (isNew) tell(record.id, outcome);
          break;
        }
        case "unchanged":
          if (store.records.seen(item.id, source, run.id, item.fingerprint)) tell(item.id, "unchanged");
          break;
        case "gone": {
          const isNew = !isMet(item.id);
          store.unread.drop(item.id, source);
          if (letGo(run, source, item.id)) {
            if (run.takenOver.get(item.id) !== null) run.moved += 1;
            changes.push({ record: item.id, extraction: null });
            if (isNew) tell(item.id, "deleted");
          }
          break;
        }
        case "failed": {
          const known = item.id as RecordId;
          const isNew = !isMet(known);
          if (item.below === true) countKept(run, store.records.seenBelow(known, source, run.id));
          else if (!REPLACED.has(item.error.code)) store.records.seen(known, source, run.id);
          else if (letGo(run, source, known)) changes.push({ record: known, extraction: null });
          const { code, message, remedy } = item.error;
          store.unread.put(known, source, { runId: run.id, fingerprint: item.fingerprint ?? null, code, message, remedy });
          if (isNew) tell(item.id, "failed");
          events.push({ type: "failure", failure: fail(run, source, item.id, item.error) });
          break;
        }
      }
    }
    if (changes.length > 0 || events.some((event) => event.type === "record" && event.outcome !== "unchanged")) {
      raiseGeneration(run);
    }
    also();
    tx.commit();
  } catch (error) {
    // nothing of it was written, so nothing of it is counted
    Object.assign(run.records, counts.records);
    Object.assign(run.changes, counts.changes);
    Object.assign(run.chunks, counts.chunks);
    run.moved = counts.moved;
    run.failures.length = failures;
    throw error;
  }
  graph.apply(changes);
  return events;
}

/** Declarations and chunks of a record, within the open transaction. A rule that fails costs this record only. */
export function deriveFrom<N extends Names>(run: RunState<N>, source: string, record: SourceRecord): readonly IndexEvent[] {
  return [...declare(run, source, record), ...rechunk(run, source, record)];
}

export function declare<N extends Names>(run: RunState<N>, source: string, record: SourceRecord): readonly IndexEvent[] {
  const { store, extractor } = run.deps;
  try {
    store.extractions.declare(record.id, extractor.version, extractor.declare(record), instant(run));
    return [];
  } catch (error) {
    const none: readonly Declaration[] = [];
    store.extractions.declare(record.id, "", none, instant(run));
    return ruleFailed(run, source, record.id, toContextError(error));
  }
}

export function rechunk<N extends Names>(run: RunState<N>, source: string, record: SourceRecord): readonly IndexEvent[] {
  const { store, chunk, chunkerVersion } = run.deps;
  let chunks: ReturnType<typeof chunk> = [];
  let events: readonly IndexEvent[] = [];
  let version = chunkerVersion;
  try {
    chunks = chunk(record);
  } catch (error) {
    version = "";
    events = ruleFailed(run, source, record.id, toContextError(error));
  }
  replaceChunks(run, record.id, chunks);
  store.extractions.markChunked(record.id, version);
  return events;
}

function replaceChunks(run: RunState<Names>, id: RecordId, chunks: ReturnType<RunState<Names>["deps"]["chunk"]>): void {
  const { store, indexes } = run.deps;
  const { added, dropped } = store.chunks.replace(id, chunks);
  run.chunks.added += added.length;
  run.chunks.deleted += dropped.length;
  const came = added.map((one) => one.id);
  for (const { name } of indexes) {
    store.outbox.add(name, dropped, "drop");
    store.outbox.add(name, came, "put");
  }
}

/**
 * The vectors of the record whose content this one has are good for this one too, where only the stated fields differ: a
 * file in another folder. Under another title a chunk reads differently, and is embedded anew.
 */
function takeOver(run: RunState<Names>, from: RecordId, { id, proseEnd }: SourceRecord): void {
  const { chunks, vectors } = run.deps.store;
  const prose = ({ span, text }: Chunk): string => text.slice(0, Math.max(0, proseEnd - span.start));
  const before = chunks.ofRecord(from);
  for (const chunk of chunks.ofRecord(id)) {
    const twin = before[chunk.ordinal - 1];
    const isSame = twin?.title === chunk.title && twin.span.start === chunk.span.start && prose(twin) === prose(chunk);
    if (isSame && prose(chunk) !== "") vectors.share(chunk.id, twin.id);
  }
  run.takenOver.set(from, 1);
}

function provisional<N extends Names>(run: RunState<N>, record: SourceRecord): Extraction {
  const { store, extractor } = run.deps;
  let extraction: Extraction = { record: record.id, facts: [], nodes: [], tier: 1, tierReason: "not read yet" };
  try {
    extraction = extractor.extract(record, run.names);
  } catch {
    // reported when it is read for good
  }
  store.extractions.replace(record.id, "", "", extraction, instant(run));
  return extraction;
}

/** This source no longer holds the record; true when that was the last one and everything of it is gone. */
export function letGo(run: RunState<Names>, source: string, id: RecordId): boolean {
  const { store } = run.deps;
  if (store.records.hash(id) === null || !store.records.release(id, source)) return false;
  replaceChunks(run, id, []);
  store.records.drop(id);
  return true;
}

/** A rule of ours failed on one record: said, counted, tried again by the next run. */
export function ruleFailed(run: RunState<Names>, source: string, id: RecordId, error: ContextError): readonly IndexEvent[] {
  run.deps.log.error({ run: run.id, recordId: id, err: error.cause ?? error }, "a rule failed on a record");
  if (run.broken.has(id)) return [];
  run.broken.add(id);
  return [{ type: "failure", failure: fail(run, source, id, error) }];
}
