import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { openStore } from "../../src/store/open.ts";
import { chunkOf, vectorOf } from "./corpus.ts";
import { stopwatch } from "./measure.ts";

const page = 1000;

/** Writes the generated corpus through the product's own tables, as an index run does. */
export function buildStore(file: string, total: number): void {
  using store = openStore(file);
  let watch = stopwatch();
  for (let at = 0; at < total; at += page) {
    using tx = store.begin();
    const chunks = Array.from({ length: Math.min(page, total - at) }, (_, i) => chunkOf(at + i));
    for (const one of chunks) store.chunks.replace(one.span.record, [one]);
    store.vectors.put(
      "seeded",
      chunks.map(({ id: chunkId }, i) => ({ chunkId, vector: vectorOf(at + i) })),
    );
    tx.commit();
  }
  console.log(`${total} chunks written: ${watch()}`);
  watch = stopwatch();
  while (store.chunks.optimise());
  while (store.vectors.optimise("seeded"));
  console.log(`indexes finished: ${watch()}; ${diskMb(file).toFixed(0)} MB on disk`);
}

/** The store's file and what stands beside it. */
export function diskMb(file: string): number {
  const folder = dirname(file);
  return readdirSync(folder).reduce((total, name) => total + statSync(join(folder, name)).size, 0) / 1e6;
}
