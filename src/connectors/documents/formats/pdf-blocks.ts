import type { PageBox } from "../../../core/lines.ts";
import type { Block } from "../../shared/blocks.ts";
import { leastOf } from "./pdf-columns.ts";
import type { PageLine, PageRegion } from "./pdf-lines.ts";

/** The box of a line on its page. */
export type Place = (line: PageLine, quarter: number) => PageBox;

/** What blocks are judged by: facts of the whole document. */
export interface Measures {
  /** Font size of most of the text. */
  readonly bodySize: number;
  /** Words as they are written within lines: tells "well-known" from a word that was cut. */
  readonly words: ReadonlySet<string>;
}

/** What a document's blocks are judged by, of all its pages; sizes are told apart by half points. */
export function measure(pages: readonly (readonly PageRegion[])[]): Measures {
  const sizes = new Map<number, number>();
  const words = new Set<string>();
  for (const line of pages.flat().flatMap((region) => region.lines)) {
    const size = Math.round(line.size * 2) / 2;
    sizes.set(size, (sizes.get(size) ?? 0) + line.text.length);
    for (const word of line.text.toLowerCase().match(/\p{L}[\p{L}\p{N}-]*(?=[^\p{L}\p{N}-])/gu) ?? [])
      if (words.size < 200_000) words.add(word);
  }
  const [bodySize = 10] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? [];
  return { bodySize, words };
}

/** Paragraphs, headings, table rows and code of a page. */
export function pageBlocks(regions: readonly PageRegion[], measures: Measures, place: Place): readonly Block[] {
  return regions.flatMap((region) => regionBlocks(region, measures, (line) => place(line, region.quarter)));
}

type Kind = "prose" | "heading" | "code" | "rows";

function regionBlocks(region: PageRegion, measures: Measures, place: (line: PageLine) => PageBox): Block[] {
  const leading = medianLeading(region.lines);
  const groups: { kind: Kind; lines: PageLine[] }[] = [];
  let before: PageLine | null = null;
  for (const line of region.lines) {
    const kind = kindOf(line, measures);
    const last = groups.at(-1);
    if (!last || !before || last.kind !== kind || breaks(before, line, kind, region, leading)) groups.push({ kind, lines: [line] });
    else last.lines.push(line);
    before = line;
  }
  return groups.map(({ kind, lines }) => {
    const { block, starts } = toBlock(kind, lines, measures);
    return { ...block, lines: lines.map((line, i) => ({ at: starts[i] ?? 0, ...place(line) })) };
  });
}

function kindOf(line: PageLine, { bodySize }: Measures): Kind {
  if (line.mono && !line.cells) return "code";
  if (line.size > bodySize * 1.12 && line.text.length < 160 && /\p{L}/u.test(line.text)) return "heading";
  return line.cells ? "rows" : "prose";
}

/** A text made of lines, and where each of them begins in it. */
interface Joined {
  readonly text: string;
  readonly starts: readonly number[];
}

function toBlock(
  kind: Kind,
  lines: readonly PageLine[],
  measures: Measures,
): { readonly block: Block; readonly starts: readonly number[] } {
  const first = lines[0];
  const { text, starts } = joined(kind, lines, measures.words);
  const made = (block: Omit<Block, "text">) => ({ block: { ...block, text }, starts });
  if (kind === "code") return made({ kind: "code" });
  if (kind === "rows") return made({ kind: "text" });
  const numbered = lines.length === 1 && text.length < 100 ? numberedHeading.exec(text) : null;
  if (numbered && kind === "prose") return made({ kind: "heading", level: Math.min(6, (numbered[1]?.split(".").length ?? 1) + 1) });
  if (kind === "prose" || !first || text.length > 240) return made({ kind: "text" });
  const ratio = first.size / measures.bodySize;
  return made({ kind: "heading", level: ratio > 1.7 ? 1 : ratio > 1.3 ? 2 : 3 });
}

function joined(kind: Kind, lines: readonly PageLine[], words: ReadonlySet<string>): Joined {
  if (kind === "code") return stacked(indented(lines));
  if (kind === "rows") return stacked(lines.map((line) => withoutLeaders(line.text)));
  return joinLines(kind === "heading" ? lines.map(({ text }) => ({ text: text.replace(/\s+/g, " ") })) : lines, words);
}

/** Lines one below the other. */
function stacked(lines: readonly string[]): Joined {
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text: lines.join("\n"), starts };
}

/** The dots of a table of contents. */
const leader = /(?:[ .]\.){4}/;
const listMark = /^(?:[•◦▪‣∙·–—*-]\s|\(?(?:\d{1,3}|[a-z])[.)]\s)/;

/** "5.1 Hyper Parameter Optimization" is a heading in any type; "1. Open the valve" may be a step. */
const numberedHeading =
  /^(?:(\d{1,2}(?:\.\d{1,2}){1,4})\.?|(?:Chapter|Section|Appendix) [\dA-Z]{1,3}[.:]?) +\p{Lu}(?!.* … )[^|]*[^.,;:|]$/u;

/** Whether a new paragraph begins between two lines of one kind. */
function breaks(before: PageLine, line: PageLine, kind: Kind, region: PageRegion, leading: number): boolean {
  const gap = (before.bottom ?? before.y) - line.y;
  if (gap > leading * 1.3 || gap < 0) return true;
  if (Math.abs(before.size - line.size) > Math.max(before.size, line.size) * 0.1) return true;
  if (kind !== "prose") return false;
  if (leader.test(before.text) || leader.test(line.text)) return true;
  if (listMark.test(line.text)) return true;
  const width = region.right - region.left;
  const indent = line.x - before.x;
  if (indent > line.size * 0.8 && indent < width * 0.3 && before.x - region.left < line.size * 0.5) return true;
  // a line that ends early, with a full stop, was the last of its paragraph
  return before.end < region.right - width * 0.25 && /[.:!?。]["”’)]?$/.test(before.text) && width > line.size * 12;
}

function medianLeading(lines: readonly PageLine[]): number {
  const gaps = lines.slice(1).map((line, i) => (lines[i]?.y ?? 0) - line.y);
  const sorted = gaps.filter((gap) => gap > 0).sort((a, b) => a - b);
  const size = lines[0]?.size ?? 10;
  const median = sorted[Math.floor(sorted.length / 2)] ?? size * 1.2;
  // widely spaced single lines are no paragraph
  return Math.min(median, size * 2.2);
}

/** Lines of a paragraph as one, words that were cut at a line's end put together again. */
export function joinLines(lines: readonly Pick<PageLine, "text">[], words: ReadonlySet<string>): Joined {
  let text = "";
  let softly = false;
  const starts: number[] = [];
  for (const { text: raw } of lines) {
    const line = withoutLeaders(raw);
    const cut = /(\p{L}+)[-\u2010]$/u.exec(text.slice(-60));
    const next = /^\p{Ll}[\p{L}\p{N}]*/u.exec(line.slice(0, 60))?.[0];
    let blank = "";
    if (cut?.[1] && next && !softly) text = keepsHyphen(cut[1], next, words) ? text : text.slice(0, -1);
    else if (!softly && text !== "" && !isEastAsian(text.at(-1)) && !isEastAsian(line[0])) blank = " ";
    starts.push(text.length + blank.length);
    text += blank + line;
    softly = raw.endsWith("\u00ad");
  }
  return { text, starts };
}

/** A line without soft hyphens, its dots of a table of contents as one sign. */
function withoutLeaders(line: string): string {
  return line
    .replaceAll("\u00ad", "")
    .replace(/ ?(?:\. ?){5,}/g, " … ")
    .trim();
}

function keepsHyphen(left: string, right: string, words: ReadonlySet<string>): boolean {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  return words.has(`${a}-${b}`) && !words.has(a + b);
}

function isEastAsian(char: string | undefined): boolean {
  return char !== undefined && /[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]/.test(char);
}

/** Code keeps its indentation as far as the characters' width tells. */
function indented(lines: readonly PageLine[]): readonly string[] {
  const left = leastOf(lines, (line) => line.x);
  return lines.map((line) => " ".repeat(Math.min(60, Math.round((line.x - left) / (line.size * 0.6)))) + line.text);
}
