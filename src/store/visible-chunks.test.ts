import assert from "node:assert/strict";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import { chunkOf, documentOf } from "../../test/support/shapes.ts";
import type { RecordId } from "../core/record.ts";
import { chunkTable } from "./chunks.ts";
import { migrate } from "./migrate.ts";
import { recordTable } from "./records.ts";
import { scopeTable } from "./scopes.ts";
import { vectorTable } from "./vectors.ts";

const now = "2026-03-12T02:10:00Z";

/** A store that takes its words from posting lists, as one of many thousand chunks does. */
function openLarge() {
  const db = new Database(":memory:");
  migrate(db);
  const scopes = scopeTable(db);
  const records = recordTable(db, scopes);
  const chunks = chunkTable(db, { largeFrom: 1 });
  return {
    chunks,
    records,
    vectors: vectorTable(db),
    put(id: string, body: string, space: string, source = "wiki"): void {
      const record = documentOf(id as RecordId, body, { source: "confluence", kind: "page", fields: { space } });
      records.put(record, null, source, "run", now);
      chunks.replace(record.id, [chunkOf(id, body)]);
    },
    in: (...spaces: string[]) =>
      scopes
        .all()
        .filter(({ place }) => spaces.includes(place))
        .map(({ id }) => id),
    optimise(): void {
      while (chunks.optimise());
    },
  };
}

/** Word n stands in every n-th text or so; the hidden ones have other frequencies and lengths. */
function bodyOf(i: number, hidden: boolean): string {
  const words = Array.from({ length: 30 }, (_, n) => `word${n}`).filter((_, n) => (i * (n + 3) + (hidden ? 1 : 0)) % (n + 2) === 0);
  return [...words, ...(hidden ? words : []), i % 7 === 0 ? "kafka kafka" : "redis"].join(" ");
}

describe("chunks visible in some scopes of a large store", () => {
  it("are found and scored as if there were no others, in blocks and above them", () => {
    const alone = openLarge();
    const both = openLarge();
    for (let i = 0; i < 2600; i++) {
      if (i % 3 === 0) for (const store of [alone, both]) store.put(`confluence:${i}`, bodyOf(i, false), "OPS");
      else both.put(`confluence:${i}`, bodyOf(i, true), "HR");
      // most of it gets into blocks, the rest stays above them
      if (i === 2400) for (const store of [alone, both]) store.optimise();
    }
    const scopes = both.in("OPS");

    for (const query of ["kafka", "word0 word1 word2", "redis word7 word13 kafka", "word28 word29", "nowhere"]) {
      const expected = alone.chunks.matchWords([query], 40, {});
      const found = both.chunks.matchWords([query], 40, { scopes });
      assert.deepEqual(
        found.map(({ chunkId }) => chunkId),
        expected.map(({ chunkId }) => chunkId),
        query,
      );
      for (const [i, { score }] of found.entries()) assert.ok(Math.abs(score - (expected[i]?.score ?? 0)) < 1e-5, query);
    }
    for (const word of ["kafka", "word0", "word9", "word28", "nowhere"]) {
      assert.equal(both.chunks.documentFrequency(word, scopes), alone.chunks.documentFrequency(word), word);
    }
    assert.equal(both.chunks.size(scopes), 867);
    assert.equal(both.vectors.seqs({ scopes }).length, 867);
    assert.deepEqual(both.chunks.matchWords(["kafka"], 40, { scopes: [] }), []);
    const few = both.chunks.matchWords(["kafka"], 40, { scopes, records: ["confluence:21"] });
    assert.deepEqual(
      few.map(({ chunkId }) => chunkId),
      ["confluence:21#1"],
    );
  });

  it("change at once with a record that comes, moves, or is let go by one of its sources", () => {
    const store = openLarge();
    for (let i = 0; i < 20; i++) store.put(`confluence:${i}`, "redis", i < 10 ? "OPS" : "HR");
    store.optimise();
    const ops = store.in("OPS");
    const seen = () => store.chunks.matchWords(["redis"], 50, { scopes: ops }).length;
    const counted = () => [seen(), store.chunks.size(ops), store.chunks.documentFrequency("redis", ops)];
    assert.deepEqual(counted(), [10, 10, 10]);

    store.put("confluence:20", "redis", "OPS");
    assert.deepEqual(counted(), [11, 11, 11], "comes");

    store.put("confluence:1", "redis", "HR");
    store.put("confluence:15", "redis", "OPS");
    store.put("confluence:16", "redis", "OPS");
    assert.deepEqual(counted(), [12, 12, 12], "moves");

    store.records.put(
      documentOf("confluence:2", "redis", { source: "confluence", kind: "page", fields: { space: "HR" } }),
      null,
      "another wiki",
      "run",
      now,
    );
    assert.deepEqual(counted(), [11, 11, 11], "held by a source that hides it");

    store.records.release("confluence:2", "another wiki");
    assert.deepEqual(counted(), [12, 12, 12], "let go by it");
  });
});
