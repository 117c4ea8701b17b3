import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import Database from "better-sqlite3";
import { byId, indexDeps, memorySource, page, runIndex, snapshot, ticket } from "../../test/support/indexing.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { backupStore, restoreStore } from "../store/backup.ts";
import { openStore } from "../store/open.ts";
import type { Problem } from "../store/store.ts";
import { verifyIndex } from "./verify.ts";

const folder = mkdtempSync(join(tmpdir(), "contextd-verify-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

const hints = { aliases: { "checkout-api": [], "redis-cache": [] }, sourcePaths: {} };
const records = byId(
  ticket("JR-1", "Checkout fails.", { components: ["checkout-api"] }),
  page("1", "Dependencies", "checkout-api depends on redis-cache."),
);

async function indexed(name: string) {
  const path = join(folder, name);
  const store = openStore(path);
  const deps = indexDeps(store, [memorySource("world", records)], { hints });
  await runIndex(deps);
  return { path, store, deps };
}

async function problems(deps: Awaited<ReturnType<typeof indexed>>["deps"], deep: boolean): Promise<readonly Problem[]> {
  const run = verifyIndex({ ...deps, newGraph: () => new KnowledgeGraph() }, { deep, signal });
  for (;;) {
    const { done, value } = await run.next();
    if (done) return value;
  }
}

/** Changes the file behind the store's back. */
async function damaged(name: string, sql: string, deep: boolean): Promise<readonly string[]> {
  const { path, store, deps } = await indexed(name);
  store[Symbol.dispose]();
  const db = new Database(path);
  db.pragma("foreign_keys = OFF");
  db.exec(sql);
  db.close();
  using again = openStore(path);
  return (await problems({ ...deps, store: again }, deep)).map(({ kind, id }) => `${kind} ${id}`);
}

describe("verify", () => {
  it("finds nothing wrong with a sound index", async () => {
    const { store, deps } = await indexed("sound.db");
    using _ = store;

    assert.deepEqual(await problems(deps, true), []);
  });

  const cases: readonly (readonly [name: string, sql: string, deep: boolean, expected: readonly string[]])[] = [
    ["a chunk whose record is gone", "DELETE FROM sightings WHERE record_id = 'jira:JR-1'", false, ["record-without-source jira:JR-1"]],
    [
      "words of a chunk that is gone",
      "INSERT INTO lexical (rowid, words, identifiers) VALUES (999, 'x', '')",
      false,
      ["words-without-chunk 999"],
    ],
    ["a chunk without words", "DELETE FROM lexical WHERE rowid = 1", false, ["chunk-without-words jira:JR-1#1"]],
    [
      "an edited text",
      "UPDATE records SET content = replace(content, 'fails', 'works') WHERE id = 'jira:JR-1'",
      true,
      ["content-hash jira:JR-1", "extraction jira:JR-1", "chunks jira:JR-1"],
    ],
    [
      "an edited fact",
      "UPDATE extractions SET result = replace(result, 'depends_on', 'caused_by')",
      true,
      [
        "graph-edge service:checkout-api|depends_on|service:redis-cache",
        "graph-edge service:checkout-api|caused_by|service:redis-cache",
        "extraction confluence:1",
      ],
    ],
    [
      "an edited chunk",
      "UPDATE chunks SET text = 'Checkout works.' WHERE record_id = 'jira:JR-1'",
      true,
      ["words-differ jira:JR-1#1", "chunks jira:JR-1"],
    ],
  ];
  for (const [name, sql, deep, expected] of cases) {
    it(`names ${name}`, async () => {
      assert.deepEqual(await damaged(`${name}.db`, sql, deep), expected);
    });
  }

  it("sees when the graph in use is not what is stored", async () => {
    const { store, deps } = await indexed("graph.db");
    using _ = store;
    deps.graph.apply([{ record: "confluence:1", extraction: null }]);

    const found = await problems(deps, false);

    assert.ok(
      found.some(({ kind, id, message }) => kind === "graph-edge" && id.includes("depends_on") && /not in the graph/.test(message)),
    );
  });
});

describe("backup and restore", () => {
  it("bring everything back, while the store is in use and into an older state", async () => {
    const { path, store, deps } = await indexed("live.db");
    const wanted = snapshot(store, deps.graph);
    const file = join(folder, "live.backup");

    const { bytes } = await backupStore(path, file, signal);
    assert.equal(bytes, readFileSync(file).length);
    await runIndex({ ...deps, sources: [memorySource("world", byId(ticket("JR-2", "Other.")))] });
    await assert.rejects(restoreStore(path, file), { code: "STORE_LOCKED" });
    store[Symbol.dispose]();
    const { kept } = await restoreStore(path, file);

    using again = openStore(path);
    const graph = new KnowledgeGraph();
    const restored = indexDeps(again, [], { hints, graph });
    await runIndex(restored);
    assert.deepEqual((snapshot(again, graph) as { records: unknown }).records, (wanted as { records: unknown }).records);
    assert.deepEqual((snapshot(again, graph) as { chunks: unknown }).chunks, (wanted as { chunks: unknown }).chunks);
    using before = openStore(kept ?? "");
    assert.deepEqual([...before.records.ids()], ["jira:JR-2"]);
  });

  it("bring a store into a folder that is not there yet", async () => {
    const { path, store } = await indexed("moved.db");
    const file = join(folder, "moved.backup");
    await backupStore(path, file, signal);
    store[Symbol.dispose]();
    const elsewhere = join(folder, "new", "data", "contextd.db");

    const { kept } = await restoreStore(elsewhere, file);

    assert.equal(kept, null);
    using again = openStore(elsewhere);
    assert.equal(again.records.count(), 2);
  });

  it("replace a damaged store", async () => {
    const { path, store } = await indexed("broken.db");
    const file = join(folder, "broken.backup");
    await backupStore(path, file, signal);
    store[Symbol.dispose]();
    writeFileSync(path, "not a database at all, but long enough to be read as one. ".repeat(50));
    assert.throws(() => openStore(path), { code: "STORE_DAMAGED" });

    await restoreStore(path, file);

    using again = openStore(path);
    assert.equal(again.records.count(), 2);
  });

  it("refuse what is no backup, and leave the store as it was", async () => {
    const { path, store } = await indexed("kept.db");
    store[Symbol.dispose]();
    const text = join(folder, "text.backup");
    writeFileSync(text, "just text ".repeat(500));

    await assert.rejects(restoreStore(path, text), { code: "STORE_DAMAGED", message: /text\.backup is / });
    await assert.rejects(restoreStore(path, join(folder, "nowhere")), { code: "FILE_NOT_FOUND" });
    await assert.rejects(backupStore(path, join(folder, "no", "folder", "x"), signal), { code: "FILE_NOT_FOUND" });
    await assert.rejects(backupStore(path, join(folder, "stopped"), AbortSignal.abort()), { code: "CANCELLED" });

    using again = openStore(path);
    assert.equal(again.records.count(), 2);
  });
});
