import { at, get, remove, upload } from "../lib/api.js";
import { h, show } from "../lib/dom.js";
import { moment, number } from "../lib/format.js";
import { fillWith, headed, problemBox, tableOf } from "./parts.js";
import { openRecord } from "./source.js";

const STAGES = {
  receive: "Sending",
  pull: "Reading",
  extract: "Reading facts",
  embed: "Embedding",
  fold: "Building the graph",
  optimise: "Tidying up",
};

function size(bytes) {
  return bytes < 1e6 ? `${number(Math.max(1, Math.round(bytes / 1000)))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const HEADS = ["Document", "Size", "Uploaded", ""];

function outcome({ id, name, outcome: what, failure }) {
  // the name stands before it already
  const why = failure?.message.replace(`${id}: `, "").replace(`uploads/${name}: `, "");
  return h("li", null, h("b", null, name), failure ? h("span", { class: "hot" }, ` not kept: ${why}`) : ` ${what}`);
}

function documentTable(documents, drop) {
  const row = (one) =>
    headed(
      HEADS,
      h(
        "tr",
        null,
        h("th", { scope: "row" }, h("button", { type: "button", class: "linkish", onclick: () => openRecord(one.id) }, one.name)),
        h("td", { class: "num" }, size(one.bytes)),
        h("td", null, moment(one.uploadedAt, new Date())),
        h(
          "td",
          { class: "num" },
          h("button", { type: "button", "aria-label": `Remove ${one.name}`, onclick: (event) => drop(one, event.currentTarget) }, "Remove"),
        ),
      ),
    );
  return tableOf("Uploaded documents", HEADS, [1], { class: "stacked" }, h("tbody", null, documents.map(row)));
}

/** Where files are dropped or chosen. */
function dropZone(send) {
  const input = h("input", { type: "file", id: "files", multiple: true, class: "aside", "data-first": true });
  const zone = h(
    "label",
    {
      class: "drop",
      for: "files",
      ondragover: (event) => {
        event.preventDefault();
        zone.dataset.over = "";
      },
      ondragleave: () => delete zone.dataset.over,
      ondrop: (event) => {
        event.preventDefault();
        delete zone.dataset.over;
        send([...event.dataTransfer.files]);
      },
    },
    h("b", null, "Drop files here, or choose them"),
    h("span", { class: "fine" }, "PDF, Word, slides, sheets, Markdown, HTML, text and code, up to 50 MB each"),
  );
  input.addEventListener("change", async () => {
    await send([...input.files]);
    input.value = "";
  });
  return { input, zone };
}

/** The documents tab: drop files to have them indexed, see what is there, take it out again. */
export function showDocuments(view, _rest, signal) {
  const live = h("div", { "aria-live": "polite" });
  const table = h("div");

  const refresh = () =>
    fillWith(table, signal, async () => {
      const { documents, enabled } = await get("/api/documents", signal);
      zone.hidden = !enabled;
      input.disabled = !enabled;
      if (!enabled) return h("p", { class: "note" }, "This daemon takes no uploads; it indexes the folders that its manifest names.");
      if (documents.length > 0) return documentTable(documents, drop);
      return h(
        "p",
        { class: "quiet" },
        "Nothing was uploaded here yet. Documents of configured folders are indexed too, but not listed here.",
      );
    });

  const drop = async (one, button) => {
    button.disabled = true;
    try {
      await remove(at("/api/documents/", one.id), signal);
      show(live, h("p", { class: "fine" }, `${one.name} is gone from every index.`));
    } catch (error) {
      button.disabled = false;
      show(
        live,
        problemBox(error, () => drop(one, button)),
      );
    }
    refresh();
  };

  const send = async (files) => {
    if (files.length === 0) return;
    const text = h("p", null, "Sending");
    const bar = h("progress", { "aria-label": "Upload" });
    show(live, h("div", { class: "progress" }, text, bar));
    try {
      for await (const [name, data] of upload("/api/documents", files, signal)) {
        if (name === "progress") {
          text.textContent = STAGES[data.stage] ?? data.stage;
          if (data.total) Object.assign(bar, { max: data.total, value: data.done });
          else bar.removeAttribute("value");
        } else if (name === "documents") show(live, h("ul", { class: "entries" }, data.documents.map(outcome)));
        else if (name === "error") throw Object.assign(new Error(data.detail), data);
      }
    } catch (error) {
      if (!signal.aborted)
        show(
          live,
          problemBox(error, () => send(files)),
        );
    }
    refresh();
  };

  const { input, zone } = dropZone(send);
  show(view, h("h1", { class: "title" }, "Documents"), input, zone, live, table);
  refresh();
}
