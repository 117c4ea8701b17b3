import type { PlacedLine } from "../../core/lines.ts";
import { type Assembled, assemble, type Block } from "../shared/blocks.ts";

/** What a parser makes of a file: plain text and where its parts stand in it. */
export interface Parsed extends Assembled {
  readonly mediaType: string;
  /** The document's own title, null when it states none. */
  readonly title: string | null;
  /** Offset where each page, slide or sheet begins; absent where there are none. */
  readonly pageStarts?: readonly number[];
  /** Spans that were read from pictures, and with what confidence (0 to 1); absent where there are none. */
  readonly ocr?: readonly { readonly start: number; readonly end: number; readonly confidence: number }[];
  /** What could not be read, for people: "pages 3 and 5 hold no text". */
  readonly warnings: readonly string[];
}

/** Joins texts by empty lines, and moves their headings and code along; `starts` says where each begins. */
export function joinTexts(texts: readonly Assembled[]): Assembled & { readonly starts: readonly number[] } {
  let text = "";
  const headings: { at: number; level: number; text: string }[] = [];
  const code: { start: number; end: number }[] = [];
  const lines: PlacedLine[] = [];
  const starts: number[] = [];
  for (const one of texts) {
    const start = text === "" || one.text === "" ? text.length : text.length + 2;
    starts.push(start);
    if (one.text === "") continue;
    text = text === "" ? one.text : `${text}\n\n${one.text}`;
    for (const heading of one.headings) headings.push({ ...heading, at: heading.at + start });
    for (const span of one.code) code.push({ start: span.start + start, end: span.end + start });
    for (const line of one.lines ?? []) lines.push({ ...line, at: line.at + start });
  }
  return { text, headings, code, ...(lines.length === 0 ? {} : { lines }), starts };
}

/** Joins blocks page by page; a page without text begins where the one before it ends. */
export function assemblePages(pages: readonly (readonly Block[])[]): Assembled & { readonly pageStarts: readonly number[] } {
  const { starts, ...joined } = joinTexts(pages.map((blocks) => assemble(blocks)));
  return { ...joined, pageStarts: starts };
}

/** "3", "3 and 5", "3 to 7, 9". */
export function listNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  const shown = runs.slice(0, 20).map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  if (runs.length > 20) shown.push(`${runs.length - 20} more`);
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
