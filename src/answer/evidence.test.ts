import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Statement } from "../core/answer.ts";
import type { Chunk, Passage } from "../core/chunk.ts";
import type { RecordId, Span } from "../core/record.ts";
import { placesOf } from "./evidence.ts";

const span = (record: string, start: number, end: number): Span => ({ record: record as RecordId, start, end });
const passage = (record: string, start: number, end: number): Passage =>
  ({ chunk: { id: `${record}#1`, span: span(record, start, end) } as Chunk, edges: [], ranks: {} }) as unknown as Passage;
const statement = (text: string, ...spans: Span[]): Statement => ({ text, spans, confidence: 1, from: "edges" });

describe("the places of a claim", () => {
  const sources = [passage("jira:JR-1", 0, 100), passage("github:file:CODEOWNERS", 50, 200)];
  const owner = statement(
    "Ann owns checkout and JR-1 affects it.",
    span("github:file:CODEOWNERS", 60, 80),
    span("jira:JR-1", 90, 130),
    span("github:file:CODEOWNERS", 60, 80),
    span("confluence:9", 0, 10),
    span("github:file:CODEOWNERS", 0, 50),
  );

  it("are those of the statement it was made from, as far as they lie in the cited paragraphs", () => {
    assert.deepEqual(placesOf({ text: "Ann owns checkout and JR-1 affects it [2][1].", citations: [1, 2] }, [owner], sources), [
      { n: 1, start: 90, end: 100 },
      { n: 2, start: 60, end: 80 },
    ]);
    assert.deepEqual(placesOf({ text: "ann owns  checkout", citations: [2] }, [owner], sources), [{ n: 2, start: 60, end: 80 }]);
  });

  it("are none for a sentence of a model, for a source that is not cited, and for an empty one", () => {
    assert.deepEqual(placesOf({ text: "Checkout is Ann's.", citations: [1, 2] }, [owner], sources), []);
    assert.deepEqual(placesOf({ text: "Ann owns checkout", citations: [] }, [owner], sources), []);
    assert.deepEqual(placesOf({ text: "[1]", citations: [1] }, [owner], sources), []);
    assert.deepEqual(placesOf({ text: "Ann owns checkout", citations: [7] }, [owner], sources), []);
  });
});
