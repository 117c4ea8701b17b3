import type { Statement } from "../core/answer.ts";
import type { Embedder, Passage } from "../core/chunk.ts";
import { identifierTokens } from "../core/identifiers.ts";
import type { RecordId } from "../core/record.ts";
import { sentencesOf } from "../core/sentences.ts";
import { terms } from "../core/words.ts";
import { instructionsIn } from "./instructions.ts";
import { contradicted, holdsTerm, holdsType, type ReadQuestion, readQuestion } from "./question.ts";

export interface QuoteOptions {
  /** Compares sentences with the question; null: by words alone. */
  readonly embedder: Embedder | null;
  readonly signal: AbortSignal;
  readonly thresholds?: Partial<Thresholds>;
}

/** All tuned together on data/verify; the curve is in docs/answering.md. */
export interface Thresholds {
  /** Least cosine of question and best sentence. */
  readonly cosine: number;
  /** The same where the passage holds an identifier of the question letter for letter. */
  readonly cosineLiteral: number;
  /** Least share of the question's words in the sentence where no vectors are compared. */
  readonly coverage: number;
  /** A further sentence is shown when its score is at least this share of the best. */
  readonly further: number;
}

export const defaultThresholds: Thresholds = { cosine: 0.45, cosineLiteral: 0.25, coverage: 0.6, further: 0.75 };

const MOST_PASSAGES = 8;
/** Sentences compared by vector: the best by words. */
const MOST_EMBEDDED = 16;
const MOST_SENTENCES = 2;
const MOST_STEPS = 8;
const TYPE_BONUS = 0.1;
/** Of two equal sentences the one in the better ranked passage. */
const RANK_COST = 0.01;

interface Candidate {
  readonly passage: Passage;
  readonly rank: number;
  /** Place in its chunk's list of sentences. */
  readonly at: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly terms: ReadonlySet<string>;
  coverage: number;
  cosine: number | null;
  score: number;
}

/**
 * Answers by quoting: the sentences of the passages that answer the question, best first, letter for letter; none when support
 * is too thin. Sentences are ranked by the weighted share of the question's words plus the cosine with the question. What the
 * question names must be in the passage, and a sentence that says the opposite of what is asked answers nothing.
 */
export async function quote(question: string, passages: readonly Passage[], options: QuoteOptions): Promise<Statement[]> {
  const thresholds = { ...defaultThresholds, ...options.thresholds };
  const asked = readQuestion(question);
  if (asked.terms.length === 0) return [];
  const about = holdingMost(asked.identifiers, passages.slice(0, MOST_PASSAGES));
  const candidates = about.flatMap((passage, rank) => candidatesOf(passage, rank, asked));
  weigh(candidates, asked);
  candidates.sort((a, b) => b.coverage - a.coverage || a.rank - b.rank);
  const compared = await compare(question, candidates.slice(0, MOST_EMBEDDED), options);
  for (const candidate of compared) {
    const bonus = holdsType(asked.type, candidate.text, asked) ? TYPE_BONUS : 0;
    candidate.score = candidate.coverage + (candidate.cosine ?? 0) + bonus - RANK_COST * candidate.rank;
  }
  compared.sort((a, b) => b.score - a.score);

  const best = firstThatAgrees(compared, asked);
  if (best === null || !supports(best, asked, thresholds)) return [];
  if (asked.type === "procedure") {
    const steps = listAround(best, about);
    if (steps.length > 0) return steps;
  }
  const further = compared.filter((candidate) => {
    if (candidate === best || candidate.score < thresholds.further * best.score) return false;
    return agrees(candidate, asked) && supports(candidate, asked, thresholds);
  });
  const chosen = [best, ...further.slice(0, MOST_SENTENCES - 1)];
  return chosen.flatMap((candidate) => [...antecedent(candidate, chosen), toStatement(candidate)]);
}

/** "This solves the problem …" says nothing without the sentence before it. */
function antecedent(candidate: Candidate, chosen: readonly Candidate[]): Statement[] {
  const { chunk } = candidate.passage;
  if (!/^(?:this|that|these|those|it|they|he|she|such|his|her|their|its|both|the (?:former|latter))\b/i.test(candidate.text)) return [];
  const before = sentencesOf(chunk.text)[candidate.at - 1];
  if (before === undefined || chosen.some((other) => other.passage === candidate.passage && other.at === candidate.at - 1)) return [];
  const text = chunk.text.slice(before.start, before.end);
  if (isHeading(text, chunk.heading) || instructionsIn(text).length > 0 || /\n\s*\n/.test(chunk.text.slice(before.end, candidate.start)))
    return [];
  const { span } = chunk;
  return [statement(text, span.record, span.start + before.start, span.start + before.end, candidate.score)];
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

function candidatesOf(passage: Passage, rank: number, asked: ReadQuestion): Candidate[] {
  const { chunk } = passage;
  const context = terms([chunk.title, ...chunk.heading].join("\n"));
  const around = new Set([...terms(chunk.text), ...context]);
  if (!asked.must.every((term) => holdsTerm(around, term))) return [];
  const planted = instructionsIn(chunk.text);
  return sentencesOf(chunk.text).flatMap(({ start, end }, at) => {
    const text = chunk.text.slice(start, end);
    if (planted.some((piece) => piece.start < end && start < piece.end)) return [];
    if (isHeading(text, chunk.heading) || text.endsWith("?")) return [];
    const held = new Set([...terms(text), ...context]);
    return [{ passage, rank, at, text, start, end, terms: held, coverage: 0, cosine: null, score: 0 }];
  });
}

/** A heading is what a sentence is about, not what is said of it. */
function isHeading(text: string, headings: readonly string[]): boolean {
  const bare = text.replace(/^#{1,6}\s*/, "").trim();
  return text.startsWith("#") || headings.includes(bare) || bare.split(/\s+/).length < 3;
}

/** Share of the question's words that a sentence holds, rare words counting more: log of all sentences over those that hold it. */
function weigh(candidates: readonly Candidate[], asked: ReadQuestion): void {
  const weights = new Map<string, number>();
  for (const term of asked.terms) {
    const holding = candidates.filter((candidate) => candidate.terms.has(term)).length;
    weights.set(term, Math.log(1 + (candidates.length + 1) / (holding + 0.5)));
  }
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  for (const candidate of candidates) {
    let sum = 0;
    for (const [term, weight] of weights) if (holdsTerm(candidate.terms, term)) sum += weight;
    candidate.coverage = all === 0 ? 0 : sum / all;
  }
}

async function compare(question: string, candidates: Candidate[], { embedder, signal }: QuoteOptions): Promise<Candidate[]> {
  signal.throwIfAborted();
  if (embedder === null || candidates.length === 0) return candidates;
  const [asked] = await embedder.embed([question], "query", signal);
  const vectors = await embedder.embed(
    candidates.map(({ text }) => text),
    "passage",
    signal,
  );
  if (asked === undefined) return candidates;
  for (const [index, candidate] of candidates.entries()) candidate.cosine = dot(asked, vectors[index] ?? asked);
  return candidates;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/**
 * The best candidate, or where it contradicts the question the next one that holds the very word it was contradicted in: "when did
 * it start" is not answered by when it stopped, nor by a sentence that speaks of neither.
 */
function firstThatAgrees(ranked: readonly Candidate[], asked: ReadQuestion): Candidate | null {
  const needed = new Set<string>();
  for (const candidate of ranked) {
    const against = contradicted(asked, candidate.text);
    if (against.length === 0 && [...needed].every((word) => candidate.terms.has(word) || holdsWord(candidate.text, word))) return candidate;
    for (const word of against) needed.add(word);
    if (needed.has("not")) return null;
  }
  return null;
}

function holdsWord(text: string, stemmed: string): boolean {
  return terms(text).includes(stemmed);
}

function agrees(candidate: Candidate, asked: ReadQuestion): boolean {
  return contradicted(asked, candidate.text).length === 0;
}

function supports(candidate: Candidate, asked: ReadQuestion, thresholds: Thresholds): boolean {
  if (candidate.cosine === null) return candidate.coverage >= thresholds.coverage;
  return candidate.cosine >= (asked.identifiers.length > 0 ? thresholds.cosineLiteral : thresholds.cosine);
}

/** The steps that a how-to sentence introduces or is one of: the list it stands in, in order. */
function listAround(best: Candidate, passages: readonly Passage[]): Statement[] {
  const { chunk } = best.passage;
  if (!passages.includes(best.passage)) return [];
  const sentences = sentencesOf(chunk.text);
  const isItem = (at: number): boolean => /^(?:[-*•+]|\d{1,3}[.)])\s/.test(chunk.text.slice(sentences[at]?.start, sentences[at]?.end));
  let first = isItem(best.at) ? best.at : best.text.endsWith(":") ? best.at + 1 : -1;
  if (first < 0 || !isItem(first)) return [];
  while (first > 0 && isItem(first - 1)) first -= 1;
  const steps: Statement[] = [];
  const planted = instructionsIn(chunk.text);
  for (let at = first; isItem(at) && steps.length < MOST_STEPS; at += 1) {
    const { start, end } = sentences[at] ?? best;
    if (planted.some((piece) => piece.start < end && start < piece.end)) continue;
    steps.push(statement(chunk.text.slice(start, end), chunk.span.record, chunk.span.start + start, chunk.span.start + end, best.score));
  }
  return steps;
}

function toStatement({ text, passage, start, end, score }: Candidate): Statement {
  const { span } = passage.chunk;
  return statement(text, span.record, span.start + start, span.start + end, score);
}

/** The score of the best possible sentence is 2 (all words, cosine 1) and the bonus; confidence is its share of that. */
function statement(text: string, record: RecordId, start: number, end: number, score: number): Statement {
  return { text, spans: [{ record, start, end }], confidence: Math.max(0, Math.min(1, score / 2)), from: "quote" };
}
