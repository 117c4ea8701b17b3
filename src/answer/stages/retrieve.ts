import type { Answer, AnswerEvent, Gather, Gathered, GatherRequest } from "../../core/answer.ts";
import type { Passage } from "../../core/chunk.ts";
import { type ContextError, toContextError } from "../../core/errors.ts";
import { degradation, nothing, plannersTurn, type Run, type Stage } from "../run.ts";

export interface RetrieveDeps {
  /** The graph's side: tools walk facts; null where there is no graph. */
  readonly agent: Gather | null;
  /** Search over chunks, of records and documents alike. */
  readonly documents: Gather;
  /** Least cosine of question and passage that counts as found for a model to write from. */
  readonly minCosine: () => number;
}

/** Most passages a model is given. */
const MOST_PASSAGES = 10;

/**
 * Gathers passages. The graph's side goes first unless only documents are asked; where it has nothing to say, search answers,
 * unless the graph's side knows that there is nothing to find.
 * With a model both sides are given to it. Yes when there is something to answer from: statements, or for a model a passage that
 * is near enough or holds an identifier of the question.
 */
export function retrieve({ agent, documents, minCosine }: RetrieveDeps): Stage {
  return async function* (run: Run) {
    const failures: ContextError[] = [];
    let fromAgent = nothing;
    let fromSearch = nothing;
    if (agent !== null && run.corpus !== "documents") fromAgent = yield* attempt(agent, run, failures);
    const agentSays = fromAgent.statements.length > 0;
    if ((!agentSays && fromAgent.conclusive !== true) || run.complete !== null) fromSearch = yield* attempt(documents, run, failures);

    const gathered = join(fromAgent, fromSearch);
    // Not one passage, and something broke: that is no "nothing found".
    const [broken] = failures;
    if (gathered.passages.length === 0 && broken !== undefined) throw broken;

    const writable = run.complete !== null && gathered.passages.some((passage) => near(passage, minCosine()));
    const ok = gathered.statements.length > 0 || writable;
    const route = routeOf(fromAgent, gathered);
    return {
      ok,
      set: { gathered, route, degraded: [...run.degraded, ...failures.map(degradation)] },
      detail: {
        route,
        ...(fromAgent.route === undefined ? {} : { reason: fromAgent.route.reason }),
        passages: gathered.passages.length,
        statements: gathered.statements.length,
        bestCosine: best(gathered.passages),
        ...(gathered.notes.length === 0 ? {} : { notes: gathered.notes }),
      },
    };
  };
}

/** One side's gathering; what breaks in it is kept, so that the other side can still answer. A stop is a stop. */
async function* attempt(gather: Gather, run: Run, failures: ContextError[]): AsyncGenerator<AnswerEvent, Gathered> {
  const request = (llm: boolean): GatherRequest => ({
    question: run.question,
    query: run.query,
    parts: run.parts,
    attempt: run.attempt,
    now: run.now,
    nowGiven: run.nowGiven,
    corpus: run.corpus,
    llm,
    complete: llm ? run.complete : null,
    signal: run.signal,
  });
  try {
    return yield* gather(request(run.complete !== null && !plannersTurn(run)));
  } catch (thrown) {
    const error = toContextError(thrown);
    if (error.code === "CANCELLED") throw error;
    failures.push(error);
    if (!error.code.startsWith("LLM_")) return nothing;
  }
  try {
    return yield* gather(request(false));
  } catch (thrown) {
    const error = toContextError(thrown);
    if (error.code === "CANCELLED") throw error;
    failures.push(error);
    return nothing;
  }
}

/** Both sides together: the graph's passages first, one chunk once; statements of search only where the graph has none. */
function join(agent: Gathered, search: Gathered): Gathered {
  const passages = new Map<string, Passage>();
  for (const passage of [...agent.passages, ...search.passages]) {
    const known = passages.get(passage.chunk.id);
    passages.set(passage.chunk.id, known === undefined ? passage : { ...known, edges: [...known.edges, ...passage.edges] });
  }
  return {
    passages: [...passages.values()],
    statements: agent.statements.length > 0 ? agent.statements : search.statements.filter((one) => agent.accounts?.(one) ?? true),
    toolCalls: [...agent.toolCalls, ...search.toolCalls],
    lookedFor: [...agent.lookedFor, ...search.lookedFor],
    hypotheses: agent.hypotheses,
    notes: [...agent.notes, ...search.notes],
    ...(agent.conclusive === true ? { conclusive: true } : {}),
    ...unansweredOf(agent.statements.length > 0 ? agent : search),
    ...(agent.route === undefined ? {} : { route: agent.route }),
  };
}

function unansweredOf({ unanswered }: Gathered): Pick<Gathered, "unanswered"> {
  return unanswered === undefined ? {} : { unanswered };
}

/** The passages for a model: half of the places for each side, the rest to whoever has more. */
export function forModel(passages: readonly Passage[]): Passage[] {
  const graph = passages.filter(({ edges }) => edges.length > 0);
  const search = passages.filter(({ edges }) => edges.length === 0);
  const fromSearch = Math.max(MOST_PASSAGES / 2, MOST_PASSAGES - graph.length);
  const kept = new Set([...search.slice(0, fromSearch), ...graph.slice(0, MOST_PASSAGES - Math.min(search.length, fromSearch))]);
  return passages.filter((passage) => kept.has(passage));
}

/** Near enough to write from. */
export function near({ edges, ranks }: Passage, minCosine: number): boolean {
  return edges.length > 0 || ranks.literal || (ranks.cosine ?? 0) >= minCosine;
}

function best(passages: readonly Passage[]): number | null {
  const cosines = passages.map(({ ranks }) => ranks.cosine).filter((cosine) => cosine !== null);
  return cosines.length === 0 ? null : Math.round(Math.max(...cosines) * 1000) / 1000;
}

/** As the agent routed what it answers or knows to be unanswerable; else by the side that answers, for search by its best source. */
function routeOf(agent: Gathered, { statements, passages }: Gathered): Answer["route"] {
  if ((agent.statements.length > 0 || agent.conclusive === true) && agent.route !== undefined) return agent.route.name;
  if (agent.statements.length > 0 || (agent.passages.length > 0 && passages.length === agent.passages.length)) return "agent";
  const record = statements[0]?.spans[0]?.record;
  const answering = passages.find(({ chunk }) => chunk.span.record === record) ?? passages[0];
  return answering?.chunk.source === "documents" ? "documents" : "vector";
}
