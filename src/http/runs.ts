import { EventEmitter } from "node:events";
import type { App, Failure, IndexEvent, IndexOptions, IndexReport, RunRow } from "../core/app.ts";
import type { Log } from "../core/connector.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import type { Run, RunProgress } from "./schemas.ts";

/** How many finished runs keep their progress in memory; the rows themselves are in the store. */
const KEPT = 20;

interface Live {
  readonly runId: string;
  progress: RunProgress;
  /** Raised with each change: the id of its event. */
  version: number;
  readonly failures: Failure[];
  ended: boolean;
  readonly startedAt: string;
  /** Of a run that came to its end. */
  report: IndexReport | null;
  readonly changed: EventEmitter;
}

/** Drains index runs in the background and remembers how far they are. */
export class RunTracker {
  readonly #app: App;
  readonly #log: Log;
  readonly #stopping: AbortSignal;
  readonly #live = new Map<string, Live>();
  readonly #draining = new Set<Promise<void>>();

  constructor(app: App, log: Log, stopping: AbortSignal) {
    this.#app = app;
    this.#log = log;
    this.#stopping = stopping;
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
    const live = this.#open(runId);
    const drained = this.#drain(live, events, first).finally(() => this.#draining.delete(drained));
    this.#draining.add(drained);
    return runId;
  }

  /** Resolves once the run under way has an id: right away, or with its first event at the latest (see the race above). */
  #runningId(): Promise<string> {
    const id = currentId(this.#app);
    return id === undefined ? new Promise(() => {}) : Promise.resolve(id);
  }

  #open(runId: string): Live {
    const live: Live = {
      runId,
      progress: { stage: null, done: 0, total: null, records: {}, failures: 0 },
      version: 0,
      failures: [],
      ended: false,
      startedAt: this.#app.running?.startedAt ?? this.#app.now().toISOString(),
      report: null,
      changed: new EventEmitter().setMaxListeners(0),
    };
    this.#live.set(runId, live);
    for (const old of this.#live.keys()) {
      if (this.#live.size <= KEPT) break;
      this.#live.delete(old);
    }
    return live;
  }

  async #drain(
    live: Live,
    events: AsyncGenerator<IndexEvent, IndexReport>,
    first: Promise<IteratorResult<IndexEvent, IndexReport>>,
  ): Promise<void> {
    try {
      let step = await first;
      for (; !step.done; step = await events.next()) {
        note(live, step.value);
        live.version += 1;
        live.changed.emit("change");
      }
      live.report = step.value;
    } catch (error) {
      const { code, message } = toContextError(error);
      live.failures.push({ source: "run", id: live.runId, code, message });
      this.#log.error({ run: live.runId, code, error: message }, "index run failed");
    } finally {
      live.ended = true;
      live.version += 1;
      live.changed.emit("change");
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
    return this.view({ id: runId, trigger: "http", startedAt, endedAt, status, report });
  }

  /** Follows a run that this process started: one value a change, the last when it ended. */
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
      live.failures.push(event.failure);
      live.progress = { ...progress, failures: live.failures.length };
      break;
  }
}
