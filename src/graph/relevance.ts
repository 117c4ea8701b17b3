import type { GraphEdge } from "../core/graph.ts";
import type { Instant } from "../core/record.ts";

/** Order in which edges of one node matter to somebody who asks what is wrong: open trouble, causes, owners, needs, changes. */
export const weights = { caused_by: 5, affects: 4, owns: 4, depends_on: 3, fixes: 3, modified: 1 } as const;

/** An edge with what its relevance is told by. */
export interface RankedEdge {
  readonly edge: GraphEdge;
  readonly score: number;
  /** Of its newest evidence. */
  readonly at: Instant;
}

/** @param open whether the edge's source is a ticket that is open */
export function ranked(edge: GraphEdge, at: Instant, open: boolean): RankedEdge {
  const trouble = open && (edge.kind === "affects" || edge.kind === "caused_by");
  return { edge, score: weights[edge.kind] + (edge.validTo === null ? 10 : 0) + (trouble ? 5 : 0), at };
}

/** Most relevant first: what still holds and is open, then the kind of edge, then the newest evidence, then the surest; ties by id. */
export function byRelevance(a: RankedEdge, b: RankedEdge): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return b.edge.confidence - a.edge.confidence || (a.edge.id < b.edge.id ? -1 : a.edge.id > b.edge.id ? 1 : 0);
}
