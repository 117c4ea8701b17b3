/**
 * npm run bench -- search-visible [chunks] [questions] [folder]
 * Search by who sees only a part of a large store: records lie in three places, which hold a hundredth, a tenth and the
 * rest of them; each question is asked by somebody who sees the first one, the first two, and all.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../src/core/connector.ts";
import type { SourceRecord } from "../src/core/record.ts";
import { EmbeddedVectorIndex } from "../src/docsearch/engines/embedded.ts";
import { createSearch } from "../src/docsearch/search.ts";
import { openStore } from "../src/store/open.ts";
import type { Store } from "../src/store/store.ts";
import { buildStore } from "./search/build.ts";
import { chunkOf, questionsOf, seededEmbedder } from "./search/corpus.ts";
import { shown, stopwatch, timeCalls } from "./search/measure.ts";

const [total = 100_000, asked = 100] = process.argv.slice(2, 4).map(Number);
const named = process.argv[4];
const folder = named ?? mkdtempSync(join(tmpdir(), "contextd-bench-"));
const file = join(folder, "bench.db");
const { signal } = new AbortController();
const places = ["board", "team", "all"] as const;

try {
  if (!existsSync(file)) buildStore(file, total);
  using store = openStore(file);
  if (store.records.count() === 0) place(store);
  await measure(store);
} finally {
  if (named === undefined) rmSync(folder, { recursive: true });
}

/** A record for each chunk, without its text: only where it lies is asked for. */
function place(store: Store): void {
  const stated = {
    title: "",
    url: null,
    author: null,
    bot: false,
    createdAt: null,
    updatedAt: "2026-03-01T00:00:00Z",
    body: "",
    proseEnd: 0,
  };
  for (let from = 0; from < total; from += 1000) {
    using tx = store.begin();
    for (let n = from; n < Math.min(total, from + 1000); n++) {
      const space = places[n % 100 === 0 ? 0 : n % 10 === 0 ? 1 : 2];
      const record: SourceRecord = { ...stated, id: chunkOf(n).span.record, source: "confluence", kind: "page", fields: { space } };
      store.records.put(record, null, "wiki", "run", stated.updatedAt);
    }
    tx.commit();
  }
}

async function measure(store: Store): Promise<void> {
  const embedder = seededEmbedder();
  const vectors = new EmbeddedVectorIndex({ store, embedder });
  const search = createSearch({ store, vectors, embedder, reranker: null, log: silent });
  await search("first", {}, signal);
  for (const seen of [1, 2, 3]) {
    const scopes = store.scopes
      .all()
      .filter(({ place }) => places.slice(0, seen).some((one) => one === place))
      .map(({ id }) => id);
    const filter = { scopes };
    const watch = stopwatch();
    await search("first", { filter, rerank: false }, signal);
    console.log(`sees ${store.chunks.count(filter)} of ${total} chunks; first question: ${watch()}`);
    for (const [kind, make] of Object.entries(questionsOf(total))) {
      console.log(`  ${kind}: fused ${shown(await timeCalls(asked, (n) => search(make(n), { filter, rerank: false }, signal)))}`);
    }
  }
}
