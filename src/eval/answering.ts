import { randomUUID } from "node:crypto";
import { type Ask, createAsk } from "../answer/ask.ts";
import { documentGatherer } from "../answer/documents.ts";
import type { Thresholds } from "../answer/quote.ts";
import type { Answer } from "../core/answer.ts";
import { cleanText } from "../core/body.ts";
import type { Embedder, Reranker, Search } from "../core/chunk.ts";
import type { Instant, RecordId, SourceRecord } from "../core/record.ts";
import { chunkRecord } from "../docsearch/chunk.ts";
import { EmbeddedVectorIndex } from "../docsearch/engines/embedded.ts";
import { createSearch } from "../docsearch/search.ts";
import { loadEmbedder, openModels } from "../models/load.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { createVerify } from "../verify/verify.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import type { SuiteOptions } from "./suite.ts";

export interface EvalDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface AnsweringWorld extends Disposable {
  readonly store: Store;
  readonly search: Search;
  readonly ask: Ask;
  /** One question to its end, without the answer cache. */
  answer(question: string): Promise<Answer>;
}

export interface EvalModels extends Disposable {
  readonly embedder: Embedder;
  readonly reranker: Reranker | null;
  /** Vectors of single words, for the verifier. */
  readonly words: Embedder;
}

/** The bundled models, vectors cached in the suite's folder. */
export function evalModels({ cacheDir }: Pick<SuiteOptions, "cacheDir">): EvalModels {
  const models = openModels({ embedding: "bundled", reranker: "bundled" }, { threads: 1 });
  return {
    embedder: cachedEmbedder(models.embedder, cacheDir),
    reranker: models.reranker,
    words: loadEmbedder("static-256"),
    [Symbol.dispose]: () => models[Symbol.dispose](),
  };
}

const LOADED_AT = "2026-01-01T00:00:00Z";

/** Record id of a document of the data. */
export function recordIdOf(document: string): RecordId {
  return `documents:${document}`;
}

/** A document of the data as a record. */
export function documentRecord(
  document: string,
  title: string,
  { body, proseEnd }: Pick<SourceRecord, "body" | "proseEnd">,
  updatedAt: Instant,
): SourceRecord {
  return {
    id: recordIdOf(document),
    source: "documents",
    kind: "file",
    title,
    url: null,
    author: null,
    bot: false,
    createdAt: null,
    updatedAt,
    body,
    proseEnd,
    fields: {},
  };
}

/**
 * Documents indexed as the daemon does it, in memory: chunks, words, vectors, search, reranking, and the whole life of a question
 * over them.
 */
export async function answeringWorld(
  documents: readonly EvalDocument[],
  models: EvalModels,
  options: Pick<SuiteOptions, "complete" | "log" | "signal" | "progress">,
  thresholds: Partial<Thresholds> = {},
): Promise<AnsweringWorld> {
  const { embedder, reranker } = models;
  const store = openStore(":memory:");
  const vectors = new EmbeddedVectorIndex({ store, embedder });
  for (const [at, document] of documents.entries()) {
    const body = cleanText(document.text);
    const record = documentRecord(document.id, document.title, { body, proseEnd: body.length }, LOADED_AT);
    store.records.put(record, null, "eval", "eval", LOADED_AT);
    const { added } = store.chunks.replace(record.id, chunkRecord(record));
    await vectors.put(added, options.signal);
    options.progress("index", at + 1, documents.length);
  }
  const search = createSearch({ store, vectors, embedder, reranker, log: options.log });
  const ask = createAsk({
    agent: null,
    documents: documentGatherer({ search, embedder, thresholds }),
    revision: (id) => store.records.hash(id),
    chunkAt: (record, start, end) => store.chunks.at(record, start, end),
    answers: store.answers,
    generation: () => "1",
    models: embedder.id,
    coverage: () => [],
    complete: options.complete,
    verify: createVerify({ embedder, words: models.words }),
    now: () => new Date(LOADED_AT),
    clock: () => performance.now(),
    newId: () => randomUUID().replaceAll("-", "").slice(0, 16),
  });
  const { signal } = options;
  return {
    store,
    search,
    ask,
    async answer(question) {
      const run = ask(question, { signal, cache: false, corpus: "documents" });
      for (;;) {
        const step = await run.next();
        if (step.done === true) return step.value;
      }
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
