import type { PageBox } from "../../../core/lines.ts";
import { type PageLine, turned } from "./pdf-lines.ts";

/** A page as it is shown: pdf.js' viewport at scale 1. */
export interface Frame {
  /** From the page's own coordinates (y upwards, before it is turned) to those from the upper left corner, y downwards. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** What stands above and below the baseline of a line, in font sizes: with them every letter of a common font is covered. */
const ASCENT = 0.85;
const DESCENT = 0.25;

/** The box of a line of text on its page. */
export function lineBox({ x, end, y, size, bottom = y }: PageLine, quarter: number, frame: Frame): PageBox {
  return rectangleBox(turned(quarter, x, bottom - size * DESCENT), turned(quarter, end, y + size * ASCENT), frame);
}

/** The box around two opposite corners, in fractions of the page; what reaches beyond the page is cut off. */
export function rectangleBox(
  one: readonly [number, number],
  other: readonly [number, number],
  { transform: [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0], width, height }: Frame,
): PageBox {
  const shown = ([x, y]: readonly [number, number]) => [inside((a * x + c * y + e) / width), inside((b * x + d * y + f) / height)] as const;
  const [[x1, y1], [x2, y2]] = [shown(one), shown(other)];
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), w: Math.abs(x1 - x2), h: Math.abs(y1 - y2) };
}

function inside(fraction: number): number {
  return Math.min(1, Math.max(0, fraction));
}
