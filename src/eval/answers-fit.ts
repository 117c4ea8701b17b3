/**
 * Fits the weights of src/answer/support.ts and draws the curve of docs/answering.md:
 *   node src/eval/answers-fit.ts CACHE_DIR PATH [PATH …]
 * Each PATH holds documents.jsonl and questions.jsonl as the suite `answers` reads them; the curve is of the first, by questions of
 * articles (documents of one title) that the weights were not fitted on. Logistic regression with ridge; a condition that is not met
 * can only count against a sentence, nearness only for it.
 */
import { join } from "node:path";
import { quote } from "../answer/quote.ts";
import { type Signs, vectorOf } from "../answer/support.ts";
import { silent } from "../core/connector.ts";
import { answeringWorld, evalModels } from "./answering.ts";
import { DocumentRow, holdsAnswer, QuestionRow, readRows } from "./answers.ts";

const RIDGE = 3;
const STEPS = 3_000;
const RATE = 0.5;
/** Passages that an answer is looked for in. */
const PASSAGES = 5;

interface Sample {
  readonly set: string;
  readonly article: string;
  readonly answerable: boolean;
  /** What would be shown holds an expected answer. */
  readonly right: boolean;
  /** null: nothing would be shown whatever the weights. */
  readonly x: readonly number[] | null;
}

async function samplesOf(path: string, cacheDir: string): Promise<Sample[]> {
  const { signal } = new AbortController();
  const documents = readRows(join(path, "documents.jsonl"), DocumentRow).map(({ _id, title, text }) => ({ id: _id, title, text }));
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  using models = evalModels({ cacheDir });
  using world = await answeringWorld(documents, models, { complete: null, log: silent, signal, progress() {} });
  const samples: Sample[] = [];
  for (const row of readRows(join(path, "questions.jsonl"), QuestionRow)) {
    let signs: Signs | null = null;
    const found = await world.search(row.question, { k: PASSAGES, filter: { corpus: "documents" } }, signal);
    const statements = await quote(row.question, found.passages, {
      embedder: models.embedder,
      signal,
      thresholds: { support: 0 },
      observe: (seen) => {
        signs = seen;
      },
    });
    const shown = statements.map(({ text }) => text).join(" ");
    samples.push({
      set: path,
      article: titles.get(row.document) ?? row.document,
      answerable: row.answerable,
      right: row.answerable && holdsAnswer(row.answers, shown),
      x: signs === null ? null : Object.values(vectorOf(signs)),
    });
  }
  return samples;
}

/** Weights in the units of the signs; fitted on standardised ones, so that the ridge treats them alike. */
function fit(samples: readonly Sample[]): number[] {
  const rows = samples.flatMap(({ x, answerable, right }) => (x === null || (answerable && !right) ? [] : [{ x, y: Number(right) }]));
  const width = rows[0]?.x.length ?? 0;
  const column = (at: number): number[] => rows.map(({ x }) => x[at] ?? 0);
  const mean = Array.from({ length: width }, (_, at) => (at === 0 ? 0 : column(at).reduce((sum, v) => sum + v, 0) / rows.length));
  const spread = mean.map((m, at) => (at === 0 ? 1 : Math.sqrt(column(at).reduce((sum, v) => sum + (v - m) ** 2, 0) / rows.length) || 1));
  const scaled = rows.map(({ x, y }) => ({ x: x.map((v, at) => (v - (mean[at] ?? 0)) / (spread[at] ?? 1)), y }));
  const weights = new Array<number>(width).fill(0);
  for (let step = 0; step < STEPS; step += 1) {
    const slope = weights.map((w, at) => (at === 0 ? 0 : RIDGE * w));
    for (const { x, y } of scaled) {
      const error = logistic(weights, x) - y;
      for (const [at, v] of x.entries()) slope[at] = (slope[at] ?? 0) + error * v;
    }
    for (const [at, g] of slope.entries()) weights[at] = inside(at, (weights[at] ?? 0) - (RATE * g) / rows.length);
  }
  const plain = weights.map((w, at) => w / (spread[at] ?? 1));
  plain[0] = (plain[0] ?? 0) - plain.slice(1).reduce((sum, w, at) => sum + w * (mean[at + 1] ?? 0), 0);
  return plain;
}

/** One, then a cosine, then what is not met. */
function inside(at: number, weight: number): number {
  if (at === 0) return weight;
  return at === 1 ? Math.max(0, weight) : Math.min(0, weight);
}

function logistic(weights: readonly number[], x: readonly number[]): number {
  return 1 / (1 + Math.exp(-x.reduce((sum, v, at) => sum + v * (weights[at] ?? 0), 0)));
}

/** Share of pairs of a right and an unanswerable question that are in the right order. */
function areaUnder(held: ReadonlyMap<Sample, number>, samples: readonly Sample[]): number {
  const of = (some: (sample: Sample) => boolean): number[] =>
    samples.flatMap((sample) => (sample.x !== null && some(sample) ? [held.get(sample) ?? 0] : []));
  const [right, none] = [of((sample) => sample.right), of((sample) => !sample.answerable)];
  const above = right.reduce((sum, p) => sum + none.filter((q) => q < p).length + none.filter((q) => q === p).length / 2, 0);
  return above / (right.length * none.length);
}

function draw(samples: readonly Sample[], of: (sample: Sample) => number): void {
  const asked = samples.filter(({ answerable }) => answerable);
  const none = samples.filter(({ answerable }) => !answerable);
  console.log("least | answered | right | refused");
  for (let least = 0; least < 0.95; least += 0.05) {
    const shown = (sample: Sample): boolean => sample.x !== null && of(sample) >= least;
    const counts = [asked.filter(shown), asked.filter((sample) => shown(sample) && sample.right), none.filter((sample) => !shown(sample))];
    console.log([least.toFixed(2), ...counts.map(({ length }) => length)].join(" | "));
  }
  console.log(`of ${asked.length} with an answer, ${none.length} without`);
}

const [cacheDir, ...paths] = process.argv.slice(2);
if (cacheDir === undefined || paths.length === 0) throw new Error("usage: answers-fit.ts CACHE_DIR PATH [PATH …]");
const samples: Sample[] = [];
for (const path of paths) samples.push(...(await samplesOf(path, cacheDir)));
const held = new Map<Sample, number>();
for (const article of new Set(samples.map((sample) => sample.article))) {
  const model = fit(samples.filter((sample) => sample.article !== article));
  for (const sample of samples) if (sample.article === article && sample.x !== null) held.set(sample, logistic(model, sample.x));
}
for (const path of paths) {
  const own = samples.filter(({ set }) => set === path);
  console.log(`\n${path}: area ${areaUnder(held, own).toFixed(3)}, each article by weights fitted on the others`);
  draw(own, (sample) => held.get(sample) ?? 0);
}
const all = fit(samples);
console.log("\nweights:", all.map((w) => w.toFixed(2)).join(" "));
const by = new Map(samples.map((sample) => [sample, sample.x === null ? 0 : logistic(all, sample.x)]));
draw(
  samples.filter(({ set }) => set === paths[0]),
  (sample) => by.get(sample) ?? 0,
);
