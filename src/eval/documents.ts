import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { documentRecord } from "../connectors/documents/index.ts";
import { ParserProcess } from "../connectors/documents/parser-process.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import type { SourceRecord } from "../core/record.ts";
import type { Suite, SuiteOptions, SuiteResult } from "./suite.ts";

const Row = z.object({
  file: z.string(),
  outcome: z.enum(["text", "reject"]),
  phrase: z.string().optional(),
  page: z.int().positive().nullish(),
  note: z.string().nullish(),
  kind: z.string().nullish(),
});
type Row = z.infer<typeof Row>;

interface Outcome {
  readonly file: string;
  readonly wanted: "text" | "reject";
  readonly textFound: boolean;
  /** Null where no page is asked for. */
  readonly pageRight: boolean | null;
  readonly rejected: boolean;
  readonly detail: string;
}

/** Documents in the formats people point the tool at: is the text there, on the right page, and is what cannot be read refused? */
export const documents: Suite = {
  name: "documents",
  about: "files and manifest.json {file, outcome: text|reject, phrase, page?}",

  async run(options): Promise<SuiteResult> {
    const rows = z.array(Row).parse(JSON.parse(await readFile(join(options.path, "manifest.json"), "utf8")));
    await using parser = new ParserProcess({ timeoutSeconds: 60, memoryMb: 768 });
    const outcomes: Outcome[] = [];
    for (const [i, row] of rows.entries()) {
      outcomes.push(await measure(row, parser, options));
      options.progress("documents", i + 1, rows.length);
    }
    return summarise(rows, outcomes);
  },
};

async function measure(row: Row, parser: ParserProcess, { path, signal }: SuiteOptions): Promise<Outcome> {
  const base = { file: row.file, wanted: row.outcome, textFound: false, pageRight: null, rejected: false };
  try {
    const file = join(path, row.file);
    const { size, mtimeMs } = await stat(file).catch((cause) => {
      throw new ContextError("NOT_FOUND", `${row.file} is missing from the data`, { cause });
    });
    const reply = await parser.parse({ path: file, name: row.file }, signal);
    const record = documentRecord(`doc:${row.file}`, { path: file, name: row.file, size, mtimeMs: Math.trunc(mtimeMs) }, reply.parsed);
    const at = row.phrase === undefined ? 0 : findPhrase(record.body.slice(0, record.proseEnd), row.phrase);
    const page = at === null ? null : pageAt(record, at, row.phrase ?? "");
    const pageRight = row.page ? (page?.includes(row.page) ?? false) : null;
    return {
      ...base,
      textFound: at !== null,
      pageRight,
      detail: at === null ? "text was read, the phrase is not in it" : `page ${page?.join(" or ") ?? "-"}`,
    };
  } catch (error) {
    const { code, message } = toContextError(error);
    if (code === "INTERNAL" || code === "CANCELLED" || code === "NOT_FOUND") throw error;
    return { ...base, rejected: true, detail: `${code}: ${message}` };
  }
}

/** Both sides after NFKC, white space folded, direction marks and soft hyphens removed (the data's README). */
function normalise(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\u00ad\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/\s+/g, " ");
}

/** Where a phrase begins in the text as it is; null when it is not there. Found by halves, since normalising moves offsets. */
function findPhrase(text: string, phrase: string): number | null {
  const wanted = normalise(phrase);
  if (!normalise(text).includes(wanted)) return null;
  let [low, high] = [0, text.length];
  // the longest start that can be cut off without losing the phrase ends where the (last) phrase begins
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (normalise(text.slice(middle)).includes(wanted)) low = middle;
    else high = middle;
  }
  return low;
}

/** Pages that hold the phrase: its last occurrence, and, when the text has it more than once, every page with one. */
function pageAt({ body, proseEnd, fields }: SourceRecord, at: number, phrase: string): readonly number[] | null {
  const starts = fields.pageStarts;
  if (!starts) return null;
  const wanted = normalise(phrase);
  const pages = starts.flatMap((start, i) => {
    const end = starts[i + 1] ?? proseEnd;
    return normalise(body.slice(start, end)).includes(wanted) ? [i + 1] : [];
  });
  if (pages.length > 0) return pages;
  return [starts.findLastIndex((start) => start <= at) + 1];
}

function summarise(rows: readonly Row[], outcomes: readonly Outcome[]): SuiteResult {
  const right = (one: Outcome) => (one.wanted === "reject" ? one.rejected : one.textFound && one.pageRight !== false);
  const accepted = (one: Outcome, i: number) => right(one) || isAcceptable(one, rows[i]?.note ?? "");
  const texts = outcomes.filter((one) => one.wanted === "text");
  const paged = outcomes.filter((one, i) => rows[i]?.page && one.wanted === "text");
  const rejects = outcomes.filter((one) => one.wanted === "reject");
  const wrong = outcomes.flatMap((one, i) => (accepted(one, i) ? [] : [{ file: one.file, why: one.detail }]));
  const figures = {
    n: outcomes.length,
    textFound: texts.filter((one) => one.textFound).length,
    texts: texts.length,
    pageRight: paged.filter((one) => one.pageRight).length,
    paged: paged.length,
    rejectedRightly: rejects.filter((one) => one.rejected).length,
    rejects: rejects.length,
    wrong,
  };
  const table = [
    ["file", "wanted", "outcome", "detail"],
    ...outcomes.map((one, i) => [one.file, one.wanted, right(one) ? "right" : accepted(one, i) ? "acceptable" : "WRONG", one.detail]),
  ];
  const lines = outcomes.map((one) => JSON.stringify(one)).join("\n");
  return { figures, table, files: { "documents.jsonl": `${lines}\n` } };
}

/** Some rows say themselves that the other outcome will do, too. */
function isAcceptable(outcome: Outcome, note: string): boolean {
  return outcome.wanted === "text" && outcome.rejected && /a clear error is acceptable/.test(note);
}
