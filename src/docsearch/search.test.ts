import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { chunkOf } from "../../test/support/shapes.ts";
import type { Chunk, Embedder, Reranker } from "../core/chunk.ts";
import { type Log, silent } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import { passageText } from "../core/passage.ts";
import { openModels } from "../models/load.ts";
import { openStore } from "../store/open.ts";
import { EmbeddedVectorIndex } from "./engines/embedded.ts";
import { createSearch, type SearchDeps } from "./search.ts";

const { signal } = new AbortController();
const models = openModels({ embedding: "static-256", reranker: "none" });
const bundled = openModels({ embedding: "bundled", reranker: "bundled" });
after(() => bundled[Symbol.dispose]());

async function world(chunks: readonly Chunk[], more: Partial<SearchDeps> = {}, embedder: Embedder = models.embedder) {
  const store = openStore(":memory:");
  for (const one of chunks) store.chunks.replace(one.span.record, [one]);
  const vectors = await embedder.embed(chunks.map(passageText), "passage", signal);
  store.vectors.put(
    embedder.id,
    chunks.map(({ id }, i) => ({ chunkId: id, vector: vectors[i] ?? new Float32Array() })),
  );
  const index = new EmbeddedVectorIndex({ store, embedder });
  const search = createSearch({ store, vectors: index, embedder, reranker: null, log: silent, ...more });
  return { store, index, find: (query: string, k?: number) => search(query, k === undefined ? {} : { k }, signal) };
}

function recordsOf(result: { readonly passages: readonly { readonly chunk: Chunk }[] }): string[] {
  return result.passages.map(({ chunk: { span } }) => span.record);
}

describe("search", () => {
  it("returns a chunk that both lists hold once, with both ranks and the sum of both terms", async () => {
    const { find } = await world([chunkOf("d:1", "Redis fails over to its replica."), chunkOf("d:2", "Kafka lags behind.")]);

    const { passages } = await find("Redis replica failover");

    const ranks = passages[0]?.ranks;
    assert.deepEqual(recordsOf({ passages }), ["d:1", "d:2"]);
    assert.equal(ranks?.bm25Rank, 1);
    assert.equal(ranks?.vectorRank, 1);
    assert.ok(Math.abs((ranks?.rrf ?? 0) - 2 / 61) < 1e-12);
    assert.ok((ranks?.cosine ?? 0) > 0.3);
  });

  it("brings the one chunk that holds the identifier, and none about a look-alike", async () => {
    const alike = Array.from({ length: 400 }, (_, i) =>
      chunkOf(`d:${i}`, `CONF-${2000 + i}: the failover runbook says to promote the replica, step ${i}.`),
    );
    const { find } = await world([
      ...alike,
      chunkOf("d:it", "CONF-1023: appendix, see the other page."),
      chunkOf("d:none", "The failover runbook in general."),
    ]);

    const result = await find("What does the failover runbook CONF-1023 say about promoting the replica?");

    assert.deepEqual(result.identifiers, ["CONF-1023"]);
    assert.deepEqual(result.missing, []);
    assert.equal(recordsOf(result)[0], "d:it");
    assert.deepEqual(
      recordsOf(result).filter((record) => record !== "d:it" && record !== "d:none"),
      [],
    );
    assert.equal(result.passages[0]?.ranks.literal, true);
  });

  it("says which identifier no chunk holds, and does not offer its neighbour", async () => {
    const { find } = await world([chunkOf("d:1", "CSCE 222 meets on Monday."), chunkOf("d:2", "Courses meet in the main building.")]);

    const result = await find("When does CSCE 221 meet?");

    assert.deepEqual(result.missing, ["CSCE 221"]);
    assert.deepEqual(recordsOf(result), ["d:2"]);
  });

  it("finds what a quoted phrase, a file name, a version or a short sha names", async () => {
    const { find } = await world([
      chunkOf("d:phrase", "It says: connection pool exhausted, then stops."),
      chunkOf("d:file", "Edit deploy/checkout.yaml first."),
      chunkOf("d:version", "Release v2.4.1 broke it."),
      chunkOf("d:sha", "Commit a3f8c2d9e1b7c6a5d4e3f2a1b0c9d8e7f6a5b4c3 changed the pool."),
      ...Array.from({ length: 60 }, (_, i) => chunkOf(`d:${i}`, `The pool of connections of checkout, exhausted or not, release ${i}.`)),
    ]);

    for (const [query, record] of [
      ['Who logs "connection pool exhausted"?', "d:phrase"],
      ["What is in checkout.yaml?", "d:file"],
      ["What did version 2.4.1 break?", "d:version"],
      ["What did a3f8c2 change?", "d:sha"],
      ["sha:a3f8c2d9", "d:sha"],
    ] as const) {
      assert.equal(recordsOf(await find(query))[0], record, query);
    }
  });

  it("gives a seat to a chunk that one list alone ranks first", async () => {
    const both = Array.from({ length: 80 }, (_, i) => chunkOf(`d:${i}`, `Restart the payment gateway and wait, note ${i}.`));
    const { find } = await world([...both, chunkOf("d:rare", "zyxgate")], {
      reranker: { id: "by words", rerank: async (_, candidates) => candidates.map(({ bm25 }) => bm25 ?? 0) },
    });

    const result = await find("restart payment zyxgate");

    assert.equal(recordsOf(result)[0], "d:rare");
  });

  it("shows equal texts once", async () => {
    const { find } = await world([
      chunkOf("d:1", "Redis fails over."),
      chunkOf("d:2", "Redis fails over."),
      chunkOf("d:3", "Redis restarts."),
    ]);

    assert.deepEqual(recordsOf(await find("Redis")).sort(), ["d:1", "d:3"]);
  });

  it("goes on by words when the model fails, and says so in the log", async () => {
    const failing: Embedder = {
      id: models.embedder.id,
      dimensions: 256,
      embed: async () => Promise.reject(new ContextError("MODEL_MISSING", "gone")),
    };
    const warnings: object[] = [];
    const log: Log = { ...silent, warn: (fields) => void warnings.push(fields) };
    const { store } = await world([chunkOf("d:1", "Redis fails over.")]);
    const search = createSearch({
      store,
      vectors: new EmbeddedVectorIndex({ store, embedder: failing }),
      embedder: failing,
      reranker: null,
      log,
    });

    const result = await search("Redis", {}, signal);

    assert.deepEqual(recordsOf(result), ["d:1"]);
    assert.equal(result.passages[0]?.ranks.vectorRank, null);
    assert.equal((warnings[0] as { code: string }).code, "MODEL_MISSING");
  });

  it("keeps the fused order when the reranker fails", async () => {
    const reranker: Reranker = { id: "broken", rerank: async () => Promise.reject(new Error("no")) };
    const { find } = await world([chunkOf("d:1", "Redis fails over."), chunkOf("d:2", "Kafka lags.")], { reranker });

    const result = await find("Redis fails");

    assert.deepEqual(recordsOf(result), ["d:1", "d:2"]);
    assert.equal(result.passages[0]?.ranks.rerank, null);
  });

  it("sees chunks that came, changed and went since the last search", async () => {
    const { store, find } = await world([chunkOf("d:1", "Redis fails over."), chunkOf("d:2", "Kafka lags.")]);
    assert.deepEqual(recordsOf(await find("Redis")), ["d:1", "d:2"]);

    store.chunks.replace("d:1", []);
    assert.deepEqual(recordsOf(await find("Redis")), ["d:2"]);

    const again = chunkOf("d:2", "Redis restarts.");
    store.chunks.replace("d:2", [again]);
    const [vector] = await models.embedder.embed([again.text], "passage", signal);
    store.vectors.put(models.embedder.id, [{ chunkId: again.id, vector: vector ?? new Float32Array() }]);
    const { passages } = await find("Redis");
    assert.equal(passages[0]?.chunk.text, "Redis restarts.");
    assert.equal(passages[0]?.ranks.vectorRank, 1);
  });

  it("looks only where the filter lets it", async () => {
    const { store } = await world([
      ...Array.from({ length: 300 }, (_, i) => chunkOf(`documents:${i}`, `Redis fails over, note ${i}.`)),
      chunkOf("jira:JR-1", "Redis fails over in production.", { source: "jira", kind: "ticket" }),
    ]);
    const search = createSearch({
      store,
      vectors: new EmbeddedVectorIndex({ store, embedder: models.embedder }),
      embedder: models.embedder,
      reranker: null,
      log: silent,
    });

    const result = await search("Redis fails over, note 7", { filter: { corpus: "records" } }, signal);

    assert.deepEqual(recordsOf(result), ["jira:JR-1"]);
    assert.equal(result.passages[0]?.ranks.vectorRank, 1);
  });

  it("refuses a query without a word and stops on request", async () => {
    const { find, store } = await world([chunkOf("d:1", "Redis fails over.")]);

    for (const query of ["", "  ", "?", "*"]) {
      await assert.rejects(find(query), (error) => error instanceof ContextError && error.code === "BAD_REQUEST");
    }
    const search = createSearch({
      store,
      vectors: new EmbeddedVectorIndex({ store, embedder: models.embedder }),
      embedder: models.embedder,
      reranker: null,
      log: silent,
    });
    await assert.rejects(search("Redis", {}, AbortSignal.abort()), (error) => error instanceof ContextError && error.code === "CANCELLED");
  });

  it("answers questions that are syntax elsewhere", async () => {
    const { find } = await world([chunkOf("d:1", "JR-441: don't restart; what changed is in a3f8c2.")]);

    for (const query of ["JR-441", "don't", "sha:a3f8c2", "what changed?", '"JR-441"', "(JR-441 OR", "NEAR(JR-441)", "ёлка 数据库 اللغة"]) {
      assert.deepEqual(recordsOf(await find(query)), ["d:1"], query);
    }
  });

  it("ranks the paragraph that answers first with the bundled pair", async () => {
    const { find } = await world(
      [
        chunkOf("d:1", "When the primary is lost, Sentinel promotes a replica within thirty seconds."),
        chunkOf("d:2", "The primary colour of the dashboard can be changed in the settings."),
        chunkOf("d:3", "Replicas of the web tier are scaled by the number of requests."),
      ],
      { reranker: bundled.reranker },
      bundled.embedder,
    );

    const { passages } = await find("What happens if the primary database node goes down?");

    assert.equal(passages[0]?.chunk.span.record, "d:1");
    assert.ok(passages.every(({ ranks }) => ranks.rerank !== null && ranks.cosine !== null));
  });
});
