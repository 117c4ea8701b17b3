import { type AskDeps, createAsk } from "../answer/ask.ts";
import { marksOf, withoutMarks } from "../answer/marks.ts";
import type { Answer, Gather, Gathered, Statement } from "../core/answer.ts";
import type { Passage } from "../core/chunk.ts";
import { sentencesOf } from "../core/sentences.ts";
import { type Names, namesOf } from "./agent-verdict.ts";
import { type CitationScore, citationScore } from "./alce.ts";
import { mustRefuse, type SuiteRow } from "./suite-file.ts";
import { judgeRow, type SuiteVerdict } from "./suite-judge.ts";
import type { SuitePlace } from "./suite-place.ts";

/** First passages that count as retrieved. */
const DEPTH = 10;

/** A question of the suite, its answer, and how it stands. */
export interface SuiteAnswer {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly refuse: SuiteRow["expect"]["refuse"];
  readonly verdict: SuiteVerdict;
  readonly why: readonly string[];
  /** Share of the expected records among the first ten passages that were gathered; null where none is expected. */
  readonly recall10: number | null;
  /** Null for a refusal, and where nothing is stated. */
  readonly citations: CitationScore | null;
  /** Sentences that the passages gathered bear, whichever of them is cited. */
  readonly faithful: { readonly sentences: number; readonly borne: number };
  readonly ms: number;
  readonly answer: Answer;
}

/** How a question is put: with which of the daemon's stages, and with which model. */
export interface Configuration {
  readonly deps: AskDeps;
  readonly llm: boolean;
  readonly cache?: boolean;
  /** Told before each question, so that a scripted model knows where it is. */
  before?(row: SuiteRow, at: number): void;
  after?(row: SuiteRow, answer: Answer): void;
}

/** Puts every question to one configuration, and measures what comes back by the same verifier, whether or not it was in use. */
export async function askAll(
  rows: readonly SuiteRow[],
  place: SuitePlace,
  { deps, llm, cache = false, before, after }: Configuration,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<SuiteAnswer[]> {
  const names: Names = namesOf([], place.app.graph);
  const recorder = new Recorder();
  const ask = createAsk({
    ...deps,
    agent: deps.agent === null ? null : recorder.of(deps.agent),
    documents: recorder.of(deps.documents),
  });
  const answers: SuiteAnswer[] = [];
  for (const [at, row] of rows.entries()) {
    recorder.clear();
    before?.(row, at);
    const started = performance.now();
    const run = ask(row.question, { signal, llm, cache, ...(row.now === undefined ? {} : { now: new Date(row.now) }) });
    let step = await run.next();
    while (step.done !== true) step = await run.next();
    const ms = performance.now() - started;
    const answer = step.value;
    after?.(row, answer);
    const bears = bearing(answer, recorder, place, signal);
    // what is replayed was measured when it was given: nothing was gathered now
    const fresh = answer.route !== "cache";
    const shown = fresh && (answer.status === "answered" || answer.status === "partial") ? citedSentences(answer) : [];
    answers.push({
      id: row.id ?? String(at + 1),
      kind: row.kind,
      question: row.question,
      refuse: row.expect.refuse === false ? mustRefuse(row) : row.expect.refuse,
      ...judgeRow(row, answer, names),
      recall10: fresh ? recallOf(row, recorder.passages) : null,
      citations: shown.length === 0 ? null : await citationScore(shown, bears.cited),
      faithful: await faithfulness(shown, bears.anywhere),
      ms: Math.round(ms * 100) / 100,
      answer,
    });
    progress(at + 1);
  }
  return answers;
}

/** Keeps what was gathered for the question in hand. */
class Recorder {
  passages: Passage[] = [];
  statements: Statement[] = [];

  clear(): void {
    this.passages = [];
    this.statements = [];
  }

  of(gather: Gather): Gather {
    const keep = ({ passages, statements }: Gathered): void => {
      this.passages.push(...passages);
      this.statements.push(...statements);
    };
    return async function* (request) {
      const gathered = yield* gather(request);
      keep(gathered);
      return gathered;
    };
  }
}

/** Distinct passages in the order in which they came: a second search adds to the first. */
function recallOf({ expect: { records, anyRecords } }: SuiteRow, passages: readonly Passage[]): number | null {
  const wanted = [...new Set(records.length > 0 ? records : anyRecords)];
  if (wanted.length === 0) return null;
  const first = [...new Map(passages.map((passage) => [passage.chunk.id, passage])).values()].slice(0, DEPTH);
  const found = new Set<string>(first.map(({ chunk }) => chunk.span.record));
  const hits = wanted.filter((record) => found.has(record)).length;
  return records.length > 0 ? hits / wanted.length : Number(hits > 0);
}

interface CitedOf {
  readonly text: string;
  readonly cites: readonly number[];
}

function citedSentences(answer: Answer): CitedOf[] {
  const listed = new Set(answer.citations.map(({ n }) => n));
  return sentencesOf(answer.answer).map(({ start, end }) => {
    const sentence = answer.answer.slice(start, end);
    const cites = marksOf(sentence).flatMap(({ numbers }) => numbers.filter((n) => listed.has(n)));
    return { text: withoutMarks(sentence).trim(), cites: [...new Set(cites)] };
  });
}

interface Bearing {
  cited(sentence: string, cites: readonly number[]): Promise<boolean | null>;
  anywhere(sentence: string): Promise<boolean | null>;
}

/** The daemon's own rules (no model) as the judge of what bears a sentence; null where it holds no claim. */
function bearing(answer: Answer, { passages, statements }: Recorder, place: SuitePlace, signal: AbortSignal): Bearing {
  const gathered = new Map(passages.map((passage) => [passage.chunk.id, passage]));
  const sources = new Map<number, Passage>();
  for (const { n, chunkId } of answer.citations) {
    const chunk = place.store.chunks.get(chunkId);
    const passage = gathered.get(chunkId) ?? (chunk === null ? undefined : { chunk, edges: [], ranks: noRanks });
    if (passage !== undefined) sources.set(n, passage);
  }
  const { verify } = place.deps(true);
  const check = async (sentence: string, by: readonly Passage[]): Promise<boolean | null> => {
    if (verify === undefined) return null;
    const draft = `${sentence.replace(/[.!?]$/, "")} ${by.map((_, index) => `[${index + 1}]`).join("")}.`;
    const claims = await verify({ question: answer.question, draft, passages: by, statements, signal });
    return claims.length === 0 ? null : claims.every(({ label }) => label === "SUPPORTED");
  };
  const borne = (sentence: string, by: readonly Passage[]): Promise<boolean | null> => {
    const stated = statements.filter(({ text }) => text.includes(sentence.replace(/[.!?]$/, ""))).map(({ spans }) => spans);
    const key = JSON.stringify([sentence, by.map(({ chunk }) => chunk.id), stated]);
    const found = place.checked.get(key) ?? check(sentence, by);
    place.checked.set(key, found);
    return found;
  };
  const all = [...new Map([...sources.values(), ...passages].map((passage) => [passage.chunk.id, passage])).values()];
  return {
    cited: (sentence, cites) =>
      borne(
        sentence,
        cites.flatMap((n) => sources.get(n) ?? []),
      ),
    anywhere: (sentence) => borne(sentence, all),
  };
}

async function faithfulness(shown: readonly CitedOf[], anywhere: Bearing["anywhere"]): Promise<SuiteAnswer["faithful"]> {
  let sentences = 0;
  let borne = 0;
  for (const { text } of shown) {
    const verdict = await anywhere(text);
    if (verdict === null) continue;
    sentences += 1;
    borne += Number(verdict);
  }
  return { sentences, borne };
}

const noRanks = { bm25Rank: null, vectorRank: null, cosine: null, rrf: null, rerank: null, literal: false };
