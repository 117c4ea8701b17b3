import { z } from "zod";

/** A box in fractions of a page as it is shown (turned as a reader sees it), from its upper left corner. */
export interface PageBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A line of text on its page, and where it begins in the record's body. */
export interface PlacedLine extends PageBox {
  readonly at: number;
}

const fraction = z.number().min(0).max(1);

/** A placed line as a citation gives it: the characters of the record's text that stand on it, and its box on the page. */
export const LineBox = z.object({
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  x: fraction,
  y: fraction,
  w: fraction,
  h: fraction,
});
export type LineBox = z.infer<typeof LineBox>;

const NUMBERS = 5;
/** Parts of a page that a stored box is exact to: on A4, 0.2 mm. */
const PARTS = 1000;
/** What fractions are off by as binary numbers: what was packed once is packed the same again. */
const TINY = 1e-6;

/** Lines as five whole numbers each: characters since the line before began, then x, y, width and height in thousandths. */
export function packLines(lines: readonly PlacedLine[]): readonly number[] {
  const packed: number[] = [];
  let before = 0;
  for (const { at, x, y, w, h } of lines) {
    // outwards, so that the box holds the line
    const [left, top] = [Math.floor(x * PARTS + TINY), Math.floor(y * PARTS + TINY)];
    const [right, bottom] = [Math.ceil((x + w) * PARTS - TINY), Math.ceil((y + h) * PARTS - TINY)];
    packed.push(at - before, left, top, right - left, bottom - top);
    before = at;
  }
  return packed;
}

/** The inverse of packLines, to a thousandth of the page. */
export function unpackLines(packed: readonly number[]): readonly PlacedLine[] {
  const lines: PlacedLine[] = [];
  let at = 0;
  for (let i = 0; i + NUMBERS <= packed.length; i += NUMBERS) {
    const [since = 0, x = 0, y = 0, w = 0, h = 0] = packed.slice(i, i + NUMBERS);
    at += since;
    lines.push({ at, x: x / PARTS, y: y / PARTS, w: w / PARTS, h: h / PARTS });
  }
  return lines;
}

/**
 * The lines on which the characters from `start` to `end` stand. A line reaches to where the next one begins.
 * @param lines in order
 */
export function linesWithin(lines: readonly PlacedLine[], start: number, end: number): readonly LineBox[] {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.at ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const found: LineBox[] = [];
  for (let i = Math.max(0, low - 1); i < lines.length; i++) {
    const line = lines[i];
    if (line === undefined || line.at >= end) break;
    const { at, x, y, w, h } = line;
    const until = Math.min(lines[i + 1]?.at ?? end, end);
    if (until > start) found.push({ start: Math.max(at, start), end: until, x, y, w, h });
  }
  return found;
}
