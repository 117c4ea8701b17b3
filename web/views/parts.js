import { keepToken } from "../lib/api.js";
import { h, show } from "../lib/dom.js";

/** What went wrong and what to do now; a missing token can be given on the spot. */
export function problemBox(error, retry) {
  if (error.status === 401) return tokenBox(retry);
  return h(
    "section",
    { class: "problem", role: "alert" },
    h("h2", null, error.title ?? "Something failed"),
    h("p", null, error.message),
    error.remedy && h("p", { class: "remedy" }, error.remedy),
    h(
      "p",
      { class: "fine" },
      error.code && h("code", null, error.code),
      error.requestId && [" · request ", h("code", null, error.requestId)],
    ),
    retry && h("button", { type: "button", onclick: retry }, "Try again"),
  );
}

function tokenBox(retry) {
  const field = h("input", { type: "password", id: "token", autocomplete: "off", "data-first": true });
  return h(
    "form",
    {
      class: "problem",
      onsubmit: (event) => {
        event.preventDefault();
        keepToken(field.value.trim());
        retry?.();
      },
    },
    h("h2", null, "A token is needed"),
    h("p", null, "This daemon can be reached from other machines, so it asks who you are. The token stays in this tab."),
    h("label", { for: "token" }, "Token"),
    h("div", { class: "row" }, field, h("button", { type: "submit" }, "Continue")),
  );
}

/** Fills the place with what `load` brings, a word while it loads, or the problem. */
export async function fillWith(place, signal, load) {
  show(place, h("p", { class: "quiet", role: "status" }, "Loading…"));
  try {
    show(place, await load());
  } catch (error) {
    if (signal.aborted) return;
    show(
      place,
      problemBox(error, () => fillWith(place, signal, load)),
    );
  }
}

const KINDS = {
  jira: "Jira",
  github: "GitHub",
  confluence: "Confluence",
  logs: "Log",
  documents: "Document",
  web: "Web",
};

export function sourceTag(source) {
  return h("span", { class: "tag", "data-source": source }, KINDS[source] ?? source);
}

/**
 * A table with its heads, in a region that scrolls where it is too wide.
 * @param numbers columns that hold figures
 * @param attributes of the table
 */
export function tableOf(label, heads, numbers, attributes, ...parts) {
  const head = heads.map((title, n) =>
    h(title ? "th" : "td", { scope: title ? "col" : null, class: numbers.includes(n) ? "num" : null }, title),
  );
  const table = h("table", attributes, h("thead", null, h("tr", null, head)), parts);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
}

/** Tells each cell of a row the head of its column, which narrow screens show beside its value. */
export function headed(heads, row) {
  [...row.cells].forEach((cell, n) => {
    if (n > 0 && heads[n] && cell.textContent !== "") cell.dataset.head = heads[n];
  });
  return row;
}
