import { ContextError } from "../core/errors.ts";
import type { Graph, GraphNode } from "../core/graph.ts";

type Found =
  | { readonly type: "one"; readonly node: GraphNode }
  | { readonly type: "none"; readonly error: ContextError; readonly nearest: GraphNode | null };

/** A service by name, other spelling or id. Not found: the error names the nearest ones. */
export function findService(graph: Graph, name: string): Found {
  const id = name.startsWith("service:") ? graph.node(name as `service:${string}`) : null;
  if (id !== null) return { type: "one", node: id };
  // a link may carry the id where the name is meant
  const resolved = graph.resolve(name.startsWith("service:") ? name.slice("service:".length) : name, "service");
  if (resolved.type === "one") return resolved;
  const near = (resolved.type === "many" ? resolved.nodes : resolved.nearest).filter((node) => node.kind === "service");
  const names = near.slice(0, 5).map((node) => node.label);
  const message = resolved.type === "many" ? `"${name}" may mean several services.` : `No service is called "${name}".`;
  const error = new ContextError("NOT_FOUND", message, {
    remedy: names.length > 0 ? `Did you mean ${names.join(", ")}?` : "Check the spelling; the list of services has all of them.",
    detail: { nearest: names },
  });
  return { type: "none", error, nearest: near[0] ?? null };
}

/** A time window from its two ends; one end missing: an hour before `to`, or until now. Null when both are. */
export function windowOf(
  query: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  now: Date,
): { readonly from: string; readonly to: string } | null {
  if (query.from === undefined && query.to === undefined) return null;
  const to = query.to ?? now;
  const from = query.from ?? new Date(to.getTime() - 3_600_000);
  const [first, last] = from <= to ? [from, to] : [to, from];
  return { from: first.toISOString(), to: last.toISOString() };
}
