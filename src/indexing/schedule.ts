import { schedule } from "node-cron";
import type { IndexReport } from "../core/app.ts";
import type { Log } from "../core/connector.ts";
import { toContextError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import { isDue, type ScheduleTimes, wallClock } from "./schedule-times.ts";

const LAST = "schedule.last";
/**
 * A last run that lies further ahead than this was written down under a wrong clock: it must not keep the next ones away until
 * that time has come. Less is summer time, or a clock that is brought right, and no planned time counts twice for that.
 */
const CLOCK_WAS_WRONG_MS = 86_400_000;

export interface ScheduleConfig extends ScheduleTimes {
  /** A run begins up to this many seconds late, so that daemons of one schedule do not all ask a source at once. */
  readonly jitterSeconds: number;
}

/** How a planned run went wrong. */
export interface ScheduleProblem {
  readonly status: "failed" | "partial";
  readonly runId: string | null;
  readonly failures: readonly { readonly source: string; readonly code: string; readonly message: string }[];
}

export interface ScheduleDeps {
  readonly meta: Store["meta"];
  /** One index run, to its end. */
  readonly run: (signal: AbortSignal) => Promise<IndexReport>;
  /** What is done after each run: old rows go, the file is put in order. */
  readonly upkeep: (signal: AbortSignal) => Promise<void>;
  readonly paused: () => boolean;
  /** Tells somebody; does not throw. */
  readonly notify: (problem: ScheduleProblem, signal: AbortSignal) => Promise<void>;
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Resolves after so many ms; rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
}

/** Runs at planned times, one at a time; dispose to stop, which also stops a run under way. */
export class Schedule implements AsyncDisposable {
  private readonly config: ScheduleConfig;
  private readonly deps: ScheduleDeps;
  private readonly stopping = new AbortController();
  private since: Date;
  private going: Promise<void> | null = null;

  /** The first planned time counts from the last run; on a new store, from now. */
  constructor(config: ScheduleConfig, deps: ScheduleDeps) {
    this.config = config;
    this.deps = deps;
    const last = deps.meta.get(LAST);
    this.since = last === null ? deps.now() : new Date(last);
    if (last === null) deps.meta.set(LAST, this.since.toISOString());
  }

  /** Looks now (so that a run missed while the daemon was down is caught up) and then every minute. */
  start(): void {
    const task = schedule("* * * * *", () => this.tick(), { unref: true, suppressMissedWarning: true });
    this.stopping.signal.addEventListener("abort", () => void task.destroy(), { once: true });
    void this.tick();
  }

  /**
   * Runs when a planned time has passed since the last run and none is under way; resolves when it ended. What is
   * planned while the schedule is paused is left out, not put off; the file is put in order all the same.
   */
  async tick(): Promise<void> {
    const now = this.deps.now();
    if (now.getTime() < this.since.getTime() - CLOCK_WAS_WRONG_MS) this.done(now);
    if (this.going !== null || this.stopping.signal.aborted || now <= this.since) return;
    if (!isDue(this.config, this.since, now)) {
      // what was looked at needs no second look; the wall clock must not be moved back over a planned time
      const { timezone } = this.config;
      if (wallClock(now, timezone) > wallClock(this.since, timezone)) this.since = now;
      return;
    }
    this.going = this.planned(now).finally(() => {
      this.going = null;
    });
    await this.going;
  }

  private done(now: Date): void {
    this.since = now;
    this.deps.meta.set(LAST, now.toISOString());
  }

  private async planned(now: Date): Promise<void> {
    const { upkeep, notify, log } = this.deps;
    const { signal } = this.stopping;
    const isPaused = this.deps.paused();
    const late = Math.floor(this.deps.random() * this.config.jitterSeconds * 1000);
    try {
      if (late > 0) await this.deps.wait(late, signal);
      const problem = isPaused ? null : await this.run(signal);
      this.done(now);
      if (problem !== null) await notify(problem, signal);
      await upkeep(signal);
    } catch (error) {
      const known = toContextError(error);
      // another run is under way, or we are asked to stop: the planned one is still due
      if (known.code === "INDEX_RUNNING" || signal.aborted) return;
      log.error({ code: known.code, err: known }, "upkeep after the scheduled run failed");
    }
  }

  /** @returns what went wrong, null when nothing did; a single record that failed is no problem of the run */
  private async run(signal: AbortSignal): Promise<ScheduleProblem | null> {
    try {
      const { runId, failures } = await this.deps.run(signal);
      const whole = failures.filter(({ source, id }) => source === id);
      return whole.length === 0 ? null : { status: "partial", runId, failures: whole };
    } catch (error) {
      const known = toContextError(error);
      if (known.code === "INDEX_RUNNING" || signal.aborted) throw known;
      this.deps.log.error({ code: known.code, err: known }, "scheduled index run failed");
      return { status: "failed", runId: null, failures: [{ source: "contextd", code: known.code, message: known.message }] };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    await this.going;
  }
}
