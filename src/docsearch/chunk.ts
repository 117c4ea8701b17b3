import { createHash } from "node:crypto";
import type { Chunk } from "../core/chunk.ts";
import { ContextError } from "../core/errors.ts";
import { linesWithin, type PlacedLine, unpackLines } from "../core/lines.ts";
import type { SourceRecord } from "../core/record.ts";
import { type Unit, unitsOf } from "./units.ts";

export interface ChunkSize {
  /** Tokens a chunk aims at. */
  readonly size: number;
  /** Tokens of whole sentences repeated from the chunk before, within a section. */
  readonly overlap: number;
}

/** Chosen on the dev collections: docs/retrieval.md. The encoder reads 256 tokens, title and headings included. */
export const defaultChunkSize: ChunkSize = { size: 200, overlap: 30 };

/** Raised with each change of the rules below: records are then cut again. */
export const chunkerVersion = "3";

/** A rest this small joins the chunk before rather than standing alone; the sum stays within the encoder's 256 tokens. */
const smallRest = 25;

interface Draft {
  units: Unit[];
  tokens: number;
  /** How many leading units are repeated from the draft before. */
  repeated: number;
}

/**
 * Cuts a record's body into chunks that follow its structure: headings and pages start a new one, tables, lists and
 * code stay whole where they fit, prose is cut between sentences and overlaps by whole sentences.
 * `text === body.slice(span.start, span.end)`; the spans cover all text; none lies inside another.
 * @throws ContextError CONFIG_INVALID when the overlap is not smaller than the size
 */
export function chunkRecord(record: SourceRecord, size: ChunkSize = defaultChunkSize): Chunk[] {
  if (!(size.size >= 1 && size.overlap >= 0 && size.overlap < size.size)) {
    throw new ContextError(
      "CONFIG_INVALID",
      `Chunk overlap (${size.overlap}) must be 0 or more and smaller than the size (${size.size}).`,
      {
        remedy: "Choose an overlap smaller than the chunk size.",
      },
    );
  }
  const drafts = pack(record, unitsOf(record, size.size), size);
  const revision = revisionOf(record);
  const lines = unpackLines(record.fields.lines ?? []);
  return drafts.map((draft, i) => {
    const start = draft.units[0]?.start ?? 0;
    const end = draft.units.at(-1)?.end ?? start;
    return {
      id: `${record.id}#${i + 1}`,
      span: { record: record.id, start, end },
      ordinal: i + 1,
      of: drafts.length,
      heading: headingPath(record, draft),
      page: pageOf(record, start),
      ...placeOf(record, lines, start, end),
      text: record.body.slice(start, end),
      revision,
      title: record.title,
      source: record.source,
      kind: record.kind,
      url: record.url,
      updatedAt: record.updatedAt,
    };
  });
}

/** Changes with everything that a chunk shows of its record. */
export function revisionOf(record: SourceRecord): string {
  return createHash("sha256")
    .update(JSON.stringify([record.title, record.url, record.updatedAt, record.body]))
    .digest("hex")
    .slice(0, 16);
}

function pack(record: SourceRecord, units: readonly Unit[], { size, overlap }: ChunkSize): Draft[] {
  const drafts: Draft[] = [];
  let draft: Draft = { units: [], tokens: 0, repeated: 0 };
  const close = (carry: readonly Unit[]) => {
    if (draft.units.length > draft.repeated) drafts.push(draft);
    draft = { units: [...carry], tokens: sum(carry), repeated: carry.length };
  };
  units.forEach((unit, i) => {
    const before = draft.units.at(-1);
    if (before !== undefined) {
      if (startsPage(record, before, unit) || startsSection(draft, before, unit, size)) close([]);
      else if (draft.tokens + wholeBlock(units, i, size) > size) {
        const rest = unit.kind === "footer" && before.kind !== "footer" ? smallRest * 2 : smallRest;
        if (restOfSection(units, i) > rest || draft.tokens > size) close(overlapOf(draft, unit, overlap));
      }
    }
    draft.units.push(unit);
    draft.tokens += unit.tokens;
  });
  close([]);
  return drafts;
}

/** Tokens that must fit for the unit to be added: the whole block when it starts one that is kept together and can be. */
function wholeBlock(units: readonly Unit[], at: number, size: number): number {
  const unit = units[at];
  if (unit === undefined) return 0;
  // a heading never stands at the end of a chunk, parted from what it is over
  if (unit.kind === "heading") return unit.tokens + Math.min(wholeBlock(units, at + 1, size), size - unit.tokens);
  if (unit.kind === "prose" || units[at - 1]?.block === unit.block) return unit.tokens;
  let tokens = 0;
  for (let i = at; i < units.length && units[i]?.block === unit.block; i++) tokens += units[i]?.tokens ?? 0;
  return tokens <= size ? tokens : unit.tokens;
}

/** Tokens from here to the next heading or the end, counted no further than needed. */
function restOfSection(units: readonly Unit[], at: number): number {
  let tokens = 0;
  for (let i = at; i < units.length && tokens <= smallRest * 2; i++) {
    const unit = units[i];
    if (unit === undefined || (unit.kind === "heading" && i > at)) break;
    tokens += unit.tokens;
  }
  return tokens;
}

function startsPage(record: SourceRecord, before: Unit, unit: Unit): boolean {
  return record.fields.pageStarts?.some((at) => at > before.start && at <= unit.start) ?? false;
}

/** A heading starts a new chunk, unless what came so far is too little to stand alone. */
function startsSection(draft: Draft, before: Unit, unit: Unit, size: number): boolean {
  return unit.kind === "heading" && before.kind !== "heading" && draft.tokens >= size / 4;
}

/** The last whole sentences of the draft within the overlap, only from prose to prose; never all of it. */
function overlapOf(draft: Draft, next: Unit, overlap: number): Unit[] {
  const carried: Unit[] = [];
  if (next.kind !== "prose") return carried;
  let tokens = 0;
  for (let i = draft.units.length - 1; i > draft.repeated; i--) {
    const unit = draft.units[i];
    if (unit === undefined || unit.kind !== "prose" || tokens + unit.tokens > overlap) break;
    carried.unshift(unit);
    tokens += unit.tokens;
  }
  return carried;
}

function sum(units: readonly Unit[]): number {
  return units.reduce((tokens, unit) => tokens + unit.tokens, 0);
}

/** Headings in force where the chunk's own text begins; a heading inside the chunk's first lines counts. */
function headingPath(record: SourceRecord, draft: Draft): string[] {
  const isTitle = ({ start, end }: Unit) =>
    start === 0 && end <= record.title.length + 20 && record.body.slice(0, end).includes(record.title);
  const at = (draft.units.find((unit) => unit.kind !== "heading" && !isTitle(unit)) ?? draft.units[0])?.start ?? 0;
  const path: { level: number; text: string }[] = [];
  for (const heading of [...(record.fields.headings ?? [])].sort((a, b) => a.at - b.at)) {
    if (heading.at > at) break;
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
  }
  const texts = path.map(({ text }) => text.trim()).filter((text) => text !== "");
  return texts[0] === record.title ? texts.slice(1) : texts;
}

/** Where a chunk stands on its page, and how sure it is that it stands there; the stated fields behind the prose stand nowhere. */
function placeOf(record: SourceRecord, lines: readonly PlacedLine[], start: number, end: number): Pick<Chunk, "lines" | "ocr"> {
  const until = Math.min(end, record.proseEnd);
  const boxes = linesWithin(lines, start, until);
  const read = (record.fields.ocr ?? []).filter((one) => one.start < until && one.end > start);
  return {
    ...(boxes.length === 0 ? {} : { lines: boxes }),
    ...(read.length === 0 ? {} : { ocr: Math.min(...read.map(({ confidence }) => confidence)) }),
  };
}

function pageOf(record: SourceRecord, at: number): number | null {
  const starts = record.fields.pageStarts;
  if (starts === undefined || starts.length === 0) return null;
  let page = 1;
  starts.forEach((start, i) => {
    if (start <= at) page = i + 1;
  });
  return page;
}
