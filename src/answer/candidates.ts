import type { Chunk, Embedder, Passage } from "../core/chunk.ts";
import { terms } from "../core/words.ts";
import type { Accounted, Coverage, Placed } from "../verify/coverage.ts";
import { isSpelledOut } from "../verify/spoken.ts";
import { tokensOf } from "../verify/tokens.ts";
import { unaskedField } from "./footer.ts";
import { holdsTerm, negation, type ReadQuestion } from "./question.ts";
import { type Unit, unitsOf } from "./units.ts";

/** A sentence that may be quoted, with what it was found by. */
export interface Candidate {
  readonly unit: Unit;
  /** Sentences that it cannot be read without, in order. */
  readonly before: readonly Unit[];
  /** The sentence behind those: what it says to who reads them. */
  readonly read: string;
  /** Of its chunk, in order. */
  readonly units: readonly Unit[];
  readonly at: number;
  readonly rank: number;
  readonly title: string;
  /** Of the sentence and those before it, its headings and its title. */
  readonly terms: ReadonlySet<string>;
  /** The same without the sentences before it. */
  readonly own: ReadonlySet<string>;
  /** Of its whole passage. */
  readonly around: ReadonlySet<string>;
  readonly passage: Passage;
  /** A heading or a table settles what it is about, and it accounts for what the question asks about. */
  readonly settled: boolean;
  /** It accounts for every verb as well. */
  readonly complete: boolean;
  coverage: number;
  cosine: number | null;
  score: number;
}

/** Sentences before it that a sentence may lean on. */
const MOST_BEFORE = 2;

/**
 * The sentences of a passage that may answer. Where a heading or a table settles what a text is about, a sentence must account for
 * what the question asks about: a subject that neither it nor what stands above it names is another one. In running text without
 * headings the subject may be left to the reader.
 */
export function candidatesOf(passage: Passage, rank: number, question: string, asked: ReadQuestion, coverage: Coverage): Candidate[] {
  const { chunk } = passage;
  const around = new Set(terms([chunk.text, chunk.title, ...chunk.heading].join("\n")));
  const passageTokens = tokensOf(chunk.text);
  for (const acronym of question.match(/\b\p{Lu}{2,5}\b/gu) ?? []) {
    if (isSpelledOut(acronym, passageTokens)) around.add(acronym.toLowerCase());
  }
  const units = unitsOf(chunk).filter(({ kind, text }) => kind === "row" || !unaskedField(text, question, asked));
  const whole = asked.type === "procedure" || asked.type === "account";
  // what has to be done, and what is said of something, a section tells as a whole
  const accountedBy = (unit: Unit, before: readonly Unit[]): Accounted => {
    const others = whole ? units.filter((other) => other.section === unit.section && other !== unit) : before;
    return coverage.of(placed(unit, others, chunk));
  };
  return units.flatMap((unit, at) => {
    if (unit.text.endsWith("?") || isPointer(unit.text)) return [];
    // what introduces a list that stands elsewhere says nothing by itself
    if (unit.text.endsWith(":") && units[at + 1]?.kind !== "item") return [];
    const settled = unit.kind === "row" || unit.heading !== "";
    const before = leaningOn(units, at, chunk, (before) => !settled || accountedBy(unit, before).unspoken === null);
    // where the question is negated ("when must I not …"), so must be what answers
    if (settled && asked.negated && ![unit.text, unit.heading, ...unit.above].some((text) => negation.test(text))) return [];
    if (before === null || saysNothingNew(unit, before, asked, coverage)) return [];
    const read = [...before, unit].map(({ text }) => text).join(" ");
    const own = new Set([unit.text, unit.heading, ...unit.above, chunk.title].flatMap(terms));
    const held = before.length === 0 || !settled ? own : new Set([...own, ...terms(read)]);
    return [
      {
        unit,
        units,
        before,
        read,
        at,
        rank,
        title: chunk.title,
        terms: held,
        own,
        around,
        passage,
        settled,
        complete: settled && accountedBy(unit, before).complete,
        coverage: 0,
        cosine: null,
        score: 0,
      },
    ];
  });
}

/**
 * @param others further sentences: those before it, or of its section. The last of those that it points back to is read with it ("They
 * are kept …"); of others it only takes what it is about ("The price is …"), never what is asked for.
 */
function placed({ kind, text, heading, above }: Unit, others: readonly Unit[], { title, span }: Chunk): Placed {
  const texts = others.map((unit) => unit.text);
  const read = pointsBack.test(text) ? texts.slice(-1) : [];
  return {
    text: [...read, text].join("\n"),
    context: texts.slice(0, texts.length - read.length).join("\n"),
    isRow: kind === "row",
    heading,
    above: [...above, title, span.record].join("\n"),
  };
}

/** Begins with what points back: "It …", "Such rows …", "In that case …", "Longer ones …", "Otherwise …". */
const pointsBack =
  /^(?:(?:in|on|at|after|above|below|before|until|during|since|with|from|for|by|of|only|also|instead|both|all|some|most|each|none)\s+){0,2}(?:this|that|these|those|it|they|them|he|she|such|his|her|their|its|both|the (?:former|latter|others?|rest|same))\b|^(?:otherwise|then|else)\b|^(?:the )?\p{L}+ ones?\b/iu;

/**
 * The sentences before this one that it needs: one where it points back, up to two where only they say what it is about ("The price is 4
 * euros" behind the sentence that names the thing). Null where not even those help.
 */
function leaningOn(units: readonly Unit[], at: number, chunk: Chunk, isFit: (before: readonly Unit[]) => boolean): readonly Unit[] | null {
  const [unit] = units.slice(at);
  if (unit === undefined) return null;
  const back = pointsBack.test(unit.text);
  const earlier: Unit[] = [];
  for (let place = at - 1; place >= at - MOST_BEFORE; place -= 1) {
    const other = units[place];
    const next = earlier[0] ?? unit;
    if (other === undefined || other.section !== unit.section || other.kind !== unit.kind || unit.kind === "row") break;
    const between = chunk.text.slice(other.span.end - chunk.span.start, next.span.start - chunk.span.start);
    if (/\n\s*\n/.test(between) && !(back && place === at - 1)) break;
    earlier.unshift(other);
  }
  const least = Math.min(earlier.length, back ? 1 : 0);
  const most = back || /^the\b/i.test(unit.text) ? earlier.length : 0;
  for (let count = least; count <= most; count += 1) {
    const before = earlier.slice(earlier.length - count);
    if (isFit(before)) return before;
  }
  return null;
}

/** "See the review of the last release." says where something stands, not what. */
function isPointer(text: string): boolean {
  return /^(?:[-*] )?(?:see|cf\.?|refer to)\s/i.test(text) && text.split(/\s+/).length <= 10;
}

/** "Service: checkout-api" tells one who asks about checkout-api nothing; nor does "Use it when the alarm fires" who asks when it does. */
function saysNothingNew({ text }: Unit, before: readonly Unit[], asked: ReadQuestion, coverage: Coverage): boolean {
  if (text.endsWith(":")) return false;
  const value = text.replace(/^[A-Z][\w /-]{1,30}: /, "");
  if (value !== text && terms(value).every((term) => asked.terms.includes(term))) return true;
  return coverage.addsNothing([...before.map((unit) => unit.text), value].join(" "));
}

/** Reads off a set of terms what share of the question's words it holds. */
export type Share = (held: ReadonlySet<string>) => number;

/** Rare words count more: by the log of all sentences over those that hold it. */
export function shareOf(candidates: readonly Candidate[], asked: ReadQuestion): Share {
  const weights = new Map<string, number>();
  for (const term of asked.terms) {
    const holding = candidates.filter((candidate) => candidate.terms.has(term)).length;
    weights.set(term, Math.log(1 + (candidates.length + 1) / (holding + 0.5)));
  }
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return (held) => {
    let sum = 0;
    for (const [term, weight] of weights) if (holdsTerm(held, term)) sum += weight;
    return all === 0 ? 0 : sum / all;
  };
}

/** Sets each one's cosine with the question, of the sentence alone or behind those that it leans on. @param embedder null: none is set */
export async function compare(
  question: string,
  candidates: Candidate[],
  { embedder, signal }: { readonly embedder: Embedder | null; readonly signal: AbortSignal },
): Promise<Candidate[]> {
  signal.throwIfAborted();
  if (embedder === null || candidates.length === 0) return candidates;
  const texts = candidates.flatMap(({ unit, read }) => (read === unit.text ? [read] : [read, unit.text]));
  const [asked] = await embedder.embed([question], "query", signal);
  const vectors = await embedder.embed(texts, "passage", signal);
  const cosines = new Map(texts.map((text, at) => [text, dot(asked, vectors[at])]));
  for (const candidate of candidates)
    candidate.cosine = Math.max(cosines.get(candidate.read) ?? -1, cosines.get(candidate.unit.text) ?? -1);
  return candidates;
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return -1;
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
