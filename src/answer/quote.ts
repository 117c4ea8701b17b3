import type { Statement } from "../core/answer.ts";
import type { Embedder, Passage } from "../core/chunk.ts";
import { identifierTokens } from "../core/identifiers.ts";
import { terms } from "../core/words.ts";
import { loadCoverage, type ReadCoverage } from "../verify/coverage.ts";
import { loadUnmet, type ReadUnmet } from "../verify/unmet.ts";
import { type Candidate, candidatesOf, compare, shareOf } from "./candidates.ts";
import { dayAsked, eventsOf } from "./dated.ts";
import { documentNamed, documentOpening } from "./named-document.ts";
import { contradicted, headingHolds, holdsTerm, holdsType, type ReadQuestion, readQuestion } from "./question.ts";
import { probabilityOf, type Signs, SUPPORT, SUPPORT_WHOLE } from "./support.ts";
import { type Unit, unitsOf } from "./units.ts";

export interface QuoteOptions {
  /** Compares sentences with the question; null: by words alone. */
  readonly embedder: Embedder | null;
  readonly signal: AbortSignal;
  readonly thresholds?: Partial<Thresholds>;
  /** Told what the choice of the best sentence was made by: for fitting and for looking into it. */
  readonly observe?: (signs: Signs, best: Candidate) => void;
}

/** Chosen on data/verify; the curve is in docs/answering.md. */
export interface Thresholds {
  /** Least probability that a sentence answers (support.ts). */
  readonly support: number;
  /** Least cosine instead, of sentence or passage, where it accounts for all that is asked about, or holds an identifier of the question. */
  readonly nearNamed: number;
  /** Least share of the question's words in the sentence where no vectors are compared. */
  readonly coverage: number;
  /** A further sentence is shown when its score is at least this share of the best. */
  readonly further: number;
}

const defaultThresholds: Thresholds = { support: SUPPORT, nearNamed: 0.2, coverage: 0.6, further: 0.75 };

/** Where the best fitting sentence is ruled out, another must reach this share of its score. */
const LEAST_OF_FIRST = 0.8;
const MOST_PASSAGES = 8;
/** Sentences compared by vector: the best by words. */
const MOST_EMBEDDED = 16;
const MOST_SENTENCES = 2;
/** Sentences of a whole section or list. */
const MOST_STEPS = 8;
const TYPE_BONUS = 0.1;
/** Of two equal sentences the one in the better ranked passage. */
const RANK_COST = 0.01;

/**
 * Answers by quoting: the sentences of the passages that answer the question, best first; none when support is too thin.
 * Sentences are ranked by the weighted share of the question's words plus the cosine with the question. What the question names
 * must be in the passage, and a sentence that says the opposite of what is asked answers nothing.
 */
export async function quote(question: string, passages: readonly Passage[], options: QuoteOptions): Promise<Statement[]> {
  const thresholds = { ...defaultThresholds, ...options.thresholds };
  const asked = readQuestion(question);
  if (asked.terms.length === 0) return [];
  const about = holdingMost(asked.identifiers, passages.slice(0, MOST_PASSAGES));
  const day = dayAsked(question);
  if (day !== null) return eventsOf(day, passages).map((unit) => toStatement(unit, 2));
  const called = documentNamed(question);
  const whole = called === null ? [] : documentOpening(called, passages);
  if (whole.length > 0) return whole.map((unit) => toStatement(unit, 2));
  const opening = bareName(question, asked) ? openingOf(about, asked) : [];
  if (opening.length > 0) return opening.map((unit) => toStatement(unit, 2));
  coverageReader ??= loadCoverage();
  const coverage = (await coverageReader)(question);
  const candidates = about.flatMap((passage, rank) => candidatesOf(passage, rank, question, asked, coverage));
  const share = shareOf(candidates, asked);
  for (const candidate of candidates) candidate.coverage = share(candidate.terms);
  candidates.sort((a, b) => b.coverage - a.coverage || a.rank - b.rank);
  const ranked = await compare(question, candidates.slice(0, MOST_EMBEDDED), options);
  for (const candidate of ranked) {
    const bonus = holdsType(asked.type, candidate.unit.text, asked) ? TYPE_BONUS : 0;
    candidate.score = candidate.coverage + (candidate.cosine ?? 0) + bonus - RANK_COST * candidate.rank;
  }
  ranked.sort((a, b) => b.score - a.score);

  const titled = asked.type === "procedure" ? candidates.filter((one) => isTitled(one, asked)) : [];
  // of two such sections the one that lists steps
  const [section] = titled.sort((a, b) => Number(hasSteps(b)) - Number(hasSteps(a)) || a.rank - b.rank);
  if (section !== undefined) return sectionOf(section, asked).map((unit) => toStatement(unit, 1 + section.coverage));
  const signsOf = await signsReader(question);
  const supported = (candidate: Candidate): boolean => supports(candidate, asked, thresholds, signsOf);
  const best = firstThatAgrees(ranked, asked, signsOf);
  if (best !== null) options.observe?.(signsOf(best), best);
  if (best === null || !supported(best)) return [];
  if (asked.type === "procedure" || asked.type === "account" || best.unit.text.endsWith(":")) {
    const section = sectionOf(best, asked);
    if (section.length > 0) return section.map((unit) => toStatement(unit, best.score));
  }
  const named = terms(best.unit.heading).filter((term) => asked.terms.includes(term));
  const further = ranked.filter((candidate) => {
    // the same words below another heading are about something else
    if (!named.every((term) => holdsTerm(candidate.terms, term))) return false;
    // what only the sentence before it says it does not add
    const added = candidate.score - candidate.coverage + share(candidate.own);
    if (added < thresholds.further * best.score || candidate.unit.text.endsWith(":") || sameWords(candidate, best)) return false;
    return agrees(candidate, asked) && !ruledOut(candidate, asked, signsOf) && supported(candidate);
  });
  const chosen = [best, ...further.slice(0, MOST_SENTENCES - 1)];
  const units = chosen.flatMap((candidate) => [...candidate.before, candidate.unit, ...caseAfter(candidate)]);
  return [...new Set(units)].map((unit) => toStatement(unit, best.score));
}

/** Where the question holds identifiers: the passages that hold most of them, in text, title, heading or id. */
function holdingMost(identifiers: readonly string[], passages: readonly Passage[]): readonly Passage[] {
  if (identifiers.length === 0) return passages;
  const held = passages.map(({ chunk }) => {
    const tokens = new Set(identifierTokens([chunk.span.record, chunk.title, ...chunk.heading, chunk.text].join("\n")));
    return identifiers.filter((identifier) => tokens.has(identifier)).length;
  });
  const most = Math.max(0, ...held);
  return most === 0 ? [] : passages.filter((_, index) => held[index] === most);
}

/** Nothing is asked about an identifier but what it is. */
function bareName(question: string, asked: ReadQuestion): boolean {
  const [name] = asked.identifiers;
  if (name === undefined || asked.identifiers.length !== 1) return false;
  const rest = question
    .trim()
    .replace(/[?.!]+$/, "")
    .replace(/^(?:what(?:'s| is| was)|explain|describe|summari[sz]e|was ist) (?:the )?/i, "");
  return rest.toLowerCase() === name.toLowerCase();
}

/** The first sentences of the document that is called so. */
function openingOf(passages: readonly Passage[], { identifiers }: ReadQuestion): readonly Unit[] {
  const [name = ""] = identifiers;
  const named = passages.filter(({ chunk }) =>
    identifierTokens([chunk.span.record, chunk.title, ...chunk.heading].join("\n")).includes(name),
  );
  const record = named[0]?.chunk.span.record;
  const [first] = named.filter(({ chunk }) => chunk.span.record === record).sort((a, b) => a.chunk.span.start - b.chunk.span.start);
  if (first === undefined) return [];
  return unitsOf(first.chunk)
    .filter(({ kind, text }) => kind === "prose" && !/^[A-Z][\w -]{1,20}: /.test(text))
    .slice(0, MOST_SENTENCES);
}

/**
 * The best candidate that agrees with the question. Where a better one was ruled out (its passage lacks a name of the question, or
 * it says the opposite), the next must fit nearly as well and hold the very word that the other one contradicted: "when did it
 * start" is not answered by when it stopped, nor by a sentence that speaks of neither.
 */
function firstThatAgrees(ranked: readonly Candidate[], asked: ReadQuestion, signsOf: ReadSigns): Candidate | null {
  const needed = new Set<string>();
  const [first] = ranked;
  for (const candidate of ranked) {
    if (first === undefined || candidate.score < LEAST_OF_FIRST * first.score) return null;
    if (!asked.must.every((term) => holdsTerm(candidate.around, term)) || !speaksOfRole(candidate, asked)) continue;
    const against = contradicted(asked, candidate.unit.text);
    const held = new Set(terms(candidate.unit.text));
    const fits = against.length === 0 && [...needed].every((word) => word === "not" || held.has(word));
    if (fits && !ruledOut(candidate, asked, signsOf)) return candidate;
    for (const word of against) needed.add(word);
    if (needed.has("not") && !candidate.settled) return null;
  }
  return null;
}

/** Chunks overlap: one sentence can stand in two of them. */
function sameWords(a: Candidate, b: Candidate): boolean {
  return plainly(a.unit.text) === plainly(b.unit.text);
}

/** One sentence in other capitals, with another stop or bullet, is the same sentence. */
function plainly(text: string): string {
  return (text.match(/[\p{L}\p{N}.%]+/gu) ?? [])
    .join(" ")
    .replace(/\.+(?= |$)/g, "")
    .toLowerCase();
}

/** Who is on call, who reviewed: a sentence that speaks of neither, or of little else that is asked, names somebody else. */
function speaksOfRole({ unit, terms: held }: Candidate, { role, terms: wanted }: ReadQuestion): boolean {
  if (role === null) return true;
  if (!role.test(unit.text) && !role.test(unit.heading)) return false;
  const others = wanted.filter((term) => !role.test(term));
  return others.length === 0 || others.filter((term) => holdsTerm(held, term)).length > others.length / 2;
}

/** A section whose heading is what is asked for: "How do I fail over redis?" below "Redis failover". */
function isTitled(candidate: Candidate, asked: ReadQuestion): boolean {
  return candidate.unit.kind !== "row" && headingHolds(candidate.unit.heading, asked) && agrees(candidate, asked);
}

function hasSteps({ unit, units }: Candidate): boolean {
  return units.some(({ kind, section }) => kind === "item" && section === unit.section);
}

function agrees(candidate: Candidate, asked: ReadQuestion): boolean {
  const { unit, around } = candidate;
  if (!speaksOfRole(candidate, asked)) return false;
  return asked.must.every((term) => holdsTerm(around, term)) && contradicted(asked, unit.text).length === 0;
}

/** What accounts for all that is asked about and denies none of it need only be near; elsewhere that it answers must be likely. */
function supports(candidate: Candidate, asked: ReadQuestion, thresholds: Thresholds, signsOf: ReadSigns): boolean {
  const { settled, complete, cosine, coverage } = candidate;
  const named = settled ? complete : asked.identifiers.length > 0;
  if (cosine === null) return coverage >= (named ? thresholds.coverage / 2 : thresholds.coverage);
  const signs = signsOf(candidate);
  const denied = signs.polarity + signs.quantifiers + signs.values > 0;
  if (named && (settled ? !denied : signs.unsaid === null || toldInAnyWords(asked))) return signs.near >= thresholds.nearNamed;
  return probabilityOf(signs) >= (signs.whole ? Math.min(SUPPORT_WHOLE, thresholds.support) : thresholds.support);
}

/** What should be done, and what is said of something, is told in any words. */
function toldInAnyWords({ type }: ReadQuestion): boolean {
  return type === "procedure" || type === "account";
}

const condition = /\b(?:if|unless|when|never|not|until|only|once|except|either|whether)\b/i;

/** "Otherwise …", "In that case …": what goes on to say what happens in the case that a sentence sets. */
function caseAfter({ unit, units, at }: Candidate): readonly Unit[] {
  const next = units[at + 1];
  if (next === undefined || next.section !== unit.section || next.kind !== unit.kind || !condition.test(unit.text)) return [];
  return /^(?:in (?:that|this|such a|either) case|otherwise|then|if (?:so|not|it|they|that|this)|else)\b/i.test(next.text) ? [next] : [];
}

type ReadSigns = (candidate: Candidate) => Signs;

/** Compares sentences with the question, each once. */
async function signsReader(question: string): Promise<ReadSigns> {
  unmetReader ??= loadUnmet();
  const unmetBy = (await unmetReader)(question);
  const known = new Map<Candidate, Signs>();
  return (candidate) => {
    const { unit, read, title, passage, cosine } = candidate;
    const { chunk, ranks } = passage;
    const above = [title, ...unit.above, unit.heading, chunk.span.record].join("\n");
    const signs = known.get(candidate) ?? {
      ...unmetBy({ text: read, above, passage: chunk.text, isRow: unit.kind === "row" }),
      near: Math.max(cosine ?? 0, ranks.cosine ?? 0),
    };
    known.set(candidate, signs);
    return signs;
  };
}

let unmetReader: Promise<ReadUnmet> | null = null;
let coverageReader: Promise<ReadCoverage> | null = null;

/** No part of the sentence can be what is asked for, nor tells how to do it. */
function ruledOut(candidate: Candidate, asked: ReadQuestion, signsOf: ReadSigns): boolean {
  const { against, undone } = signsOf(candidate);
  return toldInAnyWords(asked) ? undone : against !== null;
}

/**
 * What a procedure or an account consists of, in its order: the whole section when its heading names the subject, else the list
 * or table that the best sentence introduces or is a part of.
 */
function sectionOf(best: Candidate, asked: ReadQuestion): readonly Unit[] {
  const { unit, units, at } = best;
  const heading = new Set(terms(unit.heading));
  const named = asked.terms.filter((term) => heading.has(term)).length;
  if (headingHolds(unit.heading, asked) || (named >= 1 && named >= heading.size / 2))
    return units.filter(({ section }) => section === unit.section).slice(0, MOST_STEPS);

  // the list or table that the sentence opens or is a part of
  const opens = unit.text.endsWith(":");
  const kind = opens ? units[at + 1]?.kind : unit.kind;
  const isPart = (index: number): boolean => kind !== "prose" && units[index]?.kind === kind && units[index]?.section === unit.section;
  let first = opens ? at + 1 : at;
  if (!isPart(first)) return [];
  while (isPart(first - 1)) first -= 1;
  let last = first;
  while (isPart(last + 1)) last += 1;
  return units.slice(first, last + 1).slice(0, MOST_STEPS);
}

function toStatement({ text, span }: Unit, score: number): Statement {
  return { text, spans: [span], confidence: Math.max(0, Math.min(1, score / 2)), from: "quote" };
}
