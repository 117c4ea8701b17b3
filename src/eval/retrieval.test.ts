import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { Embedder, Reranker } from "../core/chunk.ts";
import { silent } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import { measureRetrieval, retrieval } from "./retrieval.ts";

const corpus = [
  { _id: "short", title: "", text: "Redis fails over to its replica." },
  // two chunks of five tokens each name redis
  { _id: "long", title: "", text: "Sentinel promotes the redis replica. Then clients of redis reconnect." },
  { _id: "kafka", title: "Kafka", text: "Consumers of kafka lag behind." },
  { _id: "queue", title: "Queue", text: "Its consumers were restarted." },
  { _id: "blue", title: "", text: "The dashboard is blue." },
];
const queries = [
  { _id: "q1", text: "redis replica" },
  { _id: "q2", text: "kafka consumers" },
  { _id: "unjudged", text: "dashboard" },
];
const qrels = "query-id\tcorpus-id\tscore\nq1\tshort\t1\nq1\tlong\t2\nq2\tqueue\t1\nq2\tkafka\t0\n";

async function collection(t: TestContext): Promise<{ path: string; cacheDir: string }> {
  const path = await mkdtemp(join(tmpdir(), "contextd-retrieval-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFile(join(path, "corpus.jsonl"), lines(corpus));
  await writeFile(join(path, "queries.jsonl"), lines(queries));
  await writeFile(join(path, "qrels.tsv"), qrels);
  const cacheDir = await mkdtemp(join(tmpdir(), "contextd-retrieval-"));
  t.after(() => rm(cacheDir, { recursive: true, force: true }));
  return { path, cacheDir };
}

const options = { log: silent, signal: new AbortController().signal, progress() {} };

/** A dimension for each of a few words, counted. */
const words = ["redis", "replica", "kafka", "consumers", "dashboard"];
const embedder: Embedder = {
  id: "words",
  dimensions: words.length,
  embed: async (texts) =>
    texts.map((text) => {
      const counts = words.map((word) => text.toLowerCase().split(word).length - 1);
      return Float32Array.from(counts, (count) => count / (Math.hypot(...counts) || 1));
    }),
};
/** Takes what speaks of a sentinel, or asked for kafka of a queue, for the best. */
const reranker: Reranker = {
  id: "sentinel",
  rerank: async (query, candidates) =>
    candidates.map(({ text }) => ((query.includes("redis") ? /sentinel/i : /queue/i).test(text) ? 1 : 0)),
};

const near = (found: number, expected: number, what: string) =>
  assert.ok(Math.abs(found - expected) < 1e-9, `${what}: ${found}, not ${expected}`);

describe("the retrieval suite", () => {
  it("scores each system by hand-computed figures, over judged queries and documents", async (t) => {
    const folders = await collection(t);

    const { queries, systems, rankings, ndcg10 } = await measureRetrieval(
      { ...options, ...folders },
      { embedder, reranker, chunkSize: { size: 5, overlap: 0 } },
    );

    assert.equal(queries, 2);
    for (const system of ["bm25", "vector", "rrf", "rerank"] as const) {
      const ranked = [...(rankings[system].get("q1") ?? [])];
      assert.deepEqual(ranked.slice(0, 2).sort(), ["long", "short"], `${system}: each document once`);
      assert.equal(new Set(ranked).size, ranked.length);
      assert.equal(rankings[system].has("unjudged"), false);
      assert.equal(systems[system].recall10, 1, system);
      assert.ok(systems[system].p95Ms >= systems[system].p50Ms && systems[system].p50Ms >= 0);
    }
    // "kafka" and "consumers" stand in one, "consumers" alone in the judged one: second place
    assert.deepEqual(rankings.vector.get("q2")?.slice(0, 2), ["kafka", "queue"]);
    assert.deepEqual(rankings.bm25.get("q2"), ["kafka", "queue"]);
    near(ndcg10.vector[1] ?? 0, 1 / Math.log2(3), "nDCG of a second place");
    // q1: in either order the first place is judged relevant
    near(systems.vector.mrr10, (1 + 1 / 2) / 2, "MRR");
    // the reranker brings the better judged one first
    assert.deepEqual(rankings.rerank.get("q1")?.slice(0, 2), ["long", "short"]);
    assert.deepEqual(rankings.rerank.get("q2")?.slice(0, 2), ["queue", "kafka"]);
    near(systems.rerank.ndcg10, 1, "nDCG of the ideal order");
    near(systems.rerank.mrr10, 1, "MRR of the ideal order");
    const worse = (1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3));
    const first = rankings.rrf.get("q1")?.[0];
    near(ndcg10.rrf[0] ?? 0, first === "long" ? 1 : worse, "nDCG with grades");
  });

  it("prints a table and run files with the bundled models, and keeps their vectors", async (t) => {
    const folders = await collection(t);

    const { figures, table, files } = await retrieval.run({ ...options, ...folders, complete: null });

    assert.equal(figures.queries, 2);
    assert.deepEqual(
      table.map(([system]) => system),
      ["", "bm25", "vector", "rrf", "rerank"],
    );
    assert.deepEqual(Object.keys(files ?? {}), ["bm25.run", "vector.run", "rrf.run", "rerank.run"]);
    const lines = files?.["rerank.run"]?.trim().split("\n") ?? [];
    assert.ok(
      lines.every((line) => /^q[12] Q0 (?:short|long|kafka|queue|blue) \d+ [01]\.\d{6} rerank$/.test(line)),
      lines.join("\n"),
    );
    assert.match(lines[0] ?? "", /^q1 Q0 (?:short|long) 1 1\.000000 rerank$/);
    assert.equal((await readdir(folders.cacheDir)).length, 1);
  });

  it("names what a folder lacks, and the line that is no row", async (t) => {
    const { path, cacheDir } = await collection(t);
    const run = () => measureRetrieval({ ...options, path, cacheDir }, { embedder, reranker: null });
    const says = (words: RegExp) => (error: unknown) =>
      error instanceof ContextError && error.code === "USAGE" && words.test(error.message);

    await writeFile(join(path, "corpus.jsonl"), '{"_id": "a", "text": "x"}\n{"_id": 7}\n');
    await assert.rejects(run(), says(/Line 2 of .*corpus\.jsonl/));
    await rm(join(path, "qrels.tsv"));
    await assert.rejects(run(), says(/has no qrels\.tsv/));
  });
});
