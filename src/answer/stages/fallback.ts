import type { AnswerEvent, Gathered, LookedFor, Statement, ToolCall } from "../../core/answer.ts";
import type { Embedder, Passage } from "../../core/chunk.ts";
import type { WebSearch, WebSearched } from "../../core/web-search.ts";
import type { Run, Stage, Step } from "../run.ts";
import { webPassages } from "../web.ts";
import { near } from "./retrieve.ts";

export interface FallbackDeps {
  /** Null where none is configured: nothing is ever asked outside. */
  readonly web: WebSearch | null;
  readonly embedder: Embedder | null;
  /** Sentences of the pages that answer the question. */
  readonly quote: (question: string, passages: readonly Passage[], signal: AbortSignal) => Promise<readonly Statement[]>;
  readonly minCosine: () => number;
  /** Milliseconds from any fixed point. */
  readonly clock: () => number;
}

/**
 * The web, asked where the indexed sources have no answer. What it brings takes the place of what they brought: an answer stands on the
 * one or on the other, never on both. Not asked for a follow-up, whose standing form may hold names from records, nor where the
 * question is for one corpus, nor where the graph knows that nothing is recorded. An engine's failure is a line of the trace.
 */
export function fallback(deps: FallbackDeps): Stage {
  return async function* (run: Run) {
    const { web } = deps;
    if (web === null) return { ok: false, skipped: true };
    const why = reasonNotTo(run);
    if (why !== null) return { ok: false, detail: { used: false, why } };
    if (run.fromWeb !== null) return answering(run, run.fromWeb, deps, { again: true });

    const started = deps.clock();
    const searched = await web.search(run.asked, run.signal);
    const call: ToolCall = {
      tool: "search_web",
      arguments: { query: searched.query },
      ms: Math.round((deps.clock() - started) * 100) / 100,
      found: searched.pages.length,
    };
    yield { type: "tool", call } satisfies AnswerEvent;
    const passages = await webPassages(run.question, searched.pages, { embedder: deps.embedder, now: run.now, signal: run.signal });
    const statements = await deps.quote(run.question, passages, run.signal);
    const { gathered } = run;
    const fromWeb: Gathered = {
      passages,
      statements,
      toolCalls: [...gathered.toolCalls, call],
      lookedFor: [...gathered.lookedFor, ...searched.engines.map(lookedForOf)],
      hypotheses: [],
      notes: gathered.notes,
    };
    const failures = searched.engines.flatMap(({ failure }) => (failure === null ? [] : [failure]));
    const engines = searched.engines.map(({ name, found, failure }) => ({
      name,
      found,
      ...(failure === null ? {} : { failed: failure.code }),
    }));
    return answering({ ...run, degraded: [...run.degraded, ...failures] }, fromWeb, deps, { query: searched.query, engines });
  };
}

function reasonNotTo({ question, asked, corpus, gathered }: Run): string | null {
  if (corpus !== "all") return `the question is for the ${corpus}`;
  if (gathered.conclusive === true) return "the graph knows that nothing is recorded";
  return question === asked ? null : "a follow-up may hold names from records";
}

function lookedForOf({ name, found, failure }: WebSearched["engines"][number]): LookedFor {
  return { what: failure === null ? `the web, by ${name}` : `the web, by ${name}, which failed (${failure.code})`, window: null, found };
}

/** Yes where there is something to answer from; the pages take the sources' place only then. */
function answering(run: Run, fromWeb: Gathered, { minCosine }: FallbackDeps, detail: Step["detail"]): Step {
  const { passages, statements } = fromWeb;
  const ok = statements.length > 0 || (run.complete !== null && passages.some((passage) => near(passage, minCosine())));
  const kept = { toolCalls: fromWeb.toolCalls, lookedFor: fromWeb.lookedFor };
  return {
    ok,
    set: {
      fromWeb,
      degraded: run.degraded,
      ...(ok ? { gathered: fromWeb, route: "web" } : { gathered: { ...run.gathered, ...kept } }),
    },
    detail: { ...detail, passages: passages.length, statements: statements.length },
  };
}
