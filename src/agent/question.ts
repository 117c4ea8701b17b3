import type { Graph, GraphNode } from "../core/graph.ts";
import { foldWord, terms } from "../core/words.ts";
import { anchoredWindow } from "./anchor.ts";
import { attributeOf } from "./asked-for.ts";
import { type Intent, intentsOf } from "./intents.ts";
import { add, type Named, namesIn } from "./naming.ts";
import { plainWords } from "./plain.ts";
import { spelled } from "./spelling.ts";
import { instant, parseWindow, type Window } from "./time.ts";
import { unknownOf } from "./unknown-names.ts";
import { workload } from "./view.ts";

/** What a question asks, as far as rules can tell. */
export interface Question {
  readonly text: string;
  /** Lower case; what it names is replaced by ⟨service⟩, ⟨ticket⟩ …, so that names are never read as words. */
  readonly masked: string;
  readonly window: Window | null;
  readonly services: readonly GraphNode[];
  readonly tickets: readonly GraphNode[];
  readonly commits: readonly GraphNode[];
  readonly people: readonly GraphNode[];
  readonly teams: readonly GraphNode[];
  readonly docs: readonly GraphNode[];
  /** Names that could mean several nodes. */
  readonly ambiguous: Named["ambiguous"];
  /** What is left out of the answer: "besides X". */
  readonly excluded: readonly GraphNode[];
  /** Identifiers and service names of the question that nothing is known of. */
  readonly unknown: readonly string[];
  /** Trace ids, pod names and the like: found in logs and tickets letter for letter. */
  readonly literals: readonly string[];
  /** Stemmed words beside names, times and question words: what the question is about. */
  readonly topic: readonly string[];
  readonly intents: readonly Intent[];
  /** What is asked for when no fact of the graph can be it: "phone number", "revenue". */
  readonly attribute: string | null;
}

/** What can be asked of a stretch of time. */
const datable =
  /\bchang|\bcommit|\bdeploy|\bmerge|\bship|\breleas|\broll|\bland|\bgo(?:es|ing)? live|\bwent (?:out|live|in)\b|\bincident|\bticket|\boutage|\bopened\b|\bhappen|\blog|\berror|\bon[- ]?call\b|\bown/;

/** Reads a question. Pure; `now` is what relative times refer to. */
export function understand(text: string, graph: Graph, now: Date): Question {
  const question = text.replace(/[⟨⟩]/g, " ").replace(/\s+/g, " ").trim();
  const names = namesIn(question, graph);
  const named = { ...names.nodes, service: [...names.nodes.service] };
  const literals = literalsOf(question);
  let masked = plainWords(spelled(names.masked));
  for (const literal of literals) {
    const name = workload(literal.toLowerCase());
    const found = name === null ? null : graph.resolve(name, "service");
    if (found?.type === "one") add(named.service, found.node);
  }
  let window = parseWindow(plainWords(question), now);
  const anchored =
    window === null ? anchoredWindow({ masked, tickets: named.ticket, commits: named.commit }, instant(now.getTime())) : null;
  if (anchored !== null && datable.test(anchored.rest)) {
    window = anchored.window;
    masked = anchored.rest;
    if (!masked.includes("⟨ticket⟩")) named.ticket = [];
    if (!masked.includes("⟨commit⟩")) named.commit = [];
  }
  const known = new Set(
    Object.values(named).flatMap((nodes) =>
      nodes.flatMap(({ id, aliases }) => [id.slice(id.indexOf(":") + 1).toLowerCase(), ...aliases.map((alias) => alias.toLowerCase())]),
    ),
  );
  const unknown = [...names.strangers, ...unknownOf(question, graph, known, masked)];
  const seed = {
    masked,
    services: named.service,
    tickets: named.ticket,
    commits: named.commit,
    people: named.engineer,
    literals,
    ambiguous: names.ambiguous,
    window,
  };
  const intents = intentsOf(seed);
  return {
    text: question,
    masked,
    window,
    services: named.service,
    tickets: named.ticket,
    commits: named.commit,
    people: named.engineer,
    teams: named.team,
    docs: named.doc,
    ambiguous: names.ambiguous,
    excluded: names.excluded,
    unknown,
    literals,
    topic: topicOf(masked),
    intents,
    attribute: attributeOf(masked),
  };
}

/** Trace ids, pod names, long hex and dotted names that stand for themselves. */
function literalsOf(question: string): string[] {
  const found = new Set<string>();
  for (const [trace] of question.matchAll(/\b(?:[0-9a-f]{32}|[0-9a-f]{16})\b/gi)) found.add(trace);
  for (const match of question.matchAll(/\btrace(?:[ _-]?id)?[ :=]+([0-9a-f]{6,64})\b/gi)) if (match[1]) found.add(match[1]);
  for (const [pod] of question.matchAll(/\b[a-z][a-z0-9-]{1,60}-(?:[a-z0-9]{5,10}-[a-z0-9]{5})\b/g))
    if (/\d/.test(pod.slice(-12))) found.add(pod);
  for (const match of question.matchAll(/\bpod ([a-z0-9][a-z0-9-]{2,100}[a-z0-9])\b/gi))
    if (match[1] && /\d/.test(match[1])) found.add(match[1]);
  return [...found];
}

const questionWords = new Set(
  "what which who whom whose when where why how come see sees seen tell show give list name find please explain describe happen happened happening reason cause caused root break broke broken breaking down fail failing failed wrong issue problem incident outage ticket change changed service services system currently now right tonight today yesterday still anything something everything thing people person last past hours hour days day week month since between until evening morning blame fault culprit open state status commit commits pull request brought took made make introduce introduced introduces trigger triggered led deploy deploys deployed deployment rollout killed kills release fix fixes fixed repair repaired resolve resolved solve solved report reported reporter file filed raise raised opened".split(
    " ",
  ),
);

function isQuestionWord(word: string): boolean {
  return questionWords.has(word) || questionWords.has(word.replace(/s$/, ""));
}

/** Stems of the words that say what a question is about. */
function topicOf(masked: string): string[] {
  // "503s" are 503
  const words =
    masked
      .replace(/⟨\w+⟩/g, " ")
      .replace(/\b(\d{3})s\b/g, "$1")
      .match(/[\p{L}\p{N}][\p{L}\p{N}.$%]*/gu) ?? [];
  return [...new Set(words.filter((word) => !isQuestionWord(foldWord(word))).flatMap((word) => terms(word)))];
}
