import type { EdgeKind, Fact, NodeAttributes, NodeId } from "../core/fact.ts";
import type { Evidence, GraphEdge } from "../core/graph.ts";
import type { Instant, RecordId } from "../core/record.ts";
import type { Links } from "./links.ts";

/** `${source}|${kind}|${target}` */
export type EdgeId = string;

/** From when to when an edge holds; null while it does. */
export interface Period {
  readonly from: Instant;
  readonly to: Instant | null;
}

export function edgeId(source: NodeId, kind: EdgeKind, target: NodeId): EdgeId {
  return `${source}|${kind}|${target}`;
}

/** A node and all that is said of it, with the edges that end there. */
export interface NodeEntry {
  readonly id: NodeId;
  /** Of all live records, in no order. */
  states: readonly State[];
  /** The few edges by which services hang together, and those of what happens to them, by `sideOf` their kinds. */
  structure: Links;
  events: Links;
}

/** An edge and all that is said of it; derived values are computed when asked for. */
export interface EdgeEntry {
  readonly source: NodeEntry;
  readonly kind: EdgeKind;
  readonly target: NodeEntry;
  /** Statements of all live records, in no order. */
  facts: readonly Statement[];
  /** Time of the newest statement: the order in which a hub's edges are looked at. */
  last: Instant;
}

/** By which rule something is stated, and what that is worth: a handful of them, each kept once. */
export type Manner = Required<Pick<Fact, "rule" | "tier" | "confidence" | "ends" | "authority">>;

/**
 * A fact as it is kept, a million of them in little memory: with the edge that it went to in place of its ends, and its
 * span's parts in place of the span.
 */
export interface Statement {
  edge: EdgeEntry;
  /** The ends as the record names them, where one is a commit by a prefix of its sha. */
  readonly written: Pick<Fact, "source" | "target"> | null;
  readonly record: RecordId;
  readonly start: number;
  readonly end: number;
  readonly at: Instant;
  readonly manner: Manner;
}

/** What a record says of a node itself, as it is kept. */
export interface State {
  /** As the record names it: a commit may be meant by a prefix of its sha. */
  readonly written: NodeId;
  readonly record: RecordId;
  readonly start: number;
  readonly end: number;
  readonly at: Instant;
  readonly attributes: NodeAttributes;
}

/** Statements that say since when something holds, rather than that it holds by now. */
function begins(fact: Statement): boolean {
  return fact.manner.rule.endsWith("(from)");
}

/** An edge needs one statement that it holds; an end alone makes none. */
export function exists(entry: EdgeEntry): boolean {
  return entry.facts.some((fact) => !fact.manner.ends);
}

/**
 * From when to when an edge holds, by its own statements: ended by the latest end that no later and at least equally
 * authoritative statement follows.
 */
export function ownPeriod(entry: EdgeEntry): Period {
  let from: Instant | null = null;
  let start: Instant | null = null;
  for (const fact of entry.facts) {
    if (fact.manner.ends) continue;
    if (from === null || fact.at < from) from = fact.at;
    if (begins(fact) && (start === null || fact.at < start)) start = fact.at;
  }
  let to: Instant | null = null;
  for (const end of entry.facts) {
    if (!end.manner.ends) continue;
    const renewed = entry.facts.some((fact) => !fact.manner.ends && fact.at > end.at && fact.manner.authority >= end.manner.authority);
    if (!renewed && (to === null || end.at < to)) to = end.at;
  }
  const begin = start ?? from ?? "";
  return { from: begin, to: to !== null && to < begin ? begin : to };
}

/**
 * When another owner took the place of this one: the first statement for somebody else of the same kind that is newer
 * than everything said for this one and at least as authoritative. Null while nobody did.
 * @param others the other owners of the same service, of the same kind (engineer or team)
 */
export function replacedAt(entry: EdgeEntry, others: readonly EdgeEntry[]): Instant | null {
  const own = entry.facts.filter((fact) => !fact.manner.ends);
  const last = latest(own);
  const weight = own.reduce((most, fact) => Math.max(most, fact.manner.authority), 0);
  let replaced: Instant | null = null;
  for (const other of others) {
    const period = ownPeriod(other);
    for (const fact of other.facts) {
      if (fact.manner.ends || fact.at <= last || fact.manner.authority < weight) continue;
      const at = period.from > last ? period.from : fact.at;
      if (replaced === null || at < replaced) replaced = at;
    }
  }
  return replaced;
}

/**
 * Confidence from evidence: one minus the chance that every record is wrong, each taken at its surest statement.
 * Records are counted once, since a page that says the same thing twice proves it no better.
 */
export function confidenceOf(facts: readonly Statement[]): number {
  let wrong = 1;
  for (const confidence of surestByRecord(facts)) wrong *= 1 - Math.min(0.99, confidence);
  return Math.round((1 - Math.max(wrong, 0.005)) * 1000) / 1000;
}

/** Of each record its surest statement that the edge holds, in ascending order, so that the product is the same in any build. */
function surestByRecord(facts: readonly Statement[]): readonly number[] {
  const [first, second] = facts;
  // most edges rest on one statement
  if (first !== undefined && second === undefined) return first.manner.ends ? [] : [first.manner.confidence];
  const surest = new Map<string, number>();
  for (const fact of facts) {
    if (fact.manner.ends) continue;
    surest.set(fact.record, Math.max(surest.get(fact.record) ?? 0, fact.manner.confidence));
  }
  return [...surest.values()].sort((a, b) => a - b);
}

/** Evidence, best first: authority, then newest; equal ones in the order of their places, so that any build gives one order. */
export function evidenceOf(facts: readonly Statement[]): Evidence[] {
  return facts
    .map(({ record, start, end, at, manner }) => ({
      span: { record, start, end },
      rule: manner.rule,
      tier: manner.tier,
      confidence: manner.confidence,
      at,
      ends: manner.ends,
      authority: manner.authority,
    }))
    .sort(
      (a, b) =>
        b.authority - a.authority ||
        order(b.at, a.at) ||
        b.confidence - a.confidence ||
        order(a.span.record, b.span.record) ||
        a.span.start - b.span.start ||
        a.span.end - b.span.end ||
        order(a.rule, b.rule) ||
        Number(a.ends) - Number(b.ends),
    );
}

export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The edge that its contributions make up in a period. */
export function toEdge(entry: EdgeEntry, { from, to }: Period): GraphEdge {
  return {
    id: edgeId(entry.source.id, entry.kind, entry.target.id),
    source: entry.source.id,
    target: entry.target.id,
    kind: entry.kind,
    confidence: confidenceOf(entry.facts),
    evidence: evidenceOf(entry.facts),
    validFrom: from,
    validTo: to,
  };
}

/** Newest first; equal times by place, a commit's longer name first. */
export function newestFirst(states: readonly State[]): State[] {
  return [...states].sort((a, b) => order(b.at, a.at) || order(a.record, b.record) || a.start - b.start || order(b.written, a.written));
}

/** Whether an edge held at an instant; null asks for all that ever held. */
export function heldAt(edge: GraphEdge, at: Instant | null | undefined): boolean {
  if (at === null || at === undefined) return true;
  return edge.validFrom <= at && (edge.validTo === null || edge.validTo > at);
}

/** The latest of the instants of some statements; "" when there is none. */
export function latest(facts: readonly { readonly at: Instant }[]): Instant {
  let last = "";
  for (const fact of facts) if (order(fact.at, last) > 0) last = fact.at;
  return last;
}
