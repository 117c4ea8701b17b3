import { type Assembled, assemble, type Block } from "../shared/blocks.ts";

/** What a parser makes of a file: plain text and where its parts stand in it. */
export interface Parsed extends Assembled {
  readonly mediaType: string;
  /** The document's own title, null when it states none. */
  readonly title: string | null;
  /** Offset where each page, slide or sheet begins; absent where there are none. */
  readonly pageStarts?: readonly number[];
  /** What could not be read, for people: "pages 3 and 5 hold no text". */
  readonly warnings: readonly string[];
}

/** Joins blocks page by page; a page without text begins where the next one does. */
export function assemblePages(pages: readonly (readonly Block[])[]): Assembled & { readonly pageStarts: readonly number[] } {
  let text = "";
  const headings: { at: number; level: number; text: string }[] = [];
  const code: { start: number; end: number }[] = [];
  const pageStarts: number[] = [];
  for (const blocks of pages) {
    const page = assemble(blocks);
    const start = text === "" || page.text === "" ? text.length : text.length + 2;
    pageStarts.push(pageStarts.length === 0 ? 0 : start);
    if (page.text === "") continue;
    text = text === "" ? page.text : `${text}\n\n${page.text}`;
    for (const heading of page.headings) headings.push({ ...heading, at: heading.at + start });
    for (const span of page.code) code.push({ start: span.start + start, end: span.end + start });
  }
  // pages without text before a later one: they end where it begins
  return { text, headings, code, pageStarts };
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
