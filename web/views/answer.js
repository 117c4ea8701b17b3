import { at } from "../lib/api.js";
import { h, show } from "../lib/dom.js";
import { clip, moment, percent } from "../lib/format.js";
import { markdownOf } from "../lib/markdown.js";
import { sentencesOf, withNumbers } from "../lib/sentences.js";
import { hypotheses, path, searched } from "./answer-path.js";
import { sources } from "./answer-sources.js";
import { graphOf, graphPicture } from "./graph.js";
import { openCitation } from "./source.js";

/** The question as it reads on its own: what a follow-up was understood as. */
export function standing({ question, standalone }) {
  return standalone ?? question;
}

/** What is said aloud when an answer has come: its text without marks, and how many sources it has. */
export function inShort({ answer, citations }) {
  const text = withNumbers(answer)
    .filter((part) => typeof part === "string")
    .join("")
    .replace(/ +([.,;])/g, "$1");
  return citations.length === 0 ? text : `${text} ${citations.length} ${citations.length === 1 ? "source" : "sources"}.`;
}

const VERDICTS = {
  SUPPORTED: ["✓", "Supported"],
  UNCERTAIN: ["?", "Uncertain"],
  UNSUPPORTED: ["✕", "Not supported"],
};

function citeButton(n, answer, changed, sentence, claim) {
  const citation = answer.citations.find((one) => one.n === n);
  if (citation === undefined) return `[${n}]`;

  return h(
    "button",
    {
      type: "button",
      class: "cite",
      title: clip(`${citation.title}: ${citation.text}`, 240),
      "aria-label": `${n}, ${citation.title}`,
      onclick: () => openCitation(citation, answer.citations, { changed: changed?.find((one) => one.n === n), sentence, claim }),
    },
    n,
  );
}

/** Words and citation marks; a mark never stands alone at the start of a line, so the last word before it goes along. */
function wordsOf({ text, claim }, answer, changed) {
  const parts = withNumbers(text);
  const out = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (typeof part === "string" && typeof parts[at + 1] === "number") {
      const cut = part.trimEnd().lastIndexOf(" ") + 1;
      const group = [part.slice(cut).trimEnd()];
      while (typeof parts[at + 1] === "number") {
        group.push(citeButton(parts[at + 1], answer, changed, text, claim));
        at += 1;
        const next = parts[at + 1];
        if (typeof next === "string" && next.trim() === "") at += 1;
      }
      const after = /^[.,;:!?)]+/.exec(typeof parts[at + 1] === "string" ? parts[at + 1] : "");
      if (after) {
        group.push(after[0]);
        parts[at + 1] = parts[at + 1].slice(after[0].length);
      }
      out.push(part.slice(0, cut), h("span", { class: "together" }, group));
    } else out.push(typeof part === "number" ? citeButton(part, answer, changed, text, claim) : part);
  }
  return out;
}

function sentence(piece, answer, changed) {
  const { claim } = piece;
  const words = h("p", null, wordsOf(piece, answer, changed));
  if (claim === null) return h("li", { class: "sentence" }, h("span", { class: "gutter" }), words);
  const [sign, word] = VERDICTS[claim.label] ?? VERDICTS.UNCERTAIN;
  const why = `${word}, ${percent(claim.confidence)}: ${claim.reason}`;
  const shaky = claim.label !== "SUPPORTED";
  return h(
    "li",
    { class: "sentence", "data-label": claim.label },
    h("span", { class: "gutter", title: why }, h("span", { "aria-hidden": "true" }, sign), h("span", { class: "aside" }, why)),
    h("div", null, words, shaky && h("p", { class: "why" }, h("b", null, `${word}. `), claim.reason)),
  );
}

function verdictLine(answer) {
  const count = (label) => answer.claims.filter((claim) => claim.label === label).length;
  const parts = [
    [count("SUPPORTED"), "supported", "SUPPORTED"],
    [count("UNCERTAIN"), "uncertain", "UNCERTAIN"],
    [count("UNSUPPORTED"), "not supported", "UNSUPPORTED"],
  ].filter(([n]) => n > 0);
  return parts.map(([n, word, label]) =>
    h("span", { class: "count", "data-label": label }, `${n} ${n === 1 ? "claim" : "claims"} ${word}`),
  );
}

const REFUSED = {
  insufficient: ["Not in the sources", "Nothing that was indexed answers it."],
  unverified: ["Found, but not verified", "An answer was written, but its sentences did not hold against the sources."],
  guardrail: ["Not a question for the sources", ""],
};

function refusal(answer) {
  if (answer.status === "unavailable") {
    return h(
      "section",
      { class: "problem", role: "alert" },
      h("h2", null, "Something broke"),
      h("p", null, answer.answer || "No source could be read."),
    );
  }
  const [title, more] = REFUSED[answer.refusal] ?? REFUSED.insufficient;
  const below = answer.refusal === "insufficient" && answer.lookedFor.length > 0 && " Below is what was looked for.";
  return h(
    "section",
    { class: "refusal" },
    h("h2", null, title),
    h("p", { class: "verbatim" }, answer.answer),
    more && h("p", { class: "fine" }, more, below),
    answer.refusal === "insufficient" &&
      h("p", { class: "fine" }, h("a", { href: `/#search=${encodeURIComponent(standing(answer))}` }, "Passages that come nearest")),
  );
}

function copyButton(answer) {
  const button = h("button", { type: "button" }, "Copy as Markdown");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(markdownOf(answer));
      button.textContent = "Copied";
    } catch {
      button.replaceWith(h("textarea", { class: "copy", readonly: true, rows: 8, "aria-label": "Answer as Markdown" }, markdownOf(answer)));
    }
  });
  return button;
}

/** The graph around what the question names, or else what the answer names; null: neither names anything that has neighbours. */
async function graphAround(answer, signal) {
  for (const text of [standing(answer), answer.answer]) {
    const graph = await graphOf({ text: text.slice(0, 2000) }, signal).catch(() => null);
    // an answer does without its picture
    if (graph !== null && graph.nodes.length > 1) return graph;
  }
  return null;
}

/** What is asked of a service in turn, and the word by which a question is known to have asked it. */
const NEXT = [
  ["why", (name) => `Why is ${name} broken?`],
  ["own", (name) => `Who owns ${name}?`],
  ["change", (name) => `What changed in ${name} in the last 48 hours?`],
  ["depend", (name) => `What depends on ${name}?`],
];

/** Where one goes from here: the page of the service that was asked about, and what was not asked of it yet. */
function nextSteps({ nodes, edges }, answer) {
  const service = nodes.find(({ hop, kind }) => hop === 0 && kind === "service");
  if (service === undefined) return null;
  const question = standing(answer).toLowerCase();
  const open = new Set(nodes.filter((node) => node.kind === "ticket" && node.open !== false).map(({ id }) => id));
  const isTroubled = edges.some(({ kind, source, target }) => kind === "affects" && target === service.id && open.has(source));
  return [
    h("a", { href: at("/s/", service.label) }, `All about ${service.label}`),
    NEXT.filter(([word]) => !question.includes(word) && (word !== "why" || isTroubled)).map(([, ask]) => {
      const next = ask(service.label);
      return h("a", { href: `/#q=${encodeURIComponent(next)}` }, next);
    }),
  ];
}

/**
 * An answer with everything that stands behind it.
 * @param changed sources that read differently today, for an earlier answer
 */
export function answerView(answer, signal, changed = null) {
  const refused = answer.status === "refused" || answer.status === "unavailable";
  const picture = h("div");
  const next = h("nav", { class: "next", "aria-label": "From here" });
  if (!refused)
    graphAround(answer, signal).then((graph) => {
      if (graph === null || signal.aborted) return;
      show(picture, h("section", { class: "panel graph-panel" }, h("h2", null, "Around it"), graphPicture(graph)));
      show(next, nextSteps(graph, answer));
    });
  return h(
    "article",
    { class: "answer", "data-status": answer.status },
    h(
      "div",
      { class: "told" },
      h("h2", { class: "aside" }, "Answer"),
      changed !== null &&
        h(
          "p",
          { class: "note" },
          changed.length === 0
            ? "An earlier answer, as it was. Its sources have not changed since."
            : `An earlier answer, as it was. ${changed.length} of its sources changed since.`,
        ),
      answer.standalone && h("p", { class: "fine" }, "Understood as ", h("b", null, answer.standalone)),
      refused
        ? refusal(answer)
        : [
            answer.route === "web" &&
              h("p", { class: "note" }, "The indexed sources have no answer to this. What follows stands on web pages alone."),
            answer.status === "partial" &&
              h("p", { class: "note" }, "Part of the answer did not hold and was left out, or part of the question is in no source."),
            h(
              "ol",
              { class: "sentences" },
              sentencesOf(answer.answer, answer.claims).map((piece) => sentence(piece, answer, changed)),
            ),
          ],
      h(
        "footer",
        { class: "meta" },
        verdictLine(answer),
        h("span", { class: "fine" }, `as of ${moment(answer.asOf)} UTC`),
        h("span", { class: "actions" }, copyButton(answer), h("a", { class: "button", href: answer.permalink }, "Permalink")),
      ),
      !refused && next,
      hypotheses(answer),
    ),
    h("div", { class: "shown" }, sources(answer, changed), picture),
    answer.refusal !== "guardrail" && h("div", { class: "behind" }, path(answer), searched(answer)),
  );
}
