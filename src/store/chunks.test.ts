import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import fc from "fast-check";
import type { Chunk } from "../core/chunk.ts";
import type { RecordId } from "../core/record.ts";
import { chunkTable } from "./chunks.ts";
import { packVector, unpackVector, vectorTable } from "./vectors.ts";

function open(options: { readonly largeFrom?: number } = {}) {
  const db = new Database(":memory:");
  for (const file of ["0002-chunks", "0004-postings", "0007-index-blocks", "0011-chunk-places"])
    db.exec(readFileSync(new URL(`./migrations/${file}.sql`, import.meta.url), "utf8"));
  return { db, chunks: chunkTable(db, options), vectors: vectorTable(db) };
}

function chunksOf(record: string, texts: readonly string[], more: Partial<Chunk> = {}): Chunk[] {
  let at = 0;
  return texts.map((text, i) => {
    const start = at;
    at += text.length + 1;
    return {
      id: `${record}#${i + 1}`,
      span: { record: record as RecordId, start, end: start + text.length },
      ordinal: i + 1,
      of: texts.length,
      heading: [],
      page: null,
      text,
      revision: "r1",
      title: "",
      source: "documents" as const,
      kind: "file" as const,
      url: null,
      updatedAt: "2026-03-01T00:00:00Z",
      ...more,
    };
  });
}

function ids(hits: readonly { readonly chunkId: string }[]): string[] {
  return hits.map(({ chunkId }) => chunkId);
}

const everything = {};

describe("chunk table", () => {
  it("gives back what was put, whole and in order", () => {
    const { chunks } = open();
    const put = chunksOf("documents:a.md", ["Redis fails over.", "Kafka lags."], {
      heading: ["Ops", "Redis"],
      page: 3,
      title: "A",
      url: "https://a.example",
    });

    const { added, dropped } = chunks.replace("documents:a.md", put);

    assert.deepEqual(added, put);
    assert.deepEqual(dropped, []);
    assert.deepEqual(chunks.ofRecord("documents:a.md"), put);
    assert.deepEqual(chunks.get("documents:a.md#2"), put[1]);
    assert.deepEqual([...chunks.all()], put);
    assert.deepEqual(chunks.getMany(["documents:a.md#2", "no such"]).get("documents:a.md#2"), put[1]);
    assert.equal(chunks.count(), 2);
  });

  it("gives back where a chunk stands on its page, and takes in where it now stands though its text is the same", () => {
    const { chunks } = open();
    const [first, second] = chunksOf("doc:a.pdf", ["Redis fails over.", "Kafka lags."]);
    assert.ok(first && second);
    const placed = (y: number) => [
      {
        ...first,
        lines: [
          { start: 0, end: 6, x: 0.1, y, w: 0.8, h: 0.015 },
          { start: 6, end: 12, x: 0.1, y: 0.2, w: 0.4, h: 0.015 },
        ],
      },
      { ...second, lines: [{ start: second.span.start + 2, end: second.span.end, x: 0, y: 0, w: 1, h: 1 }], ocr: 0.83 },
    ];

    chunks.replace("doc:a.pdf", placed(0.1));
    assert.deepEqual(chunks.ofRecord("doc:a.pdf"), placed(0.1));
    const { added } = chunks.replace("doc:a.pdf", placed(0.5));

    assert.deepEqual(added, []);
    assert.deepEqual(chunks.ofRecord("doc:a.pdf"), placed(0.5));
  });

  it("touches only the chunks whose text changed", () => {
    const { chunks } = open();
    chunks.replace("documents:a.md", chunksOf("documents:a.md", ["One stays.", "Two goes.", "Three goes."]));

    const { added, dropped } = chunks.replace(
      "documents:a.md",
      chunksOf("documents:a.md", ["One stays.", "Two is new."], { revision: "r2" }),
    );

    assert.deepEqual(ids(added.map(({ id }) => ({ chunkId: id }))), ["documents:a.md#2"]);
    assert.deepEqual(dropped, ["documents:a.md#3"]);
    assert.deepEqual(
      chunks.ofRecord("documents:a.md").map(({ text, of, revision }) => [text, of, revision]),
      [
        ["One stays.", 2, "r2"],
        ["Two is new.", 2, "r2"],
      ],
    );
    assert.deepEqual(ids(chunks.matchWords(["goes"], 10, everything)), []);
    assert.deepEqual(ids(chunks.matchWords(["stays"], 10, everything)), ["documents:a.md#1"]);
  });

  it("leaves the same rows after edits as a fresh build", () => {
    const edit = fc.record({
      record: fc.constantFrom("a:1", "a:2", "a:3"),
      texts: fc.array(fc.constantFrom("Redis down", "Kafka lag", "JR-441 open", "cart 503"), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const one = open();
        const two = open();
        const last = new Map<string, readonly string[]>();
        for (const { record, texts } of edits) {
          one.chunks.replace(record as RecordId, chunksOf(record, texts));
          last.set(record, texts);
        }
        for (const [record, texts] of last) two.chunks.replace(record as RecordId, chunksOf(record, texts));
        const sorted = (of: ReturnType<typeof open>) => [...of.chunks.all()].sort((a, b) => (a.id < b.id ? -1 : 1));
        assert.deepEqual(sorted(one), sorted(two));
        const scores = (of: ReturnType<typeof open>) =>
          of.chunks
            .matchWords(["redis", "kafka", "JR-441", "cart"], 50, everything)
            .map(({ chunkId, score }) => `${chunkId} ${score.toFixed(9)}`)
            .sort();
        assert.deepEqual(scores(one), scores(two));
      }),
      { numRuns: 60 },
    );
  });

  it("finds the chunk that holds most of a place", () => {
    const { chunks } = open();
    chunks.replace("a:1", chunksOf("a:1", ["0123456789", "abcdefghij"]));

    assert.equal(chunks.at("a:1", 8, 14)?.id, "a:1#2");
    assert.equal(chunks.at("a:1", 2, 2)?.id, "a:1#1");
    assert.equal(chunks.at("a:1", 500, 510), null);
    assert.equal(chunks.at("a:2", 0, 5), null);
  });

  it("matches words in any form and ranks the rarer word higher", () => {
    const { chunks } = open();
    chunks.replace("a:1", chunksOf("a:1", ["The replicas failed.", "A replica.", "A replica of the replica."]));

    assert.deepEqual(ids(chunks.matchWords(["failing", "replica"], 3, everything))[0], "a:1#1");
    assert.equal(chunks.documentFrequency("Replicas"), 3);
    assert.equal(chunks.documentFrequency("nothing-like-it"), 0);
  });

  it("finds the same in a large store, by posting lists, filtered or not", () => {
    const { db, chunks } = open({ largeFrom: 1000 });
    db.exec("BEGIN");
    for (let i = 0; i < 2500; i++) {
      const record = `a:${i}`;
      const source = i % 400 === 7 ? ("jira" as const) : ("documents" as const);
      chunks.replace(record as RecordId, chunksOf(record, [`Shard ${i % 97} of the cache, node n${i}, replica ${i % 5}.`], { source }));
    }
    chunks.replace("a:last", chunksOf("a:last", ["CONF-1023 speaks of the cache."]));
    db.exec("COMMIT");
    while (chunks.optimise());

    assert.deepEqual(ids(chunks.matchWords(["n1711", "cache"], 1, everything)), ["a:1711#1"]);
    assert.deepEqual(ids(chunks.matchWords(["CONF-1023", "cache"], 1, everything)), ["a:last#1"]);
    assert.equal(chunks.matchWords(["cache"], 50, { corpus: "records" }).length, 7);
    chunks.replace("a:1711", []);
    assert.notDeepEqual(ids(chunks.matchWords(["n1711", "cache"], 1, everything)), ["a:1711#1"]);
    assert.deepEqual(chunks.matchWords(["nowhere"], 5, everything), []);
    assert.deepEqual(chunks.matchWords(["?"], 5, everything), []);
  });

  it("answers every text a user can type, and never with an error", () => {
    const { chunks } = open();
    chunks.replace("a:1", chunksOf("a:1", ["JR-441 broke checkout-api, sha a3f8c2 changed it. Don't panic."]));

    for (const text of ["JR-441", "sha:a3f8c2", "what changed?", "don't panic", "checkout"]) {
      assert.deepEqual(ids(chunks.matchWords(text.split(" "), 5, everything)), ["a:1#1"], text);
    }
    for (const text of ["", "*", '"', "'", "AND", "NEAR(", "words:", "-", "^", "\u0000", "(", "\\"]) {
      assert.deepEqual(chunks.matchWords([text], 5, everything), [], JSON.stringify(text));
      assert.deepEqual(chunks.matchIdentifiers([text], 5, everything), [], JSON.stringify(text));
      assert.deepEqual(chunks.matchPhrase(text, 5, everything), [], JSON.stringify(text));
    }
    assert.deepEqual(chunks.matchWords([], 5, everything), []);
    assert.deepEqual(chunks.matchIdentifiers([], 5, everything), []);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        chunks.matchWords([text], 5, everything);
        chunks.matchIdentifiers([text], 5, everything);
        chunks.matchPhrase(text, 5, everything);
      }),
      { numRuns: 300 },
    );
  });

  it("matches an identifier whole, whatever its case, and no look-alike", () => {
    const { chunks } = open();
    const texts = [
      "CONF-1023 is the runbook.",
      "CONF-1032 is another, CONF-10233 too, and CONF 1023.",
      "Commit a3f8c2d9e1 changed v2.4.1 of src/cart/main.go:42.",
      "CSCE 221 is full.",
      "CSCE 222 is not. 2.4.10",
    ];
    chunks.replace("a:1", chunksOf("a:1", texts));
    const find = (...identifiers: string[]) => ids(chunks.matchIdentifiers(identifiers, 10, everything)).map((id) => Number(id.slice(4)));

    assert.deepEqual(find("conf-1023"), [1]);
    assert.deepEqual(find("CONF-1032"), [2]);
    assert.deepEqual(find("CONF-102"), []);
    assert.deepEqual(find("a3f8c2"), [3]);
    assert.deepEqual(find("a3f8c2d9e1b7"), [3]);
    assert.deepEqual(find("a3f8c3"), []);
    assert.deepEqual(find("2.4.1"), [3]);
    assert.deepEqual(find("v2.4.1"), [3]);
    assert.deepEqual(find("main.go"), [3]);
    assert.deepEqual(find("src/cart/main.go"), [3]);
    assert.deepEqual(find("CSCE 221"), [4]);
    assert.deepEqual(find("CSCE 223"), []);
    assert.deepEqual(find("CONF-1023", "CSCE 221"), []);
  });

  it("finds an identifier that stands only in the title, the headings or the record's id", () => {
    const { chunks } = open();
    chunks.replace(
      "confluence:77",
      chunksOf("confluence:77", ["Promote the replica."], { title: "CONF-1023: Redis failover", source: "confluence" }),
    );
    chunks.replace("jira:JR-441", chunksOf("jira:JR-441", ["Checkout is down."], { source: "jira" }));

    assert.deepEqual(ids(chunks.matchIdentifiers(["CONF-1023"], 5, everything)), ["confluence:77#1"]);
    assert.deepEqual(ids(chunks.matchIdentifiers(["JR-441"], 5, everything)), ["jira:JR-441#1"]);
  });

  it("finds a quoted phrase letter for letter", () => {
    const { chunks } = open();
    chunks.replace(
      "a:1",
      chunksOf("a:1", ["The connection pool\nis exhausted.", "Exhausted pools of connections.", "Connecting pools, exhausted"]),
    );

    assert.deepEqual(ids(chunks.matchPhrase("connection pool is exhausted", 5, everything)), ["a:1#1"]);
    assert.deepEqual(ids(chunks.matchPhrase("pool exhausted connection", 5, everything)), []);
  });

  it("filters by corpus, source, kind, time, path and record", () => {
    const { chunks } = open();
    chunks.replace("documents:ops/redis.md", chunksOf("documents:ops/redis.md", ["Redis fails."]));
    chunks.replace(
      "jira:JR-1",
      chunksOf("jira:JR-1", ["Redis fails."], { source: "jira", kind: "ticket", updatedAt: "2026-03-09T00:00:00Z" }),
    );
    const find = (filter: Parameters<typeof chunks.count>[0]) => ids(chunks.matchWords(["redis"], 5, filter ?? {}));

    assert.deepEqual(find({}).sort(), ["documents:ops/redis.md#1", "jira:JR-1#1"]);
    assert.deepEqual(find({ corpus: "documents" }), ["documents:ops/redis.md#1"]);
    assert.deepEqual(find({ corpus: "records" }), ["jira:JR-1#1"]);
    assert.deepEqual(find({ corpus: "all", sources: ["jira"] }), ["jira:JR-1#1"]);
    assert.deepEqual(find({ kinds: ["file"] }), ["documents:ops/redis.md#1"]);
    assert.deepEqual(find({ since: "2026-03-09T00:00:00.000Z" }), ["jira:JR-1#1"]);
    assert.deepEqual(find({ pathPrefix: "ops/" }), ["documents:ops/redis.md#1"]);
    assert.deepEqual(find({ pathPrefix: "ops/%" }), []);
    assert.deepEqual(find({ records: ["jira:JR-1"] }), ["jira:JR-1#1"]);
    assert.deepEqual(find({ records: [] }), []);
    assert.equal(chunks.count({ corpus: "records" }), 1);
  });
});

describe("vector table", () => {
  const unit = (...components: number[]) => {
    const length = Math.hypot(...components);
    return Float32Array.from(components.map((component) => component / length));
  };

  it("keeps a vector to within a thousandth of its cosine", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 384 }), (components) => {
        if (!components.some((component) => Math.abs(component) > 1e-3)) return;
        const vector = unit(...components);
        const back = unpackVector(packVector(vector));
        const cosine = vector.reduce((total, component, i) => total + component * (back[i] ?? 0), 0);
        assert.ok(cosine > 0.999, `${cosine}`);
      }),
    );
  });

  it("names what is missing, model by model, until each has its vector", () => {
    const { chunks, vectors } = open();
    chunks.replace("a:1", chunksOf("a:1", ["One.", "Two.", "Three."]));

    assert.deepEqual(ids(vectors.missing("m1", 2).map(({ id }) => ({ chunkId: id }))), ["a:1#1", "a:1#2"]);
    vectors.put("m1", [
      { chunkId: "a:1#1", vector: unit(1, 0) },
      { chunkId: "a:1#2", vector: unit(0, 1) },
    ]);
    assert.deepEqual(ids(vectors.missing("m1", 2).map(({ id }) => ({ chunkId: id }))), ["a:1#3"]);
    vectors.put("m1", [{ chunkId: "a:1#3", vector: unit(1, 1) }]);

    assert.deepEqual(vectors.missing("m1", 2), []);
    assert.equal(vectors.missing("m2", 9).length, 3);
    assert.equal(vectors.count("m1"), 3);
    assert.equal(vectors.count("m2"), 0);
    assert.deepEqual(ids([...vectors.all("m1")]), ["a:1#1", "a:1#2", "a:1#3"]);
    assert.deepEqual([...(vectors.get("m1", ["a:1#2", "no such"]).get("a:1#2") ?? [])], [0, 1]);
  });

  it("shares a vector among equal passages and lets it go with the last of them", () => {
    const { db, chunks, vectors } = open();
    chunks.replace("a:1", chunksOf("a:1", ["Same text."]));
    chunks.replace("a:2", chunksOf("a:2", ["Same text."]));
    assert.equal(vectors.missing("m1", 9).length, 1);
    vectors.put("m1", [{ chunkId: "a:1#1", vector: unit(1, 0) }]);
    assert.equal(vectors.count("m1"), 2);

    chunks.replace("a:1", []);
    assert.equal(vectors.count("m1"), 1);
    chunks.replace("a:2", []);

    assert.equal(db.prepare("SELECT count(*) FROM vectors").pluck().get(), 0);
  });

  it("keeps the vector of a paragraph that only moved", () => {
    const { chunks, vectors } = open();
    chunks.replace("a:1", chunksOf("a:1", ["Moves down."]));
    vectors.put("m1", [{ chunkId: "a:1#1", vector: unit(1, 0) }]);

    chunks.replace("a:1", chunksOf("a:1", ["New first.", "Moves down."]));

    assert.deepEqual(ids(vectors.missing("m1", 9).map(({ id }) => ({ chunkId: id }))), ["a:1#1"]);
  });
});
