import type { SourceRecord } from "../core/record.ts";
import { sentencesOf } from "../core/sentences.ts";
import { estimateTokens } from "./tokens.ts";

/** A piece of the body that is cut only when it alone is too large: a sentence, a list item, a table row, a line of code. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  /** Number of the block it belongs to: a paragraph, list, table or code block. */
  readonly block: number;
  readonly kind: BlockKind;
}

export type BlockKind = "prose" | "list" | "table" | "code" | "heading" | "footer";

interface Block {
  readonly start: number;
  readonly end: number;
  readonly kind: BlockKind;
}

const listItem = /^[ \t]*(?:[-*+\u2022\u25cf\u25e6\u2013]|\(?\p{L}[.)]|\(?\d{1,3}[.)])[ \t]+\S/u;

/**
 * Cuts a body into units, in order and without overlap; together they hold everything that is not white space.
 * @param most size in tokens past which even a sentence is cut, at white space where there is some
 */
export function unitsOf(record: SourceRecord, most: number): Unit[] {
  const { body } = record;
  const units: Unit[] = [];
  const pages = (record.fields.pageStarts ?? []).filter((at) => at > 0 && at < body.length);
  blocksOf(record).forEach(({ start, end, kind }, block) => {
    const starts = mergeStarts(kind === "prose" ? sentenceStarts(body, start, end) : lineStarts(body, start, end, kind), pages, start, end);
    starts.forEach((from, i) => {
      for (const piece of cutToSize(body, from, starts[i + 1] ?? end, most)) units.push({ ...piece, block, kind });
    });
  });
  return units;
}

/** Bounds without white space at the ends; null when there is nothing else. */
export function trim(text: string, start: number, end: number): { readonly start: number; readonly end: number } | null {
  let from = start;
  let to = end;
  while (from < to && isSpace(text, from)) from++;
  while (to > from && isSpace(text, to - 1)) to--;
  return from < to ? { start: from, end: to } : null;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || (code >= 160 && /\s/.test(text[at] ?? ""));
}

function blocksOf(record: SourceRecord): Block[] {
  const { body } = record;
  const proseEnd = Math.min(Math.max(record.proseEnd, 0), body.length);
  const headings = (record.fields.headings ?? []).map(({ at }) => at).filter((at) => at >= 0 && at < proseEnd);
  const blocks: Block[] = [];
  let at = 0;
  for (const code of codeBlocks(record, proseEnd)) {
    proseBlocks(body, at, code.start, headings, blocks);
    if (trim(body, code.start, code.end) !== null) blocks.push({ ...code, kind: "code" });
    at = code.end;
  }
  proseBlocks(body, at, proseEnd, headings, blocks);
  if (trim(body, proseEnd, body.length) !== null) blocks.push({ start: proseEnd, end: body.length, kind: "footer" });
  return blocks;
}

/** Code spans that fill whole lines, merged; a `word` quoted inside a sentence stays in its sentence. */
function codeBlocks(record: SourceRecord, proseEnd: number): { readonly start: number; readonly end: number }[] {
  const { body } = record;
  const blocks: { start: number; end: number }[] = [];
  for (const span of [...(record.fields.code ?? [])].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const bounds = trim(body, Math.max(0, span.start), Math.min(proseEnd, span.end));
    if (bounds === null) continue;
    const start = body.lastIndexOf("\n", bounds.start - 1) + 1;
    const lineEnd = body.indexOf("\n", bounds.end - 1);
    const end = Math.min(lineEnd < 0 ? proseEnd : lineEnd, proseEnd);
    if (trim(body, start, bounds.start) !== null || trim(body, bounds.end, end) !== null) continue;
    const last = blocks.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else blocks.push({ start, end });
  }
  return blocks;
}

/** Headings stand alone; between them blank lines part paragraphs, lists and tables. */
function proseBlocks(body: string, start: number, end: number, headings: readonly number[], into: Block[]): void {
  let from = start;
  const isHeading = new Set(headings.map((at) => body.lastIndexOf("\n", at - 1) + 1));
  let at = start;
  const close = (to: number) => {
    const bounds = trim(body, from, to);
    if (bounds !== null) into.push({ ...bounds, kind: kindOfParagraph(body.slice(bounds.start, bounds.end)) });
  };
  while (at < end) {
    const newline = body.indexOf("\n", at);
    const lineEnd = newline < 0 || newline > end ? end : newline;
    const next = Math.min(lineEnd + 1, end);
    if (isHeading.has(at)) {
      close(at);
      const bounds = trim(body, at, lineEnd);
      if (bounds !== null) into.push({ ...bounds, kind: "heading" });
      from = next;
    } else if (trim(body, at, lineEnd) === null) {
      close(at);
      from = next;
    }
    at = next > at ? next : end;
  }
  close(end);
}

function kindOfParagraph(text: string): BlockKind {
  const lines = text.split("\n");
  if (lines.length < 2) return "prose";
  const rows = lines.filter((line) => /\S[ \t]*\|[ \t]*\S|^[ \t]*\||\S\t+\S/.test(line)).length;
  if (rows >= 2 && rows * 2 >= lines.length) return "table";
  return lines.filter((line) => listItem.test(line)).length >= 2 ? "list" : "prose";
}

/** Where the sentences begin, the first at the start itself: what lies between two of them is white space. */
function sentenceStarts(body: string, start: number, end: number): number[] {
  const later = sentencesOf(body.slice(start, end)).slice(1);
  return [start, ...later.map((sentence) => start + sentence.start)];
}

/** Lines of a table, code or footer; items of a list with their continuation lines. */
function lineStarts(body: string, start: number, end: number, kind: BlockKind): number[] {
  const starts = [start];
  for (let at = body.indexOf("\n", start); at >= 0 && at + 1 < end; at = body.indexOf("\n", at + 1)) {
    if (kind === "list") {
      const stop = body.indexOf("\n", at + 1);
      if (!listItem.test(body.slice(at + 1, Math.min(stop < 0 ? end : stop, end, at + 41)))) continue;
    }
    starts.push(at + 1);
  }
  return starts;
}

function mergeStarts(starts: readonly number[], pages: readonly number[], start: number, end: number): number[] {
  const inside = pages.filter((at) => at > start && at < end);
  return inside.length === 0 ? [...starts] : [...new Set([...starts, ...inside])].sort((a, b) => a - b);
}

/** The trimmed span whole when it fits, else in pieces that do, cut after white space or, failing that, between characters. */
function cutToSize(body: string, start: number, end: number, most: number): { start: number; end: number; tokens: number }[] {
  const bounds = trim(body, start, end);
  if (bounds === null) return [];
  const tokens = estimateTokens(body.slice(bounds.start, bounds.end));
  if (tokens <= most) return [{ ...bounds, tokens }];
  const pieces: { start: number; end: number; tokens: number }[] = [];
  let from = bounds.start;
  while (from < bounds.end) {
    const piece = trim(body, from, fittingEnd(body, from, bounds.end, most));
    if (piece === null) break;
    pieces.push({ ...piece, tokens: estimateTokens(body.slice(piece.start, piece.end)) });
    from = piece.end;
    while (from < bounds.end && isSpace(body, from)) from++;
  }
  return pieces;
}

/** Furthest end such that body[from, end) has at most `most` tokens; always past `from`. A token has at least one character. */
function fittingEnd(body: string, from: number, end: number, most: number): number {
  let low = Math.min(from + most, end);
  // no piece is longer than this many characters a token on average, white space aside
  let high = Math.min(from + most * 16, end);
  if (estimateTokens(body.slice(from, low)) > most) return safeCut(body, from, from + Math.max(1, Math.floor(most / 2)));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(body.slice(from, middle)) <= most) low = middle;
    else high = middle - 1;
  }
  if (low >= end) return end;
  for (let at = low; at > from + (low - from) / 2; at--) if (isSpace(body, at)) return at;
  return safeCut(body, from, low);
}

/** Not between the halves of a surrogate pair, nor before a combining mark. */
function safeCut(body: string, from: number, at: number): number {
  let cut = at;
  while (cut > from + 1 && /^[\p{M}\u200d]|^[\udc00-\udfff]/u.test(body.slice(cut, cut + 2)) && cut > at - 8) cut--;
  const code = body.charCodeAt(cut);
  if (code >= 0xdc00 && code <= 0xdfff && cut > from + 1) cut--;
  if (code >= 0xdc00 && code <= 0xdfff && cut === from + 1) cut++;
  return cut;
}
