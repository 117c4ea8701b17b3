import type { Citation } from "../core/answer.ts";
import type { Passage } from "../core/chunk.ts";
import type { SourceRecord, Span } from "../core/record.ts";

/**
 * The contract's citation of a passage; nothing else makes one.
 * @param record as it is now; null when it is gone, then the chunk speaks for it
 */
export function toCitation(n: number, passage: Passage, record: SourceRecord | null): Citation {
  const { chunk } = passage;
  return {
    n,
    source: record?.source ?? chunk.source,
    recordId: chunk.span.record,
    chunkId: chunk.id,
    title: record?.title ?? chunk.title,
    chunk: chunk.ordinal,
    of: chunk.of,
    page: chunk.page ?? pageAt(record?.fields.pageStarts, chunk.span.start),
    charStart: chunk.span.start,
    charEnd: chunk.span.end,
    text: chunk.text,
    url: record?.url ?? chunk.url,
  };
}

/** 1-based page of an offset, null where there are no pages. */
function pageAt(starts: readonly number[] | undefined, offset: number): number | null {
  if (starts === undefined || starts.length === 0) return null;
  const after = starts.findIndex((start) => start > offset);
  return after < 0 ? starts.length : Math.max(1, after);
}

/** Numbers, from 1, of the passages that hold one of the places. */
export function numbersOfPlaces(passages: readonly Passage[], places: readonly Span[]): number[] {
  return passages.flatMap(({ chunk }, at) => (places.some((place) => overlap(chunk.span, place)) ? [at + 1] : []));
}

function overlap(a: Span, b: Span): boolean {
  return a.record === b.record && a.start < b.end && b.start < a.end;
}
