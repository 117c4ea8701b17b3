import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { ContextError } from "../core/errors.ts";
import { isRight, type SuiteVerdict } from "./suite-judge.ts";

/** What a later run reads of an earlier report. */
const Earlier = z.looseObject({
  at: z.string().default(""),
  figures: z.record(z.string(), z.unknown()),
  rows: z.array(z.looseObject({ id: z.string(), question: z.string(), verdict: z.string() })),
});
export type Earlier = z.infer<typeof Earlier>;

export interface Change {
  readonly id: string;
  readonly question: string;
  /** Null: the question was not asked then, or is not asked any more. */
  readonly before: string | null;
  readonly now: string | null;
  readonly change: "better" | "worse" | "other" | "new" | "gone";
}

export interface Comparison {
  /** When the earlier run was. */
  readonly with: string;
  /** Figures that are numbers in both and differ: before and now. */
  readonly figures: Readonly<Record<string, { readonly before: number; readonly now: number }>>;
  readonly better: number;
  readonly worse: number;
  readonly rows: readonly Change[];
}

/** An earlier report.json; null where there is none. @throws ContextError RECORD_INVALID when it is no report */
export function readReport(file: string): Earlier | null {
  if (!existsSync(file)) return null;
  try {
    return Earlier.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new ContextError("RECORD_INVALID", `${file} is no report of this suite.`, {
      cause,
      remedy: "Name another file with --compare, or another folder with --out.",
    });
  }
}

/** What got better and what worse since an earlier run, question by question. Questions are matched by their text. */
export function compare(
  earlier: Earlier,
  rows: readonly { readonly id: string; readonly question: string; readonly verdict: SuiteVerdict }[],
  figures: object,
): Comparison {
  const changes: Change[] = [];
  const before = new Map(earlier.rows.map((row) => [row.question, row]));
  for (const { id, question, verdict } of rows) {
    const old = before.get(question);
    before.delete(question);
    if (old === undefined) changes.push({ id, question, before: null, now: verdict, change: "new" });
    else if (old.verdict !== verdict)
      changes.push({ id, question, before: old.verdict, now: verdict, change: direction(old.verdict, verdict) });
  }
  for (const { id, question, verdict } of before.values()) changes.push({ id, question, before: verdict, now: null, change: "gone" });
  const now = numbersOf(figures);
  const then = numbersOf(earlier.figures);
  const differing = [...now].flatMap(([name, value]) => {
    const old = then.get(name);
    return old === undefined || old === value ? [] : [[name, { before: old, now: value }] as const];
  });
  return {
    with: earlier.at,
    figures: Object.fromEntries(differing),
    better: changes.filter(({ change }) => change === "better").length,
    worse: changes.filter(({ change }) => change === "worse").length,
    rows: changes,
  };
}

function direction(before: string, now: SuiteVerdict): Change["change"] {
  const rank = (verdict: string): number => (isRight(verdict as SuiteVerdict) ? 2 : verdict === "partial" ? 1 : 0);
  if (rank(now) === rank(before)) return "other";
  return rank(now) > rank(before) ? "better" : "worse";
}

/** "guardrail.hits" → 5, for every number inside. */
function numbersOf(value: object, prefix = ""): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, one] of Object.entries(value)) {
    if (typeof one === "number") found.set(`${prefix}${key}`, one);
    else if (typeof one === "object" && one !== null && !Array.isArray(one))
      for (const [name, inner] of numbersOf(one, `${prefix}${key}.`)) found.set(name, inner);
  }
  return found;
}
