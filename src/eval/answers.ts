import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { marksOf, withoutMarks } from "../answer/marks.ts";
import type { Thresholds } from "../answer/quote.ts";
import type { Answer } from "../core/answer.ts";
import { ContextError } from "../core/errors.ts";
import { sentencesOf } from "../core/sentences.ts";
import { answeringWorld, evalModels, recordIdOf } from "./answering.ts";
import type { Suite, SuiteOptions, SuiteResult } from "./suite.ts";

export const DocumentRow = z.object({ _id: z.string(), title: z.string().default(""), text: z.string() });
export const QuestionRow = z.object({
  id: z.string(),
  question: z.string(),
  document: z.string(),
  answerable: z.boolean(),
  answers: z.array(z.string()).default([]),
});
export type QuestionRow = z.infer<typeof QuestionRow>;

/** The answer may be this long: more would be reading aloud. */
const MOST_SENTENCES = 3;

export interface AnswerFigures {
  readonly answerable: { n: number; answered: number; correct: number; citedRight: number };
  readonly unanswerable: { n: number; refused: number };
  readonly sentences: number;
  readonly uncitedSentences: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly costUsd: number;
}

/** Questions with and without an answer in a fixed set of documents: who is answered rightly, who is refused? */
export const answers: Suite = {
  name: "answers",
  about: "documents.jsonl {_id, title, text}, questions.jsonl {id, question, document, answerable, answers}",

  async run(options): Promise<SuiteResult> {
    const { figures, rows } = await measureAnswers(options);
    const { answerable, unanswerable } = figures;
    return {
      figures: { ...figures },
      table: [
        ["", "n", "share"],
        ["answerable", String(answerable.n), ""],
        ["  answered", String(answerable.answered), share(answerable.answered, answerable.n)],
        ["  correct", String(answerable.correct), share(answerable.correct, answerable.n)],
        ["  cited right", String(answerable.citedRight), share(answerable.citedRight, answerable.n)],
        ["unanswerable", String(unanswerable.n), ""],
        ["  refused", String(unanswerable.refused), share(unanswerable.refused, unanswerable.n)],
        ["sentences", String(figures.sentences), ""],
        ["  without a citation", String(figures.uncitedSentences), share(figures.uncitedSentences, figures.sentences)],
        ["ms, median and 95 %", `${figures.p50Ms} ${figures.p95Ms}`, ""],
      ],
      files: {
        "answers.jsonl": jsonLines(rows),
        "claims.jsonl": jsonLines(rows.flatMap(({ id, answer }) => answer.claims.map((claim) => ({ question: id, ...claim })))),
      },
    };
  },
};

/** Asks every question. @param thresholds for drawing the curve of answered against refused */
export async function measureAnswers(
  options: SuiteOptions,
  thresholds: Partial<Thresholds> = {},
): Promise<{ readonly figures: AnswerFigures; readonly rows: readonly AnsweredRow[] }> {
  const documents = readRows(join(options.path, "documents.jsonl"), DocumentRow).map(({ _id, title, text }) => ({ id: _id, title, text }));
  const questions = readRows(join(options.path, "questions.jsonl"), QuestionRow);
  using models = evalModels(options);
  using world = await answeringWorld(documents, models, options, thresholds);
  const figures = {
    answerable: { n: 0, answered: 0, correct: 0, citedRight: 0 },
    unanswerable: { n: 0, refused: 0 },
    sentences: 0,
    uncitedSentences: 0,
    costUsd: 0,
  };
  const rows: AnsweredRow[] = [];
  const times: number[] = [];
  for (const [at, row] of questions.entries()) {
    const started = performance.now();
    const answer = await world.answer(row.question);
    times.push(performance.now() - started);
    const verdict = judge(row, answer);
    if (row.answerable) {
      figures.answerable.n += 1;
      figures.answerable.answered += Number(verdict.answered);
      figures.answerable.correct += Number(verdict.correct);
      figures.answerable.citedRight += Number(verdict.citedRight);
    } else {
      figures.unanswerable.n += 1;
      figures.unanswerable.refused += Number(!verdict.answered);
    }
    figures.sentences += verdict.sentences;
    figures.uncitedSentences += verdict.uncited;
    figures.costUsd += answer.trace.llm.costUsd;
    rows.push({ id: row.id, expected: row.answers, answerable: row.answerable, document: row.document, verdict, answer });
    options.progress("ask", at + 1, questions.length);
  }
  times.sort((a, b) => a - b);
  const quantile = (q: number): number => Math.round(times[Math.min(times.length - 1, Math.floor(q * times.length))] ?? 0);
  return { figures: { ...figures, p50Ms: quantile(0.5), p95Ms: quantile(0.95) }, rows };
}

interface AnsweredRow {
  readonly id: string;
  readonly expected: readonly string[];
  readonly answerable: boolean;
  readonly document: string;
  readonly verdict: Verdict;
  readonly answer: Answer;
}

interface Verdict {
  readonly answered: boolean;
  readonly correct: boolean;
  readonly citedRight: boolean;
  readonly sentences: number;
  readonly uncited: number;
}

/** Correct: an expected answer stands in the answer's own first three sentences. */
function judge(row: QuestionRow, answer: Answer): Verdict {
  const answered = answer.status === "answered" || answer.status === "partial";
  if (!answered) return { answered, correct: false, citedRight: false, sentences: 0, uncited: 0 };
  const sentences = sentencesOf(answer.answer).map(({ start, end }) => answer.answer.slice(start, end));
  const said = withoutMarks(sentences.slice(0, MOST_SENTENCES).join(" "));
  const listed = new Set(answer.citations.map(({ n }) => n));
  const uncited = sentences.filter((sentence) => !marksOf(sentence).some(({ numbers }) => numbers.some((n) => listed.has(n)))).length;
  return {
    answered,
    correct: holdsAnswer(row.answers, said),
    citedRight: answer.citations.some(({ recordId }) => recordId === recordIdOf(row.document)),
    sentences: sentences.length,
    uncited,
  };
}

/** White space, case and quotes aside. */
export function holdsAnswer(expected: readonly string[], text: string): boolean {
  const said = folded(text);
  return expected.some((one) => folded(one) !== "" && said.includes(folded(one)));
}

function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

function folded(text: string): string {
  return text.normalize("NFKC").replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/\s+/g, " ").trim().toLowerCase();
}

function share(part: number, all: number): string {
  return all === 0 ? "" : `${((100 * part) / all).toFixed(1)} %`;
}

/** Rows of a JSON Lines file; a row of another shape is an error that names its line. */
export function readRows<T>(file: string, shape: z.ZodType<T>): T[] {
  if (!existsSync(file)) throw new ContextError("FILE_NOT_FOUND", `${file} is missing.`);
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, at) => {
      if (line.trim() === "") return [];
      try {
        return [shape.parse(JSON.parse(line))];
      } catch (cause) {
        throw new ContextError("RECORD_INVALID", `${file}, line ${at + 1} has another shape than the suite reads.`, { cause });
      }
    });
}
