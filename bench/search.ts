/**
 * npm run bench -- search [chunks] [questions] [folder]
 * Builds a store of generated chunks (search/corpus.ts) through the product's own tables, in the folder when one is
 * named (what is built there is used again), then opens it in a process of its own and asks. Percentiles of BM25,
 * vectors and both fused, without reranking; memory, disk, times of building, opening and updating. Targets: p95 of
 * the fused search 20 ms at 100,000 and 50 ms at 1,000,000 chunks, questions of the commonest words 100 ms, RssAnon
 * 1.5 GB, start 2 s.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../src/core/connector.ts";
import { EmbeddedVectorIndex } from "../src/docsearch/engines/embedded.ts";
import { createSearch } from "../src/docsearch/search.ts";
import { openStore } from "../src/store/open.ts";
import { buildStore, diskMb } from "./search/build.ts";
import { chunkOf, questionsOf, seededEmbedder, textOf, vectorOf } from "./search/corpus.ts";
import { memory, shown, stopwatch, timeCalls } from "./search/measure.ts";

const [total = 100_000, asked = 200] = process.argv.slice(2, 4).map(Number);
const named = process.argv[4];
const measuring = process.argv[5] === "measure";
const folder = named ?? mkdtempSync(join(tmpdir(), "contextd-bench-"));
const file = join(folder, "bench.db");

try {
  if (measuring) await measure();
  else {
    if (!existsSync(file)) buildStore(file, total);
    spawnSync(process.execPath, [import.meta.filename, String(total), String(asked), folder, "measure"], { stdio: "inherit" });
  }
} finally {
  if (named === undefined) rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const { signal } = new AbortController();
  const embedder = seededEmbedder();
  const questions = questionsOf(total);

  const watch = stopwatch();
  using store = openStore(file);
  console.log(`opened: ${watch()}`);
  const vectors = new EmbeddedVectorIndex({ store, embedder });
  const search = createSearch({ store, vectors, embedder, reranker: null, log: silent });
  const { timings } = await search("first", {}, signal);
  console.log(`first answer: ${watch()} after the start (BM25 ${ms(timings.bm25)}, vectors ${ms(timings.vector)})`);
  console.log(`${memory()}; ${diskMb(file).toFixed(0)} MB on disk`);

  for (const [kind, make] of Object.entries(questions)) {
    // fused first, so that nothing of its questions was read before
    for (const [system, run] of [
      ["fused", (query: string) => search(query, { rerank: false }, signal)],
      ["bm25", (query: string) => store.chunks.matchWords([query], 50, {})],
      ["vectors", (query: string) => vectors.search(query, 50, {}, signal)],
    ] as const) {
      console.log(`${kind}: ${system} ${shown(await timeCalls(asked, (n) => run(make(n))))}`);
    }
  }
  console.log(memory());

  const changed = await timeCalls(Math.min(asked, 50), (n) => {
    using tx = store.begin();
    const chunk = chunkOf(n * 7, `${textOf(n * 7)} changed ${Math.floor(performance.now())}`);
    store.chunks.replace(chunk.span.record, [chunk]);
    store.vectors.put(embedder.id, [{ chunkId: chunk.id, vector: vectorOf(n) }]);
    tx.commit();
  });
  console.log(`one record changed: ${shown(changed)}`);
  console.log(
    `fused right after: ${shown(await timeCalls(20, (n) => search(questions["5 words"]?.(n) ?? "", { rerank: false }, signal)))}`,
  );
}

function ms(time = 0): string {
  return `${time.toFixed(0)} ms`;
}
