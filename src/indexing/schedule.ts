import { createTask, type ScheduledTask, schedule, validateDetailed } from "node-cron";
import type { Log } from "../core/connector.ts";
import { toContextError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";

const MINUTE = 60_000;
/** How far back a missed run is looked for; older than this, the next planned one is soon enough. */
const LOOK_BACK = 32 * 24 * 60 * MINUTE;
const LAST = "schedule.last";

export interface ScheduleConfig {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

export interface ScheduleDeps {
  readonly meta: Store["meta"];
  /** One index run, to its end. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly now: () => Date;
  readonly log: Log;
}

/** What is wrong with a schedule, null when nothing is. */
export function scheduleProblem({ cron, timezone }: ScheduleConfig): string | null {
  if (cron.trim().split(/\s+/).length !== 5) return "five fields are needed: minute, hour, day of month, month, day of week";
  const { valid, errors } = validateDetailed(cron);
  if (!valid) return errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
    return null;
  } catch {
    return `"${timezone}" is no IANA time zone`;
  }
}

/**
 * Whether a planned time lies after `since` and not after `now`, on the wall clock of the time zone.
 * Minutes of the wall clock are walked, not those of UTC: a time that a change to summer time leaves out is due when
 * the gap is over, and one that a change back brings twice is due once.
 */
export function isDue({ cron, timezone }: ScheduleConfig, since: Date, now: Date): boolean {
  const pattern = patternOf(cron);
  const from = Math.max(wallClock(since, timezone), wallClock(now, timezone) - LOOK_BACK);
  const to = wallClock(now, timezone);
  for (let at = Math.floor(from / MINUTE) * MINUTE + MINUTE; at <= to; at += MINUTE) {
    if (pattern.match(new Date(at))) return true;
  }
  return false;
}

// Making either of these takes a hundred times as long as using it, and there is one of each in a daemon.
const patterns = new Map<string, ScheduledTask>();
const clocks = new Map<string, Intl.DateTimeFormat>();

/** A task that is never started: it knows which minutes, read as UTC, its expression means. */
function patternOf(cron: string): ScheduledTask {
  const known = patterns.get(cron);
  if (known !== undefined) return known;
  const made = createTask(cron, () => {}, { timezone: "UTC" });
  patterns.set(cron, made);
  return made;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const numeric = "numeric";
  const parts = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric } as const;
  const made = new Intl.DateTimeFormat("en", { timeZone, hourCycle: "h23", ...parts });
  clocks.set(timeZone, made);
  return made;
}

/** What the clock on the wall shows, as if it were UTC, in ms. */
function wallClock(at: Date, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
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

  /** Runs when a planned time has passed since the last run and none is under way; resolves when it ended. */
  async tick(): Promise<void> {
    const now = this.deps.now();
    if (this.going !== null || this.stopping.signal.aborted || now <= this.since) return;
    if (!isDue(this.config, this.since, now)) {
      // what was looked at needs no second look; the wall clock must not be moved back over a planned time
      if (wallClock(now, this.config.timezone) > wallClock(this.since, this.config.timezone)) this.since = now;
      return;
    }
    this.going = this.runOnce(now);
    await this.going;
  }

  private async runOnce(now: Date): Promise<void> {
    const { run, meta, log } = this.deps;
    try {
      await run(this.stopping.signal);
    } catch (error) {
      const known = toContextError(error);
      // another run is under way, or we are asked to stop: the planned one is still due
      if (known.code === "INDEX_RUNNING" || this.stopping.signal.aborted) return;
      log.error({ code: known.code, err: known }, "scheduled index run failed");
    } finally {
      this.going = null;
    }
    this.since = now;
    meta.set(LAST, now.toISOString());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    await this.going;
  }
}
