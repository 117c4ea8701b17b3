import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RecordId, SourceRecord } from "../core/record.ts";
import { openStore } from "./open.ts";

const NOW = "2026-03-12T02:10:00Z";

function ticket(key: string, body: string, updatedAt = NOW): SourceRecord {
  return {
    id: `jira:${key}`,
    source: "jira",
    kind: "ticket",
    title: key,
    url: null,
    author: null,
    bot: false,
    createdAt: null,
    updatedAt,
    body,
    proseEnd: body.length,
    fields: { key },
  };
}

describe("the record table", () => {
  it("gives back record and payload as they were put", () => {
    using store = openStore(":memory:");
    const record = ticket("JR-1", "checkout is slow; naïve retry – “why?” 🛒");

    assert.equal(store.records.put(record, { key: "JR-1", odd: [null, 1, "ü"] }, "jira a", "run 1", NOW), "added");

    assert.deepEqual(store.records.get(record.id), record);
    assert.deepEqual(store.records.raw(record.id), { key: "JR-1", odd: [null, 1, "ü"] });
    assert.equal(store.records.get("jira:JR-2"), null);
    assert.equal(store.records.raw("jira:JR-2"), null);
  });

  it("tells unchanged from changed by content, whatever the order of keys", () => {
    using store = openStore(":memory:");
    const record = ticket("JR-1", "slow");
    const turned = Object.fromEntries(Object.entries(record).reverse()) as unknown as SourceRecord;
    store.records.put(record, null, "jira a", "run 1", NOW);

    assert.equal(store.records.put(turned, null, "jira a", "run 2", NOW), "unchanged");
    assert.equal(store.records.put(ticket("JR-1", "slower"), null, "jira a", "run 3", NOW), "changed");
  });

  it("knows what a scan did not meet, source by source", () => {
    using store = openStore(":memory:");
    for (const key of ["JR-1", "JR-2", "JR-3"]) store.records.put(ticket(key, "a"), null, "jira a", "run 1", NOW);
    store.records.put(ticket("OPS-1", "a"), null, "jira b", "run 1", NOW);

    store.records.put(ticket("JR-1", "a"), null, "jira a", "run 2", NOW);
    store.records.seen("jira:JR-2", "jira a", "run 2");

    assert.deepEqual(store.records.unseen("jira a", ["run 2"], "", 10), ["jira:JR-3"]);
    assert.equal(store.records.seen("jira:JR-9", "jira a", "run 2"), false);
    assert.deepEqual(store.records.sources(), ["jira a", "jira b"]);
  });

  it("keeps a record that two sources hold until both let go", () => {
    using store = openStore(":memory:");
    const record = ticket("JR-1", "a");
    store.records.put(record, null, "jira a", "run 1", NOW);
    store.records.put(record, null, "export", "run 1", NOW);

    assert.equal(store.records.release(record.id, "jira a"), false);
    assert.equal(store.records.release(record.id, "export"), true);
  });

  it("does not let two sources replace each other's copy at every run", () => {
    using store = openStore(":memory:");
    const id: RecordId = "jira:JR-1";
    store.records.put(ticket("JR-1", "from the API"), null, "jira a", "run 1", NOW);

    assert.equal(store.records.put(ticket("JR-1", "from the export"), null, "export", "run 1", NOW), "unchanged");
    assert.equal(store.records.get(id)?.body, "from the API");

    const newer = ticket("JR-1", "from a later export", "2026-03-13T00:00:00Z");
    assert.equal(store.records.put(newer, null, "export", "run 2", NOW), "changed");
    assert.equal(store.records.get(id)?.body, "from a later export");
  });

  it("remembers the fingerprint that the connector put into the payload", () => {
    using store = openStore(":memory:");
    const record = ticket("JR-1", "a");
    store.records.put(record, { fingerprint: "12 bytes, Monday" }, "docs", "run 1", NOW);

    assert.equal(store.records.fingerprint(record.id, "docs"), "12 bytes, Monday");
    assert.equal(store.records.fingerprint(record.id, "other"), null);

    store.records.put(record, { fingerprint: "12 bytes, Tuesday" }, "docs", "run 2", NOW);
    assert.equal(store.records.fingerprint(record.id, "docs"), "12 bytes, Tuesday");
  });

  it("marks what lies below a folder, counts what a run did not meet, and pages through what no run of a scan met", () => {
    using store = openStore(":memory:");
    for (const key of ["a/1", "a/2", "ab", "b"]) store.records.put(ticket(key, "a"), null, "docs", "run 1", NOW);

    assert.equal(store.records.seenBelow("jira:a/", "docs", "run 2"), 2);
    assert.equal(store.records.seenBelow("jira:a/", "docs", "run 2"), 0);
    assert.equal(store.records.seen("jira:a/1", "docs", "run 2"), false, "met already");
    assert.equal(store.records.seenBy("jira:a/1", "docs"), "run 2");
    assert.equal(store.records.unmet("docs", "run 2"), 2);
    assert.deepEqual(store.records.unseen("docs", ["run 2"], "", 1), ["jira:ab"]);
    assert.deepEqual(store.records.unseen("docs", ["run 2"], "jira:ab", 1), ["jira:b"]);
    assert.deepEqual(store.records.unseen("docs", ["run 1", "run 2"], "", 10), []);
  });

  it("notes for the time of a run, and forgets what was rolled back", () => {
    using store = openStore(":memory:");
    using notes = store.scratch();
    using others = store.scratch();
    {
      using tx = store.begin();
      notes.set("one", 1);
      notes.set("two", 2);
      notes.set("two", 1);
      tx.commit();
    }
    {
      using _ = store.begin();
      notes.set("three", 3);
    }

    assert.deepEqual([notes.get("one"), notes.get("three"), others.get("one")], [1, null, null]);
    assert.deepEqual([notes.count(), notes.count(1), notes.count(2)], [2, 2, 0]);
  });

  it("lets the caller write while it goes through all records", () => {
    using store = openStore(":memory:");
    for (let n = 0; n < 1203; n += 1) store.records.put(ticket(`JR-${n}`, "a"), null, "jira a", "run 1", NOW);
    const met = new Set<string>();

    for (const record of store.records.all()) {
      met.add(record.id);
      store.records.seen(record.id, "jira a", "run 2");
    }

    assert.equal(met.size, 1203);
    assert.deepEqual(store.records.unseen("jira a", ["run 2"], "", 10), []);
    assert.equal([...store.records.ids("jira a")].length, 1203);
  });

  it("takes everything derived along when a record goes", () => {
    using store = openStore(":memory:");
    const record = ticket("JR-1", "a");
    store.records.put(record, null, "jira a", "run 1", NOW);
    store.extractions.declare(record.id, "1", [{ node: "ticket:JR-1", name: "JR-1", rule: "key", score: 1, span: null }], NOW);
    store.extractions.replace(record.id, "k", "1", { record: record.id, facts: [], nodes: [], tier: 1, tierReason: "" }, NOW);

    store.records.drop(record.id);

    assert.equal(store.extractions.get(record.id), null);
    assert.deepEqual([...store.extractions.declarations()], []);
    assert.deepEqual([...store.extractions.manifest()], []);
  });
});

describe("the manifest", () => {
  it("says what is still to be done for each version", () => {
    using store = openStore(":memory:");
    const record = ticket("JR-1", "a");
    store.records.put(record, null, "jira a", "run 1", NOW);
    assert.deepEqual(store.extractions.undeclared("1"), [record.id]);

    store.extractions.declare(record.id, "1", [], NOW);
    assert.deepEqual(store.extractions.undeclared("1"), []);
    assert.deepEqual(store.extractions.stale("1"), [record.id]);

    store.extractions.replace(record.id, "k", "1", { record: record.id, facts: [], nodes: [], tier: 2, tierReason: "prose" }, NOW);
    assert.deepEqual(store.extractions.stale("1"), []);
    assert.deepEqual(store.extractions.stale("2"), [record.id]);
    assert.deepEqual(store.extractions.shallow("model a"), [record.id]);

    store.extractions.deepen(record.id, "model a", { record: record.id, facts: [], nodes: [], tier: 2, tierReason: "prose" }, NOW);
    assert.deepEqual(store.extractions.shallow("model a"), []);
    assert.deepEqual(store.extractions.shallow("model b"), [record.id]);

    store.records.put(ticket("JR-1", "b"), null, "jira a", "run 2", NOW);
    assert.deepEqual(store.extractions.undeclared("1"), [record.id]);
  });

  it("lists record, hash, version, tier and time", () => {
    using store = openStore(":memory:");
    const record = ticket("JR-1", "a");
    store.records.put(record, null, "jira a", "run 1", NOW);
    store.extractions.declare(record.id, "1", [], NOW);
    store.extractions.replace(record.id, "k", "1", { record: record.id, facts: [], nodes: [], tier: 2, tierReason: "prose" }, NOW);

    assert.deepEqual(
      [...store.extractions.manifest()],
      [
        {
          recordId: "jira:JR-1",
          source: "jira",
          contentHash: store.records.hash(record.id),
          extractorVersion: "1",
          tier: 2,
          indexedAt: NOW,
        },
      ],
    );
  });
});

describe("cursors and runs", () => {
  it("keep the last good sync beside a later failure, and forget the failure after the next good one", () => {
    using store = openStore(":memory:");
    store.cursors.set("jira a", "page 3", NOW);
    store.cursors.markSynced("jira a", "jira", NOW);
    store.cursors.markFailed("jira a", "jira", "2026-03-13T00:00:00Z", "SOURCE_UNAVAILABLE: 503");

    assert.deepEqual(store.cursors.synced(), [
      { source: "jira a", kind: "jira", syncedUntil: NOW, failedAt: "2026-03-13T00:00:00Z", error: "SOURCE_UNAVAILABLE: 503" },
    ]);
    assert.equal(store.cursors.get("jira a"), "page 3");

    store.cursors.markFailed("jira a", "jira", "2026-03-13T12:00:00Z", "SOURCE_UNAUTHORIZED: 401");
    assert.equal(store.cursors.synced()[0]?.failedAt, "2026-03-13T00:00:00Z", "failing since");
    assert.equal(store.cursors.synced()[0]?.error, "SOURCE_UNAUTHORIZED: 401");

    store.cursors.markSynced("jira a", "jira", "2026-03-14T00:00:00Z");
    assert.equal(store.cursors.synced()[0]?.failedAt, null);
  });

  it("end the runs that a dead process left open", () => {
    using store = openStore(":memory:");
    store.runs.start("one", "cli", NOW);

    assert.equal(store.runs.interrupted("2026-03-13T00:00:00Z"), 1);

    assert.equal(store.runs.get("one")?.status, "failed");
    assert.equal(store.runs.get("one")?.endedAt, "2026-03-13T00:00:00Z");
    assert.equal(store.runs.get("two"), null);
  });
});
