import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { documentOf } from "../../test/support/shapes.ts";
import { composeBody } from "../core/body.ts";
import { ContextError } from "../core/errors.ts";
import { packLines } from "../core/lines.ts";
import type { RecordFields, SourceRecord } from "../core/record.ts";
import { chunkRecord } from "./chunk.ts";
import { estimateTokens } from "./tokens.ts";

function record(body: string, more: Partial<SourceRecord> = {}): SourceRecord {
  return documentOf("documents:a.md", body, more);
}

function assertInvariants(of: SourceRecord, size: { size: number; overlap: number }): void {
  const chunks = chunkRecord(of, size);
  const covered = new Uint8Array(of.body.length);
  chunks.forEach((chunk, i) => {
    const { start, end } = chunk.span;
    assert.equal(chunk.text, of.body.slice(start, end));
    assert.equal(chunk.text.trim(), chunk.text);
    assert.notEqual(chunk.text, "");
    assert.equal(chunk.ordinal, i + 1);
    assert.equal(chunk.of, chunks.length);
    covered.fill(1, start, end);
    const before = chunks[i - 1];
    if (before !== undefined) {
      assert.ok(start > before.span.start && end > before.span.end, "no chunk lies inside another");
    }
  });
  for (let at = 0; at < of.body.length; at++) {
    if (covered[at] === 0) assert.match(of.body[at] ?? "", /\s/, `character ${at} is in no chunk`);
  }
  assert.deepEqual(
    chunks.map(({ id }) => id),
    [...new Set(chunks.map(({ id }) => id))],
  );
  assert.deepEqual(chunkRecord(of, size), chunks);
}

const oddText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.constantFrom(
        ". ",
        "\n",
        "\n\n",
        "- item one\n- item two\n",
        "| a | b |\n| c | d |\n",
        "Redis fails over. ",
        " e.g. this ",
        "。",
        "\t",
        "x".repeat(300),
      ),
      fc.constantFrom("👩‍👩‍👧‍👦", "e\u0301", "\u{1F600}", "\ud800", "اللغة ", "数据库连接失败"),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

describe("chunkRecord", () => {
  it("covers any body exactly, with no chunk inside another", () => {
    const size = fc
      .integer({ min: 1, max: 80 })
      .chain((most) => fc.record({ size: fc.constant(most), overlap: fc.integer({ min: 0, max: most - 1 }) }));
    const places = fc.array(fc.nat(400), { maxLength: 6 }).map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(oddText, size, places, fc.nat(400), (body, wanted, at, proseEnd) => {
        const fields: RecordFields = {
          pageStarts: [0, ...at],
          headings: at.map((place, i) => ({ at: place, level: (i % 3) + 1, text: `H${i}` })),
          code: at.slice(0, 2).map((place) => ({ start: place, end: place + 40 })),
        };
        assertInvariants(record(body, { fields, proseEnd: Math.min(proseEnd, body.length) }), wanted);
        assertInvariants(record(body), wanted);
      }),
      { numRuns: 400 },
    );
  });

  it("never adds a last chunk that repeats the tail of the one before", () => {
    for (const length of [800, 801, 1100, 2000]) {
      const words = Array.from({ length: Math.ceil(length / 5) }, (_, i) => `w${i % 10}${i % 7 === 6 ? "." : "a"}`).join(" ");
      assertInvariants(record(words.slice(0, length).trim()), { size: 250, overlap: 50 });
    }
  });

  it("refuses an overlap that is not smaller than the size", () => {
    for (const overlap of [50, 51, Number.NaN, -1]) {
      assert.throws(
        () => chunkRecord(record("Some text."), { size: 50, overlap }),
        (error) => error instanceof ContextError && error.code === "CONFIG_INVALID",
      );
    }
  });

  it("keeps every chunk within the size unless a small rest joins it", () => {
    const body = Array.from({ length: 300 }, (_, i) => `Sentence ${i} says that the primary failed over to its replica.`).join(" ");

    const chunks = chunkRecord(record(body));

    assert.ok(chunks.length > 10);
    for (const chunk of chunks) assert.ok(estimateTokens(chunk.text) <= 230, `${estimateTokens(chunk.text)} tokens`);
    for (const chunk of chunks.slice(0, -1)) assert.ok(chunk.text.endsWith("."), "cut between sentences");
    assert.ok((chunks[1]?.span.start ?? 0) < (chunks[0]?.span.end ?? 0), "overlaps by a sentence");
  });

  it("starts a chunk at a heading and carries the path of headings", () => {
    const filler = "The replica takes over when the primary is lost. ".repeat(10).trim();
    const body = `Runbook\n\nRedis\n\n${filler}\n\nFailover\n\n${filler}\n\nKafka\n\n${filler}`;
    const headings = ["Redis", "Failover", "Kafka"].map((text) => ({
      at: body.indexOf(`${text}\n\n`),
      level: text === "Failover" ? 2 : 1,
      text,
    }));

    const chunks = chunkRecord(record(body, { title: "Runbook", fields: { headings } }));

    assert.deepEqual(
      chunks.map(({ heading, text }) => [heading.join(" > "), text.split("\n")[0]]),
      [
        ["Redis", "Runbook"],
        ["Redis > Failover", "Failover"],
        ["Kafka", "Kafka"],
      ],
    );
  });

  it("keeps a list, a table and a code block whole where they fit", () => {
    const prose = "One more sentence that fills the chunk up to its end. ".repeat(13).trim();
    const list = Array.from({ length: 8 }, (_, i) => `- step ${i}: restart the pod and wait`).join("\n");
    const table = Array.from({ length: 8 }, (_, i) => `| host ${i} | primary | ${i} |`).join("\n");
    const code = Array.from({ length: 8 }, (_, i) => `kubectl scale deploy/cart --replicas=${i}\n`).join("\n");
    for (const block of [list, table, code]) {
      const body = `${prose}\n\n${block}\n\n${prose}`;
      const start = body.indexOf(block);
      const fields = block === code ? { code: [{ start, end: start + block.length }] } : {};

      const chunks = chunkRecord(record(body, { fields }));

      assert.ok(
        chunks.some(({ text }) => text.includes(block.trim())),
        block,
      );
    }
  });

  it("starts a chunk at each page and names the page of its first character", () => {
    const body = "First page speaks of Redis.\nSecond page speaks of Kafka.\nThird page.";
    const pageStarts = [0, body.indexOf("Second"), body.indexOf("Third")];

    const chunks = chunkRecord(record(body, { fields: { pageStarts } }));

    assert.deepEqual(
      chunks.map(({ page, text }) => [page, text]),
      [
        [1, "First page speaks of Redis."],
        [2, "Second page speaks of Kafka."],
        [3, "Third page."],
      ],
    );
  });

  it("stand on the lines of their page, the stated fields behind the prose on none", () => {
    const body = "One stands here.\ntwo there.\n\nPath: a.pdf";
    const lines = packLines([
      { at: 0, x: 0.1, y: 0.1, w: 0.5, h: 0.02 },
      { at: 17, x: 0.1, y: 0.2, w: 0.3, h: 0.02 },
    ]);
    const fields = { pageStarts: [0], lines, ocr: [{ start: 17, end: 27, confidence: 0.8 }] };

    const [chunk] = chunkRecord(record(body, { fields, proseEnd: 27 }));

    assert.deepEqual(chunk?.lines, [
      { start: 0, end: 17, x: 0.1, y: 0.1, w: 0.5, h: 0.02 },
      { start: 17, end: 27, x: 0.1, y: 0.2, w: 0.3, h: 0.02 },
    ]);
    assert.equal(chunk?.ocr, 0.8);
    assert.equal(chunk?.span.end, body.length);
  });

  it("keeps short stated fields with the prose and gives long ones a chunk of their own", () => {
    const short = composeBody("Checkout fails.", [{ label: "Status", value: "Open" }]);
    const long = composeBody("Checkout fails. ".repeat(40), [
      { label: "Files", value: Array.from({ length: 50 }, (_, i) => `src/cart/file${i}.go`) },
    ]);

    const one = chunkRecord(record(short.body, { proseEnd: short.proseEnd }));
    const two = chunkRecord(record(long.body, { proseEnd: long.proseEnd }));

    assert.deepEqual(
      one.map(({ text }) => text),
      ["Checkout fails.\n\nStatus: Open"],
    );
    assert.ok(two.length >= 2);
    assert.ok(two.some(({ text }) => text.startsWith("Files: src/cart/file0.go")));
  });

  it("gives no chunk for a body without text", () => {
    assert.deepEqual(chunkRecord(record("")), []);
    assert.deepEqual(chunkRecord(record(" \n\n\t ")), []);
  });

  it("cuts a megabyte without a single break in linear time", () => {
    const chunks = chunkRecord(record("a".repeat(1_000_000)));

    assert.equal(
      chunks.reduce((length, { text }) => length + text.length, 0),
      1_000_000,
    );
  });
});
