import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { getDocument, type PDFDocumentProxy, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";
import { ContextError } from "../../../core/errors.ts";
import type { Block } from "../../shared/blocks.ts";
import { assemblePages, listNumbers, type Parsed } from "../parsed.ts";
import { measure, pageBlocks } from "./pdf-blocks.ts";
import { type PageRegion, pageRegions, type TextItem } from "./pdf-lines.ts";
import { type OcrOptions, readPictures } from "./pdf-ocr.ts";
import { type Frame, lineBox, rectangleBox } from "./pdf-place.ts";
import { dropRunningLines } from "./pdf-running.ts";
import { unlockWithEmptyOwnerPassword } from "./pdf-unlock.ts";

const assets = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
const MOST_PAGES = 20_000;
/** Dots of one picture: A4 at 1,000 an inch. */
const MOST_IMAGE = 100e6;

/**
 * A PDF page by page: columns in reading order, cut words and ligatures whole, running headers and footers dropped.
 * @param ocr reads pages that are pictures; null: they stay unread
 * @throws ContextError FILE_ENCRYPTED when a password is needed, FILE_NO_TEXT when all pages are pictures, FILE_UNREADABLE
 * when it is damaged
 */
export async function parsePdf(bytes: Uint8Array, signal: AbortSignal, ocr: Pick<OcrOptions, "onPage"> | null = null): Promise<Parsed> {
  checkWhole(bytes);
  checkBomb(bytes);
  const document = await openPdf(bytes);
  try {
    if (document.numPages > MOST_PAGES)
      throw new ContextError("FILE_TOO_LARGE", `It has ${document.numPages} pages; at most ${MOST_PAGES} are read`);
    const own = await readPages(document, signal);
    const pictures = ocr === null ? new Map() : await readPictures(document, numbersOf(own, isEmpty), { ...ocr, signal });
    const pages = own.map((page, i): Page => ({ ...page, ...pictures.get(i + 1) }));
    const kept = dropRunningLines(
      pages.map(({ regions }) => regions),
      (line, quarter, i) => isInMargin(lineBox(line, quarter, pages[i]?.frame ?? NOWHERE)),
    );
    const measures = measure(kept);
    const assembled = assemblePages(
      pages.map(({ frame, notes }, i) => [
        ...pageBlocks(kept[i] ?? [], measures, (line, quarter) => lineBox(line, quarter, frame)),
        ...notes,
      ]),
    );
    const damaged = numbersOf(pages, (page) => page.isDamaged);
    const empty = numbersOf(pages, isEmpty);
    if (assembled.text === "") throw noText(empty, damaged, ocr !== null);
    const warnings: string[] = [];
    if (empty.length > 0) warnings.push(`${plural(empty.length, "page", "pages")} ${listNumbers(empty)} without text (a picture or blank)`);
    if (damaged.length > 0) warnings.push(`${plural(damaged.length, "page", "pages")} ${listNumbers(damaged)} damaged and left out`);
    return { ...assembled, ...ocrSpans(pages, assembled), mediaType: "application/pdf", title: await titleOf(document), warnings };
  } finally {
    await document.loadingTask.destroy();
  }
}

function isEmpty({ regions, notes, isDamaged }: Page): boolean {
  return regions.length === 0 && notes.length === 0 && !isDamaged;
}

function numbersOf(pages: readonly Page[], fits: (page: Page) => boolean): readonly number[] {
  return pages.flatMap((page, i) => (fits(page) ? [i + 1] : []));
}

function noText(empty: readonly number[], damaged: readonly number[], wereRead: boolean): ContextError {
  if (damaged.length > 0) return new ContextError("FILE_UNREADABLE", "It is damaged: none of its pages can be read");
  const pages = plural(empty.length, "its page is a picture", `all ${empty.length} pages are pictures`);
  if (wereRead)
    return new ContextError("FILE_NO_TEXT", `It holds no text: ${pages}, in which none could be made out`, {
      remedy: "Only text in Latin letters is made out, and only where it is sharp enough: index a text version.",
    });
  return new ContextError("FILE_NO_TEXT", `It holds no text: ${pages}`, {
    remedy: 'Set "ocr": true for this source to have pictures of text read, or index a text version.',
  });
}

/** Which parts of the text were read from pictures. */
function ocrSpans(
  pages: readonly Page[],
  { text, pageStarts }: Pick<Parsed, "text"> & { readonly pageStarts: readonly number[] },
): Pick<Parsed, "ocr"> {
  const ocr = pages.flatMap(({ confidence }, i) => {
    const [start = 0, end = text.length] = [pageStarts[i], pageStarts[i + 1]];
    return confidence === undefined ? [] : [{ start, end, confidence }];
  });
  return ocr.length === 0 ? {} : { ocr };
}

function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** pdf.js rebuilds what it can of a torso and shows it as if it were the document; we say instead that it is damaged. */
function checkWhole(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasEnd = buffer.includes("startxref") || buffer.includes("%%EOF");
  const hasTrailer = buffer.includes("trailer") || buffer.includes("/XRef");
  if (!hasEnd || !hasTrailer)
    throw new ContextError("FILE_UNREADABLE", "It is damaged or cut short: the end of a PDF (its cross-reference table) is missing");
}

/**
 * Streams packed by a picture codec that state no picture's width are no pictures: page contents packed that way unpack to
 * gigabytes (a few bytes of JBIG2 may declare 100,000 by 100,000 dots), and no program that writes documents does it.
 */
function checkBomb(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const codec = /\/(?:JBIG2Decode|CCITTFaxDecode|JPXDecode|DCTDecode)\b/g;
  for (let match = codec.exec(text); match !== null; match = codec.exec(text)) {
    const start = text.lastIndexOf(" obj", match.index);
    const end = text.indexOf("stream", match.index);
    if (start < 0 || end < 0 || match.index - start > 4000 || end - match.index > 4000) continue;
    const dictionary = text.slice(start, end);
    if (!/\/(?:Width|W|Type1|Globals)\b/.test(dictionary) && /\/Length\b/.test(dictionary)) {
      throw new ContextError("FILE_TOO_LARGE", "It unpacks to far more than its size: its page contents are packed as pictures", {
        remedy: "Do not trust this file; if it is harmless, print it to a new PDF.",
      });
    }
  }
}

async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  try {
    return await load(bytes);
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "PasswordException") throw damaged(cause);
    const unlocked = unlockWithEmptyOwnerPassword(bytes);
    if (unlocked === null) throw new ContextError("FILE_ENCRYPTED", "It is encrypted and needs a password", { cause });
    return load(unlocked).catch((error: unknown) => {
      throw damaged(error);
    });
  }
}

function damaged(cause: unknown): ContextError {
  return new ContextError("FILE_UNREADABLE", `It is damaged: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

function load(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  return getDocument({
    // pdf.js takes the buffer over, so it gets its own
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    wasmUrl: `${join(assets, "wasm")}/`,
    maxImageSize: MOST_IMAGE,
    isOffscreenCanvasSupported: false,
    cMapUrl: `${join(assets, "cmaps")}/`,
    cMapPacked: true,
    standardFontDataUrl: `${join(assets, "standard_fonts")}/`,
  }).promise;
}

/** Part of a page's height that is margin, above and below. */
const MARGIN = 0.07;

function isInMargin({ y, h }: { readonly y: number; readonly h: number }): boolean {
  return y + h < MARGIN || y > 1 - MARGIN;
}

/** Of a page that cannot be read. */
const NOWHERE: Frame = { transform: [1, 0, 0, 1, 0, 0], width: 1, height: 1 };

interface Page {
  readonly regions: readonly PageRegion[];
  /** Text in annotations and form fields. */
  readonly notes: readonly Block[];
  readonly frame: Frame;
  readonly isDamaged: boolean;
  /** Of what was read from a picture. */
  readonly confidence?: number;
}

async function readPages(document: PDFDocumentProxy, signal: AbortSignal): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    signal.throwIfAborted();
    try {
      const page = await document.getPage(number);
      const { items, styles } = await page.getTextContent();
      const isMono = (font: string) => styles[font]?.fontFamily === "monospace";
      const frame = page.getViewport({ scale: 1 });
      pages.push({
        regions: pageRegions(items.filter((item) => "str" in item) as readonly TextItem[], isMono),
        notes: annotationTexts(await page.getAnnotations(), frame),
        frame,
        isDamaged: false,
      });
      page.cleanup();
    } catch {
      pages.push({ regions: [], notes: [], frame: NOWHERE, isDamaged: true });
    }
  }
  return pages;
}

const Annotation = z.object({
  subtype: z.string().catch(""),
  contentsObj: z.object({ str: z.string() }).optional().catch(undefined),
  fieldName: z.string().optional().catch(undefined),
  // of a list it is the choice, or several
  fieldValue: z
    .union([z.string(), z.array(z.string()).transform((all) => all.join(", "))])
    .optional()
    .catch(undefined),
  rect: z.array(z.number()).length(4).optional().catch(undefined),
});

/** What people wrote onto a page afterwards: text boxes, comments, filled-in fields. */
function annotationTexts(annotations: readonly unknown[], frame: Frame): readonly Block[] {
  return annotations.flatMap((one): Block[] => {
    const { subtype, contentsObj, fieldName, fieldValue, rect } = Annotation.parse(one);
    const field = fieldValue?.trim() ? `${fieldName ?? "field"}: ${fieldValue.trim()}` : "";
    const noted = subtype === "Link" || subtype === "Popup" ? "" : (contentsObj?.str.trim() ?? "");
    const text = subtype === "Widget" ? field : noted;
    if (text === "") return [];
    const [left = 0, bottom = 0, right = 0, top = 0] = rect ?? [];
    return [{ kind: "text", text, ...(rect ? { lines: [{ at: 0, ...rectangleBox([left, bottom], [right, top], frame) }] } : {}) }];
  });
}

async function titleOf(document: PDFDocumentProxy): Promise<string | null> {
  const metadata = await document.getMetadata().catch(() => null);
  const title = (metadata?.info as { Title?: unknown } | undefined)?.Title;
  return typeof title === "string" && title.trim() !== "" ? title.trim() : null;
}
