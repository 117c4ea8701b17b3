import type { Graph, GraphNode } from "../core/graph.ts";

/** Shorter words are too near to others to be taken for a misspelt name. */
const SHORTEST = 6;

/**
 * The one service whose name a word misspells: a letter left out, doubled or added, or two neighbours swapped, and never the first
 * or last one. Another letter in its place is another word ("shopping" is not "shipping"), and so is another end ("schedule" is not
 * "scheduler"). Null when there is none, or more than one.
 */
export function misspelt(word: string, graph: Graph): GraphNode | null {
  if (word.length < SHORTEST) return null;
  const found = new Map<string, GraphNode>();
  for (const node of graph.nodes("service"))
    if ([node.label, ...node.aliases].some((name) => slipped(word, name.toLowerCase()))) found.set(node.id, node);
  const [only] = found.values();
  return found.size === 1 && only !== undefined ? only : null;
}

/** Whether a word is another one with a letter left out, doubled or added, or with two neighbours swapped; never the first or last. */
export function slipped(word: string, name: string): boolean {
  if (word.length < SHORTEST || name.length < SHORTEST || word === name || word[0] !== name[0] || word.at(-1) !== name.at(-1)) return false;
  if (!/^\p{L}[\p{L}-]+$/u.test(name) || word.split("-").length !== name.split("-").length) return false;
  let at = 0;
  while (at < word.length && word[at] === name[at]) at += 1;
  const [rest, own] = [word.slice(at), name.slice(at)];
  if (word.length === name.length) return rest.length > 2 && rest[0] === own[1] && rest[1] === own[0] && rest.slice(2) === own.slice(2);
  return word.length === name.length + 1 ? rest.slice(1) === own : word.length + 1 === name.length && rest === own.slice(1);
}
