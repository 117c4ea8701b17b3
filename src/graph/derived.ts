import type { EdgeKind, NodeId } from "../core/fact.ts";
import type { Graph, GraphEdge } from "../core/graph.ts";
import type { Instant, Span } from "../core/record.ts";

/**
 * A link that no record states: made by a rule from edges that are stated. Never part of the graph, never shown as a fact;
 * its confidence stays below what a statement has.
 */
export interface DerivedLink {
  readonly source: NodeId;
  readonly kind: EdgeKind | "related";
  readonly target: NodeId;
  readonly rule:
    | "commit before the incident"
    | "commit to a dependency before the incident"
    | "shared trace or exception"
    | "same service, same time";
  /** 0 to 0.6. */
  readonly confidence: number;
  /** The stated edges that the rule went along. */
  readonly because: readonly GraphEdge[];
  /** Places that show it, best first. */
  readonly spans: readonly Span[];
}

export interface DeriveOptions {
  /** Only what was known then. */
  readonly now: Instant;
  /** How far before the incident a change may lie. */
  readonly windowHours?: number;
  readonly limit?: number;
}

const hourMs = 3_600_000;

/**
 * Changes that may have caused an incident: commits to the affected services, then to what these depend on, in the hours
 * before the trouble began (the first error line of an affected service, else the stated start, else the ticket).
 */
export function suspectedCommits(graph: Graph, ticket: NodeId, options: DeriveOptions): readonly DerivedLink[] {
  const { now, windowHours = 48, limit = 10 } = options;
  const affected = graph.edgesOf(ticket, { kinds: ["affects"], direction: "out" });
  const start = troubleStart(
    graph,
    ticket,
    affected.map((edge) => edge.target),
  );
  if (start === null) return [];
  const links = new Map<NodeId, DerivedLink>();
  const consider = (service: NodeId, path: readonly GraphEdge[], rule: DerivedLink["rule"], most: number): void => {
    for (const change of graph.edgesOf(service, { kinds: ["modified"], direction: "in", at: now, fanOut: 200 })) {
      const at = graph.node(change.source)?.attributes.at ?? change.validFrom;
      const hours = (Date.parse(start) - Date.parse(at)) / hourMs;
      if (hours < 0 || hours > windowHours || at > now) continue;
      const confidence = Math.round(most * (1 - hours / (2 * windowHours)) * 100) / 100;
      const known = links.get(change.source);
      if (known !== undefined && known.confidence >= confidence) continue;
      const because = [...path, change];
      links.set(change.source, {
        source: ticket,
        kind: "caused_by",
        target: change.source,
        rule,
        confidence,
        because,
        spans: because.flatMap((edge) => edge.evidence.slice(0, 1).map((one) => one.span)).reverse(),
      });
    }
  };
  for (const edge of affected) {
    consider(edge.target, [edge], "commit before the incident", 0.6);
    for (const need of graph.edgesOf(edge.target, { kinds: ["depends_on"], direction: "out", at: now }))
      consider(need.target, [edge, need], "commit to a dependency before the incident", 0.4);
  }
  return [...links.values()].sort((a, b) => b.confidence - a.confidence || (a.target < b.target ? -1 : 1)).slice(0, limit);
}

/** When the trouble of a ticket began, as far as anything tells. */
export function troubleStart(graph: Graph, ticket: NodeId, services: readonly NodeId[]): Instant | null {
  const attributes = graph.node(ticket)?.attributes;
  const opened = attributes?.startedAt ?? attributes?.at;
  if (opened === undefined) return null;
  const earliest = new Date(Date.parse(opened) - 6 * hourMs).toISOString();
  let first = opened;
  for (const log of graph.nodes("log")) {
    const { at, level, service } = log.attributes;
    if (
      at === undefined ||
      service === undefined ||
      !services.includes(service) ||
      !/^(?:error|fatal|critical|panic|emerg)/i.test(level ?? "")
    )
      continue;
    if (at >= earliest && at < first) first = at;
  }
  return first;
}

/** Log lines that belong to a ticket: by a shared trace id or exception, else by service and time. */
export function relatedLogs(graph: Graph, ticket: NodeId, options: DeriveOptions): readonly DerivedLink[] {
  const { now, limit = 10 } = options;
  const node = graph.node(ticket);
  if (node === null) return [];
  const affected = graph.edgesOf(ticket, { kinds: ["affects"], direction: "out" });
  const services = new Map(affected.map((edge) => [edge.target, edge]));
  const marks = new Set(node.attributes.marks ?? []);
  const opened = node.attributes.startedAt ?? node.attributes.at ?? now;
  const from = new Date(Date.parse(opened) - 6 * hourMs).toISOString();
  const until = node.attributes.resolvedAt ?? now;
  const links: DerivedLink[] = [];
  for (const log of graph.nodes("log")) {
    const { at, level, service } = log.attributes;
    if (at !== undefined && at > now) continue;
    const edge = service === undefined ? undefined : services.get(service);
    const shared = (log.attributes.marks ?? []).some((mark) => marks.has(mark));
    const timely = at !== undefined && at >= from && at <= until;
    const bad = /^(?:warn|error|fatal|critical|panic|emerg)/i.test(level ?? "");
    if (!shared && !(edge !== undefined && timely && bad)) continue;
    links.push({
      source: log.id,
      kind: "related",
      target: ticket,
      rule: shared ? "shared trace or exception" : "same service, same time",
      confidence: shared ? 0.6 : 0.4,
      because: edge === undefined ? [] : [edge],
      spans: [...log.spans.slice(0, 1), ...node.spans.slice(0, 1)],
    });
  }
  return links.sort((a, b) => b.confidence - a.confidence || (a.source < b.source ? -1 : 1)).slice(0, limit);
}
