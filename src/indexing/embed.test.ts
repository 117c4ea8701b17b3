import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { byId, indexDeps, memorySource, page, runIndex } from "../../test/support/indexing.ts";
import type { Embedder, Index } from "../core/chunk.ts";
import { ContextError } from "../core/errors.ts";
import { openStore } from "../store/open.ts";

/** Letters counted: another text gives another vector, and nothing but the text counts. */
function letters(id: string, onBatch: (texts: readonly string[]) => void = () => {}): Embedder {
  return {
    id,
    dimensions: 26,
    embed(texts) {
      onBatch(texts);
      return Promise.resolve(
        texts.map((text) => {
          const vector = new Float32Array(26);
          for (const letter of text.toLowerCase()) {
            const at = letter.charCodeAt(0) - 97;
            if (at >= 0 && at < 26) vector[at] = (vector[at] ?? 0) + 1;
          }
          const length = Math.hypot(...vector);
          return vector.map((one) => one / length);
        }),
      );
    },
  };
}

/** An index that keeps what it is given, or refuses. */
function engine(name = "engine"): Index & { readonly held: Map<string, string>; calls: number; down: boolean } {
  const held = new Map<string, string>();
  const self = {
    name,
    held,
    calls: 0,
    down: false,
    answer(work: () => void): Promise<void> {
      self.calls += 1;
      if (self.down) return Promise.reject(new ContextError("ENGINE_UNAVAILABLE", "connection refused"));
      work();
      return Promise.resolve();
    },
    put: (chunks: Parameters<Index["put"]>[0]) => self.answer(() => chunks.forEach((chunk) => void held.set(chunk.id, chunk.text))),
    drop: (ids: readonly string[]) => self.answer(() => ids.forEach((id) => void held.delete(id))),
    search: () => Promise.resolve([]),
  };
  return self;
}

function pages(count: number): ReturnType<typeof byId> {
  return byId(...Array.from({ length: count }, (_, n) => page(String(n), `Page ${n}`, `Text of page ${n}.`)));
}

function texts(store: ReturnType<typeof openStore>): Map<string, string> {
  return new Map(Array.from(store.chunks.all(), (chunk) => [chunk.id, chunk.text]));
}

describe("embedding", () => {
  it("embeds every chunk once, and after an edit only that one", async () => {
    using store = openStore(":memory:");
    const records = pages(80);
    const batches: number[] = [];
    const deps = indexDeps(store, [memorySource("wiki", records)], { embedder: letters("m", (batch) => batches.push(batch.length)) });

    await runIndex(deps);
    assert.equal(store.vectors.count("m"), 80);
    assert.equal(
      batches.reduce((sum, n) => sum + n, 0),
      80,
    );

    batches.length = 0;
    records.set("confluence:7", page("7", "Page 7", "Rewritten."));
    await runIndex(deps);
    assert.deepEqual(batches, [1]);
    assert.equal(store.vectors.count("m"), 80);
  });

  it("goes on after it was stopped", async () => {
    using store = openStore(":memory:");
    const stop = new AbortController();
    let batches = 0;
    const embedder = letters("m", () => {
      batches += 1;
      if (batches === 2) stop.abort();
    });
    const deps = indexDeps(store, [memorySource("wiki", pages(80))], { embedder });
    await assert.rejects(runIndex(deps, { signal: stop.signal }), { code: "CANCELLED" });
    assert.equal(store.vectors.count("m"), 32);

    await runIndex(deps);

    assert.equal(store.vectors.count("m"), 80);
  });

  it("that fails costs the vectors, not the run", async () => {
    using store = openStore(":memory:");
    const broken = { ...letters("m"), embed: () => Promise.reject(new ContextError("MODEL_MISSING", "no file")) };

    const { report } = await runIndex(indexDeps(store, [memorySource("wiki", pages(3))], { embedder: broken }));

    assert.deepEqual(
      report.failures.map(({ source, code }) => `${source} ${code}`),
      ["m MODEL_MISSING"],
    );
    assert.equal(store.runs.get(report.runId)?.status, "partial");
    assert.equal(report.chunks.total, 3);
  });

  it("never takes fewer vectors than texts for an answer", async () => {
    using store = openStore(":memory:");
    const short = { ...letters("m"), embed: () => Promise.resolve([]) };

    const { report } = await runIndex(indexDeps(store, [memorySource("wiki", pages(3))], { embedder: short }));

    assert.match(report.failures[0]?.message ?? "", /0 vectors for 3 texts/);
    assert.equal(store.vectors.count("m"), 0);
  });

  it("with another model embeds everything again and keeps the two apart", async () => {
    using store = openStore(":memory:");
    await runIndex(indexDeps(store, [memorySource("wiki", pages(3))], { embedder: letters("a") }));

    await runIndex(indexDeps(store, [memorySource("wiki", pages(3))], { embedder: letters("b") }));

    assert.equal(store.vectors.count("a"), 3);
    assert.equal(store.vectors.count("b"), 3);
  });
});

describe("an index beside the store", () => {
  it("holds exactly the chunks of the store after additions, edits and deletions", async () => {
    using store = openStore(":memory:");
    const records = pages(450);
    const index = engine();
    const deps = indexDeps(store, [memorySource("wiki", records)], { indexes: [index] });
    await runIndex(deps);
    assert.deepEqual(index.held, texts(store));

    records.set("confluence:7", page("7", "Page 7", "Rewritten."));
    records.delete("confluence:8");
    await runIndex(deps);
    assert.deepEqual(new Map([...index.held].sort()), new Map([...texts(store)].sort()));

    const calls = index.calls;
    await runIndex(deps);
    assert.equal(index.calls, calls);
  });

  it("that is down is said, and gets everything it missed when it is back", async () => {
    using store = openStore(":memory:");
    const records = pages(5);
    const index = engine();
    const deps = indexDeps(store, [memorySource("wiki", records)], { indexes: [index] });
    await runIndex(deps);
    index.down = true;
    records.delete("confluence:1");
    records.set("confluence:9", page("9", "Page 9", "New."));

    const { report } = await runIndex(deps);
    assert.deepEqual(
      report.failures.map(({ source, code }) => `${source} ${code}`),
      ["engine ENGINE_UNAVAILABLE"],
    );

    index.down = false;
    await runIndex(deps);
    assert.deepEqual(new Map([...index.held].sort()), new Map([...texts(store)].sort()));
  });

  it("that is new to the store, or comes with another model, takes in everything", async () => {
    using store = openStore(":memory:");
    const sources = [memorySource("wiki", pages(5))];
    await runIndex(indexDeps(store, sources, { embedder: letters("a") }));
    const index = engine();

    await runIndex(indexDeps(store, sources, { indexes: [index], embedder: letters("a") }));
    assert.equal(index.held.size, 5);

    index.held.clear();
    await runIndex(indexDeps(store, sources, { indexes: [index], embedder: letters("b") }));
    assert.equal(index.held.size, 5);
  });
});
