import type { GraphEdge, GraphNode } from "../core/graph.ts";

export type ExportFormat = "json" | "graphml" | "dot";

/** The whole graph, or a part of it, as text for other tools. JSON is the contract's form; GraphML and DOT open in Gephi and Graphviz. */
export function exportGraph(
  part: { readonly nodes: Iterable<GraphNode>; readonly edges: Iterable<GraphEdge> },
  format: ExportFormat,
): string {
  const nodes = [...part.nodes];
  const edges = [...part.edges];
  if (format === "json") return `${JSON.stringify({ nodes, edges }, null, 2)}\n`;
  return format === "graphml" ? graphml(nodes, edges) : dot(nodes, edges);
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
function graphml(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): string {
  const data = (key: string, value: string | number | null | undefined): string =>
    value === null || value === undefined || value === "" ? "" : `<data key="${key}">${xml(String(value))}</data>`;
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'];
  for (const [id, element, type] of keys) lines.push(`  <key id="${id}" for="${element}" attr.name="${id}" attr.type="${type}"/>`);
  lines.push('  <graph id="contextd" edgedefault="directed">');
  for (const node of nodes)
    lines.push(
      `    <node id="${xml(node.id)}">${data("kind", node.kind)}${data("label", node.label)}${data("status", node.attributes.status)}${data("url", node.attributes.url)}</node>`,
    );
  for (const edge of edges) {
    const evidence = edge.evidence.map((one) => `${one.span.record}:${one.span.start}-${one.span.end}`).join(" ");
    lines.push(
      `    <edge id="${xml(edge.id)}" source="${xml(edge.source)}" target="${xml(edge.target)}">${data("relation", edge.kind)}${data("weight", edge.confidence)}${data("validFrom", edge.validFrom)}${data("validTo", edge.validTo)}${data("evidence", evidence)}</edge>`,
    );
  }
  lines.push("  </graph>", "</graphml>", "");
  return lines.join("\n");
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
function dot(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): string {
  const lines = ["digraph contextd {", "  rankdir=LR;", '  node [shape=box, style=rounded, fontname="sans-serif"];'];
  for (const node of nodes)
    lines.push(`  ${quoted(node.id)} [label=${quoted(node.label)}, color=${quoted(colours[node.kind] ?? "#000000")}];`);
  for (const edge of edges)
    lines.push(
      `  ${quoted(edge.source)} -> ${quoted(edge.target)} [label=${quoted(edge.kind)}${edge.validTo === null ? "" : ", style=dashed"}];`,
    );
  lines.push("}", "");
  return lines.join("\n");
}
