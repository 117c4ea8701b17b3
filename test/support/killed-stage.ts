// A process of its own that starts an index run and kills itself in one of its stages: killed-stage.ts STORE FOLDER STAGE BATCH.
// "embedding" is the inside of the model's nth batch; the others die right after a stage has shown its nth one.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder, Index } from "../../src/core/chunk.ts";
import type { IndexDeps, IndexSource } from "../../src/indexing/deps.ts";
import { indexRun } from "../../src/indexing/run.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { indexDeps, page } from "./indexing.ts";

/** Enough for three batches of each stage: pages of 40 records, 50 read at a time, 32 embedded at a time, 200 sent. */
const records = Array.from({ length: 120 }, (_, n) => page(String(n), `Notes ${n}`, `worker-${n} depends on store-${n % 7}. Queue ${n}.`));

const source: IndexSource = {
  label: "pages",
  kind: "records",
  async *pull(_io, cursor) {
    for (let at = Number(cursor ?? 0) % records.length; at < records.length; at += 40) {
      for (const record of records.slice(at, at + 40)) yield { type: "record", record, raw: null };
      yield { type: "checkpoint", cursor: String(at + 40) };
    }
    yield { type: "end", scan: "full" };
  },
};

/** Two numbers of a text's length. */
export function encoder(onBatch: () => void = () => {}): Embedder {
  return {
    id: "lengths",
    dimensions: 2,
    async embed(texts) {
      onBatch();
      return texts.map(({ length }) => Float32Array.of(Math.cos(length), Math.sin(length)));
    },
  };
}

/** An engine that keeps a file for each chunk, and so what it took in before a death. */
function engine(folder: string): Index {
  mkdirSync(folder, { recursive: true });
  const file = (id: string): string => join(folder, encodeURIComponent(id));
  return {
    name: "files",
    async put(chunks) {
      for (const { id, text } of chunks) writeFileSync(file(id), text);
    },
    async drop(ids) {
      for (const id of ids) rmSync(file(id), { force: true });
    },
    search: () => Promise.resolve([]),
    count: () => Promise.resolve(readdirSync(folder).length),
  };
}

export function stagedDeps(store: Store, folder: string, embedder = encoder()): IndexDeps & ReturnType<typeof indexDeps> {
  return indexDeps(store, [source], { embedder, indexes: [engine(folder)] }) as IndexDeps & ReturnType<typeof indexDeps>;
}

if (import.meta.main) {
  const [path = "", folder = "", stage = "", batch = ""] = process.argv.slice(2);
  let left = Number(batch);
  const die = (at: string): void => {
    if (at === stage) left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
  using store = openStore(path);
  const deps = stagedDeps(
    store,
    folder,
    encoder(() => die("embedding")),
  );
  for await (const event of indexRun(deps, { signal: new AbortController().signal })) if (event.type === "progress") die(event.stage);
}
