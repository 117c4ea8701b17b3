import { cleanText } from "../../core/body.ts";
import type { PlacedLine } from "../../core/lines.ts";

/** One paragraph-like piece of a converted text, in reading order. */
export interface Block {
  readonly kind: "text" | "heading" | "code";
  readonly text: string;
  /** 1 to 6, of a heading. */
  readonly level?: number;
  /** Where its lines stand on their page, `at` counted in this block's text; absent where that is not known. */
  readonly lines?: readonly PlacedLine[];
}

export interface Heading {
  readonly at: number;
  readonly level: number;
  readonly text: string;
}

export interface Assembled {
  readonly text: string;
  readonly headings: readonly Heading[];
  /** Spans of quoted code and logs. */
  readonly code: readonly { readonly start: number; readonly end: number }[];
  readonly lines?: readonly PlacedLine[];
}

/**
 * Joins blocks by empty lines and notes where headings and code stand.
 * Each block is cleaned before it is measured, so that `composeBody`, which cleans again, moves no offset.
 */
export function assemble(blocks: Iterable<Block>): Assembled {
  let text = "";
  const headings: Heading[] = [];
  const code: { start: number; end: number }[] = [];
  const lines: PlacedLine[] = [];
  for (const block of blocks) {
    const cleaned = block.kind === "code" ? cleanCode(block.text) : cleanText(block.text);
    if (cleaned === "") continue;
    if (text !== "") text += "\n\n";
    const start = text.length;
    text += cleaned;
    if (block.kind === "heading") headings.push({ at: start, level: block.level ?? 1, text: cleaned });
    if (block.kind === "code") code.push({ start, end: text.length });
    // a text that cleaning changed has its lines elsewhere
    if (cleaned === block.text) for (const line of block.lines ?? []) lines.push({ ...line, at: line.at + start });
  }
  return { text, headings, code, ...(lines.length === 0 ? {} : { lines }) };
}

/** As cleanText, but the first line keeps its indent, which means something in code. */
function cleanCode(text: string): string {
  const cleaned = cleanText(`|\n${text}`);
  return cleaned.slice(1).replace(/^\n+/, "");
}
