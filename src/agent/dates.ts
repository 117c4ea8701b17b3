/**
 * Calendar expressions of a question, read in a time zone: days, months, years, times of day.
 * A found expression is replaced by one private-use character, so that the grammar of windows (time.ts) sees tokens only.
 */

/** Milliseconds since 1970, end excluded. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export type TimeToken =
  | { readonly type: "period"; readonly period: Period; readonly grain: "instant" | "day" | "week" | "month" | "year" }
  /** Minutes after midnight; no day is said. */
  | { readonly type: "clock"; readonly minute: number };

/** A text whose dates and times are single characters from U+E000 on, with what each stands for. */
export interface Tokenised {
  readonly text: string;
  token(character: string | undefined): TimeToken | null;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const FIRST = 0xe000;
const MOST = 32;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const monthWord =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const ordinal = "(?:st|nd|rd|th)?";
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** Zone abbreviations with one meaning among engineers, in minutes east of UTC. */
const abbreviations: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  z: 0,
  bst: 60,
  cet: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  est: -300,
  edt: -240,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  ist: 330,
  jst: 540,
  sgt: 480,
  aest: 600,
  aedt: 660,
};

/** A zone: minutes east of UTC at an instant. */
export type Zone = (at: number) => number;
export const utc: Zone = () => 0;

/** The zone that a text names ("01:00 CEST", "Europe/Berlin", "+02:00" after a time), UTC when it names none. */
export function zoneOf(text: string): Zone {
  const offset = /\d{1,2}:\d{2}(?::\d{2})?\s?(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?(?!\d)/i.exec(text);
  if (offset) {
    const minutes = (offset[1] === "-" ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3] ?? 0));
    return () => minutes;
  }
  const named = /\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+\b/.exec(text)?.[0];
  const iana = named === undefined ? null : ianaZone(named);
  if (iana) return iana;
  const city = /\b([A-Z][a-z]+(?: [A-Z][a-z]+)?) time\b/.exec(text)?.[1];
  const zone = city === undefined ? undefined : cityZone(city);
  if (zone !== undefined) return ianaZone(zone) ?? utc;
  for (const [word] of text.matchAll(/\b[A-Z]{3,4}\b/g)) {
    const minutes = abbreviations[word.toLowerCase()];
    if (minutes !== undefined) return () => minutes;
  }
  return utc;
}

/** "Berlin time", "New York time". */
function cityZone(city: string): string | undefined {
  const end = `/${city.replaceAll(" ", "_")}`;
  return Intl.supportedValuesOf("timeZone").find((name) => name.endsWith(end));
}

function ianaZone(name: string): Zone | null {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
    return (at) => {
      const part = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
      const match = /([+-])(\d{2}):(\d{2})/.exec(part);
      return match ? (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0;
    };
  } catch {
    return null;
  }
}

/** Midnight of the local day that holds the instant. */
export function dayStart(at: number, zone: Zone): number {
  const local = new Date(at + zone(at) * MINUTE);
  return localInstant(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), 0, zone);
}

/** Monday's midnight of the local week. */
export function weekStart(at: number, zone: Zone): number {
  const start = dayStart(at, zone);
  const weekday = new Date(start + zone(start) * MINUTE).getUTCDay();
  return start - ((weekday + 6) % 7) * DAY;
}

/** Monday of an ISO 8601 week (the one with 4 January is the first), the year being that of `now`; null where there is none. */
export function isoWeek(week: number, now: number): number | null {
  if (week < 1 || week > 53) return null;
  return weekStart(Date.UTC(new Date(now).getUTCFullYear(), 0, 4), utc) + (week - 1) * 7 * DAY;
}

/** First midnight of a local month, `shift` months on. */
export function monthStart(at: number, zone: Zone, shift = 0): number {
  const local = new Date(at + zone(at) * MINUTE);
  return localInstant(local.getUTCFullYear(), local.getUTCMonth() + shift, 1, 0, zone);
}

export function localInstant(year: number, month: number, day: number, minute: number, zone: Zone): number {
  const naive = Date.UTC(year, month, day) + minute * MINUTE;
  return naive - zone(naive - zone(naive) * MINUTE) * MINUTE;
}

/** Finds dates and times, longest forms first. */
export function tokenise(question: string, now: number, zone: Zone): Tokenised {
  const tokens: TimeToken[] = [];
  let text = question;
  const put = (token: TimeToken | null, original: string): string => {
    if (token === null || tokens.length >= MOST) return original;
    tokens.push(token);
    return String.fromCharCode(FIRST + tokens.length - 1);
  };
  const day = (year: number | null, month: number, date: number): TimeToken | null => {
    if (date < 1 || date > 31) return null;
    const from = localInstant(year ?? likelyYear(month, date, now), month, date, 0, zone);
    return { type: "period", grain: "day", period: { from, to: from + DAY } };
  };

  text = text.replace(
    /\b(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?/g,
    (original, y, mo, d, h, mi, s, offset) => {
      const own = offset === undefined ? zone : fixedZone(offset);
      const from = localInstant(Number(y), Number(mo) - 1, Number(d), Number(h) * 60 + Number(mi), own) + Number(s ?? 0) * 1000;
      return put({ type: "period", grain: "instant", period: { from, to: from + (s === undefined ? MINUTE : 1000) } }, original);
    },
  );
  text = text.replace(/\b(\d{4})-(\d{2})-(\d{2})\b/g, (original, y, m, d) => put(day(Number(y), Number(m) - 1, Number(d)), original));
  text = text.replace(/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g, (original, d, m, y) => put(day(Number(y), Number(m) - 1, Number(d)), original));
  // "10 and 13 August 2026", "August 10 to 13, 2026": the first day borrows the month
  const joint = "\\s*(?:and|to|until|till|through|[-–])\\s*";
  text = text.replace(
    new RegExp(`\\b(\\d{1,2})${ordinal}(${joint})(\\d{1,2})${ordinal}\\s+(?:of\\s+)?${monthWord}\\.?,?(?:\\s+(\\d{4}))?\\b`, "gi"),
    (original, first, between, second, month, year) => {
      const y = year === undefined ? null : Number(year);
      const from = put(day(y, monthIndex(month), Number(first)), "");
      const to = put(day(y, monthIndex(month), Number(second)), "");
      return from && to ? `${from}${between}${to}` : original;
    },
  );
  text = text.replace(
    new RegExp(`\\b${monthWord}\\.?\\s+(\\d{1,2})${ordinal}(${joint})(\\d{1,2})${ordinal}(?:,?\\s+(\\d{4}))?\\b`, "gi"),
    (original, month, first, between, second, year) => {
      const y = year === undefined ? null : Number(year);
      const from = put(day(y, monthIndex(month), Number(first)), "");
      const to = put(day(y, monthIndex(month), Number(second)), "");
      return from && to ? `${from}${between}${to}` : original;
    },
  );
  const years = yearsIn(text);
  const yearOf = (year: string | undefined): number | null => (year === undefined ? years : Number(year));
  text = text.replace(
    new RegExp(`\\b(\\d{1,2})${ordinal}\\s+(?:of\\s+)?${monthWord}\\b\\.?,?(?:\\s+(\\d{4}))?\\b`, "gi"),
    (original, d, month, year) => put(day(yearOf(year), monthIndex(month), Number(d)), original),
  );
  text = text.replace(
    new RegExp(`\\b${monthWord}\\.?\\s+(\\d{1,2})${ordinal}(?![\\d:])(?:,?\\s+(\\d{4}))?\\b`, "gi"),
    (original, month, d, year) => put(day(yearOf(year), monthIndex(month), Number(d)), original),
  );
  text = text.replace(new RegExp(`\\b(${monthWord.slice(1, -1)})\\.?,?\\s+(?:of\\s+)?(\\d{4})\\b`, "gi"), (original, month, year) =>
    put(monthOf(Number(year), monthIndex(month), zone), original),
  );
  // "mid May" is no exact stretch: a week more at its open ends
  text = text.replace(new RegExp(`\\b(early|mid|late)(?:\\s+|-)${monthWord}\\b`, "gi"), (original, part, month) => {
    const index = monthIndex(month);
    const whole = monthOf(likelyYear(index, 1, now), index, zone);
    if (whole.type !== "period" || /^may$/.test(month)) return original;
    const { from, to } = whole.period;
    const [first, last] = /early/i.test(part) ? [0, 15] : /mid/i.test(part) ? [7, 23] : [15, 31];
    return put({ ...whole, period: { from: from + first * DAY, to: Math.min(to, from + last * DAY) } }, original);
  });
  text = text.replace(
    new RegExp(
      `\\b(in|during|of|since|last|this|early|late|mid|between|from|to|and|until|till|before|after|through)(\\s+|-)${monthWord}\\b`,
      "gi",
    ),
    (original, before, space, month) => {
      // "may" is a verb, too, where no preposition stands before it; as a month it is written large there
      if (/^may$/.test(month) && !/^(?:in|during|of|since|last|until|till|before|after|through)$/i.test(before)) return original;
      const token = put(monthOf(likelyYear(monthIndex(month), 1, now), monthIndex(month), zone), "");
      return token ? `${before}${space}${token}` : original;
    },
  );
  text = text.replace(/\b(in|during|of|since|before|after|until)\s+(20\d{2})\b(?!-)/gi, (original, before, year) => {
    const from = localInstant(Number(year), 0, 1, 0, zone);
    const token = put({ type: "period", grain: "year", period: { from, to: localInstant(Number(year) + 1, 0, 1, 0, zone) } }, "");
    return token ? `${before} ${token}` : original;
  });
  // what is to come
  text = text.replace(
    /\b(?:from\s+(?:next\s+)?(sunday|monday|tuesday|wednesday|thursday|friday|saturday)\s+on(?:wards?)?(?!\s+the)|(?:on\s+)?(?:next|coming)\s+(sunday|monday|tuesday|wednesday|thursday|friday|saturday))\b/gi,
    (original, first, second) => {
      const today = dayStart(now, zone);
      const weekday = new Date(today + zone(today) * MINUTE).getUTCDay();
      const ahead = (weekdays.indexOf((first ?? second).toLowerCase()) - weekday + 7) % 7 || 7;
      return put({ type: "period", grain: "day", period: { from: today + ahead * DAY, to: today + (ahead + 1) * DAY } }, original);
    },
  );
  text = text.replace(
    /\b(?:on\s+|last\s+)?(sunday|monday|tuesday|wednesday|thursday|friday|saturday)(s?)\b/gi,
    (original, name, plural) => {
      if (plural !== "") return original;
      const today = dayStart(now, zone);
      const weekday = new Date(today + zone(today) * MINUTE).getUTCDay();
      const back = (weekday - weekdays.indexOf(name.toLowerCase()) + 7) % 7;
      const from = today - (back === 0 && /last/i.test(original) ? 7 : back) * DAY;
      return put({ type: "period", grain: "day", period: { from, to: from + DAY } }, original);
    },
  );
  text = text.replace(/\b(?:the day before yesterday)\b/gi, (original) => put(relativeDay(now, -2, zone), original));
  text = text.replace(/\b(today|yesterday|tomorrow)\b/gi, (original, word) =>
    put(relativeDay(now, { today: 0, yesterday: -1, tomorrow: 1 }[word.toLowerCase() as "today"], zone), original),
  );
  text = text.replace(/\bnew year(?:['’]s(?: day)?)?\b/gi, (original) => put(day(new Date(now).getUTCFullYear(), 0, 1), original));
  text = text.replace(/\b(?:the )?(?:start|beginning) of (?:the |this )?(week|month|year)\b/gi, (original, unit) => {
    const from = /week/i.test(unit) ? weekStart(now, zone) : /month/i.test(unit) ? monthStart(now, zone) : null;
    if (from === null) return put(day(new Date(now).getUTCFullYear(), 0, 1), original);
    return put({ type: "period", grain: "day", period: { from, to: from + DAY } }, original);
  });
  text = text.replace(/\b(\d{1,2})(?::(\d{2}))(?::\d{2})?\s*(am|pm|a\.m\.|p\.m\.)?(?![\d:])/gi, (original, h, m, half) =>
    put(clock(Number(h), Number(m), half), original),
  );
  text = text.replace(/\b(\d{1,2})\s*(am|pm|a\.m\.|p\.m\.)(?![a-z])/gi, (original, h, half) => put(clock(Number(h), 0, half), original));
  text = text.replace(/\b(midnight|noon)\b/gi, (original, word) => put({ type: "clock", minute: /noon/i.test(word) ? 720 : 0 }, original));
  return {
    text,
    token: (character) => tokens[(character?.charCodeAt(0) ?? 0) - FIRST] ?? null,
  };
}

function fixedZone(offset: string): Zone {
  if (offset === "Z") return utc;
  const digits = offset.replace(":", "");
  const minutes = (digits.startsWith("-") ? -1 : 1) * (Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3)));
  return () => minutes;
}

function clock(hour: number, minute: number, half: string | undefined): TimeToken | null {
  if (hour > 24 || minute > 59) return null;
  const pm = half !== undefined && /^p/i.test(half);
  const am = half !== undefined && /^a/i.test(half);
  return { type: "clock", minute: ((pm && hour < 12 ? hour + 12 : am && hour === 12 ? 0 : hour) * 60 + minute) % 1440 };
}

function monthIndex(word: string): number {
  return months.indexOf(word.slice(0, 3).toLowerCase());
}

function monthOf(year: number, month: number, zone: Zone): TimeToken {
  return {
    type: "period",
    grain: "month",
    period: { from: localInstant(year, month, 1, 0, zone), to: localInstant(year, month + 1, 1, 0, zone) },
  };
}

function relativeDay(now: number, days: number, zone: Zone): TimeToken {
  const from = dayStart(now, zone) + days * DAY;
  return { type: "period", grain: "day", period: { from, to: from + DAY } };
}

/** A date without a year is the last one before now, or one less than two months ahead. */
function likelyYear(month: number, date: number, now: number): number {
  const year = new Date(now).getUTCFullYear();
  return Date.UTC(year, month, date) <= now + 60 * DAY ? year : year - 1;
}

/** The one year that the text names, which a date without a year then belongs to ("10 July to 2 August 2026"). */
function yearsIn(text: string): number | null {
  const found = new Set([...text.matchAll(/\b(20\d{2})\b(?!-)/g)].map((match) => Number(match[1])));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}
