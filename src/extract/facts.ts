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
