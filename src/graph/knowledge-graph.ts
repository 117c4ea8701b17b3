import type { Ambiguity, Names } from "../core/extract.ts";
import { type EdgeKind, edgeKinds, type NodeAttributes, type NodeId, type NodeKind } from "../core/fact.ts";
import type { ExpandOptions, Graph, GraphEdge, GraphNode, Mention, Resolution, StoredExtractions, SubGraph } from "../core/graph.ts";
import type { Instant, RecordId, Span } from "../core/record.ts";
import {
  type EdgeEntry,
  exists,
  heldAt,
  latest,
  type NodeEntry,
  newestFirst,
  order,
  ownPeriod,
  type Period,
  replacedAt,
  type State,
  toEdge,
} from "./contributions.ts";
import { expand } from "./expand.ts";
import { type Change, Fold } from "./fold.ts";
import { Hubs } from "./hubs.ts";
import { degreeOf, edgesAt, type Links, sidesOf } from "./links.ts";
import { isDocument, OnDemand } from "./on-demand.ts";
import { byRelevance, type RankedEdge, ranked, weights } from "./relevance.ts";
import { mentionsOf, resolveName } from "./resolve.ts";
import { isCommit } from "./shas.ts";

/** Nodes and edges kept as they were last derived; past so many all are let go, since most are never asked for again. */
const mostKept = 50_000;

/**
 * The knowledge graph as its readers see it, over a fold of the live extractions. What is derived (periods, confidence,
 * attributes) is computed from the folded statements when asked for, and forgotten when one of them changes. Stored
 * extractions are folded where somebody looks (`readFrom`), so that a large graph answers at once.
 */
export class KnowledgeGraph implements Graph {
  private readonly fold = new Fold({ edgeChanged: (entry) => this.forgetEdge(entry), nodeChanged: (node) => this.forgetNode(node) });
  private readonly hubs = new Hubs((entry) => this.promise(entry));
  private readonly edgeCache = new Map<EdgeEntry, RankedEdge>();
  private readonly nodeCache = new Map<NodeId, GraphNode>();
  private named = new Map<NodeId, { readonly label: string; readonly spellings: readonly string[] }>();
  private dictionary: Names | null = null;
  /** Null once everything is folded, documents that are nothing but documents included. */
  private rest: OnDemand | null = null;
  private stored: StoredExtractions | null = null;
  private knownSize: Graph["size"] | null = null;
  /** Something changed since the size was counted. */
  private sizeIsOld = false;

  /** The dictionary of names, for labels, aliases and look-ups. Extractions made with another one must be applied anew. */
  setNames(names: Names): void {
    if (names.hash !== this.dictionary?.hash) this.sizeIsOld = true;
    this.dictionary = names;
    this.named = new Map();
    for (const entry of names.entries()) this.named.set(entry.node, { label: entry.label, spellings: entry.spellings });
    this.nodeCache.clear();
  }

  get names(): Names | null {
    return this.dictionary;
  }

  /**
   * Takes what is stored as what is to be folded, part by part as it is looked at. From then on a change must be stored
   * before it is applied.
   * @param size what the whole has, where that is known
   */
  readFrom(stored: StoredExtractions, size: Graph["size"] | null = null): void {
    this.rest = new OnDemand(this.fold, stored);
    this.stored = stored;
    this.knownSize = size;
    this.sizeIsOld = false;
  }

  /**
   * Folds what nobody has looked at yet, a few records at a time, and puts the edges of hubs in order. Documents of which
   * nothing is said but what they are stay where they are stored.
   */
  async load(signal: AbortSignal): Promise<void> {
    if (this.rest === null || this.rest.isFinished || !(await this.rest.finishInSlices(signal))) return;
    this.sizeIsOld = true;
    await this.hubs.order(this.fold.nodes.values(), signal);
  }

  /** Folds changes in, one record at a time; what it is given replaces what the record contributed before. */
  apply(changes: Iterable<Change>): void {
    for (const { record, extraction } of changes) {
      this.sizeIsOld = true;
      if (this.rest?.leaves(record, extraction) === true) continue;
      this.fold.replace(record, extraction);
      if (extraction !== null) this.rest?.took(extraction);
    }
  }

  /** Folds changes in although they are not what is stored, which says nothing of these records from now on. */
  hold(changes: Iterable<Change>): void {
    for (const { record, extraction } of changes) {
      this.sizeIsOld = true;
      this.fold.replace(record, extraction);
      if (extraction !== null) this.rest?.took(extraction);
    }
  }

  // what is derived is forgotten together with what it was derived from

  private forgetEdge(entry: EdgeEntry): void {
    this.hubs.changed(entry);
    this.nodeCache.delete(entry.source.id);
    this.nodeCache.delete(entry.target.id);
    if (this.edgeCache.size === 0) return;
    this.edgeCache.delete(entry);
    if (entry.kind === "owns") for (const other of entry.target.structure) if (other.kind === "owns") this.edgeCache.delete(other);
  }

  private forgetNode(node: NodeEntry): void {
    this.nodeCache.delete(node.id);
    if (!node.id.startsWith("ticket:")) return;
    for (const entry of edgesAt(node)) {
      this.hubs.changed(entry);
      this.edgeCache.delete(entry);
    }
  }

  /** For what looks at the whole graph. */
  private whole(): Fold {
    this.rest?.finish();
    this.rest = null;
    return this.fold;
  }

  private entry(id: NodeId, kinds: readonly EdgeKind[]): NodeEntry | undefined {
    this.rest?.needEdges(id, kinds);
    return this.fold.nodes.get(id);
  }

  private canonical(id: NodeId): NodeId {
    if (isCommit(id)) this.rest?.needStates(id);
    return this.fold.canonical(id);
  }

  // Graph

  get size(): { readonly nodes: number; readonly edges: number } {
    // nobody who only wants to know a number waits for everything to be folded
    const known = this.counted ?? this.knownSize;
    if (known !== null) return known;
    this.whole();
    return this.count();
  }

  /** The size, where nothing need be folded to know it. */
  get counted(): Graph["size"] | null {
    if ((this.knownSize === null || this.sizeIsOld) && (this.rest?.isFinished ?? true)) this.sized(this.count());
    return this.sizeIsOld ? null : this.knownSize;
  }

  /** What somebody else counted in what is stored as it is now. */
  sized(size: Graph["size"]): void {
    this.knownSize = size;
    this.sizeIsOld = false;
  }

  /** Of a graph that is folded but for documents. */
  private count(): Graph["size"] {
    const { nodes, edgeCount } = this.fold;
    let count = this.rest?.documents() ?? 0;
    for (const id of nodes.keys()) if (this.rest === null || !isDocument(id) || !this.rest.isStored(id)) count += 1;
    for (const id of this.named.keys()) if (!nodes.has(id)) count += 1;
    return { nodes: count, edges: edgeCount };
  }

  has(id: NodeId): boolean {
    return this.itself(id) !== undefined || this.named.has(id) || this.rest?.hasEdgesAt(id) === true;
  }

  /** What is folded of a node once all that is said of it itself is. */
  private itself(id: NodeId): NodeEntry | undefined {
    this.rest?.needStates(id);
    return this.fold.nodes.get(id);
  }

  node(id: NodeId): GraphNode | null {
    const known = this.nodeCache.get(id);
    if (known !== undefined) return known;
    const canonical = this.canonical(id);
    if (canonical !== id) return this.node(canonical);
    const node = this.described(id);
    // what is not folded can go without a word
    if (node !== null && (this.fold.nodes.has(id) || (this.rest?.isFinished ?? true))) keep(this.nodeCache, id, node);
    return node;
  }

  private described(id: NodeId): GraphNode | null {
    const entry = this.itself(id);
    if (entry === undefined && !this.has(id)) return null;
    const states = newestFirst(entry?.states ?? []);
    const [only, more] = states;
    const attributes: NodeAttributes =
      only !== undefined && more === undefined ? only.attributes : Object.assign({}, ...states.map((state) => state.attributes).reverse());
    const named = this.named.get(id);
    const colon = id.indexOf(":");
    return {
      id,
      kind: id.slice(0, colon) as NodeKind,
      label: named?.label ?? (attributes.label || id.slice(colon + 1)),
      aliases: named?.spellings ?? [],
      attributes,
      spans: states.map(({ record, start, end }): Span => ({ record, start, end })),
    };
  }

  edge(id: string): GraphEdge | null {
    for (const kind of edgeKinds) {
      const end = id.indexOf(`|${kind}|`);
      if (end < 0) continue;
      const source = id.slice(0, end) as NodeId;
      this.rest?.needEdges(source, [kind]);
      const entry = this.fold.edge(source, kind, id.slice(end + kind.length + 2) as NodeId);
      if (entry !== undefined) return this.derived(entry)?.edge ?? null;
    }
    return null;
  }

  /** The edge that an entry makes, all of whose statements are folded; null where it holds only ends. */
  private derived(entry: EdgeEntry): RankedEdge | null {
    const known = this.edgeCache.get(entry);
    if (known !== undefined) return known;
    if (!exists(entry)) return null;
    const edge = ranked(this.edgeOf(entry), entry.last, this.openAt(entry.source) === true);
    keep(this.edgeCache, entry, edge);
    return edge;
  }

  private edgeOf(entry: EdgeEntry): GraphEdge {
    return toEdge(entry, this.periodOf(entry));
  }

  /** Only rules end an edge: its own statements, a closed ticket, another owner in the same position. */
  private periodOf(entry: EdgeEntry): Period {
    const own = ownPeriod(entry);
    const { source, target } = entry;
    if (entry.kind === "affects" && this.openAt(source) === false) {
      const closed = newest(source.states, "resolvedAt") ?? latest(source.states);
      return { from: own.from, to: earliest(own.to, closed < own.from ? own.from : closed) };
    }
    if (entry.kind !== "owns") return own;
    this.rest?.needEdges(target.id, ["owns"]);
    const kind = source.id.slice(0, source.id.indexOf(":") + 1);
    const others: EdgeEntry[] = [];
    for (const other of target.structure) {
      if (other === entry || other.kind !== "owns" || other.target !== target) continue;
      if (other.source.id.startsWith(kind) && exists(other)) others.push(other);
    }
    return { from: own.from, to: earliest(own.to, replacedAt(entry, others)) };
  }

  // what goes through everything keeps nothing: it would drive out what is asked for again

  *nodes(kind?: NodeKind): Iterable<GraphNode> {
    for (const id of [...this.ids(kind)].sort()) {
      const node = this.nodeCache.get(id) ?? (this.canonical(id) === id ? this.described(id) : this.node(id));
      if (node !== null) yield node;
    }
  }

  *edges(kind?: EdgeKind): Iterable<GraphEdge> {
    const { nodes } = this.whole();
    for (const id of [...nodes.keys()].sort()) {
      const node = nodes.get(id);
      const out: EdgeEntry[] = [];
      for (const entry of node === undefined ? [] : edgesAt(node))
        if (entry.source === node && (kind === undefined || entry.kind === kind)) out.push(entry);
      for (const entry of out.sort((a, b) => order(a.kind, b.kind) || order(a.target.id, b.target.id))) {
        if (exists(entry)) yield this.edgeCache.get(entry)?.edge ?? this.edgeOf(entry);
      }
    }
  }

  edgesOf(id: NodeId, options: Omit<ExpandOptions, "hops"> = {}): readonly GraphEdge[] {
    const { kinds = edgeKinds, direction = "both", at, fanOut = Number.POSITIVE_INFINITY } = options;
    const node = this.entry(this.canonical(id), kinds);
    if (node === undefined) return [];
    const most = Math.min(fanOut, options.limit ?? Number.POSITIVE_INFINITY);
    const found: RankedEdge[] = [];
    for (const side of sidesOf(kinds)) {
      const links: Links = node[side];
      const hub = this.hubs.isHub(links);
      let left = most + (most >> 2) + 8;
      for (const entry of hub ? this.hubs.promising(links) : links) {
        if (!kinds.includes(entry.kind)) continue;
        if ((direction === "out" && entry.source !== node) || (direction === "in" && entry.target !== node)) continue;
        const edge = this.derived(entry);
        if (edge === null || !heldAt(edge.edge, at)) continue;
        found.push(edge);
        // of a hub only the promising edges are derived, somewhat more than asked for, since the last word is relevance
        left -= 1;
        if (hub && left <= 0) break;
      }
    }
    found.sort(byRelevance);
    return (found.length > most ? found.slice(0, most) : found).map(({ edge }) => edge);
  }

  /** How promising an edge of a hub is: by open trouble, kind and newest statement, in one number. */
  private promise(entry: EdgeEntry): number {
    const open = entry.kind === "affects" && this.openAt(entry.source) === true ? 5 : 0;
    return (weights[entry.kind] + open) * 1e14 + (Date.parse(entry.last) || 0);
  }

  /** Whether a ticket is open; undefined where nothing says so, and for all that is no ticket. */
  private openAt(node: NodeEntry): boolean | undefined {
    if (!node.id.startsWith("ticket:")) return undefined;
    this.rest?.needStates(node.id);
    return newest(node.states, "open");
  }

  /** How many edges a node has, without deriving any. */
  degree(id: NodeId): number {
    const node = this.entry(id, edgeKinds);
    return node === undefined ? 0 : degreeOf(node);
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
    this.rest?.needRecord(record);
    const { nodes, edges } = this.fold.spokenOf(record);
    const ids = new Set<NodeId>(nodes);
    for (const entry of edges) {
      if (!exists(entry)) this.rest?.needEdges(entry.source.id, [entry.kind]);
      if (exists(entry)) ids.add(entry.source.id).add(entry.target.id);
    }
    return [...ids];
  }

  *commitsMade(from: Instant | null, before: Instant): Iterable<GraphNode> {
    if (this.stored === null) {
      const made = ({ spans, attributes: { at } }: GraphNode): boolean =>
        spans.length > 0 && (at === undefined || ((from === null || at >= from) && at < before));
      yield* [...this.nodes("commit")].filter(made).sort(byTime);
      return;
    }
    const seen = new Set<NodeId>();
    const same: GraphNode[] = [];
    let last: Instant | null = null;
    for (const { record, at } of this.stored.commitTimes(from, before)) {
      if (at !== last) yield* same.splice(0).sort(byTime);
      last = at;
      for (const id of this.nodesOfRecord(record)) {
        const node = isCommit(id) ? this.node(id) : null;
        // what another record says of it may be newer: then it comes with that one
        if (node === null || node.spans.length === 0 || (node.attributes.at ?? "") !== at || seen.has(node.id)) continue;
        seen.add(node.id);
        same.push(node);
      }
    }
    yield* same.sort(byTime);
  }

  /** Known commits whose ids begin so. */
  commits(prefix: NodeId): readonly NodeId[] {
    this.rest?.needStates(prefix);
    return this.fold.shas.meantBy(prefix);
  }

  /** Spellings and prefixes of shas that may mean several nodes, and are therefore kept apart. */
  ambiguities(): readonly Ambiguity[] {
    const fold = this.whole();
    const prefixes = fold.openPrefixes().map((id): Ambiguity => {
      return { name: id.slice("commit:".length), nodes: fold.shas.meantBy(id), why: "several commits begin so" };
    });
    return [...(this.dictionary?.ambiguities() ?? []), ...prefixes];
  }

  /** Ids of a kind, or all, unsorted, without making nodes of them. */
  *ids(kind?: NodeKind): Iterable<NodeId> {
    const mark = kind === undefined ? "" : `${kind}:`;
    // commits are stored by what their ids begin with, and are most of the graph
    if (kind === undefined || (kind === "commit" && this.rest?.isFinished !== true)) this.whole();
    const folded = this.rest === null || (this.rest.isFinished && kind !== "doc");
    const known = folded
      ? this.fold.nodes
      : new Set([...(this.rest?.nodesOf(kind as Exclude<NodeKind, "commit">) ?? []), ...this.fold.nodes.keys()]);
    for (const id of known.keys()) if (id.startsWith(mark)) yield id;
    for (const id of this.named.keys()) if (id.startsWith(mark) && !known.has(id)) yield id;
  }
}

/** The newest stated value of one attribute, without making a node of it. */
function newest<K extends keyof NodeAttributes>(states: readonly State[], key: K): NodeAttributes[K] | undefined {
  const [first, second] = states;
  if (second === undefined) return first?.attributes[key];
  return newestFirst(states).find(({ attributes }) => attributes[key] !== undefined)?.attributes[key];
}

/** Newest first, what has no time last; equal ones by id. */
function byTime(a: GraphNode, b: GraphNode): number {
  return order(b.attributes.at ?? "", a.attributes.at ?? "") || order(a.id, b.id);
}

function keep<K, V>(cache: Map<K, V>, key: K, value: V): void {
  if (cache.size >= mostKept) cache.clear();
  cache.set(key, value);
}

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
