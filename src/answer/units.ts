import type { Chunk } from "../core/chunk.ts";
import type { Span } from "../core/record.ts";
import { sentencesOf } from "../core/sentences.ts";
import { instructionsIn } from "./instructions.ts";

/** What a chunk says, one quotable piece each: a sentence, a list item's sentence, a table row. Headings are what it is about. */
export interface Unit {
  readonly kind: "prose" | "item" | "row";
  /** The piece letter for letter; a table row as "column: cell; column: cell". */
  readonly text: string;
  readonly span: Span;
  /** Nearest heading above it, in the chunk or before. */
  readonly heading: string;
  /** The headings above that one, as far as they are known to be. */
  readonly above: readonly string[];
  /** Counts headings, so that a section is a run of equal numbers. */
  readonly section: number;
}

/** Words of a heading. */
const LONGEST_HEADING = 8;

/**
 * Cuts a chunk into units. Left out: headings, rules of tables, pieces too short to say anything, and text that speaks to the
 * assistant instead of to the reader.
 */
export function unitsOf(chunk: Chunk): Unit[] {
  const units: Unit[] = [];
  const planted = instructionsIn(chunk.text);
  const sentences = sentencesOf(chunk.text).map(({ start, end }) => ({ start, end, text: chunk.text.slice(start, end) }));
  let heading = chunk.heading.at(-1) ?? "";
  let above = chunk.heading.slice(0, -1);
  let section = 0;
  let columns: readonly string[] = [];
  for (const [at, { start, end, text }] of sentences.entries()) {
    if (planted.some((piece) => piece.start < end && start < piece.end)) continue;
    const span = { record: chunk.span.record, start: chunk.span.start + start, end: chunk.span.start + end };
    if (isRow(text)) {
      if (isRule(text)) continue;
      const cells = cellsOf(text);
      const next = sentences[at + 1]?.text ?? "";
      const opens = !isRow(sentences[at - 1]?.text ?? "") && isRow(next) && (isRule(next) || cellsOf(next).length === cells.length);
      if (opens) columns = cells;
      else units.push({ kind: "row", text: worded(columns, cells), span, heading, above, section });
      continue;
    }
    columns = [];
    if (isHeading({ start, end, text }, chunk)) {
      // another one in the same chunk stands beside the first, unless that is the title
      const opened = chunk.heading.indexOf(text);
      above = opened >= 0 ? chunk.heading.slice(0, opened) : chunk.heading.slice(0, Math.max(1, chunk.heading.length - 1));
      heading = text.replace(/^#{1,6}\s*/, "");
      section += 1;
      continue;
    }
    const item = /^(?:[-*•+–]|\d{1,3}[.)])\s/.test(text);
    if (text.split(/\s+/).length < 3 && !/:\s\S/.test(text)) continue;
    units.push({ kind: item ? "item" : "prose", text, span, heading, above, section });
  }
  return units;
}

/** A short line without an end: a title, not a statement. A "Label: value" line states something. */
function isHeading({ start, end, text }: { start: number; end: number; text: string }, { heading, text: all }: Chunk): boolean {
  if (/^#{1,6}\s/.test(text) || heading.includes(text)) return true;
  if (end < all.length && all[end] !== "\n") return false;
  if (/[.!:;,)\]"”`]$/.test(text) || /:\s\S/.test(text) || text.split(/\s+/).length > LONGEST_HEADING) return false;
  // "3. Log retention", "How do I report sick?": with nothing else in its paragraph
  const alone = /\n\s*\n\s*$/.test(all.slice(Math.max(0, start - 4), start)) && /^\s*\n\s*\n/.test(all.slice(end, end + 4));
  if (text.endsWith("?") || /^\d{1,3}(?:\.\d{1,3})*[.)]?\s/.test(text)) return alone;
  return /^\p{Lu}/u.test(text);
}

/** "| a | b |", or as converters of other formats write it: "a | b". */
function isRow(text: string): boolean {
  return text.startsWith("|") || (/\S \| \S/.test(text) && !text.includes("\n"));
}

function isRule(row: string): boolean {
  return row.startsWith("|") && /^[|\s:-]+$/.test(row) && row.includes("-");
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function worded(columns: readonly string[], cells: readonly string[]): string {
  return cells.flatMap((cell, at) => (cell === "" ? [] : [columns[at] ? `${columns[at]}: ${cell}` : cell])).join("; ");
}
