import type { NodeId } from "../core/fact.ts";
import type { Graph, GraphEdge } from "../core/graph.ts";
import type { Instant } from "../core/record.ts";

export interface Hop {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly edge: GraphEdge;
}

const mostVisited = 20_000;

/**
 * How two nodes are connected: the shortest path over edges in either direction, of equally short ones that with the
 * surest edges. Null when there is none within `most` hops.
 * @param at only edges that held then; null for all that ever held
 */
export function pathBetween(
  graph: Graph,
  from: NodeId,
  to: NodeId,
  options: { readonly at?: Instant | null; readonly most?: number } = {},
): readonly Hop[] | null {
  const start = graph.node(from)?.id;
  const goal = graph.node(to)?.id;
  if (start === undefined || goal === undefined) return null;
  if (start === goal) return [];
  const { at = null, most = 6 } = options;
  const cameBy = new Map<NodeId, { readonly hop: Hop | null; readonly doubt: number }>([[start, { hop: null, doubt: 0 }]]);
  let frontier: NodeId[] = [start];
  for (let depth = 0; depth < most && frontier.length > 0; depth += 1) {
    const next = new Map<NodeId, { readonly hop: Hop; readonly doubt: number }>();
    for (const node of frontier) {
      const before = cameBy.get(node)?.doubt ?? 0;
      for (const edge of graph.edgesOf(node, { at })) {
        const other = edge.source === node ? edge.target : edge.source;
        if (cameBy.has(other)) continue;
        const doubt = before - Math.log(Math.max(edge.confidence, 0.01));
        const known = next.get(other);
        if (known === undefined || doubt < known.doubt) next.set(other, { hop: { from: node, to: other, edge }, doubt });
      }
    }
    for (const [node, step] of next) cameBy.set(node, step);
    if (next.has(goal)) return trace(cameBy, goal);
    if (cameBy.size > mostVisited) return null;
    frontier = [...next.keys()];
  }
  return null;
}

function trace(cameBy: ReadonlyMap<NodeId, { readonly hop: Hop | null }>, goal: NodeId): Hop[] {
  const hops: Hop[] = [];
  for (let at = goal, step = cameBy.get(at)?.hop; step !== null && step !== undefined; at = step.from, step = cameBy.get(at)?.hop)
    hops.unshift(step);
  return hops;
}
