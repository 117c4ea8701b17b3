import type { Graph, GraphEdge, GraphNode } from "../core/graph.ts";
import { isIncident } from "../core/incident.ts";
import { countOpenIncidents } from "./views.ts";

/**
 * Field names that Grafana's node graph panel reads.
 * @see https://grafana.com/docs/grafana/latest/panels-visualizations/visualizations/node-graph/#data-api
 */
export const nodeGraphFields = {
  nodes_fields: [
    { field_name: "id", type: "string" },
    { field_name: "title", type: "string", displayName: "Name" },
    { field_name: "subtitle", type: "string", displayName: "Kind" },
    { field_name: "mainstat", type: "string", displayName: "State" },
    { field_name: "secondarystat", type: "string", displayName: "Since" },
    { field_name: "arc__trouble", type: "number", color: "red", displayName: "Open incident" },
    { field_name: "arc__calm", type: "number", color: "green", displayName: "None open" },
    { field_name: "detail__id", type: "string", displayName: "Id" },
    { field_name: "detail__url", type: "string", displayName: "Original" },
  ],
  edges_fields: [
    { field_name: "id", type: "string" },
    { field_name: "source", type: "string" },
    { field_name: "target", type: "string" },
    { field_name: "mainstat", type: "string", displayName: "Relation" },
    { field_name: "secondarystat", type: "string", displayName: "Confidence" },
    { field_name: "detail__evidence", type: "string", displayName: "Evidence" },
  ],
} as const;

type Row = Record<string, string | number | boolean>;

function openIncidents(graph: Graph, node: GraphNode): number {
  if (node.kind === "ticket") return node.attributes.open === true && isIncident(node) ? 1 : 0;
  return node.kind === "service" ? countOpenIncidents(graph, node) : 0;
}

function nodeRow(graph: Graph, node: GraphNode): Row {
  const open = openIncidents(graph, node);
  const { status, at, url } = node.attributes;
  const state = node.kind === "service" ? (open === 0 ? "no open incident" : `${open} open`) : (status ?? "");
  return {
    id: node.id,
    title: node.label,
    subtitle: node.kind,
    mainstat: state,
    secondarystat: at?.slice(0, 16).replace("T", " ") ?? "",
    arc__trouble: open > 0 ? 1 : 0,
    arc__calm: open > 0 ? 0 : 1,
    detail__id: node.id,
    detail__url: url ?? "",
  };
}

function edgeRow(edge: GraphEdge): Row {
  return {
    id: edge.id,
    source: edge.source,
    target: edge.target,
    mainstat: edge.kind.replaceAll("_", " "),
    secondarystat: `${Math.round(edge.confidence * 100)} %`,
    detail__evidence: edge.evidence[0]?.span.record ?? "",
  };
}

/** The panel's two frames: what stands around one service, or all services with their dependencies. */
export function nodeGraph(graph: Graph, service: GraphNode | null, hops: number): { nodes: Row[]; edges: Row[] } {
  if (service !== null) {
    const sub = graph.expand([service.id], { hops, limit: 200 });
    return { nodes: sub.nodes.map((node) => nodeRow(graph, node)), edges: sub.edges.map(edgeRow) };
  }
  const nodes = [...graph.nodes("service")].map((node) => nodeRow(graph, node));
  const edges = [...graph.edges("depends_on")].filter((edge) => edge.validTo === null).map(edgeRow);
  return { nodes, edges };
}
