import type { Names } from "../core/extract.ts";
import {
  type EdgeKind,
  type Extraction,
  edgeKinds,
  type Fact,
  type NodeAttributes,
  type NodeFact,
  type NodeId,
  type NodeKind,
} from "../core/fact.ts";
import type { ExpandOptions, Graph, GraphEdge, GraphNode, Mention, Resolution, SubGraph } from "../core/graph.ts";
import type { Instant, RecordId, Span } from "../core/record.ts";
import {
  type EdgeEntry,
  type EdgeId,
  edgeId,
  exists,
  heldAt,
  latest,
  newestFirst,
  order,
  ownPeriod,
  replacedAt,
  toEdge,
} from "./contributions.ts";
import { expand } from "./expand.ts";
import { byRelevance, weights } from "./relevance.ts";
import { mentionsOf, resolveName } from "./resolve.ts";
import { bucketOf, ShaIndex } from "./shas.ts";

/** What one record changed to; null when it is gone. */
export interface Change {
  readonly record: RecordId;
  readonly extraction: Extraction | null;
}

interface Folded {
  readonly extraction: Extraction;
  /** The edge that each fact went to, in the order of the facts. */
  readonly edges: readonly EdgeId[];
  readonly nodes: readonly NodeId[];
}

/**
 * The knowledge graph as a fold over the live extractions: a record's contributions are taken out and put in whole, so an
 * edge whose last evidence goes is gone, and any order of changes ends in the same graph. What is derived (periods,
 * confidence, attributes) is computed from the contributions when asked for, and forgotten when one of them changes.
 * Adjacency is two maps of ids; graphology graphs are made of what an expansion or an export looks at.
 */
export class KnowledgeGraph implements Graph {
  private readonly folded = new Map<RecordId, Folded>();
  private readonly entries = new Map<EdgeId, EdgeEntry>();
  private readonly incident = new Map<NodeId, Set<EdgeEntry>>();
  /** Edges of hubs, promising ones first; forgotten when one of them changes. */
  private readonly ranked = new Map<NodeId, readonly EdgeEntry[]>();
  private readonly nodeFacts = new Map<NodeId, NodeFact[]>();
  private readonly shas = new ShaIndex();
  /** Short commit ids that facts use, by their bucket, with the records that use them. */
  private readonly shortIds = new Map<string, Map<NodeId, Set<RecordId>>>();
  private readonly edgeCache = new Map<EdgeId, GraphEdge>();
  private readonly nodeCache = new Map<NodeId, GraphNode>();
  private named = new Map<NodeId, { readonly label: string; readonly spellings: readonly string[] }>();
  private dictionary: Names | null = null;
  private edgeCount = 0;

  /** The dictionary of names, for labels, aliases and look-ups. Extractions made with another one must be applied anew. */
  setNames(names: Names): void {
    this.dictionary = names;
    this.named = new Map();
    for (const entry of names.entries()) this.named.set(entry.node, { label: entry.label, spellings: entry.spellings });
    this.nodeCache.clear();
  }

  get names(): Names | null {
    return this.dictionary;
  }

  /** Folds changes in, one record at a time; what it is given replaces what the record contributed before. */
  apply(changes: Iterable<Change>): void {
    for (const { record, extraction } of changes) this.replace(record, extraction);
  }

  private replace(record: RecordId, extraction: Extraction | null): void {
    const commitsBefore = this.takeOut(record);
    const commitsAfter = extraction === null ? [] : this.putIn(record, extraction);
    for (const commit of [...commitsBefore, ...commitsAfter]) this.refold(commit);
  }

  /** @returns commits that this record alone had made known */
  private takeOut(record: RecordId): NodeId[] {
    const before = this.folded.get(record);
    if (before === undefined) return [];
    this.folded.delete(record);
    for (const [index, fact] of before.extraction.facts.entries()) this.dropFact(before.edges[index] ?? "", fact);
    for (const fact of before.extraction.facts) this.trackShort(fact, record, false);
    const unknown: NodeId[] = [];
    for (const fact of before.extraction.nodes) {
      const rest = (this.nodeFacts.get(fact.node) ?? []).filter((one) => one !== fact);
      this.forgetNode(fact.node);
      if (rest.length > 0) this.nodeFacts.set(fact.node, rest);
      else {
        this.nodeFacts.delete(fact.node);
        if (isFullSha(fact.node)) {
          this.shas.drop(fact.node.slice("commit:".length));
          unknown.push(fact.node);
        }
      }
    }
    return unknown;
  }

  private putIn(record: RecordId, extraction: Extraction): NodeId[] {
    const known: NodeId[] = [];
    for (const fact of extraction.nodes) {
      const facts = this.nodeFacts.get(fact.node);
      if (facts === undefined) {
        this.nodeFacts.set(fact.node, [fact]);
        if (isFullSha(fact.node)) {
          this.shas.add(fact.node.slice("commit:".length));
          known.push(fact.node);
        }
      } else facts.push(fact);
      this.forgetNode(fact.node);
    }
    const edges: EdgeId[] = [];
    for (const fact of extraction.facts) {
      edges.push(this.addFact(fact));
      this.trackShort(fact, record, true);
    }
    this.folded.set(record, { extraction, edges, nodes: extraction.nodes.map((fact) => fact.node) });
    return known;
  }

  private addFact(fact: Fact): EdgeId {
    const source = this.canonical(fact.source);
    const target = this.canonical(fact.target);
    const id = edgeId(source, fact.kind, target);
    let entry = this.entries.get(id);
    const existed = entry !== undefined && exists(entry);
    if (entry === undefined) {
      entry = { id, source, kind: fact.kind, target, facts: [], last: "" };
      this.entries.set(id, entry);
      this.link(source, entry);
      this.link(target, entry);
    }
    entry.facts.push(fact);
    if (order(fact.at, entry.last) > 0) entry.last = fact.at;
    if (!existed && fact.ends !== true) this.edgeCount += 1;
    this.forgetEdge(entry);
    return entry.id;
  }

  private dropFact(id: EdgeId, fact: Fact): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    const at = entry.facts.indexOf(fact);
    if (at < 0) return;
    const existed = exists(entry);
    entry.facts.splice(at, 1);
    entry.last = latest(entry.facts);
    if (existed && !exists(entry)) this.edgeCount -= 1;
    this.forgetEdge(entry);
    if (entry.facts.length > 0) return;
    this.entries.delete(id);
    this.unlink(entry.source, entry);
    this.unlink(entry.target, entry);
  }

  private link(node: NodeId, entry: EdgeEntry): void {
    const edges = this.incident.get(node);
    if (edges === undefined) this.incident.set(node, new Set([entry]));
    else edges.add(entry);
  }

  private unlink(node: NodeId, entry: EdgeEntry): void {
    const edges = this.incident.get(node);
    edges?.delete(entry);
    if (edges?.size === 0) this.incident.delete(node);
  }

  private canonical(node: NodeId): NodeId {
    return node.startsWith("commit:") && !isFullSha(node) ? this.shas.canonical(node) : node;
  }

  private trackShort(fact: Fact, record: RecordId, present: boolean): void {
    for (const node of [fact.source, fact.target]) {
      if (!node.startsWith("commit:") || isFullSha(node)) continue;
      const bucket = bucketOf(node);
      const ids = this.shortIds.get(bucket) ?? new Map<NodeId, Set<RecordId>>();
      const records = ids.get(node) ?? new Set<RecordId>();
      if (present) records.add(record);
      else records.delete(record);
      if (records.size > 0) ids.set(node, records);
      else ids.delete(node);
      if (ids.size > 0) this.shortIds.set(bucket, ids);
      else this.shortIds.delete(bucket);
    }
  }

  /** A commit came or went: facts that name it by a prefix may now mean another node. */
  private refold(commit: NodeId): void {
    const affected = new Set<RecordId>();
    for (const [node, records] of this.shortIds.get(bucketOf(commit)) ?? []) {
      if (commit.startsWith(node)) for (const record of records) affected.add(record);
    }
    for (const record of affected) {
      const state = this.folded.get(record);
      if (state === undefined) continue;
      const edges = [...state.edges];
      for (const [index, fact] of state.extraction.facts.entries()) {
        const now = edgeId(this.canonical(fact.source), fact.kind, this.canonical(fact.target));
        const before = edges[index] ?? "";
        if (before === now) continue;
        this.dropFact(before, fact);
        edges[index] = this.addFact(fact);
      }
      this.folded.set(record, { ...state, edges });
    }
  }

  // what is derived is forgotten together with what it was derived from

  private forgetEdge(entry: EdgeEntry): void {
    if (this.edgeCache.size > 0) {
      this.edgeCache.delete(entry.id);
      if (entry.kind === "owns")
        for (const other of this.incident.get(entry.target) ?? []) if (other.kind === "owns") this.edgeCache.delete(other.id);
    }
    if (this.ranked.size > 0) {
      this.ranked.delete(entry.source);
      this.ranked.delete(entry.target);
    }
    if (this.nodeCache.size > 0) {
      this.nodeCache.delete(entry.source);
      this.nodeCache.delete(entry.target);
    }
  }

  private forgetNode(node: NodeId): void {
    this.nodeCache.delete(node);
    if (this.ranked.size > 0 && node.startsWith("ticket:"))
      for (const entry of this.incident.get(node) ?? []) this.ranked.delete(entry.target);
    if (this.edgeCache.size > 0 && node.startsWith("ticket:"))
      for (const entry of this.incident.get(node) ?? []) this.edgeCache.delete(entry.id);
  }

  // Graph

  get size(): { readonly nodes: number; readonly edges: number } {
    let nodes = this.incident.size;
    for (const id of this.nodeFacts.keys()) if (!this.incident.has(id)) nodes += 1;
    for (const id of this.named.keys()) if (!this.incident.has(id) && !this.nodeFacts.has(id)) nodes += 1;
    return { nodes, edges: this.edgeCount };
  }

  has(id: NodeId): boolean {
    return this.incident.has(id) || this.nodeFacts.has(id) || this.named.has(id);
  }

  node(id: NodeId): GraphNode | null {
    const known = this.nodeCache.get(id);
    if (known !== undefined) return known;
    const canonical = id.startsWith("commit:") ? this.shas.canonical(id) : id;
    if (canonical !== id) return this.node(canonical);
    if (!this.has(id)) return null;
    const facts = newestFirst(this.nodeFacts.get(id) ?? []);
    const attributes: Record<string, unknown> = {};
    for (const fact of [...facts].reverse()) Object.assign(attributes, fact.attributes);
    const named = this.named.get(id);
    const kind = id.slice(0, id.indexOf(":")) as NodeKind;
    const label =
      named?.label ?? (typeof attributes.label === "string" && attributes.label !== "" ? attributes.label : id.slice(id.indexOf(":") + 1));
    const node: GraphNode = {
      id,
      kind,
      label,
      aliases: named?.spellings ?? [],
      attributes: attributes as NodeAttributes,
      spans: facts.map((fact): Span => fact.span),
    };
    this.nodeCache.set(id, node);
    return node;
  }

  edge(id: string): GraphEdge | null {
    const known = this.edgeCache.get(id);
    if (known !== undefined) return known;
    const entry = this.entries.get(id);
    if (entry === undefined || !exists(entry)) return null;
    const edge = toEdge(entry, this.endOf(entry));
    this.edgeCache.set(id, edge);
    return edge;
  }

  /** Only rules end an edge: its own statements, a closed ticket, another owner in the same position. */
  private endOf(entry: EdgeEntry): Instant | null {
    const { from, to } = ownPeriod(entry);
    if (entry.kind === "affects" && entry.source.startsWith("ticket:") && this.isOpen(entry.source) === false) {
      const closed = this.newest(entry.source, "resolvedAt") ?? latest(this.nodeFacts.get(entry.source) ?? []);
      return earliest(to, closed < from ? from : closed);
    }
    if (entry.kind !== "owns") return to;
    const kind = entry.source.slice(0, entry.source.indexOf(":") + 1);
    const others: EdgeEntry[] = [];
    for (const other of this.incident.get(entry.target) ?? []) {
      if (other === entry || other.kind !== "owns" || other.target !== entry.target) continue;
      if (other.source.startsWith(kind) && exists(other)) others.push(other);
    }
    return earliest(to, replacedAt(entry, others));
  }

  *nodes(kind?: NodeKind): Iterable<GraphNode> {
    const ids = new Set<NodeId>([...this.named.keys(), ...this.nodeFacts.keys(), ...this.incident.keys()]);
    for (const id of [...ids].sort(order)) {
      if (kind !== undefined && !id.startsWith(`${kind}:`)) continue;
      const node = this.node(id);
      if (node !== null) yield node;
    }
  }

  *edges(kind?: EdgeKind): Iterable<GraphEdge> {
    for (const id of [...this.entries.keys()].sort(order)) {
      const entry = this.entries.get(id);
      if (entry === undefined || (kind !== undefined && entry.kind !== kind)) continue;
      const edge = this.edge(id);
      if (edge !== null) yield edge;
    }
  }

  edgesOf(id: NodeId, options: Omit<ExpandOptions, "hops"> = {}): readonly GraphEdge[] {
    const node = this.canonical(id);
    const { kinds = edgeKinds, direction = "both", at, fanOut = Number.POSITIVE_INFINITY } = options;
    const most = Math.min(fanOut, options.limit ?? Number.POSITIVE_INFINITY);
    const found: GraphEdge[] = [];
    const hub = this.degree(node) >= hubFrom;
    for (const entry of this.promising(node)) {
      if (!kinds.includes(entry.kind)) continue;
      if ((direction === "out" && entry.source !== node) || (direction === "in" && entry.target !== node)) continue;
      const edge = this.edge(entry.id);
      if (edge === null || !heldAt(edge, at)) continue;
      found.push(edge);
      // of a hub only the promising edges are derived, somewhat more than asked for, since the last word is relevance
      if (hub && found.length >= most + (most >> 2) + 8) break;
    }
    found.sort(byRelevance(this));
    return found.length > most ? found.slice(0, most) : found;
  }

  /** A node's edges; those of a hub ordered by open trouble, kind and newest statement. */
  private promising(node: NodeId): Iterable<EdgeEntry> {
    const edges = this.incident.get(node);
    if (edges === undefined) return [];
    if (edges.size < hubFrom) return edges;
    const known = this.ranked.get(node);
    if (known !== undefined) return known;
    const rank = (entry: EdgeEntry): number =>
      weights[entry.kind] + (entry.kind === "affects" && this.isOpen(entry.source) === true ? 5 : 0);
    // one number a row: comparing times as strings took most of the first look at a hub of 20,000 edges
    const rows = Array.from(edges, (entry) => ({ entry, key: rank(entry) * 1e14 + (Date.parse(entry.last) || 0) }));
    rows.sort((a, b) => b.key - a.key || order(a.entry.id, b.entry.id));
    const ranked = rows.map((row) => row.entry);
    this.ranked.set(node, ranked);
    return ranked;
  }

  /** Whether a ticket is open; undefined where nothing says so. */
  isOpen(id: NodeId): boolean | undefined {
    return this.newest(id, "open");
  }

  /** The newest stated value of one attribute, without making a node of it. */
  private newest<K extends keyof NodeAttributes>(id: NodeId, key: K): NodeAttributes[K] | undefined {
    const facts = this.nodeFacts.get(id);
    if (facts === undefined) return undefined;
    const [only, ...more] = facts;
    if (more.length === 0) return only?.attributes[key];
    return newestFirst(facts).find((fact) => fact.attributes[key] !== undefined)?.attributes[key];
  }

  /** How many edges a node has, without deriving any. */
  degree(id: NodeId): number {
    return this.incident.get(id)?.size ?? 0;
  }

  resolve(name: string, kind?: NodeKind): Resolution {
    return resolveName(this, name, kind);
  }

  mentions(text: string): readonly Mention[] {
    return mentionsOf(this, text);
  }

  expand(start: readonly NodeId[], options: ExpandOptions = {}): SubGraph {
    return expand(this, start, options);
  }

  nodesOfRecord(record: RecordId): readonly NodeId[] {
    const state = this.folded.get(record);
    if (state === undefined) return [];
    const ids = new Set<NodeId>(state.nodes);
    for (const id of state.edges) {
      const entry = this.entries.get(id);
      if (entry !== undefined && exists(entry)) {
        ids.add(entry.source);
        ids.add(entry.target);
      }
    }
    return [...ids];
  }

  /** Full shas that begin so. */
  commits(prefix: string): readonly NodeId[] {
    return this.shas.matching(prefix.toLowerCase()).map((sha): NodeId => `commit:${sha}`);
  }

  /** Ids of a kind, unsorted, without making nodes of them. */
  *ids(kind: NodeKind): Iterable<NodeId> {
    const mark = `${kind}:`;
    for (const id of this.nodeFacts.keys()) if (id.startsWith(mark)) yield id;
    for (const id of this.incident.keys()) if (id.startsWith(mark) && !this.nodeFacts.has(id)) yield id;
    for (const id of this.named.keys()) if (id.startsWith(mark) && !this.nodeFacts.has(id) && !this.incident.has(id)) yield id;
  }
}

/** From so many edges on, a node's edges are kept in order rather than sorted for each look. */
const hubFrom = 200;

function isFullSha(node: NodeId): boolean {
  return node.startsWith("commit:") && node.length === "commit:".length + 40;
}

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
