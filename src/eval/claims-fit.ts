/**
 * Fits the weights of src/verify/score.ts and draws the curve of thresholds in docs/verification.md:
 *   node src/eval/claims-fit.ts PATH CACHE_DIR
 * Logistic regression with ridge over the features of claims without a mismatch; tenfold cross-validation that keeps a claim and its
 * altered twin in one fold.
 */
import { join } from "node:path";
import type { Features } from "../verify/features.ts";
import { readRows } from "./answers.ts";
import { ClaimRow, checkRows } from "./claims.ts";

const RIDGE = 1;
const FOLDS = 10;
const STEPS = 4_000;
const RATE = 0.005;

interface Sample {
  readonly group: string;
  readonly label: ClaimRow["label"];
  readonly by: string;
  readonly mismatch: boolean;
  readonly x: readonly number[];
}

function vector({ cosine, soft, weakest }: Features): number[] {
  return [1, cosine, soft, weakest];
}

function fit(samples: readonly Sample[]): number[] {
  const w = [0, 0, 0, 0];
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = w.map((weight, at) => (at === 0 ? 0 : RIDGE * weight));
    for (const { x, label } of samples) {
      const error = probability(w, x) - Number(label === "SUPPORTED");
      for (const [at, value] of x.entries()) gradient[at] = (gradient[at] ?? 0) + error * value;
    }
    for (const [at, slope] of gradient.entries()) w[at] = (w[at] ?? 0) - RATE * slope;
  }
  return w;
}

function probability(w: readonly number[], x: readonly number[]): number {
  return 1 / (1 + Math.exp(-x.reduce((sum, value, at) => sum + value * (w[at] ?? 0), 0)));
}

async function main(path: string, cacheDir: string): Promise<void> {
  const rows = readRows(join(path, "claims.jsonl"), ClaimRow);
  const verdicts = await checkRows(rows, { cacheDir, signal: new AbortController().signal, progress: () => undefined });
  const samples: Sample[] = rows.flatMap((row, at) => {
    const verdict = verdicts[at];
    if (verdict === undefined) return [];
    const x = verdict.features === null ? [1, 1, 1, 1] : vector(verdict.features);
    return [{ group: row.group ?? row.id, label: row.label, by: row.differs_by ?? "", mismatch: verdict.mismatches.length > 0, x }];
  });
  const groups = [...new Set(samples.map(({ group }) => group))];
  const foldOf = new Map(groups.map((group, at) => [group, at % FOLDS]));
  const held = new Map<Sample, number>();
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const w = fit(samples.filter((sample) => foldOf.get(sample.group) !== fold && !sample.mismatch));
    for (const sample of samples) if (foldOf.get(sample.group) === fold) held.set(sample, sample.mismatch ? 0 : probability(w, sample.x));
  }
  console.log("least probability | supported kept | number | date | name | negation | other | refuted | not enough");
  for (let least = 0.3; least < 0.8; least += 0.05) {
    const below = (some: readonly Sample[]): string => `${some.filter((sample) => (held.get(sample) ?? 0) < least).length}/${some.length}`;
    const supported = samples.filter(({ label }) => label === "SUPPORTED");
    const kept = `${supported.filter((sample) => (held.get(sample) ?? 0) >= least).length}/${supported.length}`;
    const refuted = samples.filter(({ label }) => label === "REFUTED");
    const kinds = ["number", "date", "name", "negation", "other"].map((kind) => below(refuted.filter(({ by }) => by === kind)));
    const notEnough = below(samples.filter(({ label }) => label === "NOT_ENOUGH"));
    console.log([least.toFixed(2), kept, ...kinds, below(refuted), notEnough].join(" | "));
  }
  console.log(
    "intercept, cosine, soft, weakest:",
    fit(samples.filter(({ mismatch }) => !mismatch))
      .map((weight) => weight.toFixed(2))
      .join(" "),
  );
}

const [path, cacheDir] = process.argv.slice(2);
if (path === undefined || cacheDir === undefined) throw new Error("usage: claims-fit.ts PATH CACHE_DIR");
await main(path, cacheDir);
