import { cleanText } from "../../../core/body.ts";
import { type Fragment, leastOf, mostOf, readingOrder, rowsOf } from "./pdf-columns.ts";
import { type TableRow, tableRows } from "./pdf-tables.ts";

/** The part of pdf.js' text item that is used. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly transform: readonly number[];
  readonly fontName: string;
}

/** One line of a region, top to bottom. */
export interface PageLine {
  readonly text: string;
  readonly x: number;
  readonly end: number;
  readonly y: number;
  readonly size: number;
  readonly mono: boolean;
  /** Holds gaps as wide as between table cells; they are written as " | ". */
  readonly cells: boolean;
  /** The baseline of its last line, where it is a table's row of several. */
  readonly bottom?: number;
}

export interface PageRegion {
  readonly lines: readonly PageLine[];
  readonly left: number;
  readonly right: number;
  /** How many quarters of a circle its text is turned against the page; coordinates are those of the text set upright. */
  readonly quarter: number;
}

/** Gap, in font sizes, from which on two items are not of one run: LaTeX sets columns 1 apart, justified text seldom stretches blanks beyond 0.6. */
const GUTTER = 0.7;
const WORD_GAP = 0.16;

/** A word whose letters were set apart. */
const SPACED = /^(?:\p{L} ){3,}\p{L}$/u;

/** Ligatures, and letters in the form that they have within a word: they stand for plain letters. */
const PRESENTED = /[\ufb00-\ufb4f\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]/g;

/**
 * A page's text items as regions of lines in reading order. Text of each direction is read by itself, turned upright: a page
 * may be turned as a whole, or bear a line along its margin. The direction with most text comes first.
 */
export function pageRegions(items: readonly TextItem[], isMono: (fontName: string) => boolean): readonly PageRegion[] {
  const byDirection = Map.groupBy(items, ({ transform: [a = 1, b = 0] }) => (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4);
  const length = (some: readonly TextItem[]) => some.reduce((sum, one) => sum + one.str.length, 0);
  return [...byDirection]
    .sort((a, b) => length(b[1]) - length(a[1]))
    .flatMap(([quarter, some]) =>
      readingOrder(
        fragmentsOf(
          some.map((item) => upright(item, quarter)),
          isMono,
        ),
      ).map((fragments) => regionOf(fragments, quarter)),
    );
}

/** Cosine and sine of so many quarters of a circle. */
const turns = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** A place of upright text back on its page. */
export function turned(quarter: number, u: number, v: number): readonly [number, number] {
  const [cos, sin] = turns[quarter] ?? turns[0];
  return [u * cos - v * sin, v * cos + u * sin];
}

/** Turns an item's place back by so many quarters of a circle. */
function upright(item: TextItem, quarter: number): TextItem {
  if (quarter === 0) return item;
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform;
  const turn = (u: number, v: number) => turned((4 - quarter) % 4, u, v);
  return { ...item, transform: [...turn(a, b), ...turn(c, d), ...turn(x, y)] };
}

function fragmentsOf(items: readonly TextItem[], isMono: (fontName: string) => boolean): readonly Fragment[] {
  const pieces: Fragment[] = [];
  for (const item of items) {
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform;
    const size = Math.hypot(c, d);
    // glyphs without a character come from a font's private area: they say nothing
    const shown = item.str.replace(/[\ue000-\uf8ff\ufffd]/g, "").replace(PRESENTED, (form) => form.normalize("NFKC"));
    const text = SPACED.test(shown.trim()) ? shown.replaceAll(" ", "") : shown;
    if (text.trim() === "" || size === 0) continue;
    const rtl = item.dir === "rtl";
    pieces.push({ text, x, end: x + item.width, y, size, mono: isMono(item.fontName), rtl });
  }
  return rowsOf(pieces).flatMap(joinRow);
}

/** Pieces of a row that follow each other closely become one fragment; a piece drawn twice for a bold look counts once. */
function joinRow(row: readonly Fragment[]): readonly Fragment[] {
  const joined: Fragment[] = [];
  for (const piece of row) {
    const last = joined.at(-1);
    if (!last) {
      joined.push(piece);
      continue;
    }
    const size = Math.max(last.size, piece.size);
    const rtl = piece.x < last.x;
    const gap = rtl ? last.x - piece.end : piece.x - last.end;
    if (piece.text === last.text && Math.abs(piece.x - last.x) < size * 0.2) continue;
    // by the smaller: beside a heading the column of the text is as near as elsewhere
    if (gap > Math.min(last.size, piece.size) * GUTTER) {
      joined.push(piece);
      continue;
    }
    const blank = gap > Math.min(last.size, piece.size) * WORD_GAP && !/\s$/.test(last.text) && !/^\s/.test(piece.text) ? " " : "";
    joined[joined.length - 1] = {
      text: last.text + blank + piece.text,
      x: Math.min(last.x, piece.x),
      end: Math.max(last.end, piece.end),
      y: last.size >= piece.size ? last.y : piece.y,
      size,
      mono: last.mono && piece.mono,
      rtl: last.rtl || piece.rtl,
    };
  }
  return joined;
}

function regionOf(fragments: readonly Fragment[], quarter: number): PageRegion {
  const lines = tableRows(rowsOf(fragments)).map(lineOf);
  return { lines, quarter, left: leastOf(lines, (line) => line.x), right: mostOf(lines, (line) => line.end) };
}

function lineOf({ cells, bottom }: TableRow): PageLine {
  const row = cells.flat();
  const text = cells.map((cell) => cellText(cell)).join(" | ");
  const y = mostOf(row, (one) => one.y);
  return {
    text: cleanText(lamAlef(text.replace(/[\u00a0\t]/g, " ").replace(/[\s|]+$/, ""))),
    x: leastOf(row, (one) => one.x),
    end: mostOf(row, (one) => one.end),
    y,
    size: mostOf(row, (one) => one.size),
    mono: row.every((one) => one.mono),
    cells: cells.length > 1,
    ...(bottom < y ? { bottom } : {}),
  };
}

function cellText(fragments: readonly Fragment[]): string {
  return fragments.reduce((text, { text: piece }) => (text === "" ? piece : `${text.trimEnd()} ${piece}`), "");
}

/**
 * The Arabic ligature of lam and alef is often stated as two letters, which pdf.js turns around with the line: behind an alef (the
 * article al-) the wrong order is no word of any kind. Elsewhere it may be one, so there it stays.
 */
function lamAlef(text: string): string {
  return text.replace(/\u0627([\u0622\u0623\u0625\u0627])\u0644/g, "\u0627\u0644$1");
}
