import { composeBody } from "../core/body.ts";
import type { Embedder, Reranker, Search } from "../core/chunk.ts";
import { passageText } from "../core/passage.ts";
import type { SourceRecord } from "../core/record.ts";
import { type ChunkSize, chunkRecord, defaultChunkSize } from "../docsearch/chunk.ts";
import { EmbeddedVectorIndex } from "../docsearch/engines/embedded.ts";
import { createSearch } from "../docsearch/search.ts";
import type { SearchSettings } from "../docsearch/settings.ts";
import { openModels } from "../models/load.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { documentRecord, recordIdOf } from "./answering.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import { type IrCollection, readCollection } from "./ir-collection.ts";
import { type IrFigures, irFigures, mean, percentile } from "./ir-metrics.ts";
import type { Suite, SuiteOptions } from "./suite.ts";

const systems = ["bm25", "vector", "rrf", "rerank"] as const;
type System = (typeof systems)[number];

type SystemFigures = IrFigures & { readonly p50Ms: number; readonly p95Ms: number };

/** Chunks asked for: many chunks of one document must not push the others out of its first 50. */
const chunksAsked = 300;
const documentsKept = 100;
const page = 500;

export interface RetrievalParts {
  readonly embedder: Embedder;
  readonly reranker: Reranker | null;
  readonly chunkSize?: ChunkSize;
  readonly settings?: Partial<SearchSettings>;
}

export interface RetrievalResult {
  readonly queries: number;
  readonly systems: Readonly<Record<System, SystemFigures>>;
  /** Documents by query, best first. */
  readonly rankings: Readonly<Record<System, ReadonlyMap<string, readonly string[]>>>;
  /** nDCG@10 by query, for paired tests. */
  readonly ndcg10: Readonly<Record<System, readonly number[]>>;
}

/** Recall and ranking of each stage of search over a judged collection. */
export const retrieval: Suite = {
  name: "retrieval",
  about: "corpus.jsonl {_id, title, text}, queries.jsonl {_id, text}, qrels.tsv (query-id, corpus-id, score)",

  async run(options) {
    using models = openModels({ embedding: "bundled", reranker: "bundled" });
    const result = await measureRetrieval(options, models);
    const shown = (value: number) => value.toFixed(3);
    return {
      figures: { queries: result.queries, systems: result.systems },
      table: [
        ["", "nDCG@10", "recall@10", "recall@50", "MRR@10", "p50 ms", "p95 ms"],
        ...systems.map((system) => {
          const { ndcg10, recall10, recall50, mrr10, p50Ms, p95Ms } = result.systems[system];
          return [system, shown(ndcg10), shown(recall10), shown(recall50), shown(mrr10), p50Ms.toFixed(1), p95Ms.toFixed(1)];
        }),
      ],
      files: Object.fromEntries(systems.map((system) => [`${system}.run`, trecRun(system, result.rankings[system])])),
    };
  },
};

/** Indexes the collection as records with the product's own chunker, store and search, then asks every judged query. */
export async function measureRetrieval(
  options: Pick<SuiteOptions, "path" | "cacheDir" | "log" | "signal" | "progress">,
  { embedder, reranker, chunkSize = defaultChunkSize, settings = {} }: RetrievalParts,
): Promise<RetrievalResult> {
  const { signal } = options;
  const collection = readCollection(options.path);
  using store = openStore("");
  index(store, collection, chunkSize, options);
  await embedAll(store, cachedEmbedder(embedder, options.cacheDir), options);

  const vectors = new EmbeddedVectorIndex({ store, embedder });
  const search = createSearch({ store, vectors, embedder, reranker, log: options.log, settings });
  const documentsOf = (chunkIds: readonly string[]) => [...new Set(chunkIds.map(documentOf))].slice(0, documentsKept);
  const run: Record<System, (query: string) => Promise<readonly string[]>> = {
    bm25: async (query) => store.chunks.matchWords([query], chunksAsked, {}).map(({ chunkId }) => chunkId),
    vector: async (query) => (await vectors.search(query, chunksAsked, {}, signal)).map(({ chunkId }) => chunkId),
    rrf: (query) => ids(search, query, false, signal),
    rerank: (query) => ids(search, query, true, signal),
  };

  const embedding = await timeEmbedding(embedder, collection, signal);
  // one system after the other, so that their times do not mix
  const all: (readonly [System, Awaited<ReturnType<typeof runSystem>>])[] = [];
  for (const system of systems) all.push([system, await runSystem(system)]);
  return {
    queries: collection.queries.length,
    systems: pick(all, ({ figures }) => figures),
    rankings: pick(all, ({ rankings }) => rankings),
    ndcg10: pick(all, ({ ndcg10 }) => ndcg10),
  };

  async function runSystem(system: System) {
    const rankings = new Map<string, readonly string[]>();
    const figures: IrFigures[] = [];
    const times: number[] = [];
    for (const [i, { _id, text }] of collection.queries.entries()) {
      const started = performance.now();
      const found = await run[system](text);
      times.push(performance.now() - started + (system === "bm25" ? 0 : (embedding[i] ?? 0)));
      const ranking = documentsOf(found);
      rankings.set(_id, ranking);
      figures.push(irFigures(ranking, collection.judged.get(_id) ?? new Map()));
      options.progress(system, i + 1, collection.queries.length);
    }
    const average = (name: keyof IrFigures) => mean(figures.map((one) => one[name]));
    return {
      rankings,
      ndcg10: figures.map(({ ndcg10 }) => ndcg10),
      figures: {
        ndcg10: average("ndcg10"),
        recall10: average("recall10"),
        recall50: average("recall50"),
        mrr10: average("mrr10"),
        p50Ms: percentile(times, 0.5),
        p95Ms: percentile(times, 0.95),
      },
    };
  }
}

/** Milliseconds that each question's vector takes; later the model remembers it, so it is added to each system's time. */
async function timeEmbedding(embedder: Embedder, { queries }: IrCollection, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  for (const { text } of queries) {
    const started = performance.now();
    await embedder.embed([text], "query", signal);
    times.push(performance.now() - started);
  }
  return times;
}

async function ids(search: Search, query: string, rerank: boolean, signal: AbortSignal): Promise<readonly string[]> {
  const { passages } = await search(query, { k: documentsKept, rerank }, signal);
  return passages.map(({ chunk }) => chunk.id);
}

function index(store: Store, { corpus }: IrCollection, size: ChunkSize, { progress }: Pick<SuiteOptions, "progress">): void {
  for (let at = 0; at < corpus.length; at += page) {
    using tx = store.begin();
    for (const { _id, title, text } of corpus.slice(at, at + page)) {
      const record = toRecord(_id, title, text);
      store.chunks.replace(record.id, chunkRecord(record, size));
    }
    tx.commit();
    progress("index", Math.min(at + page, corpus.length), corpus.length);
  }
  while (store.chunks.optimise());
}

async function embedAll(store: Store, embedder: Embedder, { signal, progress }: Pick<SuiteOptions, "signal" | "progress">): Promise<void> {
  const total = store.chunks.count();
  for (;;) {
    const batch = store.vectors.missing(embedder.id, 64);
    if (batch.length === 0) return;
    const made = await embedder.embed(batch.map(passageText), "passage", signal);
    using tx = store.begin();
    store.vectors.put(
      embedder.id,
      batch.flatMap(({ id: chunkId }, i) => {
        const vector = made[i];
        return vector === undefined ? [] : [{ chunkId, vector }];
      }),
    );
    tx.commit();
    progress("embed", store.vectors.count(embedder.id), total);
  }
}

const prefix = recordIdOf("");

function toRecord(id: string, title: string, text: string): SourceRecord {
  const composed = composeBody(title === "" || text.startsWith(title) ? text : `${title}\n\n${text}`, []);
  return documentRecord(id, title, composed, "1970-01-01T00:00:00Z");
}

function documentOf(chunkId: string): string {
  return chunkId.slice(prefix.length, chunkId.lastIndexOf("#"));
}

function pick<T, R>(all: readonly (readonly [System, T])[], read: (one: T) => R): Record<System, R> {
  return Object.fromEntries(all.map(([system, one]) => [system, read(one)])) as Record<System, R>;
}

/** "query Q0 document rank score system", the score falling with the rank. */
function trecRun(system: System, rankings: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...rankings].flatMap(([query, documents]) =>
    documents.map((document, i) => `${query} Q0 ${document} ${i + 1} ${(1 / (i + 1)).toFixed(6)} ${system}\n`),
  );
  return lines.join("");
}
