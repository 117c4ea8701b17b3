import type { NodeId, NodeKind } from "../core/fact.ts";
import type { GraphNode, Mention, Resolution } from "../core/graph.ts";
import { foldWord, holdsWhole } from "../core/words.ts";
import type { KnowledgeGraph } from "./knowledge-graph.ts";
import { editDistance, tolerance } from "./nearest.ts";

const nodeId = /^(service|engineer|team|ticket|commit|log|doc):\S/;
const ticketKey = /^[A-Za-z][A-Za-z0-9_]{1,15}-\d{1,7}$/;
const issueRef = /^(?:([\w.-]{1,100}\/)?([\w.-]{1,100}))?#(\d{1,7})$/;
const hex = /^[0-9a-f]{6,40}$/i;
const mostNearest = 3;

/** A name, id, key, login or unique sha prefix to its node; several where it is ambiguous; else the nearest names. */
export function resolveName(graph: KnowledgeGraph, name: string, kind?: NodeKind): Resolution {
  const text = name.trim().replace(/^["'“`]|["'”`]$/g, "");
  const ids = text === "" ? [] : candidates(graph, text, kind);
  const nodes = [...new Set(ids)].map((id) => graph.node(id)).filter((node) => node !== null);
  const distinct = [...new Map(nodes.map((node) => [node.id, node])).values()].filter((node) => kind === undefined || node.kind === kind);
  const [first, ...more] = distinct;
  if (first === undefined) return { type: "none", nearest: nearest(graph, text, kind) };
  return more.length === 0 ? { type: "one", node: first } : { type: "many", nodes: distinct };
}

function candidates(graph: KnowledgeGraph, text: string, kind: NodeKind | undefined): readonly NodeId[] {
  if (nodeId.test(text)) return graph.has(text as NodeId) || text.startsWith("commit:") ? [text as NodeId] : [];
  const wants = (one: NodeKind): boolean => kind === undefined || kind === one;
  if (wants("ticket")) {
    const found = ticketIds(graph, text);
    if (found.length > 0) return found;
  }
  if (wants("commit") && hex.test(text)) {
    const found = graph.commits(`commit:${text.toLowerCase()}`);
    if (found.length > 0) return found;
  }
  if (kind === undefined || kind === "service" || kind === "engineer" || kind === "team") {
    const found = graph.names?.find(text, kind) ?? [];
    if (found.length > 0) return found;
  }
  if (wants("log") && graph.has(`log:${text.replace(/^log:/, "")}`)) return [`log:${text}`];
  return wants("doc") ? docIds(graph, text) : [];
}

function ticketIds(graph: KnowledgeGraph, text: string): readonly NodeId[] {
  if (ticketKey.test(text)) {
    const moved = graph.names?.find(text, "ticket") ?? [];
    if (moved.length > 0) return moved.filter((id) => graph.has(id));
    const id: NodeId = `ticket:${text.toUpperCase()}`;
    return graph.has(id) ? [id] : [];
  }
  const issue = issueRef.exec(text);
  if (issue === null) return [];
  const [, , repository, number] = issue;
  if (repository !== undefined) return graph.has(`ticket:${repository}#${number}`) ? [`ticket:${repository}#${number}`] : [];
  return [...graph.ids("ticket")].filter((id) => id.endsWith(`#${number}`));
}

/** A page by its title, by its number there ("CONF-118 Redis failover"), or by its id at the source. */
function docIds(graph: KnowledgeGraph, text: string): readonly NodeId[] {
  const direct: NodeId = `doc:${text.replace(/^doc:/, "")}`;
  if (graph.has(direct)) return [direct];
  const wanted = fold(text);
  if (wanted.length < 4) return [];
  const whole: NodeId[] = [];
  const part: NodeId[] = [];
  for (const id of graph.ids("doc")) {
    const label = fold(graph.node(id)?.label ?? "");
    if (label === wanted) whole.push(id);
    else if (/\d/.test(wanted) && holdsWhole(label, wanted)) part.push(id);
  }
  return whole.length > 0 ? whole : part;
}

function fold(text: string): string {
  return foldWord(text).replace(/\s+/g, " ").trim();
}

function nearest(graph: KnowledgeGraph, text: string, kind: NodeKind | undefined): readonly GraphNode[] {
  const wanted = fold(text)
    .replace(/^@/, "")
    .replace(/[-_ ]+/g, " ");
  if (wanted.length < 3 || wanted.length > 60) return [];
  const most = tolerance(wanted.length);
  const best = new Map<NodeId, number>();
  for (const entry of graph.names?.entries() ?? []) {
    if (kind !== undefined && !entry.node.startsWith(`${kind}:`)) continue;
    for (const spelling of [entry.label, ...entry.spellings]) {
      const name = fold(spelling)
        .replace(/^@/, "")
        .replace(/[-_ ]+/g, " ");
      const within = wanted.length >= 4 && name.split(" ").includes(wanted) ? 1 : editDistance(wanted, name, most);
      if (within <= most || (within === 1 && wanted.length >= 4)) best.set(entry.node, Math.min(best.get(entry.node) ?? most + 1, within));
    }
  }
  return [...best]
    .sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, mostNearest)
    .map(([id]) => graph.node(id))
    .filter((node) => node !== null);
}

const inText =
  /(?<![\w-])(?:[A-Za-z][A-Za-z0-9_]{1,15}-\d{1,7}(?![\w-])|(?:(?:[\w.-]{1,60}\/)?[\w.-]{1,60})?#\d{1,7}(?!\w)|[0-9a-f]{6,40}(?![\w-])|(?:service|engineer|team|ticket|commit|log|doc):[\w.#/:-]{1,120})/gi;

/** The nodes that a question or sentence names, in order, longest spelling first, without overlaps. */
export function mentionsOf(graph: KnowledgeGraph, text: string): readonly Mention[] {
  const found: Mention[] = [];
  const free = (start: number, end: number): boolean => !found.some((other) => start < other.end && end > other.start);
  for (const match of text.matchAll(inText)) {
    const trimmed = match[0].replace(/[.:/]+$/, "");
    const resolution = resolveName(graph, trimmed);
    if (resolution.type !== "none") found.push({ start: match.index, end: match.index + trimmed.length, text: trimmed, resolution });
  }
  for (const match of graph.names?.scan(text, { question: true }) ?? []) {
    if (!free(match.start, match.end)) continue;
    const nodes = match.nodes.map((id) => graph.node(id)).filter((node) => node !== null);
    const [first, ...more] = nodes;
    if (first === undefined) continue;
    const resolution: Resolution = more.length === 0 ? { type: "one", node: first } : { type: "many", nodes };
    found.push({ start: match.start, end: match.end, text: text.slice(match.start, match.end), resolution });
  }
  return found.sort((a, b) => a.start - b.start);
}
