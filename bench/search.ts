/**
 * npm run bench -- search [chunks] [questions]
 * A store of generated chunks (80 words each by Zipf's law, seeded vectors around 2,000 centres: neither says anything
 * about quality) written through the product's own tables, then opened again and asked. Percentiles of BM25, vectors
 * and both fused, without reranking; memory, disk and times of building and opening. Targets: p95 of the fused search
 * 20 ms at 100,000 and 50 ms at 1,000,000 chunks, questions of the commonest words 100 ms, RssAnon 1.5 GB, start 2 s.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Chunk, Embedder } from "../src/core/chunk.ts";
import type { RecordId } from "../src/core/record.ts";
import { EmbeddedVectorIndex } from "../src/docsearch/engines/embedded.ts";
import { createSearch } from "../src/docsearch/search.ts";
import { openStore } from "../src/store/open.ts";

const [total = 100_000, asked = 200] = process.argv.slice(2).map(Number);
const dimensions = 384;
const page = 1000;
const signal = new AbortController().signal;
const log = { debug() {}, info() {}, warn() {}, error() {} };

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4294967296;
  };
}

const random = generator(1);
const vocabulary = Array.from({ length: 60_000 }, (_, i) => `${"bcdfglmnprst"[i % 12]}${"aeiou"[i % 5]}${i.toString(36)}`);
/** Rank by Zipf's law: the inverse of its distribution function, nearly. */
const zipf = (): string => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? "";
const text = (): string => Array.from({ length: 80 }, zipf).join(" ");

const centres = Array.from({ length: 2000 }, (_, i) => {
  const own = generator(100 + i);
  return Float32Array.from({ length: dimensions }, () => own() - 0.5);
});

function vector(): Float32Array {
  const centre = centres[Math.floor(random() * centres.length)] ?? new Float32Array(dimensions);
  const made = centre.map((component) => component + (random() - 0.5) * 0.8);
  const length = Math.hypot(...made);
  return made.map((component) => component / length);
}

function chunk(i: number): Chunk {
  const record = `documents:${i}` as RecordId;
  const body = text();
  const span = { record, start: 0, end: body.length };
  const more = { heading: [], page: null, revision: "1", title: "", source: "documents", kind: "file", url: null } as const;
  return { id: `${record}#1`, span, ordinal: 1, of: 1, text: body, updatedAt: "2026-03-01T00:00:00Z", ...more };
}

const embedder: Embedder = { id: "seeded", dimensions, embed: async (texts) => texts.map(() => vector()) };
const folder = mkdtempSync(join(tmpdir(), "contextd-bench-"));
const file = join(folder, "bench.db");
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

try {
  let from = performance.now();
  {
    using store = openStore(file);
    for (let at = 0; at < total; at += page) {
      using tx = store.begin();
      const chunks = Array.from({ length: Math.min(page, total - at) }, (_, i) => chunk(at + i));
      for (const one of chunks) store.chunks.replace(one.span.record, [one]);
      const rows = chunks.map(({ id: chunkId }) => ({ chunkId, vector: vector() }));
      store.vectors.put(embedder.id, rows);
      tx.commit();
    }
    console.log(`${total} chunks written in ${seconds(from)}`);
    from = performance.now();
    store.chunks.optimise();
    console.log(`lexical index finished in ${seconds(from)}; ${(statSync(file).size / 1e6).toFixed(0)} MB on disk`);
  }

  from = performance.now();
  using store = openStore(file);
  const vectors = new EmbeddedVectorIndex({ store, embedder });
  const search = createSearch({ store, vectors, embedder, reranker: null, log });
  await search(Array.from({ length: 5 }, zipf).join(" "), {}, signal);
  console.log(`opened, first answer after ${seconds(from)}`);

  const common = vocabulary.slice(0, 20);
  const questions = {
    "5 words": () => Array.from({ length: 5 }, zipf).join(" "),
    "5 of the 20 commonest": () => Array.from({ length: 5 }, () => common[Math.floor(random() * common.length)]).join(" "),
  };
  for (const [name, make] of Object.entries(questions)) {
    for (const [system, run] of [
      ["bm25", async (query: string) => store.chunks.matchWords([query], 200, {})],
      ["vectors", (query: string) => vectors.search(query, 50, {}, signal)],
      ["fused", (query: string) => search(query, { rerank: false }, signal)],
    ] as const) {
      const wall: number[] = [];
      const cpu = process.cpuUsage();
      for (let i = 0; i < asked; i++) {
        const query = make();
        const started = performance.now();
        await run(query);
        wall.push(performance.now() - started);
      }
      const { user, system: kernel } = process.cpuUsage(cpu);
      wall.sort((a, b) => a - b);
      const at = (share: number) => (wall[Math.ceil(share * wall.length) - 1] ?? 0).toFixed(1);
      console.log(
        `${name}: ${system} p50 ${at(0.5)} p95 ${at(0.95)} ms; processor ${((user + kernel) / 1000 / asked).toFixed(1)} ms a question`,
      );
    }
  }
  const anonymous = /RssAnon:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  console.log(`RssAnon ${(Number(anonymous) / 1000).toFixed(0)} MB, RSS ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
} finally {
  rmSync(folder, { recursive: true });
}
