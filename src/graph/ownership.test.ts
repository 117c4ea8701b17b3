import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Fact, NodeFact, NodeId } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { relatedLogs, suspectedCommits } from "./derived.ts";
import { KnowledgeGraph } from "./knowledge-graph.ts";
import { ownersOf } from "./ownership.ts";

const now = "2026-06-01T00:00:00Z";

function fact(record: RecordId, source: NodeId, kind: Fact["kind"], target: NodeId, at: string, authority = 1): Fact {
  return { source, kind, target, span: { record, start: 0, end: 3 }, rule: "test", tier: 1, confidence: 0.9, at, authority };
}

function put(
  graph: KnowledgeGraph,
  record: RecordId,
  facts: readonly Fact[],
  nodes: readonly (readonly [NodeId, NodeFact["attributes"]])[] = [],
): void {
  const made = nodes.map(([node, attributes]): NodeFact => ({ node, attributes, at: now, span: { record, start: 0, end: 3 } }));
  graph.apply([{ record, extraction: { record, facts, nodes: made, tier: 1, tierReason: "test" } }]);
}

const shas = ["a", "b", "c", "d"].map((letter) => `commit:${letter.repeat(39)}1` as NodeId);
const [first = "commit:x", second = "commit:x", third = "commit:x", late = "commit:x"] = shas;

describe("owner with proof", () => {
  it("shows the line, its age, the owner's last trace, and both of two sources that disagree", () => {
    const graph = new KnowledgeGraph();
    put(graph, "github:file:1", [fact("github:file:1", "engineer:ann", "owns", "service:pay", "2026-01-01T00:00:00Z", 4)]);
    put(graph, "confluence:page:1", [fact("confluence:page:1", "engineer:bob", "owns", "service:pay", "2026-03-01T00:00:00Z", 2)]);
    put(graph, "github:commit:1", [], [[first, { author: "engineer:ann", at: "2026-05-30T00:00:00Z" }]]);
    put(graph, "github:commit:2", [], [[second, { author: "engineer:bob", at: "2025-01-01T00:00:00Z" }]]);

    const owners = ownersOf(graph, "service:pay", now);

    assert.deepEqual(
      owners.map((one) => [one.owner, one.proof.span.record, one.ageDays, one.lastActivity, one.dormant, one.disputed]),
      [
        ["engineer:ann", "github:file:1", 151, "2026-05-30T00:00:00Z", false, true],
        ["engineer:bob", "confluence:page:1", 92, "2025-01-01T00:00:00Z", true, true],
      ],
    );
  });

  it("takes two owners of one line for co-owners, and a team to be as active as its members", () => {
    const graph = new KnowledgeGraph();
    const at = "2026-01-01T00:00:00Z";
    put(
      graph,
      "github:file:1",
      [
        fact("github:file:1", "engineer:ann", "owns", "service:pay", at),
        fact("github:file:1", "engineer:bob", "owns", "service:pay", at),
        fact("github:file:1", "team:money", "owns", "service:pay", at),
      ],
      [["team:money", { members: ["engineer:ann"] }]],
    );
    put(graph, "jira:AB-1", [], [["ticket:AB-1", { assignee: "engineer:ann", at: "2026-05-01T00:00:00Z" }]]);

    const owners = ownersOf(graph, "service:pay", now);

    assert.deepEqual(owners.map((one) => [one.owner, one.disputed]).sort(), [
      ["engineer:ann", false],
      ["engineer:bob", false],
      ["team:money", false],
    ]);
    assert.equal(owners.find((one) => one.owner === "team:money")?.lastActivity, "2026-05-01T00:00:00Z");
  });
});

describe("derived links", () => {
  const graph = new KnowledgeGraph();
  put(
    graph,
    "jira:AB-1",
    [fact("jira:AB-1", "ticket:AB-1", "affects", "service:pay", "2026-05-20T12:00:00Z")],
    [["ticket:AB-1", { at: "2026-05-20T12:00:00Z", open: true, marks: ["9f1c2ab49f1c2ab4"] }]],
  );
  put(graph, "confluence:page:1", [fact("confluence:page:1", "service:pay", "depends_on", "service:bank", "2026-01-01T00:00:00Z")]);
  const changes: readonly (readonly [NodeId, NodeId, string])[] = [
    [first, "service:pay", "2026-05-20T09:00:00Z"],
    [second, "service:bank", "2026-05-20T09:00:00Z"],
    [third, "service:pay", "2026-05-17T00:00:00Z"],
    [late, "service:pay", "2026-05-20T11:45:00Z"],
  ];
  for (const [commit, service, at] of changes)
    put(graph, `github:${commit}`, [fact(`github:${commit}`, commit, "modified", service, at)], [[commit, { at }]]);
  put(graph, "log:a:1", [], [["log:a:1", { at: "2026-05-20T11:30:00Z", level: "ERROR", service: "service:pay" }]]);
  put(
    graph,
    "log:a:2",
    [],
    [["log:a:2", { at: "2026-05-20T11:40:00Z", level: "ERROR", service: "service:other", marks: ["9f1c2ab49f1c2ab4"] }]],
  );
  put(graph, "log:a:3", [], [["log:a:3", { at: "2026-05-20T11:40:00Z", level: "INFO", service: "service:pay" }]]);

  it("suspects commits to the service and to its dependencies before the first error, not after it nor long before", () => {
    const links = suspectedCommits(graph, "ticket:AB-1", { now });

    assert.deepEqual(
      links.map((link) => [link.target, link.rule]),
      [
        [first, "commit before the incident"],
        [second, "commit to a dependency before the incident"],
      ],
    );
    assert.ok(links.every((link) => link.confidence <= 0.6 && link.because.length > 0 && link.spans.length > 0));
  });

  it("brings log lines to a ticket by trace, then by service and time", () => {
    const links = relatedLogs(graph, "ticket:AB-1", { now });

    assert.deepEqual(
      links.map((link) => [link.source, link.rule]),
      [
        ["log:a:2", "shared trace or exception"],
        ["log:a:1", "same service, same time"],
      ],
    );
  });

  it("adds nothing to the graph", () => {
    assert.equal(graph.edge(`ticket:AB-1|caused_by|${first}`), null);
  });
});
