import type { NodeId } from "../core/fact.ts";
import type { GraphEdge } from "../core/graph.ts";
import { latest } from "./contributions.ts";

/** Order in which edges of one node matter to somebody who asks what is wrong: open trouble, causes, owners, needs, changes. */
export const weights = { caused_by: 5, affects: 4, owns: 4, depends_on: 3, fixes: 3, modified: 1 } as const;

/** Most relevant first: what still holds and is open, then the kind of edge, then the newest evidence, then the surest; ties by id. */
export function byRelevance(graph: { isOpen(id: NodeId): boolean | undefined }): (a: GraphEdge, b: GraphEdge) => number {
  const ranks = new Map<GraphEdge, { readonly score: number; readonly at: string }>();
  const rank = (edge: GraphEdge): { readonly score: number; readonly at: string } => {
    let known = ranks.get(edge);
    if (known === undefined) {
      let score = weights[edge.kind] + (edge.validTo === null ? 10 : 0);
      if (edge.kind === "affects" || edge.kind === "caused_by") score += graph.isOpen(edge.source) === true ? 5 : 0;
      known = { score, at: latest(edge.evidence) };
      ranks.set(edge, known);
    }
    return known;
  };
  return (a, b) => {
    const [x, y] = [rank(a), rank(b)];
    if (x.score !== y.score) return y.score - x.score;
    if (x.at !== y.at) return x.at < y.at ? 1 : -1;
    return b.confidence - a.confidence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  };
}
