import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { ContextError } from "../core/errors.ts";

const list = z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]);

/** A row: a question, what kind of test it is, and what must come of it. */
export const SuiteRow = z.looseObject({
  id: z.string().optional(),
  question: z.string(),
  kind: z.string().default("factual"),
  now: z.iso.datetime({ offset: true }).optional(),
  expect: z
    .looseObject({
      /** Graph ids ("service:redis", "commit:<sha>") that must be named. */
      entities: list,
      /** Records of which one must be cited, and that retrieval is held to. */
      records: list,
      anyRecords: list,
      /** One of these must stand in the answer's own text. */
      answer: list,
      /** All of these must stand in the answer or in what it cites. */
      mention: list,
      /** Words or ids that must not be stated as fact. */
      mustNot: list,
      /** True, or which refusal is meant. */
      refuse: z.union([z.boolean(), z.enum(["insufficient", "unverified", "guardrail"])]).default(false),
    })
    .prefault({}),
  /** As in the agent's questions: "refuse" where nothing answers. */
  answer: z.string().optional(),
});
export type SuiteRow = z.infer<typeof SuiteRow>;

const Requirements = z.union([
  z.array(z.string()),
  z
    .record(z.string(), z.union([z.number(), z.string()]))
    .transform((given) => Object.entries(given).map(([figure, value]) => `${figure}${typeof value === "number" ? ">=" : ""}${value}`)),
]);

/** The optional first line: what the questions are asked of, and what must be reached. */
const Header = z.strictObject({
  /** Folder of a world, or of documents, from the file's own folder. */
  world: z.string().optional(),
  /** manifest.json of the daemon that is asked, from the file's own folder. */
  manifest: z.string().optional(),
  /** ["recall10>=0.9"], or {"recall10": 0.9, "p95Ms": "<=500"}. */
  require: Requirements.default([]),
  about: z.string().optional(),
});
export type SuiteHeader = z.infer<typeof Header>;

export interface SuiteFile {
  readonly header: SuiteHeader;
  readonly rows: readonly SuiteRow[];
}

/** Reads a suite: JSON Lines, a first line without a question is its header. @throws ContextError FILE_NOT_FOUND, RECORD_INVALID */
export function readSuite(file: string): SuiteFile {
  if (!existsSync(file)) throw new ContextError("FILE_NOT_FOUND", `There is no suite at ${file}.`);
  let header: SuiteHeader | null = null;
  const rows: SuiteRow[] = [];
  for (const [at, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      const value: unknown = JSON.parse(line);
      if (header === null && rows.length === 0 && typeof value === "object" && value !== null && !("question" in value))
        header = Header.parse(value);
      else rows.push(SuiteRow.parse(value));
    } catch (cause) {
      const what = cause instanceof z.ZodError ? z.prettifyError(cause).replace(/\s+/g, " ") : (cause as Error).message;
      throw new ContextError("RECORD_INVALID", `${file}, line ${at + 1}: ${what}`, {
        cause,
        remedy:
          "A row is {question, kind, expect: {entities?, records?, answer?, refuse?}, now?}; docs/verification.md has the whole shape.",
      });
    }
  }
  if (rows.length === 0) throw new ContextError("RECORD_INVALID", `${file} holds no question.`);
  return { header: header ?? Header.parse({}), rows };
}

/** Whether the row is about something that must be refused. */
export function mustRefuse({ expect, answer }: SuiteRow): boolean {
  return expect.refuse !== false || answer === "refuse";
}
