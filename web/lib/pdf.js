import { authorization } from "./api.js";

const VENDOR = "/vendor/pdfjs/";

/** Dots that a canvas may have: browsers refuse much larger ones. */
const MOST_DOTS = 16e6;

let library = null;
let opened = null;

/** pdf.js, loaded when the first page is to be shown. */
async function pdfjs() {
  library ??= import(`${VENDOR}legacy/build/pdf.min.mjs`);
  const loaded = await library;
  loaded.GlobalWorkerOptions.workerSrc = `${VENDOR}legacy/build/pdf.worker.min.mjs`;
  return loaded;
}

/** The file at an address of this daemon; the last one is kept, since sources are often looked at one after the other. */
export async function openPdf(url) {
  if (opened?.url === url) return opened.document;
  closePdf();
  const { getDocument } = await pdfjs();
  const task = getDocument({
    url,
    httpHeaders: authorization(),
    // only what the page needs, by range
    disableAutoFetch: true,
    disableStream: true,
    disableWorkerRendering: true,
    useSystemFonts: false,
    // the page's policy compiles no WebAssembly; pdf.js has its decoders in plain script too
    useWasm: false,
    wasmUrl: `${VENDOR}wasm/`,
    cMapUrl: `${VENDOR}cmaps/`,
    standardFontDataUrl: `${VENDOR}standard_fonts/`,
  });
  opened = { url, task, document: task.promise };
  task.promise.catch(() => {
    if (opened?.task === task) opened = null;
  });
  return task.promise;
}

export function closePdf() {
  opened?.task.destroy();
  opened = null;
}

/**
 * Draws a page onto a canvas, as sharp as the screen.
 * @param width of the canvas on the page, in CSS pixels
 */
export async function drawPage(pdf, number, canvas, width, signal) {
  const page = await pdf.getPage(number);
  signal.throwIfAborted();
  const natural = page.getViewport({ scale: 1 });
  const sharp = (width / natural.width) * Math.max(1, devicePixelRatio);
  const scale = Math.min(sharp, Math.sqrt(MOST_DOTS / (natural.width * natural.height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  const drawing = page.render({ canvas, viewport });
  signal.addEventListener("abort", () => drawing.cancel(), { once: true });
  await drawing.promise;
}
