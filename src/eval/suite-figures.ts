import { mean, percentile } from "./ir-metrics.ts";
import type { SuiteAnswer } from "./suite-ask.ts";
import { isRight } from "./suite-judge.ts";

/** What one pass over the questions came to. Shares are 0 to 1; null where there is nothing to take a share of. */
export interface SuiteFigures {
  readonly n: number;
  /** Answered correctly, or refused where nothing answers. */
  readonly right: number;
  readonly answerable: {
    readonly n: number;
    readonly answered: number;
    readonly correct: number;
    readonly partial: number;
    readonly wrong: number;
  };
  readonly unanswerable: { readonly n: number; readonly refused: number };
  readonly unavailable: number;
  readonly rightRate: number | null;
  readonly answerRate: number | null;
  readonly refusalRate: number | null;
  /** Retrieval apart from answering: share of the expected records among the first ten passages gathered. */
  readonly recall10: number | null;
  /** Share of the sentences shown that the passages gathered bear. */
  readonly faithfulness: number | null;
  readonly citationPrecision: number | null;
  readonly citationRecall: number | null;
  /** Stopped by the guard: of what it was meant to stop, and of what was to be answered. */
  readonly guardrail: { readonly n: number; readonly hits: number; readonly falseAlarms: number };
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly llmCalls: number;
  readonly costUsd: number;
}

export function suiteFigures(answers: readonly SuiteAnswer[]): SuiteFigures {
  const toAnswer = answers.filter(({ refuse }) => refuse === false);
  const toRefuse = answers.filter(({ refuse }) => refuse !== false);
  const of = (list: readonly SuiteAnswer[], verdict: SuiteAnswer["verdict"]): number =>
    list.filter((one) => one.verdict === verdict).length;
  const answered = toAnswer.filter(({ answer }) => answer.status === "answered" || answer.status === "partial").length;
  const refused = of(toRefuse, "refusedRightly");
  const right = answers.filter(({ verdict }) => isRight(verdict)).length;
  const cited = answers.flatMap(({ citations }) => citations ?? []);
  const sum = (pick: (one: SuiteAnswer) => number): number => answers.reduce((total, one) => total + pick(one), 0);
  const stopped = (list: readonly SuiteAnswer[]): number => list.filter(({ answer }) => answer.refusal === "guardrail").length;
  const times = answers.map(({ ms }) => ms);
  return {
    n: answers.length,
    right,
    answerable: {
      n: toAnswer.length,
      answered,
      correct: of(toAnswer, "correct"),
      partial: of(toAnswer, "partial"),
      wrong: of(toAnswer, "wrong"),
    },
    unanswerable: { n: toRefuse.length, refused },
    unavailable: of(answers, "unavailable"),
    rightRate: share(right, answers.length),
    answerRate: share(answered, toAnswer.length),
    refusalRate: share(refused, toRefuse.length),
    recall10: average(answers.flatMap(({ recall10 }) => recall10 ?? [])),
    faithfulness: share(
      sum(({ faithful }) => faithful.borne),
      sum(({ faithful }) => faithful.sentences),
    ),
    citationPrecision: average(cited.map(({ precision }) => precision)),
    citationRecall: average(cited.map(({ recall }) => recall)),
    guardrail: {
      n: answers.filter(({ refuse }) => refuse === "guardrail").length,
      hits: stopped(answers.filter(({ refuse }) => refuse === "guardrail")),
      falseAlarms: stopped(toAnswer),
    },
    p50Ms: Math.round(percentile(times, 0.5) * 10) / 10,
    p95Ms: Math.round(percentile(times, 0.95) * 10) / 10,
    llmCalls: sum(({ answer }) => answer.trace.llm.calls),
    costUsd: sum(({ answer }) => answer.trace.llm.costUsd),
  };
}

/** Right answers and refusals by kind of question, in the order in which the kinds come. */
export function byKind(answers: readonly SuiteAnswer[]): Readonly<Record<string, { readonly n: number; readonly right: number }>> {
  const kinds: Record<string, { n: number; right: number }> = {};
  for (const { kind, verdict } of answers) {
    const known = kinds[kind] ?? { n: 0, right: 0 };
    kinds[kind] = { n: known.n + 1, right: known.right + Number(isRight(verdict)) };
  }
  return kinds;
}

function share(part: number, all: number): number | null {
  return all === 0 ? null : rounded(part / all);
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(mean(values));
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
