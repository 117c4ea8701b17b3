import type { AnswerEvent, Coverage, Gather, Gathered, Statement } from "../core/answer.ts";
import type { Passage, Ranks, Search } from "../core/chunk.ts";
import type { Graph, GraphEdge } from "../core/graph.ts";
import type { Spans } from "../core/spans.ts";
import { terms } from "../core/words.ts";
import { mayBeWritten } from "./attribute.ts";
import { Calls } from "./calls.ts";
import { type Desk, Sheet } from "./desk.ts";
import { asksWhatHappened, type Intent } from "./intents.ts";
import { logCache } from "./log-cache.ts";
import { defaultLimits, type LoopLimits, toolLoop } from "./loop.ts";
import { type Question, understand } from "./question.ts";
import { type Route, routeOf } from "./route.ts";
import { assignee } from "./sections/assignee.ts";
import { cause, status } from "./sections/cause.ts";
import { caused } from "./sections/caused.ts";
import { author, changes, commit, fix, fixedBy, takingBack } from "./sections/changes.ts";
import { accuses } from "./sections/chosen-incident.ts";
import { dependencies, uses } from "./sections/dependencies.ts";
import { incidents } from "./sections/incidents.ts";
import { logs, trace } from "./sections/logs.ts";
import { oncall } from "./sections/oncall.ts";
import { overview } from "./sections/overview.ts";
import { handover, owner } from "./sections/owner.ts";
import { person } from "./sections/people.ts";
import { introduced, pull, pulls } from "./sections/pulls.ts";
import { relation } from "./sections/relation.ts";
import { services } from "./sections/services.ts";
import { definedTerm, definition, documentAsked, documentAuthorAsked, documents, tableFact } from "./sections/texts.ts";
import { duplicate, reopened, ticket } from "./sections/tickets.ts";
import { instant } from "./time.ts";
import { accountsFor, gapOf, namesSomething } from "./understood.ts";
import { type AgentChunks, type AgentRecords, View } from "./view.ts";

export interface AgentDeps {
  readonly graph: Graph;
  /** Another text after every index run: what was derived from the graph is then read again. */
  generation(): string;
  readonly records: AgentRecords;
  readonly chunks: AgentChunks;
  readonly search: Search;
  /** Sentences of passages that answer a question, for what the graph does not hold. */
  quote(question: string, passages: readonly Passage[], signal: AbortSignal): Promise<readonly Statement[]>;
  /** Until when each source is complete. */
  coverage(): readonly Coverage[];
  /** Milliseconds; for the trace and for deadlines. */
  clock(): number;
  /** Times tool calls for a trace; absent: none. */
  readonly spans?: Spans;
  /** What a model may spend on gathering for one question. */
  readonly limits?: Partial<LoopLimits>;
}

const sections: Readonly<Record<Intent, (desk: Desk) => Promise<void>>> = {
  cause,
  status,
  owner,
  oncall,
  handover,
  author,
  changes,
  commit,
  fix,
  "fixed-by": fixedBy,
  incidents,
  ticket,
  reopened,
  duplicate,
  pull,
  pulls,
  introduced,
  dependencies,
  uses,
  logs,
  trace,
  person,
  relation,
  overview,
  services,
  caused,
  assignee,
};

/** Answered from what stands around what the question names. */
const nearby: ReadonlySet<Intent> = new Set(["owner", "oncall", "handover", "dependencies", "uses", "fix", "fixed-by", "commit", "author"]);
const MOST_SENTENCES = 8;
/** Who asks for a cause alone wants it first, and little else. */
const MOST_OF_CAUSE = 4;
const MOST_LISTED = 25;
/** Chunks in which a name that the graph does not know is looked for. */
const MOST_LOOKED_THROUGH = 20;
const noRanks: Ranks = { bm25Rank: null, vectorRank: null, cosine: null, rrf: null, rerank: null, literal: false };

/**
 * The agent without a model: reads the question by rules, calls the tools (at most 7), and words what the edges say.
 * Nothing is said where nothing is recorded; `conclusive` then tells that no text need be searched for it either.
 */
export function createAgent(deps: AgentDeps): Gather {
  const logsOf = logCache(deps);
  return async function* ({ question: text, now, signal, llm, complete }) {
    signal.throwIfAborted();
    const { graph } = deps;
    const at = instant(now.getTime());
    const question = understand(text, graph, now);
    const route = routeOf(question);
    const view = new View(graph, deps.records, deps.chunks, at, logsOf);
    const calls = new Calls({ view, search: deps.search, spans: deps.spans, signal }, deps.clock);
    const sheet = new Sheet();
    const desk: Desk = { question, view, calls, coverage: deps.coverage(), sheet };
    /** What sections looked for that said nothing. */
    const silent: string[] = [];
    if (unknownOnly(question)) {
      for (const name of question.unknown) sheet.nothing(name);
      // what no edge names a document may still describe
      sheet.conclusive = !question.unknown.every((name) => standsInText(name, view));
      return gathered(desk, route, []);
    }
    const document = documentAsked(question.masked) ?? documentAuthorAsked(question.masked);
    if (document !== null && question.services.length + question.tickets.length + question.commits.length > 0) {
      await documents(desk);
      return gathered(desk, route, sheet.statements(MOST_SENTENCES));
    }
    if (route.route !== "agent") {
      await tableFact(desk);
      if (!sheet.empty) return gathered(desk, route, sheet.statements(2));
      if (definedTerm(question.text) !== null) {
        await definition(desk);
        if (!sheet.empty) return gathered(desk, route, sheet.statements(2));
      }
      if (!mayBeWritten(desk)) {
        sheet.nothing(question.attribute ?? "");
        sheet.conclusive = true;
      }
      return gathered(desk, route, []);
    }
    if (!staysNear(question)) await calls.loadAll();
    for (const intent of question.intents) {
      const [said, missed] = [sheet.length, sheet.lookedFor.length];
      await sections[intent](desk);
      if (sheet.length === said) silent.push(...sheet.lookedFor.slice(missed).map(({ what }) => what));
      for (const call of calls.fresh()) yield { type: "tool", call } satisfies AnswerEvent;
    }
    // that there was no ticket on a day is no part that is missing of what happened on it
    if (!sheet.empty && !asksWhatHappened(question.masked)) for (const what of silent) sheet.leftOut(what);
    if (sheet.conclusive && !sheet.empty) sheet.conclusive = false;
    // no text can be searched for all but something
    if (sheet.empty && question.excluded.length > 0) sheet.conclusive = true;
    const causeAlone = question.intents.every((intent) => intent === "cause");
    const most = causeAlone ? MOST_OF_CAUSE : asksForList(question) ? MOST_LISTED : MOST_SENTENCES;
    const statements = [...sheet.statements(most)];
    if (route.mixed && !/\baccording to ⟨ticket⟩/.test(question.masked) && statements.length > 0 && statements.length < MOST_SENTENCES) {
      const found = await deps.search(text, { k: 5, rerank: false }, signal);
      statements.push(...(await deps.quote(text, found.passages, signal)).slice(0, 2));
    }
    const kept = await understoodOnly(desk, statements, deps, signal);
    if (!llm || complete == null) return gathered(desk, route, kept);
    const found = yield* toolLoop({
      question: text,
      asOf: at,
      facts: statements.map((statement) => statement.text),
      view,
      calls,
      complete,
      limits: { ...defaultLimits, ...deps.limits },
      clock: deps.clock,
      signal,
    });
    sheet.notes.push(...found.notes);
    return gathered(desk, route, kept, found.passages);
  };
}

/**
 * Whether a question is answered from what stands around the things that it names, and from the commits of a window; for
 * all others the whole graph is looked through, which has to be loaded first.
 */
function staysNear(question: Question): boolean {
  const { intents, masked, services, tickets, topic, window } = question;
  return intents.every((intent) => {
    switch (intent) {
      case "cause":
        // an accusation is looked for in all tickets, and so is what began in a window where nothing else tells which is meant
        return tickets.length > 0 || (services.length > 0 && !accuses(masked) && (topic.length > 0 || window === null));
      case "changes":
        return services.length > 0 || !takingBack.test(masked);
      case "status":
      case "overview":
        return services.length > 0;
      default:
        return nearby.has(intent);
    }
  });
}

/**
 * The statements, if they answer the whole question. Where they leave out what decides, only sentences of texts that hold it answer, and
 * where there are none the question is for nobody else to answer; where they leave out less, that part is named as looked for.
 */
async function understoodOnly(
  desk: Desk,
  statements: readonly Statement[],
  deps: AgentDeps,
  signal: AbortSignal,
): Promise<readonly Statement[]> {
  const { question, view, sheet } = desk;
  const gap = statements.length === 0 ? null : gapOf(question, statements, view);
  if (gap === null) return statements;
  sheet.notes.push(`not accounted for in what the graph says: ${gap.words.join(", ")}`);
  if (!gap.decisive) {
    for (const word of gap.words) sheet.leftOut(word);
    return statements;
  }
  sheet.hypotheses.length = 0;
  const caused = await causeInstead(desk);
  if (caused.length > 0) return caused;
  // why something happened at a time of which nothing is recorded, no other text tells
  const found =
    gap.words[0] === "why" || (gap.words[0] === "which commit" && question.intents.includes("cause"))
      ? null
      : await deps.search(question.text, { k: 5, rerank: false }, signal);
  const quotes = found === null ? [] : await deps.quote(question.text, found.passages, signal);
  // a field is no sentence that answers
  const said = quotes.filter(({ text }) => !/^Commit: [0-9a-f]{7,40}\.?$/.test(text));
  const whole = said.filter((quote) => gapOf(question, [quote], view, []) === null && accountsFor(question, quote, view)).slice(0, 2);
  if (whole.length > 0) return whole;
  sheet.nothing(gap.words.join(" "));
  sheet.conclusive = true;
  return [];
}

const asksForChange =
  /^(?:which|what) (?:commit|change|deploy\w*|release|merge|revision)s? (?!(?:is|are|was|were|has|have|had|did|does|do)\b)/;
/** What a change does when it makes something good. */
const mends = /\b(?:end|stop|cure|mend|restor|sav|improv|speed|sped|rescu|heal|correct)\w*|\bback\b|\bagain\b|\bright\b|\bfast(?:er)?\b/;

/** "Which commit gave parcels the wrong price?" is a question for a cause, in a word that no list of such words holds. */
async function causeInstead({ sheet: _, ...desk }: Desk): Promise<readonly Statement[]> {
  const { masked, intents, window } = desk.question;
  if (!asksForChange.test(masked) || mends.test(masked) || intents.includes("cause") || window !== null) return [];
  const sheet = new Sheet();
  const question: Question = { ...desk.question, intents: ["cause"] };
  await cause({ ...desk, question, sheet });
  const stated = sheet.statements(MOST_SENTENCES).filter(({ text }) => / was caused by commit /.test(text));
  return stated.length > 0 && gapOf(question, stated, desk.view) === null ? stated : [];
}

/** Whether a text of the sources holds the name as it is written. */
function standsInText(name: string, { chunks }: View): boolean {
  const wanted = name.toLowerCase();
  return chunks.matchWords(terms(name), MOST_LOOKED_THROUGH, {}).some(({ chunkId }) => {
    const text = ` ${chunks.get(chunkId)?.text.toLowerCase() ?? ""} `;
    const at = text.indexOf(wanted);
    return at >= 0 && !/[\p{L}\p{N}_-]/u.test((text[at - 1] ?? "") + (text[at + wanted.length] ?? ""));
  });
}

/** A ticket, commit or service that no source knows, and nothing else to go by. */
function unknownOnly({ unknown, services: named, tickets, commits, intents, attribute }: Question): boolean {
  return (
    unknown.length > 0 &&
    named.length + tickets.length + commits.length === 0 &&
    (intents.length > 0 || attribute !== null || unknown.some((name) => /\d|\p{Lu}\S* \p{Lu}/u.test(name)))
  );
}

function asksForList({ text }: Question): boolean {
  return /\b(?:list|all|every|each|which|what are|who are|show|name|enumerate|everything|how many)\b/i.test(text);
}

/** The result, with a passage for each place that a statement cites. */
function gathered(
  { question, view, calls, sheet }: Desk,
  route: Route,
  statements: readonly Statement[],
  more: readonly Passage[] = [],
): Gathered {
  const passages = new Map<string, Passage>();
  for (const { spans } of statements) {
    for (const { record, start, end } of spans) {
      const chunk = view.chunks.at(record, start, end);
      if (chunk !== null && !passages.has(chunk.id)) passages.set(chunk.id, { chunk, edges: edgesAt(view, record, start), ranks: noRanks });
    }
  }
  for (const passage of [...more, ...(statements.length > 0 ? calls.passages : [])]) {
    if (!passages.has(passage.chunk.id)) passages.set(passage.chunk.id, passage);
  }
  return {
    passages: [...passages.values()],
    statements,
    toolCalls: calls.made,
    lookedFor: sheet.lookedFor,
    hypotheses: sheet.hypotheses,
    notes: sheet.notes,
    route: { name: route.route, reason: route.reason },
    ...(sheet.conclusive && statements.length === 0 ? { conclusive: true } : {}),
    ...(namesSomething(question) ? { accounts: (one: Statement) => accountsFor(question, one, view) } : {}),
    ...(sheet.unanswered.length > 0 && statements.length > 0 ? { unanswered: sheet.unanswered } : {}),
  };
}

/** The edges that a place of a record states, so that a passage tells why it was brought. */
function edgesAt(view: View, record: string, start: number): readonly GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  for (const id of view.graph.nodesOfRecord(record as `${string}:${string}`).slice(0, 20)) {
    for (const edge of view.graph.edgesOf(id, { at: null, fanOut: 60 })) {
      if (edge.evidence.some(({ span }) => span.record === record && Math.abs(span.start - start) < 400)) edges.set(edge.id, edge);
      if (edges.size >= 8) return [...edges.values()];
    }
  }
  return [...edges.values()];
}
