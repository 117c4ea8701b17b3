import { at, get } from "../lib/api.js";
import { h, outLink, show } from "../lib/dom.js";
import { moment, percent, placeIn } from "../lib/format.js";
import { closePdf } from "../lib/pdf.js";
import { wordSpots } from "../lib/query-words.js";
import { namedSpots, spotOf } from "../lib/spot.js";
import { marked, problemBox, sourceTag } from "./parts.js";
import { hasPage, pdfPage } from "./pdf-page.js";

const drawer = document.querySelector("#drawer");
let back = null;
/** Ends what goes on for what the drawer shows. */
let shown = new AbortController();
/** How PDFs are shown: as pages, or as text, which a narrow screen shows better. */
let asPages = matchMedia("(min-width: 700px)").matches;

function open(...content) {
  shown.abort();
  shown = new AbortController();
  drawer.removeAttribute("data-wide");
  if (!drawer.open) back = document.activeElement;
  show(drawer, content);
  if (!drawer.open) drawer.showModal();
  drawer.querySelector("mark, .paragraph.cited")?.scrollIntoView({ block: "center" });
}

drawer.addEventListener("close", () => {
  shown.abort();
  closePdf();
  back?.focus();
});
// what it shows belongs to the page that is left
window.addEventListener("hashchange", () => drawer.close());
drawer.addEventListener("click", (event) => {
  if (event.target === drawer) drawer.close();
});

function head(title, ...below) {
  return h(
    "header",
    { class: "drawer-head" },
    h("div", null, h("h2", { id: "drawer-title" }, title), h("p", { class: "fine" }, below)),
    h("button", { class: "icon", type: "button", "aria-label": "Close", onclick: () => drawer.close() }, "✕"),
  );
}

function placeOf({ ordinal, of, page, heading }) {
  return [`paragraph ${ordinal} of ${of}`, page ? `page ${page}` : null, heading?.length ? heading.join(" › ") : null]
    .filter(Boolean)
    .join(" · ");
}

/** Where two neighbouring paragraphs overlap, the shared text is shown once. */
function neighbour(chunk, cited) {
  const { start, end } = chunk.span;
  const text =
    start < cited.span.start
      ? chunk.text.slice(0, Math.max(0, cited.span.start - start))
      : chunk.text.slice(Math.max(0, cited.span.end - start));
  return text.trim() === "" || end === start ? null : h("p", { class: "paragraph", "data-source": chunk.source }, text.trim());
}

/** Where a paragraph has the words that were searched, or shows a sentence: the place that says it, else those it was made from. */
function spotsOf(citation, { words, sentence, claim }) {
  if (words !== "") return wordSpots(citation.text, words);
  const said = sentence === "" ? null : spotOf(citation.text, sentence);
  return said === null ? namedSpots(citation, claim) : [said];
}

/** Found by web search: it is kept nowhere but in the answer. */
function isWebPage({ recordId }) {
  return recordId.startsWith("websearch:");
}

/**
 * The exact paragraph behind [n], with its neighbours.
 * @param citations those of the same answer, for stepping with the arrow keys
 * @param sentence what it is cited for, and `claim` how it was checked: the places that show it are marked
 * @param words what was searched: its words are marked
 */
export async function openCitation(citation, citations = [citation], { changed = null, sentence = "", claim = null, words = "" } = {}) {
  const step = (by) => {
    const next = citations[citations.indexOf(citation) + by];
    if (next) openCitation(next, citations, { words });
  };
  drawer.onkeydown = (event) => {
    // on a page that is larger than its place the arrows move it
    if (event.target.closest(".sheet-holder") && (event.key === "ArrowUp" || event.key === "ArrowDown")) return;
    if (event.key === "ArrowRight" || event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") step(-1);
    else return;
    event.preventDefault();
  };
  const title = head(
    h("span", null, h("span", { class: "number" }, citation.n), " ", citation.title),
    sourceTag(citation.source),
    ` ${placeIn(citation)}`,
    citation.ocr !== undefined && [" · ", readFromPicture(citation.ocr)],
  );
  const foot = h(
    "footer",
    { class: "drawer-foot" },
    citation.url
      ? outLink(citation.url, "Open the original ↗", { class: "button" })
      : h("span", { class: "fine" }, "No link to an original"),
    !isWebPage(citation) &&
      h("button", { type: "button", onclick: () => openRecord(citation.recordId, placeOfCitation(citation)) }, "Whole record"),
    citations.length > 1 && h("span", { class: "fine keys" }, h("kbd", null, "←"), h("kbd", null, "→"), " other sources"),
  );
  const spots = spotsOf(citation, { words, sentence, claim });
  const cited = h("p", { class: "paragraph cited", "data-source": citation.source }, marked(citation.text, spots));
  const body = h("div", { class: "drawer-body", tabindex: "0", role: "group", "aria-label": "Paragraph" }, cited);
  const place = h("div", { class: "page-place" });
  open(title, place, body, foot);
  const { signal } = shown;
  if (isWebPage(citation)) {
    body.prepend(h("p", { class: "note" }, "A page of the web, as the search engine showed it. It is none of the indexed sources."));
    return;
  }
  try {
    const { chunk, before, after } = await get(`${at("/api/chunks/", citation.chunkId)}?around=1`);
    const same = chunk.text === citation.text;
    show(
      body,
      !same && h("p", { class: "note" }, "The source has changed since this answer. Above: as it was cited. Below: as it is now."),
      before.map((one) => neighbour(one, chunk)),
      same ? cited : [cited, h("p", { class: "paragraph now", "data-source": chunk.source }, chunk.text)],
      after.map((one) => neighbour(one, chunk)),
      h("p", { class: "fine" }, placeOf(chunk), chunk.updatedAt && ` · updated ${moment(chunk.updatedAt)} UTC`),
    );
    body.querySelector("mark, .paragraph.cited")?.scrollIntoView({ block: "center" });
    if (same && hasPage(chunk) && !signal.aborted)
      offerPage({ ...citation, url: chunk.url, lines: chunk.lines, charStart: chunk.span.start }, spots, { place, body, signal });
  } catch (error) {
    if (error.status === 404)
      body.prepend(h("p", { class: "note" }, "This paragraph is gone from its source; here is the text as it was cited."));
    else body.append(problemBox(error));
  }
  if (changed?.change === "gone") body.prepend(h("p", { class: "note" }, "Removed at its source since then."));
}

function readFromPicture(confidence) {
  return h("span", { class: "read", title: `Read from a picture (OCR), confidence ${percent(confidence)}` }, "read by OCR");
}

/** Shows the page with its lines marked in the text's place, or lets one choose to; the text stays where it cannot be drawn. */
function offerPage(citation, spots, { place, body, signal }) {
  const choose = (pages) => h("button", { type: "button", "aria-pressed": "false", onclick: () => turnTo(pages) }, pages ? "Page" : "Text");
  const [page, text] = [choose(true), choose(false)];
  let drawn = null;

  async function turnTo(pages) {
    asPages = pages;
    page.setAttribute("aria-pressed", String(pages));
    text.setAttribute("aria-pressed", String(!pages));
    drawer.toggleAttribute("data-wide", pages);
    body.hidden = pages;
    if (drawn !== null) drawn.view.hidden = drawn.tools.hidden = !pages;
    if (!pages || drawn !== null) return;
    drawn = pdfPage(citation, spots, signal);
    row.append(drawn.tools);
    place.append(drawn.view);
    try {
      await drawn.draw();
    } catch (error) {
      if (signal.aborted) return;
      show(place, h("p", { class: "note" }, `The page cannot be shown (${error.message}); here is its text.`));
      drawer.removeAttribute("data-wide");
      body.hidden = false;
    }
  }

  const row = h("div", { class: "row" }, h("div", { class: "shown-as", role: "group", "aria-label": "Shown as" }, page, text));
  show(place, row);
  turnTo(asPages);
}

/** A place in a record: what an edge of the graph rests on. */
export async function openEvidence({ record, start, end }, title) {
  await openRecord(record, { start, end, title });
}

/** Another place of the same content. */
function copyLink({ id, url }) {
  return url ? outLink(url, id) : h("code", null, id);
}

/** The source's own words, laid out only when they are looked at: they may be long. */
function asSent(raw) {
  const text = h("pre");
  const fill = ({ currentTarget }) => {
    if (currentTarget.open) text.textContent = JSON.stringify(raw, null, 2);
  };
  return h("details", { ontoggle: fill }, h("summary", null, "As the source sent it"), text);
}

function placeOfCitation({ charStart, charEnd, text }) {
  return { start: charStart, end: charEnd, text };
}

/**
 * The record as it was pulled.
 * @param spot the place that is marked and shown first; with a `text`, only while it still stands there
 */
export async function openRecord(id, spot = null) {
  drawer.onkeydown = null;
  try {
    const { record, raw, copies } = await get(at("/api/records/", id));
    const { body } = record;
    const holds = spot !== null && (spot.text === undefined || body.slice(spot.start, spot.end) === spot.text);
    const text = marked(body, holds ? [[spot.start, spot.end]] : []);
    open(
      head(spot?.title ?? record.title, sourceTag(record.source), " ", h("code", null, record.id)),
      h(
        "div",
        { class: "drawer-body", tabindex: "0", role: "group", "aria-label": "Record" },
        h(
          "dl",
          { class: "facts" },
          record.author?.name && [h("dt", null, "Author"), h("dd", null, record.author.name)],
          h("dt", null, "Updated"),
          h("dd", null, `${moment(record.updatedAt)} UTC`),
          copies?.length > 0 && [h("dt", null, "Also at"), copies.map((copy) => h("dd", null, copyLink(copy)))],
        ),
        h("p", { class: "paragraph whole", "data-source": record.source }, text),
        asSent(raw),
      ),
      h(
        "footer",
        { class: "drawer-foot" },
        record.url
          ? outLink(record.url, "Open the original ↗", { class: "button" })
          : h("span", { class: "fine" }, "No link to an original"),
      ),
    );
  } catch (error) {
    open(head("Record", h("code", null, id)), h("div", { class: "drawer-body" }, problemBox(error)));
  }
}
