import type { Answer, AnswerEvent, CheckedClaim, Corpus, Gathered } from "../core/answer.ts";
import type { Passage } from "../core/chunk.ts";
import { type ContextError, toContextError } from "../core/errors.ts";
import type { Complete, CompleteOptions, Completion } from "../core/llm.ts";

/** One question on its way. Only `ask` makes the next one; stages return what to set. */
export interface Run {
  readonly id: string;
  /** As the user put it. */
  readonly asked: string;
  /** As it stands alone, outside its conversation. */
  readonly question: string;
  readonly now: Date;
  /** The asker gave `now`; false: it is the clock's. */
  readonly nowGiven: boolean;
  readonly corpus: Corpus;
  readonly signal: AbortSignal;
  /** The model for this question, metered; null once it failed, or when none is wanted. */
  readonly complete: Complete | null;
  /** Key of the answer cache; null when the cache is not to be used. */
  readonly cacheKey: string | null;
  /** Why the guard stopped it, worded for the user. */
  readonly reason: string;
  readonly query: string;
  /** The sub-questions where the question is taken apart; empty otherwise. */
  readonly parts: readonly string[];
  /** Searches before this one. */
  readonly attempt: number;
  /** Counts drafts, so that a second one is asked for differently. */
  readonly round: number;
  readonly gathered: Gathered;
  /** What the web brought, so that it is asked once a question; null: not asked. */
  readonly fromWeb: Gathered | null;
  readonly route: Answer["route"];
  /** [N] of the draft is `sources[N - 1]`. */
  readonly sources: readonly Passage[];
  readonly draft: string;
  /** Who wrote the draft. */
  readonly writer: "model" | "rules";
  readonly claims: readonly CheckedClaim[];
  /** Sentences that correction took out: the answer is partial. */
  readonly dropped: number;
  /** An earlier answer, found in the cache. */
  readonly replay: Answer | null;
  /** What broke on the way and was done without. */
  readonly degraded: readonly { readonly code: string; readonly message: string }[];
}

export interface Step {
  readonly ok: boolean;
  readonly set?: Partial<Run>;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Nothing was done, since it is not configured: no event, no row in the trace. */
  readonly skipped?: true;
}

/** Yields what happens, returns yes or no and what to set. */
export type Stage = (run: Run) => AsyncGenerator<AnswerEvent, Step>;

/** A stage that has nothing to report on its way. */
export function quiet(decide: (run: Run) => Promise<Step>): Stage {
  // biome-ignore lint/correctness/useYield: the shape of a stage without its events
  return async function* (run) {
    return await decide(run);
  };
}

export const nothing: Gathered = { passages: [], statements: [], toolCalls: [], lookedFor: [], hypotheses: [], notes: [] };

/** Whether the graph's own sentences could answer. */
export function hasFacts({ gathered }: Pick<Run, "gathered">): boolean {
  return gathered.statements.some(({ from }) => from === "edges");
}

/** After a draft of the model was not let through, the second round is the planner's: nobody is worse off for having a model. */
export function plannersTurn(run: Pick<Run, "gathered" | "round">): boolean {
  return run.round > 0 && hasFacts(run);
}

/** A failed model call goes into the trace, and the question goes on without the model. Anything else is thrown on. */
export function withoutModel(run: Run, thrown: unknown): Pick<Run, "complete" | "degraded"> {
  const error = toContextError(thrown);
  if (!error.code.startsWith("LLM_")) throw thrown;
  return { complete: null, degraded: [...run.degraded, degradation(error)] };
}

export function degradation(error: ContextError): { code: string; message: string } {
  return { code: error.code, message: error.message };
}

export interface Meter {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
}

/** Counts what a model is used for one question. */
export function metered(complete: Complete, meter: Meter): Complete {
  return async (options: CompleteOptions, signal: AbortSignal): Promise<Completion> => {
    meter.calls += 1;
    const reply = await complete(options, signal);
    meter.inputTokens += reply.usage.inputTokens;
    meter.outputTokens += reply.usage.outputTokens;
    meter.costUsd += reply.usage.costUsd;
    return reply;
  };
}

/** Lets a call that reports by callback yield what it reports: the joint between promises and generators. */
export async function* reporting<Event, Result>(work: (report: (event: Event) => void) => Promise<Result>): AsyncGenerator<Event, Result> {
  const queue: Event[] = [];
  let wake = (): void => {};
  let settled = false;
  const result = work((event) => {
    queue.push(event);
    wake();
  }).finally(() => {
    settled = true;
    wake();
  });
  // a rejection is awaited below; until then it must not count as unhandled
  result.catch(() => {});
  for (;;) {
    for (let event = queue.shift(); event !== undefined; event = queue.shift()) yield event;
    if (settled) return await result;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (settled || queue.length > 0) resolve();
    });
  }
}
