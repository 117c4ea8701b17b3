import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Graph, GraphNode, Mention } from "../core/graph.ts";
import { docsOf } from "./lookups.ts";
import type { View } from "./view.ts";

const node = (id: GraphNode["id"], label: string): GraphNode =>
  ({ id, kind: id.startsWith("doc:") ? "doc" : "service", label }) as GraphNode;
const pay = { ...node("service:pay", "pay"), aliases: [] } as GraphNode;
const gateway = { ...node("service:pay-gateway", "pay-gateway"), aliases: [] } as GraphNode;

/** A graph of titles, in which the longest name wins. */
function viewOf(titles: readonly string[]): View {
  const mention = (resolved: GraphNode): Mention => ({
    start: 0,
    end: 1,
    text: resolved.label,
    resolution: { type: "one", node: resolved },
  });
  const graph: Partial<Graph> = {
    nodes: () => titles.map((title) => node(`doc:${title}`, title)),
    mentions: (text) => (/pay-gateway/i.test(text) ? [mention(gateway)] : /\bpay\b/i.test(text) ? [mention(pay)] : []),
  };
  return { graph } as View;
}

describe("the documents of a service", () => {
  it("are those with its name in their title, and not those with a longer word or name there", () => {
    const titles = ["Pay runbook", "When payments fail", "Pay-gateway runbook", "runbooks/pay.md"];
    assert.deepEqual(
      docsOf(viewOf(titles), pay).map(({ label }) => label),
      ["Pay runbook", "runbooks/pay.md"],
    );
  });
});
