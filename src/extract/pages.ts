import type { NodeId } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import { serviceOfFile } from "./code.ts";
import { titleSpan } from "./declare.ts";
import { authorities, type Findings, only, type Place } from "./facts.ts";
import type { Mention } from "./mask.ts";
import type { NameBook } from "./names.ts";
import { proseSieve } from "./sieve.ts";
import { type Row, serviceColumns, tablesOf } from "./tables.ts";

/** What a page's title says it is about: one ticket, one service. */
export function subjectOf(
  findings: Findings,
  names: NameBook,
): { readonly ticket: NodeId | null; readonly service: NodeId | null; readonly describes: boolean } {
  const { record } = findings;
  const title = titleSpan(record);
  if (title.end > 400) return { ticket: null, service: null, describes: false };
  const mentions = findings.mentions(title);
  const distinct = (kind: string): NodeId | null =>
    only([
      ...new Set(mentions.filter((mention) => mention.kind === kind && !isWordIn(record, mention)).flatMap((mention) => mention.nodes)),
    ]);
  const path = record.fields.path;
  const ofPath = path === undefined ? null : serviceOfFile(path, record.fields.repository, names);
  const service = ofPath ?? distinct("service") ?? statedSubject(record, names);
  return { ticket: distinct("ticket"), service, describes: service !== null && describes(findings, service) };
}

/** "Support government changes": an everyday word is a service's name where the title is nothing but that name. */
function isWordIn(record: SourceRecord, mention: Mention): boolean {
  return mention.bare && record.fields.path === undefined && !isNameAlone(record.body.slice(0, titleSpan(record).end), [mention]);
}

const aboutPages =
  /\b(?:the|an?|our|of|for|about|and|what|is|it|does|how|it|works?|service|microservice|system|component|app|application|page|runbook|run book|playbook|overview|guide|handbook|manual|readme|md|architecture|design|internals|operations?|ops|on-?call|documentation|docs?|reference|specification|spec|in short|explained|introduction|intro|basics|facts?|fact sheet|profile|description|details|owners?|ownership|dependencies|interfaces?|integrations?|api|data flow|knowledge base|wiki|dienst|anwendung|betrieb|betriebshandbuch|steckbrief|überblick|übersicht|handbuch|doku|dokumentation|der|die|das|von|zum|zur)\b/gi;
const ofTrouble =
  /\b(?:down|fail\w*|errors?|slow|missing|outage|incident|post-?mortem|alerts?|high|low|lag\w*|crash\w*|full|unavailable|unreachable|expir\w*|timeouts?|minutes|retro\w*|meeting|plan|roadmap|report|proposal|rfc|changes|changelog|migrat\w*|upgrad\w*)\b/i;

/**
 * Whether a title is a service's name and words for a page about it, two more at most: "Runbook: checkout", "How the checkout
 * service works", not "Migrating checkout to the new cluster" or "Query logs in checkout".
 */
function isNameAlone(title: string, mentions: readonly Place[]): boolean {
  let [rest, at] = ["", 0];
  for (const { start, end } of mentions) {
    rest += `${title.slice(at, start)} `;
    at = end;
  }
  rest += title.slice(at);
  if (
    ofTrouble.test(rest) ||
    /^\W*(?!runbook)[a-z]{4,14}(?:ing|e|ate|ect)\b (?!service)/i.test(rest.replace(/\b(?:guide|service|page|reference)\b/gi, ""))
  )
    return false;
  return (
    (
      rest
        .replace(/\([^)]{0,60}\)/g, "")
        .replace(aboutPages, "")
        .match(/[\p{L}\d]{2,}/gu) ?? []
    ).length <= 2
  );
}

/** Whether a page describes the service that it is about: by its title, as a file of its folder, or by a line at its head. */
function describes(findings: Findings, service: NodeId): boolean {
  const { record } = findings;
  if (record.fields.path !== undefined) return true;
  const title = titleSpan(record);
  const mentions = findings.mentions(title).filter((mention) => mention.nodes.includes(service));
  return mentions.length === 0 || isNameAlone(record.body.slice(0, title.end), mentions);
}

const subjectLine =
  /^[ \t*_•-]{0,4}(?:(?:about|for|affected )?(?:service|system|component|dienst|anwendung))[*_]{0,2} ?:[*_]{0,2} {0,2}(\S[^\n,;|]{0,60}?)[ .]*$/im;
/** Lines that say what a page is about stand at its head. */
const headLength = 600;

/** "Service: checkout-api" at the head of a page whose title names none. */
function statedSubject(record: SourceRecord, names: NameBook): NodeId | null {
  const name = subjectLine.exec(record.body.slice(0, Math.min(record.proseEnd, headLength)))?.[1];
  return name === undefined ? null : only(names.service(name.replace(/[`*]/g, "")));
}

/** Catalogue tables: who owns what, what needs what. */
export function readTables(findings: Findings, names: NameBook, outdated: boolean): void {
  const { record } = findings;
  for (const table of tablesOf(record.body, record.proseEnd)) {
    const columns = serviceColumns(table);
    if (columns === null) continue;
    for (const row of table.rows) {
      const node = [columns.service, ...columns.others]
        .map((column) => only(names.service(row.cells[column]?.text ?? "")))
        .find((one) => one !== null);
      if (node === undefined || node === null) continue;
      for (const [index, role] of columns.roles.entries()) {
        const heading = table.header.cells[index]?.text ?? "";
        const former = /\b(?:in \d{4}|until|former|previous|then|before)\b/i.test(heading);
        const authority = outdated || former ? authorities.outdated : authorities.page;
        if (role === "owner" || role === "team") readOwners(findings, names, row, index, node, role, authority);
        else if (role === "dependency" || role === "dependent") {
          for (const part of values(row, index)) {
            const other = only(names.service(part));
            const [source, target] = role === "dependency" ? [node, other] : [other, node];
            if (source !== null && target !== null)
              findings.fact("depends_on", source, target, row, "table: dependencies", { confidence: 0.85, authority });
          }
        }
      }
    }
  }
}

function readOwners(
  findings: Findings,
  names: NameBook,
  row: Row,
  index: number,
  service: NodeId,
  role: "owner" | "team",
  authority: number,
): void {
  for (const part of values(row, index)) {
    const owner = role === "team" ? only(names.find(part, "team")) : (only(names.find(part, "engineer")) ?? only(names.find(part, "team")));
    if (owner !== null) findings.fact("owns", owner, service, row, `table: ${role}`, { confidence: 0.9, authority });
  }
}

function values(row: Row, index: number): string[] {
  return (row.cells[index]?.text ?? "")
    .split(/,|;|\/| and | & |\n/)
    .map((part) => part.replace(/\([^)]{0,60}\)/g, "").trim())
    .filter((part) => part !== "");
}

const arrow = /\s{0,4}(?:-{2,8}>|-\.{1,8}-{0,2}>|={2,8}>|->|→|⇒|=>)\s{0,4}(?:\|[^|\n]{0,80}\|)?\s{0,4}/;
const anyArrow = /[-=.]>|→|⇒/g;
const opensDiagram = proseSieve.add(/^[ \t]*(?:graph|flowchart)[ \t]+(?:TD|TB|LR|RL|BT)\b|^[ \t]*@startuml/m);
const definition = /([\w-]{1,60})\s?(?:\(\[|\[\(|\[\/|\(\(|\[|\(|\{)"?([^\n"\])}]{1,100})/;
const broker = /\b(?:kafka|rabbitmq|nats|pulsar|activemq|sqs|sns|queue|topic|broker|event ?bus|message ?bus|stream)\b/i;

/**
 * Arrows between services in diagrams (Mermaid, PlantUML) and in lines that are nothing but a chain of services.
 * "a --> b" reads as "a needs b"; from a message broker the arrow shows the data, and the consumer needs the broker.
 */
export function readDiagrams(findings: Findings, names: NameBook): void {
  const { record, prose, possible } = findings;
  const text = record.body;
  if (!/->|→|⇒|=>/.test(text)) return;
  const diagram = possible.test(opensDiagram, prose);
  const shown = new Map<string, string>();
  for (let start = 0; start < record.proseEnd; ) {
    if (!diagram) {
      // on to the next line with an arrow
      anyArrow.lastIndex = start;
      const next = anyArrow.exec(prose);
      if (next === null) return;
      start = Math.max(start, text.lastIndexOf("\n", next.index) + 1);
    }
    const newline = text.indexOf("\n", start);
    const end = newline < 0 || newline > record.proseEnd ? record.proseEnd : newline;
    const line = text.slice(start, Math.min(end, start + 400));
    const parts = line.split(arrow);
    if (parts.length === 1 && diagram) {
      const match = definition.exec(line);
      if (match?.[1] !== undefined && match[2] !== undefined) shown.set(match[1], match[2]);
    } else if (parts.length > 1 && parts.length < 8 && diagram) {
      const ends = parts.map((part) => [diagramNode(part, shown, names)].filter((one) => one !== null));
      readChain(findings, ends, { start: start + (line.length - line.trimStart().length), end });
    } else if (parts.length > 1) {
      readChains(findings, line, start, names);
    }
    start = end + 1;
  }
}

/** "a -> b, c; d -> b": chains in a line, each of services and nothing else. */
function readChains(findings: Findings, line: string, start: number, names: NameBook): void {
  let at = 0;
  for (const segment of line.split(";")) {
    const parts = segment.split(arrow);
    const ends = parts.map((part) => {
      const items = part.split(/,| \+ | & | and | und /).map((one) => lineNode(one, names));
      return items.every((one) => one !== null) ? items : [];
    });
    const indent = segment.length - segment.trimStart().length;
    if (parts.length > 1 && parts.length < 8)
      readChain(findings, ends, { start: start + at + indent, end: start + at + segment.trimEnd().length });
    at += segment.length + 1;
  }
}

function readChain(
  findings: Findings,
  ends: readonly (readonly DiagramEnd[])[],
  place: { readonly start: number; readonly end: number },
): void {
  for (let at = 0; at + 1 < ends.length; at += 1) {
    for (const from of ends[at] ?? []) {
      for (const to of ends[at + 1] ?? []) {
        const reversed = broker.test(from.label) && !broker.test(to.label);
        const [source, target] = reversed ? [to.node, from.node] : [from.node, to.node];
        if (source !== target)
          findings.fact("depends_on", source, target, place, "diagram arrow", { confidence: 0.8, authority: authorities.page });
      }
    }
  }
}

interface DiagramEnd {
  readonly node: NodeId;
  readonly label: string;
}

function diagramNode(part: string, shown: Map<string, string>, names: NameBook): DiagramEnd | null {
  const match = definition.exec(part);
  const id = (match?.[1] ?? /([\w-]{1,60})(?::::\w+)?\W{0,3}$/.exec(part)?.[1] ?? "").trim();
  if (match?.[1] !== undefined && match[2] !== undefined) shown.set(match[1], match[2]);
  const label = (shown.get(id) ?? "")
    .replace(/<br\s?\/?>/gi, " ")
    .replace(/&#40;?/g, "(")
    .replace(/&#41;?/g, ")");
  const inner = /\(([^)]{1,60})\)?/.exec(label)?.[1] ?? "";
  for (const name of [id, label.trim(), inner, label.replace(/\([^)]{0,60}\)?/g, "").trim()]) {
    const node = name === "" ? null : only(names.service(name));
    if (node !== null) return { node, label: `${id} ${label}` };
  }
  return null;
}

function lineNode(part: string, names: NameBook): DiagramEnd | null {
  const name = part
    .replace(/^\s*(?:[-*•+]|\d{1,2}[.)])?\s*/, "")
    .replace(/[`*[\]().;]/g, "")
    .trim();
  const node = name === "" || name.length > 60 ? null : only(names.service(name));
  return node === null ? null : { node, label: name };
}
