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
  const { walk, found, edges, leftOut } = collect(graph, starts, hops, options);
  const hopOf: number[] = [];
  for (const first of starts.keys()) {
    bfsFromNode(
      walk,
      first,
      (key, _attributes, depth) => {
        hopOf[Number(key)] = Math.min(depth, hopOf[Number(key)] ?? depth);
        return depth >= hops;
      },
      { mode: "directed" },
    );
  }
  const nodes: (GraphNode & { hop: number })[] = [];
  for (const [place, id] of found.entries()) {
    const node = graph.node(id);
    const hop = hopOf[place];
    if (node !== null && hop !== undefined) nodes.push({ ...node, hop });
  }
  nodes.sort((a, b) => a.hop - b.hop || (a.id < b.id ? -1 : 1));
  return { nodes, edges: [...edges.values()], leftOut };
}

interface Collected {
  /** Its nodes are the places in `found`: numbers are many times faster as keys than ids. */
  readonly walk: MultiDirectedGraph;
  readonly found: readonly NodeId[];
  readonly edges: ReadonlyMap<string, GraphEdge>;
  readonly leftOut: number;
}

/** The part of the graph that the walk may see, level by level: of each node the first edge that leads to it. */
function collect(graph: KnowledgeGraph, starts: readonly NodeId[], hops: number, options: ExpandOptions): Collected {
  const { kinds, direction, at, fanOut = defaults.fanOut, limit = defaults.limit } = options;
  const narrow = {
    ...(kinds === undefined ? {} : { kinds }),
    ...(direction === undefined ? {} : { direction }),
    ...(at === undefined ? {} : { at }),
    // one more than is followed tells whether any was left out
    fanOut: fanOut + 1,
  };
  const walk = new MultiDirectedGraph();
  const found: NodeId[] = [];
  const places = new Map<NodeId, number>();
  const add = (id: NodeId): number => {
    const place = found.push(id) - 1;
    places.set(id, place);
    walk.addNode(place);
    return place;
  };
  starts.forEach(add);
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
      const around = graph.edgesOf(node, narrow);
      if (around.length > fanOut) leftOut += Math.max(1, graph.degree(node) - fanOut);
      for (const edge of around.slice(0, fanOut)) {
        if (edges.has(edge.id)) continue;
        const other = edge.source === node ? edge.target : edge.source;
        if (!places.has(other)) {
          if (walk.order >= limit) {
            leftOut += 1;
            continue;
          }
          walk.addDirectedEdge(places.get(node), add(other));
          next.push(other);
        }
        edges.set(edge.id, edge);
      }
    }
    frontier = next;
  }
  return { walk, found, edges, leftOut };
}
