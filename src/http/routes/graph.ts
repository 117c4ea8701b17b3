import { ContextError } from "../../core/errors.ts";
import type { NodeId } from "../../core/fact.ts";
import type { Graph } from "../../core/graph.ts";
import { defineRoute } from "../route.ts";
import { GraphQuery, GraphReply } from "../schemas.ts";
import { graphReply } from "../views.ts";

export const graph = defineRoute({
  method: "get",
  path: "/api/graph",
  scope: "read",
  summary: "What stands around things in the knowledge graph, up to two hops, each edge with its evidence.",
  query: GraphQuery,
  replies: { 200: { about: "The sub-graph", schema: GraphReply } },
  async handle({ query, res }, { reading }) {
    const { graph: seen } = await reading(res);
    const { node, text, hops, kinds, at, limit } = query;
    const start = [...(node === undefined ? [] : idsOf(seen, node)), ...(text === undefined ? [] : named(seen, text))];
    const isMap = node === undefined && text === undefined;
    if (isMap) for (const { id } of seen.nodes("service")) start.push(id);
    const followed = kinds ?? (isMap ? (["depends_on"] as const) : undefined);
    const time = at === undefined ? {} : { at: at === "ever" ? null : new Date(at).toISOString() };
    res.json(graphReply(seen.expand(start, { hops, limit, ...(followed === undefined ? {} : { kinds: followed }), ...time })));
  },
});

function idsOf(graph: Graph, node: string): readonly NodeId[] {
  const byId = graph.node(node as NodeId);
  if (byId !== null) return [byId.id];
  const found = graph.resolve(node);
  if (found.type === "one") return [found.node.id];
  if (found.type === "many") return found.nodes.map((one) => one.id);
  const names = found.nearest.slice(0, 5).map((near) => near.label);
  throw new ContextError("NOT_FOUND", `Nothing is called "${node}".`, {
    ...(names.length > 0 ? { remedy: `Did you mean ${names.join(", ")}?` } : {}),
  });
}

/** What a text names, the certain mentions only; nothing is an answer, too: an empty graph. */
function named(graph: Graph, text: string): readonly NodeId[] {
  const ids = graph.mentions(text).flatMap(({ resolution }) => (resolution.type === "one" ? [resolution.node.id] : []));
  return [...new Set(ids)].slice(0, 20);
}
