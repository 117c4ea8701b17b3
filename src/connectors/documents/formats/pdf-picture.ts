import { ImageKind, OPS, type PDFPageProxy, Util } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";
import type { Picture } from "../ocr.ts";
import { mostOf } from "./pdf-columns.ts";
import type { Frame } from "./pdf-place.ts";

/** Dots an inch that text is best made out at: fewer are blown up, more are put together. */
const [LEAST_DPI, MOST_DPI] = [200, 300];
const MOST_DOTS = 20e6;
/** Share of the page that pictures must cover: less is a logo or a rule. */
const LEAST_COVERED = 0.05;

/** What pdf.js decodes a picture to. */
const Decoded = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  kind: z.int().optional(),
  data: z.union([z.instanceof(Uint8Array), z.instanceof(Uint8ClampedArray)]),
});
type Decoded = z.infer<typeof Decoded>;

type Matrix = readonly number[];

/** A picture on a page: from the unit square that it fills to points of the page as it is shown. */
interface Placed {
  readonly image: Decoded;
  readonly isMask: boolean;
  readonly matrix: Matrix;
}

/**
 * The pictures of a page put together as they are shown, strips, layers and turned ones too.
 * @returns null where they cover next to nothing of the page
 */
export async function pagePicture(page: PDFPageProxy, frame: Frame): Promise<Picture | null> {
  const placed = await picturesOf(page, frame);
  const area = (one: Placed) => Math.abs(determinant(one.matrix)) / (frame.width * frame.height);
  if (placed.reduce((sum, one) => sum + area(one), 0) < LEAST_COVERED) return null;
  const finest = mostOf(placed, (one) =>
    area(one) < LEAST_COVERED ? 0 : one.image.width / Math.hypot(one.matrix[0] ?? 1, one.matrix[1] ?? 0),
  );
  const scale = Math.min(Math.max(finest || 0, LEAST_DPI / 72), MOST_DPI / 72, Math.sqrt(MOST_DOTS / (frame.width * frame.height)));
  const [width, height] = [Math.ceil(frame.width * scale), Math.ceil(frame.height * scale)];
  const picture = { width, height, grey: new Uint8Array(width * height).fill(255) };
  for (const one of placed) draw(one, scale, picture);
  return picture;
}

async function picturesOf(page: PDFPageProxy, frame: Frame): Promise<readonly Placed[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const placed: Placed[] = [];
  const saved: Matrix[] = [];
  let matrix: Matrix = frame.transform;
  const put = async (source: unknown, isMask: boolean, at: Matrix) => {
    const image = Decoded.safeParse(typeof source === "string" ? await objectOf(page, source) : source);
    if (image.success) placed.push({ image: image.data, isMask, matrix: at });
  };
  for (const [i, operator] of fnArray.entries()) {
    const values: readonly unknown[] = argsArray[i] ?? [];
    const [first, ...rest] = values;
    switch (operator) {
      case OPS.save:
        saved.push(matrix);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        matrix = saved.pop() ?? matrix;
        break;
      case OPS.paintFormXObjectBegin:
        saved.push(matrix);
        if (isMatrix(first)) matrix = Util.transform([...matrix], [...first]);
        break;
      case OPS.transform:
        if (isMatrix(values)) matrix = Util.transform([...matrix], [...values]);
        break;
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject:
        await put(first, false, matrix);
        break;
      case OPS.paintImageMaskXObject:
        await put((first as { readonly data?: unknown }).data ?? first, true, matrix);
        break;
      case OPS.paintImageXObjectRepeat: {
        const [width, height, positions] = rest as [number, number, readonly number[]];
        for (let at = 0; at + 1 < positions.length; at += 2)
          await put(first, false, Util.transform([...matrix], [width, 0, 0, height, positions[at] ?? 0, positions[at + 1] ?? 0]));
        break;
      }
    }
  }
  return placed;
}

/** pdf.js gives some as lists, some as typed arrays. */
function isMatrix(value: unknown): value is Matrix {
  return (Array.isArray(value) || value instanceof Float32Array) && value.length === 6;
}

function objectOf(page: PDFPageProxy, id: string): Promise<unknown> {
  const objects = id.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) => void objects.get(id, resolve));
}

function determinant([a = 0, b = 0, c = 0, d = 0]: Matrix): number {
  return a * d - b * c;
}

/** Sets each dot of the page from the picture's dots below it; where the picture has more of them, several are put together. */
function draw({ image, isMask, matrix }: Placed, scale: number, page: Picture): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = Util.transform([scale, 0, 0, scale, 0, 0], [...matrix]);
  const area = a * d - b * c;
  if (area === 0) return;
  const { width, height } = image;
  const shades = shadesOf(image, isMask);
  const [left, right] = [Math.min(0, a, c, a + c) + e, Math.max(0, a, c, a + c) + e];
  const [top, bottom] = [Math.min(0, b, d, b + d) + f, Math.max(0, b, d, b + d) + f];
  // how far one dot of the page leads in the picture, whose first row is at the top
  const [columnX, columnY] = [(d / area) * width, (-c / area) * width];
  const [rowX, rowY] = [(b / area) * height, (-a / area) * height];
  const times = Math.max(1, Math.round(Math.hypot(columnX, rowX)));
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(page.height, Math.ceil(bottom)); y++) {
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(page.width, Math.ceil(right)); x++) {
      const at = y * page.width + x;
      const below = page.grey[at] ?? 255;
      let sum = 0;
      for (let part = 0; part < times * times; part++) {
        const dx = x - e + ((part % times) + 0.5) / times;
        const dy = y - f + (Math.floor(part / times) + 0.5) / times;
        const column = Math.floor(dx * columnX + dy * columnY);
        const row = Math.floor(dx * rowX + dy * rowY + height);
        const shade = column < 0 || row < 0 || column >= width || row >= height ? CLEAR : (shades[row * width + column] ?? CLEAR);
        sum += shade === CLEAR ? below : shade;
      }
      page.grey[at] = sum / (times * times);
    }
  }
}

/** What lies below shows through. */
const CLEAR = -1;

/** The picture's dots as shades of grey, or CLEAR. */
function shadesOf({ width, height, kind, data }: Decoded, isMask: boolean): Int16Array {
  const shades = new Int16Array(width * height);
  const stride = (width + 7) >> 3;
  const bytes = kind === ImageKind.RGB_24BPP ? 3 : 4;
  for (let at = 0; at < shades.length; at++) {
    if (isMask || kind === ImageKind.GRAYSCALE_1BPP) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const isSet = ((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      // a mask paints, in black as we take it, where its bit is not set
      shades[at] = isMask ? (isSet ? CLEAR : 0) : isSet * 255;
      continue;
    }
    const i = at * bytes;
    const grey = 0.299 * (data[i] ?? 0) + 0.587 * (data[i + 1] ?? 0) + 0.114 * (data[i + 2] ?? 0);
    shades[at] = bytes === 4 && (data[i + 3] ?? 255) < 128 ? CLEAR : grey;
  }
  return shades;
}
