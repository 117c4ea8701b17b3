import type { EdgeKind, Extraction, NodeAttributes, NodeId, NodeKind, Tier } from "./fact.ts";
import type { Instant, RecordId, Span } from "./record.ts";

export interface Evidence {
  readonly span: Span;
  readonly rule: string;
  readonly tier: Tier;
  readonly confidence: number;
  readonly at: Instant;
  readonly ends: boolean;
  readonly authority: number;
}

export interface GraphNode {
  readonly id: NodeId;
  readonly kind: NodeKind;
  readonly label: string;
  /** Spellings that mean this node. */
  readonly aliases: readonly string[];
  readonly attributes: NodeAttributes;
  /** Places that say what the attributes say, newest first. */
  readonly spans: readonly Span[];
}

export interface GraphEdge {
  /** `${source}|${kind}|${target}` */
  readonly id: string;
  readonly source: NodeId;
  readonly target: NodeId;
  readonly kind: EdgeKind;
  /** 0 to 1, computed from the evidence. */
  readonly confidence: number;
  /** Best first: authority, then newest. */
  readonly evidence: readonly Evidence[];
  readonly validFrom: Instant;
  /** Null while it holds. */
  readonly validTo: Instant | null;
}

export interface ExpandOptions {
  /** At most 2. */
  readonly hops?: number;
  readonly kinds?: readonly EdgeKind[];
  readonly direction?: "out" | "in" | "both";
  /** Only edges that held then; null for all that ever held. */
  readonly at?: Instant | null;
  /** Most edges followed from one node, most relevant first. */
  readonly fanOut?: number;
  /** Most nodes in all. */
  readonly limit?: number;
}

export interface SubGraph {
  readonly nodes: readonly (GraphNode & { readonly hop: number })[];
  readonly edges: readonly GraphEdge[];
  /** Edges that the bounds kept from being followed, and nodes that were reached and not gone on from. */
  readonly leftOut: number;
}

/** What a spelling means: one node, several, or none (then the nearest names). */
export type Resolution =
  | { readonly type: "one"; readonly node: GraphNode }
  | { readonly type: "many"; readonly nodes: readonly GraphNode[] }
  | { readonly type: "none"; readonly nearest: readonly GraphNode[] };

/** A node named in a free text, with the place. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly resolution: Resolution;
}

/** The knowledge graph as its users see it: read-only, in memory, synchronous. */
export interface Graph {
  /**
   * Folds what nobody has looked at yet, a little between two turns of the event loop. Looking at a node needs no more than
   * its neighbourhood; who looks through all nodes or edges waits for this first, or holds up everybody else. Absent: all is there.
   */
  load?(signal: AbortSignal): Promise<void>;
  /** While a graph is not loaded whole, as it was last counted. */
  readonly size: { readonly nodes: number; readonly edges: number };
  node(id: NodeId): GraphNode | null;
  edge(id: string): GraphEdge | null;
  nodes(kind?: NodeKind): Iterable<GraphNode>;
  edges(kind?: EdgeKind): Iterable<GraphEdge>;
  /** A name, id, key, login or unique sha prefix to its node. `kind` narrows it. */
  resolve(name: string, kind?: NodeKind): Resolution;
  /** The nodes that a question or sentence names, in order, longest spelling first, without overlaps. */
  mentions(text: string): readonly Mention[];
  /** Edges at a node, both ways unless told, most relevant first. */
  edgesOf(id: NodeId, options?: Omit<ExpandOptions, "hops">): readonly GraphEdge[];
  /** Breadth-first from the given nodes, both ways unless told. */
  expand(start: readonly NodeId[], options?: ExpandOptions): SubGraph;
  /**
   * Commits that records describe, made from one instant (null: ever) until before another, newest first, equal times by
   * id; last those of which none says when. They are not all read for it. Absent: look through `nodes`.
   */
  commitsMade?(from: Instant | null, before: Instant): Iterable<GraphNode>;
  /** Nodes whose attributes or edges a record states. */
  nodesOfRecord(record: RecordId): readonly NodeId[];
}

/** Edges by which services hang together (owns, depends_on), or of what happens to them (the others). */
export type Side = "structure" | "events";

/**
 * Extractions as they are stored, by the nodes that they speak of, so that a graph can be folded where it is looked at.
 * A node is named by its id, a commit by `commit:` and its first six characters, since records write prefixes.
 */
export interface StoredExtractions {
  /**
   * Of those records that are wanted, the extractions that speak of the node.
   * @param said an edge of that side which ends there, or something of the node itself
   */
  speakingOf(node: string, said: Side | "itself" | "anything", wanted: (record: RecordId) => boolean): readonly Extraction[];
  /** Records that state an edge at the node, or that speak of it in any way. */
  speakers(node: string, of: "edges" | "anything"): Iterable<RecordId>;
  /** The names of all nodes of a kind, and how many there are. */
  nodesOf(kind: NodeKind): Iterable<string>;
  countNodes(kind: NodeKind): number;
  ofRecord(record: RecordId): Extraction | null;
  /**
   * Records that state a commit of a time at least `from` and below `before`, newest first, with that time; last those that
   * state one without a time (""). Null: from ever on.
   */
  commitTimes(from: Instant | null, before: Instant): Iterable<{ readonly record: RecordId; readonly at: Instant }>;
  /**
   * The wanted ones of the next so many by record id.
   * @returns with them the last record looked at; null when there are no more
   */
  page(
    after: string,
    limit: number,
    wanted: (record: RecordId) => boolean,
  ): { readonly extractions: readonly Extraction[]; readonly last: RecordId | null };
}
