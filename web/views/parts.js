import { forgetToken, hasToken, keepToken, loginPath, whoAmI } from "../lib/api.js";
import { h, show } from "../lib/dom.js";
import { runsOf } from "../lib/query-words.js";

/** What went wrong and what to do now; a token that is missing, wrong or too weak can be given on the spot. */
export function problemBox(error, retry) {
  if (error.status === 401) return identityBox(error, retry);
  const isEmpty = error.code === "INDEX_EMPTY";
  return h(
    "section",
    { class: isEmpty ? "problem calm" : "problem", role: "alert" },
    h("h2", null, error.title ?? "Something failed"),
    h("p", null, error.message),
    error.remedy && h("p", { class: "remedy" }, coded(error.remedy)),
    h(
      "p",
      { class: "fine" },
      error.code && h("code", null, error.code),
      error.requestId && [" · request ", h("code", null, error.requestId)],
    ),
    h(
      "p",
      { class: "row" },
      retry && h("button", { type: "button", onclick: retry }, "Try again"),
      isEmpty && h("a", { class: "button", href: "/#index" }, "Watch the run"),
    ),
    error.status === 403 && h("details", null, h("summary", null, "Use another token"), tokenForm(retry)),
  );
}

/** A remedy's commands, which stand between backquotes. */
function coded(text) {
  return text.split("`").map((part, n) => (n % 2 === 1 ? h("code", null, part) : part));
}

/** Asks who is there: by a token, or by logging in where the daemon knows an identity provider. */
export function identityBox(error, retry) {
  const wrong = hasToken();
  if (wrong) forgetToken();
  const way = h("div");
  whoAmI().then(({ login }) => {
    if (login)
      show(
        way,
        h("p", null, h("a", { class: "button primary", href: loginPath() }, "Log in")),
        h("p", { class: "fine" }, "or give a token:"),
      );
  });
  return h(
    "section",
    { class: wrong ? "problem" : "problem calm", role: wrong ? "alert" : null },
    h("h2", null, wrong ? "The token was not accepted" : "Who are you?"),
    h("p", null, wrong ? error.message : "This daemon asks who its readers are. A token stays in this tab."),
    wrong && error.remedy && h("p", { class: "remedy" }, coded(error.remedy)),
    way,
    tokenForm(retry),
  );
}

function tokenForm(retry) {
  const field = h("input", { type: "password", id: "token", autocomplete: "off", "data-first": true, required: true });
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        keepToken(field.value.trim());
        retry?.();
      },
    },
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

/** A text with these places marked. */
export function marked(text, spots) {
  return runsOf(text, spots).map(([run, isMarked]) => (isMarked ? h("mark", null, run) : run));
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
