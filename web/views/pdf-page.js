import { h, show } from "../lib/dom.js";
import { drawPage, openPdf } from "../lib/pdf.js";

const ZOOM = 1.8;

/** Whether a citation's page can be shown: a PDF that this daemon sends, and lines to mark. */
export function hasPage({ url, page, lines }) {
  return Boolean(page && lines?.length && url?.startsWith("/api/originals/"));
}

/** A box over a part of the page. */
function box({ x, y, w, h: height }, name) {
  const place = h("div", { class: name });
  for (const [side, part] of [
    ["left", x],
    ["top", y],
    ["width", w],
    ["height", height],
  ])
    place.style.setProperty(side, `${part * 100}%`);
  return place;
}

/**
 * The cited page as a picture, its lines marked, and the pages around it.
 * @param spots places in the citation's text that show the sentence: their lines are marked more strongly
 * @param signal ends the drawing
 * @returns {{ view: HTMLElement, tools: HTMLElement, draw: () => Promise<void> }} `draw` is for when the view is in its place; it
 * fails where the page cannot be drawn
 */
export function pdfPage(citation, spots, signal) {
  const { lines, page: cited, title, text, charStart } = citation;
  const canvas = h("canvas", { role: "img" });
  const marks = h("div", { class: "marks", "aria-hidden": "true" });
  const sheet = h("div", { class: "sheet", "data-empty": true }, canvas, marks);
  const place = h("span", { class: "fine", role: "status" });
  const [before, after, zoom] = [
    h("button", { type: "button", "aria-label": "Page before", onclick: () => turn(-1) }, "‹"),
    h("button", { type: "button", "aria-label": "Next page", onclick: () => turn(1) }, "›"),
    h("button", { type: "button", "aria-pressed": "false", onclick: () => enlarge() }, "Enlarge"),
  ];
  const holder = h("div", { class: "sheet-holder", tabindex: "0", role: "group", "aria-label": "Page" }, sheet);
  const view = h("figure", { class: "pdf-page" }, holder, h("figcaption", { class: "aside" }, `Marked: ${text}`));
  const tools = h("div", { class: "row page-tools" }, before, place, after, zoom);
  let pdf = null;
  let number = cited;
  let drawing = new AbortController();

  const isSaid = ({ start, end }) => spots.some(([from, to]) => start < charStart + to && end > charStart + from);

  async function draw() {
    drawing.abort();
    drawing = new AbortController();
    const here = AbortSignal.any([signal, drawing.signal]);
    pdf ??= await openPdf(citation.url.split("#")[0]);
    here.throwIfAborted();
    place.textContent = `Page ${number} of ${pdf.numPages}`;
    before.disabled = number <= 1;
    after.disabled = number >= pdf.numPages;
    canvas.setAttribute("aria-label", `Page ${number} of ${title}${number === cited ? ", the cited lines marked" : ""}`);
    await drawPage(pdf, number, canvas, sheet.clientWidth, here);
    delete sheet.dataset.empty;
    show(marks, number === cited && lines.map((line) => box(line, isSaid(line) ? "line said" : "line")));
    (marks.querySelector(".said") ?? marks.firstElementChild)?.scrollIntoView({ block: "center", inline: "nearest" });
  }

  const redraw = () =>
    draw().catch((error) => {
      if (!signal.aborted && error.name !== "AbortError" && error.name !== "RenderingCancelledException") place.textContent = error.message;
    });

  function turn(by) {
    number += by;
    holder.scrollTo(0, 0);
    redraw();
  }

  function enlarge() {
    const isLarge = sheet.style.width !== "";
    sheet.style.width = isLarge ? "" : `${ZOOM * 100}%`;
    zoom.setAttribute("aria-pressed", String(!isLarge));
    redraw();
  }

  return { view, tools, draw };
}
