import { get } from "../lib/api.js";
import { h, show } from "../lib/dom.js";
import { clip, duration, moment, percent } from "../lib/format.js";
import { sentencesOf, withNumbers } from "../lib/sentences.js";
import { graphPicture } from "./graph.js";
import { sourceTag } from "./parts.js";
import { openCitation } from "./source.js";

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

function sources(answer, changed) {
  if (answer.citations.length === 0) return null;
  // a source opened from the list shows all that the answer took from it
  const shown = { evidence: answer.claims.flatMap(({ evidence = [] }) => evidence) };
  return h(
    "section",
    { class: "sources", "aria-labelledby": "sources-title" },
    h("h2", { id: "sources-title" }, "Sources"),
    h(
      "ol",
      null,
      answer.citations.map((citation) => {
        const change = changed?.find((one) => one.n === citation.n);
        return h(
          "li",
          { value: citation.n },
          h(
            "button",
            { type: "button", class: "source", onclick: () => openCitation(citation, answer.citations, { changed: change, claim: shown }) },
            h("span", { class: "number" }, citation.n),
            h(
              "span",
              { class: "source-text" },
              h("b", null, clip(citation.title, 110)),
              h(
                "span",
                { class: "fine" },
                sourceTag(citation.source),
                citation.page ? ` page ${citation.page}` : ` ${citation.chunk}/${citation.of}`,
                change && h("em", { class: "changed" }, change.change === "gone" ? " removed since" : " edited since"),
              ),
              h("span", { class: "snippet" }, clip(citation.text, 180)),
            ),
          ),
        );
      }),
    ),
  );
}

function hypotheses(answer) {
  if (answer.hypotheses.length === 0) return null;
  return h(
    "section",
    { class: "panel" },
    h("h2", null, "Likely causes"),
    answer.hypotheses.map((one) =>
      h(
        "div",
        { class: "cause" },
        h("p", null, h("b", null, one.statement), " ", h("span", { class: "fine" }, `${percent(one.confidence)} · ${one.basis}`)),
        h("meter", { min: 0, max: 1, value: one.confidence, "aria-label": `Confidence ${percent(one.confidence)}` }),
        one.for.length > 0 && h("p", { class: "fine" }, h("b", null, "For "), one.for.join("; ")),
        one.against.length > 0 && h("p", { class: "fine" }, h("b", null, "Against "), one.against.join("; ")),
      ),
    ),
  );
}

/** Calls of tools with their share of the time, oldest first. */
export function toolList(calls) {
  const longest = Math.max(0.01, ...calls.map((call) => call.ms));
  return h(
    "ol",
    { class: "tools" },
    calls.map((call) =>
      h(
        "li",
        null,
        h("code", null, call.tool),
        h(
          "span",
          { class: "args" },
          clip(
            Object.values(call.arguments)
              .filter((value) => value !== null)
              .map(argument)
              .join(" · "),
            80,
          ),
        ),
        h("span", { class: "found" }, `${call.found} found`),
        h("meter", { min: 0, max: longest, value: call.ms, "aria-label": `took ${duration(call.ms)}` }),
        h("span", { class: "ms" }, duration(call.ms)),
      ),
    ),
  );
}

function argument(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function path(answer) {
  const { trace, toolCalls, route } = answer;
  const total = trace.stages.reduce((sum, stage) => sum + stage.ms, 0);
  return h(
    "section",
    { class: "panel" },
    h("h2", null, "How it was found"),
    h(
      "p",
      { class: "fine" },
      `${route === "cache" ? "From the cache" : `By the ${route} route`} in ${duration(total)}`,
      trace.routeReason && `: ${trace.routeReason}`,
      trace.llm.calls > 0
        ? ` · ${trace.llm.calls} model call${trace.llm.calls === 1 ? "" : "s"}, $${trace.llm.costUsd.toFixed(4)}`
        : " · no model was called",
      trace.retries > 0 && ` · ${trace.retries} ${trace.retries === 1 ? "retry" : "retries"}`,
    ),
    (trace.degraded ?? []).map(({ code, message }) => h("p", { class: "note" }, h("code", null, code), ` ${message}`)),
    toolCalls.length > 0 && toolList(toolCalls),
    h(
      "p",
      { class: "fine stages" },
      trace.stages.map((stage) => h("span", null, `${stage.name} ${duration(stage.ms)}`)),
    ),
  );
}

function searched(answer) {
  const { coverage, lookedFor } = answer;
  if (coverage.length === 0 && lookedFor.length === 0) return null;
  return h(
    "section",
    { class: "panel" },
    h("h2", null, "What was covered"),
    coverage.length > 0 &&
      h(
        "ul",
        { class: "coverage" },
        coverage.map(({ source, syncedUntil, stale }) =>
          h(
            "li",
            { class: stale ? "stale" : null },
            h("b", null, source),
            syncedUntil ? ` until ${moment(syncedUntil, answer.asOf)} UTC` : " never synced",
            stale && h("em", null, " stale"),
          ),
        ),
      ),
    lookedFor.length > 0 &&
      h(
        "ul",
        { class: "looked" },
        lookedFor.map(({ what, window, found }) =>
          h("li", null, found === 0 ? "Nothing for " : `${found} for `, h("b", null, what), window && ` in ${window}`),
        ),
      ),
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
  );
}

/** An answer as Markdown, for the incident channel. */
export function markdownOf(answer) {
  const line = (citation) => {
    const title = citation.title.replace(/([\\`*_[\]<>])/g, "\\$1").replace(/\s+/g, " ");
    const page = citation.page ? `, page ${citation.page}` : "";
    return `[${citation.n}] ${citation.url ? `[${title}](<${new URL(citation.url, location.origin).href.replace(/[<>\s]/g, encodeURIComponent)}>)` : title}${page}`;
  };
  const doubts = answer.claims
    .filter((claim) => claim.label !== "SUPPORTED")
    .map((claim) => `- ${claim.label.toLowerCase()}: ${claim.text} (${claim.reason})`);
  return [
    `**${answer.question}**`,
    answer.answer,
    ...(doubts.length > 0 ? [`Not certain:\n${doubts.join("\n")}`] : []),
    ...(answer.citations.length > 0 ? [answer.citations.map(line).join("\n")] : []),
    `As of ${answer.asOf} · ${new URL(answer.permalink, location.origin)}`,
  ].join("\n\n");
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

/** The graph around what the question names, or else what the answer names. */
async function addGraph(place, answer, signal) {
  for (const text of [answer.question, answer.answer]) {
    try {
      const graph = await get(`/api/graph?text=${encodeURIComponent(text.slice(0, 2000))}&hops=2&limit=40`, signal);
      if (graph.nodes.length < 2) continue;
      show(place, h("section", { class: "panel graph-panel" }, h("h2", null, "Around it"), graphPicture(graph)));
      return;
    } catch {
      // an answer without its picture
    }
  }
}

/**
 * An answer with everything that stands behind it.
 * @param changed sources that read differently today, for an earlier answer
 */
export function answerView(answer, signal, changed = null) {
  const refused = answer.status === "refused" || answer.status === "unavailable";
  const picture = h("div");
  if (!refused) addGraph(picture, answer, signal);
  return h(
    "article",
    { class: "answer", "data-status": answer.status },
    h(
      "div",
      { class: "told" },
      changed !== null &&
        h(
          "p",
          { class: "note" },
          changed.length === 0
            ? "An earlier answer, as it was. Its sources have not changed since."
            : `An earlier answer, as it was. ${changed.length} of its sources changed since.`,
        ),
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
      hypotheses(answer),
      path(answer),
      searched(answer),
    ),
    h("div", { class: "shown" }, sources(answer, changed), picture),
  );
}
