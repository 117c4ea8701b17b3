import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Chunk, Embedder } from "../../core/chunk.ts";
import type { RecordId } from "../../core/record.ts";
import { openStore } from "../../store/open.ts";
import type { Store } from "../../store/store.ts";
import { EmbeddedVectorIndex } from "./embedded.ts";

const model = "seeded";
const dimensions = 20;

function vector(seed: number): Float32Array {
  let state = Math.floor(seed * 2);
  const made = Float32Array.from({ length: dimensions }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return state / 2 ** 31 - 1;
  });
  const length = Math.hypot(...made);
  return made.map((component) => component / length);
}

function chunk(n: number, text = `Passage ${n}`): Chunk {
  const record = `documents:${n}` as RecordId;
  const more = { heading: [], page: null, revision: "r", title: "", source: "documents", kind: "file", url: null } as const;
  const span = { record, start: 0, end: text.length };
  return { id: `${record}#1`, span, ordinal: 1, of: 1, text, updatedAt: "2026-03-01T00:00:00Z", ...more };
}

function put(store: Store, numbers: readonly number[], text?: (n: number) => string): void {
  using tx = store.begin();
  for (const n of numbers) {
    const one = chunk(n, text?.(n));
    store.chunks.replace(one.span.record, [one]);
    store.vectors.put(model, [{ chunkId: one.id, vector: vector(text === undefined ? n : n + 0.5) }]);
  }
  tx.commit();
}

const embedder: Embedder = { id: model, dimensions, embed: () => Promise.resolve([]) };
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** What a fresh index finds, and how many rows it took for it. */
function look(store: Store) {
  const index = new EmbeddedVectorIndex({ store, embedder });
  const hits = [3, 2500, 4500].map((seed) => index.nearest(vector(seed), 20, {}));
  return { hits, size: index.size };
}

describe("vectors kept in blocks", () => {
  it("are found like those read row by row, the ones that came after the last block too", () => {
    using store = openStore(":memory:");
    put(store, numbers(1, 4601));
    const before = look(store);

    while (store.vectors.optimise(model));
    put(store, [20_000]);

    const { chunks, mark } = store.vectors.blocks(model);
    assert.deepEqual([chunks, mark], [4095, { number: 4600, seq: 4095 }]);
    const after = look(store);
    assert.equal(after.size, 4601);
    assert.deepEqual(after.hits, before.hits);
    assert.equal(new EmbeddedVectorIndex({ store, embedder }).nearest(vector(20_000), 1, {})[0]?.chunkId, "documents:20000#1");
  });

  it("do not gather in memory when chunks are rewritten all day", () => {
    using store = openStore(":memory:");
    const index = new EmbeddedVectorIndex({ store, embedder });

    let most = 0;
    for (let round = 1; round <= 8; round += 1) {
      put(store, numbers(1, 1501), (n) => `Passage ${n}, edition ${round}`);
      index.nearest(vector(3), 5, {});
      most = Math.max(most, index.size);
    }

    assert.ok(most <= 1500 * 1.5 + 4096 + 1500, `${most} rows for 1,500 chunks`);
    assert.deepEqual(index.nearest(vector(3.5), 1, {}), new EmbeddedVectorIndex({ store, embedder }).nearest(vector(3.5), 1, {}));
  });

  it("never bring a chunk that has gone, and a changed one by its new vector", () => {
    using store = openStore(":memory:");
    put(store, numbers(1, 4201));
    while (store.vectors.optimise(model));
    put(store, [7], (n) => `Rewritten ${n}`);
    {
      using tx = store.begin();
      store.chunks.replace("documents:8", []);
      tx.commit();
    }

    const index = new EmbeddedVectorIndex({ store, embedder });
    const found = (seed: number) => index.nearest(vector(seed), 1, {})[0];

    assert.equal(found(7.5)?.chunkId, "documents:7#1");
    assert.ok((found(7.5)?.score ?? 0) > 0.999);
    assert.notEqual(found(8)?.chunkId, "documents:8#1");
  });

  it("are built again once a fifth of a block has gone, and not before its chunks all have a vector", () => {
    using store = openStore(":memory:");
    put(store, numbers(1, 5001));
    while (store.vectors.optimise(model));
    {
      using tx = store.begin();
      for (const n of numbers(1, 1001)) store.chunks.replace(`documents:${n}`, []);
      store.chunks.replace(
        "documents:9000",
        numbers(9000, 9001).map((n) => chunk(n)),
      );
      tx.commit();
    }
    put(store, numbers(10_000, 13_300));

    while (store.vectors.optimise(model));

    // the second range holds the one chunk without a vector
    assert.deepEqual(store.vectors.blocks(model).chunks, 3095);
    assert.equal(look(store).size, 7300);
  });
});
