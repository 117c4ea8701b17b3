import type { IndexEvent, IndexOptions, IndexReport, Outcome } from "../core/app.ts";
import { toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import type { Declaration } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { openStore } from "../store/open.ts";
import type { IndexDeps, IndexSource } from "./deps.ts";
import { ioFor } from "./pull.ts";
import { count, countRecord, fail, newRun, type RunState, report, stopIfAsked } from "./run-state.ts";

/**
 * Prices a run before it spends: pulls as the run would, keeps what is new in a temporary file, routes it to tiers
 * with the dictionary as it would be. The store, its cursors and the graph are only looked at.
 * @returns the report of the run as it would be; `extraction.costUsd` is the estimate
 */
export async function* priceRun<N extends Names>(
  deps: IndexDeps<N>,
  id: string,
  sources: readonly IndexSource[],
  options: IndexOptions,
): AsyncGenerator<IndexEvent, IndexReport> {
  using run = newRun(deps, id, options.full ?? false, options.signal);
  const { store, extractor, hints } = deps;
  using scratch = openStore("");
  const gone = new Set<RecordId>();
  for (const source of sources) {
    stopIfAsked(options.signal);
    yield* look(run, source, scratch, gone);
  }

  const declarations: Declaration[] = [];
  for (const { declarations: rows, extraction } of store.extractions.all()) {
    if (!gone.has(extraction.record) && scratch.records.hash(extraction.record) === null) declarations.push(...rows);
  }
  for (const record of scratch.records.all()) declarations.push(...extractor.declare(record));
  const after = extractor.names(declarations, hints);
  const keys = after.hash === run.names.hash ? new Set<string>() : extractor.changed(run.names, after);
  const unread = new Set<RecordId>(store.extractions.stale(extractor.version));
  if (deps.deepener !== null) for (const one of store.extractions.shallow(deps.deepener.version)) unread.add(one);

  for (const record of scratch.records.all()) price(record);
  for (const record of store.records.all()) {
    stopIfAsked(options.signal);
    if (gone.has(record.id) || scratch.records.hash(record.id) !== null) continue;
    if (unread.has(record.id) || (keys.size > 0 && extractor.touches(record, keys))) price(record);
  }
  const whole = report(run);
  const remaining = store.records.count() + run.records.added - run.records.deleted - run.extracted.count();
  return { ...whole, extraction: { ...whole.extraction, cached: Math.max(0, remaining) } };

  function price(record: Parameters<typeof extractor.extract>[0]): void {
    const { tier } = extractor.extract(record, after);
    run.extracted.set(record.id, tier);
    run.costUsd += deps.price(tier, record);
  }
}

async function* look<N extends Names>(
  run: RunState<N>,
  source: IndexSource,
  scratch: ReturnType<typeof openStore>,
  gone: Set<RecordId>,
): AsyncGenerator<IndexEvent, void> {
  const { store, now } = run.deps;
  const { label } = source;
  const stale = run.full || (store.meta.get(`config:${label}`) ?? source.config ?? "") !== (source.config ?? "");
  const cursor = stale ? null : store.cursors.get(label) || null;
  const met = new Set<string>();
  const tell = function* (recordId: string, outcome: Outcome): Generator<IndexEvent> {
    if (met.has(recordId)) return;
    met.add(recordId);
    countRecord(run, recordId, outcome);
    yield { type: "record", source: label, id: recordId, outcome };
  };
  try {
    for await (const pulled of source.pull(ioFor(run, label), cursor)) {
      stopIfAsked(run.signal);
      if (pulled.type === "record") {
        const { record } = pulled;
        const before = store.records.hash(record.id);
        // the scratch file only serves to hash and hold what is new
        scratch.records.put(record, null, label, run.id, now().toISOString());
        if (scratch.records.hash(record.id) === before) {
          scratch.records.drop(record.id);
          yield* tell(record.id, "unchanged");
        } else yield* tell(record.id, before === null ? "added" : "changed");
      } else if (pulled.type === "unchanged") yield* tell(pulled.id, "unchanged");
      else if (pulled.type === "gone" && store.records.hash(pulled.id) !== null) {
        gone.add(pulled.id);
        yield* tell(pulled.id, "deleted");
      } else if (pulled.type === "failed") {
        yield* tell(pulled.id, "failed");
        yield { type: "failure", failure: fail(run, label, pulled.id, pulled.error) };
      } else if (pulled.type === "end") {
        if (pulled.scan === "delta") {
          let rest = store.records.count(label);
          for (const id of met) if (store.records.hash(id as RecordId) !== null) rest -= 1;
          for (; rest > 0; rest -= 1) count(run, "unchanged");
        } else {
          for (const id of store.records.ids(label)) {
            if (met.has(id)) continue;
            gone.add(id);
            yield* tell(id, "deleted");
          }
        }
        break;
      }
    }
  } catch (error) {
    stopIfAsked(run.signal);
    yield { type: "failure", failure: fail(run, label, label, toContextError(error)) };
  }
}
