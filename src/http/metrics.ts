import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Answer } from "../core/answer.ts";
import type { App, SpendRow } from "../core/app.ts";
import type { Limits } from "./limits.ts";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Prometheus metrics of one daemon; names follow https://prometheus.io/docs/practices/naming/ */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #duration: Histogram<"method" | "route">;
  readonly #answers: Counter<"status" | "route">;
  readonly #stages: Histogram<"stage">;
  readonly #tools: Counter<"tool">;
  readonly #degraded: Counter<"code">;

  constructor(
    app: App,
    queues: { readonly questions: Limits; readonly searches: Limits },
    options: { readonly version: string; readonly process: boolean },
  ) {
    const registers = [this.registry];
    if (options.process) {
      collectDefaultMetrics({ register: this.registry });
      // gauges whose names end like counters: promtool refuses them
      for (const what of ["handles", "requests", "resources"]) this.registry.removeSingleMetric(`nodejs_active_${what}_total`);
    }
    this.#requests = new Counter({
      name: "contextd_http_requests_total",
      help: "HTTP requests by route and status.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#duration = new Histogram({
      name: "contextd_http_request_duration_seconds",
      help: "Time from request to the end of its reply.",
      labelNames: ["method", "route"],
      buckets: SECONDS,
      registers,
    });
    this.#answers = new Counter({
      name: "contextd_answers_total",
      help: "Questions by outcome and the way that was taken.",
      labelNames: ["status", "route"],
      registers,
    });
    this.#stages = new Histogram({
      name: "contextd_answer_stage_duration_seconds",
      help: "Time spent in each stage of a question.",
      labelNames: ["stage"],
      buckets: SECONDS,
      registers,
    });
    this.#tools = new Counter({
      name: "contextd_tool_calls_total",
      help: "Calls of graph and search tools.",
      labelNames: ["tool"],
      registers,
    });
    this.#degraded = new Counter({
      name: "contextd_degraded_total",
      help: "Parts that failed while answering, and were done without.",
      labelNames: ["code"],
      registers,
    });
    new Gauge({
      name: "contextd_build_info",
      help: "1, labelled with the version.",
      labelNames: ["version"],
      registers,
    }).set({ version: options.version }, 1);
    gauge(registers, "contextd_ready", "1 when questions can be answered.", () => (app.notReady().length === 0 ? 1 : 0));
    gauge(registers, "contextd_graph_nodes", "Nodes of the knowledge graph.", () => app.graph.size.nodes);
    gauge(registers, "contextd_graph_edges", "Edges of the knowledge graph.", () => app.graph.size.edges);
    for (const [what, queue] of Object.entries(queues)) {
      gauge(registers, `contextd_${what}_active`, `How many ${what} are being answered now.`, () => queue.active);
      gauge(registers, `contextd_${what}_waiting`, `How many ${what} wait for their turn.`, () => queue.waiting);
    }
    gauge(registers, "contextd_index_running", "1 while an index run is going.", () => (app.running === null ? 0 : 1));
    gauge(registers, "contextd_index_age_seconds", "Time since the last index run ended well; -1 when none has.", () => {
      return app.freshness().indexAge ?? -1;
    });
    gauge(registers, "contextd_schedule_paused", "1 while planned index runs are left out.", () => {
      return app.freshness().paused ? 1 : 0;
    });
    sourceMetrics(app, registers);
    modelMetrics(app, registers);
    gauge(registers, "contextd_index_failed_records", "Records that failed in the last finished index run.", () => {
      return app.runs(10).find((run) => run.report !== null)?.report?.records.failed ?? 0;
    });
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status: String(status) });
    this.#duration.observe({ method, route }, seconds);
  }

  answered(answer: Answer): void {
    this.#answers.inc({ status: answer.refusal ?? answer.status, route: answer.route });
    for (const { name, ms } of answer.trace.stages) this.#stages.observe({ stage: name }, ms / 1000);
    for (const { tool } of answer.toolCalls) this.#tools.inc({ tool });
    for (const { code } of answer.trace.degraded ?? []) this.#degraded.inc({ code });
  }
}

function gauge(registers: Registry[], name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });
}

function sourceMetrics(app: App, registers: Registry[]): void {
  new Gauge({
    name: "contextd_source_lag_seconds",
    help: "Time since a kind of source was known to be complete; -1 when it never was.",
    labelNames: ["source"],
    registers,
    collect() {
      this.reset();
      for (const { source, lag } of app.freshness().sources) this.set({ source }, lag ?? -1);
    },
  });
  new Gauge({
    name: "contextd_source_failing",
    help: "1 while the last pull of a kind of source failed.",
    labelNames: ["source"],
    registers,
    collect() {
      this.reset();
      for (const { source, failing } of app.freshness().sources) this.set({ source }, failing ? 1 : 0);
    },
  });
}

/** Read from the ledger, which indexing and answering share and a restart keeps. */
function modelMetrics(app: App, registers: Registry[]): void {
  // one look at the ledger for all counters of a scrape: they are collected in the same turn
  let rows: readonly SpendRow[] | null = null;
  const spend = (): readonly SpendRow[] => {
    if (rows === null) {
      rows = app.spend();
      setImmediate(() => {
        rows = null;
      });
    }
    return rows;
  };
  const counter = (name: string, help: string, read: (row: SpendRow) => number): void => {
    new Counter({
      name,
      help,
      labelNames: ["purpose", "model"],
      registers,
      collect() {
        this.reset();
        for (const row of spend()) this.inc({ purpose: row.purpose, model: row.model }, read(row));
      },
    });
  };
  counter("contextd_llm_calls_total", "Model calls by what they were for.", ({ calls }) => calls);
  counter("contextd_llm_cost_usd_total", "Model spend in US dollars, what is reserved included.", ({ costUsd }) => costUsd);
  counter("contextd_llm_input_tokens_total", "Tokens sent to models.", ({ inputTokens }) => inputTokens);
  counter("contextd_llm_output_tokens_total", "Tokens that models wrote.", ({ outputTokens }) => outputTokens);
}
