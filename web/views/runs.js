import { at, events, get, post } from "../lib/api.js";
import { h, show } from "../lib/dom.js";
import { duration, moment, number } from "../lib/format.js";
import { fillWith, headed, problemBox, tableOf } from "./parts.js";

const STAGES = {
  pull: "Pulling records",
  extract: "Reading facts",
  embed: "Embedding passages",
  fold: "Building the graph",
  optimise: "Tidying up",
};

function progressView(progress) {
  const { stage, done, total, records, failures } = progress ?? { stage: null, done: 0, total: null, records: {}, failures: 0 };
  const counts = Object.entries(records).map(([outcome, count]) => `${number(count)} ${outcome}`);
  return h(
    "div",
    { class: "progress" },
    h("p", null, `${STAGES[stage] ?? "Starting"}${total ? `: ${number(done)} of ${number(total)}` : done > 0 ? `: ${number(done)}` : ""}`),
    total ? h("progress", { max: total, value: done, "aria-label": "Progress" }) : h("progress", { "aria-label": "Progress" }),
    h("p", { class: "fine" }, counts.join(" · "), failures > 0 && h("span", { class: "hot" }, ` ${failures} failed`)),
  );
}

function changesOf({ records }) {
  const said = ["added", "changed", "deleted", "failed"].filter((key) => records[key] > 0).map((key) => `${number(records[key])} ${key}`);
  return said.length > 0 ? said.join(", ") : "nothing changed";
}

const HEADS = ["Started", "Outcome", "By", "Records", "Took", "Cost"];
const COST_HEADS = ["Day", "For", "Model", "Calls", "Tokens in", "Tokens out", "Cost"];

function row(run) {
  const { report } = run;
  return headed(
    HEADS,
    h(
      "tr",
      null,
      h("th", { scope: "row" }, moment(run.startedAt, new Date())),
      h("td", null, h("span", { class: `run-${run.status}` }, run.status)),
      h("td", null, run.trigger),
      h(
        "td",
        null,
        report ? `${changesOf(report)} of ${number(report.records.seen)}` : "",
        report?.failures.length > 0 &&
          h(
            "details",
            null,
            h("summary", null, `${report.failures.length} failure${report.failures.length === 1 ? "" : "s"}`),
            h(
              "ul",
              null,
              report.failures
                .slice(0, 50)
                .map((one) => h("li", null, h("code", null, one.code), ` ${one.source} ${one.id}: ${one.message}`)),
            ),
          ),
      ),
      h("td", { class: "num" }, report ? duration(report.durationMs) : ""),
      h("td", { class: "num" }, report ? `$${report.extraction.costUsd.toFixed(2)}` : ""),
    ),
  );
}

function costTable({ rows, totalUsd }) {
  if (rows.length === 0) return h("p", { class: "quiet" }, "No model was ever called: nothing was spent.");
  return tableOf(
    "Cost",
    COST_HEADS,
    [3, 4, 5, 6],
    null,
    h(
      "tbody",
      null,
      rows.slice(0, 60).map((one) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, one.day),
          h("td", null, one.purpose),
          h("td", null, h("code", null, one.model)),
          [number(one.calls), number(one.inputTokens), number(one.outputTokens), `$${one.costUsd.toFixed(4)}`].map((text) =>
            h("td", { class: "num" }, text),
          ),
        ),
      ),
    ),
    h("tfoot", null, h("tr", null, h("th", { scope: "row", colspan: 6 }, "All"), h("td", { class: "num" }, `$${totalUsd.toFixed(2)}`))),
  );
}

/** The index tab: start a run, watch it, see past ones. */
export function showRuns(view, _rest, signal) {
  const live = h("div", { "aria-live": "polite" });
  const table = h("div");
  const cost = h("div");
  const start = h("button", { type: "button", class: "primary", "data-first": true }, "Index now");
  const full = h("input", { type: "checkbox", id: "full" });

  const refresh = () =>
    fillWith(table, signal, async () => {
      const { runs, running } = await get("/api/index/runs?limit=30", signal);
      if (running !== null) follow(running);
      const past = runs.filter((run) => run.status !== "running");
      if (past.length === 0) return h("p", { class: "quiet" }, "No run has ended yet.");
      return tableOf("Past runs", HEADS, [4, 5], { class: "stacked" }, h("tbody", null, past.map(row)));
    });

  let following = null;
  const follow = async (runId) => {
    if (following === runId) return;
    following = runId;
    start.disabled = true;
    show(live, progressView(null));
    try {
      for await (const [name, data] of events(at("/api/index/runs/", runId), { signal }))
        if (name === "progress") show(live, progressView(data));
    } catch (error) {
      if (signal.aborted) return;
      following = null;
      start.disabled = false;
      show(
        live,
        problemBox(error, () => follow(runId)),
      );
      return;
    }
    following = null;
    start.disabled = false;
    show(live);
    refresh();
  };

  const begin = async () => {
    start.disabled = true;
    try {
      const { runId } = await post("/api/index", full.checked ? { full: true } : {}, signal);
      await follow(runId);
    } catch (error) {
      start.disabled = false;
      if (!signal.aborted) show(live, problemBox(error, begin));
    }
  };
  start.addEventListener("click", begin);

  show(
    view,
    h(
      "header",
      { class: "past" },
      h("h1", null, "Index"),
      h("div", { class: "row" }, h("label", { for: "full", class: "fine" }, full, " pull everything again"), start),
    ),
    live,
    table,
    h("h2", { class: "apart" }, "What models cost"),
    cost,
  );
  refresh();
  fillWith(cost, signal, async () => {
    try {
      return costTable(await get("/api/cost", signal));
    } catch (error) {
      if (error.status !== 403) throw error;
      return h("p", { class: "quiet" }, error.message);
    }
  });
}
