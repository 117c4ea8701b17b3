import type { Answer } from "../core/answer.ts";
import { type AgentQuestion, judge, type Names, type Verdict } from "./agent-verdict.ts";
import { mustRefuse, type SuiteRow } from "./suite-file.ts";

export type SuiteVerdict = Verdict | "unavailable";

export interface SuiteJudged {
  readonly verdict: SuiteVerdict;
  /** What was expected and is not there, and what must not be there and is. */
  readonly why: readonly string[];
}

/** Verdicts that are as they should be. */
export function isRight(verdict: SuiteVerdict): boolean {
  return verdict === "correct" || verdict === "refusedRightly";
}

/**
 * How an answer stands to what a row expects: entities, records, mentions and what must not be stated as the agent's verdicts have
 * it, and one of the expected answers in the answer's own text. Something that broke is neither an answer nor a refusal.
 */
export function judgeRow(row: SuiteRow, answer: Answer, names: Names): SuiteJudged {
  if (answer.status === "unavailable") return { verdict: "unavailable", why: [answer.answer] };
  const { entities, records, anyRecords, mention, mustNot, answer: wanted } = row.expect;
  const question: AgentQuestion = {
    id: row.id ?? row.question,
    kind: row.kind,
    question: row.question,
    expect: { entities, records, anyRecords, mention, mustNot },
    answer: mustRefuse(row) ? "refuse" : "answer",
  };
  const { verdict, missing, unexpected } = judge(question, answer, names);
  const why = [...missing.map((one) => `missing: ${one}`), ...unexpected.map((one) => `unexpected: ${one}`)];
  const refusal = row.expect.refuse;
  if (verdict === "refusedRightly" && typeof refusal === "string" && answer.refusal !== refusal)
    return { verdict, why: [`refused as ${String(answer.refusal)}, meant was ${refusal}`] };
  if ((verdict !== "correct" && verdict !== "partial") || wanted.length === 0) return { verdict, why };
  const said = folded(answer.answer.replace(/\s*\[\d+\]/g, ""));
  if (wanted.some((one) => said.includes(folded(one)))) return { verdict, why };
  const lacks = [...why, `missing: ${wanted.map((one) => `"${one}"`).join(" or ")}`];
  // what was asked for is not said; where something else of it is, half of it is there
  return { verdict: entities.length > 0 && verdict === "correct" ? "partial" : "wrong", why: lacks };
}

function folded(text: string): string {
  return text.normalize("NFKC").replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/\s+/g, " ").toLowerCase();
}
