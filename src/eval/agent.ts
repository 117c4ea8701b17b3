import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Answer } from "../core/answer.ts";
import { ContextError } from "../core/errors.ts";
import { type AgentQuestion, type Judged, judge, NamedEntity, namesOf, AgentQuestion as QuestionShape } from "./agent-verdict.ts";
import { agentWorld } from "./agent-world.ts";
import type { Suite, SuiteOptions, SuiteResult } from "./suite.ts";

interface Row extends Judged {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly answer: Answer;
  readonly ms: number;
}

/** Operational questions over a world, each answered through the whole life of a question, judged by the contract's rules. */
export const agent: Suite = {
  name: "agent",
  about: "a world folder with truth/questions.jsonl (or questions.jsonl): {id, kind, question, now, expect, answer}",

  async run(options): Promise<SuiteResult> {
    const questions = await readQuestions(options.path);
    const entities = await readEntities(options.path);
    using world = await agentWorld(options.path, options);
    const names = namesOf(entities, world.graph);
    // the first question pays for what is read once
    const [first] = questions;
    if (first !== undefined) await world.answer(first.question, new Date(first.now ?? Date.now()), llmOf(options));
    const rows: Row[] = [];
    for (const [at, question] of questions.entries()) {
      const started = performance.now();
      const answer = await world.answer(question.question, new Date(question.now ?? Date.now()), llmOf(options));
      const ms = performance.now() - started;
      const judged = judge(question, answer, names);
      rows.push({ id: question.id, kind: question.kind, question: question.question, answer, ms, ...judged });
      options.progress("questions", at + 1, questions.length);
    }
    return summarise(rows);
  },
};

function llmOf({ complete }: SuiteOptions): { readonly llm: boolean } {
  return { llm: complete !== null };
}

async function readQuestions(folder: string): Promise<readonly AgentQuestion[]> {
  const file = [join(folder, "truth", "questions.jsonl"), join(folder, "questions.jsonl")].find((path) => existsSync(path));
  if (file === undefined) throw new ContextError("FILE_NOT_FOUND", `There is no questions.jsonl in ${folder} or in its folder truth.`);
  const text = await readFile(file, "utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => QuestionShape.parse(JSON.parse(line)));
}

async function readEntities(folder: string): Promise<readonly NamedEntity[]> {
  const text = await readFile(join(folder, "truth", "entities.json"), "utf8").catch(() => null);
  return text === null ? [] : z.array(NamedEntity).parse(JSON.parse(text));
}

function summarise(rows: readonly Row[]): SuiteResult {
  const count = (verdict: Row["verdict"]): number => rows.filter((row) => row.verdict === verdict).length;
  const calls = rows.map(({ answer }) => answer.toolCalls.length);
  const graphRoute = rows.filter(({ answer }) => answer.route === "agent").map(({ ms }) => ms);
  const times = rows.map(({ ms }) => ms);
  const figures = {
    n: rows.length,
    correct: count("correct"),
    partial: count("partial"),
    wrong: count("wrong"),
    refusedRightly: count("refusedRightly"),
    refusedWrongly: count("refusedWrongly"),
    toolCalls: { mean: round(calls.reduce((sum, one) => sum + one, 0) / Math.max(1, calls.length)), max: Math.max(0, ...calls) },
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    graphRoute: { n: graphRoute.length, p50Ms: quantile(graphRoute, 0.5), p95Ms: quantile(graphRoute, 0.95) },
    rows: rows.map(({ id, verdict, missing, unexpected }) => ({ id, verdict, missing, unexpected })),
  };
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  const verdicts = ["correct", "partial", "wrong", "refusedRightly", "refusedWrongly"] as const;
  const table = [
    ["kind", "n", ...verdicts],
    ...kinds.map((kind) => {
      const of = rows.filter((row) => row.kind === kind);
      return [kind, String(of.length), ...verdicts.map((verdict) => String(of.filter((row) => row.verdict === verdict).length))];
    }),
    ["all", String(rows.length), ...verdicts.map((verdict) => String(count(verdict)))],
  ];
  const answers = rows.map(({ id, kind, verdict, missing, unexpected, answer, ms }) =>
    JSON.stringify({ id, kind, verdict, missing, unexpected, ms: round(ms), answer }),
  );
  return { figures, table, files: { "answers.jsonl": `${answers.join("\n")}\n` } };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
