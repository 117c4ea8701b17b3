import type { NodeId, NodeKind } from "../../src/core/fact.ts";
import type { ExpandOptions, Graph, GraphEdge, GraphNode, Mention, Resolution, SubGraph } from "../../src/core/graph.ts";

/** A graph over plain lists. */
export class GraphDouble implements Graph {
  readonly #nodes: readonly GraphNode[];
  readonly #edges: readonly GraphEdge[];

  constructor(nodes: readonly GraphNode[], edges: readonly GraphEdge[]) {
    this.#nodes = nodes;
    this.#edges = edges;
  }

  get size() {
    return { nodes: this.#nodes.length, edges: this.#edges.length };
  }

  node(id: NodeId): GraphNode | null {
    return this.#nodes.find((node) => node.id === id) ?? null;
  }

  edge(id: string): GraphEdge | null {
    return this.#edges.find((edge) => edge.id === id) ?? null;
  }

  nodes(kind?: NodeKind): Iterable<GraphNode> {
    return this.#nodes.filter((node) => kind === undefined || node.kind === kind);
  }

  edges(kind?: GraphEdge["kind"]): Iterable<GraphEdge> {
    return this.#edges.filter((edge) => kind === undefined || edge.kind === kind);
  }

  resolve(name: string, kind?: NodeKind): Resolution {
    const wanted = name.trim().toLowerCase();
    const pool = this.#nodes.filter((node) => kind === undefined || node.kind === kind);
    const hits = pool.filter((node) => [node.label, ...node.aliases].some((one) => one.toLowerCase() === wanted));
    if (hits.length === 1 && hits[0] !== undefined) return { type: "one", node: hits[0] };
    if (hits.length > 1) return { type: "many", nodes: hits };
    const nearest = wanted === "" ? [] : pool.filter((node) => node.label.toLowerCase().startsWith(wanted.slice(0, 3)));
    return { type: "none", nearest };
  }

  /** Whole words that are a name; good enough for a few made-up questions. */
  mentions(text: string): readonly Mention[] {
    return [...text.matchAll(/[\w-]+/g)].flatMap((match) => {
      const resolution = this.resolve(match[0]);
      return resolution.type === "none" ? [] : [{ start: match.index, end: match.index + match[0].length, text: match[0], resolution }];
    });
  }

  edgesOf(id: NodeId, options: Omit<ExpandOptions, "hops"> = {}): readonly GraphEdge[] {
    const { direction = "both", kinds, at } = options;
    return this.#edges.filter((edge) => {
      if (kinds !== undefined && !kinds.includes(edge.kind)) return false;
      if (at != null && edge.validFrom > at) return false;
      if (at !== null && edge.validTo !== null && (at === undefined || edge.validTo <= at)) return false;
      return (direction !== "in" && edge.source === id) || (direction !== "out" && edge.target === id);
    });
  }

  expand(start: readonly NodeId[], options: ExpandOptions = {}): SubGraph {
    const hopOf = new Map<NodeId, number>(start.map((id) => [id, 0]));
    for (let hop = 1; hop <= (options.hops ?? 2); hop += 1) {
      for (const id of [...hopOf.keys()]) {
        for (const edge of this.edgesOf(id, options)) {
          for (const end of [edge.source, edge.target]) if (!hopOf.has(end)) hopOf.set(end, hop);
        }
      }
    }
    const nodes = [...hopOf].flatMap(([id, hop]) => {
      const node = this.node(id);
      return node === null ? [] : [{ ...node, hop }];
    });
    return { nodes, edges: this.#edges.filter((edge) => hopOf.has(edge.source) && hopOf.has(edge.target)), leftOut: 0 };
  }

  nodesOfRecord(): readonly NodeId[] {
    return [];
  }
}
