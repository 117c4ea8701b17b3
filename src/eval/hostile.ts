import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { type Ask, createAsk } from "../answer/ask.ts";
import { documentGatherer } from "../answer/documents.ts";
import type { Answer, AnswerEvent, Gather, Gathered, GatherRequest } from "../core/answer.ts";
import type { Search } from "../core/chunk.ts";
import { ContextError } from "../core/errors.ts";
import { openAiComplete } from "../llm/openai.ts";
import type { Store } from "../store/store.ts";
import { createVerify } from "../verify/verify.ts";
import { agentWorld } from "./agent-world.ts";
import { answeringWorld, type EvalModels, evalModels } from "./answering.ts";
import { readRows } from "./answers.ts";
import { type Damage, damages, type Source, type Written } from "./damage.ts";
import { Liar, shownOf } from "./liar.ts";
import { scriptedModel } from "./scripted-model.ts";
import type { Suite, SuiteOptions, SuiteResult } from "./suite.ts";

const ANSWERS = 500;
/** Questions in a row from which no answer of the wanted kind can be made. */
const MOST_MISSED = 25;
const SEED = 20_261_130;

const Question = z.object({ question: z.string(), now: z.string().optional() });
const DocumentRow = z.object({ _id: z.string(), title: z.string().default(""), text: z.string() });

/** One answer that the model gives, and what became of it. */
export interface Served {
  readonly question: string;
  readonly sentences: readonly Written[];
  readonly status: Answer["status"];
  readonly shown: readonly Written[];
  /** The sources that a wrong sentence cites, for the reader of a failure. */
  readonly cited: readonly Source[];
  readonly answer: string;
  /** What the verifier said of the claims that it stopped, round by round. */
  readonly stopped: readonly unknown[];
  readonly claims: Answer["claims"];
}

export interface HostileFigures {
  readonly answers: number;
  /** Answers without a wrong sentence. */
  readonly right: number;
  /** Wrong sentences that reached the user. */
  readonly wrongShown: number;
  readonly wrongSentences: number;
  /** Right answers of which nothing was shown. */
  readonly rightRefused: number;
  /** Right sentences of right answers that were not shown. */
  readonly rightSentences: { readonly served: number; readonly dropped: number };
  readonly byKind: Readonly<Record<Damage, { readonly served: number; readonly shown: number }>>;
}

/**
 * A model that lies: half of its answers are right (quotes, and quotes worded otherwise), half hold one wrong sentence of a known kind.
 * It is served over HTTP and asked by the whole pipeline; as judge it calls everything faithful, as corrector it repeats itself.
 */
export const hostile: Suite = {
  name: "hostile",
  about: "a world (records.jsonl, questions) or documents.jsonl with questions.jsonl; the answers are made here",

  async run(options): Promise<SuiteResult> {
    const served = await serve(options);
    const figures = figuresOf(served);
    return {
      figures: { ...figures },
      table: table(figures),
      files: { "answers.jsonl": served.map((one) => `${JSON.stringify(one)}\n`).join("") },
    };
  },
};

/** @param seed another one makes other answers of the same data */
export async function serve(options: SuiteOptions, seed = SEED): Promise<Served[]> {
  const liar = new Liar();
  await using model = await scriptedModel((request) => liar.reply(request));
  using place = await placeOf(options);
  const complete = openAiComplete({ baseUrl: model.url, apiKey: "none", models: { cheap: "liar", frontier: "liar" } });
  const ask = place.askWith(complete);
  const served: Served[] = [];
  let at = 0;
  let missed = 0;
  for (let tries = 0; served.length < ANSWERS && tries < 4 * ANSWERS; tries += 1) {
    const { question, now } = place.questions[tries % place.questions.length] ?? { question: "" };
    const wanted: Damage | null = at % 2 === 0 ? null : (damages[Math.floor(at / 2) % damages.length] ?? null);
    liar.next(wanted, seed + tries);
    const run = ask(question, { signal: options.signal, cache: false, ...(now === undefined ? {} : { now: new Date(now) }) });
    let step = await run.next();
    while (step.done !== true) step = await run.next();
    const { sentences } = liar;
    // the guard refused, nothing was found, or no sentence there could be spoilt that way: another question gets its turn
    if (sentences === null) {
      missed += 1;
      // this data has no sentence for that kind of damage
      if (wanted !== null && missed > MOST_MISSED) [at, missed] = [at + 2, 0];
      continue;
    }
    missed = 0;
    served.push({
      question,
      sentences,
      status: step.value.status,
      shown: shownOf(sentences, step.value),
      cited: liar.sources.filter(({ n }) => sentences.some(({ damage, cites }) => damage !== null && cites.includes(n))),
      answer: step.value.answer,
      stopped: stoppedIn(step.value),
      claims: step.value.claims,
    });
    at += 1;
    options.progress("answers", served.length, ANSWERS);
  }
  return served;
}

function stoppedIn({ trace }: Answer): unknown[] {
  return trace.stages.flatMap(({ name, detail }) => (name === "verify" && Array.isArray(detail.failed) ? detail.failed : []));
}

export function figuresOf(served: readonly Served[]): HostileFigures {
  const rightOnes = served.filter(({ sentences }) => sentences.every(({ damage }) => damage === null));
  const byKind = Object.fromEntries(
    damages.map((kind) => {
      const of = (list: readonly Written[]): number => list.filter(({ damage }) => damage === kind).length;
      return [
        kind,
        { served: served.reduce((sum, one) => sum + of(one.sentences), 0), shown: served.reduce((sum, one) => sum + of(one.shown), 0) },
      ];
    }),
  ) as Record<Damage, { served: number; shown: number }>;
  const sum = (key: "served" | "shown"): number => damages.reduce((total, kind) => total + byKind[kind][key], 0);
  const servedRight = rightOnes.reduce((total, { sentences }) => total + sentences.length, 0);
  const shownRight = rightOnes.reduce((total, { shown }) => total + shown.length, 0);
  return {
    answers: served.length,
    right: rightOnes.length,
    wrongShown: sum("shown"),
    wrongSentences: sum("served"),
    rightRefused: rightOnes.filter(({ status }) => status !== "answered" && status !== "partial").length,
    rightSentences: { served: servedRight, dropped: servedRight - shownRight },
    byKind,
  };
}

function table(figures: HostileFigures): string[][] {
  const share = (part: number, all: number): string => (all === 0 ? "" : `${((100 * part) / all).toFixed(1)} %`);
  return [
    ["", "served", "shown or refused", "share"],
    ["answers", String(figures.answers), "", ""],
    ["right answers refused", String(figures.right), String(figures.rightRefused), share(figures.rightRefused, figures.right)],
    [
      "right sentences dropped",
      String(figures.rightSentences.served),
      String(figures.rightSentences.dropped),
      share(figures.rightSentences.dropped, figures.rightSentences.served),
    ],
    [
      "wrong sentences shown",
      String(figures.wrongSentences),
      String(figures.wrongShown),
      share(figures.wrongShown, figures.wrongSentences),
    ],
    ...damages.map((kind) => [
      `  ${kind}`,
      String(figures.byKind[kind].served),
      String(figures.byKind[kind].shown),
      share(figures.byKind[kind].shown, figures.byKind[kind].served),
    ]),
  ];
}

interface Place extends Disposable {
  readonly questions: readonly z.infer<typeof Question>[];
  askWith(complete: ReturnType<typeof openAiComplete>): Ask;
}

/** A world with its graph and search, or documents with search alone; what was gathered for a question is kept for the next time. */
async function placeOf(options: SuiteOptions): Promise<Place> {
  const models = evalModels(options);
  const isWorld = existsSync(join(options.path, "records.jsonl"));
  const documentsFile = join(options.path, "documents.jsonl");
  if (!isWorld && !existsSync(documentsFile))
    throw new ContextError("USAGE", `${options.path} holds neither records.jsonl nor documents.jsonl.`);
  const quiet = { ...options, complete: null };
  const world = isWorld
    ? await agentWorld(resolve(options.path), quiet)
    : await answeringWorld(
        readRows(documentsFile, DocumentRow).map(({ _id, title, text }) => ({ id: _id, title, text })),
        models,
        quiet,
      );
  const { store, search } = world;
  const agent = "agent" in world ? remembering(world.agent) : null;
  return {
    questions: questionsIn(options.path, store),
    askWith: (complete) => askOver({ store, search, agent, models, complete }),
    [Symbol.dispose]() {
      world[Symbol.dispose]();
      models[Symbol.dispose]();
    },
  };
}

interface Parts {
  readonly store: Store;
  readonly search: Search;
  readonly agent: Gather | null;
  readonly models: EvalModels;
  readonly complete: ReturnType<typeof openAiComplete>;
}

function askOver({ store, search, agent, models, complete }: Parts): Ask {
  const { embedder, words } = models;
  return createAsk({
    agent,
    documents: remembering(documentGatherer({ search, embedder })),
    revision: (id) => store.records.hash(id),
    chunkAt: (record, start, end) => store.chunks.at(record, start, end),
    answers: store.answers,
    generation: () => "1",
    models: embedder.id,
    coverage: () => [],
    complete,
    verify: createVerify({ embedder, words }),
    now: () => new Date("2026-01-01T00:00:00Z"),
    clock: () => performance.now(),
    newId: () => randomUUID().replaceAll("-", "").slice(0, 16),
  });
}

/** Questions of the data; where there are none, every fifth record or document is asked about by its title. */
function questionsIn(path: string, store: Store): z.infer<typeof Question>[] {
  for (const file of [join(path, "truth", "questions.jsonl"), join(path, "questions.jsonl")])
    if (existsSync(file)) return readRows(file, Question);
  const titles = [...store.records.all()].map(({ title }) => title).filter((title) => title.length > 10);
  return titles.filter((_, at) => at % 5 === 0).map((title) => ({ question: `What is known about "${title.slice(0, 120)}"?` }));
}

function remembering(gather: Gather): Gather {
  const known = new Map<string, Gathered>();
  return async function* (request: GatherRequest): AsyncGenerator<AnswerEvent, Gathered> {
    const key = JSON.stringify([request.question, request.query, request.attempt, request.now, request.corpus]);
    const before = known.get(key);
    if (before !== undefined) return before;
    // the model only writes here: the graph is walked by rules
    const gathered = yield* gather({ ...request, llm: false, complete: null });
    known.set(key, gathered);
    return gathered;
  };
}
