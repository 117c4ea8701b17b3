import type { Fact, NodeAttributes, NodeFact, NodeId } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";

/** How far a kind of source is believed where two contradict each other (`Fact.authority`). */
export const authorities = { codeowners: 4, configuration: 3, field: 3, page: 2, remark: 1, outdated: 0 } as const;

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Collects what one record states. */
export class Findings {
  readonly facts: Fact[] = [];
  readonly nodes: NodeFact[] = [];
  readonly record: SourceRecord;

  constructor(record: SourceRecord) {
    this.record = record;
  }

  fact(
    kind: Fact["kind"],
    source: NodeId,
    target: NodeId,
    place: Place,
    rule: string,
    options: { readonly confidence: number; readonly authority: number; readonly at?: string; readonly ends?: boolean },
  ): void {
    if (source === target) return;
    this.facts.push({
      source,
      kind,
      target,
      span: { record: this.record.id, start: place.start, end: place.end },
      rule,
      tier: 1,
      confidence: options.confidence,
      at: options.at ?? this.record.updatedAt,
      authority: options.authority,
      ...(options.ends === true ? { ends: true } : {}),
    });
  }

  node(node: NodeId, place: Place, attributes: NodeAttributes, at = this.record.updatedAt): void {
    const stated = Object.fromEntries(
      Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null),
    ) as NodeAttributes;
    this.nodes.push({ node, span: { record: this.record.id, start: place.start, end: place.end }, at, attributes: stated });
  }
}

/** The only node of a list; null when there is none or the name is ambiguous. */
export function only(nodes: readonly NodeId[]): NodeId | null {
  const [node, more] = nodes;
  return node !== undefined && more === undefined ? node : null;
}

/** One statement a place: of equal edges whose places overlap, the surest stays. */
export function distinct(facts: readonly Fact[]): Fact[] {
  const kept = new Map<string, Fact>();
  for (const fact of facts) {
    const key = `${fact.source}|${fact.kind}|${fact.target}|${fact.ends === true}|${fact.span.start}`;
    const known = kept.get(key);
    if (known === undefined || known.confidence < fact.confidence) kept.set(key, fact);
  }
  const list = [...kept.values()];
  return list.filter(
    (fact) =>
      !list.some(
        (other) =>
          other !== fact &&
          other.source === fact.source &&
          other.kind === fact.kind &&
          other.target === fact.target &&
          (other.ends === true) === (fact.ends === true) &&
          other.span.start <= fact.span.start &&
          other.span.end >= fact.span.end &&
          (other.confidence > fact.confidence || (other.confidence === fact.confidence && list.indexOf(other) < list.indexOf(fact))),
      ),
  );
}
