import type { GraphEdge, GraphNode } from "../core/graph.ts";

export type ExportFormat = "json" | "graphml" | "dot";

/** The whole graph, or a part of it. */
interface Part {
  readonly nodes: Iterable<GraphNode>;
  readonly edges: Iterable<GraphEdge>;
}

/**
 * A graph as lines of text for other tools, one by one, since a large one is more than a string can hold. JSON is the contract's
 * form; GraphML and DOT open in Gephi and Graphviz.
 */
export function exportGraph(part: Part, format: ExportFormat): Iterable<string> {
  if (format === "json") return json(part);
  return format === "graphml" ? graphml(part) : dot(part);
}

function* json({ nodes, edges }: Part): Generator<string, void> {
  yield '{\n  "nodes": [';
  yield* elements(nodes);
  yield '  ],\n  "edges": [';
  yield* elements(edges);
  yield "  ]\n}";
}

/** Elements of a list, each but the last with a comma behind it. */
function* elements(list: Iterable<GraphNode | GraphEdge>): Generator<string, void> {
  let before: string | null = null;
  for (const one of list) {
    if (before !== null) yield `${before},`;
    before = `    ${JSON.stringify(one, null, 2).replaceAll("\n", "\n    ")}`;
  }
  if (before !== null) yield before;
}

/** Without what XML 1.0 does not allow, not even escaped: control characters but tab and line ends. Graphviz stops at a NUL. */
function printable(text: string): string {
  const allowed = [...text].filter((character) => {
    const code = character.codePointAt(0) ?? 0;
    return (
      code === 9 || code === 10 || code === 13 || (code >= 32 && code !== 0xfffe && code !== 0xffff && !(code >= 0xd800 && code <= 0xdfff))
    );
  });
  return allowed.join("");
}

function xml(text: string): string {
  return printable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const keys: readonly (readonly [id: string, element: "node" | "edge", type: string])[] = [
  ["kind", "node", "string"],
  ["label", "node", "string"],
  ["status", "node", "string"],
  ["url", "node", "string"],
  ["relation", "edge", "string"],
  ["weight", "edge", "double"],
  ["validFrom", "edge", "string"],
  ["validTo", "edge", "string"],
  ["evidence", "edge", "string"],
];

/** @see http://graphml.graphdrawing.org/specification.html */
function* graphml({ nodes, edges }: Part): Generator<string, void> {
  const data = (key: string, value: string | number | null | undefined): string =>
    value === null || value === undefined || value === "" ? "" : `<data key="${key}">${xml(String(value))}</data>`;
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">';
  for (const [id, element, type] of keys) yield `  <key id="${id}" for="${element}" attr.name="${id}" attr.type="${type}"/>`;
  yield '  <graph id="contextd" edgedefault="directed">';
  for (const node of nodes)
    yield `    <node id="${xml(node.id)}">${data("kind", node.kind)}${data("label", node.label)}${data("status", node.attributes.status)}${data("url", node.attributes.url)}</node>`;
  for (const edge of edges) {
    const evidence = edge.evidence.map((one) => `${one.span.record}:${one.span.start}-${one.span.end}`).join(" ");
    yield `    <edge id="${xml(edge.id)}" source="${xml(edge.source)}" target="${xml(edge.target)}">${data("relation", edge.kind)}${data("weight", edge.confidence)}${data("validFrom", edge.validFrom)}${data("validTo", edge.validTo)}${data("evidence", evidence)}</edge>`;
  }
  yield "  </graph>";
  yield "</graphml>";
}

function quoted(text: string): string {
  return `"${printable(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replace(/\s+/g, " ")}"`;
}

const colours: Readonly<Record<string, string>> = {
  service: "#2563eb",
  engineer: "#16a34a",
  team: "#0d9488",
  ticket: "#dc2626",
  commit: "#9333ea",
  log: "#a16207",
  doc: "#475569",
};

/** @see https://graphviz.org/doc/info/lang.html */
function* dot({ nodes, edges }: Part): Generator<string, void> {
  yield "digraph contextd {";
  yield "  rankdir=LR;";
  yield '  node [shape=box, style=rounded, fontname="sans-serif"];';
  for (const node of nodes) yield `  ${quoted(node.id)} [label=${quoted(node.label)}, color=${quoted(colours[node.kind] ?? "#000000")}];`;
  for (const edge of edges)
    yield `  ${quoted(edge.source)} -> ${quoted(edge.target)} [label=${quoted(edge.kind)}${edge.validTo === null ? "" : ", style=dashed"}];`;
  yield "}";
}
