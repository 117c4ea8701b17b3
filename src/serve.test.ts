import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GraphDouble } from "../test/support/graph-double.ts";
import { ContextError } from "./core/errors.ts";
import type { GraphEdge, GraphNode } from "./core/graph.ts";
import { exampleQuestion, readyLine } from "./serve.ts";

const node = (kind: GraphNode["kind"], label: string, attributes: GraphNode["attributes"] = {}): GraphNode =>
  ({ id: `${kind}:${label}`, kind, label, aliases: [], attributes }) as unknown as GraphNode;
const affects = (ticket: string, service: string, validTo: string | null): GraphEdge =>
  ({
    id: `ticket:${ticket}|affects|service:${service}`,
    source: `ticket:${ticket}`,
    target: `service:${service}`,
    kind: "affects",
    validTo,
  }) as unknown as GraphEdge;

const nodes = [node("service", "alpha"), node("service", "beta"), node("ticket", "T-1"), node("ticket", "T-2")];

describe("the question that the daemon suggests at start", () => {
  it("asks about a service that an open ticket affects", () => {
    const graph = new GraphDouble(nodes, [affects("T-1", "alpha", "2026-01-02T00:00:00Z"), affects("T-2", "beta", null)]);

    assert.equal(exampleQuestion(graph), "Why is beta broken?");
  });

  it("asks about the service with the gravest incident, not the first one in trouble", () => {
    const tickets = [
      node("ticket", "T-1", { priority: "highest" }),
      node("ticket", "T-2", { severity: "SEV1" }),
      node("ticket", "T-3", { severity: "SEV2" }),
    ];
    const services = ["alpha", "beta", "gamma"].map((name) => node("service", name));
    const edges = [affects("T-1", "alpha", null), affects("T-2", "beta", null), affects("T-3", "gamma", null)];

    assert.equal(exampleQuestion(new GraphDouble([...services, ...tickets], edges)), "Why is beta broken?");
  });

  it("asks what changed where nothing is broken", () => {
    assert.equal(exampleQuestion(new GraphDouble(nodes, [affects("T-1", "beta", "2026-01-02T00:00:00Z")])), "What changed in alpha?");
  });

  it("names no service where none is known", () => {
    assert.equal(exampleQuestion(new GraphDouble([], [])), "What is broken?");
  });
});

describe("the line that says the daemon is up", () => {
  it("names nodes and a question, or why nothing can be asked yet", () => {
    const empty = new ContextError("INDEX_EMPTY", "Nothing is indexed yet.");
    const graph = new GraphDouble([], []);

    assert.match(
      readyLine({ notReady: () => [], graph }, "http://127.0.0.1:1"),
      /^Ready: 0 nodes, 0 edges\. Try: http:\/\/127\.0\.0\.1:1\/#q=/,
    );
    assert.equal(
      readyLine({ notReady: () => [empty], graph }, "http://127.0.0.1:1"),
      `Ready: 0 nodes, 0 edges. Nothing is indexed yet. ${empty.remedy}`,
    );
  });
});
