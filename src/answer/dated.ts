import type { Passage } from "../core/chunk.ts";
import { type Unit, unitsOf } from "./units.ts";

/** A day as a text names it; the year may be left to the reader. */
interface Day {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

const english = "january february march april may june july august september october november december".split(" ");
const german = "januar februar märz april mai juni juli august september oktober november dezember".split(" ");
/** By their first three letters, in English and in German. */
const monthOf = new Map([...english, ...german].map((name, at) => [name.slice(0, 3), (at % 12) + 1]));
const shapes: readonly { readonly shape: RegExp; read(match: RegExpMatchArray): readonly (string | undefined)[] }[] = [
  { shape: /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g, read: ([, year, month, day]) => [year, month, day] },
  { shape: /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})?(?!\d)/g, read: ([, day, month, year]) => [year, month, day] },
  {
    shape: /(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)? (\p{L}{3,9})\b\.?(?:,? (\d{4})(?!\d))?/giu,
    read: ([, day, month, year]) => [year, month, day],
  },
  {
    shape: /(?<!\p{L})(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})(?!\d))?/giu,
    read: ([, month, day, year]) => [year, month, day],
  },
];
const asksWhatHappened =
  /^(?:what (?:happened|occurred|broke|failed|went wrong|took place|was (?:done|decided|changed|released|deployed|announced))|(?:was|is(?:t)?) (?:am|.{0,30}(?:geschah|passiert))|was (?:geschah|passierte))\b/i;
/** Before a day on which something is to be done or ends, not one on which something happened. */
const limits = /\b(?:until|till|by|due|before|deadline|expires?|from|since|after|valid|bis|vor|nach|ab|seit)\W+(?:\p{L}+\W+){0,2}$/iu;
/** "Date of the incident: 3 February 2026": the text is about that day. */
const dateField = /^(?:date|day|datum|tag|started|occurred)\b[^:]{0,25}:/i;
const MOST_SENTENCES = 3;

/** The day that a question asks the events of: "What happened on 3 March?"; null where it asks something else. */
export function dayAsked(question: string): Day | null {
  return asksWhatHappened.test(question.trim()) ? (daysIn(question)[0]?.day ?? null) : null;
}

/** A day in the spellings that texts have it in, for a search by words. */
export function spellingsOf({ year, month, day }: Day): string[] {
  const two = (n: number): string => String(n).padStart(2, "0");
  const [named, amtlich] = [english[month - 1], german[month - 1]].map((name = "") => name.slice(0, 1).toUpperCase() + name.slice(1));
  const tail = year === null ? "" : ` ${year}`;
  return [`${day} ${named}${tail}`, `${day}. ${amtlich}${tail}`, ...(year === null ? [] : [`${year}-${two(month)}-${two(day)}`])];
}

/** What the passages say of a day: sentences that name it; where none does, how a text begins whose heading or date does. Best passages first. */
export function eventsOf(asked: Day, passages: readonly Passage[]): readonly Unit[] {
  const isDay = ({ day: { year, month, day } }: Dated): boolean =>
    month === asked.month && day === asked.day && (year === null || asked.year === null || year === asked.year);
  // a field says when, not what
  const whole = passages.flatMap(({ chunk }) => unitsOf(chunk).map((unit) => ({ unit, title: chunk.title })));
  const all = whole.filter(({ unit: { text } }) => !/^\p{Lu}[\p{L} ]{1,25}: \S/u.test(text) && !text.endsWith("?"));
  const dated = new Set(
    whole.filter(({ unit: { text } }) => dateField.test(text) && daysIn(text).some(isDay)).map(({ unit }) => unit.span.record),
  );
  const told = all.filter(({ unit: { text } }) => daysIn(text).some((found) => isDay(found) && !limits.test(text.slice(0, found.start))));
  const headed = all.filter(
    ({ unit: { heading, above, span }, title }) => dated.has(span.record) || daysIn([heading, ...above, title].join("\n")).some(isDay),
  );
  const begins = headed
    .filter(({ unit }) => unit.span.record === headed[0]?.unit.span.record)
    .sort((a, b) => a.unit.span.start - b.unit.span.start);
  const said = new Set<string>();
  return (told.length > 0 ? told : begins)
    .map(({ unit }) => unit)
    .filter(({ text }) => !said.has(text) && said.add(text))
    .slice(0, MOST_SENTENCES);
}

interface Dated {
  readonly day: Day;
  readonly start: number;
}

function daysIn(text: string): Dated[] {
  return shapes.flatMap(({ shape, read }) =>
    [...text.matchAll(shape)].flatMap((match) => {
      const [year, name = "", day] = read(match);
      const month = /^\d/.test(name) ? Number(name) : monthOf.get(name.slice(0, 3).toLowerCase());
      const isName =
        /^\d/.test(name) || [...english, ...german].some((whole) => whole.startsWith(name.toLowerCase().replace(/^sept$/, "sep")));
      if (month === undefined || !isName || month < 1 || month > 12 || Number(day) < 1 || Number(day) > 31) return [];
      return [{ day: { year: year === undefined ? null : Number(year), month, day: Number(day) }, start: match.index ?? 0 }];
    }),
  );
}
