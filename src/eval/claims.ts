import { join } from "node:path";
import { z } from "zod";
import { openModels } from "../models/load.ts";
import { asInDraft, checkClaims, type Verdict } from "../verify/check.ts";
import { readEvidence } from "../verify/evidence.ts";
import { loadTagger } from "../verify/grammar.ts";
import { labelOf } from "../verify/score.ts";
import { readRows } from "./answers.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import type { Suite, SuiteOptions, SuiteResult } from "./suite.ts";

export const ClaimRow = z.object({
  id: z.string(),
  claim: z.string(),
  evidence: z.string(),
  label: z.enum(["SUPPORTED", "REFUTED", "NOT_ENOUGH"]),
  differs_by: z.string().nullish(),
  group: z.string().optional(),
  source: z.string().default("all"),
});
export type ClaimRow = z.infer<typeof ClaimRow>;

type Label = "SUPPORTED" | "UNCERTAIN" | "UNSUPPORTED";
type Row = ClaimRow["label"];
const kinds = ["number", "date", "name", "negation", "other"] as const;

export interface ClaimFigures {
  readonly rows: number;
  readonly confusion: Readonly<Record<Row, Readonly<Record<Label, number>>>>;
  /** SUPPORTED rows labelled SUPPORTED, as a share. */
  readonly supportedKept: number;
  /** REFUTED rows not labelled SUPPORTED, as a share. */
  readonly refutedCaught: number;
  readonly refutedCaughtBy: Readonly<Record<(typeof kinds)[number], number>>;
  readonly notEnoughCaught: number;
}

/** Claims beside evidence: what the verifier keeps, what it catches, and what similarity alone would. */
export const claims: Suite = {
  name: "claims",
  about: "claims.jsonl {id, claim, evidence, label: SUPPORTED|REFUTED|NOT_ENOUGH, differs_by}",

  async run(options): Promise<SuiteResult> {
    const rows = readRows(join(options.path, "claims.jsonl"), ClaimRow);
    const verdicts = await checkRows(rows, options);
    const full = rows.map((row, at) => ({ row, label: verdicts[at]?.label ?? ("UNSUPPORTED" as const) }));
    const alone = rows.map((row, at) => ({ row, label: similarityLabel(verdicts[at]) }));
    const drafts = rows.map((row, at) => ({ row, label: draftLabel(verdicts[at]) }));
    const figures = { ...figuresOf(full), similarityOnly: figuresOf(alone), asInDrafts: figuresOf(drafts) };
    return {
      figures,
      table: table(full, alone, drafts),
      files: { "claims.jsonl": rows.map((row, at) => `${JSON.stringify(written(row, verdicts[at]))}\n`).join("") },
    };
  },
};

/** Every row through the verifier's own check; evidence that begins with "[Page]" has that as its title. */
export async function checkRows(
  rows: readonly ClaimRow[],
  options: Pick<SuiteOptions, "cacheDir" | "signal" | "progress">,
): Promise<Verdict[]> {
  using sentences = openModels({ embedding: "bundled", reranker: "none" }, { threads: 1 });
  using words = openModels({ embedding: "static-256", reranker: "none" }, { threads: 1 });
  const deps = { tag: await loadTagger(), embedder: cachedEmbedder(sentences.embedder, options.cacheDir), words: words.embedder };
  const verdicts: Verdict[] = [];
  for (const [at, { claim, evidence }] of rows.entries()) {
    const page = /^\[([^\]\n]{1,80})\]\s/.exec(evidence);
    const text = page === null ? evidence : evidence.slice(page[0].length);
    const read = readEvidence([{ title: page?.[1] ?? "", text }]);
    verdicts.push(...(await checkClaims([{ text: claim, evidence: read }], deps, options.signal)));
    options.progress("check", at + 1, rows.length);
  }
  return verdicts;
}

/** The label that the cosine of claim and nearest sentences would give by the same thresholds. */
function similarityLabel(verdict: Verdict | undefined): Label {
  if (verdict === undefined) return "UNSUPPORTED";
  return verdict.features === null ? "SUPPORTED" : labelOf(verdict.features.cosine);
}

/** The label that the claim would get in a draft, where additions are not taken for another wording. */
function draftLabel(verdict: Verdict | undefined): Label {
  return verdict === undefined ? "UNSUPPORTED" : asInDraft(verdict).label;
}

interface Labelled {
  readonly row: ClaimRow;
  readonly label: Label;
}

function figuresOf(labelled: readonly Labelled[]): ClaimFigures {
  const count = (row: Row, label: Label): number => labelled.filter((one) => one.row.label === row && one.label === label).length;
  const line = (row: Row): Record<Label, number> => ({
    SUPPORTED: count(row, "SUPPORTED"),
    UNCERTAIN: count(row, "UNCERTAIN"),
    UNSUPPORTED: count(row, "UNSUPPORTED"),
  });
  const of = (label: Row): Labelled[] => labelled.filter(({ row }) => row.label === label);
  const caughtBy = (kind: string): number => caught(of("REFUTED").filter(({ row }) => kindOf(row) === kind)).share;
  return {
    rows: labelled.length,
    confusion: { SUPPORTED: line("SUPPORTED"), REFUTED: line("REFUTED"), NOT_ENOUGH: line("NOT_ENOUGH") },
    supportedKept: kept(of("SUPPORTED")).share,
    refutedCaught: caught(of("REFUTED")).share,
    refutedCaughtBy: {
      number: caughtBy("number"),
      date: caughtBy("date"),
      name: caughtBy("name"),
      negation: caughtBy("negation"),
      other: caughtBy("other"),
    },
    notEnoughCaught: caught(of("NOT_ENOUGH")).share,
  };
}

function kindOf({ differs_by }: ClaimRow): string {
  return kinds.find((kind) => kind === differs_by) ?? "other";
}

interface Share {
  readonly part: number;
  readonly all: number;
  readonly share: number;
}

function share(part: number, all: number): Share {
  return { part, all, share: all === 0 ? 0 : part / all };
}

function kept(rows: readonly Labelled[]): Share {
  return share(rows.filter(({ label }) => label === "SUPPORTED").length, rows.length);
}

function caught(rows: readonly Labelled[]): Share {
  return share(rows.filter(({ label }) => label !== "SUPPORTED").length, rows.length);
}

/** "39/39 100.0 % (91-100)": Wilson's interval, 95 %. */
function worded({ part, all, share: p }: Share): string {
  if (all === 0) return "";
  const z = 1.96;
  const middle = (p + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half = (z * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
  const percent = (value: number): string => (100 * Math.max(0, Math.min(1, value))).toFixed(0);
  return `${part}/${all} ${(100 * p).toFixed(1)} % (${percent(middle - half)}-${percent(middle + half)})`;
}

function table(full: readonly Labelled[], alone: readonly Labelled[], drafts: readonly Labelled[]): string[][] {
  const both = (name: string, pick: (rows: readonly Labelled[]) => Share): string[] => [
    name,
    worded(pick(full)),
    worded(pick(alone)),
    worded(pick(drafts)),
  ];
  const only = (test: (row: ClaimRow) => boolean) => (rows: readonly Labelled[]) => rows.filter(({ row }) => test(row));
  const lines: string[][] = [["", "similarity and checks", "similarity alone", "as drafts are held to it"]];
  lines.push(both("supported kept", (rows) => kept(only((row) => row.label === "SUPPORTED")(rows))));
  lines.push(both("refuted caught", (rows) => caught(only((row) => row.label === "REFUTED")(rows))));
  for (const kind of kinds)
    lines.push(both(`  ${kind}`, (rows) => caught(only((row) => row.label === "REFUTED" && kindOf(row) === kind)(rows))));
  lines.push(both("not enough caught", (rows) => caught(only((row) => row.label === "NOT_ENOUGH")(rows))));
  for (const label of ["SUPPORTED", "REFUTED", "NOT_ENOUGH"] as const) {
    const counts = (rows: readonly Labelled[]): string =>
      (["SUPPORTED", "UNCERTAIN", "UNSUPPORTED"] as const)
        .map((one) => only((row) => row.label === label)(rows).filter((row) => row.label === one).length)
        .join(" / ");
    lines.push([`${label}: supported / uncertain / unsupported`, counts(full), counts(alone), counts(drafts)]);
  }
  for (const source of new Set(full.map(({ row }) => row.source))) {
    lines.push(both(`${source}: kept`, (rows) => kept(only((row) => row.source === source && row.label === "SUPPORTED")(rows))));
    lines.push(both(`${source}: caught`, (rows) => caught(only((row) => row.source === source && row.label !== "SUPPORTED")(rows))));
  }
  return lines.filter(([, first]) => first !== "");
}

function written(row: ClaimRow, verdict: Verdict | undefined): unknown {
  return {
    id: row.id,
    expected: row.label,
    differs_by: row.differs_by ?? null,
    source: row.source,
    claim: row.claim,
    label: verdict?.label,
    confidence: verdict?.confidence,
    reason: verdict?.reason,
    mismatches: verdict?.mismatches.map(({ kind }) => kind),
    features: verdict?.features,
    similarityOnly: similarityLabel(verdict),
    inDraft: draftLabel(verdict),
  };
}
