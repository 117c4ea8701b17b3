import { at, events, get, READY } from "../lib/api.js";
import { asked, remember, session } from "../lib/asked.js";
import { h, show } from "../lib/dom.js";
import { answerView, inShort, standing } from "./answer.js";
import { toolList } from "./answer-path.js";
import { homeView } from "./home.js";
import { problemBox } from "./parts.js";

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
    const body = { question, session: session() };
    for await (const [name, data] of events("/api/ask", { body, signal: AbortSignal.any([signal, abort.signal]) })) {
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
        remember(standing(data), data);
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

const addressOf = (question) => `/#q=${encodeURIComponent(question)}`;

/** The field for a question: grows with its text, Enter asks, the arrows bring earlier questions, Escape empties it. */
function questionField(question, ask) {
  const field = h("textarea", {
    id: "question",
    rows: 1,
    placeholder: "What is broken?",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 4000,
    "data-first": true,
    "aria-describedby": "hint",
    oninput: fit,
    onkeydown: onKey,
  });
  field.value = question;
  /** How many questions back; -1: what is being typed. */
  let step = -1;

  function fit() {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }

  function put(text) {
    field.value = text;
    fit();
  }

  function onKey(event) {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      ask(field.value);
    } else if (event.key === "Escape") {
      if (field.value === "") field.blur();
      put("");
      step = -1;
    } else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && !field.value.includes("\n")) {
      const past = asked();
      const next = Math.max(-1, Math.min(past.length - 1, step + (event.key === "ArrowUp" ? 1 : -1)));
      if (next === step) return;
      event.preventDefault();
      step = next;
      put(step < 0 ? "" : past[step].question);
    }
  }

  return { field, put };
}

function questionForm(field, ask) {
  return h(
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
  );
}

/** The ask tab. `question` comes from the address (#q=…) and is asked at once. */
export function showAsk(view, question, signal) {
  const result = h("div", { class: "result" });
  // read aloud in place of the whole answer with its sources and its graph
  const news = h("p", { class: "aside", role: "status" });
  const below = h("div", { class: "below" });
  const { field, put } = questionField(question, ask);
  let running = new AbortController();
  /** The question of the address. */
  let shown = question.trim();

  async function ask(text) {
    const wanted = text.trim();
    if (wanted === "") {
      field.focus();
      return;
    }
    put(wanted);
    running.abort();
    running = new AbortController();
    const current = AbortSignal.any([signal, running.signal]);
    show(below);
    // neither goes through the router; one step back is the question before
    if (wanted === shown) history.replaceState(null, "", addressOf(wanted));
    else history.pushState(null, "", addressOf(wanted));
    shown = wanted;
    document.title = `${wanted} · contextd`;
    news.textContent = "";
    const answer = await stream(result, wanted, current);
    // a follow-up is nothing without the question before it: its address is what it meant
    if (answer === null || current.aborted) return;
    news.textContent = inShort(answer);
    shown = standing(answer);
    history.replaceState(null, "", addressOf(shown));
  }

  async function showHome() {
    try {
      const { hint, parts } = await homeView(ask, signal);
      if (signal.aborted || result.hasChildNodes()) return;
      if (hint !== null) field.placeholder = hint;
      show(below, parts);
    } catch (error) {
      // who may not read is asked who they are before they type a question
      if (!signal.aborted && !result.hasChildNodes()) show(below, problemBox(error, showHome));
    }
  }

  show(view, h("h1", { class: "aside" }, "Ask"), questionForm(field, ask), news, result, below);
  if (question !== "") {
    ask(question);
    return;
  }
  if (matchMedia("(hover: hover)").matches) field.focus();
  showHome();
  window.addEventListener(READY, showHome, { signal });
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
        h("a", { class: "button", href: addressOf(standing(answer)) }, "Ask it again now"),
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
