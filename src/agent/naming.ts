import type { NodeKind } from "../core/fact.ts";
import type { Graph, GraphNode } from "../core/graph.ts";
import { foldWord } from "../core/words.ts";
import { misspelt } from "./near-names.ts";
import { functionWords, timeWords } from "./understood-words.ts";
import { talkWords } from "./vocabulary.ts";

/** What a question names. */
export interface Named {
  /** Lower case; names are replaced by ⟨service⟩, ⟨ticket⟩ …, so that they are never read as words. */
  readonly masked: string;
  readonly nodes: Readonly<Record<NodeKind, readonly GraphNode[]>>;
  /** Names that could mean several nodes. */
  readonly ambiguous: readonly { readonly name: string; readonly nodes: readonly GraphNode[] }[];
  /** What "besides X" and "other than X" leave out; it stands in `masked` no more. */
  readonly excluded: readonly GraphNode[];
  /** Names of people of which only the last part is known: "Rakesh Sharma", where all that is known is another Sharma. */
  readonly strangers: readonly string[];
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

const leavingOut =
  /\b(?:besides|except(?:ing)?(?: for)?|excluding|apart from|aside from|other than|not counting|leaving out)(?: the)?(?: (?:service|ticket|commit|team))? $/i;
/** A word where an owner stands: many teams are only called by theirs. */
const teamPlace = /(?<![\p{L}⟨-])([a-z][a-z-]{2,30})( (?:team )?(?:owns?|owned|maintains?|looks after|is responsible for)\b)/gu;

/** Finds the names of a question. Pure. */
export function namesIn(question: string, graph: Graph): Named {
  const nodes: Record<NodeKind, GraphNode[]> = { service: [], ticket: [], commit: [], engineer: [], team: [], doc: [], log: [] };
  const ambiguous: { name: string; nodes: readonly GraphNode[] }[] = [];
  const excluded: GraphNode[] = [];
  const strangers: string[] = [];
  let masked = "";
  let at = 0;
  let leftOutUntil = -1;
  for (const { start, end, text: name, resolution } of graph.mentions(question)) {
    if (start < at || resolution.type === "none" || commonWord(question, start, end, name)) continue;
    const meant = resolution.type === "one" ? [resolution.node] : resolution.nodes;
    const [first] = meant;
    if (first === undefined) continue;
    const between = question.slice(at, start);
    const cue = leavingOut.exec(between);
    if (cue !== null || (leftOutUntil === at && /^(?:,|,? and|,? or) (?:the )?$/i.test(between))) {
      excluded.push(...meant);
      masked += cue === null ? "" : between.slice(0, cue.index);
      at = end;
      leftOutUntil = end;
      continue;
    }
    const stranger = first.kind === "engineer" ? strangerAt(question, start, end, meant) : null;
    if (stranger !== null) {
      strangers.push(stranger);
      continue;
    }
    if (resolution.type === "one") add(nodes[first.kind], first);
    else ambiguous.push({ name, nodes: meant });
    masked += `${between}${MASK[first.kind]}`;
    at = end;
  }
  masked = (masked + question.slice(at)).toLowerCase();
  if (excluded.length > 0)
    masked = masked
      .replace(/\s+(?=[?.!,])/g, "")
      .replace(/^[\s,]+/, "")
      .replace(/\s+/g, " ");
  if (nodes.service.length === 0 && ambiguous.length === 0)
    masked = masked.replace(/(?<![\p{L}\p{N}⟨_-])\p{L}[\p{L}-]{4,}\p{L}(?![\p{L}\p{N}⟩_-])/gu, (word) => {
      const node = misspelt(word, graph);
      if (node === null) return word;
      add(nodes.service, node);
      return MASK.service;
    });
  masked = masked.replace(teamPlace, (whole, name: string, rest: string) => {
    const found = graph.resolve(name, "team");
    if (found.type !== "one") return whole;
    add(nodes.team, found.node);
    return `${MASK.team}${rest}`;
  });
  if (nodes.engineer.length === 0) masked = withPossessives(masked, graph, nodes.engineer);
  return { masked, nodes, ambiguous, excluded, strangers };
}

/** "priyas changes": the apostrophe left out. */
function withPossessives(masked: string, graph: Graph, people: GraphNode[]): string {
  return masked.replace(/(?<![\p{L}\p{N}⟨_'’-])(\p{L}{3,})s(?= \p{L}{4,})/gu, (whole, name: string) => {
    if ([whole, name].some((word) => functionWords.has(word) || talkWords.has(word) || timeWords.has(word))) return whole;
    const found = graph.resolve(name, "engineer");
    if (found.type !== "one") return whole;
    add(people, found.node);
    return `${MASK.engineer}'s`;
  });
}

/** Adds a node, once. */
export function add(nodes: GraphNode[], node: GraphNode): void {
  if (!nodes.some(({ id }) => id === node.id)) nodes.push(node);
}

/** A service that is called like an everyday word is meant only where no article makes it one: "a quote", "send an email". */
function commonWord(question: string, start: number, end: number, name: string): boolean {
  if (!/^\p{Ll}{2,12}$/u.test(name)) return false;
  const before = question.slice(Math.max(0, start - 12), start).toLowerCase();
  const after = question.slice(end, end + 12).toLowerCase();
  return /\b(?:an?|some|any) $/.test(before) && !/^ (?:service|api|server|pod|app|component|incident|outage|ticket)/.test(after);
}

/** The whole name, where one part of it is another's: a capitalised word beside the one that is known, and neither at the start. */
function strangerAt(question: string, start: number, end: number, meant: readonly GraphNode[]): string | null {
  const name = question.slice(start, end);
  if (/\s/.test(name)) return null;
  const known = new Set(meant.flatMap(({ label, aliases }) => [label, ...aliases]).flatMap((one) => foldWord(one).split(/[\s._-]+/)));
  const isOther = (word: string): boolean => {
    const folded = foldWord(word).replace(/['’]s?$/, "");
    return !known.has(folded) && !functionWords.has(folded) && !talkWords.has(folded) && !timeWords.has(folded);
  };
  const before = /(?<=\s)(\p{Lu}\p{Ll}[\p{L}'’-]*) $/u.exec(question.slice(0, start))?.[1];
  if (before !== undefined && isOther(before)) return `${before} ${name}`;
  const after = /^ (\p{Lu}\p{Ll}[\p{L}'’-]*)/u.exec(question.slice(end))?.[1];
  return after !== undefined && isOther(after) ? `${name} ${after}` : null;
}
