import type { EdgeKind, Extraction, Fact, NodeFact, NodeId } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { type EdgeEntry, type EdgeId, edgeId, exists, latest, type NodeEntry, order } from "./contributions.ts";
import { isFullSha, isShortSha, ShaIndex, ShortShas } from "./shas.ts";

/** What one record changed to; null when it is gone. */
export interface Change {
  readonly record: RecordId;
  readonly extraction: Extraction | null;
}

/** Told of everything whose statements change, so that what was derived from them can be forgotten. */
export interface FoldListener {
  edgeChanged(entry: EdgeEntry): void;
  nodeChanged(node: NodeEntry): void;
}

/** What a record contributes: its statements with the edges and nodes that each went to. */
interface Folded {
  readonly facts: readonly Fact[];
  readonly edges: readonly EdgeEntry[];
  readonly states: readonly NodeFact[];
}

/** From so many edges on, a node keeps them in a set: taking one out of a hub's list would look at all of them. */
const setFrom = 32;
const none: readonly NodeFact[] = [];

/**
 * The statements of records as nodes and edges: a record's contributions are taken out and put in whole, so an edge whose
 * last evidence goes is gone, and any order of changes ends in the same state.
 */
export class Fold {
  readonly nodes = new Map<NodeId, NodeEntry>();
  readonly entries = new Map<EdgeId, EdgeEntry>();
  readonly shas = new ShaIndex();
  /** Edges that exist: an entry that holds only ends is none. */
  edgeCount = 0;
  private readonly records = new Map<RecordId, Folded>();
  private readonly shortShas = new ShortShas();
  /** Words that many statements share, each kept once. */
  private readonly shared = new Map<string, string>();
  private readonly listener: FoldListener;

  constructor(listener: FoldListener) {
    this.listener = listener;
  }

  has(record: RecordId): boolean {
    return this.records.has(record);
  }

  replace(record: RecordId, extraction: Extraction | null): void {
    const went = this.takeOut(record);
    const came = extraction === null ? [] : this.putIn(record, extraction);
    for (const commit of [...went, ...came]) this.rename(commit);
  }

  /** The edges and nodes that a record speaks of. */
  spokenOf(record: RecordId): { readonly edges: readonly EdgeEntry[]; readonly nodes: readonly NodeId[] } {
    const { edges = [], states = [] } = this.records.get(record) ?? {};
    return { edges, nodes: states.map(({ node }) => node) };
  }

  /** The node that an id means: a commit by a prefix of its sha is the one that begins so. */
  canonical(node: NodeId): NodeId {
    return isShortSha(node) ? this.shas.canonical(node) : node;
  }

  /** @returns commits that this record alone had made known */
  private takeOut(record: RecordId): NodeId[] {
    const before = this.records.get(record);
    if (before === undefined) return [];
    this.records.delete(record);
    for (const [index, fact] of before.facts.entries()) {
      this.dropFact(before.edges[index], fact);
      for (const end of [fact.source, fact.target]) if (isShortSha(end)) this.shortShas.drop(end, record);
    }
    const unknown: NodeId[] = [];
    for (const state of before.states) {
      const node = this.nodes.get(state.node);
      if (node === undefined) continue;
      node.states = node.states.filter((one) => one !== state);
      this.listener.nodeChanged(node);
      if (node.states.length > 0) continue;
      this.dropIfEmpty(node);
      if (isFullSha(node.id)) {
        this.shas.drop(node.id);
        unknown.push(node.id);
      }
    }
    return unknown;
  }

  /** @returns commits that this record made known */
  private putIn(record: RecordId, extraction: Extraction): NodeId[] {
    const known: NodeId[] = [];
    const states = extraction.nodes.map((state): NodeFact => {
      const node = this.entryOf(state.node);
      const kept = { node: node.id, span: { ...state.span, record }, at: state.at, attributes: state.attributes };
      if (node.states.length === 0 && isFullSha(node.id)) {
        this.shas.add(node.id);
        known.push(node.id);
      }
      node.states = [...node.states, kept];
      this.listener.nodeChanged(node);
      return kept;
    });
    const facts: Fact[] = [];
    const edges: EdgeEntry[] = [];
    for (const stated of extraction.facts) {
      const source = this.entryOf(this.canonical(stated.source));
      const target = this.entryOf(this.canonical(stated.target));
      const fact = this.compact(record, stated, source, target);
      facts.push(fact);
      edges.push(this.addFact(fact, source, target));
      for (const end of [fact.source, fact.target]) if (isShortSha(end)) this.shortShas.use(end, record);
    }
    this.records.set(record, { facts, edges, states });
    return known;
  }

  /** A statement with every string that something else holds already taken from there: parsed ones repeat their ids. */
  private compact(record: RecordId, fact: Fact, source: NodeEntry, target: NodeEntry): Fact {
    return {
      source: fact.source === source.id ? source.id : fact.source,
      kind: this.once(fact.kind) as EdgeKind,
      target: fact.target === target.id ? target.id : fact.target,
      span: { record, start: fact.span.start, end: fact.span.end },
      rule: this.once(fact.rule),
      tier: fact.tier,
      confidence: fact.confidence,
      at: fact.at,
      ends: fact.ends === true,
      authority: fact.authority ?? 1,
    };
  }

  private once(word: string): string {
    const known = this.shared.get(word);
    if (known === undefined) this.shared.set(word, word);
    return known ?? word;
  }

  private addFact(fact: Fact, source: NodeEntry, target: NodeEntry): EdgeEntry {
    const id = edgeId(source.id, fact.kind, target.id);
    let entry = this.entries.get(id);
    const existed = entry !== undefined && exists(entry);
    if (entry === undefined) {
      entry = { id, source, kind: fact.kind, target, facts: [fact], last: fact.at };
      this.entries.set(id, entry);
      link(source, entry);
      if (target !== source) link(target, entry);
    } else {
      entry.facts.push(fact);
      if (order(fact.at, entry.last) > 0) entry.last = fact.at;
    }
    if (!existed && fact.ends !== true) this.edgeCount += 1;
    this.listener.edgeChanged(entry);
    return entry;
  }

  private dropFact(entry: EdgeEntry | undefined, fact: Fact): void {
    const at = entry?.facts.indexOf(fact) ?? -1;
    if (entry === undefined || at < 0) return;
    const existed = exists(entry);
    entry.facts.splice(at, 1);
    entry.last = latest(entry.facts);
    if (existed && !exists(entry)) this.edgeCount -= 1;
    if (entry.facts.length === 0) {
      this.entries.delete(entry.id);
      unlink(entry.source, entry);
      unlink(entry.target, entry);
    }
    this.listener.edgeChanged(entry);
    this.dropIfEmpty(entry.source);
    this.dropIfEmpty(entry.target);
  }

  private entryOf(id: NodeId): NodeEntry {
    let node = this.nodes.get(id);
    if (node === undefined) {
      node = { id, states: none, edges: [] };
      this.nodes.set(id, node);
    }
    return node;
  }

  private dropIfEmpty(node: NodeEntry): void {
    if (node.states.length === 0 && degreeOf(node) === 0) this.nodes.delete(node.id);
  }

  /** A commit came or went: facts that name it by a prefix may now mean another node. */
  private rename(commit: NodeId): void {
    for (const record of this.shortShas.recordsNaming(commit)) {
      const state = this.records.get(record);
      if (state === undefined) continue;
      const edges = state.facts.map((fact, index) => {
        const before = state.edges[index];
        const [source, target] = [this.canonical(fact.source), this.canonical(fact.target)];
        if (before !== undefined && before.source.id === source && before.target.id === target) return before;
        this.dropFact(before, fact);
        return this.addFact(fact, this.entryOf(source), this.entryOf(target));
      });
      this.records.set(record, { ...state, edges });
    }
  }
}

/** How many edges a node has, ended ones among them. */
export function degreeOf(node: NodeEntry): number {
  return node.edges instanceof Set ? node.edges.size : node.edges.length;
}

function link(node: NodeEntry, entry: EdgeEntry): void {
  if (node.edges instanceof Set) node.edges.add(entry);
  else if (node.edges.length + 1 < setFrom) node.edges = [...node.edges, entry];
  else node.edges = new Set([...node.edges, entry]);
}

function unlink(node: NodeEntry, entry: EdgeEntry): void {
  if (node.edges instanceof Set) node.edges.delete(entry);
  else node.edges = node.edges.filter((one) => one !== entry);
}
