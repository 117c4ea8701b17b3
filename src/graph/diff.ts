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

/** What changed in what the records say after an instant, up to `until` where that is given. */
export function diffSince(graph: Graph, since: Instant, until: Instant | null = null): GraphDiff {
  const began: GraphEdge[] = [];
  const ended: GraphEdge[] = [];
  const confirmed: GraphEdge[] = [];
  const [from, to] = [Date.parse(since), until === null ? Number.POSITIVE_INFINITY : Date.parse(until)];
  const within = (at: Instant): boolean => {
    const time = Date.parse(at);
    return time > from && time <= to;
  };
  for (const edge of graph.edges()) {
    if (within(edge.validFrom)) began.push(edge);
    else if (edge.evidence.some((one) => !one.ends && within(one.at))) confirmed.push(edge);
    if (edge.validTo !== null && within(edge.validTo)) ended.push(edge);
  }
  return { began, ended, confirmed };
}
