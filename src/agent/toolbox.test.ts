import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Extraction } from "../core/fact.ts";
import { noSpans } from "../core/spans.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { openStore } from "../store/open.ts";
import { createToolbox } from "./toolbox.ts";

const at = "2026-03-01T00:00:00Z";
const span = { record: "github:commit:1", start: 0, end: 4 } as const;
const stated: Extraction = {
  record: "github:commit:1",
  facts: [
    { source: `commit:${"a1".repeat(20)}`, kind: "modified", target: "service:checkout", span, rule: "test", tier: 1, confidence: 0.9, at },
  ],
  nodes: [{ node: `commit:${"a1".repeat(20)}`, span, at, attributes: { label: "fewer queries", at } }],
  tier: 1,
  tierReason: "",
};

describe("a tool on a graph that is still loading", () => {
  it("waits for the whole graph only where it looks through all nodes of a kind", async () => {
    using store = openStore(":memory:");
    const graph = new KnowledgeGraph();
    graph.apply([{ record: stated.record, extraction: stated }]);
    let loads = 0;
    graph.load = async () => {
      loads += 1;
    };
    const box = createToolbox({
      graph,
      generation: () => "1",
      records: store.records,
      chunks: store.chunks,
      search: () => Promise.reject(new Error("nothing is searched")),
      spans: noSpans,
    });
    const call = async (name: string, args: object): Promise<Record<string, unknown>> => {
      const { content } = await box.call(name, args, new Date("2026-03-02T00:00:00Z"), new AbortController().signal);
      return content as Record<string, unknown>;
    };

    await call("get_service_context", { service: "service:checkout" });
    await call("get_active_incidents", { service: "service:checkout" });
    const recent = await call("get_recent_changes", {});
    const before = await call("get_recent_changes", { since: "2026-03-01T12:00:00Z" });
    assert.equal(loads, 0);
    assert.deepEqual((recent.commits as { subject: string }[])[0]?.subject, "fewer queries");
    assert.equal((before.newestBefore as { subject: string }).subject, "fewer queries");
    await call("get_active_incidents", {});
    await call("get_recent_changes", { since: "" });
    assert.equal(loads, 2);
  });
});
