import { h } from "../lib/dom.js";
import { clip, duration, moment, percent } from "../lib/format.js";

/** Causes that were weighed, with what speaks for and against each. */
export function hypotheses(answer) {
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

/** The way to the answer: route, tools and stages with their times, and what was noticed. */
export function path(answer) {
  const { trace, toolCalls, route } = answer;
  const notes = [...new Set(trace.stages.flatMap(({ detail }) => detail?.notes ?? []))];
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
    notes.length > 0 &&
      h(
        "ul",
        { class: "looked" },
        notes.map((note) => h("li", null, note)),
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

/** Until when the sources were read, and what was looked for. */
export function searched(answer) {
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
