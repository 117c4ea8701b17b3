import { EventEmitter } from "node:events";
import type { App, IndexEvent, IndexOptions, IndexReport, RunId, RunNews, RunRow } from "../core/app.ts";
import type { Log } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import type { Run, RunProgress } from "./schemas.ts";

/** How many finished runs keep their progress in memory; the rows themselves are in the store. */
const KEPT = 20;

interface Live {
  readonly runId: string;
  readonly trigger: string;
  progress: RunProgress;
  /** Raised with each change: the id of its event. */
  version: number;
  ended: boolean;
  readonly startedAt: string;
  /** Of a run that came to its end. */
  report: IndexReport | null;
  readonly changed: EventEmitter;
}

/** Knows how far each run is, whoever started it, and drains those that were asked for over HTTP. */
export class RunTracker {
  readonly #app: App;
  readonly #log: Log;
  readonly #stopping: AbortSignal;
  readonly #watch: Disposable;
  readonly #live = new Map<string, Live>();
  readonly #draining = new Set<Promise<void>>();

  constructor(app: App, log: Log, stopping: AbortSignal) {
    this.#app = app;
    this.#log = log;
    this.#stopping = stopping;
    this.#watch = app.watchRuns((run, news) => this.#hear(run, news));
  }

  /**
   * Starts a run and returns its id as soon as it has one.
   * @throws ContextError INDEX_RUNNING where one is running, or whatever the run threw before it began
   */
  async start(options: Omit<IndexOptions, "signal">): Promise<string> {
    if (this.#app.running !== null) {
      throw new ContextError("INDEX_RUNNING", `Index run ${this.#app.running.runId} is still going.`, {
        detail: { runId: this.#app.running.runId },
      });
    }
    const events = this.#app.index({ ...options, trigger: options.trigger ?? "http", signal: this.#stopping });
    const first = events.next();
    const begun = await Promise.race([first, this.#runningId()]);
    const runId = typeof begun === "string" ? begun : begun.done ? begun.value.runId : (currentId(this.#app) ?? "");
    const drained = this.#drain(events, first).finally(() => this.#draining.delete(drained));
    this.#draining.add(drained);
    return runId;
  }

  /** Resolves once the run under way has an id: right away, or with its first event at the latest (see the race above). */
  #runningId(): Promise<string> {
    const id = currentId(this.#app);
    return id === undefined ? new Promise(() => {}) : Promise.resolve(id);
  }

  #hear({ runId, startedAt }: RunId, news: RunNews): void {
    if (news.type === "began") this.#open(runId, startedAt, news.trigger);
    const live = this.#live.get(runId);
    if (live === undefined) return;
    if (news.type === "event") note(live, news.event);
    if (news.type === "ended") {
      live.report = news.report;
      live.ended = true;
      if (news.error !== null) {
        const { code, message } = news.error;
        this.#log.error({ run: runId, code, error: message }, "index run failed");
      }
    }
    live.version += 1;
    live.changed.emit("change");
  }

  #open(runId: string, startedAt: string, trigger: string): void {
    this.#live.set(runId, {
      runId,
      trigger,
      progress: { stage: null, done: 0, total: null, records: {}, failures: 0 },
      version: 0,
      ended: false,
      startedAt,
      report: null,
      changed: new EventEmitter().setMaxListeners(0),
    });
    for (const old of this.#live.keys()) {
      if (this.#live.size <= KEPT) break;
      this.#live.delete(old);
    }
  }

  /** To its end; how it goes is heard like that of any other run. */
  async #drain(events: AsyncGenerator<IndexEvent, IndexReport>, first: Promise<IteratorResult<IndexEvent, IndexReport>>): Promise<void> {
    try {
      for (let step = await first; !step.done; step = await events.next());
    } catch {
      // heard, and written down
    }
  }

  /** A row as readers see it, with its progress while it runs. */
  view(row: RunRow): Run {
    const live = this.#live.get(row.id);
    const progress = row.status === "running" ? (live?.progress ?? null) : null;
    const report = row.report === null ? null : (row.report as unknown as NonNullable<Run["report"]>);
    return { id: row.id, trigger: row.trigger, startedAt: row.startedAt, endedAt: row.endedAt, status: row.status, progress, report };
  }

  /** A run by id; null when there is none. One that has just begun has no row yet, and a dry run never gets one. */
  find(runId: string): Run | null {
    const row = this.#app.run(runId);
    if (row !== null) return this.view(row);
    const live = this.#live.get(runId);
    if (live === undefined && this.#app.running?.runId !== runId) return null;
    const startedAt = live?.startedAt ?? this.#app.running?.startedAt ?? "";
    const report = live?.report ?? null;
    const status = report !== null ? "done" : live?.ended === true ? "failed" : "running";
    const endedAt = report === null ? null : new Date(Date.parse(startedAt) + report.durationMs).toISOString();
    return this.view({ id: runId, trigger: live?.trigger ?? "http", startedAt, endedAt, status, report });
  }

  /** Follows a run of this process: one value a change, the last when it ended. */
  async *follow(runId: string, signal: AbortSignal): AsyncGenerator<{ readonly version: number; readonly progress: RunProgress }, void> {
    const live = this.#live.get(runId);
    let seen = -1;
    while (live !== undefined && !signal.aborted) {
      if (live.version !== seen) {
        seen = live.version;
        yield { version: seen, progress: live.progress };
      }
      if (live.ended) return;
      if (live.version === seen) await change(live.changed, signal);
    }
  }

  /** Waits until the runs under way have ended; they stop by the daemon's own signal. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#draining]);
    this.#watch[Symbol.dispose]();
  }
}

function currentId(app: App): string | undefined {
  return app.running?.runId;
}

function change(changed: EventEmitter, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      changed.off("change", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    changed.once("change", done);
    signal.addEventListener("abort", done, { once: true });
  });
}

function note(live: Live, event: IndexEvent): void {
  const { progress } = live;
  switch (event.type) {
    case "record":
      live.progress = { ...progress, records: { ...progress.records, [event.outcome]: (progress.records[event.outcome] ?? 0) + 1 } };
      break;
    case "progress":
      live.progress = { ...progress, stage: event.stage, done: event.done, total: event.total };
      break;
    case "failure":
      live.progress = { ...progress, failures: progress.failures + 1 };
      break;
  }
}
