import type { EdgeKind, Extraction, Fact, NodeFact, NodeId } from "../core/fact.ts";
import type { Instant, RecordId } from "../core/record.ts";
import { type EdgeEntry, exists, latest, type Manner, type NodeEntry, order, type State, type Statement } from "./contributions.ts";
import { degreeOf, edgeBetween, edgesAt, link, unlink } from "./links.ts";
import { isCommit, isShortSha, Shas } from "./shas.ts";

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

type Contribution = State | Statement;

/** From so many statements on, a list grows in place instead of being copied. */
const longFrom = 32;
const none: readonly never[] = [];

/**
 * The statements of records as nodes and edges: a record's contributions are taken out and put in whole, so an edge whose
 * last evidence goes is gone, and any order of changes ends in the same state.
 */
export class Fold {
  readonly nodes = new Map<NodeId, NodeEntry>();
  readonly shas = new Shas();
  /** Edges that exist: an entry that holds only ends is none. */
  edgeCount = 0;
  private readonly records = new Map<RecordId, readonly Contribution[]>();
  /** Where what is said of a commit by a prefix of its sha stands. */
  private readonly homes = new Map<NodeId, NodeId>();
  /** Commits whose names came or went with the record at hand. */
  private readonly renamed = new Set<NodeId>();
  private readonly manners = new Map<string, Manner>();
  private readonly listener: FoldListener;

  constructor(listener: FoldListener) {
    this.listener = listener;
  }

  has(record: RecordId): boolean {
    return this.records.has(record);
  }

  replace(record: RecordId, extraction: Extraction | null): void {
    this.takeOut(record);
    if (extraction !== null) this.putIn(record, extraction);
    this.settle();
  }

  /** The edges and nodes that a record speaks of. */
  spokenOf(record: RecordId): { readonly edges: readonly EdgeEntry[]; readonly nodes: readonly NodeId[] } {
    const all = this.records.get(record) ?? none;
    return {
      edges: all.flatMap((one) => ("edge" in one ? one.edge : [])),
      nodes: all.flatMap((one) => ("edge" in one ? [] : this.homeOf(one.written))),
    };
  }

  /** The node that an id means: a commit by a prefix of its sha is the one that begins so. */
  canonical(node: NodeId): NodeId {
    return isCommit(node) ? (this.homes.get(node) ?? (this.nodes.has(node) ? node : this.shas.canonical(node))) : node;
  }

  /** Prefixes of shas in use that may mean several commits, sorted. */
  openPrefixes(): NodeId[] {
    return [...this.homes].flatMap(([id, home]) => (id === home && this.shas.meantBy(id).length > 1 ? id : [])).sort();
  }

  edge(source: NodeId, kind: EdgeKind, target: NodeId): EdgeEntry | undefined {
    const [from, to] = [this.nodes.get(source), this.nodes.get(target)];
    return from === undefined || to === undefined ? undefined : edgeBetween(from, kind, to);
  }

  private takeOut(record: RecordId): void {
    const before = this.records.get(record);
    if (before === undefined) return;
    this.records.delete(record);
    for (const one of before) {
      if ("edge" in one) this.drop(one);
      else this.dropState(one);
    }
    for (const one of before) for (const id of namesIn(one)) if (isCommit(id)) this.forget(id);
  }

  private putIn(record: RecordId, extraction: Extraction): void {
    // what a record says mostly shares one time: its string is kept once
    let lastAt = "";
    const once = (at: Instant): Instant => {
      if (at !== lastAt) lastAt = at;
      return lastAt;
    };
    const states = extraction.nodes.map((stated): Contribution => {
      once(stated.attributes.at ?? stated.at);
      return this.putState(record, stated, once(stated.at));
    });
    // no spread, which would leave room to spare
    this.records.set(record, states.concat(extraction.facts.map((fact) => this.put(record, fact, once(fact.at)))));
  }

  private putState(record: RecordId, { node: id, span, attributes }: NodeFact, at: Instant): State {
    const node = this.named(id);
    const state = { written: id === node.id ? node.id : id, record, start: span.start, end: span.end, at, attributes };
    this.addState(node, state);
    return state;
  }

  private addState(node: NodeEntry, state: State): void {
    node.states = appended(node.states, state);
    this.listener.nodeChanged(node);
  }

  private dropState(state: State): void {
    const node = this.nodes.get(this.homeOf(state.written));
    if (node === undefined) return;
    node.states = node.states.filter((one) => one !== state);
    this.listener.nodeChanged(node);
    this.dropIfEmpty(node);
  }

  private put(record: RecordId, fact: Fact, at: Instant): Statement {
    const statement: Statement = {
      edge: this.edgeOf(fact),
      written: isShortSha(fact.source) || isShortSha(fact.target) ? { source: fact.source, target: fact.target } : null,
      record,
      start: fact.span.start,
      end: fact.span.end,
      at,
      manner: this.manner(fact),
    };
    this.add(statement);
    return statement;
  }

  private manner({ rule, tier, confidence, ends = false, authority = 1 }: Fact): Manner {
    const key = `${tier} ${confidence} ${authority} ${ends} ${rule}`;
    let manner = this.manners.get(key);
    if (manner === undefined) {
      manner = { rule, tier, confidence, ends, authority };
      this.manners.set(key, manner);
    }
    return manner;
  }

  /** The entry of the edge that a fact states; linked to its ends with its first statement. */
  private edgeOf(fact: Pick<Fact, "source" | "kind" | "target">): EdgeEntry {
    const [source, target] = [this.named(fact.source), this.named(fact.target)];
    return edgeBetween(source, fact.kind, target) ?? { source, kind: kinds[fact.kind], target, facts: none, last: "" };
  }

  private add(fact: Statement): void {
    const { edge } = fact;
    if (edge.facts.length === 0) link(edge);
    if (!fact.manner.ends && !exists(edge)) this.edgeCount += 1;
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
    if (edge.facts.length === 0) unlink(edge);
    this.listener.edgeChanged(edge);
    this.dropIfEmpty(edge.source);
    this.dropIfEmpty(edge.target);
  }

  private entryOf(id: NodeId): NodeEntry {
    let node = this.nodes.get(id);
    if (node === undefined) {
      node = { id, states: none, structure: none, events: none };
      this.nodes.set(id, node);
    }
    return node;
  }

  private dropIfEmpty(node: NodeEntry): void {
    // another one may have come in its place by now
    if (node.states.length === 0 && degreeOf(node) === 0 && this.nodes.get(node.id) === node) this.nodes.delete(node.id);
  }

  // a commit is meant by any beginning of its sha: which node that is changes with what else is known

  private homeOf(id: NodeId): NodeId {
    return this.homes.get(id) ?? id;
  }

  /** The node that a record names. */
  private named(id: NodeId): NodeEntry {
    if (isCommit(id) && this.shas.add(id)) {
      this.renamed.add(id);
      if (isShortSha(id)) this.homes.set(id, this.shas.canonical(id));
    }
    return this.entryOf(this.homeOf(id));
  }

  /** Nobody may name a commit so any more. */
  private forget(id: NodeId): void {
    const node = this.nodes.get(this.homeOf(id));
    if (node !== undefined && isNamed(node, id)) return;
    this.homes.delete(id);
    this.shas.drop(id);
    this.renamed.add(id);
  }

  /** What is said of commits by prefixes goes to where they now belong. */
  private settle(): void {
    if (this.renamed.size === 0) return;
    const moved: { readonly id: NodeId; readonly from: NodeId }[] = [];
    for (const name of this.renamed) {
      for (const id of this.shas.like(name)) {
        const [from, to] = [this.homes.get(id), this.shas.canonical(id)];
        if (from === undefined || from === to) continue;
        this.homes.set(id, to);
        moved.push({ id, from });
      }
    }
    this.renamed.clear();
    for (const { id, from } of moved) this.move(id, from);
  }

  private move(id: NodeId, from: NodeId): void {
    const node = this.nodes.get(from);
    if (node === undefined) return;
    for (const state of node.states.filter(({ written }) => written === id)) {
      node.states = node.states.filter((one) => one !== state);
      this.addState(this.entryOf(this.homeOf(id)), state);
    }
    this.listener.nodeChanged(node);
    for (const edge of [...edgesAt(node)]) {
      for (const fact of edge.facts) {
        if (fact.written === null || (fact.written.source !== id && fact.written.target !== id)) continue;
        this.drop(fact);
        fact.edge = this.edgeOf({ ...fact.written, kind: edge.kind });
        this.add(fact);
      }
    }
    this.dropIfEmpty(node);
  }
}

/** Each kind's own string, so that those of parsed rows can go. */
const kinds: { readonly [K in EdgeKind]: K } = {
  owns: "owns",
  affects: "affects",
  fixes: "fixes",
  depends_on: "depends_on",
  caused_by: "caused_by",
  modified: "modified",
};

/** The ids that a statement names its nodes by. */
function namesIn(one: Contribution): readonly NodeId[] {
  if (!("edge" in one)) return [one.written];
  return one.written === null ? [one.edge.source.id, one.edge.target.id] : [one.written.source, one.written.target];
}

/** Whether a statement at a node names it so. */
function isNamed(node: NodeEntry, id: NodeId): boolean {
  if (node.states.some(({ written }) => written === id)) return true;
  for (const { facts } of edgesAt(node)) if (facts.some((fact) => namesIn(fact).includes(id))) return true;
  return false;
}

/** Short lists without room to spare (a spread leaves some), since most nodes and edges have one statement; long ones grow in place. */
function appended<T extends object>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  if (list.length < longFrom) return list.concat(item);
  (list as T[]).push(item);
  return list;
}
