import type { Answer } from "../core/answer.ts";
import type { AboutDocument } from "../core/app.ts";
import type { Chunk } from "../core/chunk.ts";
import type { EdgeKind } from "../core/fact.ts";
import type { Graph, GraphEdge, GraphNode, SubGraph } from "../core/graph.ts";
import { gravity, isIncident } from "../core/incident.ts";
import type { Instant, RecordId, SourceRecord } from "../core/record.ts";
import { isWebPage } from "../core/web-search.ts";
import type { Evidence, PastAnswer, Related, ServiceRow, ServiceView } from "./schemas.ts";

/** Views for readers: pure functions over the graph, nothing is decided here that is not in the evidence. */

const MOST_EVIDENCE = 5;
/** All edges of one service; the graph's own default is meant for expansions. */
const EVERY = { fanOut: 100_000, limit: 100_000 } as const;

function evidenceOf(edge: GraphEdge): Evidence[] {
  return edge.evidence.slice(0, MOST_EVIDENCE).map(({ span, rule, tier, confidence, at }) => {
    return { record: span.record, start: span.start, end: span.end, rule, tier, confidence, at };
  });
}

function related(graph: Graph, edge: GraphEdge, node: GraphNode): Related {
  const { at, open, status, severity, author, url } = node.attributes;
  const causes = node.kind === "ticket" ? graph.edgesOf(node.id, { ...EVERY, kinds: ["caused_by"], direction: "out" }) : [];
  return {
    id: node.id,
    kind: node.kind,
    label: node.label,
    at: at ?? null,
    open: open ?? null,
    status: status ?? null,
    severity: severity ?? null,
    author: author === undefined ? null : (graph.node(author)?.label ?? author.slice(author.indexOf(":") + 1)),
    url: url ?? null,
    since: edge.validFrom,
    until: edge.validTo,
    confidence: edge.confidence,
    evidence: evidenceOf(edge),
    causes: causes.flatMap((cause) => {
      const target = graph.node(cause.target);
      return target === null ? [] : [{ id: target.id, kind: target.kind, label: target.label }];
    }),
  };
}

function newestFirst(a: Related, b: Related): number {
  return (b.at ?? b.since).localeCompare(a.at ?? a.since) || a.id.localeCompare(b.id);
}

function byLabel(a: { readonly label: string }, b: { readonly label: string }): number {
  return a.label.localeCompare(b.label);
}

/** Neighbours over one kind of edge, in one direction, that held at `at`; null: that ever held. */
function neighbours(graph: Graph, node: GraphNode, kind: EdgeKind, direction: "in" | "out", at: Instant | null): Related[] {
  return graph.edgesOf(node.id, { ...EVERY, kinds: [kind], direction, at }).flatMap((edge) => {
    const other = graph.node(direction === "in" ? edge.source : edge.target);
    return other === null ? [] : [related(graph, edge, other)];
  });
}

function isOpen(ticket: Related): boolean {
  return ticket.open ?? ticket.until === null;
}

function incidentsOf(graph: Graph, tickets: readonly Related[]): readonly Related[] {
  return tickets.filter(({ id }) => {
    const node = graph.node(id as GraphNode["id"]);
    return node !== null && isIncident(node);
  });
}

/** Incidents of a service that are open. */
function openIncidentsOf(graph: Graph, service: GraphNode): readonly Related[] {
  return incidentsOf(graph, neighbours(graph, service, "affects", "in", null)).filter(isOpen);
}

/** How many incidents of a service are open. */
export function countOpenIncidents(graph: Graph, service: GraphNode): number {
  return openIncidentsOf(graph, service).length;
}

export interface ServiceViewOptions {
  readonly now: Instant;
  /** Restricts incidents and changes to what happened in it, and owners and dependencies to its end. */
  readonly window: { readonly from: Instant; readonly to: Instant } | null;
  readonly note: string | null;
  record(id: RecordId): SourceRecord | null;
  /** Pages and files about the service that need not state a fact. */
  readonly about: readonly AboutDocument[];
}

/** Everything that an on-call engineer asks about one service first. */
export function serviceView(graph: Graph, service: GraphNode, options: ServiceViewOptions): ServiceView {
  const { window } = options;
  const at = window?.to ?? options.now;
  const tickets = neighbours(graph, service, "affects", "in", null);
  const opened = (ticket: Related): Instant => ticket.at ?? ticket.since;
  const during = tickets.filter((ticket) => {
    if (window === null) return true;
    const ended = isOpen(ticket) ? null : ticket.until;
    return opened(ticket) <= window.to && (ended === null || ended >= window.from);
  });
  const incidents = incidentsOf(graph, during);
  const changes = neighbours(graph, service, "modified", "in", null).filter((change) => {
    const when = change.at ?? change.since;
    return window === null || (when >= window.from && when <= window.to);
  });
  const owners = neighbours(graph, service, "owns", "in", at);
  const current = new Set(owners.map((owner) => owner.id));
  return {
    id: service.id,
    name: service.label,
    aliases: [...service.aliases],
    asOf: options.now,
    window,
    note: options.note,
    owners: owners.toSorted((a, b) => b.confidence - a.confidence || byLabel(a, b)),
    formerOwners: neighbours(graph, service, "owns", "in", null)
      .filter((owner) => !current.has(owner.id) && owner.until !== null && owner.until <= at)
      .toSorted(newestFirst),
    openIncidents: incidents.filter(isOpen).toSorted(newestFirst),
    openTickets: during.filter((ticket) => isOpen(ticket) && !incidents.includes(ticket)).toSorted(newestFirst),
    closedIncidents: incidents.filter((ticket) => !isOpen(ticket)).toSorted(newestFirst),
    changes: changes.toSorted(newestFirst),
    dependsOn: neighbours(graph, service, "depends_on", "out", at).toSorted(byLabel),
    dependedOnBy: neighbours(graph, service, "depends_on", "in", at).toSorted(byLabel),
    docs: docsOf(graph, service, options),
  };
}

/** Pages and files about the service, and those that its evidence lies in: first what has its name in the title, then the newest. */
function docsOf(graph: Graph, service: GraphNode, { record, about }: ServiceViewOptions): ServiceView["docs"] {
  const titled = new Set(about.filter((one) => one.titled).map((one) => one.record.id));
  const found = new Map(about.map((one) => [one.record.id, one.record]));
  const stating = new Set<RecordId>(service.spans.map((span) => span.record));
  for (const { evidence } of graph.edgesOf(service.id, { ...EVERY, at: null })) for (const { span } of evidence) stating.add(span.record);
  for (const id of stating) {
    const one = found.has(id) ? null : record(id);
    if (one?.kind === "page" || one?.kind === "file") found.set(id, one);
  }
  return [...found.values()]
    .toSorted(
      (a, b) => Number(titled.has(b.id)) - Number(titled.has(a.id)) || b.updatedAt.localeCompare(a.updatedAt) || a.id.localeCompare(b.id),
    )
    .map(({ id, title, url, updatedAt }) => ({ record: id, title, url, updatedAt }));
}

/** The table of all services: those with the gravest open incident first, of equally grave ones the newest, then by name. */
export function serviceRows(graph: Graph, now: Instant): ServiceRow[] {
  const worst = new Map<string, number>();
  const rows = [...graph.nodes("service")].map((service): ServiceRow => {
    const open = openIncidentsOf(graph, service);
    worst.set(service.id, Math.max(-1, ...open.map(({ id }) => gravityOf(graph, id))));
    const [newest] = open.toSorted(newestFirst);
    const changes = neighbours(graph, service, "modified", "in", null).toSorted(newestFirst);
    return {
      id: service.id,
      name: service.label,
      owners: neighbours(graph, service, "owns", "in", now)
        .toSorted(byLabel)
        .map((owner) => owner.label),
      openIncidents: open.length,
      newestIncident: newest === undefined ? null : (newest.at ?? newest.since),
      lastChange: changes[0]?.at ?? changes[0]?.since ?? null,
      dependsOn: neighbours(graph, service, "depends_on", "out", now).length,
      dependedOnBy: neighbours(graph, service, "depends_on", "in", now).length,
    };
  });
  return rows.toSorted(
    (a, b) =>
      (worst.get(b.id) ?? -1) - (worst.get(a.id) ?? -1) ||
      (b.newestIncident ?? "").localeCompare(a.newestIncident ?? "") ||
      a.name.localeCompare(b.name) ||
      a.id.localeCompare(b.id),
  );
}

function gravityOf(graph: Graph, id: string): number {
  const node = graph.node(id as GraphNode["id"]);
  return node === null ? 0 : gravity(node);
}

/** A sub-graph as JSON. */
export function graphReply(sub: SubGraph) {
  return {
    nodes: sub.nodes.map(({ id, kind, label, hop, aliases, attributes }) => {
      const { open, status, at, url } = attributes;
      return { id, kind, label, hop, aliases: [...aliases], open: open ?? null, status: status ?? null, at: at ?? null, url: url ?? null };
    }),
    edges: sub.edges.map((edge) => {
      const { id, source, target, kind, confidence, validFrom, validTo } = edge;
      return { id, source, target, kind, confidence, evidence: evidenceOf(edge), validFrom, validTo };
    }),
    leftOut: sub.leftOut,
  };
}

/** An earlier answer beside what its sources say today. */
export function pastAnswer(answer: Answer, chunk: (id: string) => Chunk | null): PastAnswer {
  const changed: PastAnswer["changed"] = [];
  for (const { n, recordId, chunkId, text } of answer.citations) {
    if (isWebPage(recordId)) continue;
    const today = chunk(chunkId);
    if (today === null) changed.push({ n, chunkId, change: "gone", now: null });
    else if (today.text !== text) changed.push({ n, chunkId, change: "edited", now: today.text });
  }
  return { answer, changed };
}
