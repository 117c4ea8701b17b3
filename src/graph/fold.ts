import type { EdgeKind, Extraction, Fact, NodeFact, NodeId } from "../core/fact.ts";
import type { Instant, RecordId } from "../core/record.ts";
import { type EdgeEntry, type EdgeId, edgeId, exists, latest, type NodeEntry, order, type Statement } from "./contributions.ts";
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

/** What a record contributes. */
interface Folded {
  readonly facts: readonly Statement[];
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
    const { facts = [], states = [] } = this.records.get(record) ?? {};
    return { edges: facts.map(({ edge }) => edge), nodes: states.map(({ node }) => node) };
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
    for (const fact of before.facts) {
      this.drop(fact);
      for (const end of prefixesIn(fact)) this.shortShas.drop(end, record);
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
    // what a record says mostly shares one time: its string is kept once
    let lastAt = "";
    const states = extraction.nodes.map((stated): NodeFact => {
      const node = this.entryOf(stated.node);
      const { at } = stated.attributes;
      if (at !== undefined) lastAt = at;
      if (stated.at !== lastAt) lastAt = stated.at;
      const state = { node: node.id, span: { ...stated.span, record }, at: lastAt, attributes: stated.attributes };
      if (node.states.length === 0 && isFullSha(node.id)) {
        this.shas.add(node.id);
        known.push(node.id);
      }
      node.states = appended(node.states, state);
      this.listener.nodeChanged(node);
      return state;
    });
    const facts = extraction.facts.map((fact) => {
      if (fact.at !== lastAt) lastAt = fact.at;
      const statement = this.put(record, fact, lastAt);
      for (const end of prefixesIn(statement)) this.shortShas.use(end, record);
      return statement;
    });
    this.records.set(record, { facts, states });
    return known;
  }

  private put(record: RecordId, fact: Fact, at: Instant): Statement {
    const edge = this.edgeOf(fact);
    const statement: Statement = {
      edge,
      written: isShortSha(fact.source) || isShortSha(fact.target) ? { source: fact.source, target: fact.target } : null,
      record,
      start: fact.span.start,
      end: fact.span.end,
      rule: this.once(fact.rule),
      tier: fact.tier,
      confidence: fact.confidence,
      at,
      ends: fact.ends === true,
      authority: fact.authority ?? 1,
    };
    this.add(statement);
    return statement;
  }

  private once(word: string): string {
    const known = this.shared.get(word);
    if (known === undefined) this.shared.set(word, word);
    return known ?? word;
  }

  /** The entry of the edge that a fact states; linked to its ends with its first statement. */
  private edgeOf(fact: Pick<Fact, "source" | "kind" | "target">): EdgeEntry {
    const id = edgeId(this.canonical(fact.source), fact.kind, this.canonical(fact.target));
    const known = this.entries.get(id);
    if (known !== undefined) return known;
    const source = this.entryOf(this.canonical(fact.source));
    const target = this.entryOf(this.canonical(fact.target));
    return { id, source, kind: this.once(fact.kind) as EdgeKind, target, facts: [], last: "" };
  }

  private add(fact: Statement): void {
    const { edge } = fact;
    if (edge.facts.length === 0) {
      this.entries.set(edge.id, edge);
      link(edge.source, edge);
      if (edge.target !== edge.source) link(edge.target, edge);
    }
    if (!fact.ends && !exists(edge)) this.edgeCount += 1;
    edge.facts = appended(edge.facts, fact);
    if (order(fact.at, edge.last) > 0) edge.last = fact.at;
    this.listener.edgeChanged(edge);
  }

  private drop(fact: Statement): void {
    const { edge } = fact;
    const existed = exists(edge);
    edge.facts = edge.facts.filter((one) => one !== fact);
    edge.last = latest(edge.facts);
    if (existed && !exists(edge)) this.edgeCount -= 1;
    if (edge.facts.length === 0) {
      this.entries.delete(edge.id);
      unlink(edge.source, edge);
      unlink(edge.target, edge);
    }
    this.listener.edgeChanged(edge);
    this.dropIfEmpty(edge.source);
    this.dropIfEmpty(edge.target);
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
      for (const fact of this.records.get(record)?.facts ?? []) {
        if (fact.written === null) continue;
        const { source, target } = fact.written;
        const { edge } = fact;
        if (edge.source.id === this.canonical(source) && edge.target.id === this.canonical(target)) continue;
        this.drop(fact);
        fact.edge = this.edgeOf({ source, kind: edge.kind, target });
        this.add(fact);
      }
    }
  }
}

function prefixesIn({ written }: Statement): readonly NodeId[] {
  return written === null ? [] : [written.source, written.target].filter(isShortSha);
}

/** Short lists without room to spare (a spread leaves some), since most nodes and edges have one statement; long ones grow in place. */
function appended<T extends object>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  if (list.length < setFrom) return list.concat(item);
  (list as T[]).push(item);
  return list;
}

/** How many edges a node has, ended ones among them. */
export function degreeOf(node: NodeEntry): number {
  return node.edges instanceof Set ? node.edges.size : node.edges.length;
}

function link(node: NodeEntry, entry: EdgeEntry): void {
  if (node.edges instanceof Set) node.edges.add(entry);
  else if (node.edges.length + 1 < setFrom) node.edges = appended(node.edges, entry);
  else node.edges = new Set([...node.edges, entry]);
}

function unlink(node: NodeEntry, entry: EdgeEntry): void {
  if (node.edges instanceof Set) node.edges.delete(entry);
  else node.edges = node.edges.filter((one) => one !== entry);
}
