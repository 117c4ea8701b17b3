import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GraphDouble } from "../../test/support/graph-double.ts";
import type { NodeAttributes, NodeId } from "../core/fact.ts";
import type { GraphEdge, GraphNode } from "../core/graph.ts";
import { serviceRows } from "./views.ts";

function node(id: NodeId, attributes: NodeAttributes = {}): GraphNode {
  return {
    id,
    kind: id.startsWith("service:") ? "service" : "ticket",
    label: id.slice(id.indexOf(":") + 1),
    aliases: [],
    attributes,
    spans: [],
  };
}

function affects(ticket: NodeId, service: NodeId, at: string): GraphEdge {
  const id = `${ticket}|affects|${service}`;
  return { id, source: ticket, target: service, kind: "affects", confidence: 0.9, evidence: [], validFrom: at, validTo: null };
}

describe("the table of services", () => {
  it("begins with the gravest open incident, then the newest, however many older ones another service has", () => {
    const graph = new GraphDouble(
      [
        node("service:old-and-many"),
        node("service:fresh"),
        node("service:grave"),
        node("service:calm"),
        node("ticket:INC-1", { open: true, at: "2026-01-02T00:00:00Z" }),
        node("ticket:INC-2", { open: true, at: "2026-01-03T00:00:00Z" }),
        node("ticket:INC-3", { open: true, at: "2026-03-01T00:00:00Z" }),
        node("ticket:INC-4", { open: true, at: "2025-01-01T00:00:00Z", severity: "SEV1" }),
      ],
      [
        affects("ticket:INC-1", "service:old-and-many", "2026-01-02T00:00:00Z"),
        affects("ticket:INC-2", "service:old-and-many", "2026-01-03T00:00:00Z"),
        affects("ticket:INC-3", "service:fresh", "2026-03-01T00:00:00Z"),
        affects("ticket:INC-4", "service:grave", "2025-01-01T00:00:00Z"),
      ],
    );

    const rows = serviceRows(graph, "2026-03-02T00:00:00Z");

    assert.deepEqual(
      rows.map(({ name, openIncidents, newestIncident }) => [name, openIncidents, newestIncident]),
      [
        ["grave", 1, "2025-01-01T00:00:00Z"],
        ["fresh", 1, "2026-03-01T00:00:00Z"],
        ["old-and-many", 2, "2026-01-03T00:00:00Z"],
        ["calm", 0, null],
      ],
    );
  });
});
