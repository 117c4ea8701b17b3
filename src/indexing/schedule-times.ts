import { createTask, type ScheduledTask, validateDetailed } from "node-cron";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How far a planned time is looked for, back and ahead; older than this, the next planned one is soon enough. */
const REACH = 32 * DAY;
/** The largest step that a clock on the wall is put forward or back by, and more. */
const LARGEST_SHIFT = 180 * MINUTE;

export interface ScheduleTimes {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

/** What is wrong with a schedule, null when nothing is. */
export function timesProblem({ cron, timezone }: ScheduleTimes): string | null {
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
export function isDue({ cron, timezone }: ScheduleTimes, since: Date, now: Date): boolean {
  const pattern = patternOf(cron);
  const from = Math.max(wallClock(since, timezone), wallClock(now, timezone) - REACH);
  const to = wallClock(now, timezone);
  for (let at = Math.floor(from / MINUTE) * MINUTE + MINUTE; at <= to; at += MINUTE) {
    if (pattern.match(new Date(at))) return true;
  }
  return false;
}

/** The first planned time after `now`; null when none lies within a month. */
export function nextDue(times: ScheduleTimes, now: Date): Date | null {
  const key = `${times.timezone} ${times.cron}`;
  const known = found.get(key);
  const until = known === undefined ? 0 : (known.next?.getTime() ?? known.from.getTime() + DAY);
  if (known !== undefined && now >= known.from && now.getTime() < until) return known.next;
  const next = lookAhead(times, now);
  found.set(key, { from: now, next });
  return next;
}

function lookAhead({ cron, timezone }: ScheduleTimes, now: Date): Date | null {
  const pattern = patternOf(cron);
  const from = Math.floor(wallClock(now, timezone) / MINUTE) * MINUTE;
  for (let wall = from + MINUTE; wall <= from + REACH; wall += MINUTE) {
    if (pattern.match(new Date(wall))) return firstShowing(wall, timezone);
  }
  return null;
}

/** When the clock on the wall first shows this time, or a later one where this is left out. */
function firstShowing(wall: number, timezone: string): Date {
  const near = wall - (wallClock(new Date(wall), timezone) - wall);
  let at = near - LARGEST_SHIFT;
  while (wallClock(new Date(at), timezone) < wall) at += MINUTE;
  return new Date(at);
}

// Making one of these takes a hundred times as long as using it, and there is one of each in a daemon.
const found = new Map<string, { readonly from: Date; readonly next: Date | null }>();
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
export function wallClock(at: Date, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}
