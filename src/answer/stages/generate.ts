import type { AnswerEvent, Statement } from "../../core/answer.ts";
import type { Chunk, Passage } from "../../core/chunk.ts";
import { ContextError } from "../../core/errors.ts";
import { speaksToAssistant } from "../instructions.ts";
import { MarkStream, withMarksOnEach } from "../marks.ts";
import { answerMessages, INSUFFICIENT } from "../prompts.ts";
import { hasFacts, plannersTurn, type Run, reporting, type Stage, type Step, withoutModel } from "../run.ts";
import { forModel } from "./retrieve.ts";

export interface GenerateDeps {
  /** The chunk that holds a place of a record; null when none does. */
  chunkAt(record: string, start: number, end: number): Chunk | null;
  /** A random word that fences sources off from the prompt. */
  fence(): string;
  toCitation(n: number, passage: Passage): Extract<AnswerEvent, { type: "citation" }>["citation"];
}

const MOST_SENTENCES = 8;
const MOST_LISTED = 25;
const MOST_MARKS = 3;
const MOST_TOKENS = 700;

/**
 * A draft with [N]: written by the model, or made of the statements where there is none or it fails. What the graph holds as facts
 * also answers where the model finds no answer, and in the second round: the trace says so.
 */
export function generate(deps: GenerateDeps): Stage {
  return async function* (run: Run) {
    if (run.complete === null) return yield* fromStatements(run, deps);
    if (plannersTurn(run)) return yield* inPlaceOfModel(run, unusable("The model's draft was not let through."), deps);
    try {
      const step = yield* fromModel(run, deps);
      return step.ok || !hasFacts(run) ? step : yield* inPlaceOfModel(run, unusable("The model found no answer."), deps);
    } catch (thrown) {
      return yield* inPlaceOfModel(run, thrown, deps);
    }
  };
}

/** A model that did answer, and of no use. */
export function unusable(message: string): ContextError {
  return new ContextError("LLM_BAD_REPLY", message);
}

/** A draft of what was gathered, the model left out from here on. */
export async function* inPlaceOfModel(run: Run, thrown: unknown, deps: GenerateDeps): AsyncGenerator<AnswerEvent, Step> {
  const set = withoutModel(run, thrown);
  const step = yield* fromStatements({ ...run, ...set }, deps);
  return { ...step, set: { ...set, ...step.set } };
}

async function* fromModel(run: Run, deps: GenerateDeps): AsyncGenerator<AnswerEvent, Step> {
  const { complete } = run;
  if (complete === null) return { ok: false };
  const passages = forModel(run.gathered.passages);
  const sources = withPlacesOf(run.gathered.statements, passages, deps);
  const messages = answerMessages({
    question: run.question,
    passages: sources,
    statements: run.gathered.statements,
    asOf: run.now.toISOString(),
    fence: deps.fence(),
    again: run.round > 0,
  });
  const marks = new MarkStream(sources.length);
  const cited: number[] = [];
  const shown = function* ({ text, fresh }: { text: string; fresh: readonly number[] }): Generator<AnswerEvent> {
    for (const source of fresh) {
      const passage = sources[source - 1];
      if (passage !== undefined) yield { type: "citation", citation: deps.toCitation(cited.push(source), passage) };
    }
    if (text !== "") yield { type: "token", text };
  };
  const call = reporting<string, string>(async (report) => {
    const reply = await complete({ tier: "frontier", purpose: "answer", messages, maxTokens: MOST_TOKENS, onToken: report }, run.signal);
    return reply.text;
  });
  let piece = await call.next();
  for (; piece.done !== true; piece = await call.next()) yield* shown(marks.push(piece.value));
  yield* shown(marks.end());
  const draft = piece.value.trim();
  const ok = draft !== "" && !saysInsufficient(draft);
  return {
    ok,
    set: { draft, sources, writer: "model", round: run.round + 1, dropped: 0 },
    detail: { writer: "model", sources: sources.length, ...(ok ? {} : { insufficient: true }) },
  };
}

function saysInsufficient(draft: string): boolean {
  return (
    draft
      .replace(/[^A-Za-z]+/g, " ")
      .trim()
      .toUpperCase() === INSUFFICIENT || /^\W*INSUFFICIENT\b/.test(draft)
  );
}

/** The sources with those added that facts of the graph stand in. */
function withPlacesOf(statements: readonly Statement[], passages: readonly Passage[], deps: GenerateDeps): readonly Passage[] {
  const sources = [...passages];
  for (const statement of statements) if (statement.from === "edges") numbersFor(statement, sources, deps);
  return sources;
}

async function* fromStatements(run: Run, deps: GenerateDeps): AsyncGenerator<AnswerEvent, Step> {
  const most = asksForList(run.question) ? MOST_LISTED : MOST_SENTENCES;
  const sources: Passage[] = [];
  const known = new Map(run.gathered.passages.map((passage) => [passage.chunk.id, passage]));
  const sentences: string[] = [];
  for (const statement of run.gathered.statements) {
    if (sentences.length >= most) break;
    if (speaksToAssistant(statement.text)) continue;
    const before = sources.length;
    const numbers = numbersFor(statement, sources, deps, known);
    if (numbers.length === 0) continue;
    sentences.push(cited(statement.text, numbers));
    for (const passage of sources.slice(before)) {
      yield { type: "citation", citation: deps.toCitation(sources.indexOf(passage) + 1, passage) };
    }
  }
  // list items keep their lines; whatever follows an item on its own goes on behind it
  if (sentences.filter(isItem).length === 1) for (const [at, sentence] of sentences.entries()) sentences[at] = withoutMarker(sentence);
  const draft = sentences.reduce((text, sentence) => (text === "" ? sentence : `${text}${isItem(sentence) ? "\n" : " "}${sentence}`), "");
  if (draft !== "") yield { type: "token", text: draft };
  return {
    ok: draft !== "",
    set: { draft, sources, writer: "rules", round: run.round + 1, dropped: 0 },
    detail: { writer: "rules", sentences: sentences.length },
  };
}

/** Numbers of the sources that hold a statement's places; sources that are missing are added to the list. */
function numbersFor(
  statement: Statement,
  sources: Passage[],
  deps: Pick<GenerateDeps, "chunkAt">,
  known: ReadonlyMap<string, Passage> = new Map(),
): number[] {
  const numbers: number[] = [];
  for (const { record, start, end } of statement.spans) {
    const chunk = deps.chunkAt(record, start, end) ?? inHand(known, record, start, end);
    if (chunk === null) continue;
    if (speaksToAssistant(chunk.text.slice(Math.max(0, start - chunk.span.start), Math.max(0, end - chunk.span.start)))) continue;
    let at = sources.findIndex((source) => source.chunk.id === chunk.id);
    if (at < 0) at = sources.push(known.get(chunk.id) ?? { chunk, edges: [], ranks: noRanks }) - 1;
    if (!numbers.includes(at + 1)) numbers.push(at + 1);
    if (numbers.length === MOST_MARKS) break;
  }
  return numbers;
}

/** A web page is kept nowhere but among the passages. */
function inHand(passages: ReadonlyMap<string, Passage>, record: string, start: number, end: number): Chunk | null {
  const held = [...passages.values()].find(({ chunk: { span } }) => span.record === record && span.start <= start && end <= span.end);
  return held?.chunk ?? null;
}

/** A statement with its marks behind each of its sentences: a quotation may hold several. */
function cited(statement: string, numbers: readonly number[]): string {
  // a quote may hold brackets of its own: they are its text, not citations
  const text = statement
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\[(\d[\d,;\s–-]*)\]/g, "($1)");
  return withMarksOnEach(closedCode(text), numbers);
}

/** A code span that a quote cut open would run on to the next one and swallow the marks between. */
function closedCode(sentence: string): string {
  return sentence.split("`").length % 2 === 0 ? sentence.replaceAll("`", "") : sentence;
}

const marker = /^(?:[-*•+–]|\d{1,3}[.)])\s+/;

function isItem(sentence: string): boolean {
  return marker.test(sentence);
}

/** An item that stands alone is a sentence. */
function withoutMarker(sentence: string): string {
  return sentence.replace(marker, "");
}

const noRanks = { bm25Rank: null, vectorRank: null, cosine: null, rrf: null, rerank: null, literal: false };

function asksForList(question: string): boolean {
  return /\b(?:list|all|every|each|which|what are|who are|show|name|enumerate|everything|how many)\b/i.test(question);
}
