import type { Chunk, Passage } from "../../src/core/chunk.ts";
import type { RecordId, SourceRecord } from "../../src/core/record.ts";

const AT = "2026-03-01T00:00:00Z";

/** A document's record that holds nothing but this text. */
export function documentOf(id: RecordId, body: string, more: Partial<SourceRecord> = {}): SourceRecord {
  return {
    id,
    source: "documents",
    kind: "file",
    title: "A",
    url: null,
    author: null,
    bot: false,
    createdAt: null,
    updatedAt: AT,
    body,
    proseEnd: body.length,
    fields: {},
    ...more,
  };
}

/** The only chunk of a record. */
export function chunkOf(record: string, text: string, more: Partial<Chunk> = {}): Chunk {
  return {
    id: `${record}#1`,
    span: { record: record as RecordId, start: 0, end: text.length },
    ordinal: 1,
    of: 1,
    heading: [],
    page: null,
    text,
    revision: "r",
    title: "",
    source: "documents",
    kind: "file",
    url: null,
    updatedAt: AT,
    ...more,
  };
}

/** A chunk as it is found, without a rank in any list. */
export function passageOf(chunk: Chunk): Passage {
  return { chunk, edges: [], ranks: { bm25Rank: null, vectorRank: null, cosine: null, rrf: null, rerank: null, literal: false } };
}
