import { createHash } from "node:crypto";
import type { Chunk, SearchFilter } from "../core/chunk.ts";
import { type LineBox, linesWithin, packLines, unpackLines } from "../core/lines.ts";
import { passageText } from "../core/passage.ts";
import type { RecordId, RecordKind, SourceKind } from "../core/record.ts";
import { visibleSql } from "./scopes.ts";

/** One row of the table `chunks`. */
export interface ChunkRow {
  readonly seq: number;
  readonly id: string;
  readonly record_id: string;
  readonly ordinal: number;
  readonly of: number;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  readonly heading: string;
  readonly text: string;
  readonly revision: string;
  readonly title: string;
  readonly source: string;
  readonly kind: string;
  readonly url: string | null;
  readonly updated_at: string;
  /** JSON of KeptLines; null where it stands on no page. */
  readonly lines: string | null;
  readonly ocr: number | null;
}

export function toChunk(row: ChunkRow): Chunk {
  return {
    id: row.id,
    span: { record: row.record_id as RecordId, start: row.start, end: row.end },
    ordinal: row.ordinal,
    of: row.of,
    heading: JSON.parse(row.heading) as string[],
    page: row.page,
    text: row.text,
    revision: row.revision,
    title: row.title,
    source: row.source as SourceKind,
    kind: row.kind as RecordKind,
    url: row.url,
    updatedAt: row.updated_at,
    ...(row.lines === null ? {} : { lines: linesOf(row.lines, row.start) }),
    ...(row.ocr === null ? {} : { ocr: row.ocr }),
  };
}

/** A chunk's lines as its row keeps them: packed as core/lines.ts says, and where the last ends; offsets from the chunk's start. */
interface KeptLines {
  readonly end: number;
  readonly lines: readonly number[];
}

function keptLines({ lines = [], span }: Chunk): string | null {
  const last = lines.at(-1);
  if (last === undefined) return null;
  const packed = packLines(lines.map(({ start, x, y, w, h }) => ({ at: start - span.start, x, y, w, h })));
  return JSON.stringify({ end: last.end - span.start, lines: packed } satisfies KeptLines);
}

function linesOf(kept: string, start: number): readonly LineBox[] {
  const { end, lines } = JSON.parse(kept) as KeptLines;
  return linesWithin(
    unpackLines(lines).map((line) => ({ ...line, at: line.at + start })),
    start,
    start + end,
  );
}

/** Named parameters for a row of `chunks`, without its seq. */
export function toRow(chunk: Chunk): Omit<ChunkRow, "seq"> & { readonly passage: Buffer } {
  return {
    id: chunk.id,
    record_id: chunk.span.record,
    ordinal: chunk.ordinal,
    of: chunk.of,
    start: chunk.span.start,
    end: chunk.span.end,
    page: chunk.page,
    heading: JSON.stringify(chunk.heading),
    text: chunk.text,
    revision: chunk.revision,
    title: chunk.title,
    source: chunk.source,
    kind: chunk.kind,
    url: chunk.url,
    updated_at: chunk.updatedAt,
    lines: keptLines(chunk),
    ocr: chunk.ocr ?? null,
    passage: passageKey(chunk),
  };
}

/** 16 bytes that name what the embedder reads of a chunk. */
export function passageKey(chunk: Pick<Chunk, "title" | "heading" | "text">): Buffer {
  return createHash("sha256").update(passageText(chunk)).digest().subarray(0, 16);
}

/** Sources that are folders of files or fetched pages; all others are records of a tracker, a forge, a wiki or logs. */
const documentSources: readonly SourceKind[] = ["documents", "web"];

/** The filter as conditions on `chunks c`, all parameters bound; empty text when nothing is asked. */
export function filterSql(filter: SearchFilter): { readonly sql: string; readonly values: readonly string[] } {
  const conditions: string[] = [];
  const values: string[] = [];
  const oneOf = (column: string, list: readonly string[], not = "") => {
    conditions.push(`${column} ${not} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(list));
  };
  if (filter.corpus === "documents") oneOf("c.source", documentSources);
  if (filter.corpus === "records") oneOf("c.source", documentSources, "NOT");
  if (filter.sources !== undefined) oneOf("c.source", filter.sources);
  if (filter.kinds !== undefined) oneOf("c.kind", filter.kinds);
  if (filter.records !== undefined) oneOf("c.record_id", filter.records);
  if (filter.since !== undefined) {
    conditions.push("julianday(c.updated_at) >= julianday(?)");
    values.push(filter.since);
  }
  if (filter.pathPrefix !== undefined && filter.pathPrefix !== "") {
    conditions.push("(substr(c.record_id, 1, length(?)) = ? OR substr(c.record_id, instr(c.record_id, ':') + 1, length(?)) = ?)");
    values.push(...Array<string>(4).fill(filter.pathPrefix));
  }
  if (filter.scopes !== undefined) {
    conditions.push(visibleSql("c.record_id"));
    values.push(JSON.stringify(filter.scopes));
  }
  return { sql: conditions.length === 0 ? "" : ` AND ${conditions.join(" AND ")}`, values };
}
