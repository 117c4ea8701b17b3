import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { AskDeps } from "./answer/ask.ts";
import { runChecks } from "./app-doctor.ts";
import { openEmbedding } from "./app-embedding.ts";
import { coverageOf, freshnessOf, lastEnded, nothingIndexed, RUNS_LOOKED_AT } from "./app-freshness.ts";
import { configuredLlm } from "./app-llm.ts";
import { createReading, type ReadingDeps } from "./app-reading.ts";
import {
  configuredSources,
  configuredVisibility,
  ingestedByHand,
  remember,
  sourcesToCheck,
  unremember,
  uploadsSeen,
} from "./app-sources.ts";
import { Views } from "./app-views.ts";
import { type Manifest, parseManifest } from "./config/manifest.ts";
import { SourceConfig } from "./connectors/registry.ts";
import type { App, IndexOptions, Reading } from "./core/app.ts";
import type { Embedder, Index } from "./core/chunk.ts";
import type { Log } from "./core/connector.ts";
import { ContextError } from "./core/errors.ts";
import { chunkerVersion, chunkRecord } from "./docsearch/chunk.ts";
import { ChromaIndex } from "./docsearch/engines/chroma.ts";
import { EmbeddedVectorIndex } from "./docsearch/engines/embedded.ts";
import { thresholdOf } from "./docsearch/thresholds.ts";
import { createModelReader } from "./extract/deepener.ts";
import { createTier1 } from "./extract/tier1.ts";
import { KnowledgeGraph } from "./graph/knowledge-graph.ts";
import { type IndexDeps, tierPrices } from "./indexing/deps.ts";
import { openGraph } from "./indexing/load.ts";
import { indexRun, runningOn } from "./indexing/run.ts";
import { RunFeed } from "./indexing/run-feed.ts";
import { Schedule } from "./indexing/schedule.ts";
import { noticeOf, postNotice } from "./indexing/schedule-notice.ts";
import { PAUSE_FILE, SchedulePause } from "./indexing/schedule-pause.ts";
import { nextDue, timesProblem } from "./indexing/schedule-times.ts";
import { upkeep } from "./indexing/upkeep.ts";
import { verifyIndex } from "./indexing/verify.ts";
import { Watching } from "./indexing/watching.ts";
import { loadEmbedder, openModels } from "./models/load.ts";
import { backupStore, restoreStore as putBack } from "./store/backup.ts";
import { openStore } from "./store/open.ts";
import type { Store } from "./store/store.ts";
import { visibleStore } from "./store/visible.ts";
import { configuredTelemetry } from "./telemetry/configured.ts";
import { createVerify } from "./verify/verify.ts";
import { createWebSearch } from "./websearch/search.ts";

const STORE_FILE = "contextd.db";
/** Where Chroma's own server listens unless told otherwise. */
const DEFAULT_CHROMA_URL = "http://127.0.0.1:8000";
/** Threads of the model runtime: the machine is shared with everything else the daemon does. */
const THREADS = 2;
/** How long a question waits for the first run, and how often it looks. */
const FIRST_RUN_WAIT_MS = 20_000;
const FIRST_RUN_LOOK_MS = 50;

export interface AppOptions {
  readonly manifest: Manifest;
  /** Folder that relative paths of the manifest start from. */
  readonly root: string;
  readonly store: Store;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly now?: () => Date;
  /** Of the product, for traces. */
  readonly version?: string;
  /** Changes what questions are answered with: an evaluation puts doubles in, or leaves a stage out. */
  readonly answering?: (deps: AskDeps) => AskDeps;
}

/**
 * Reads the manifest and opens the store, then builds everything.
 * @param write one process may; "if free": as a reader where another process holds the store
 * @throws ContextError CONFIG_*, STORE_*, DATA_DIR_UNWRITABLE
 */
export async function openApp(options: {
  readonly manifest: string;
  readonly dataDir: string;
  readonly write: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly log: Log;
}): Promise<App> {
  const { manifest: file, dataDir, env, log, version } = options;
  if (!existsSync(file)) throw new ContextError("CONFIG_MISSING", `There is no manifest at ${file}.`);
  const manifest = parseManifest(readFileSync(file, "utf8"), SourceConfig, env, file);
  const unclear = timesProblem(manifest.schedule);
  if (unclear !== null) throw new ContextError("CONFIG_INVALID", `${file}: schedule: ${unclear}`);
  const store = openAs(join(dataDir, STORE_FILE), options.write);
  try {
    return createApp({ manifest, root: dirname(file), store, env, log, version });
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** Reading commands write too (answers keep a permanent link). Where another process holds the store, answers are shown and not kept. */
function openAs(path: string, write: boolean): Store {
  try {
    return openStore(path);
  } catch (error) {
    if (write || !(error instanceof ContextError) || error.code !== "STORE_LOCKED") throw error;
    const reader = openStore(path, { readonly: true });
    return { ...reader, answers: { ...reader.answers, put() {} } };
  }
}

/** Puts a backup in the store's place. @throws ContextError STORE_LOCKED, STORE_DAMAGED, FILE_NOT_FOUND */
export async function restoreStore(file: string, dataDir: string): Promise<void> {
  await putBack(join(dataDir, STORE_FILE), file);
}

/** Builds the daemon's parts once and joins them; the store is closed with the app. */
export function createApp(options: AppOptions): App {
  const { manifest, root, store, env, log } = options;
  const fixed = manifest.now === undefined ? null : new Date(manifest.now);
  const realNow = options.now ?? (() => new Date());
  const now = (): Date => fixed ?? realNow();
  const clock = (): number => performance.now();
  const newId = (): string => randomUUID().replaceAll("-", "").slice(0, 16);

  const telemetry = configuredTelemetry(manifest.telemetry, env, {
    fetch,
    log,
    version: options.version ?? "0",
    now: realNow,
    clock,
    randomHex: (bytes) => randomBytes(bytes).toString("hex"),
  });
  const { spans } = telemetry;

  const graph = new KnowledgeGraph();
  const extractor = createTier1();
  const hints = (): IndexDeps["hints"] => ({
    aliases: manifest.aliases,
    sourcePaths: manifest.sourcePaths,
    undo: [...manifest.merges.undo, ...undone(store)],
  });
  openGraph({ store, extractor, hints: hints(), graph });
  const closing = new AbortController();

  const modelOptions = {
    root,
    threads: THREADS,
    cacheDir: join(dirname(store.path), "models"),
    openai: { baseUrl: env.CONTEXTD_LLM_BASE_URL || manifest.llm?.baseUrl || null, apiKey: env.OPENAI_API_KEY ?? "" },
  };
  const models = openModels(manifest.models, modelOptions);
  const { embedder, reranker } = models;
  const chroma = (model: Embedder): Index =>
    new ChromaIndex({ url: env.CHROMA_URL || DEFAULT_CHROMA_URL, store, embedder: model, name: manifest.name });
  const embedding = openEmbedding({
    store,
    setting: manifest.models.embedding,
    configured: embedder,
    options: modelOptions,
    engine: manifest.engines.vector === "chroma" ? chroma : null,
    log,
  });
  const vectors: Index =
    manifest.engines.vector === "chroma" ? chroma(embedding.embedder) : new EmbeddedVectorIndex({ store, embedder: embedding.embedder });
  const llm = configuredLlm(manifest, env, { store, now: realNow, random: Math.random, spans });
  const io = { fetch, root };
  const web = manifest.webSearch === undefined ? null : createWebSearch(manifest.webSearch, { fetch, log, now: realNow });
  const generation = (): string => store.meta.get("index.generation") ?? "0";

  // nothing found in an empty index is no refusal: it says nothing about the sources
  let indexedOnce = false;
  const isEmpty = (): boolean => {
    // records without a finished run are not in the graph yet
    indexedOnce ||= store.records.count() > 0 && lastEnded(store) !== undefined;
    return !indexedOnce;
  };
  /** A question that comes during the first run waits for its end, for a while. */
  const untilIndexed = async (signal: AbortSignal): Promise<void> => {
    const until = clock() + FIRST_RUN_WAIT_MS;
    while (isEmpty() && runningOn(store) !== null && clock() < until) await wait(FIRST_RUN_LOOK_MS, undefined, { signal });
    if (isEmpty()) throw nothingIndexed(store);
  };

  const shared: ReadingDeps = {
    name: manifest.name,
    vectors,
    embedder: embedding.embedder,
    reranker,
    answering: {
      models: `${llm?.id ?? "none"} ${manifest.llm?.verifier === true ? "second opinion " : ""}${embedder.id} ${reranker?.id ?? "none"}`,
      minCosine: () => thresholdOf(embedding.embedder.id),
      verify: createVerify({ embedder, words: loadEmbedder("static-256") }),
      complete: llm?.complete ?? null,
      web,
      screened: manifest.llm?.guard === true,
      secondOpinion: manifest.llm?.verifier === true,
      now,
      clock,
      newId,
    },
    changed: options.answering,
    generation,
    spans,
    log,
    untilIndexed,
    notReady: () => (isEmpty() ? [nothingIndexed(store)] : []),
  };
  const whole = createReading(shared, {
    graph,
    reader: store,
    scopes: null,
    coverage: () => coverageOf(store, now(), () => true),
    uploads: true,
  });
  const visibility = configuredVisibility(manifest, root, store);
  const views = new Views({
    store,
    extractor,
    hints,
    names: () => graph.names as ReturnType<typeof extractor.names>,
    visibility,
    generation,
    isRunning: () => runningOn(store) !== null,
    whole: (): Reading => whole,
    reading: (part, scopes, viewer) =>
      createReading(shared, {
        graph: part,
        reader: visibleStore(store, scopes),
        scopes,
        coverage: () => coverageOf(store, now(), (source) => visibility().sees(viewer, source)),
        uploads: uploadsSeen(manifest, viewer),
      }),
    log,
  });

  const indexDeps = (): IndexDeps => ({
    store,
    ...configuredSources(manifest, root, store),
    extractor: extractor as unknown as IndexDeps["extractor"],
    hints: hints(),
    graph: views.foldInto(graph) as unknown as IndexDeps["graph"],
    chunk: chunkRecord,
    chunkerVersion,
    embedder,
    served: embedding.served,
    // the embedded engine reads the store itself
    indexes: vectors instanceof EmbeddedVectorIndex ? [] : [vectors],
    deepener: llm === null ? null : createModelReader(llm.extraction(newId()), llm.id),
    price: (tier, record) => (llm === null ? tierPrices[tier] : llm.recordPrice(tier, record)),
    io,
    spans,
    now: realNow,
    clock,
    newId,
    log,
  });

  const feed = new RunFeed();
  const run = (deps: IndexDeps, given: IndexOptions): ReturnType<App["index"]> =>
    feed.pass(indexRun(deps, given), given.trigger ?? "cli", () => runningOn(store));
  const later = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal });
  const watching = new Watching({
    sources: () => configuredSources(manifest, root, store).sources,
    io: { ...io, now: realNow },
    async run(source, signal) {
      const events = run(indexDeps(), { source, trigger: "watch", signal });
      while (!(await events.next()).done);
    },
    wait: later,
    clock,
    log,
  });
  const pause = new SchedulePause(join(dirname(store.path), PAUSE_FILE));

  return {
    ...whole,
    oidc: manifest.oidc ?? null,
    async as(viewer, signal) {
      // what was made before the first run would be empty after it
      if (isEmpty() && visibility().key(viewer) !== "all") await untilIndexed(signal).catch(() => signal.throwIfAborted());
      return views.as(viewer);
    },
    index(indexOptions: IndexOptions) {
      if (indexOptions.trigger === "start") {
        embedding.leaveToBackground();
        watching.listen();
      }
      return run(indexDeps(), indexOptions);
    },
    async *ingest(paths, signal, name) {
      remember(store, paths, root, name);
      watching.renew();
      // only what is uploaded is named
      return yield* run(indexDeps(), { source: "documents", trigger: name === undefined ? "cli" : "http", signal });
    },
    runs: (limit = 50) => store.runs.list(limit),
    run: (id) => store.runs.get(id),
    get running() {
      return runningOn(store);
    },
    watchRuns: (listener) => feed.watch(listener),
    ingested: () => ingestedByHand(store),
    async *forget(paths, signal) {
      const busy = runningOn(store);
      if (busy !== null) throw new ContextError("INDEX_RUNNING", `Run ${busy.runId} has been going on since ${busy.startedAt}.`);
      unremember(store, paths);
      watching.renew();
      return yield* run({ ...indexDeps(), sources: [] }, { trigger: "cli", signal });
    },
    freshness: () => ({ ...freshnessOf(store, realNow()), paused: pause.since() !== null }),
    manifest: () => store.extractions.manifest(),
    doctor: (signal) =>
      runChecks({ sources: sourcesToCheck(manifest, root, store), store, llm, web, embedder, io, now: realNow, log, signal }),
    async undoMerge(id) {
      if (!graph.names?.merges().some((merge) => merge.id === id)) throw new ContextError("NOT_FOUND", `There is no merge "${id}".`);
      store.meta.set(UNDONE, JSON.stringify([...undone(store), id]));
      const events = run({ ...indexDeps(), sources: [], configured: () => true }, { signal: new AbortController().signal });
      while (!(await events.next()).done);
    },
    spend: () => store.llm.spend(),
    async verify(deep, signal) {
      const steps = verifyIndex({ ...indexDeps(), graph, newGraph: () => new KnowledgeGraph() }, { deep, signal });
      for (;;) {
        const step = await steps.next();
        if (step.done) return step.value.map(({ kind, id, message }) => ({ what: `${kind}: ${message}`, id }));
      }
    },
    async backup(target, signal) {
      await backupStore(store.path, target, signal);
    },
    scheduleStatus() {
      const { cron, timezone, jitterSeconds } = manifest.schedule;
      const pausedSince = pause.since();
      const next = pausedSince === null ? nextDue(manifest.schedule, realNow()) : null;
      const lastRun = store.runs.list(RUNS_LOOKED_AT).find(({ trigger }) => trigger === "schedule") ?? null;
      return { cron, timezone, jitterSeconds, pausedSince, nextRun: next?.toISOString() ?? null, lastRun };
    },
    pauseSchedule: (paused) => pause.set(paused, realNow()),
    schedule() {
      const { failureWebhook } = manifest.schedule;
      const schedule = new Schedule(manifest.schedule, {
        meta: store.meta,
        async run(signal) {
          const events = run(indexDeps(), { trigger: "schedule", signal });
          for (;;) {
            const step = await events.next();
            if (step.done) return step.value;
          }
        },
        async upkeep(signal) {
          log.info({ ...(await upkeep(store, manifest.retention, { now: realNow(), clock, signal })) }, "upkeep done");
        },
        paused: () => pause.since() !== null,
        async notify(problem, signal) {
          if (failureWebhook === undefined) return;
          const notice = noticeOf(problem, manifest.name, realNow().toISOString());
          await postNotice(notice, failureWebhook, { fetch, wait: later, log }, signal);
        },
        now: realNow,
        random: Math.random,
        wait: later,
        log,
      });
      schedule.start();
      embedding.inBackground(indexDeps());
      watching.start();
      void graph.load(closing.signal).catch((err: unknown) => log.error({ err }, "the graph could not be loaded whole"));
      return schedule;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await watching[Symbol.asyncDispose]();
      await telemetry[Symbol.asyncDispose]();
      await embedding[Symbol.asyncDispose]();
      models[Symbol.dispose]();
      store[Symbol.dispose]();
    },
  };
}

const UNDONE = "merges.undone";

/** Merges taken back on the command line; the manifest's own are besides. */
function undone(store: Store): string[] {
  return JSON.parse(store.meta.get(UNDONE) ?? "[]") as string[];
}
