import type { IndexEvent } from "../core/app.ts";
import type { Embedder, Index } from "../core/chunk.ts";
import { toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import { passageText } from "../core/passage.ts";
import { fail, type RunState, stopIfAsked } from "./run-state.ts";

/** Chunks embedded at a time: large enough to keep the model busy, small enough to stop soon. */
const BATCH = 32;
/** Chunks sent to an index at a time. */
const SEND = 200;

/** Embeds every chunk that has no vector of this model yet; each batch is kept as soon as it is made. */
export async function* embedMissing<N extends Names>(run: RunState<N>, embedder: Embedder): AsyncGenerator<IndexEvent, void> {
  const { store } = run.deps;
  const total = store.chunks.count();
  for (;;) {
    stopIfAsked(run.signal);
    const batch = store.vectors.missing(embedder.id, BATCH);
    if (batch.length === 0) break;
    const vectors = await embedder.embed(
      batch.map((chunk) => passageText(chunk)),
      "passage",
      run.signal,
    );
    stopIfAsked(run.signal);
    const rows = batch.flatMap((chunk, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ chunkId: chunk.id, vector }];
    });
    if (rows.length < batch.length) throw new Error(`The model ${embedder.id} gave ${rows.length} vectors for ${batch.length} texts.`);
    using tx = store.begin();
    store.vectors.put(embedder.id, rows);
    tx.commit();
    yield { type: "progress", stage: "embed", done: store.vectors.count(embedder.id), total };
  }
  store.vectors.optimise(embedder.id);
}

/** Hands each index beside the store what it has still to take in or let go; one that fails keeps its list. */
export async function* flush<N extends Names>(run: RunState<N>): AsyncGenerator<IndexEvent, void> {
  for (const index of run.deps.indexes) {
    try {
      yield* flushOne(run, index);
    } catch (error) {
      stopIfAsked(run.signal);
      const known = toContextError(error);
      run.deps.log.warn({ run: run.id, engine: index.name, code: known.code, err: known }, "an index could not be brought up to date");
      yield { type: "failure", failure: fail(run, index.name, index.name, known) };
    }
  }
}

async function* flushOne<N extends Names>(run: RunState<N>, index: Index): AsyncGenerator<IndexEvent, void> {
  const { store, embedder } = run.deps;
  seed(run, index, embedder);
  let done = 0;
  const total = store.outbox.count(index.name);
  for (const action of ["drop", "put"] as const) {
    for (;;) {
      stopIfAsked(run.signal);
      const ids = store.outbox.next(index.name, action, SEND);
      if (ids.length === 0) break;
      if (action === "drop") await index.drop(ids, run.signal);
      else await index.put([...store.chunks.getMany(ids).values()], run.signal);
      using tx = store.begin();
      store.outbox.done(index.name, ids, action);
      tx.commit();
      done += ids.length;
      yield { type: "progress", stage: "optimise", done, total };
    }
  }
}

/** An index that is new to this store, or was filled from another model, takes in everything. */
function seed(run: RunState<Names>, index: Index, embedder: Embedder | null): void {
  const { store } = run.deps;
  const key = `engine:${index.name}`;
  const filledWith = embedder?.id ?? "none";
  if (store.meta.get(key) === filledWith) return;
  const all = Array.from(store.chunks.all(), (chunk) => chunk.id);
  using tx = store.begin();
  store.outbox.add(index.name, all, "put");
  store.meta.set(key, filledWith);
  tx.commit();
}
