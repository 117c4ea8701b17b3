import { fieldSpan } from "../core/body.ts";
import type { Chunk } from "../core/chunk.ts";
import type { EdgeKind, NodeId } from "../core/fact.ts";
import type { Graph, GraphEdge, GraphNode } from "../core/graph.ts";
import { labels } from "../core/labels.ts";
import type { Instant, RecordId, SourceRecord, Span } from "../core/record.ts";

/** What the agent reads records and chunks from; the store's tables fit. */
export interface AgentRecords {
  get(id: RecordId): SourceRecord | null;
  ids(source?: string): Iterable<RecordId>;
}

export interface AgentChunks {
  get(id: string): Chunk | null;
  at(record: RecordId, start: number, end: number): Chunk | null;
  ofRecord(record: RecordId): readonly Chunk[];
  /** Chunks that hold every identifier as a whole token. */
  matchIdentifiers(
    identifiers: readonly string[],
    k: number,
    filter: object,
  ): readonly { readonly chunkId: string; readonly score: number }[];
  /** BM25 over stemmed words. */
  matchWords(words: readonly string[], k: number, filter: object): readonly { readonly chunkId: string; readonly score: number }[];
}

export interface TicketState {
  /** Null: no source states it. */
  readonly open: boolean | null;
  readonly status: string | null;
  readonly opened: Instant | null;
  readonly resolved: Instant | null;
  /** When it was opened again after it had been closed; null: never. */
  readonly reopened: Instant | null;
}

export interface LogLine {
  readonly node: NodeId;
  readonly record: SourceRecord;
  readonly at: Instant;
  readonly level: string;
  readonly service: NodeId | null;
}

/** Status words that mean that nothing is left to be done. */
const closedStatus =
  /^(?:done|closed|resolved|completed?|fixed|released|verified|cancell?ed|declined|rejected|duplicate|won['’]?t (?:do|fix)|abandoned|obsolete|merged)\b/i;

/** The graph and its records as they were at one instant: names, states, edges that held. Everything later is unseen. */
export class View {
  readonly graph: Graph;
  readonly records: AgentRecords;
  readonly chunks: AgentChunks;
  readonly now: Instant;
  readonly #logs: () => readonly LogLine[];

  constructor(graph: Graph, records: AgentRecords, chunks: AgentChunks, now: Instant, logs: () => readonly LogLine[]) {
    this.graph = graph;
    // a question looks at the same records again and again
    const known = new Map<RecordId, SourceRecord | null>();
    this.records = {
      ids: (source) => records.ids(source),
      get(id) {
        const record = known.get(id);
        if (record !== undefined) return record;
        const read = records.get(id);
        known.set(id, read);
        return read;
      },
    };
    this.chunks = chunks;
    this.now = now;
    this.#logs = logs;
  }

  /** The record that a ticket, commit, page or log node is about. */
  recordOf(node: GraphNode): SourceRecord | null {
    for (const { record: id } of node.spans) {
      const record = this.records.get(id);
      if (record !== null && isAbout(record, node)) return record;
    }
    return null;
  }

  /** A place that shows the node itself: the record's first line, or a place that names it. */
  spansOf(node: GraphNode): readonly Span[] {
    const record = this.recordOf(node);
    return record === null ? node.spans.slice(0, 1) : [headSpan(record)];
  }

  /** A name in full, as sentences write it: "JR-441 (Sessions lost)", "commit a3f8c2d (raise maxmemory)", "Rahul Sharma". */
  name(node: GraphNode): string {
    switch (node.kind) {
      case "ticket":
        return `${/^\p{Ll}/u.test(key(node)) ? "issue " : ""}${key(node)}${titled(node, key(node))}`;
      case "commit":
        return `commit ${shortSha(node)}${titled(node, key(node))}`;
      case "team":
        return /\bteam\b/i.test(node.label) ? node.label : `team ${node.label}`;
      case "doc":
        return `"${node.label}"`;
      case "log":
        return `the log line "${clip(node.label, 120)}"`;
      default:
        return node.label;
    }
  }

  nameOf(id: NodeId): string {
    const node = this.graph.node(id);
    return node === null ? id.slice(id.indexOf(":") + 1) : this.name(node);
  }

  /** Edges at a node that held at `at`; null for all that began by now, ended ones too. */
  edges(id: NodeId, kinds: readonly EdgeKind[], direction: "out" | "in" | "both", at: Instant | null = this.now): readonly GraphEdge[] {
    return this.graph
      .edgesOf(id, { kinds, direction, at: null, fanOut: 10_000, limit: 10_000 })
      .filter((edge) => edge.validFrom <= this.now && (at === null || holds(edge, at)));
  }

  /** Who made a commit, filed a ticket: the name, whether or not it is a known engineer. */
  authorOf(node: GraphNode): string | null {
    if (node.attributes.author !== undefined) return this.nameOf(node.attributes.author);
    const author = this.recordOf(node)?.author;
    return author?.name ?? author?.login ?? null;
  }

  /** A ticket's state at an instant, by its change log where there is one. */
  stateOf(node: GraphNode, at: Instant = this.now): TicketState {
    const record = this.recordOf(node);
    const fields = record?.fields;
    const opened = node.attributes.at ?? record?.createdAt ?? null;
    const changes = (fields?.changes ?? []).filter(({ field }) => /^status$/i.test(field)).sort((a, b) => a.at.localeCompare(b.at));
    const later = changes.find((change) => change.at > at);
    const current = node.attributes.status ?? fields?.status ?? null;
    const resolvedAt = node.attributes.resolvedAt ?? fields?.resolvedAt ?? null;
    let status = current;
    let open = node.attributes.open ?? fields?.open ?? (current === null ? null : !closedStatus.test(current));
    if (later !== undefined) {
      status = later.from;
      if (status !== null) open = !closedStatus.test(status);
    } else if (resolvedAt !== null && resolvedAt > at && open === false) {
      open = true;
      status = null;
    }
    const closings = changes.filter((change) => change.at <= at && closedStatus.test(change.to ?? ""));
    const reopenings = changes.filter(
      (change) => change.at <= at && closedStatus.test(change.from ?? "") && !closedStatus.test(change.to ?? ""),
    );
    const closedAt = resolvedAt !== null && resolvedAt <= at ? resolvedAt : (closings.at(-1)?.at ?? null);
    return { open, status, opened, resolved: open === false ? closedAt : null, reopened: reopenings.at(-1)?.at ?? null };
  }

  /** Where a ticket's state stands. */
  stateSpans(node: GraphNode): readonly Span[] {
    const record = this.recordOf(node);
    if (record === null) return node.spans.slice(0, 1);
    const status = fieldSpan(record, labels.status);
    return status === null ? [headSpan(record)] : [headSpan(record), { record: record.id, ...status }];
  }

  logs(): readonly LogLine[] {
    return this.#logs();
  }
}

/** Log lines of all records, oldest first; the caller keeps them for as long as the graph stays the same. */
export function readLogs(graph: Graph, records: AgentRecords): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (const node of graph.nodes("log")) {
    for (const { record: id } of node.spans.slice(0, 1)) {
      const record = records.get(id);
      if (record === null || record.kind !== "log") continue;
      const { fields } = record;
      lines.push({
        node: node.id,
        record,
        at: fields.firstAt ?? record.createdAt ?? record.updatedAt,
        level: (fields.level ?? node.attributes.level ?? "").toLowerCase(),
        service: serviceOfLog(graph, record),
      });
    }
  }
  return lines.sort((a, b) => a.at.localeCompare(b.at));
}

function serviceOfLog(graph: Graph, record: SourceRecord): NodeId | null {
  const place = record.fields.path ?? record.id.replace(/^log:/, "").replace(/:[\d.]+$/, "");
  const file = place.replace(/^.*\//, "").replace(/\.(?:log|jsonl?|txt|out|err|logfmt)$/i, "");
  for (const name of [record.fields.service, record.fields.pod, record.fields.pod && workload(record.fields.pod)]) {
    if (!name) continue;
    const found = graph.resolve(name, "service");
    if (found.type === "one") return found.node.id;
  }
  const first = graph
    .mentions(record.body.slice(0, Math.min(record.proseEnd, 300)))
    .find(({ resolution }) => resolution.type === "one" && resolution.node.kind === "service");
  if (first?.resolution.type === "one") return first.resolution.node.id;
  // a file is often named after the service that writes it: "payment.pino.jsonl"
  for (const name of [file, file.split(".")[0] ?? ""]) {
    const found = name === "" ? null : graph.resolve(name, "service");
    if (found?.type === "one") return found.node.id;
  }
  return null;
}

/** "checkout-7d9f8b6c5-x2x9p" runs checkout, "redis-0" redis: the name without what Kubernetes appends. */
export function workload(pod: string): string | null {
  const name = /^([a-z0-9](?:[a-z0-9-]{0,200}[a-z0-9])?)-(?:[a-z0-9]{5,10}-[a-z0-9]{5}|\d{1,3})$/.exec(pod)?.[1];
  return name ?? null;
}

export function isProblem({ level }: Pick<LogLine, "level">): boolean {
  return /^(?:err|warn|fatal|crit|alert|emerg|panic|severe)/.test(level);
}

/** What a log line says, without time, level, place in the code and the fields behind it. */
export function messageOf(record: SourceRecord): string {
  const text = record.body.slice(0, record.proseEnd);
  const [head = ""] = text.split("\n", 1);
  const json = /"(?:body|msg|message)"\s*:\s*"((?:[^"\\]|\\.){1,300})"/.exec(head)?.[1];
  if (json !== undefined) return json.replaceAll('\\"', "'");
  const field = /\b(?:msg|message)="([^"]{1,300})"/.exec(head)?.[1];
  if (field !== undefined) return field;
  const stamp = /^\[?\d{4}-\d{2}-\d{2}[T ][\d:.,]{5,16}(?:Z|[+-]\d{2}:?\d{2})?\]?\s+/;
  const klog = /^[IWEF]\d{4} [\d:.]{8,18}\s+\d+ [\w.-]{1,60}:\d+\]\s*/;
  const level = /^\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\]?:?\s+/i;
  const bare = head
    .replace(klog, "")
    .replace(stamp, "")
    .replace(level, "")
    .replace(/^(?:\[[^\]]{1,60}\]\s*){1,4}(?:-\s+)?/, "")
    .replace(/^[\w/.-]{1,60}\.\w{1,4}:\d+:?\s+/, "");
  const own = record.fields.service;
  const message = own !== undefined && bare.startsWith(`${own}: `) ? bare.slice(own.length + 2) : bare;
  return withoutFields(message);
}

/** "… traceId=… spanId=…" and a JSON tail are fields, not words; fields in front of the words are not what a line says either. */
function withoutFields(message: string): string {
  const json = message.search(/\s\{["']/);
  const text = json > 8 ? message.slice(0, json) : message;
  const tokens = [...text.matchAll(/[\w.-]{2,40}=(?:"[^"]*"|\S+)|\S+/g)].map(({ 0: token, index }) => ({
    index,
    field: /^[\w.-]{2,40}=\S/.test(token),
  }));
  let end = tokens.length;
  while (tokens[end - 1]?.field === true) end -= 1;
  const tail = tokens[end];
  const bare = tail !== undefined && tokens.length - end >= 2 && tail.index > 8 ? text.slice(0, tail.index).trimEnd() : text;
  // "pod-x a=1 b=2 session store unavailable": the words behind the last run of two fields
  let last = end - 1;
  while (last > 0 && !(tokens[last]?.field === true && tokens[last - 1]?.field === true)) last -= 1;
  const words = tokens[last + 1];
  return last > 0 && end - last - 1 >= 3 && words !== undefined ? bare.slice(words.index) : bare;
}

export function holds(edge: GraphEdge, at: Instant): boolean {
  return edge.validFrom <= at && (edge.validTo === null || edge.validTo > at);
}

/** The record's first line: title, subject, log line. */
export function headSpan(record: SourceRecord): Span {
  const newline = record.body.indexOf("\n");
  return { record: record.id, start: 0, end: newline < 0 ? record.body.length : newline };
}

/** The line of the first of these fields that a record has; its first line where it has none of them. */
export function fieldPlace(record: SourceRecord, ...fields: readonly string[]): Span {
  for (const label of fields) {
    const place = fieldSpan(record, label);
    if (place !== null) return { record: record.id, ...place };
  }
  return headSpan(record);
}

export function key(node: GraphNode): string {
  return node.id.slice(node.id.indexOf(":") + 1);
}

export function shortSha(node: GraphNode): string {
  return key(node).slice(0, 9);
}

/** Words in quotation marks, without a stop at their end: the sentence around them has its own. */
export function inQuotes(text: string, most: number): string {
  return `"${clip(text, most)
    .replace(/[.!\s]+$/, "")
    .replaceAll('"', "'")}"`;
}

export function clip(text: string, most: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= most ? flat : `${flat.slice(0, most - 1)}…`;
}

function titled(node: GraphNode, bare: string): string {
  // a title's own stops would end the sentence around it
  const label = clip(node.label, 110).replace(/[.!?]+(?=\s|["')\]]|$)/g, "");
  // a title that gives orders to whoever reads it is not repeated
  const orders = /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules?)\b|<\/?system>/i.test(label);
  return label === "" || label === bare || label === node.id || orders ? "" : ` (${label})`;
}

function isAbout(record: SourceRecord, node: GraphNode): boolean {
  const own = key(node).toLowerCase();
  switch (node.kind) {
    case "ticket":
      return (
        (record.kind === "ticket" || record.kind === "issue") &&
        (record.fields.key ?? record.id.slice(record.id.lastIndexOf(":") + 1)).toLowerCase() === own
      );
    case "commit":
      return (
        record.kind === "commit" && (record.fields.sha ?? record.id.slice(record.id.lastIndexOf(":") + 1)).toLowerCase().startsWith(own)
      );
    case "log":
      return record.kind === "log";
    case "doc":
      return record.kind === "page" || record.kind === "file";
    default:
      return false;
  }
}
