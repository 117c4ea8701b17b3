import type { EdgeKind } from "../core/fact.ts";
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

/** How many edges a node has, ended ones among them. */
export function degreeOf({ edges }: NodeEntry): number {
  return edges instanceof Crowd ? edges.size : edges.length;
}

/** Whether an edge ends at a node. */
export function endsAt({ edges }: NodeEntry, edge: EdgeEntry): boolean {
  return edges instanceof Crowd ? edges.has(edge) : edges.includes(edge);
}

/** The edge of a kind from one node to another, found at the end that has fewer to look through. */
export function edgeBetween(source: NodeEntry, kind: EdgeKind, target: NodeEntry): EdgeEntry | undefined {
  for (const edge of candidates(source, target)) if (edge.source === source && edge.target === target && edge.kind === kind) return edge;
  return undefined;
}

function candidates(source: NodeEntry, target: NodeEntry): readonly EdgeEntry[] {
  if (!(source.edges instanceof Crowd)) return source.edges;
  return target.edges instanceof Crowd ? source.edges.between(target) : target.edges;
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
  if (node.edges instanceof Crowd) node.edges.add(edge);
  // no room to spare (a spread leaves some): most nodes have few edges
  else if (node.edges.length + 1 < crowdFrom) node.edges = node.edges.length === 0 ? [edge] : node.edges.concat(edge);
  else node.edges = new Crowd(node, [...node.edges, edge]);
}

function unlinkFrom(node: NodeEntry, edge: EdgeEntry): void {
  if (node.edges instanceof Crowd) node.edges.delete(edge);
  else node.edges = node.edges.filter((one) => one !== edge);
}
