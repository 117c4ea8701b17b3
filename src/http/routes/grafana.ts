import { z } from "zod";
import { nodeGraph, nodeGraphFields } from "../grafana.ts";
import { clientSignal, defineRoute } from "../route.ts";
import { findService } from "../service.ts";

const field = z.object({ field_name: z.string(), type: z.string(), displayName: z.string().optional(), color: z.string().optional() });
const row = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const nodegraph = defineRoute({
  method: "get",
  path: "/grafana/nodegraph",
  scope: "read",
  summary: "Nodes and edges around a service (or the map of all services) for Grafana's node graph panel.",
  query: z.strictObject({
    service: z.string().max(500).optional().describe("Empty or missing: all services and what they depend on"),
    hops: z.coerce.number().int().min(1).max(2).default(1),
  }),
  replies: { 200: { about: "Two frames", schema: z.object({ nodes: z.array(row), edges: z.array(row) }) } },
  async handle({ query, res }, { reading, stopping }) {
    const { graph } = await reading(res);
    const name = query.service?.trim() ?? "";
    if (name === "" || name === "$__all") {
      await graph.load?.(clientSignal(res, stopping));
      res.json(nodeGraph(graph, null, query.hops));
      return;
    }
    const found = findService(graph, name);
    if (found.type !== "one") throw found.error;
    res.json(nodeGraph(graph, found.node, query.hops));
  },
});

export const fields = defineRoute({
  method: "get",
  path: "/grafana/nodegraph/fields",
  scope: "read",
  summary: "The fields of those frames, as Grafana names them.",
  replies: { 200: { about: "Fields", schema: z.object({ nodes_fields: z.array(field), edges_fields: z.array(field) }) } },
  handle({ res }) {
    res.json(nodeGraphFields);
  },
});
