import type { NodeKind } from "../core/fact.ts";
import type { Graph, GraphNode } from "../core/graph.ts";
import { foldWord, terms } from "../core/words.ts";
import { attributeOf } from "./asked-for.ts";
import { type Intent, intentsOf } from "./intents.ts";
import { misspelt } from "./near-names.ts";
import { plainWords } from "./plain.ts";
import { parseWindow, type Window } from "./time.ts";
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
  readonly ambiguous: readonly { readonly name: string; readonly nodes: readonly GraphNode[] }[];
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

const MASK: Readonly<Record<NodeKind, string>> = {
  service: "⟨service⟩",
  ticket: "⟨ticket⟩",
  commit: "⟨commit⟩",
  engineer: "⟨person⟩",
  team: "⟨team⟩",
  doc: "⟨doc⟩",
  log: "⟨log⟩",
};

/** A word where an owner stands: many teams are only called by theirs. */
const teamPlace = /(?<![\p{L}⟨-])([a-z][a-z-]{2,30})( (?:team )?(?:owns?|owned|maintains?|looks after|is responsible for)\b)/gu;

/** Reads a question. Pure; `now` is what relative times refer to. */
export function understand(text: string, graph: Graph, now: Date): Question {
  const question = text.replace(/[⟨⟩]/g, " ").replace(/\s+/g, " ").trim();
  const named: Record<NodeKind, GraphNode[]> = { service: [], ticket: [], commit: [], engineer: [], team: [], doc: [], log: [] };
  const ambiguous: { name: string; nodes: readonly GraphNode[] }[] = [];
  const literals = literalsOf(question);
  let masked = "";
  let at = 0;
  for (const { start, end, text: name, resolution } of graph.mentions(question)) {
    if (start < at || resolution.type === "none" || commonWord(question, start, end, name)) continue;
    const nodes = resolution.type === "one" ? [resolution.node] : resolution.nodes;
    const [first] = nodes;
    if (first === undefined) continue;
    if (resolution.type === "one") add(named[first.kind], first);
    else ambiguous.push({ name, nodes });
    masked += `${question.slice(at, start)}${MASK[first.kind]}`;
    at = end;
  }
  masked = (masked + question.slice(at)).toLowerCase();
  if (named.service.length === 0 && ambiguous.length === 0)
    masked = masked.replace(/(?<![\p{L}\p{N}⟨_-])\p{L}{6,}(?![\p{L}\p{N}⟩_-])/gu, (word) => {
      const node = misspelt(word, graph);
      if (node === null) return word;
      add(named.service, node);
      return MASK.service;
    });
  masked = masked.replace(teamPlace, (whole, name: string, rest: string) => {
    const found = graph.resolve(name, "team");
    if (found.type !== "one") return whole;
    add(named.team, found.node);
    return `${MASK.team}${rest}`;
  });
  masked = plainWords(masked);
  for (const literal of literals) {
    const name = workload(literal.toLowerCase());
    const found = name === null ? null : graph.resolve(name, "service");
    if (found?.type === "one") add(named.service, found.node);
  }
  const window = parseWindow(plainWords(question), now);
  const known = new Set(
    Object.values(named).flatMap((nodes) =>
      nodes.flatMap(({ id, aliases }) => [id.slice(id.indexOf(":") + 1).toLowerCase(), ...aliases.map((alias) => alias.toLowerCase())]),
    ),
  );
  const unknown = unknownOf(question, graph, known, masked);
  const seed = {
    masked,
    services: named.service,
    tickets: named.ticket,
    commits: named.commit,
    people: named.engineer,
    literals,
    ambiguous,
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
    ambiguous,
    unknown,
    literals,
    topic: topicOf(masked),
    intents,
    attribute: attributeOf(masked),
  };
}

function add(nodes: GraphNode[], node: GraphNode): void {
  if (!nodes.some(({ id }) => id === node.id)) nodes.push(node);
}

/** A service that is called like an everyday word is meant only where no article makes it one: "a quote", "send an email". */
function commonWord(question: string, start: number, end: number, name: string): boolean {
  if (!/^\p{Ll}{2,12}$/u.test(name)) return false;
  const before = question.slice(Math.max(0, start - 12), start).toLowerCase();
  const after = question.slice(end, end + 12).toLowerCase();
  return /\b(?:an?|some|any) $/.test(before) && !/^ (?:service|api|server|pod|app|component|incident|outage|ticket)/.test(after);
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
  "what which who whom whose when where why how come see sees seen tell show give list name find please explain describe happen happened happening reason cause caused root break broke broken breaking down fail failing failed wrong issue problem incident outage ticket change changed service services system currently now right tonight today yesterday still anything something everything thing people person last past hours hour days day week month since between until evening morning blame fault culprit open state status commit commits pull request brought took made make introduce introduced introduces trigger triggered led deploy deploys deployed deployment rollout killed kills release fix fixes fixed repair repaired resolve resolved solve solved".split(
    " ",
  ),
);

/** Stems of the words that say what a question is about. */
function topicOf(masked: string): string[] {
  // "503s" are 503
  const words =
    masked
      .replace(/⟨\w+⟩/g, " ")
      .replace(/\b(\d{3})s\b/g, "$1")
      .match(/[\p{L}\p{N}][\p{L}\p{N}.$%]*/gu) ?? [];
  return [...new Set(words.filter((word) => !questionWords.has(foldWord(word))).flatMap((word) => terms(word)))];
}
