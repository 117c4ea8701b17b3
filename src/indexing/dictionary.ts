import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexEvent } from "../core/app.ts";
import type { Names } from "../core/extract.ts";
import type { RecordId } from "../core/record.ts";
import { type RunState, raiseGeneration, stopIfAsked } from "./run-state.ts";

/** Records looked at between two turns of the event loop, so that questions are answered meanwhile. */
const SLICE = 200;

/**
 * Folds all declarations into the dictionary. Where a spelling's meaning changed, the records that hold it are marked
 * as to be read again before the dictionary is stored: at no time is there an extraction whose dictionary is not the
 * stored one and that is not marked.
 */
export async function* refold<N extends Names>(run: RunState<N>): AsyncGenerator<IndexEvent, void> {
  const { store, extractor, hints, graph } = run.deps;
  const before = run.names;
  const after = extractor.names(store.extractions.declarations(), hints);
  const isStored = store.meta.get("names") !== null && store.meta.get("names.version") === extractor.version;
  if (!isStored || after.hash !== before.hash) {
    // compared with what is stored, or with nothing at all where nothing is
    const known = isStored ? before : extractor.names([], { aliases: {}, sourcePaths: {} });
    yield* markHolders(run, extractor.changed(known, after));
    using tx = store.begin();
    store.meta.set("names", JSON.stringify(after.toJSON()));
    store.meta.set("names.version", extractor.version);
    raiseGeneration(run);
    tx.commit();
  }
  run.names = after;
  graph.setNames(after);
}

async function* markHolders<N extends Names>(run: RunState<N>, keys: ReadonlySet<string>): AsyncGenerator<IndexEvent, void> {
  const { store, extractor } = run.deps;
  const total = store.records.count();
  if (keys.size === 0 || store.extractions.count("stale", extractor.version) >= total) return; // or all are to be read anyway
  let found: RecordId[] = [];
  const mark = (): void => {
    using tx = store.begin();
    store.extractions.markStale(found);
    tx.commit();
    found = [];
  };
  let done = 0;
  for (const record of store.records.all()) {
    if (!store.extractions.isStale(record.id, extractor.version) && extractor.touches(record, keys)) found.push(record.id);
    done += 1;
    if (done % SLICE === 0) {
      stopIfAsked(run.signal);
      mark();
      yield { type: "progress", stage: "fold", done, total };
      await nextTurn();
    }
  }
  mark();
}
