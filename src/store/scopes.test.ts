import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import { chunkOf } from "../../test/support/shapes.ts";
import type { RecordId, SourceRecord } from "../core/record.ts";
import { openStore } from "./open.ts";
import type { Store } from "./store.ts";
import { visibleStore } from "./visible.ts";

const now = "2026-03-12T02:10:00Z";

function page(id: RecordId, space: string, body: string): SourceRecord {
  return {
    id,
    source: "confluence",
    kind: "page",
    title: id,
    url: null,
    author: null,
    bot: false,
    createdAt: null,
    updatedAt: now,
    body,
    proseEnd: body.length,
    fields: { space },
  };
}

function put(store: Store, record: SourceRecord, source = "wiki"): void {
  store.records.put(record, null, source, "run", now);
  const { id, body, title, source: from, kind } = record;
  store.chunks.replace(id, [chunkOf(id, body, { title, source: from, kind })]);
}

const scopesOf = (store: Store, ...places: string[]): number[] =>
  store.scopes
    .all()
    .filter(({ place }) => places.includes(place))
    .map(({ id }) => id);

describe("scopes", () => {
  it("let a record through only where every source that holds it does", () => {
    using store = openStore(":memory:");
    put(store, page("confluence:1", "OPS", "Redis runbook"));
    put(store, page("confluence:2", "HR", "Salaries"));
    store.records.put(page("confluence:1", "OPS", "Redis runbook"), null, "private wiki", "run", now);

    const ops = scopesOf(store, "OPS");
    const [first = 0] = ops;

    assert.deepEqual([...store.scopes.hidden(ops)], ["confluence:2"]);
    assert.deepEqual([...store.scopes.hidden([first])], ["confluence:1", "confluence:2"]);
    assert.equal(store.scopes.sees(ops, "confluence:1"), true);
    assert.equal(store.scopes.sees(ops, "confluence:3"), false);
    assert.equal(store.scopes.count([]), 0);
  });

  it("follow a page that moves to another space, at once", () => {
    using store = openStore(":memory:");
    put(store, page("confluence:1", "OPS", "Redis runbook"));
    const view = visibleStore(store, scopesOf(store, "OPS"));
    assert.equal(view.chunks.matchWords(["redis"], 5, {}).length, 1);

    put(store, page("confluence:1", "HR", "Redis runbook"));

    assert.deepEqual(view.chunks.matchWords(["redis"], 5, {}), []);
    assert.equal(view.records.get("confluence:1"), null);
    assert.equal(view.chunks.get("confluence:1#1"), null);
    assert.equal(view.records.count(), 0);
  });

  it("score words as if nothing else were there", () => {
    const shown = ["redis failover", "redis and kafka", "kafka lag of the kafka consumers", "queue of orders", "orders fail", "disk full"];
    using alone = openStore(":memory:");
    using both = openStore(":memory:");
    for (const [i, body] of shown.entries()) for (const store of [alone, both]) put(store, page(`confluence:${i}`, "OPS", body));
    for (let i = 0; i < 30; i++) put(both, page(`confluence:h${i}`, "HR", `kafka kafka salaries orders ${i}`));
    const view = visibleStore(both, scopesOf(both, "OPS"));

    for (const query of ["redis kafka", "orders queue", "kafka lag", "disk failover salaries"]) {
      const expected = alone.chunks.matchWords([query], 5, {});
      const found = view.chunks.matchWords([query], 5, {});
      assert.deepEqual(
        found.map(({ chunkId }) => chunkId),
        expected.map(({ chunkId }) => chunkId),
        query,
      );
      for (const [i, { score }] of found.entries()) assert.ok(Math.abs(score - (expected[i]?.score ?? 0)) < 1e-9, query);
    }
    for (const word of ["kafka", "salaries"]) assert.equal(view.chunks.documentFrequency(word), alone.chunks.documentFrequency(word));
    assert.equal(view.chunks.size(), alone.chunks.size());
  });

  it("are filled in for records of an older store", () => {
    const db = new Database(":memory:");
    const run = (file: string) => db.exec(readFileSync(new URL(`./migrations/${file}`, import.meta.url), "utf8"));
    run("0001-records.sql");
    const insert = db.prepare("INSERT INTO records VALUES (?, 's', ?, 'k', 'h', 'u', 'n', ?, NULL)");
    const rows: [string, string, object, string][] = [
      ["confluence:1", "confluence", { space: "OPS" }, "OPS"],
      ["jira:A1-441", "jira", { key: "A1-441" }, "A1"],
      ["jira:OLD-2", "jira", {}, "OLD"],
      ["github:commit:abc", "github", { repository: "acme/shop" }, "acme/shop"],
      ["github:team:acme/sre", "github", {}, ""],
      ["doc:hr/pay/plan.pdf", "documents", {}, "hr/pay"],
      ["doc:plan.pdf", "documents", {}, ""],
      ["log:data/app.log:12", "logs", {}, "data"],
    ];
    for (const [id, source, fields] of rows) {
      insert.run(id, source, JSON.stringify({ fields }));
      db.prepare("INSERT INTO sightings VALUES ('s', ?, 'r', NULL)").run(id);
    }

    run("0005-scopes.sql");

    const places = db.prepare("SELECT s.record_id, c.place FROM sightings s JOIN scopes c ON c.id = s.scope").raw().all();
    assert.deepEqual(new Map(places as [string, string][]), new Map(rows.map(([id, , , place]) => [id, place])));
    db.close();
  });
});
