import { withMarks } from "../answer/marks.ts";
import { sentencesOf } from "../core/sentences.ts";
import { namesOf } from "../verify/names.ts";
import { tokensOf } from "../verify/tokens.ts";
import { type Value, valuesOf } from "../verify/values.ts";
import { type SubtleDamage, subtleDamages, subtly } from "./damage-subtle.ts";
import { pick } from "./random.ts";

/** Ways in which an answer is spoilt by what its sources do not hold, or not there. */
export const plainDamages = ["number", "name", "inventedCitation", "wrongCitation", "halfTrue", "summary"] as const;
/** All of them. */
export const damages = [...plainDamages, ...subtleDamages] as const;
export type Damage = (typeof damages)[number];

/** A source as the model's prompt shows it. */
export interface Source {
  readonly n: number;
  readonly title: string;
  readonly text: string;
}

/** A sentence of a model's answer: text without [N], and the sources it cites. */
export interface Written {
  readonly text: string;
  /** The sentence of the source that it was worded from; absent where there is none. */
  readonly quote?: string;
  readonly cites: readonly number[];
  /** Null: a source that is cited states it. */
  readonly damage: Damage | null;
}

/** Sentences of a source that can stand in an answer: prose of 6 to 45 words, or a line "Label: value". */
export function quotable(source: Source): string[] {
  return sentencesOf(source.text)
    .map(({ start, end }) =>
      source.text
        .slice(start, end)
        .replace(/\s+/g, " ")
        .replace(/^(?:[-*•]|\d{1,2}[.)])\s/, ""),
    )
    .filter((text) => {
      const words = text.split(" ").length;
      return words >= 6 && words <= 45 && /^[\p{Lu}\p{N}]/u.test(text) && !/[|[\]{}<>]|https?:/.test(text) && /[.!]$/.test(text);
    });
}

/** A right sentence: a quote, or a quote worded otherwise without changing what it says. */
export function right(source: Source, random: () => number): Written | null {
  const quote = pick(quotable(source), random);
  if (quote === undefined) return null;
  return { text: reworded(quote, source, random), quote, cites: [source.n], damage: null };
}

const months = "January February March April May June July August September October November December".split(" ");

/** Half are quotes; the rest get a lead-in, another form of date or unit, or their clauses in another order. */
function reworded(quote: string, source: Source, random: () => number): string {
  if (random() < 0.5) return quote;
  const dated = quote.replace(
    /\b(\d{4})-(\d{2})-(\d{2})\b(?!T)/g,
    (_, year, month, day) => `${Number(day)} ${months[Number(month) - 1]} ${year}`,
  );
  if (dated !== quote) return dated;
  const unit = quote.replace(
    /\b(\d+)[ -](minutes?|seconds?|hours?)\b/,
    (_, n, name: string) => `${n} ${name.startsWith("m") ? "min" : name.startsWith("s") ? "s" : "h"}`,
  );
  if (unit !== quote) return unit;
  const clause = /^([^,;:]{20,}) (after|because|when|while|before) ([^,;:]{12,})\.$/.exec(quote);
  if (clause !== null) return `${capital(clause[2] ?? "")} ${clause[3]}, ${uncapital(clause[1] ?? "")}.`;
  return source.title === "" || source.title.length > 60 ? quote : `According to "${source.title}", ${uncapital(quote)}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Small first letter, unless the first word is a name or an abbreviation. */
function uncapital(text: string): string {
  const first = /^\S+/.exec(text)?.[0] ?? "";
  return /^(?:The|A|An|It|This|These|In|On|At|We|Some|All|Each|When|If|After|No|Do|For|There)$/.test(first)
    ? first.toLowerCase() + text.slice(first.length)
    : text;
}

/** Spoils a right sentence; null when this one can not be spoilt that way. */
export function damaged(damage: Damage, base: Written, sources: readonly Source[], random: () => number): Written | null {
  switch (damage) {
    case "number":
      return changed(base, wrongNumber(base.text, sources, random), damage);
    case "name":
      return changed(base, wrongName(base.text, sources, random), damage);
    case "inventedCitation":
      return { ...base, cites: [sources.length + 1 + Math.floor(random() * 40)], damage };
    case "wrongCitation":
      return wrongCitation(base, sources, random);
    case "halfTrue":
      return changed(base, base.text.replace(/[.!]$/, `, ${pick(falseHalves, random)}.`), damage);
    case "summary":
      return { text: fill(pick(summaries, random) ?? "", sources, random), cites: base.cites, damage };
    default:
      return spoiltSubtly(damage, base, sources, random);
  }
}

/** In half of the sentences that were put together from two sources both are cited. */
function spoiltSubtly(damage: SubtleDamage, base: Written, sources: readonly Source[], random: () => number): Written | null {
  const own = sources.find(({ n }) => base.cites.includes(n));
  const others = sources.filter((source) => source !== own).map(({ n, text }) => ({ n, text: text.replace(/\s+/g, " ") }));
  const text = subtly(damage, base.text, { own: own?.text ?? "", others: others.map((other) => other.text), random });
  const second =
    damage === "merged" && text !== null && random() < 0.5 ? others.find((other) => other.text.includes(text.slice(-20))) : undefined;
  return changed(second === undefined ? base : { ...base, cites: [...base.cites, second.n] }, text, damage);
}

function changed(base: Written, text: string | null, damage: Damage): Written | null {
  return text === null || text === base.text ? null : { ...base, text, damage };
}

/** A number, date, time or version of the sentence: another one of the sources in its place, or one digit changed so that none holds it. */
function wrongNumber(text: string, sources: readonly Source[], random: () => number): string | null {
  const value = pick(
    valuesOf(text).filter((one) => /\d/.test(text.slice(one.start, one.end))),
    random,
  );
  if (value === undefined) return null;
  const put = (next: string): string => text.slice(0, value.start) + next + text.slice(value.end);
  const old = text.slice(value.start, value.end);
  const held = sources.flatMap((source) => valuesOf(source.text));
  if (random() < 0.3) {
    const others = held.filter((one) => ofOneForm(one, value) && !text.includes(one.text) && one.text !== value.text);
    const other = pick(others, random);
    if (other !== undefined) return put(other.text);
  }
  const at = pick(
    [...old.matchAll(/\d/g)].map((match) => match.index),
    random,
  );
  if (at === undefined) return null;
  const digit = (Number(old[at]) + 1 + Math.floor(random() * 8)) % 10;
  const next = `${old.slice(0, at)}${digit}${old.slice(at + 1)}`;
  if (/^0/.test(next) && !/^0/.test(old)) return null;
  return held.some((one) => one.text === next) || sources.some((source) => source.text.includes(next)) ? null : put(next);
}

/** Plain numbers, or years: what a hasty reader takes for each other. */
function ofOneForm(a: Value, b: Value): boolean {
  return a.kind === b.kind && /^\d+$/.test(a.text) && /^\d+$/.test(b.text) && (a.text.length === 4) === (b.text.length === 4);
}

/** A name of the sentence exchanged for one that another sentence or source holds. */
function wrongName(text: string, sources: readonly Source[], random: () => number): string | null {
  const own = namesIn(text);
  const name = pick(own, random);
  if (name === undefined) return null;
  const joined = /[-_]/.test(name);
  if (random() < 0.2) return text.replace(name, () => pick(joined ? strangeServices : strangers, random) ?? "");
  const others = [...new Set(sources.flatMap((source) => namesIn(source.text)))].filter(
    (other) => /[-_]/.test(other) === joined && !text.toLowerCase().includes(other.toLowerCase()) && !alike(other, name),
  );
  const other = pick(others, random);
  return other === undefined ? null : text.replace(name, () => other);
}

/** Names that no source holds. */
const strangers = ["Ottoline Varga", "Pemberley", "Zanzibar Systems", "Ruprecht", "Halcyon Labs", "Ingrid Sorbo"];
const strangeServices = ["ledger-relay", "parcel-sorter", "moth-proxy", "quota_keeper"];

function namesIn(text: string): string[] {
  return namesOf(text, tokensOf(text), [])
    .filter((name) => name.tokens.length <= 3 && !name.tokens[0]?.initial && !/[/.:#@]|\d/.test(name.text))
    .map((name) => name.text);
}

function alike(a: string, b: string): boolean {
  const words = new Set(a.toLowerCase().split(/[\s_-]+/));
  return b
    .toLowerCase()
    .split(/[\s_-]+/)
    .some((word) => words.has(word) || words.has(`${word}s`) || words.has(word.replace(/s$/, "")));
}

/** The same sentence with the number of a source that does not hold it. */
function wrongCitation(base: Written, sources: readonly Source[], random: () => number): Written | null {
  const content = tokensOf(base.text).filter((token) => token.text.length > 4);
  const others = sources.filter((source) => {
    if (base.cites.includes(source.n)) return false;
    const text = `${source.title} ${source.text}`.toLowerCase();
    return content.filter((token) => text.includes(token.folded)).length < 0.6 * content.length;
  });
  const other = pick(others, random);
  return other === undefined ? null : { ...base, cites: [other.n], damage: "wrongCitation" };
}

/** Second halves that no source states, in words of engineering. */
const falseHalves = [
  "and it was rolled back on 3 May 2017",
  "and the vendor has confirmed that the hardware was at fault",
  "which also corrupted the customer table",
  "and 4,817 customers asked for their money back",
  "and Quentin Ferrabosco approved it by hand",
  "although the night shift had turned the alarms off",
  "and the same thing happened twice in the Singapore region",
  "but it was never shipped to production",
  "because the certificate of the mail gateway had run out",
  "and the auditors were informed the same evening",
];

const summaries = [
  "Overall, the incident was handled well and caused no lasting damage.",
  "In short, everyone involved agrees that the design is sound and needs no change.",
  "This makes NAME the most reliable part of the whole platform.",
  "All in all, customers hardly noticed anything and revenue was not affected.",
  "Taken together, the evidence points to a mistake of the on-call engineer.",
  "Overall, NAME is well tested, secure and ready for higher load.",
  "In summary, the team has learned from this and nothing of the kind can happen again.",
  "It follows that NAME should be replaced as soon as possible.",
];

function fill(template: string, sources: readonly Source[], random: () => number): string {
  const names = sources.flatMap((source) => namesIn(source.text));
  return template.replace("NAME", () => pick(names, random) ?? "it");
}

/** Sentences as a model writes them, each with its marks. */
export function draftOf(sentences: readonly Written[]): string {
  return sentences.map(({ text, cites }) => withMarks(text, cites)).join(" ");
}
