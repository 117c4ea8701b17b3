import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { chunkOf } from "../../../test/support/shapes.ts";
import type { Chunk, Index, SearchFilter } from "../../core/chunk.ts";
import { ContextError } from "../../core/errors.ts";
import type { RecordId } from "../../core/record.ts";
import { openModels } from "../../models/load.ts";
import { openStore } from "../../store/open.ts";
import type { Store } from "../../store/store.ts";
import { ChromaIndex } from "./chroma.ts";
import { EmbeddedVectorIndex } from "./embedded.ts";

/** What every vector engine does; each runs through the same tests. */
const { signal } = new AbortController();
const { embedder } = openModels({ embedding: "static-256", reranker: "none" });

const world: readonly Chunk[] = [
  chunkOf("documents:ops/redis.md", "Redis fails over to its replica."),
  chunkOf("documents:ops/kafka.md", "Kafka consumers lag behind the producers."),
  chunkOf("documents:web/colour.md", "The colour of the dashboard is blue."),
  chunkOf("jira:JR-1", "Redis replica out of memory in production.", { source: "jira", kind: "ticket", updatedAt: "2026-03-09T00:00:00Z" }),
];

interface Engine {
  readonly name: string;
  open(t: TestContext, store: Store): Index | null;
}

let servers = 0;

const engines: readonly Engine[] = [
  { name: "embedded", open: (_, store) => new EmbeddedVectorIndex({ store, embedder }) },
  {
    name: "chroma",
    open(t, store) {
      const url = chromaServer();
      if (url === null) {
        assert.notEqual(process.env.CI, "true", "CI must run the contract against a real Chroma server");
        t.skip("CHROMA_URL names no Chroma server");
        return null;
      }
      return new ChromaIndex({ url, store, embedder, name: `contract-${process.pid}-${++servers}` });
    },
  },
];

/** A real server, as .ci/run starts one; null where none is named. */
function chromaServer(): string | null {
  const url = process.env.CHROMA_URL || null;
  if (url === null && process.env.CI === "true") throw new Error("CHROMA_URL is not set: .ci/run starts a server and names it");
  return url;
}

for (const { name, open } of engines) {
  describe(`vector engine: ${name}`, () => {
    async function filled(t: TestContext, chunks: readonly Chunk[] = world): Promise<{ store: Store; index: Index } | null> {
      const store = openStore(":memory:");
      t.after(() => store[Symbol.dispose]());
      const index = open(t, store);
      if (index === null) return null;
      for (const one of chunks) store.chunks.replace(one.span.record, [one]);
      await index.put(chunks, signal);
      return { store, index };
    }
    const find = async (index: Index, query: string, k = 10, filter: SearchFilter = {}) =>
      (await index.search(query, k, filter, signal)).map(({ chunkId }) => chunkId.slice(0, -2));

    it("finds the nearest first, with their cosines", async (t) => {
      const made = await filled(t);
      if (made === null) return;

      const hits = await made.index.search("Redis fails over to its replica.", 2, {}, signal);

      assert.equal(hits[0]?.chunkId, "documents:ops/redis.md#1");
      assert.ok(Math.abs((hits[0]?.score ?? 0) - 1) < 0.005, `${hits[0]?.score}`);
      assert.equal(hits[1]?.chunkId, "jira:JR-1#1");
      assert.equal(hits.length, 2);
      assert.equal((await find(made.index, "Redis", 100)).length, world.length);
    });

    it("takes the same chunks twice without doubling them, and a changed one in place of the old", async (t) => {
      const made = await filled(t);
      if (made === null) return;
      const { store, index } = made;
      const changed = chunkOf("documents:web/colour.md", "Sentinel promotes a Redis replica.");

      await index.put(world, signal);
      store.chunks.replace(changed.span.record, [changed]);
      await index.put([changed], signal);

      const found = await find(index, "Sentinel promotes a Redis replica.");
      assert.equal(found[0], "documents:web/colour.md");
      assert.equal(found.length, world.length);
    });

    it("no longer finds what was dropped, and drops what it never held without a word", async (t) => {
      const made = await filled(t);
      if (made === null) return;
      const { store, index } = made;

      store.chunks.replace("documents:ops/redis.md", []);
      await index.drop(["documents:ops/redis.md#1", "never:there#1"], signal);

      assert.deepEqual((await find(index, "Redis fails over")).includes("documents:ops/redis.md"), false);
      assert.equal((await find(index, "Redis fails over")).length, world.length - 1);
    });

    it("looks only where the filter lets it", async (t) => {
      const made = await filled(t);
      if (made === null) return;
      const { index } = made;

      assert.deepEqual(await find(index, "Redis", 10, { corpus: "records" }), ["jira:JR-1"]);
      assert.equal((await find(index, "Redis", 10, { corpus: "documents" })).length, 3);
      assert.equal((await find(index, "Redis", 10, { corpus: "all" })).length, 4);
      assert.deepEqual(await find(index, "Redis", 10, { sources: ["jira"] }), ["jira:JR-1"]);
      assert.deepEqual(await find(index, "Redis", 10, { kinds: ["ticket"] }), ["jira:JR-1"]);
      assert.deepEqual(await find(index, "Redis", 10, { since: "2026-03-05T00:00:00Z" }), ["jira:JR-1"]);
      assert.deepEqual((await find(index, "dashboard", 2, { pathPrefix: "ops/" })).sort(), [
        "documents:ops/kafka.md",
        "documents:ops/redis.md",
      ]);
      assert.deepEqual(await find(index, "Redis", 10, { pathPrefix: "nowhere/" }), []);
      assert.deepEqual(await find(index, "Redis", 10, { records: ["jira:JR-1"], corpus: "records" }), ["jira:JR-1"]);
      assert.deepEqual(await find(index, "Redis", 10, { records: [] }), []);
    });

    it("finds only what is visible in the scopes, and as many of it as are asked for", async (t) => {
      const texts = Array.from({ length: 40 }, (_, i) => `Redis fails over to replica ${i}.`);
      const of = (i: number) => `confluence:${i}` as RecordId;
      const made = await filled(
        t,
        texts.map((text, i) => chunkOf(of(i), text, { source: "confluence", kind: "page" })),
      );
      if (made === null) return;
      const { store, index } = made;
      for (const [i, body] of texts.entries()) {
        const fields = { space: i % 10 === 0 ? "OPS" : "HR" };
        const stated = { title: "", url: null, author: null, bot: false, createdAt: null, updatedAt: "2026-03-01T00:00:00Z" };
        const record = { id: of(i), source: "confluence", kind: "page", ...stated, body, proseEnd: body.length, fields } as const;
        store.records.put(record, null, "wiki", "run", stated.updatedAt);
      }
      const scopes = store.scopes
        .all()
        .filter(({ place }) => place === "OPS")
        .map(({ id }) => id);

      assert.deepEqual((await find(index, "Redis fails over", 4, { scopes })).sort(), [of(0), of(10), of(20), of(30)]);
      assert.deepEqual(await find(index, "Redis fails over", 4, { scopes: [] }), []);
    });

    it("takes several hundred chunks at a time", async (t) => {
      const many = Array.from({ length: 450 }, (_, i) => chunkOf(`documents:${i}`, `Note ${i} about the cache of shard ${i % 7}.`));
      const made = await filled(t, many);
      if (made === null) return;

      assert.equal((await find(made.index, "cache of shard 3", 1000)).length, 450);
    });

    it("finds nothing for an empty query, in an empty index, or for no hits", async (t) => {
      const made = await filled(t, []);
      if (made === null) return;

      assert.deepEqual(await find(made.index, "Redis"), []);
      assert.deepEqual(await find(made.index, "  "), []);
      assert.deepEqual(await find(made.index, "Redis", 0), []);
    });

    it("stops on request", async (t) => {
      const made = await filled(t);
      if (made === null) return;

      await assert.rejects(made.index.search("Redis", 5, {}, AbortSignal.abort()));
    });
  });
}

describe("Chroma that is away", () => {
  it("is named with what to do about it", async () => {
    const store = openStore(":memory:");
    const index = new ChromaIndex({ url: "http://127.0.0.1:9", store, embedder });
    const unavailable = (error: unknown) =>
      error instanceof ContextError && error.code === "ENGINE_UNAVAILABLE" && /CHROMA_URL/.test(error.remedy);

    await assert.rejects(index.search("Redis", 5, {}, signal), unavailable);
    await assert.rejects(index.put(world.slice(0, 1), signal), unavailable);
    await assert.rejects(index.drop(["a#1"], signal), unavailable);
    assert.throws(
      () => new ChromaIndex({ url: "not a url", store, embedder }),
      (error) => error instanceof ContextError && error.code === "CONFIG_INVALID",
    );
  });
});
