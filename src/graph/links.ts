import type { EdgeKind } from "../core/fact.ts";
import type { Side } from "../core/graph.ts";
import type { EdgeEntry, NodeEntry } from "./contributions.ts";

/** From so many edges on, a node finds them by their other ends: going through a hub's list would look at all of them. */
const crowdFrom = 32;

/** The edges that end at a node. */
export type Links = readonly EdgeEntry[] | Crowd;

/** The edges of a hub, by the node at their other end. */
export class Crowd {
  size = 0;
  private readonly hub: NodeEntry;
  private readonly byOther = new Map<NodeEntry, EdgeEntry | readonly EdgeEntry[]>();

  constructor(hub: NodeEntry, edges: Iterable<EdgeEntry>) {
    this.hub = hub;
    for (const edge of edges) this.add(edge);
  }

  add(edge: EdgeEntry): void {
    const other = this.otherOf(edge);
    const known = this.byOther.get(other);
    this.byOther.set(other, known === undefined ? edge : [...listOf(known), edge]);
    this.size += 1;
  }

  delete(edge: EdgeEntry): void {
    const other = this.otherOf(edge);
    const known = listOf(this.byOther.get(other));
    const rest = known.filter((one) => one !== edge);
    this.size -= known.length - rest.length;
    const [only, more] = rest;
    if (only === undefined) this.byOther.delete(other);
    else this.byOther.set(other, more === undefined ? only : rest);
  }

  has(edge: EdgeEntry): boolean {
    return this.between(this.otherOf(edge)).includes(edge);
  }

  between(other: NodeEntry): readonly EdgeEntry[] {
    return listOf(this.byOther.get(other));
  }

  *[Symbol.iterator](): Generator<EdgeEntry, void> {
    for (const known of this.byOther.values()) {
      if (isList(known)) yield* known;
      else yield known;
    }
  }

  private otherOf({ source, target }: EdgeEntry): NodeEntry {
    return source === this.hub ? target : source;
  }
}

function isList(known: EdgeEntry | readonly EdgeEntry[]): known is readonly EdgeEntry[] {
  return Array.isArray(known);
}

function listOf(known: EdgeEntry | readonly EdgeEntry[] | undefined): readonly EdgeEntry[] {
  return known === undefined ? [] : isList(known) ? known : [known];
}

export function sideOf(kind: EdgeKind): Side {
  return kind === "owns" || kind === "depends_on" ? "structure" : "events";
}

const sides = ["structure", "events"] as const;

/** The sides on which edges of these kinds stand. */
export function sidesOf(kinds: readonly EdgeKind[]): readonly Side[] {
  return sides.filter((side) => kinds.some((kind) => sideOf(kind) === side));
}

/** How many edges a node has, ended ones among them. */
export function degreeOf({ structure, events }: NodeEntry): number {
  return countOf(structure) + countOf(events);
}

function countOf(links: Links): number {
  return links instanceof Crowd ? links.size : links.length;
}

/** All edges that end at a node. */
export function* edgesAt({ structure, events }: NodeEntry): Generator<EdgeEntry, void> {
  yield* structure;
  yield* events;
}

/** The edge of a kind from one node to another, found at the end that has fewer to look through. */
export function edgeBetween(source: NodeEntry, kind: EdgeKind, target: NodeEntry): EdgeEntry | undefined {
  for (const edge of candidates(source, sideOf(kind), target))
    if (edge.source === source && edge.target === target && edge.kind === kind) return edge;
  return undefined;
}

function candidates(source: NodeEntry, side: Side, target: NodeEntry): readonly EdgeEntry[] {
  const [from, to] = [source[side], target[side]];
  if (!(from instanceof Crowd)) return from;
  return to instanceof Crowd ? from.between(target) : to;
}

/** Puts an edge to those of both its ends. */
export function link(edge: EdgeEntry): void {
  linkTo(edge.source, edge);
  if (edge.target !== edge.source) linkTo(edge.target, edge);
}

export function unlink(edge: EdgeEntry): void {
  unlinkFrom(edge.source, edge);
  if (edge.target !== edge.source) unlinkFrom(edge.target, edge);
}

function linkTo(node: NodeEntry, edge: EdgeEntry): void {
  const side = sideOf(edge.kind);
  const links = node[side];
  if (links instanceof Crowd) links.add(edge);
  // no room to spare (a spread leaves some): most nodes have few edges
  else if (links.length + 1 < crowdFrom) node[side] = links.length === 0 ? [edge] : links.concat(edge);
  else node[side] = new Crowd(node, [...links, edge]);
}

function unlinkFrom(node: NodeEntry, edge: EdgeEntry): void {
  const side = sideOf(edge.kind);
  const links = node[side];
  if (links instanceof Crowd) links.delete(edge);
  else node[side] = links.filter((one) => one !== edge);
}
