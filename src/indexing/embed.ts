import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexEvent } from "../core/app.ts";
import type { Chunk, Embedder, Index } from "../core/chunk.ts";
import { toContextError } from "../core/errors.ts";
import type { Names } from "../core/extract.ts";
import { passageText } from "../core/passage.ts";
import type { Store } from "../store/store.ts";
import type { IndexDeps } from "./deps.ts";
import { fail, type RunState, stopIfAsked } from "./run-state.ts";
import { SEND } from "./served.ts";

/** Chunks embedded at a time: large enough to keep the model busy, small enough to stop soon. */
const BATCH = 32;

/**
 * Embeds every chunk that has no vector of this model yet; each batch is kept as soon as it is made. While another
 * model's vectors are searched, new chunks get one of them first, and the process may make the rest between its runs.
 */
export async function* embedMissing<N extends Names>(run: RunState<N>, embedder: Embedder): AsyncGenerator<IndexEvent, void> {
  const { store, served, log } = run.deps;
  if (served !== undefined && served.embedder.id !== embedder.id) {
    try {
      yield* embedAll(store, served.embedder, run.signal);
    } catch (error) {
      stopIfAsked(run.signal);
      log.warn({ err: error, model: served.embedder.id }, "the former embedding model did not read the new chunks");
    }
    if (served.inBackground) return;
  }
  yield* embedAll(store, embedder, run.signal);
  if (served !== undefined) await settle(run.deps, embedder, run.signal);
}

/**
 * Makes the vectors of the configured model while searches use those of another, in batches that are each kept, then
 * lets searches use them. Returns at once when they do already; a stop loses nothing but the batch at hand.
 * @throws ContextError MODEL_MISSING, CANCELLED: searches stay with the model they use
 */
export async function reembed(deps: Pick<IndexDeps, "store" | "embedder" | "served" | "log">, signal: AbortSignal): Promise<void> {
  const { store, embedder, served, log } = deps;
  if (embedder === null || served === undefined || served.embedder.id === embedder.id) return;
  log.info({ from: served.embedder.id, to: embedder.id }, "passages are embedded again: the model changed");
  for await (const _ of embedAll(store, embedder, signal)) stopIfAsked(signal);
  await settle(deps, embedder, signal);
  log.info({ model: embedder.id }, "searches use the new embedding model");
}

async function settle({ store, served }: Pick<IndexDeps, "store" | "served">, embedder: Embedder, signal: AbortSignal): Promise<void> {
  if (served === undefined) return;
  if (served.embedder.id !== embedder.id) await served.fill?.(signal);
  served.settle();
  store.vectors.keepOnly(embedder.id);
}

async function* embedAll(store: Store, embedder: Embedder, signal: AbortSignal): AsyncGenerator<IndexEvent, void> {
  const next = (): readonly Chunk[] => store.vectors.missing(embedder.id, BATCH);
  let batch = next();
  // both are a walk over all chunks, and most runs have nothing to embed
  const total = batch.length === 0 ? 0 : store.chunks.count();
  let done = batch.length === 0 ? 0 : store.vectors.count(embedder.id);
  for (; batch.length > 0; batch = next()) {
    stopIfAsked(signal);
    const vectors = await embedder.embed(
      batch.map((chunk) => passageText(chunk)),
      "passage",
      signal,
    );
    stopIfAsked(signal);
    const rows = batch.flatMap((chunk, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ chunkId: chunk.id, vector }];
    });
    if (rows.length < batch.length) throw new Error(`The model ${embedder.id} gave ${rows.length} vectors for ${batch.length} texts.`);
    using tx = store.begin();
    store.vectors.put(embedder.id, rows);
    tx.commit();
    // a chunk whose double was embedded has its vector too: the count is a little behind
    done += batch.length;
    yield { type: "progress", stage: "embed", done, total };
    await nextTurn(); // a model of tables answers at once, and nobody else would be heard
  }
  while (store.vectors.optimise(embedder.id)) {
    await nextTurn();
    stopIfAsked(signal);
  }
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
  const { store } = run.deps;
  await seed(run, index);
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

/** An index that is new to this store, was filled from another model, or lost what it held takes in everything. */
async function seed(run: RunState<Names>, index: Index): Promise<void> {
  const { store, embedder, served, log } = run.deps;
  const key = `engine:${index.name}`;
  const filledWith = (served?.embedder ?? embedder)?.id ?? "none";
  const isSame = store.meta.get(key) === filledWith;
  if (isSame) {
    const held = await index.count?.(run.signal);
    if (held === undefined || held >= store.chunks.count() - store.outbox.count(index.name)) return;
    log.warn({ engine: index.name, held }, "an index lost what it held and is filled again");
  }
  let ids: string[] = [];
  const note = (isLast: boolean): void => {
    using tx = store.begin();
    store.outbox.add(index.name, ids, "put");
    // written with the last ones: a run that dies before notes all of them again
    if (isLast) store.meta.set(key, filledWith);
    tx.commit();
    ids = [];
  };
  for (const { id } of store.chunks.all()) {
    ids.push(id);
    if (ids.length >= SEND) {
      stopIfAsked(run.signal);
      note(false);
    }
  }
  note(true);
}
