import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { indexDeps, runIndex, snapshot } from "../../test/support/indexing.ts";
import { documents } from "../connectors/documents/index.ts";
import type { Embedder } from "../core/chunk.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { openStore } from "../store/open.ts";
import type { IndexSource } from "./deps.ts";

const paragraph = (n: number) => `Paragraph ${n} says how queue ${n} is drained before the window ${"closes and opens ".repeat(60)}.`;

/** A folder of documents as a source, and an encoder that remembers what it read. */
async function given(t: { after(work: () => unknown): void }) {
  const root = await mkdtemp(join(tmpdir(), "contextd-moved-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const config = documents.config.parse({ kind: "documents", path: "." });
  const source: IndexSource = { label: "documents .", kind: "documents", pull: (io, cursor) => documents.pull(config, io, cursor) };
  const read: string[] = [];
  const embedder: Embedder = {
    id: "letters",
    dimensions: 2,
    async embed(texts) {
      read.push(...texts);
      return texts.map((text) => Float32Array.of(Math.cos(text.length), Math.sin(text.length)));
    },
  };
  const deps = (store: ReturnType<typeof openStore>, graph = new KnowledgeGraph()) =>
    indexDeps(store, [source], { io: { fetch, root }, embedder, graph });
  return { root, read, deps };
}

describe("a file that is moved", () => {
  it("keeps its chunks and vectors, is counted as moved, and is cited at its new place", async (t) => {
    const { root, read, deps } = await given(t);
    await writeFile(join(root, "guide.md"), [1, 2, 3].map(paragraph).join("\n\n"));
    await writeFile(join(root, "short.md"), "Tokens expire after a day.");
    using store = openStore(":memory:");
    await runIndex(deps(store));
    const [chunks, embedded] = [store.chunks.count(), read.length];
    await mkdir(join(root, "team"));
    for (const name of ["guide.md", "short.md"]) await rename(join(root, name), join(root, "team", name));

    const { report } = await runIndex(deps(store));

    assert.deepEqual(report.records, { seen: 2, added: 2, changed: 0, deleted: 2, unchanged: 0, failed: 0, moved: 2 });
    assert.equal(read.length, embedded, "nothing is embedded again");
    assert.equal(store.chunks.count(), chunks);
    assert.equal(store.vectors.count("letters"), chunks);
    const [hit] = store.chunks.matchWords(["tokens"], 5, {});
    const chunk = store.chunks.get(hit?.chunkId ?? "");
    assert.equal(chunk?.span.record, "doc:team/short.md");
    assert.match(chunk?.url ?? "", /\/team\/short\.md$/);
    assert.equal(store.records.get("doc:short.md"), null);
  });

  it("is read by words and vectors under its new name when it was renamed, without being parsed", async (t) => {
    const { root, read, deps } = await given(t);
    await writeFile(join(root, "draft.md"), "Tokens expire after a day.");
    using store = openStore(":memory:");
    await runIndex(deps(store));
    await rename(join(root, "draft.md"), join(root, "token-lifetime.md"));

    const { report } = await runIndex(deps(store));

    assert.equal(report.records.moved, 1);
    assert.match(read.at(-1) ?? "", /token-lifetime\.md/);
  });

  it("leaves the store as if it had been there from the beginning, and a copy besides", async (t) => {
    const { root, deps } = await given(t);
    const when = new Date("2026-01-01T00:00:00Z");
    const write = async (name: string, text: string) => {
      await writeFile(join(root, name), text);
      await utimes(join(root, name), when, when);
    };
    await write("a.md", [1, 2].map(paragraph).join("\n\n"));
    await write("b.md", "checkout-api depends on redis.");
    using store = openStore(":memory:");
    const graph = new KnowledgeGraph();
    await runIndex(deps(store, graph));
    await mkdir(join(root, "x"));
    await rename(join(root, "a.md"), join(root, "x", "a.md"));
    await write("copy.md", "checkout-api depends on redis.");

    const { report } = await runIndex(deps(store, graph));
    using clean = openStore(":memory:");
    const whole = deps(clean);
    await runIndex(whole);

    assert.deepEqual([report.records.added, report.records.deleted, report.records.moved], [2, 1, 1]);
    assert.deepEqual(snapshot(store, graph), snapshot(clean, whole.graph));
  });
});
