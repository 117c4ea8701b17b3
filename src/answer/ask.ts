import { createHash } from "node:crypto";
import {
  type Answer,
  type AnswerEvent,
  type AskOptions,
  type Citation,
  type Claim,
  type Coverage,
  FROM_THE_WEB,
  type Gather,
  refusals,
  type StageTrace,
  type ToolCall,
  type Verify,
} from "../core/answer.ts";
import type { Chunk, Embedder, Passage, Search } from "../core/chunk.ts";
import { toCitation } from "../core/citation.ts";
import { type ContextError, toContextError } from "../core/errors.ts";
import type { Complete } from "../core/llm.ts";
import type { RecordId } from "../core/record.ts";
import { noSpans, type Spans } from "../core/spans.ts";
import type { WebSearch } from "../core/web-search.ts";
import type { AnswerTable } from "../store/store.ts";
import { diagram, type End, isEnd, next, noRetries, type Refusal, type Retries, type StageName } from "./diagram.ts";
import { placesOf } from "./evidence.ts";
import { marksOf } from "./marks.ts";
import { overlapVerify } from "./overlap.ts";
import { quote } from "./quote.ts";
import { degradation, type Meter, metered, nothing, type Run, type Stage } from "./run.ts";
import { cache } from "./stages/cache.ts";
import { cite } from "./stages/cite.ts";
import { correct } from "./stages/correct.ts";
import { fallback } from "./stages/fallback.ts";
import { type GenerateDeps, generate } from "./stages/generate.ts";
import { guard } from "./stages/guard.ts";
import { judge } from "./stages/judge.ts";
import { planner } from "./stages/planner.ts";
import { retrieve } from "./stages/retrieve.ts";
import { type ExpandNames, rewrite } from "./stages/rewrite.ts";
import { screen } from "./stages/screen.ts";
import { asClaim, type FindEvidence, verify } from "./stages/verify.ts";
import { answeringVersion } from "./version.ts";

export interface AskDeps {
  /** Graph tools; null where there is no graph. */
  readonly agent: Gather | null;
  /** Search and quotes. */
  readonly documents: Gather;
  /** Content hash of a record now; null when it is gone. */
  readonly revision: (id: RecordId) => string | null;
  readonly chunkAt: (record: RecordId, start: number, end: number) => Chunk | null;
  readonly answers: AnswerTable;
  /** Changes whenever the index does; an answer is served again only within one generation. */
  readonly generation: () => string;
  /** Names every model that shapes an answer (answering, embedding, reranking), for the cache key. */
  readonly models: string;
  readonly coverage: () => readonly Coverage[];
  /** Null when none is configured. */
  readonly complete: Complete | null;
  /** Default: word overlap with the cited passages. */
  readonly verify?: Verify;
  /** The own names of what a question mentions by another spelling: search looks for them as well. */
  readonly expandNames?: ExpandNames;
  /** A question of a session as it reads on its own; absent: as it was put. */
  readonly followUp?: (session: string, question: string, now: Date) => string;
  /** Least cosine of question and passage for a model to write from. */
  readonly minCosine?: () => number;
  /** Finds where a claim stands that its own sources do not bear; absent: only what was gathered is looked through. */
  readonly search?: Search;
  /** Asked where the sources have no answer; absent: never. */
  readonly web?: WebSearch | null;
  /** Compares web pages with the question; absent: by words alone. */
  readonly embedder?: Embedder;
  /** A model looks at questions that the guard's rules let through. */
  readonly screened?: boolean;
  /** A model is asked about claims that the verifier's rules let through or are unsure of. */
  readonly secondOpinion?: boolean;
  /** Put in the place of the usual ones: an evaluation measures what a stage is worth by leaving it out. */
  readonly stages?: Partial<Readonly<Record<StageName, Stage>>>;
  /** Times the stages for a trace; absent: none. */
  readonly spans?: Spans;
  readonly now: () => Date;
  /** Milliseconds from any fixed point. */
  readonly clock: () => number;
  /** A new random id, letters and digits. */
  readonly newId: () => string;
}

export type Ask = (question: string, options: AskOptions) => AsyncGenerator<AnswerEvent, Answer>;

const MIN_COSINE = 0.3;
/** Passages of the knowledge base that a claim is held against beside those it cites. */
const EVIDENCE = 5;
const SCREEN_TIMEOUT_MS = 5_000;

/**
 * Answers questions by walking the diagram: yields what happens, returns the contract's Answer.
 * What breaks before a passage was gathered gives status `unavailable` with its code; a model's failure is in `trace.degraded`.
 * Throws CANCELLED when the signal says so, and what is a fault of ours.
 */
export function createAsk(deps: AskDeps): Ask {
  const citationOf = (n: number, passage: Passage): Citation => toCitation(n, passage.chunk);
  const recall = (key: string) => {
    const answer = deps.answers.recall(key);
    return answer === null ? null : { answer, cited: deps.answers.cited(answer.id) };
  };
  const { search, embedder = null, minCosine = () => MIN_COSINE } = deps;
  const evidence: FindEvidence = async (claim, { corpus, signal }) =>
    search === undefined ? [] : (await search(claim, { k: EVIDENCE, filter: { corpus } }, signal)).passages;
  const writing: GenerateDeps = {
    chunkAt: (record, start, end) => deps.chunkAt(record as RecordId, start, end),
    fence: deps.newId,
    toCitation: citationOf,
  };
  const stages: Readonly<Record<StageName, Stage>> = {
    guard: guard(),
    screen: screen({ enabled: deps.screened === true, timeoutMs: SCREEN_TIMEOUT_MS, fence: deps.newId }),
    cache: cache({ recall, revision: (id) => deps.revision(id as RecordId) }),
    rewrite: rewrite(deps.expandNames ?? (() => [])),
    retrieve: retrieve({ agent: deps.agent, documents: deps.documents, minCosine }),
    fallback: fallback({
      web: deps.web ?? null,
      embedder,
      quote: (question, passages, signal) => quote(question, passages, { embedder, signal }),
      minCosine,
      clock: deps.clock,
    }),
    generate: generate(writing),
    planner: planner(writing),
    cite: cite(),
    verify: verify(deps.verify ?? overlapVerify, evidence, deps.secondOpinion === true),
    judge: judge(deps.newId),
    correct: correct(deps.newId),
    ...deps.stages,
  };

  const spans = deps.spans ?? noSpans;

  return async function* ask(question, options) {
    const meter: Meter = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    const trace: StageTrace[] = [];
    let retries: Retries = noRetries;
    const alone =
      options.session === undefined ? question : (deps.followUp?.(options.session, question, options.now ?? deps.now()) ?? question);
    let run = firstRun(question, alone, options, deps, meter);
    const finish = (outcome: Outcome): Answer => keep(compose(run, outcome, { meter, trace, retries }, deps, citationOf), run, deps);
    try {
      for (let at: StageName = "guard"; ; ) {
        options.signal.throwIfAborted();
        const started = deps.clock();
        const step = yield* spans.steps(`answer ${at}`, { attributes: { "contextd.stage": at } }, async function* (span) {
          const done = yield* stages[at](run);
          span.set({ "contextd.stage.ok": done.ok, ...(done.skipped === true ? { "contextd.stage.skipped": true } : {}) });
          return done;
        });
        run = { ...run, ...step.set };
        if (step.skipped !== true) {
          const stage = { name: at, ms: rounded(deps.clock() - started), detail: { ok: step.ok, ...step.detail } };
          trace.push(stage);
          yield { type: "stage", ...stage };
        }
        const hop = next(at, step.ok, retries);
        retries = hop.retries;
        if (isEnd(hop.to)) {
          if (hop.to === "refused") {
            const refuse = { name: "refuse", ms: 0, detail: { at, refusal: diagram[at].refusal } };
            trace.push(refuse);
            yield { type: "stage", ...refuse };
          }
          return finish({ end: hop.to, refusal: diagram[at].refusal });
        }
        at = hop.to;
      }
    } catch (thrown) {
      const error = toContextError(thrown);
      if (options.signal.aborted || error.code === "CANCELLED" || run.gathered.passages.length > 0) throw error;
      return finish({ end: "unavailable", error });
    }
  };
}

type Outcome = { readonly end: End; readonly refusal: Refusal } | { readonly end: "unavailable"; readonly error: ContextError };

function firstRun(asked: string, question: string, options: AskOptions, deps: AskDeps, meter: Meter): Run {
  const model = options.llm === false || deps.complete === null ? null : metered(deps.complete, meter);
  const now = options.now ?? deps.now();
  return {
    id: deps.newId(),
    asked,
    question,
    now,
    nowGiven: options.now !== undefined,
    corpus: options.corpus ?? "all",
    signal: options.signal,
    complete: model,
    cacheKey: options.cache === false ? null : cacheKey(question, options, now, model !== null, deps),
    reason: "",
    query: "",
    parts: [],
    attempt: 0,
    round: 0,
    gathered: nothing,
    fromWeb: null,
    route: "vector",
    sources: [],
    draft: "",
    writer: "rules",
    claims: [],
    dropped: 0,
    replay: null,
    degraded: [],
  };
}

/** Everything an answer depends on. Where no instant is given, the clock counts by the hour: "the last 48 h" moves with it. */
function cacheKey(question: string, options: AskOptions, now: Date, llm: boolean, deps: AskDeps): string {
  const asked = question.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  const at = options.now === undefined ? now.toISOString().slice(0, 13) : options.now.toISOString();
  const parts = [asked, at, options.corpus ?? "all", llm, deps.models, answeringVersion, deps.web?.id ?? "", deps.generation()];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

interface Traced {
  readonly meter: Meter;
  readonly trace: readonly StageTrace[];
  readonly retries: Retries;
}

function compose(
  run: Run,
  outcome: Outcome,
  { meter, trace, retries }: Traced,
  deps: AskDeps,
  citationOf: (n: number, passage: Passage) => Citation,
): Answer {
  const degraded = outcome.end === "unavailable" ? [...run.degraded, degradation(outcome.error)] : run.degraded;
  const reason = run.gathered.route?.reason;
  const traced: Answer["trace"] = {
    stages: [...trace],
    ...(reason === undefined ? {} : { routeReason: reason }),
    retries: retries.searches + retries.rounds,
    llm: { ...meter },
    ...(degraded.length === 0 ? {} : { degraded: [...degraded] }),
  };
  const put = { question: run.asked, ...(run.question === run.asked ? {} : { standalone: run.question }) };
  if (outcome.end === "replayed" && run.replay !== null) {
    const { standalone: _, ...replay } = run.replay;
    return { ...replay, ...put, route: "cache", toolCalls: [], trace: traced };
  }
  const { text, sources, claims } = outcome.end === "answered" ? compacted(run) : { text: "", sources: [], claims: [] };
  const base = {
    id: run.id,
    ...put,
    citations: sources.map((passage, index) => citationOf(index + 1, passage)),
    claims: [...claims],
    coverage: [...coverageOf(deps)],
    lookedFor: [...run.gathered.lookedFor],
    hypotheses: outcome.end === "answered" ? [...run.gathered.hypotheses] : [],
    permalink: `/a/${run.id}`,
    route: run.route,
    toolCalls: run.gathered.toolCalls.map((call): ToolCall => ({ ...call })),
    trace: traced,
    asOf: run.now.toISOString(),
  };
  if (outcome.end === "unavailable") {
    const answer = `The sources could not be searched: ${outcome.error.message}`;
    return { ...base, status: "unavailable", refusal: null, answer };
  }
  if (outcome.end === "answered") {
    const partial = run.dropped > 0 || (run.writer === "rules" && (run.gathered.unanswered ?? []).length > 0);
    return { ...base, status: partial ? "partial" : "answered", refusal: null, answer: run.route === "web" ? fromTheWeb(text) : text };
  }
  const { refusal } = outcome;
  return { ...base, status: "refused", refusal, answer: refusal === "guardrail" ? run.reason : refusals[refusal] };
}

/** Says where it comes from in its first sentence; before a list, in a line of its own. */
function fromTheWeb(text: string): string {
  return /^(?:[-*•+–]|\d{1,3}[.)])\s/.test(text) ? `${FROM_THE_WEB.trimEnd()}\n${text}` : FROM_THE_WEB + text;
}

/** Sources that correction left without a sentence go, and numbers close up: text, claims and list agree. */
function compacted(run: Run): { text: string; sources: Passage[]; claims: Claim[] } {
  const order: number[] = [];
  const renumber = (n: number): number => {
    const at = order.indexOf(n);
    return at >= 0 ? at + 1 : order.push(n);
  };
  let text = "";
  let at = 0;
  for (const mark of marksOf(run.draft)) {
    text += run.draft.slice(at, mark.start) + mark.numbers.map((n) => `[${renumber(n)}]`).join("");
    at = mark.end;
  }
  text += run.draft.slice(at);
  const sources = order.map((n) => run.sources[n - 1]).filter((passage) => passage !== undefined);
  const claims = run.claims.map(asClaim).map((claim): Claim => {
    const citations = claim.citations.filter((n) => order.includes(n)).map(renumber);
    const evidence = placesOf({ text: claim.text, citations }, run.gathered.statements, sources);
    return { ...claim, citations, ...(evidence.length === 0 ? {} : { evidence }) };
  });
  return { text, sources, claims };
}

function coverageOf(deps: AskDeps): readonly Coverage[] {
  try {
    return deps.coverage();
  } catch {
    // an answer that says why it is unavailable must not fail for want of its coverage
    return [];
  }
}

/** Keeps the answer for its permanent link, and for the same question again when it came out answered and whole. */
function keep(answer: Answer, run: Run, deps: AskDeps): Answer {
  if (answer.route === "cache") return answer;
  try {
    const cited: Record<string, string> = {};
    for (const { recordId } of answer.citations) cited[recordId] = deps.revision(recordId as RecordId) ?? "";
    // what the web says has no revision that could tell when it changed
    const lasting = answer.refusal === null && answer.status !== "unavailable" && answer.route !== "web";
    const again = run.cacheKey !== null && lasting && answer.trace.degraded === undefined;
    const cacheRow = again && run.cacheKey !== null ? { cache: { key: run.cacheKey, generation: deps.generation() } } : {};
    deps.answers.put(answer, answer.asOf, { cited, ...cacheRow });
    return answer;
  } catch (thrown) {
    const degraded = [...(answer.trace.degraded ?? []), degradation(toContextError(thrown))];
    return { ...answer, trace: { ...answer.trace, degraded } };
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
