import type { AskDeps } from "../answer/ask.ts";
import type { StageName } from "../answer/diagram.ts";
import { quiet, type Stage } from "../answer/run.ts";
import type { Complete } from "../core/llm.ts";
import { openAiComplete } from "../llm/openai.ts";
import { plainDamages } from "./damage.ts";
import { Liar, shownOf } from "./liar.ts";
import { scriptedModel } from "./scripted-model.ts";
import { askAll, type Configuration, type SuiteAnswer } from "./suite-ask.ts";
import { type SuiteFigures, suiteFigures } from "./suite-figures.ts";
import type { SuiteRow } from "./suite-file.ts";
import type { SuitePlace } from "./suite-place.ts";

const SEED = 7_919;

/** One row of the table "with and without each stage". */
export interface StageRow {
  /** "rules": no model; "scripted": the careless double; "model": the configured one. */
  readonly writer: "rules" | "scripted" | "model";
  /** "all", "no rerank", …, or "cache, second pass". */
  readonly stages: string;
  readonly figures: SuiteFigures;
  /** Sentences that the scripted model got wrong on purpose, and those of them that were shown; null for other writers. */
  readonly wrong: { readonly written: number; readonly shown: number } | null;
  /** Answers served from the cache; null where it is not in use. */
  readonly cacheHits: number | null;
}

/** Says yes and changes nothing: what a question meets where a stage is left out. */
const passing: Stage = quiet(async () => ({ ok: true, detail: { off: true } }));

function without(deps: AskDeps, ...stages: readonly StageName[]): AskDeps {
  return { ...deps, stages: Object.fromEntries(stages.map((stage) => [stage, passing])) };
}

interface Ways {
  readonly name: string;
  readonly deps: AskDeps;
}

function waysOf(place: SuitePlace, complete: Complete | null): Ways[] {
  const deps = { ...place.deps(true), complete };
  const always: Ways[] = [
    { name: "all", deps },
    { name: "no guard", deps: without(deps, "guard") },
    { name: "no rerank", deps: { ...place.deps(false), complete } },
    { name: "no verify", deps: without(deps, "verify") },
  ];
  // without a model the judge only repeats what verification said
  if (complete === null) return always;
  return [
    ...always,
    { name: "no judge", deps: without(deps, "judge") },
    { name: "no verify, no judge", deps: without(deps, "verify", "judge") },
  ];
}

export interface StageOptions {
  readonly rows: readonly SuiteRow[];
  readonly place: SuitePlace;
  /** The configured model; null: rules and the scripted double only. */
  readonly complete: Complete | null;
  readonly signal: AbortSignal;
  progress(stage: string, done: number, total: number): void;
}

/**
 * All questions once more with each stage left out: by rules, with a careless model (a double over real HTTP that gets one sentence
 * wrong in every second answer, insists when corrected, and judges by shared words), and with the configured model if there is one.
 */
export async function withAndWithout(options: StageOptions): Promise<StageRow[]> {
  const table: StageRow[] = [];
  for (const way of waysOf(options.place, null)) table.push(await measured("rules", way, options));
  table.push(await cached(options));
  for (const way of await scripted(options)) table.push(way);
  if (options.complete !== null) {
    for (const way of waysOf(options.place, options.complete)) table.push(await measured("model", way, options));
  }
  return table;
}

async function measured(writer: StageRow["writer"], { name, deps }: Ways, options: StageOptions): Promise<StageRow> {
  const answers = await asked(name, { deps, llm: writer !== "rules" }, options);
  return { writer, stages: name, figures: suiteFigures(answers), wrong: null, cacheHits: null };
}

/** The same questions a second time, where the first one filled the answer cache. */
async function cached(options: StageOptions): Promise<StageRow> {
  const deps = { ...options.place.deps(true), complete: null };
  await asked("cache", { deps, llm: false, cache: true }, options);
  const answers = await asked("cache", { deps, llm: false, cache: true }, options);
  const cacheHits = answers.filter(({ answer }) => answer.route === "cache").length;
  return { writer: "rules", stages: "cache, second pass", figures: suiteFigures(answers), wrong: null, cacheHits };
}

async function scripted(options: StageOptions): Promise<StageRow[]> {
  const liar = new Liar("words");
  await using model = await scriptedModel((request) => liar.reply(request));
  const complete = openAiComplete({ baseUrl: model.url, apiKey: "none", models: { cheap: "careless", frontier: "careless" } });
  const table: StageRow[] = [];
  for (const { name, deps } of waysOf(options.place, complete)) {
    const wrong = { written: 0, shown: 0 };
    const configuration: Configuration = {
      deps,
      llm: true,
      before: (_row, at) => liar.next(at % 2 === 0 ? null : (plainDamages[(at >> 1) % plainDamages.length] ?? null), SEED + at),
      after(_row, answer) {
        const sentences = liar.sentences ?? [];
        wrong.written += sentences.filter(({ damage }) => damage !== null).length;
        wrong.shown += shownOf(sentences, answer).filter(({ damage }) => damage !== null).length;
      },
    };
    const answers = await asked(name, configuration, options);
    table.push({ writer: "scripted", stages: name, figures: suiteFigures(answers), wrong, cacheHits: null });
  }
  return table;
}

function asked(name: string, configuration: Configuration, { rows, place, signal, progress }: StageOptions): Promise<SuiteAnswer[]> {
  return askAll(rows, place, configuration, signal, (done) => progress(name, done, rows.length));
}
