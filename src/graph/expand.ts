import { MultiDirectedGraph } from "graphology";
import { bfsFromNode } from "graphology-traversal";
import type { NodeId } from "../core/fact.ts";
import type { ExpandOptions, GraphEdge, GraphNode, SubGraph } from "../core/graph.ts";
import type { KnowledgeGraph } from "./knowledge-graph.ts";

const defaults = { hops: 2, fanOut: 60, limit: 300 } as const;

/**
 * Breadth-first from the given nodes, at most two hops. Of each node the `fanOut` most relevant edges are followed and at
 * most `limit` nodes kept, so that a node that everything touches can not flood an answer, and the cost follows what is
 * returned rather than the size of the graph.
 */
export function expand(graph: KnowledgeGraph, start: readonly NodeId[], options: ExpandOptions): SubGraph {
  const hops = Math.max(0, Math.min(options.hops ?? defaults.hops, 2));
  const starts = [...new Set(start.map((id) => graph.node(id)?.id).filter((id) => id !== undefined))];
  const { walk, edges, leftOut } = collect(graph, starts, hops, options);
  const hopOf = new Map<NodeId, number>();
  for (const first of starts) {
    bfsFromNode(
      walk,
      first,
      (key, _attributes, depth) => {
        const known = hopOf.get(key as NodeId);
        if (known === undefined || depth < known) hopOf.set(key as NodeId, depth);
        return depth >= hops;
      },
      { mode: "directed" },
    );
  }
  const nodes: (GraphNode & { hop: number })[] = [];
  for (const [id, hop] of hopOf) {
    const node = graph.node(id);
    if (node !== null) nodes.push({ ...node, hop });
  }
  nodes.sort((a, b) => a.hop - b.hop || (a.id < b.id ? -1 : 1));
  return { nodes, edges: [...edges.values()], leftOut };
}

/** The part of the graph that the walk may see, level by level: of each node the first edge that leads to it. */
function collect(
  graph: KnowledgeGraph,
  starts: readonly NodeId[],
  hops: number,
  options: ExpandOptions,
): { readonly walk: MultiDirectedGraph; readonly edges: ReadonlyMap<string, GraphEdge>; readonly leftOut: number } {
  const { kinds, direction, at, fanOut = defaults.fanOut, limit = defaults.limit } = options;
  const narrow = {
    ...(kinds === undefined ? {} : { kinds }),
    ...(direction === undefined ? {} : { direction }),
    ...(at === undefined ? {} : { at }),
    // one more than is followed tells whether any was left out
    fanOut: fanOut + 1,
  };
  const walk = new MultiDirectedGraph();
  for (const id of starts) walk.addNode(id);
  const edges = new Map<string, GraphEdge>();
  let leftOut = 0;
  let frontier: NodeId[] = [...starts];
  for (let hop = 0; hop < hops; hop += 1) {
    const next: NodeId[] = [];
    for (const node of frontier) {
      if (walk.order >= limit) {
        leftOut += 1;
        continue;
      }
      const found = graph.edgesOf(node, narrow);
      if (found.length > fanOut) leftOut += Math.max(1, graph.degree(node) - fanOut);
      for (const edge of found.slice(0, fanOut)) {
        if (edges.has(edge.id)) continue;
        const other = edge.source === node ? edge.target : edge.source;
        if (!walk.hasNode(other)) {
          if (walk.order >= limit) {
            leftOut += 1;
            continue;
          }
          walk.addNode(other);
          walk.addDirectedEdgeWithKey(edge.id, edge.source, edge.target);
          next.push(other);
        }
        edges.set(edge.id, edge);
      }
    }
    frontier = next;
  }
  return { walk, edges, leftOut };
}
