import { findIdentifiers } from "../core/identifiers.ts";

export type Dimension = "count" | "percent" | "money" | "time" | "size" | "length" | "mass" | "ordinal";

/** A number as a text means it: a range in the base unit of its dimension (seconds, bytes, metres, grams). */
export interface Quantity {
  readonly kind: "quantity";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly low: number;
  readonly high: number;
  readonly dimension: Dimension;
  /** "over" and "under" for bounds, "most" for what is allowed or reached, "about" for rounded values. */
  readonly sense: "exact" | "about" | "over" | "under" | "most";
}

/** A day, month, year or decade; what is not said is null. */
export interface CalendarDate {
  readonly kind: "date";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly year: number | null;
  /** Years it spans: 1, or 10 for a decade. */
  readonly years: number;
  readonly month: number | null;
  readonly day: number | null;
}

/** A time of day, in seconds. */
export interface ClockTime {
  readonly kind: "time";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly seconds: number;
}

/** A version, ticket key, sha, file name or code: compared letter for letter. */
export interface Literal {
  readonly kind: "literal";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly token: string;
}

export type Value = Quantity | CalendarDate | ClockTime | Literal;

const months = "january february march april may june july august september october november december".split(" ");
const monthShape =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const dayShape = "(\\d{1,2})(?:st|nd|rd|th)?";

const datePatterns: readonly { readonly shape: RegExp; read(match: RegExpExecArray): Partial<CalendarDate> | null }[] = [
  {
    shape: /\b(\d{4})-(\d{2})-(\d{2})(?=T\d|\b)/g,
    read: (m) => ({ year: Number(m[1]), month: Number(m[2]), day: Number(m[3]) }),
  },
  {
    shape: new RegExp(`\\b${dayShape}(?: of)? (${monthShape}),? (\\d{4})\\b`, "gi"),
    read: (m) => ({ day: Number(m[1]), month: monthOf(m[2]), year: Number(m[3]) }),
  },
  {
    shape: new RegExp(`\\b(${monthShape}) ${dayShape}(?:,? (\\d{4}))?\\b(?![:.]\\d)`, "gi"),
    read: (m) => (m[1] === "may" ? null : { month: monthOf(m[1]), day: Number(m[2]), year: m[3] === undefined ? null : Number(m[3]) }),
  },
  {
    shape: new RegExp(`\\b(${monthShape})(?: of)?,? (\\d{4})\\b`, "gi"),
    read: (m) => ({ month: monthOf(m[1]), year: Number(m[2]) }),
  },
  {
    shape: new RegExp(`\\b${dayShape}(?: of)? (${monthShape})(?![\\p{L}])`, "giu"),
    read: (m) => (/^may$/i.test(m[2] ?? "") && !/^[A-Z]/.test(m[2] ?? "") ? null : { day: Number(m[1]), month: monthOf(m[2]) }),
  },
  { shape: /\b(1\d|20)(\d)0['’]?s\b/g, read: (m) => ({ year: Number(`${m[1]}${m[2]}0`), years: 10 }) },
  {
    shape: /\b(?:in|during|of|late|early|mid) (?:the )?(twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b/gi,
    read: (m) => ({ year: 1900 + 10 * (2 + decades.indexOf((m[1] ?? "").toLowerCase())), years: 10 }),
  },
  {
    shape: /(?<![\p{L}\p{N}.,$€£#-])(1[0-9]|20)(\d\d)(?![\p{N}%]|[.,]\d|\s?(?:%|percent)|\s(?:year|month|week|day|hour|minute|second)s)/gu,
    read: (m) => ({ year: Number(`${m[1]}${m[2]}`) }),
  },
  { shape: /(?<=(?:1[0-9]|20)\d\d\s?[-–]\s?)(1[0-9]|20)(\d\d)(?!\d)/g, read: (m) => ({ year: Number(`${m[1]}${m[2]}`) }) },
];
const decades = "twenties thirties forties fifties sixties seventies eighties nineties".split(" ");

/** What may follow a number, with its dimension and how many base units it is. */
const units = new Map<string, readonly [Dimension, number]>();
function unit(names: string, dimension: Dimension, factor: number): void {
  for (const name of names.split(" ")) units.set(name, [dimension, factor]);
}
unit("ns nanosecond nanoseconds", "time", 1e-9);
unit("µs us microsecond microseconds", "time", 1e-6);
unit("ms millisecond milliseconds msec", "time", 1e-3);
unit("s sec secs second seconds", "time", 1);
unit("min mins minute minutes", "time", 60);
unit("h hr hrs hour hours", "time", 3600);
unit("d day days", "time", 86_400);
unit("week weeks", "time", 604_800);
unit("month months", "time", 2_629_800);
unit("year years yr yrs", "time", 31_557_600);
unit("b byte bytes", "size", 1);
unit("kb kib kilobyte kilobytes", "size", 1e3);
unit("mb mib megabyte megabytes", "size", 1e6);
unit("gb gib gigabyte gigabytes gi", "size", 1e9);
unit("tb tib terabyte terabytes", "size", 1e12);
unit("pb pib petabyte petabytes", "size", 1e15);
unit("micrometre micrometres micrometer micrometers µm", "length", 1e-6);
unit("mm millimetre millimetres millimeter millimeters", "length", 1e-3);
unit("cm centimetre centimetres centimeter centimeters", "length", 1e-2);
unit("m metre metres meter meters", "length", 1);
unit("km kilometre kilometres kilometer kilometers", "length", 1e3);
unit("mile miles", "length", 1609.344);
unit("foot feet ft", "length", 0.3048);
unit("inch inches", "length", 0.0254);
unit("mg", "mass", 1e-3);
unit("g gram grams", "mass", 1);
unit("kg kilogram kilograms", "mass", 1e3);
unit("ton tons tonne tonnes", "mass", 1e6);
unit("% percent", "percent", 1);
unit("dollar dollars usd euro euros eur pound pounds gbp chf", "money", 1);

const magnitudes: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  million: 1e6,
  m: 1e6,
  mn: 1e6,
  billion: 1e9,
  bn: 1e9,
  trillion: 1e12,
};
const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ordinals =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
    " ",
  );
const tenths = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split(" ");

const clock = /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?:\s?([ap])\.?m\b\.?)?(?!\d)/gi;
/** "Q2" is the second quarter. */
const quarter = /\bQ([1-4])\b/g;
const wildVersion = /\b\d+(?:\.\d+)*\.x\b/gi;
const digits =
  /([$€£]\s?)?(?<![\p{L}\p{N}_]|\d[.,:/])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(st|nd|rd|th)?(?![\p{N}_])(?:\s?-?\s?(thousand|million|billion|trillion|bn|mn|k|m)(?![\p{L}]))?(?:\s?-?\s?([\p{L}µ]+|%))?/giu;
const overWords =
  /(?:\b(?:more than|over|greater than|at least|exceed(?:s|ed|ing)?|above|upwards of|no less than|minimum of)\s|[>≥]=?\s?)$/i;
const underWords = /(?:\b(?:less than|under|fewer than|below)\s|[<≤]=?\s?)$/i;
const mostWords = /\b(?:up to|at most|(?:no|not) more than|maximum of)\s$/i;
const aboutWords = /\b(?:about|around|approximately|approx\.|roughly|nearly|almost|some|circa|c\.|ca\.)\s(?:the\s)?$|~\s?$/i;

/**
 * Every value that a text states, in order: quantities with unit and magnitude (digits or words), ordinals, dates in the usual
 * forms, times of day, versions and identifiers. Where two readings overlap, the more exact one is kept.
 */
export function valuesOf(text: string): Value[] {
  const found: Value[] = [];
  const taken: boolean[] = [];
  const free = (start: number, end: number): boolean => {
    for (let at = start; at < end; at += 1) if (taken[at]) return false;
    return true;
  };
  const take = (value: Value): void => {
    found.push(value);
    for (let at = value.start; at < value.end; at += 1) taken[at] = true;
  };

  for (const { shape, read } of datePatterns.slice(0, 5)) collectDates(text, shape, read, free, take);
  for (const match of text.matchAll(wildVersion)) literal(match[0].toLowerCase(), match[0], match.index);
  for (const { kind, token, text: raw, start } of findIdentifiers(text)) {
    if (kind === "version" && /^\d+\.\d+$/.test(token)) continue;
    if (/^\d+[a-z]{1,3}$/i.test(raw) || /^[a-z]+-\d+$/.test(raw)) continue;
    literal(kind === "version" ? token.replace(/^v/, "") : token, raw, start);
  }
  for (const match of text.matchAll(clock)) {
    const start = match.index;
    const end = start + match[0].length;
    if (!free(start, end)) continue;
    const half = match[4]?.toLowerCase();
    const hour = (Number(match[1]) % (half === undefined ? 24 : 12)) + (half === "p" ? 12 : 0);
    take({ kind: "time", text: match[0], start, end, seconds: hour * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0) });
  }
  for (const match of text.matchAll(quarter)) {
    const n = Number(match[1]);
    const [start, end] = [match.index, match.index + match[0].length];
    if (free(start, end)) take({ kind: "quantity", text: match[0], start, end, low: n, high: n, dimension: "ordinal", sense: "exact" });
  }
  for (const { shape, read } of datePatterns.slice(5)) collectDates(text, shape, read, free, take);
  collectDigits(text, free, take);
  collectWords(text, free, take);
  return found.sort((a, b) => a.start - b.start);

  function literal(token: string, raw: string, start: number): void {
    if (free(start, start + raw.length)) take({ kind: "literal", text: raw, start, end: start + raw.length, token });
  }
}

type Free = (start: number, end: number) => boolean;
type Take = (value: Value) => void;

function collectDates(
  text: string,
  shape: RegExp,
  read: (m: RegExpExecArray) => Partial<CalendarDate> | null,
  free: Free,
  take: Take,
): void {
  for (const match of text.matchAll(shape)) {
    const start = match.index;
    const end = start + match[0].length;
    const date = free(start, end) ? read(match) : null;
    if (date === null || (date.day ?? 1) > 31 || (date.month ?? 1) > 12) continue;
    take({ kind: "date", text: match[0], start, end, year: null, years: 1, month: null, day: null, ...date });
  }
}

function collectDigits(text: string, free: Free, take: Take): void {
  for (const match of text.matchAll(digits)) {
    const [, currency, number = "", ordinal, magnitude, after] = match;
    const start = match.index;
    const numberEnd = start + (currency?.length ?? 0) + number.length;
    if (!free(start, numberEnd)) continue;
    const plain = Number(number.replaceAll(",", ""));
    const follower = after?.toLowerCase() ?? "";
    const asUnit = magnitude?.toLowerCase() === "m" && currency === undefined ? "m" : follower;
    // "5m" is five minutes, as tools write it; "5 m" is a length
    const known = asUnit === "m" && /\dm$/.test(match[0]) ? units.get("min") : units.get(asUnit);
    const factor = asUnit === "m" && currency === undefined ? 1 : (magnitudes[magnitude?.toLowerCase() ?? ""] ?? 1);
    const value = plain * factor;
    const end =
      known !== undefined
        ? start + match[0].length
        : magnitude === undefined
          ? numberEnd + (ordinal?.length ?? 0)
          : match.index + match[0].length;
    const dimension: Dimension = ordinal !== undefined ? "ordinal" : currency !== undefined ? "money" : (known?.[0] ?? "count");
    const base = value * (currency === undefined && ordinal === undefined ? (known?.[1] ?? 1) : 1);
    take({
      kind: "quantity",
      text: text
        .slice(start, after !== undefined && known === undefined && magnitude !== undefined ? end - (after.length + 1) : end)
        .trim(),
      start,
      end: numberEnd,
      low: base,
      high: base,
      dimension,
      sense: senseAt(text, start),
    });
  }
}

function collectWords(text: string, free: Free, take: Take): void {
  const words = [...text.matchAll(/\p{L}+/gu)];
  for (let at = 0; at < words.length; at += 1) {
    let value = 0;
    let part = 0;
    let last = at;
    let ordinal = false;
    let seen = false;
    for (let next = at; next < words.length; next += 1) {
      const word = (words[next]?.[0] ?? "").toLowerCase();
      const gap = next === at ? "" : text.slice((words[next - 1]?.index ?? 0) + (words[next - 1]?.[0].length ?? 0), words[next]?.index);
      if (next > at && !/^[\s-]$/.test(gap)) break;
      const unitAt = small.indexOf(word);
      const tenAt = tens.indexOf(word);
      const nth = ordinals.indexOf(word);
      const tenth = tenths.indexOf(word);
      if (unitAt >= 0 && (part === 0 || (part % 10 === 0 && part > 10 && unitAt < 10))) part += unitAt;
      else if (tenAt >= 0 && part % 100 === 0) part += 10 * (tenAt + 2);
      else if (word === "twice" && !seen) part = 2;
      else if (word === "hundred" && seen) part = Math.max(1, part) * 100;
      else if ((word === "thousand" || word === "million" || word === "billion") && seen) {
        value += Math.max(1, part) * (magnitudes[word] ?? 1);
        part = 0;
      } else if (nth >= 0 && (!seen || part % 10 === 0)) {
        part += nth;
        ordinal = true;
      } else if (tenth >= 0 && part % 100 === 0) {
        part += 10 * (tenth + 2);
        ordinal = true;
      } else break;
      seen = true;
      last = next;
      if (ordinal || word === "twice") break;
    }
    const first = words[at];
    const end = words[last];
    if (!seen || first === undefined || end === undefined) continue;
    const start = first.index;
    const stop = end.index + end[0].length;
    const total = value + part;
    const raw = text.slice(start, stop);
    at = last;
    if (!free(start, stop)) continue;
    const follower = /^[\s-]+([\p{L}]+)/u.exec(text.slice(stop, stop + 24))?.[1]?.toLowerCase() ?? "";
    if (raw.toLowerCase() === "second" && /\b(?:per|a|each|every)\s$/.test(text.slice(0, start))) continue;
    // "one of the", "no one", "first of all" count nothing
    if (raw.toLowerCase() === "one" && !/\b(?:only|just|exactly|single)\s$/i.test(text.slice(0, start)) && !units.has(follower)) continue;
    if (raw.toLowerCase() === "first" && /\b(?:at)\s$/i.test(text.slice(0, start))) continue;
    const known = ordinal ? undefined : units.get(follower);
    const base = total * (known?.[1] ?? 1);
    take({
      kind: "quantity",
      text: known === undefined ? raw : `${raw} ${follower}`,
      start,
      end: stop,
      low: base,
      high: base,
      dimension: ordinal ? "ordinal" : (known?.[0] ?? "count"),
      sense: senseAt(text, start),
    });
  }
}

function senseAt(text: string, start: number): Quantity["sense"] {
  const before = text.slice(Math.max(0, start - 24), start);
  if (mostWords.test(before)) return "most";
  if (underWords.test(before)) return "under";
  if (overWords.test(before)) return "over";
  return aboutWords.test(before) ? "about" : "exact";
}

function monthOf(name: string | undefined): number | null {
  const at = months.findIndex((month) => month.startsWith((name ?? "").toLowerCase().slice(0, 3)));
  return at < 0 ? null : at + 1;
}

/** How far a rounded value may be off, as a share of it. */
const ROUNDING = 0.06;

/** Whether evidence that states `held` bears a claim that states `said`. */
export function bears(said: Value, held: Value): boolean {
  switch (said.kind) {
    case "literal":
      return held.kind === "literal" && held.token === said.token;
    case "time":
      return held.kind === "time" && held.seconds === said.seconds;
    case "date":
      if (held.kind === "quantity") return said.month === null && said.years === 1 && held.dimension === "count" && held.low === said.year;
      return held.kind === "date" && dateBears(said, held);
    case "quantity":
      if (held.kind === "date") return said.dimension === "count" && held.month === null && held.year === said.low && held.years === 1;
      return held.kind === "quantity" && quantityBears(said, held);
  }
}

function dateBears(said: CalendarDate, held: CalendarDate): boolean {
  if (said.year !== null && held.year !== null) {
    if (held.year < said.year || held.year + held.years > said.year + said.years) return false;
  } else if (said.year !== null) return false;
  if (said.month !== null && held.month !== said.month) return false;
  return said.day === null || held.day === said.day;
}

function quantityBears(said: Quantity, held: Quantity): boolean {
  if (said.dimension !== held.dimension) {
    const bare = said.dimension === "count" || held.dimension === "count";
    if (!bare || said.dimension === "ordinal" || held.dimension === "ordinal") return false;
    // "30" beside "30 days": the unit is not said, the number is the same
    return leading(said) === leading(held);
  }
  const near = (a: number, b: number, share: number): boolean => Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;
  if (near(said.low, held.low, 1e-9)) {
    const [ours, theirs] = [said, held].map(({ sense }) => (sense === "over" ? 1 : sense === "under" || sense === "most" ? -1 : 0));
    return ours === 0 || theirs === 0 || ours === theirs;
  }
  if (said.sense === "over") return held.low > said.low && held.sense !== "under" && held.low < said.low * 3;
  if (said.sense === "under") return held.low < said.low && held.sense !== "over" && held.low > said.low / 3;
  if (said.sense === "about" || held.sense === "about") return near(said.low, held.low, ROUNDING);
  return false;
}

/** The number as written, without its unit: 30 of "30 days", 10 of "ten minutes", 4,000,000 of "4 million euros". */
function leading({ text, low }: Quantity): number {
  const digits = /\d[\d,]*(?:\.\d+)?/.exec(text)?.[0].replaceAll(",", "");
  const last = /\p{L}+$/u.exec(text)?.[0].toLowerCase() ?? "";
  return digits === undefined ? low / (units.get(last)?.[1] ?? 1) : Number(digits) * (units.has(last) ? 1 : (magnitudes[last] ?? 1));
}
