import { at, events, get } from "../lib/api.js";
import { h, show } from "../lib/dom.js";
import { moment } from "../lib/format.js";
import { answerView, toolList } from "./answer.js";
import { problemBox } from "./parts.js";

const HISTORY = "contextd.history";
const KEPT = 30;

function history() {
  try {
    const kept = JSON.parse(localStorage.getItem(HISTORY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.question === "string") : [];
  } catch {
    return [];
  }
}

function remember(question, answer) {
  const rest = history().filter((one) => one.question !== question);
  const entry = { question, id: answer.id, status: answer.status, at: new Date().toISOString() };
  try {
    localStorage.setItem(HISTORY, JSON.stringify([entry, ...rest].slice(0, KEPT)));
  } catch {
    // no storage: no history
  }
}

const STAGES = {
  guard: "Checking the question",
  screen: "Checking the question",
  rewrite: "Reading the question",
  retrieve: "Looking things up",
  fallback: "Asking the web",
  generate: "Writing",
  cite: "Checking citations",
  verify: "Verifying each sentence",
  correct: "Correcting",
  judge: "Judging the whole",
  refuse: "Deciding",
};

/** Stages that hold a draft against its sources: where one says no, what was shown of it is taken back. */
const CHECKS = ["cite", "verify", "judge"];

/** Streams one answer into the place: what is being done, unverified text, then the whole. */
async function stream(place, question, signal) {
  const status = h("p", { class: "status", role: "status" }, "Reading the question…");
  const draft = h("p", { class: "draft" });
  const note = h("p", { class: "fine" });
  const calls = [];
  const tools = h("div");
  const stop = h("button", { type: "button", class: "quiet-button" }, "Stop");
  const abort = new AbortController();
  stop.addEventListener("click", () => abort.abort());
  show(place, h("section", { class: "working", "aria-busy": "true" }, h("div", { class: "row" }, status, stop), note, draft, tools));
  try {
    for await (const [name, data] of events("/api/ask", { body: { question }, signal: AbortSignal.any([signal, abort.signal]) })) {
      if (name === "stage") {
        status.textContent = `${STAGES[data.name] ?? data.name}…`;
        if (CHECKS.includes(data.name) && data.detail.ok === false) {
          note.textContent = "A draft did not hold and was taken back.";
          draft.textContent = "";
        }
      } else if (name === "token") {
        note.textContent = "Being checked:";
        draft.append(data.text);
      } else if (name === "tool") {
        calls.push(data);
        show(tools, toolList(calls));
      } else if (name === "verdict") {
        const hold = data.claims.every(({ label }) => label === "SUPPORTED");
        status.textContent = hold ? "Each sentence holds." : "Not every sentence holds.";
      } else if (name === "answer") {
        remember(question, data);
        show(place, answerView(data, signal));
        return data;
      } else if (name === "error") {
        throw Object.assign(new Error(data.detail), data);
      }
    }
    throw Object.assign(new Error("The connection ended before the answer was complete."), { title: "Cut off", remedy: "Ask again." });
  } catch (error) {
    if (signal.aborted) return null;
    if (abort.signal.aborted) {
      show(place, h("p", { class: "note" }, "Stopped."));
      return null;
    }
    show(
      place,
      problemBox(error, () => stream(place, question, signal)),
    );
    return null;
  }
}

function examples(services) {
  const [first, second] = services;
  if (!first) return ["What is broken?", "What changed in the last 48 hours?"];
  return [
    first.openIncidents > 0 ? `Why is ${first.name} broken?` : `Who owns ${first.name}?`,
    `What changed in ${first.name} in the last 48 hours?`,
    second ? `What depends on ${second.name}?` : "What is broken?",
    "What is broken?",
  ];
}

/** Services with open incidents: what somebody who was just woken looks for. */
function troubled(services) {
  const open = services.filter((one) => one.openIncidents > 0).slice(0, 8);
  if (open.length === 0) return null;
  return h(
    "section",
    null,
    h("h2", null, "Open now"),
    h(
      "ul",
      null,
      open.map((one) =>
        h(
          "li",
          { class: "pair" },
          h("a", { href: at("/s/", one.name) }, one.name),
          h(
            "span",
            { class: "fine" },
            h("span", { class: "hot" }, `${one.openIncidents} open`),
            one.owners.length > 0 && ` · ${one.owners.slice(0, 2).join(", ")}`,
          ),
        ),
      ),
    ),
  );
}

/** Services, the worst first; none where they cannot be had, unless that is for want of a token. */
async function known(signal) {
  try {
    return (await get("/api/services?limit=100", signal)).services;
  } catch (error) {
    if (error.status === 401) throw error;
    return [];
  }
}

function historyList(ask) {
  const past = history();
  if (past.length === 0) return null;
  return h(
    "section",
    { class: "history" },
    h("h2", null, "Asked before"),
    h(
      "ul",
      null,
      past
        .slice(0, 8)
        .map((one) =>
          h(
            "li",
            null,
            h("button", { type: "button", class: "linkish", onclick: () => ask(one.question) }, one.question),
            h(
              "a",
              { class: "fine", href: at("/a/", one.id), title: "The answer as it was" },
              `${one.status}, ${moment(one.at, new Date())}`,
            ),
          ),
        ),
    ),
  );
}

/** The ask tab. `question` comes from the address (#q=…) and is asked at once. */
export function showAsk(view, question, signal) {
  const field = h("textarea", {
    id: "question",
    rows: 1,
    placeholder: "What is broken?",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 4000,
    "data-first": true,
    "aria-describedby": "hint",
  });
  field.value = question;
  const result = h("div", { class: "result", "aria-live": "polite" });
  const below = h("div", { class: "below" });
  let running = new AbortController();

  const ask = async (text) => {
    const asked = text.trim();
    if (asked === "") {
      field.focus();
      return;
    }
    field.value = asked;
    fit();
    running.abort();
    running = new AbortController();
    show(below);
    // replaces the address without a second round through the router
    window.history.replaceState(null, "", `/#q=${encodeURIComponent(asked)}`);
    document.title = `${asked} · contextd`;
    await stream(result, asked, AbortSignal.any([signal, running.signal]));
  };

  const fit = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  };

  let step = -1;
  field.addEventListener("input", fit);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      ask(field.value);
    } else if (event.key === "Escape") {
      if (field.value === "") field.blur();
      field.value = "";
      fit();
      step = -1;
    } else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && !field.value.includes("\n")) {
      const past = history();
      const next = Math.max(-1, Math.min(past.length - 1, step + (event.key === "ArrowUp" ? 1 : -1)));
      if (next === step) return;
      event.preventDefault();
      step = next;
      field.value = step < 0 ? "" : past[step].question;
      fit();
    }
  });

  show(
    view,
    h("h1", { class: "aside" }, "Ask"),
    h(
      "form",
      {
        class: "ask",
        role: "search",
        onsubmit: (event) => {
          event.preventDefault();
          ask(field.value);
        },
      },
      h("label", { for: "question" }, "Ask about your services, tickets, commits and documents"),
      h("div", { class: "askbox" }, field, h("button", { type: "submit", class: "primary" }, "Ask")),
      h(
        "p",
        { class: "fine keys", id: "hint" },
        h("span", { class: "to-focus" }, h("kbd", null, "/"), " to focus, "),
        h("kbd", null, "Enter"),
        " to ask, ",
        h("kbd", null, "↑"),
        " for earlier questions",
      ),
    ),
    result,
    below,
  );
  if (question !== "") {
    ask(question);
    return;
  }
  if (matchMedia("(hover: hover)").matches) field.focus();
  const begin = async () => {
    const services = await known(signal);
    if (services.length > 0) field.placeholder = examples(services)[0];
    if (signal.aborted || result.hasChildNodes()) return;
    show(
      below,
      h(
        "section",
        { class: "examples" },
        h("h2", null, "For example"),
        h(
          "ul",
          null,
          examples(services).map((text) =>
            h("li", null, h("button", { type: "button", class: "linkish", onclick: () => ask(text) }, text)),
          ),
        ),
      ),
      troubled(services),
      historyList(ask),
    );
  };
  // who may not read is asked who they are before they type a question
  const attempt = () =>
    begin().catch((error) => {
      if (!signal.aborted && !result.hasChildNodes()) show(below, problemBox(error, attempt));
    });
  attempt();
}

/** An earlier answer at /a/{id}. */
export async function showPast(view, id, signal) {
  try {
    const { answer, changed } = await get(at("/a/", id), signal);
    document.title = `${answer.question} · contextd`;
    show(
      view,
      h(
        "header",
        { class: "past" },
        h("h1", null, answer.question),
        h("a", { class: "button", href: `/#q=${encodeURIComponent(answer.question)}` }, "Ask it again now"),
      ),
      answerView(answer, signal, changed),
    );
  } catch (error) {
    if (!signal.aborted)
      show(
        view,
        problemBox(error, () => showPast(view, id, signal)),
      );
  }
}
