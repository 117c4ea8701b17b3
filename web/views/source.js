import { at, get } from "../lib/api.js";
import { h, outLink, show } from "../lib/dom.js";
import { moment } from "../lib/format.js";
import { namedSpots, spotOf } from "../lib/spot.js";
import { problemBox, sourceTag } from "./parts.js";

const drawer = document.querySelector("#drawer");
let back = null;

function open(...content) {
  if (!drawer.open) back = document.activeElement;
  show(drawer, content);
  if (!drawer.open) drawer.showModal();
  drawer.querySelector("mark, .paragraph.cited")?.scrollIntoView({ block: "center" });
}

drawer.addEventListener("close", () => back?.focus());
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
  return text.trim() === "" || end === start ? null : h("p", { class: "paragraph" }, text.trim());
}

/** The paragraph with what shows the sentence marked: the place that says it, else those it was made from. */
function marked(citation, sentence, claim) {
  const { text } = citation;
  const said = sentence === "" ? null : spotOf(text, sentence);
  const spots = said === null ? namedSpots(citation, claim) : [said];
  const parts = [];
  let at = 0;
  for (const [start, end] of spots) {
    parts.push(text.slice(at, start), h("mark", null, text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Found by web search: it is kept nowhere but in the answer. */
function isWebPage({ recordId }) {
  return recordId.startsWith("websearch:");
}

/**
 * The exact paragraph behind [n], with its neighbours.
 * @param citations those of the same answer, for stepping with the arrow keys
 * @param sentence what it is cited for, and `claim` how it was checked: the places that show it are marked
 */
export async function openCitation(citation, citations = [citation], { changed = null, sentence = "", claim = null } = {}) {
  const step = (by) => {
    const next = citations[citations.indexOf(citation) + by];
    if (next) openCitation(next, citations);
  };
  drawer.onkeydown = (event) => {
    if (event.key === "ArrowRight" || event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") step(-1);
    else return;
    event.preventDefault();
  };
  const title = head(
    h("span", null, h("span", { class: "number" }, citation.n), " ", citation.title),
    sourceTag(citation.source),
    ` paragraph ${citation.chunk} of ${citation.of}${citation.page ? ` · page ${citation.page}` : ""}`,
  );
  const foot = h(
    "footer",
    { class: "drawer-foot" },
    citation.url
      ? outLink(citation.url, "Open the original ↗", { class: "button" })
      : h("span", { class: "fine" }, "No link to an original"),
    !isWebPage(citation) && h("button", { type: "button", onclick: () => openRecord(citation.recordId) }, "Whole record"),
    citations.length > 1 && h("span", { class: "fine keys" }, h("kbd", null, "←"), h("kbd", null, "→"), " other sources"),
  );
  const cited = h("p", { class: "paragraph cited" }, marked(citation, sentence, claim));
  const body = h("div", { class: "drawer-body", tabindex: "0", role: "group", "aria-label": "Paragraph" }, cited);
  open(title, body, foot);
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
      same ? cited : [cited, h("p", { class: "paragraph now" }, chunk.text)],
      after.map((one) => neighbour(one, chunk)),
      h("p", { class: "fine" }, placeOf(chunk), chunk.updatedAt && ` · updated ${moment(chunk.updatedAt)} UTC`),
    );
    body.querySelector("mark, .paragraph.cited")?.scrollIntoView({ block: "center" });
  } catch (error) {
    if (error.status === 404)
      body.prepend(h("p", { class: "note" }, "This paragraph is gone from its source; here is the text as it was cited."));
    else body.append(problemBox(error));
  }
  if (changed?.change === "gone") body.prepend(h("p", { class: "note" }, "Removed at its source since then."));
}

/** A place in a record: what an edge of the graph rests on. */
export async function openEvidence({ record, start, end }, title) {
  await openRecord(record, { start, end, title });
}

/** The record as it was pulled. */
export async function openRecord(id, spot = null) {
  drawer.onkeydown = null;
  try {
    const { record, raw } = await get(at("/api/records/", id));
    const { body } = record;
    const text = spot ? [body.slice(0, spot.start), h("mark", null, body.slice(spot.start, spot.end)), body.slice(spot.end)] : [body];
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
        ),
        h("p", { class: "paragraph whole" }, text),
        h("details", null, h("summary", null, "As the source sent it"), h("pre", null, JSON.stringify(raw, null, 2))),
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
