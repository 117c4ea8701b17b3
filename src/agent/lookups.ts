import type { EdgeKind, NodeId } from "../core/fact.ts";
import type { GraphEdge, GraphNode } from "../core/graph.ts";
import { gravity, isIncident } from "../core/incident.ts";
import type { Instant, SourceRecord } from "../core/record.ts";
import { holdsWhole } from "../core/words.ts";
import { isProblem, type LogLine, type TicketState, type View } from "./view.ts";

/** What the tools look up in a view of the graph. Pure; most relevant first. */

export interface Owner {
  readonly node: GraphNode;
  readonly edge: GraphEdge;
}

export interface Change {
  readonly node: GraphNode;
  readonly at: Instant;
  readonly author: string | null;
  readonly services: readonly NodeId[];
  readonly edges: readonly GraphEdge[];
}

/** A roll-out or roll-back that a log states. */
export interface Deployment {
  readonly log: LogLine;
  readonly service: NodeId | null;
  readonly revision: string;
  readonly rollback: boolean;
}

export interface Incident {
  readonly node: GraphNode;
  readonly record: SourceRecord | null;
  readonly state: TicketState;
  /** An incident or outage, rather than a bug or task. */
  readonly incident: boolean;
  readonly affects: readonly GraphEdge[];
  readonly duplicateOf: NodeId | null;
}

export interface Dependency {
  readonly node: GraphNode;
  readonly hop: number;
  readonly edge: GraphEdge;
}

export type Direction = "downstream" | "upstream";

/** Who owns a service, best evidence first; null for all who ever did. */
export function ownersOf(view: View, service: NodeId, at: Instant | null = view.now): readonly Owner[] {
  return withNodes(view, view.edges(service, ["owns"], "in", at), "source").sort((a, b) => strength(b.edge) - strength(a.edge));
}

export function ownedBy(view: View, owner: NodeId, at: Instant | null = view.now): readonly Owner[] {
  return withNodes(view, view.edges(owner, ["owns"], "out", at), "target");
}

/** Commits of a window, newest first; those of one service when one is given. */
export function changesIn(view: View, services: readonly NodeId[] | null, from: Instant | null, to: Instant): readonly Change[] {
  const nodes = new Map<NodeId, GraphNode>();
  if (services === null) for (const node of commitsMade(view, from, to)) nodes.set(node.id, node);
  else
    for (const service of services)
      for (const edge of view.edges(service, ["modified"], "in", null)) {
        const node = view.graph.node(edge.source);
        if (node !== null) nodes.set(node.id, node);
      }
  const changes: Change[] = [];
  for (const node of nodes.values()) {
    const at = timeOf(view, node);
    if (at === null || at > view.now || at >= to || (from !== null && at < from)) continue;
    changes.push(changeOf(view, node, at));
  }
  return changes.sort((a, b) => b.at.localeCompare(a.at));
}

/** The newest commit before an instant, of some services or of all; null when there is none. */
export function lastBefore(view: View, services: readonly NodeId[] | null, before: Instant): Change | null {
  if (services === null && before <= view.now)
    for (const node of commitsMade(view, null, before)) if (node.attributes.at !== undefined) return changeOf(view, node);
  return changesIn(view, services, null, before)[0] ?? null;
}

function commitsMade({ graph }: View, from: Instant | null, before: Instant): Iterable<GraphNode> {
  return graph.commitsMade?.(from, before) ?? graph.nodes("commit");
}

export function changeOf(view: View, node: GraphNode, at = timeOf(view, node) ?? ""): Change {
  const edges = view.edges(node.id, ["modified"], "out", null);
  return { node, at, author: view.authorOf(node), services: edges.map(({ target }) => target), edges };
}

export function timeOf(view: View, node: GraphNode): Instant | null {
  if (node.attributes.at !== undefined) return node.attributes.at;
  const record = view.recordOf(node);
  return record === null ? null : (record.createdAt ?? record.updatedAt);
}

/** Roll-outs and roll-backs of a window, newest first. */
export function deploymentsIn(view: View, services: readonly NodeId[] | null, from: Instant | null, to: Instant): readonly Deployment[] {
  const found: Deployment[] = [];
  for (const log of view.logs()) {
    if (log.at > view.now || log.at >= to || (from !== null && log.at < from)) continue;
    const { revision } = log.record.fields;
    if (revision === undefined || isProblem(log)) continue;
    const text = log.record.body.slice(0, log.record.proseEnd);
    if (!/\broll(?:ed|ing)?[- ]?(?:out|back)|\bdeploy|\brelease[ds]?\b|\bpromot/i.test(text)) continue;
    if (services !== null && (log.service === null || !services.includes(log.service))) continue;
    found.push({ log, service: log.service, revision, rollback: /\broll(?:ed|ing)?[- ]?back|\brevert/i.test(text) });
  }
  return found.reverse();
}

/** A word of a question that stands in a ticket's text counts for so much of one in its title. */
export const IN_TEXT = 0.6;

/** Tickets that affect a service (all tickets when null), incidents and grave ones first, then newest. */
export function ticketsOf(view: View, service: NodeId | null, at: Instant = view.now): readonly Incident[] {
  const nodes = new Map<NodeId, GraphNode>();
  if (service === null) for (const node of view.graph.nodes("ticket")) nodes.set(node.id, node);
  else
    for (const edge of view.edges(service, ["affects"], "in", null)) {
      const node = view.graph.node(edge.source);
      if (node !== null) nodes.set(node.id, node);
    }
  const incidents: Incident[] = [];
  for (const node of nodes.values()) {
    const incident = incidentOf(view, node, at);
    if (incident.state.opened !== null && incident.state.opened > at) continue;
    // a key that is only mentioned somewhere has no record, hence no state
    if (incident.record === null && incident.state.open === null) continue;
    incidents.push(incident);
  }
  return incidents.sort((a, b) => weight(b) - weight(a) || (b.state.opened ?? "").localeCompare(a.state.opened ?? ""));
}

export function openTickets(view: View, service: NodeId | null, at: Instant = view.now): readonly Incident[] {
  return ticketsOf(view, service, at).filter(({ state }) => state.open !== false);
}

export function incidentOf(view: View, node: GraphNode, at: Instant = view.now): Incident {
  const record = view.recordOf(node);
  const link = record?.fields.links?.find(({ phrase }) => /\bduplicates\b|\bis (?:a )?duplicate of\b/i.test(phrase));
  const target = link === undefined ? null : view.graph.resolve(link.key, "ticket");
  return {
    node,
    record,
    state: view.stateOf(node, at),
    incident: isIncident(node),
    affects: view.edges(node.id, ["affects"], "out", null),
    duplicateOf: target?.type === "one" ? target.node.id : null,
  };
}

/** What a service depends on (downstream) or who depends on it (upstream), breadth first; nearest, then best supported. */
export function dependenciesOf(
  view: View,
  service: NodeId,
  direction: Direction,
  hops: number,
  at: Instant | null = view.now,
): readonly Dependency[] {
  const seen = new Set<NodeId>([service]);
  const found: Dependency[] = [];
  let front: readonly NodeId[] = [service];
  for (let hop = 1; hop <= hops; hop += 1) {
    const next: NodeId[] = [];
    for (const from of front) {
      for (const edge of view.edges(from, ["depends_on"], direction === "downstream" ? "out" : "in", at)) {
        const other = direction === "downstream" ? edge.target : edge.source;
        const node = view.graph.node(other);
        if (seen.has(other) || node === null) continue;
        seen.add(other);
        next.push(other);
        found.push({ node, hop, edge });
      }
    }
    front = next;
  }
  return found;
}

/** Warnings and errors of a service up to an instant, oldest first. */
export function problemsOf(view: View, service: NodeId | null, from: Instant | null, to: Instant): readonly LogLine[] {
  return view
    .logs()
    .filter(
      (log) =>
        isProblem(log) &&
        (service === null || log.service === service) &&
        log.at <= view.now &&
        log.at < to &&
        (from === null || log.at >= from),
    );
}

/** What a ticket or log was caused by, as far as somebody says so. */
export function causesOf(view: View, node: NodeId): readonly GraphEdge[] {
  return view.edges(node, ["caused_by"], "out", null);
}

export function edgesWith(view: View, node: NodeId, kinds: readonly EdgeKind[], direction: "out" | "in"): readonly Owner[] {
  return withNodes(view, view.edges(node, kinds, direction, null), direction === "out" ? "target" : "source");
}

/** Pages and files that have a service in their title or path: "Checkout runbook" is checkout's, not that of the service "out". */
export function docsOf(view: View, service: GraphNode, most = 5): readonly GraphNode[] {
  const names = [service.label, ...service.aliases].map((name) => name.toLowerCase());
  const isNamedIn = (title: string): boolean =>
    names.some((name) => holdsWhole(title.toLowerCase(), name)) &&
    (title.includes("/") ||
      view.graph.mentions(title).some(({ resolution }) => resolution.type === "one" && resolution.node.id === service.id));
  const docs: GraphNode[] = [];
  for (const node of view.graph.nodes("doc")) {
    if (isNamedIn(node.label)) docs.push(node);
    if (docs.length >= most) break;
  }
  return docs;
}

function withNodes(view: View, edges: readonly GraphEdge[], end: "source" | "target"): Owner[] {
  return edges.flatMap((edge) => {
    const node = view.graph.node(edge[end]);
    return node === null ? [] : [{ node, edge }];
  });
}

function strength(edge: GraphEdge): number {
  return Math.max(0, ...edge.evidence.map(({ authority }) => authority)) + edge.confidence / 10;
}

function weight({ incident, duplicateOf, node }: Incident): number {
  return (incident ? 100 : 0) + gravity(node) * 5 - (duplicateOf === null ? 0 : 50);
}
