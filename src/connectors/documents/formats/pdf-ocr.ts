import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { PictureReader, type ReadLine } from "../ocr.ts";
import { leastOf, mostOf } from "./pdf-columns.ts";
import type { PageLine, PageRegion } from "./pdf-lines.ts";
import { pagePicture } from "./pdf-picture.ts";
import type { Frame } from "./pdf-place.ts";

/** Pages that are read from pictures, of one file: at some seconds a page. */
const MOST_PAGES = 500;
/** Lines below are taken for specks and drawings, pages below stay unread (docs/connectors.md has the figures). */
const LEAST_LINE = 0.4;
const LEAST_PAGE = 0.6;

/** What is asked and told while pages are read. */
export interface OcrOptions {
  /** Called before each page, which has the time limit to itself. */
  readonly onPage: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** A page that was made out in its pictures. */
export interface OcrPage {
  readonly regions: readonly PageRegion[];
  readonly frame: Frame;
  /** Of the text as a whole, 0 to 1. */
  readonly confidence: number;
}

/** Reads pages from their pictures, one at a time; a page that cannot be made out is not among the results. */
export async function readPictures(
  document: PDFDocumentProxy,
  numbers: readonly number[],
  { onPage, signal }: OcrOptions,
): Promise<ReadonlyMap<number, OcrPage>> {
  const read = new Map<number, OcrPage>();
  if (numbers.length === 0) return read;
  using reader = await PictureReader.open();
  for (const number of numbers.slice(0, MOST_PAGES)) {
    signal.throwIfAborted();
    await onPage();
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    const picture = await pagePicture(page, viewport);
    page.cleanup();
    if (picture === null) continue;
    const lines = reader.read(picture).filter(({ text, confidence }) => confidence >= LEAST_LINE && /[\p{L}\p{N}]/u.test(text));
    const length = lines.reduce((sum, { text }) => sum + text.length, 0);
    const confidence = lines.reduce((sum, line) => sum + line.confidence * line.text.length, 0) / length;
    if (length === 0 || confidence < LEAST_PAGE) continue;
    const { width, height } = viewport;
    // what was read stands as it is shown, so only up and down are to be changed
    const frame = { transform: [1, 0, 0, -1, 0, height], width, height };
    read.set(number, { regions: regionsOf(lines, width / picture.width, height), frame, confidence: Math.round(confidence * 100) / 100 });
  }
  return read;
}

/** Lines in points; where reading goes on further up, another region begins. */
function regionsOf(lines: readonly ReadLine[], scale: number, pageHeight: number): readonly PageRegion[] {
  const heights = lines.map(({ top, bottom }) => bottom - top).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)] ?? 1;
  const regions: PageLine[][] = [];
  for (const line of lines) {
    const height = line.bottom - line.top;
    // a line is as high as its letters happen to be; only what is far from the rest is in another size
    const size = (height > usual * 1.5 ? height : usual) * scale;
    const middle = pageHeight - ((line.top + line.bottom) / 2) * scale;
    const made: PageLine = {
      text: line.text,
      x: line.left * scale,
      end: line.right * scale,
      y: middle - size * 0.3,
      size,
      mono: false,
      cells: false,
    };
    const region = regions.at(-1);
    if (region && (region.at(-1)?.y ?? 0) > made.y) region.push(made);
    else regions.push([made]);
  }
  return regions.map((some) => ({
    lines: some,
    left: leastOf(some, ({ x }) => x),
    right: mostOf(some, ({ end }) => end),
    quarter: 0,
  }));
}
