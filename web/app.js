import { get, logOut, OFFLINE, READY, whoAmI } from "./lib/api.js";
import { endSession } from "./lib/asked.js";
import { h, show } from "./lib/dom.js";
import { decoded } from "./lib/format.js";
import { showAsk, showPast } from "./views/ask.js";
import { showDocuments } from "./views/documents.js";
import { identityBox } from "./views/parts.js";
import { showRuns } from "./views/runs.js";
import { showSearch } from "./views/search.js";
import { showService } from "./views/service.js";
import { showServices } from "./views/services.js";

const view = document.querySelector("#view");
const state = document.querySelector("#state");
const who = document.querySelector("#who");
let leave = new AbortController();
const RETRY_MS = 3_000;
let lookAgain = null;

/** "#search=redis" as its tab and what follows; a path of its own wins. */
function place() {
  if (location.pathname.startsWith("/a/")) return ["past", decoded(location.pathname.slice(3))];
  if (location.pathname.startsWith("/s/")) return ["service", location.pathname.slice(3)];
  const [, tab = "ask", rest = ""] = /^#([a-z]+)=?(.*)$/s.exec(location.hash) ?? [];
  return tab === "q" ? ["ask", decoded(rest)] : [tab, decoded(rest)];
}

const tabs = {
  ask: showAsk,
  past: showPast,
  services: showServices,
  service: showService,
  search: showSearch,
  documents: showDocuments,
  index: showRuns,
  login: showLogin,
};
const titles = { ask: "Ask", login: "Log in", services: "Services", search: "Search", documents: "Documents", index: "Index" };
const tabOf = { past: "ask", service: "services" };

function route() {
  leave.abort();
  leave = new AbortController();
  const [name, rest] = place();
  const known = name in tabs ? name : "ask";
  for (const link of document.querySelectorAll("[data-tab]")) {
    if (link.dataset.tab === (tabOf[known] ?? known)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (known in titles) document.title = `${titles[known]} · contextd`;
  show(view);
  tabs[known](view, rest, leave.signal);
}

function tell(level, ...text) {
  state.dataset.level = level;
  state.title = "";
  show(state, h("span", { class: "dot", "aria-hidden": "true" }), text);
}

async function showState() {
  try {
    const { ready, reasons } = await get("/readyz");
    const [reason] = reasons;
    if (ready) {
      const before = state.dataset.level;
      tell("good", "Ready");
      if (before !== undefined && before !== "good") window.dispatchEvent(new Event(READY));
    } else if (reason?.code === "INDEX_EMPTY" && (await isIndexing())) {
      tell("wait", h("a", { href: "/#index" }, "Indexing for the first time"));
      again();
    } else {
      tell("bad", reason?.message ?? "Not ready");
      state.title = reasons.map(({ message, remedy }) => `${message} ${remedy}`).join("\n");
      again();
    }
  } catch {
    showOffline();
  }
}

async function isIndexing() {
  const runs = await get("/api/index/runs?limit=1").catch(() => null);
  return runs !== null && runs.running !== null;
}

/** Says so as soon as one request has found it out, and looks again until the daemon is back. */
function showOffline() {
  tell("bad", "Not reachable, trying again");
  again();
}

function again() {
  if (lookAgain !== null) return;
  lookAgain = setTimeout(() => {
    lookAgain = null;
    showState();
  }, RETRY_MS);
}

/** Where a login that failed leads to: why, and another try. */
function showLogin(place, reason) {
  show(
    place,
    h("h1", { class: "title" }, "Log in"),
    reason !== "" && h("p", { class: "note", role: "alert" }, reason),
    identityBox({}, () => {
      location.href = "/";
    }),
  );
}

async function showWho() {
  const { name } = await whoAmI();
  if (name === null) return;
  const leave = async () => {
    await logOut();
    endSession();
    location.reload();
  };
  show(who, h("span", { class: "name" }, name), h("button", { type: "button", class: "linkish", onclick: leave }, "Log out"));
  who.hidden = false;
}

function switchTheme() {
  const dark =
    document.documentElement.dataset.theme === "dark" ||
    (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("contextd.theme", document.documentElement.dataset.theme);
  } catch {
    // kept for this page only
  }
}

/** "/" goes to the page's first field from anywhere but another field. */
function onKey(event) {
  const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]") !== null;
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = view.querySelector("[data-first]");
  if (field === null) {
    location.href = "/#ask";
    return;
  }
  event.preventDefault();
  field.focus();
  field.select();
}

document.querySelector("#theme").addEventListener("click", switchTheme);
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", route);
window.addEventListener("online", showState);
window.addEventListener(OFFLINE, showOffline);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && showState());
route();
showState();
showWho();
setInterval(() => document.visibilityState === "visible" && showState(), 30_000);
