import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Answer, AnswerEvent, Citation } from "../core/answer.ts";
import type { Copy, Reading } from "../core/app.ts";
import type { Chunk } from "../core/chunk.ts";
import type { Graph, GraphNode } from "../core/graph.ts";
import type { SourceRecord } from "../core/record.ts";

const PATH = "/api/originals/";

/**
 * What a reader at another machine can open. A document is a file on this one, whose path is nobody's business: its link leads
 * to the daemon, which sends the file to who may see the record. Other links stay as they are.
 */
export function servedLink(url: string | null, record: string, page: number | null = null): string | null {
  if (url === null || !url.startsWith("file:")) return url;
  return `${PATH}${encodeURIComponent(record)}${page === null ? "" : `#page=${page}`}`;
}

/** What is asked of a reading over HTTP. */
export type Served = Pick<
  Reading,
  "name" | "whole" | "uploads" | "now" | "graph" | "ask" | "answer" | "tools" | "search" | "record" | "chunk" | "documentsAbout"
>;

/** A reading whose links can be followed over HTTP. */
export function withServedLinks(reading: Served): Served {
  const { name, whole, uploads, tools } = reading;
  return {
    name,
    whole,
    uploads,
    ...(tools === undefined ? {} : { tools }),
    now: () => reading.now(),
    graph: withLinkedNodes(reading.graph),
    async *ask(question, options) {
      const events = reading.ask(question, options);
      let step = await events.next();
      for (; !step.done; step = await events.next()) yield linkedEvent(step.value);
      return linkedAnswer(step.value);
    },
    answer(id) {
      const found = reading.answer(id);
      return found === null ? null : linkedAnswer(found);
    },
    async search(query, options, signal) {
      const found = await reading.search(query, options, signal);
      return { ...found, passages: found.passages.map((passage) => ({ ...passage, chunk: linkedChunk(passage.chunk) })) };
    },
    record(id) {
      const found = reading.record(id);
      if (found === null) return null;
      return { ...found, record: linkedRecord(found.record), copies: found.copies.map(linkedCopy) };
    },
    documentsAbout: (service) => reading.documentsAbout(service).map((about) => ({ ...about, record: linkedRecord(about.record) })),
    chunk(id, around) {
      const found = reading.chunk(id, around);
      if (found === null) return null;
      const { chunk, before, after, copies } = found;
      return { chunk: linkedChunk(chunk), before: before.map(linkedChunk), after: after.map(linkedChunk), copies: copies.map(linkedCopy) };
    },
  };
}

function linkedRecord(record: SourceRecord): SourceRecord {
  return { ...record, url: servedLink(record.url, record.id) };
}

function linkedCopy(copy: Copy): Copy {
  return { ...copy, url: servedLink(copy.url, copy.id) };
}

function linkedChunk(chunk: Chunk): Chunk {
  return { ...chunk, url: servedLink(chunk.url, chunk.span.record, chunk.page) };
}

function linkedCitation(citation: Citation): Citation {
  return { ...citation, url: servedLink(citation.url, citation.recordId, citation.page) };
}

function linkedAnswer(answer: Answer): Answer {
  return { ...answer, citations: answer.citations.map(linkedCitation) };
}

function linkedEvent(event: AnswerEvent): AnswerEvent {
  return event.type === "citation" ? { ...event, citation: linkedCitation(event.citation) } : event;
}

/** The graph with the links of its nodes; the edges have none. */
function withLinkedNodes(graph: Graph): Graph {
  const linked = <Node extends GraphNode>(node: Node): Node => {
    const { url } = node.attributes;
    const [span] = node.spans;
    if (url === undefined || span === undefined || !url.startsWith("file:")) return node;
    return { ...node, attributes: { ...node.attributes, url: servedLink(url, span.record) ?? url } };
  };
  return {
    async load(signal) {
      await graph.load?.(signal);
    },
    get size() {
      return graph.size;
    },
    node(id) {
      const found = graph.node(id);
      return found === null ? null : linked(found);
    },
    edge: (id) => graph.edge(id),
    *nodes(kind) {
      for (const node of graph.nodes(kind)) yield linked(node);
    },
    edges: (kind) => graph.edges(kind),
    resolve(name, kind) {
      const found = graph.resolve(name, kind);
      if (found.type === "one") return { type: "one", node: linked(found.node) };
      return found.type === "many" ? { type: "many", nodes: found.nodes.map(linked) } : found;
    },
    mentions: (text) => graph.mentions(text),
    edgesOf: (id, options) => graph.edgesOf(id, options),
    expand(start, options) {
      const found = graph.expand(start, options);
      return { ...found, nodes: found.nodes.map(linked) };
    },
    nodesOfRecord: (record) => graph.nodesOfRecord(record),
  };
}

export interface Original {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  /** Shown by the browser; false: only saved, since what is in it may be more than text. */
  readonly inline: boolean;
}

/** The header for a file's name, which may hold any letter (RFC 6266). */
export function contentDisposition({ name, inline }: Pick<Original, "name" | "inline">): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const exact = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `${inline ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** The file that a document was read from; null where the record is none, or its file is gone or became a link to another. */
export function originalOf({ source, url, fields }: SourceRecord): Original | null {
  if (source !== "documents" || url === null || !url.startsWith("file:")) return null;
  const path = fileURLToPath(url);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const name = basename(path);
  const media = fields.mediaType ?? "";
  if (media === "application/pdf") return { path, name, type: media, inline: true };
  // never as HTML: it would be a page of ours
  const isText = media.startsWith("text/") && !/html|xml/.test(media);
  return isText
    ? { path, name, type: "text/plain; charset=utf-8", inline: true }
    : { path, name, type: "application/octet-stream", inline: false };
}
