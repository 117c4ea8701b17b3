import type { Graph, GraphEdge } from "../core/graph.ts";
import type { Instant } from "../core/record.ts";

export interface GraphDiff {
  /** Edges that came to hold after the instant. */
  readonly began: readonly GraphEdge[];
  /** Edges that held and do so no longer. */
  readonly ended: readonly GraphEdge[];
  /** Edges that held before and have got newer evidence since. */
  readonly confirmed: readonly GraphEdge[];
}

/** What changed in what the records say, from an instant until now (or until `until`). */
export function diffSince(graph: Graph, since: Instant, until: Instant | null = null): GraphDiff {
  const began: GraphEdge[] = [];
  const ended: GraphEdge[] = [];
  const confirmed: GraphEdge[] = [];
  const past = (at: Instant): boolean => until === null || at <= until;
  for (const edge of graph.edges()) {
    if (edge.validFrom > since && past(edge.validFrom)) began.push(edge);
    else if (edge.evidence.some((one) => !one.ends && one.at > since && past(one.at))) confirmed.push(edge);
    if (edge.validTo !== null && edge.validTo > since && past(edge.validTo)) ended.push(edge);
  }
  return { began, ended, confirmed };
}
