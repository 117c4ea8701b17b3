const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A time stamp read at some place of a line. */
export interface Stamp {
  /** Milliseconds since 1970 in UTC; null when the digits fit more than one date. */
  readonly ms: number | null;
  /** The line did not say everything: the zone, the year or both were assumed. */
  readonly assumed: boolean;
  /** Where it ends in the line. */
  readonly end: number;
  /** Written as ISO 8601 with a zone. */
  readonly iso: boolean;
}

export interface Clock {
  /** Zone of stamps that name none, as IANA writes it. */
  readonly zone: string;
  /** Stamps without a year are the latest such day not after it (by more than a day). */
  readonly reference: Date;
}

const isoStamp = /(\d{4})([-/])(\d\d)\2(\d\d)([T ])(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?( ?(?:Z|UTC|GMT)\b| ?[+-]\d\d:?\d\d(?!\d))?/y;
const clfStamp = /(\d{1,2})\/([A-Z][a-z]{2})\/(\d{4})[: ](\d\d):(\d\d):(\d\d)(?: ([+-]\d{4}))?/y;
const syslogStamp = /([A-Z][a-z]{2}) ([ \d]?\d) (\d\d):(\d\d):(\d\d)(?:[.,](\d{1,6}))?/y;
const ctimeStamp = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]?\d) (\d\d):(\d\d):(\d\d)(?: (Z|UTC|GMT))? (\d{4})/y;
const slashStamp = /(\d\d?)\/(\d\d?)\/(\d{4}),? (\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/y;
const dotStamp = /(\d\d?)\.(\d\d?)\.(\d{4}),? (\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/y;
/** 20-Aug-2026, 20 Aug 2026 */
const dayMonthStamp =
  /(\d{1,2})[- ]([A-Z][a-z]{2})[- ](\d{4})[ ,:T]{1,2}(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?( ?(?:Z|UTC|GMT)\b| [+-]\d{4})?/y;
/** Aug 20, 2026 8:50:06 PM */
const monthDayStamp = /([A-Z][a-z]{2}) (\d{1,2}),? (\d{4}),? (\d{1,2}):(\d\d):(\d\d)(?: ([AP])M)?/y;
const compactStamp = /(\d{4})(\d\d)(\d\d)[ T-](\d\d):?(\d\d):?(\d\d)(?:[.,](\d{1,9}))?(Z)?(?=[ \t\]]|$)/y;
const timeStamp = /(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?=[ \t\]])/y;
const weekday = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?=\d)/y;
const epochStamp = /(1\d{9})(?:\.(\d{1,9})|(\d{3}))?(?=[ \t\]]|$)/y;

/** The time stamp that begins at `at`, null when none does. */
export function stampAt(line: string, at: number, clock: Clock): Stamp | null {
  const code = line.charCodeAt(at);
  if (code >= 48 && code <= 57) return digitStamp(line, at, clock);
  if (code < 65 || code > 90) return null;
  if (match(weekday, line, at)) return stampAt(line, weekday.lastIndex, clock);
  let m = match(monthDayStamp, line, at);
  if (m) {
    const hour = m[7] === undefined ? Number(m[4]) : (Number(m[4]) % 12) + (m[7] === "P" ? 12 : 0);
    return named(m[1], (month) => stamp(monthDayStamp.lastIndex, clock, undefined, m?.[3], month, m?.[2], String(hour), m?.[5], m?.[6]));
  }
  m = match(ctimeStamp, line, at);
  if (m) return named(m[1], (month) => stamp(ctimeStamp.lastIndex, clock, m?.[6], m?.[7], month, m?.[2], m?.[3], m?.[4], m?.[5]));
  m = match(syslogStamp, line, at);
  return m && named(m[1], (month) => yearless(syslogStamp.lastIndex, clock, month, m?.[2], m?.[3], m?.[4], m?.[5], m?.[6]));
}

/** With the number of a month that is written as a word; null for any other word. */
function named(month: Digits, make: (month: number) => Stamp | null): Stamp | null {
  const number = months.indexOf((month ?? "").toLowerCase());
  return number < 0 ? null : make(number);
}

function digitStamp(line: string, at: number, clock: Clock): Stamp | null {
  let m = match(isoStamp, line, at);
  if (m) {
    const made = stamp(isoStamp.lastIndex, clock, m[10], m[1], Number(m[3]) - 1, m[4], m[6], m[7], m[8], m[9]);
    return made && m[10] !== undefined && m[5] === "T" ? { ...made, iso: true } : made;
  }
  m = match(clfStamp, line, at);
  if (m) return named(m[2], (month) => stamp(clfStamp.lastIndex, clock, m?.[7], m?.[3], month, m?.[1], m?.[4], m?.[5], m?.[6]));
  m = match(dayMonthStamp, line, at);
  if (m)
    return named(m[2], (month) => stamp(dayMonthStamp.lastIndex, clock, m?.[8], m?.[3], month, m?.[1], m?.[4], m?.[5], m?.[6], m?.[7]));
  m = match(timeStamp, line, at);
  if (m) return dateless(timeStamp.lastIndex, clock, m[1], m[2], m[3], m[4]);
  m = match(slashStamp, line, at);
  if (m) {
    const [first, second] = [Number(m[1]), Number(m[2])];
    // 08/09: the 8th of September or the 9th of August; nothing in the line tells
    if (first <= 12 && second <= 12 && first !== second) return { ms: null, assumed: true, end: slashStamp.lastIndex, iso: false };
    const [day, month] = first > 12 ? [m[1], second] : [m[2], first];
    return stamp(slashStamp.lastIndex, clock, undefined, m[3], month - 1, day, m[4], m[5], m[6], m[7]);
  }
  m = match(dotStamp, line, at);
  if (m) return stamp(dotStamp.lastIndex, clock, undefined, m[3], Number(m[2]) - 1, m[1], m[4], m[5], m[6], m[7]);
  m = match(compactStamp, line, at);
  if (m) return stamp(compactStamp.lastIndex, clock, m[8], m[1], Number(m[2]) - 1, m[3], m[4], m[5], m[6], m[7]);
  m = match(epochStamp, line, at);
  if (!m) return null;
  const ms = Number(m[1]) * 1000 + (m[3] ? Number(m[3]) : millis(m[2]));
  return { ms, assumed: false, end: epochStamp.lastIndex, iso: false };
}

/** klog's "0820 20:50:01.753000": month and day without a year or zone. */
export function klogStamp(digits: string, clock: Clock): number | null {
  const m = /^(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/.exec(digits);
  return m ? (yearless(0, clock, Number(m[1]) - 1, m[2], m[3], m[4], m[5], m[6])?.ms ?? null) : null;
}

/** A time value of a structured line: ISO text, or a number of seconds, milli-, micro- or nanoseconds. */
export function timeValue(value: unknown, clock: Clock): { readonly ms: number | null; readonly assumed: boolean } | null {
  if (typeof value === "number" && Number.isFinite(value)) return { ms: epoch(value), assumed: false };
  if (typeof value !== "string" || value === "") return null;
  if (/^\d{10,19}(?:\.\d{1,9})?$/.test(value)) return { ms: epoch(Number(value)), assumed: false };
  return stampAt(value, 0, clock);
}

function epoch(value: number): number | null {
  const size = Math.abs(value);
  if (size < 1e8 || size > 9e18) return null;
  if (size < 1e11) return Math.round(value * 1000);
  if (size < 1e14) return Math.round(value);
  return Math.floor(size < 1e17 ? value / 1e3 : value / 1e6);
}

function match(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}

function millis(fraction: string | undefined): number {
  return fraction ? Number(fraction.slice(0, 3).padEnd(3, "0")) : 0;
}

type Digits = string | undefined;

function stamp(
  end: number,
  clock: Clock,
  zone: Digits,
  year: Digits,
  month: number,
  day: Digits,
  hour: Digits,
  minute: Digits,
  second?: Digits,
  fraction?: Digits,
): Stamp | null {
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second ?? 0)];
  if (month < 0 || month > 11 || d < 1 || d > 31 || h > 24 || m > 59 || s > 60) return null;
  const local = Date.UTC(Number(year), month, d, h, m, s, millis(fraction));
  if (zone === undefined) return { ms: clock.zone === "UTC" ? local : zonedToUtc(local, clock.zone), assumed: true, end, iso: false };
  return { ms: local - zoneOffset(zone.trim()), assumed: false, end, iso: false };
}

function yearless(
  end: number,
  clock: Clock,
  month: number,
  day: Digits,
  hour: Digits,
  minute: Digits,
  second: Digits,
  fraction: Digits,
): Stamp | null {
  const latest = clock.reference.getTime() + 86_400_000;
  const year = clock.reference.getUTCFullYear();
  for (const candidate of [year + 1, year, year - 1]) {
    const made = stamp(end, clock, undefined, String(candidate), month, day, hour, minute, second, fraction);
    if (made?.ms === null || made === null) return made;
    if (made.ms <= latest) return made;
  }
  return null;
}

/** A time of day alone: on the latest day on which it lies before the reference. */
function dateless(end: number, clock: Clock, hour: Digits, minute: Digits, second: Digits, fraction: Digits): Stamp | null {
  for (const days of [0, 1]) {
    const day = new Date(clock.reference.getTime() - days * 86_400_000);
    const made = stamp(
      end,
      clock,
      undefined,
      String(day.getUTCFullYear()),
      day.getUTCMonth(),
      String(day.getUTCDate()),
      hour,
      minute,
      second,
      fraction,
    );
    if (made === null || (made.ms ?? 0) <= clock.reference.getTime()) return made;
  }
  return null;
}

function zoneOffset(zone: string): number {
  const m = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (!m) return 0;
  const size = (Number(m[2]) * 60 + Number(m[3])) * 60_000;
  return m[1] === "-" ? -size : size;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/**
 * Wall-clock time of a zone to UTC. An hour that happened twice is taken as its first; one that never was, as if clocks had not moved.
 * @param local the wall-clock digits, read as if they were UTC
 */
function zonedToUtc(local: number, zone: string): number {
  const before = local - offsetAt(local - 86_400_000, zone);
  if (before + offsetAt(before, zone) === local) return before;
  const after = local - offsetAt(local + 86_400_000, zone);
  return after + offsetAt(after, zone) === local ? after : before;
}

function offsetAt(utc: number, zone: string): number {
  const quarter = Math.floor(utc / 900_000);
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formatters.set(zone, formatter);
  }
  const name = formatter.formatToParts(quarter * 900_000).find((part) => part.type === "timeZoneName")?.value ?? "GMT";
  const offset = zoneOffset(name.replace("GMT", ""));
  if (offsets.size > 10_000) offsets.clear();
  offsets.set(key, offset);
  return offset;
}
