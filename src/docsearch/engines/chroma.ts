import { createHash } from "node:crypto";
import { ChromaClient, ChromaNotFoundError, type Collection, type Where } from "chromadb";
import type { Chunk, Embedder, Hit, Index, SearchFilter } from "../../core/chunk.ts";
import { ContextError } from "../../core/errors.ts";
import { passageText } from "../../core/passage.ts";
import type { RecordId } from "../../core/record.ts";
import { documentSources, startsWith } from "../filter.ts";
import type { VectorStore } from "../search-store.ts";

export interface ChromaDeps {
  /** The server, "http://127.0.0.1:8000". */
  readonly url: string;
  readonly store: {
    readonly vectors: Pick<VectorStore, "get" | "put">;
    /** The server knows nothing of who may see what. */
    readonly scopes: { sees(scopes: readonly number[], record: RecordId): boolean };
  };
  readonly embedder: Embedder;
  /** Begins the collections' names, so that several worlds can share a server. */
  readonly name?: string;
  /** Sent with each request, for a server behind a login. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Chunks sent in one request. */
const batch = 200;
/** Most hits one query may ask the server for. */
const mostHits = 10_000;

/**
 * Vectors in a Chroma server, one collection for each embedding model. Chroma only ever gets vectors that are already
 * made; the store stays the truth, and what could not be sent waits in its outbox.
 * @throws ContextError ENGINE_UNAVAILABLE from every method when the server is away or answers with an error
 */
export class ChromaIndex implements Index {
  readonly name = "chroma";
  readonly #client: ChromaClient;
  readonly #deps: ChromaDeps;
  #collection: Promise<Collection> | null = null;
  #opened = "";

  constructor(deps: ChromaDeps) {
    this.#deps = deps;
    const { hostname, port, protocol } = parse(deps.url);
    const ssl = protocol === "https:";
    this.#client = new ChromaClient({
      host: hostname,
      port: port === "" ? (ssl ? 443 : 80) : Number(port),
      ssl,
      ...(deps.headers === undefined ? {} : { headers: { ...deps.headers } }),
    });
  }

  /** Name of the collection that this model's vectors are in. */
  get collectionName(): string {
    const model = createHash("sha256").update(this.#deps.embedder.id).digest("hex").slice(0, 12);
    return `${(this.#deps.name ?? "contextd").replace(/[^\w-]+/g, "-").slice(0, 40)}-${model}`;
  }

  async put(chunks: readonly Chunk[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < chunks.length; at += batch) {
      const some = chunks.slice(at, at + batch);
      const vectors = await this.#vectorsOf(some, signal);
      await this.#ask(signal, (collection) =>
        collection.upsert({
          ids: some.map(({ id }) => id),
          embeddings: vectors.map((vector) => [...vector]),
          metadatas: some.map(metadataOf),
        }),
      );
    }
  }

  async drop(chunkIds: readonly string[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < chunkIds.length; at += batch) {
      await this.#ask(signal, (collection) => collection.delete({ ids: chunkIds.slice(at, at + batch) }));
    }
  }

  async search(query: string, k: number, filter: SearchFilter, signal: AbortSignal): Promise<readonly Hit[]> {
    if (query.trim() === "" || k < 1 || isEmpty(filter)) return [];
    const [vector] = await this.#deps.embedder.embed([query], "query", signal);
    if (vector === undefined) return [];
    const where = whereOf(filter);
    const { scopes } = this.#deps.store;
    const passes = (record: RecordId): boolean =>
      (filter.pathPrefix === undefined || startsWith(record, filter.pathPrefix)) &&
      (filter.scopes === undefined || scopes.sees(filter.scopes, record));
    // Chroma has no condition on the beginning of a text or on who may see it: more is asked for until enough passes
    for (let asked = Math.min(k, mostHits); ; asked = Math.min(asked * 4, mostHits)) {
      const { ids, distances, metadatas } = await this.#ask(signal, (collection) =>
        collection.query({
          queryEmbeddings: [[...vector]],
          nResults: asked,
          include: ["distances", "metadatas"],
          ...(where === null ? {} : { where }),
        }),
      );
      const found = (ids[0] ?? []).map((chunkId, i) => ({
        chunkId,
        score: 1 - (distances[0]?.[i] ?? 1),
        record: String(metadatas[0]?.[i]?.record ?? "") as RecordId,
      }));
      const hits = found.filter(({ record }) => passes(record));
      if (hits.length >= k || found.length < asked || asked === mostHits) {
        return hits.slice(0, k).map(({ chunkId, score }) => ({ chunkId, score }));
      }
    }
  }

  /** Chunks that the server holds for this model; none when its data was lost. */
  count(signal: AbortSignal): Promise<number> {
    return this.#ask(signal, (collection) => collection.count());
  }

  async #vectorsOf(chunks: readonly Chunk[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { store, embedder } = this.#deps;
    const known = store.vectors.get(
      embedder.id,
      chunks.map(({ id }) => id),
    );
    const missing = chunks.filter(({ id }) => !known.has(id));
    const made = missing.length === 0 ? [] : await embedder.embed(missing.map(passageText), "passage", signal);
    const rows = missing.flatMap(({ id: chunkId }, i) => (made[i] === undefined ? [] : [{ chunkId, vector: made[i] }]));
    store.vectors.put(embedder.id, rows);
    const all = new Map([...known, ...rows.map(({ chunkId, vector }) => [chunkId, vector] as const)]);
    return chunks.map(({ id }) => all.get(id) ?? new Float32Array(embedder.dimensions));
  }

  async #ask<T>(signal: AbortSignal, request: (collection: Collection) => Promise<T>): Promise<T> {
    if (signal.aborted) throw stopped();
    const stop = Promise.withResolvers<never>();
    const abort = () => stop.reject(stopped());
    signal.addEventListener("abort", abort, { once: true });
    try {
      const attempt = () => Promise.race([stop.promise, this.#open().then(request)]);
      return await attempt().catch((error: unknown) => {
        if (!(error instanceof ChromaNotFoundError)) throw error;
        // the collection was removed, or the server replaced: an empty one takes its place until the next run fills it
        this.#collection = null;
        return attempt();
      });
    } catch (error) {
      this.#collection = null;
      throw error instanceof ContextError ? error : this.#away(error);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #open(): Promise<Collection> {
    const name = this.collectionName;
    if (name !== this.#opened) this.#collection = null;
    this.#opened = name;
    this.#collection ??= this.#client.getOrCreateCollection({
      name,
      embeddingFunction: null,
      configuration: { hnsw: { space: "cosine" } },
      metadata: { model: this.#deps.embedder.id },
    });
    return this.#collection;
  }

  #away(cause: unknown): ContextError {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    return new ContextError("ENGINE_UNAVAILABLE", `Chroma at ${this.#deps.url} cannot be used: ${reason}`, {
      cause,
      remedy: "Start the Chroma server, check CHROMA_URL, or set engines.vector back to embedded. What it missed is sent by the next run.",
    });
  }
}

function stopped(): ContextError {
  return new ContextError("CANCELLED", "Stopped on request.");
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch (cause) {
    throw new ContextError("CONFIG_INVALID", `CHROMA_URL is no URL: ${url}`, { cause });
  }
}

function metadataOf({ span, source, kind, updatedAt }: Chunk): Record<string, string | number> {
  return { record: span.record, source, kind, updatedAt: seconds(updatedAt) };
}

function seconds(instant: string): number {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? 0 : time / 1000;
}

/** A filter that names an empty list lets nothing through; Chroma takes no empty list. */
function isEmpty({ sources, kinds, records }: SearchFilter): boolean {
  return [sources, kinds, records].some((list) => list?.length === 0);
}

function whereOf(filter: SearchFilter): Where | null {
  const conditions: Where[] = [];
  if (filter.corpus === "documents") conditions.push({ source: { $in: [...documentSources] } });
  if (filter.corpus === "records") conditions.push({ source: { $nin: [...documentSources] } });
  if (filter.sources !== undefined) conditions.push({ source: { $in: [...filter.sources] } });
  if (filter.kinds !== undefined) conditions.push({ kind: { $in: [...filter.kinds] } });
  if (filter.records !== undefined) conditions.push({ record: { $in: [...filter.records] } });
  if (filter.since !== undefined) conditions.push({ updatedAt: { $gte: seconds(filter.since) } });
  const [only] = conditions;
  if (only === undefined) return null;
  return conditions.length === 1 ? only : { $and: conditions };
}
