import { randomUUID } from "node:crypto";
import { createAgent } from "../agent/gather.ts";
import { type Ask, createAsk } from "../answer/ask.ts";
import { documentGatherer } from "../answer/documents.ts";
import { quote } from "../answer/quote.ts";
import type { Answer, AskOptions, Gather } from "../core/answer.ts";
import type { Embedder, Reranker, Search } from "../core/chunk.ts";
import type { Log } from "../core/connector.ts";
import type { Complete } from "../core/llm.ts";
import { chunkRecord } from "../docsearch/chunk.ts";
import { EmbeddedVectorIndex } from "../docsearch/engines/embedded.ts";
import { createSearch } from "../docsearch/search.ts";
import { createTier1 } from "../extract/tier1.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { loadEmbedder, openModels } from "../models/load.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { createVerify } from "../verify/verify.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import { readWorld } from "./ground-truth.ts";
import { MemoryBuild } from "./memory-build.ts";

export interface AgentWorld extends Disposable {
  readonly graph: KnowledgeGraph;
  readonly store: Store;
  readonly search: Search;
  readonly agent: Gather;
  readonly ask: Ask;
  /** One question to its end, without the answer cache. */
  answer(question: string, now: Date, options?: Partial<AskOptions>): Promise<Answer>;
}

export interface AgentWorldOptions {
  readonly cacheDir: string;
  readonly complete: Complete | null;
  /** False: words only, no model is loaded. */
  readonly vectors?: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
  progress(stage: string, done: number, total: number): void;
}

const INDEXED_AT = "2026-01-01T00:00:00Z";

/** A world as the daemon would index it, in memory: records, graph, chunks, search, and the whole life of a question. */
export async function agentWorld(folder: string, options: AgentWorldOptions): Promise<AgentWorld> {
  const { log, signal } = options;
  const world = await readWorld(folder, log, signal);
  const build = new MemoryBuild(createTier1(), world.hints);
  build.update(world.records);
  const store = openStore(":memory:");
  const models = options.vectors === false ? null : openModels({ embedding: "bundled", reranker: "bundled" }, { threads: 1 });
  const embedder: Embedder | null = models === null ? null : cachedEmbedder(models.embedder, options.cacheDir);
  const reranker: Reranker | null = models?.reranker ?? null;
  const words = models === null ? null : loadEmbedder("static-256");
  const vectors = embedder === null ? noVectors : new EmbeddedVectorIndex({ store, embedder });
  for (const [at, record] of world.records.entries()) {
    using tx = store.begin();
    store.records.put(record, null, "eval", "eval", INDEXED_AT);
    const { added } = store.chunks.replace(record.id, chunkRecord(record));
    tx.commit();
    await vectors.put(added, signal);
    if (at % 50 === 0) options.progress("index", at + 1, world.records.length);
  }
  const search = createSearch({ store, vectors, embedder, reranker, log });
  const clock = (): number => performance.now();
  const agent = createAgent({
    graph: build.graph,
    generation: () => "1",
    records: store.records,
    chunks: store.chunks,
    search,
    quote: (question, passages, at) => quote(question, passages, { embedder, signal: at }),
    coverage: () => [],
    clock,
  });
  const ask = createAsk({
    agent,
    documents: documentGatherer({ search, embedder, createdAt: (id) => store.records.get(id)?.createdAt ?? null }),
    revision: (id) => store.records.hash(id),
    chunkAt: (record, start, end) => store.chunks.at(record, start, end),
    answers: store.answers,
    generation: () => "1",
    models: embedder?.id ?? "none",
    coverage: () => [],
    complete: options.complete,
    ...(embedder === null || words === null ? {} : { verify: createVerify({ embedder, words }) }),
    now: () => new Date(INDEXED_AT),
    clock,
    newId: () => randomUUID().replaceAll("-", "").slice(0, 16),
  });
  return {
    graph: build.graph,
    store,
    search,
    agent,
    ask,
    async answer(question, now, more = {}) {
      const run = ask(question, { signal, now, cache: false, ...more });
      for (;;) {
        const step = await run.next();
        if (step.done === true) return step.value;
      }
    },
    [Symbol.dispose]() {
      models?.[Symbol.dispose]();
      store[Symbol.dispose]();
    },
  };
}

const noVectors = {
  name: "none",
  put: async (): Promise<void> => {},
  drop: async (): Promise<void> => {},
  search: async (): Promise<[]> => [],
};
