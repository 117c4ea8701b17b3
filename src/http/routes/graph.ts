import { ContextError } from "../../core/errors.ts";
import type { NodeId } from "../../core/fact.ts";
import { defineRoute } from "../route.ts";
import { GraphQuery, GraphReply } from "../schemas.ts";
import { graphReply } from "../views.ts";

export const graph = defineRoute({
  method: "get",
  path: "/api/graph",
  scope: "read",
  summary: "What stands around one thing in the knowledge graph, up to two hops, each edge with its evidence.",
  query: GraphQuery,
  replies: { 200: { about: "The sub-graph", schema: GraphReply } },
  handle({ query, res }, { app }) {
    const { node, hops, kinds, at, limit } = query;
    const byId = app.graph.node(node as NodeId);
    const found = byId === null ? app.graph.resolve(node) : ({ type: "one", node: byId } as const);
    if (found.type === "none") {
      const names = found.nearest.slice(0, 5).map((near) => near.label);
      throw new ContextError("NOT_FOUND", `Nothing is called "${node}".`, {
        ...(names.length > 0 ? { remedy: `Did you mean ${names.join(", ")}?` } : {}),
      });
    }
    const start = found.type === "one" ? [found.node.id] : found.nodes.map((one) => one.id);
    const time = at === undefined ? {} : { at: at === "ever" ? null : new Date(at).toISOString() };
    res.json(graphReply(app.graph.expand(start, { hops, limit, ...(kinds === undefined ? {} : { kinds }), ...time })));
  },
});
