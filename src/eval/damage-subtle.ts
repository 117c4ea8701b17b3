import { sentencesOf } from "../core/sentences.ts";
import { namesOf } from "../verify/names.ts";
import { tokensOf } from "../verify/tokens.ts";
import { type Value, valuesOf } from "../verify/values.ts";

/**
 * Ways to spoil a sentence with words that fit: none of them needs a name or a number that the sources lack. Each is made by a rule of
 * its own, without a look at how the verifier works.
 */
export const subtleDamages = [
  "unit",
  "date",
  "negation",
  "roles",
  "scope",
  "opposite",
  "order",
  "merged",
  "cause",
  "sameSource",
  "certainty",
  "attribution",
  "done",
  "only",
  "swapped",
  "mergedWithin",
] as const;
/** One of them. */
export type SubtleDamage = (typeof subtleDamages)[number];

/** What a sentence is spoilt with. */
interface Around {
  /** Text of the source that the sentence is from. */
  readonly own: string;
  /** Texts of the other sources. */
  readonly others: readonly string[];
  readonly random: () => number;
}

/** The sentence spoilt in that way; null when it can not be. A merged sentence has its second half from another source. */
export function subtly(damage: SubtleDamage, text: string, around: Around): string | null {
  const spoilt = rules[damage](text, around);
  return spoilt === null || spoilt === text ? null : spoilt;
}

type Rule = (text: string, around: Around) => string | null;

const rules: Readonly<Record<SubtleDamage, Rule>> = {
  unit: (text, around) => replaced(text, units, around),
  date: otherDate,
  negation: denied,
  roles: namesExchanged,
  scope: (text, around) => replaced(text, scopes, around),
  opposite: (text, around) => replaced(text, opposites, around),
  order: (text, around) => replaced(text, orders, around),
  merged: mergedWith,
  cause: becauseOf,
  sameSource: otherOfSource,
  certainty: (text, around) => replaced(text, certainties, around),
  attribution: attributed,
  done: (text, around) => replaced(text, plans, around),
  only: onlySo,
  swapped: valuesSwapped,
  mergedWithin: mergedInSource,
};

type Pair = readonly [RegExp, string];

/** "a=b" in both directions. */
function exchanges(lines: string): Pair[] {
  return lines
    .trim()
    .split(/\s*\n\s*/)
    .flatMap((line) => {
      const [a = "", b = ""] = line.split("=");
      return [
        [new RegExp(`(?<![\\p{L}-])${a}(?![\\p{L}-])`, "iu"), b] as const,
        [new RegExp(`(?<![\\p{L}-])${b}(?![\\p{L}-])`, "iu"), a] as const,
      ];
    });
}

const units: readonly Pair[] = [
  [/(?<=\d[ -]?)(?:ms|milliseconds?)\b/i, "seconds"],
  [/(?<=\d[ -]?)(?:s|seconds?)\b/, "minutes"],
  [/(?<=\d[ -]?)(?:min|minutes?)\b/, "hours"],
  [/(?<=\d[ -]?)(?:h|hours?)\b/, "days"],
  [/(?<=\d[ -]?)days?\b/, "weeks"],
  [/(?<=\d[ -]?)weeks?\b/, "months"],
  [/(?<=\d[ -]?)years?\b/, "months"],
  [/(?<=\d ?)MB\b/, "GB"],
  [/(?<=\d ?)GB\b/, "TB"],
  [/(?<=\d ?)kB\b/i, "MB"],
  [/(?<=\d ?)(?:kilometres|kilometers|km)\b/, "miles"],
  [/(?<=\d ?)(?:metres|meters|m)\b/, "kilometres"],
  [/(?<=\d ?)(?:percent|%)/, " million"],
];

const scopes: readonly Pair[] = [
  [/\b(?:some|many|most|several|a few)\b(?! of)/i, "all"],
  [/\b(?:some|many|most|several|a few) of\b/i, "all of"],
  [/\b(?:often|usually|sometimes|generally|typically|frequently|commonly)\b/i, "always"],
  [/\b(?:all|every|each)\b/i, "hardly any"],
  [/\balways\b/i, "sometimes"],
  [/\bonly\b/i, "not only"],
  [/\bat least\b/i, "at most"],
  [/\b(?:up to|at most)\b/i, "at least"],
  [/\bmore than\b/i, "less than"],
  [/\b(?:less|fewer) than\b/i, "more than"],
];

const opposites: readonly Pair[] = exchanges(`
  increases=decreases
  increased=decreased
  increase=reduce
  higher=lower
  larger=smaller
  longer=shorter
  faster=slower
  more=less
  first=last
  early=late
  enabled=disabled
  added=removed
  success=failure
  successful=failed
  accepted=rejected
  allowed=forbidden
  opened=closed
  internal=external
  inside=outside
  above=below
  upper=lower
  strong=weak
  similar=different
  possible=impossible
  common=rare
  best=worst
  maximum=minimum
  with=without
  high=low
  large=small
  new=old
  slow=fast
  positive=negative
  started=stopped
  starts=stops
  primary=secondary
  public=private
  input=output
  success=error
  true=false
`);

const orders: readonly Pair[] = exchanges(`
  before=after
  until=since
  previous=next
  earlier=later
  preceded=followed
`);

const certainties: readonly Pair[] = [
  [/\b(?:may|might|could) be\b/i, "is"],
  [/\b(?:may|might|could) have\b/i, "has"],
  [/\b(?:may|might)\b/i, "will certainly"],
  [/\bshould\b/i, "must never fail to"],
  [/\b(?:is|are|was|were) (?:expected|planned|supposed|believed|likely|thought|considered) to be\b/i, "is"],
  [/\b(?:probably|possibly|perhaps|presumably|apparently|likely) /i, ""],
  [/,? (?:if|unless|provided that|as long as) [^,;.]{8,}(?=[.]$)/i, ""],
  [/^(?:If|Unless) [^,;.]{6,}, /, ""],
];

/** What is to come is told as done. */
const plans: readonly Pair[] = [
  [/\bwill be\b/i, "has been"],
  [/\b(?:is|are) to be\b/i, "has been"],
  [/\b(?:plans?|intends?|proposes?|wants?) to\b/i, "did"],
  [/\b(?:should|must|can) be\b/i, "was"],
];

function replaced(text: string, pairs: readonly Pair[], { random }: Around): string | null {
  const fitting = pairs.filter(([shape]) => shape.test(text));
  const [shape, other] = fitting[Math.floor(random() * fitting.length)] ?? [];
  if (shape === undefined || other === undefined) return null;
  const next = text.replace(shape, (was) => (/^\p{Lu}/u.test(was) ? other.charAt(0).toUpperCase() + other.slice(1) : other));
  return next.charAt(0).toUpperCase() + next.slice(1);
}

const calendars = [
  "January February March April May June July August September October November December".split(" "),
  "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" "),
];

function otherDate(text: string, { random }: Around): string | null {
  for (const names of calendars) {
    const name = names.find((one) => new RegExp(`\\b${one}\\b`).test(text));
    const rest = names.filter((one) => one !== name);
    if (name !== undefined) return text.replace(name, rest[Math.floor(random() * rest.length)] ?? name);
  }
  const year = /\b(?:1[5-9]|20)\d\d\b/.exec(text)?.[0];
  if (year !== undefined) return text.replace(year, String(Number(year) + (random() < 0.5 ? -1 : 1) * (1 + Math.floor(random() * 9))));
  return text.replace(/\b(\d{4})-(\d\d)-(\d\d)\b/, (_, y, m, d) => `${y}-${String((Number(m) % 12) + 1).padStart(2, "0")}-${d}`);
}

const auxiliary = /\b(?:is|are|was|were|has|have|had|can|could|will|would|should|must|may|does|do|did)\b(?! (?:not|no|never|been not))/;

function denied(text: string): string | null {
  const without = text
    .replace(/\bcannot\b/i, "can")
    .replace(/\bdoes not (\p{L}+)/u, "$1s")
    .replace(/\b(?:did|do) not /, "")
    .replace(/ not\b(?! only)/, "")
    .replace(/\bno longer\b/, "still")
    .replace(/\bnever\b/, "regularly")
    .replace(/\bwithout\b/, "with");
  if (without !== text) return without;
  return auxiliary.test(text) ? text.replace(auxiliary, (word) => `${word} not`) : null;
}

function namesIn(text: string): string[] {
  return namesOf(text, tokensOf(text), [])
    .filter(({ tokens, text: name }) => tokens.length <= 3 && !tokens[0]?.initial && !/[/.:#@]|\d/.test(name))
    .map(({ text: name }) => name);
}

/** Two names that do not stand side by side change places. */
function namesExchanged(text: string): string | null {
  const names = namesOf(text, tokensOf(text), []).filter(({ text: name }) => !/\d/.test(name));
  for (const first of names) {
    for (const second of names) {
      const [a, b] = [first.tokens[0]?.start ?? 0, second.tokens[0]?.start ?? 0];
      if (b <= a || first.text.toLowerCase() === second.text.toLowerCase()) continue;
      const between = text.slice(a + first.text.length, b);
      if (!/\p{L}{4,}/u.test(between) || /\b(?:and|or|with|between|both|near|like)\b/.test(between)) continue;
      return text.slice(0, a) + second.text + between + first.text + text.slice(b + second.text.length);
    }
  }
  return null;
}

const main = /^(.{8,80}?) (is|are|was|were|has|have|had|can|will|could|may|should) (.{12,})$/;

/** The subject of this sentence with the predicate of one of another source. */
function mergedWith(text: string, { others, random }: Around): string | null {
  const [, subject, verb] = main.exec(text) ?? [];
  if (subject === undefined || verb === undefined || /,/.test(subject)) return null;
  const own = new Set(tokensOf(subject).map(({ stem }) => stem));
  const found = others.flatMap(sentencesIn).flatMap((other) => {
    const [, theirs, same, predicate] = main.exec(other) ?? [];
    if (same !== verb || theirs === undefined || predicate === undefined) return [];
    if (tokensOf(theirs).some(({ stem, text: word }) => word.length > 3 && own.has(stem))) return [];
    return /^(?:it|they|this|these|he|she|there)\b/i.test(theirs) ? [] : [`${subject} ${verb} ${predicate}`];
  });
  return found[Math.floor(random() * found.length)] ?? null;
}

/** The subject of this sentence with the predicate of another one of the same source. */
function mergedInSource(text: string, around: Around): string | null {
  return mergedWith(text, { ...around, others: [around.own.replace(/\s+/g, " ").replace(text, "")] });
}

/** Somebody whom the source names elsewhere is made to have found it. */
function attributed(text: string, { own, random }: Around): string | null {
  const names = [...new Set(namesIn(own))].filter((name) => /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u.test(name) && !sharesWord(name, text));
  const name = names[Math.floor(random() * names.length)];
  return name === undefined ? null : `${name} found that ${lowered(text)}`;
}

/** The predicate is said to hold of nothing else. */
function onlySo(text: string): string | null {
  if (/\b(?:only|alone|solely)\b/i.test(text)) return null;
  const [, subject, verb, predicate] = main.exec(text) ?? [];
  if (subject === undefined || /,/.test(subject) || /^(?:it|they|this|these|there|he|she|we|you|what|some|many|most)\b/i.test(subject))
    return null;
  return `Only ${lowered(subject)} ${verb} ${predicate}`;
}

/** Two values of one form change places. */
function valuesSwapped(text: string): string | null {
  const values = valuesOf(text).filter((value) => value.kind !== "literal" && /^\d/.test(text.slice(value.start, value.end)));
  for (const [at, first] of values.entries()) {
    const second = values.slice(at + 1).find((other) => sameForm(first, other));
    if (second === undefined || /^\W*(?:to|and|or|[–-])?\W*$/.test(text.slice(first.end, second.start))) continue;
    const [a, b] = [text.slice(first.start, first.end), text.slice(second.start, second.end)];
    return text.slice(0, first.start) + b + text.slice(first.end, second.start) + a + text.slice(second.end);
  }
  return null;
}

/** Something true of the same source is given as the reason. */
function becauseOf(text: string, { own, random }: Around): string | null {
  if (/\b(?:because|since|due|cause|so that|result)/i.test(text)) return null;
  const reasons = sentencesIn(own).filter(
    (one) => !text.includes(one) && one.split(" ").length <= 16 && !/^(?:it|they|this|these|he|she|if|because|however|but)\b/i.test(one),
  );
  const reason = reasons[Math.floor(random() * reasons.length)];
  return reason === undefined ? null : `${text.replace(/[.!]$/, "")} because ${lowered(reason)}`;
}

/** A number or name of the sentence for another one that the same source holds elsewhere. */
function otherOfSource(text: string, { own, random }: Around): string | null {
  const values = valuesOf(text).filter((value) => value.kind !== "literal" && /^\d/.test(text.slice(value.start, value.end)));
  const value = values[Math.floor(random() * values.length)];
  const rivals =
    value === undefined
      ? []
      : valuesOf(own).filter((other) => sameForm(other, value) && other.text !== value.text && !text.includes(other.text));
  const rival = rivals[Math.floor(random() * rivals.length)];
  if (value !== undefined && rival !== undefined && random() < 0.5)
    return text.slice(0, value.start) + rival.text + text.slice(value.start + value.text.length);
  const names = namesIn(text);
  const name = names[Math.floor(random() * names.length)];
  if (name === undefined) return null;
  const rest = [...new Set(namesIn(own))].filter((other) => !sharesWord(other, text) && /[-_]/.test(other) === /[-_]/.test(name));
  const other = rest[Math.floor(random() * rest.length)];
  return other === undefined ? null : text.replace(name, () => other);
}

function sameForm(a: Value, b: Value): boolean {
  if (a.kind !== b.kind) return false;
  return a.kind !== "quantity" || b.kind !== "quantity" || (a.dimension === b.dimension && a.low !== b.low);
}

function sharesWord(name: string, text: string): boolean {
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu) ?? []);
  return (name.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => words.has(word));
}

function sentencesIn(text: string): string[] {
  return sentencesOf(text)
    .map(({ start, end }) => text.slice(start, end).replace(/\s+/g, " "))
    .filter((one) => /^\p{Lu}/u.test(one) && /[.]$/.test(one) && !/[|[\]{}<>]|https?:/.test(one) && one.split(" ").length >= 5);
}

function lowered(text: string): string {
  return /^(?:The|A|An|In|On|At|We|Some|All|Each|When|After|No|Do|For|There|Most|Many|Its)\b/.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}
