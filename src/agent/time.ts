import type { Instant } from "../core/record.ts";
import {
  DAY,
  dayStart,
  HOUR,
  localInstant,
  MINUTE,
  monthStart,
  type Period,
  type TimeToken,
  type Tokenised,
  tokenise,
  weekStart,
  type Zone,
  zoneOf,
} from "./dates.ts";

/** A stretch of time that a question asks about. */
export interface Window {
  /** Null: from the beginning. End excluded. */
  readonly from: Instant | null;
  readonly to: Instant;
  /** A single moment or day, rather than a stretch: "on 2026-07-01", "at 01:20". */
  readonly moment: boolean;
  /** The words of the question that say it. */
  readonly text: string;
}

/** Whether an instant is within a stretch of time. */
export function isWithin(at: string, { from, to }: Pick<Window, "from" | "to">): boolean {
  return at < to && (from === null || at >= from);
}

const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  "twenty-four": 24,
  "forty-eight": 48,
  couple: 2,
  few: 3,
};
/** As a pattern: "24", "two", "a couple of". */
export const amount =
  "(\\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty-four|forty-eight|couple|few)(?:\\s+of)?";
/** As a pattern: "hours", "d". */
export const unit = "(minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?)";
const T = "([\\ue000-\\uf8ff])";
const parts: Readonly<Record<string, readonly [number, number]>> = {
  morning: [5, 12],
  afternoon: [12, 18],
  evening: [17, 24],
  night: [20, 30],
};

/** A rule: what it matches in the tokenised question, and the period it means. */
interface Rule {
  readonly pattern: RegExp;
  read(match: RegExpExecArray, clock: Clock): Found | null;
}

type Found = { readonly from: number | null; readonly to: number; readonly moment?: boolean };

interface Clock {
  readonly now: number;
  readonly zone: Zone;
  readonly tokens: Tokenised;
  /** The day that the question names beside times of day, if any. */
  readonly day: Period | null;
}

const rules: readonly Rule[] = [
  {
    pattern: new RegExp(`\\b(?:between|from)\\s+(?:the\\s+)?${T}\\s*(?:and|to|until|till|through|[-–])\\s*(?:the\\s+)?${T}`, "i"),
    read: (match, clock) => span(clock.tokens.token(match[1]), clock.tokens.token(match[2]), clock),
  },
  {
    pattern: new RegExp(`${T}\\s*(?:to|until|till|through|[-–])\\s*${T}`, "i"),
    read: (match, clock) => span(clock.tokens.token(match[1]), clock.tokens.token(match[2]), clock),
  },
  {
    pattern: new RegExp(`\\b(?:last|past|previous|recent|within|within the last|in the last)\\s+${amount}[\\s-]*${unit}\\b`, "i"),
    read: (match, { now }) => ({ from: now - lengthOf(match[1], match[2]), to: now }),
  },
  {
    pattern: new RegExp(`\\bsince\\s+${amount}\\s*${unit}\\s+ago\\b`, "i"),
    read: (match, { now }) => ({ from: now - lengthOf(match[1], match[2]), to: now }),
  },
  {
    pattern: new RegExp(`\\b(?:${amount}[\\s-]*)?${unit}\\s+(before|after|prior to|leading up to|following)\\s+(?:the\\s+)?${T}`, "i"),
    read: (match, clock) => {
      const token = clock.tokens.token(match[4]);
      const period = periodOf(token, clock);
      if (period === null) return null;
      const ms = lengthOf(match[1], match[2]);
      if (/^(?:after|following)/i.test(match[3] ?? "")) return { from: period.to, to: Math.min(clock.now, period.to + ms) };
      return { from: period.from - ms, to: period.from };
    },
  },
  {
    pattern: new RegExp(`\\b${amount}\\s*${unit}\\s+ago\\b`, "i"),
    read: (match, { now, zone }) => {
      const at = now - lengthOf(match[1], match[2]);
      if (/^(?:d|w|mon)/i.test(match[2] ?? "")) return { from: dayStart(at, zone), to: dayStart(at, zone) + DAY, moment: true };
      return { from: at - HOUR / 2, to: at + HOUR / 2, moment: true };
    },
  },
  {
    pattern: new RegExp(`\\bweek\\s+(?:of|from|starting|beginning|commencing)\\s+(?:the\\s+)?${T}`, "i"),
    read: (match, { tokens, zone }) => {
      const token = tokens.token(match[1]);
      if (token?.type !== "period") return null;
      const from = weekStart(token.period.from, zone);
      return { from, to: from + 7 * DAY };
    },
  },
  {
    pattern: new RegExp(`\\b(morning|afternoon|evening|night)\\s+(?:of|on)\\s+(?:the\\s+)?${T}`, "i"),
    read: (match, { tokens }) => partOfDay(tokens.token(match[2]), match[1]),
  },
  {
    pattern: new RegExp(`${T}\\s+(?:in the\\s+)?(morning|afternoon|evening|night)\\b`, "i"),
    read: (match, { tokens }) => partOfDay(tokens.token(match[1]), match[2]),
  },
  {
    pattern: new RegExp(`\\b(?:since|after|from)\\s+(?:the\\s+)?${T}`, "i"),
    read: (match, clock) => {
      const token = clock.tokens.token(match[1]);
      const period = periodOf(token, clock);
      if (period === null) return null;
      // "tickets from January" are those of January
      if (/^from/i.test(match[0]) && token?.type === "period" && (token.grain === "month" || token.grain === "year")) return period;
      // "on 18 August after 21:00" ends with that day
      const to = token?.type === "clock" && clock.day !== null ? Math.min(clock.now, clock.day.to) : clock.now;
      return { from: /^after/i.test(match[0]) && !isMoment(token) ? period.to : period.from, to };
    },
  },
  {
    pattern: new RegExp(`\\b(?:before|until|till|up to|prior to)\\s+(?:the\\s+)?${T}`, "i"),
    read: (match, clock) => {
      const token = clock.tokens.token(match[1]);
      const period = periodOf(token, clock);
      // "on 12 August before noon" begins with that day
      return period && { from: token?.type === "clock" ? (clock.day?.from ?? null) : null, to: period.from };
    },
  },
  {
    pattern: new RegExp(`\\b(?:at|around|about|by)\\s+${T}`, "i"),
    read: (match, clock) => {
      const token = clock.tokens.token(match[1]);
      const period = periodOf(token, clock);
      if (!period) return null;
      return isMoment(token) ? { from: period.from - HOUR / 2, to: period.to + HOUR / 2, moment: true } : { ...period, moment: true };
    },
  },
  {
    pattern: new RegExp(T),
    read: (match, clock) => {
      const token = clock.tokens.token(match[1]);
      const period = periodOf(token, clock);
      return period && { ...period, moment: token?.type === "clock" || token?.grain === "day" || token?.grain === "instant" };
    },
  },
  {
    pattern: /\b(?:last night|overnight)\b/i,
    read: (_, { now, zone }) => ({ from: dayStart(now, zone) - 6 * HOUR, to: Math.min(now, dayStart(now, zone) + 8 * HOUR) }),
  },
  {
    pattern: /\btonight\b/i,
    read: (_, { now, zone }) => ({
      from: Math.min(now, dayStart(now, zone) + 17 * HOUR),
      to: dayStart(now, zone) + 30 * HOUR,
      moment: true,
    }),
  },
  { pattern: /\bthis (morning|afternoon|evening)\b/i, read: (match, { now, zone }) => partOf(dayStart(now, zone), match[1]) },
  {
    // the one that is on, or the last one
    pattern: /\b(?:last|past|this|over the|on the|at the|during the|the) weekend\b/i,
    read: (_, { now, zone }) => {
      const monday = weekStart(now, zone);
      const to = now >= monday + 5 * DAY ? monday + 7 * DAY : monday;
      return { from: to - 2 * DAY, to };
    },
  },
  {
    pattern: /\b(?:this|current) week\b/i,
    read: (_, { now, zone }) => ({ from: weekStart(now, zone), to: weekStart(now, zone) + 7 * DAY }),
  },
  {
    pattern: /\bnext week\b/i,
    read: (_, { now, zone }) => ({ from: weekStart(now, zone) + 7 * DAY, to: weekStart(now, zone) + 14 * DAY }),
  },
  { pattern: /\blast week\b/i, read: (_, { now, zone }) => ({ from: weekStart(now, zone) - 7 * DAY, to: weekStart(now, zone) }) },
  { pattern: /\b(?:this|current) month\b/i, read: (_, { now, zone }) => ({ from: monthStart(now, zone), to: monthStart(now, zone, 1) }) },
  { pattern: /\bthis year\b/i, read: (_, { now, zone }) => ({ from: yearStart(now, zone), to: yearStart(now, zone, 1) }) },
  { pattern: /\blast year\b/i, read: (_, { now, zone }) => ({ from: yearStart(now, zone, -1), to: yearStart(now, zone) }) },
  { pattern: /\blast month\b/i, read: (_, { now, zone }) => ({ from: monthStart(now, zone, -1), to: monthStart(now, zone) }) },
  { pattern: /\b(?:last|past) (hour|day|month)\b/i, read: (match, { now }) => ({ from: now - lengthOf("1", match[1]), to: now }) },
  { pattern: /\bpast week\b/i, read: (_, { now }) => ({ from: now - 7 * DAY, to: now }) },
];

/**
 * The window that a question names, relative to `now`; null when it names none. Times without a zone are UTC; a time of day
 * without a date is the last one before now. Of several expressions the first rule that matches wins, ranges before days.
 */
export function parseWindow(question: string, now: Date): Window | null {
  const zone = zoneOf(question);
  const tokens = tokenise(question, now.getTime(), zone);
  const days = [...tokens.text].map((character) => tokens.token(character)).filter((token) => token?.type === "period");
  const only = days.length === 1 ? days[0] : undefined;
  const clock: Clock = { now: now.getTime(), zone, tokens, day: only?.type === "period" && only.grain === "day" ? only.period : null };
  for (const { pattern, read } of rules) {
    const match = pattern.exec(tokens.text);
    const found = match && read(match, clock);
    if (!match || !found) continue;
    if (found.from !== null && found.from >= found.to) continue;
    return {
      from: found.from === null ? null : instant(found.from),
      to: instant(found.to),
      moment: found.moment ?? false,
      text: match[0].replace(/[\ue000-\uf8ff]/g, "…"),
    };
  }
  return null;
}

/** ISO 8601 in UTC, without milliseconds. */
export function instant(ms: number): Instant {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** "2026-03-11 22:40 UTC", as sentences write it; midnight sharp is a date. */
export function spoken(at: Instant): string {
  if (/T00:00:00(?:\.000)?Z$/.test(at)) return at.slice(0, 10);
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** "48 hours", "3 days", from a window's length. */
export function spokenLength(from: Instant, to: Instant): string {
  const ms = Date.parse(to) - Date.parse(from);
  const hours = Math.round(ms / HOUR);
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} minutes`;
  if (hours <= 72 || hours % 24 !== 0) return hours === 1 ? "1 hour" : `${hours} hours`;
  return `${hours / 24} days`;
}

function yearStart(at: number, zone: Zone, shift = 0): number {
  return localInstant(new Date(at + zone(at) * MINUTE).getUTCFullYear() + shift, 0, 1, 0, zone);
}

/** "20 hours 40 minutes", "3 days 2 hours": the two greatest units. */
export function spokenDuration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE));
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  const said = [count(days, "day"), count(hours, "hour"), days > 0 ? "" : count(rest, "minute")].filter((part) => part !== "");
  return said.length === 0 ? "less than a minute" : said.slice(0, 2).join(" ");
}

function count(n: number, noun: string): string {
  return n === 0 ? "" : `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function isMoment(token: TimeToken | null): boolean {
  return token?.type === "clock" || (token?.type === "period" && token.grain === "instant");
}

function periodOf(token: TimeToken | null, clock: Clock): Period | null {
  if (token === null) return null;
  if (token.type === "period") return token.period;
  const base = clock.day?.from ?? dayStart(clock.now, clock.zone);
  let from = base + token.minute * MINUTE;
  if (clock.day === null && from > clock.now) from -= DAY;
  return { from, to: from + MINUTE };
}

function span(first: TimeToken | null, second: TimeToken | null, clock: Clock): Found | null {
  if (first === null || second === null) return null;
  const to = periodOf(second, clock);
  if (to === null) return null;
  if (first.type === "clock" && second.type === "period") {
    // "from 22:00 to 2026-08-19 01:00"
    const day = dayStart(second.period.from, clock.zone);
    return { from: day + first.minute * MINUTE, to: second.period.to };
  }
  let from = periodOf(first, clock);
  if (from === null) return null;
  if (first.type === "clock" && second.type === "clock" && first.minute > second.minute) {
    // over midnight
    from = from.from > to.from ? { from: from.from - (clock.day ? 0 : DAY), to: from.to } : from;
    return { from: from.from, to: from.from + ((second.minute - first.minute + 1440) % 1440) * MINUTE };
  }
  if (first.type === "clock" && second.type === "clock" && from.from > to.from) from = { from: from.from - DAY, to: from.to - DAY };
  return { from: from.from, to: second.type === "clock" ? to.from : to.to };
}

function partOfDay(token: TimeToken | null, part: string | undefined): Found | null {
  return token?.type === "period" ? partOf(token.period.from, part) : null;
}

function partOf(day: number, part: string | undefined): Found | null {
  const hours = parts[part?.toLowerCase() ?? ""];
  return hours === undefined ? null : { from: day + hours[0] * HOUR, to: day + hours[1] * HOUR };
}

/** Milliseconds of so many units, as the two patterns match them. */
export function lengthOf(count: string | undefined, unitWord: string | undefined): number {
  const word = (count ?? "1").toLowerCase();
  const n = numbers[word] ?? Number(word);
  const u = (unitWord ?? "hours").toLowerCase();
  const size = /^mo/.test(u) ? 30 * DAY : /^m/.test(u) ? MINUTE : /^h/.test(u) ? HOUR : /^d/.test(u) ? DAY : 7 * DAY;
  return n * size;
}
