import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ChromaClient } from "chromadb";
import { byId, indexDeps, memorySource, page, runIndex } from "../../test/support/indexing.ts";
import type { Embedder, Index } from "../core/chunk.ts";
import { ContextError } from "../core/errors.ts";
import { ChromaIndex } from "../docsearch/engines/chroma.ts";
import { EmbeddedVectorIndex } from "../docsearch/engines/embedded.ts";
import { ServedEmbedder } from "../docsearch/served-embedder.ts";
import { openStore } from "../store/open.ts";
import { reembed } from "./embed.ts";
import { fillIndex } from "./served.ts";

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

describe("a stop while passages are embedded", () => {
  it("is heard after the batch at hand, also of a model that answers at once", async () => {
    using store = openStore(":memory:");
    const stop = new AbortController();
    let batches = 0;
    const embedder = letters("letters", () => {
      batches += 1;
      // as a signal of the system comes: in a later turn of the event loop
      setImmediate(() => stop.abort());
    });

    await assert.rejects(runIndex(indexDeps(store, [memorySource("a", pages(200))], { embedder }), { signal: stop.signal }), {
      code: "CANCELLED",
    });

    assert.ok(batches < 4, `${batches} batches`);
    assert.equal(store.vectors.count("letters"), batches * 32);
  });
});

describe("another embedding model", () => {
  /** A store whose searches use model "a", and deps that want "b". */
  async function changed(count: number, onBatch?: (texts: readonly string[]) => void) {
    const store = openStore(":memory:");
    const records = pages(count);
    const source = memorySource("wiki", records);
    await runIndex(indexDeps(store, [source], { embedder: letters("a") }));
    const seen: string[] = [];
    const old = letters("a", (batch) => seen.push(...batch));
    const wanted = letters("b", onBatch);
    const embedder = new ServedEmbedder(old);
    const served = { embedder, inBackground: true, settle: () => embedder.switchTo(wanted) };
    const deps = indexDeps(store, [source], { embedder: wanted, served });
    return { store, records, seen, deps, embedder, vectors: new EmbeddedVectorIndex({ store, embedder }) };
  }
  const never = new AbortController().signal;

  it("is searched only once all its vectors are there, the old one until then", async () => {
    const during: string[] = [];
    const world = await changed(80, () => during.push(world.embedder.id));
    using store = world.store;
    const find = async () => (await world.vectors.search("Text of page 7.", 80, {}, never)).length;
    assert.equal(await find(), 80);

    await reembed(world.deps, never);

    assert.deepEqual(during, ["a", "a", "a"]);
    assert.equal(world.embedder.id, "b");
    assert.equal(await find(), 80);
    assert.deepEqual([store.vectors.count("a"), store.vectors.count("b")], [0, 80]);
  });

  it("is gone on with after a stop, and nothing is embedded twice", async () => {
    const stop = new AbortController();
    const made: number[] = [];
    const world = await changed(80, (batch) => {
      made.push(batch.length);
      if (made.length === 2) stop.abort();
    });
    using store = world.store;
    await assert.rejects(reembed(world.deps, stop.signal), { code: "CANCELLED" });
    assert.equal(world.embedder.id, "a");
    assert.deepEqual([store.vectors.count("a"), store.vectors.count("b")], [80, 32]);

    await reembed(world.deps, never);

    assert.equal(world.embedder.id, "b");
    assert.deepEqual(made, [32, 32, 32, 16]);
  });

  it("lets a run meanwhile give new chunks vectors of the old one, which searches find", async () => {
    const world = await changed(40);
    using store = world.store;
    world.records.set("confluence:zz", page("zz", "Zebra", "Zigzag zebras."));

    await runIndex(world.deps);

    assert.equal(world.seen.length, 1);
    assert.equal(store.vectors.count("b"), 0);
    const [first] = await world.vectors.search("Zebra Zigzag zebras.", 1, {}, never);
    assert.equal(first?.chunkId, "confluence:zz#1");
  });

  it("is made whole by the run itself where nothing goes on in the background", async () => {
    const world = await changed(40);
    using store = world.store;

    await runIndex({ ...world.deps, served: { ...must(world.deps.served), inBackground: false } });

    assert.equal(world.embedder.id, "b");
    assert.equal(store.vectors.count("b"), 40);
  });

  it("that cannot be loaded leaves searches with the old one", async () => {
    const world = await changed(3);
    using store = world.store;
    const broken = { ...letters("b"), embed: () => Promise.reject(new ContextError("MODEL_MISSING", "no file")) };

    await assert.rejects(reembed({ ...world.deps, embedder: broken }, never), { code: "MODEL_MISSING" });

    assert.equal(world.embedder.id, "a");
    assert.equal(store.vectors.count("a"), 3);
  });

  it("is filled into an engine beside the store before searches go over to it", async () => {
    const world = await changed(5);
    using store = world.store;
    const index = engine();
    const heldAt: number[] = [];
    const served = must(world.deps.served);
    const deps = {
      ...world.deps,
      served: {
        ...served,
        fill: (signal: AbortSignal) => fillIndex(store, index, signal),
        settle: () => void heldAt.push(index.held.size),
      },
    };

    await reembed(deps, never);

    assert.deepEqual(heldAt, [5]);
  });
});

function must<T>(value: T | undefined): T {
  assert.ok(value !== undefined);
  return value;
}

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

  it("that lost what it held is noticed and filled again", async () => {
    using store = openStore(":memory:");
    const index = { ...engine(), count: () => Promise.resolve(index.held.size) };
    const deps = indexDeps(store, [memorySource("wiki", pages(450))], { indexes: [index] });
    await runIndex(deps);
    index.held.clear();

    await runIndex(deps);

    assert.equal(index.held.size, 450);
  });

  it("on a real Chroma server is filled again after its collection was lost, and found in", async (t) => {
    const url = process.env.CHROMA_URL || null;
    if (url === null) {
      assert.notEqual(process.env.CI, "true", "CI must run this against a real Chroma server");
      t.skip("CHROMA_URL names no Chroma server");
      return;
    }
    using store = openStore(":memory:");
    const embedder = letters("m");
    const index = new ChromaIndex({ url, store, embedder, name: `reseed-${process.pid}` });
    const deps = indexDeps(store, [memorySource("wiki", pages(230))], { embedder, indexes: [index] });
    const { signal } = new AbortController();
    const { hostname, port } = new URL(url);
    await runIndex(deps);
    assert.equal(await index.count(signal), 230);
    await new ChromaClient({ host: hostname, port: Number(port), ssl: false }).deleteCollection({ name: index.collectionName });

    await runIndex(deps);

    assert.equal(await index.count(signal), 230);
    assert.equal((await index.search("Text of page 7.", 10, {}, signal)).length, 10);
  });
});
