import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EdgeKind, Extraction, Fact, NodeAttributes, NodeId } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { diffSince } from "./diff.ts";
import { KnowledgeGraph } from "./knowledge-graph.ts";

type Statement = readonly [
  source: NodeId,
  kind: EdgeKind,
  target: NodeId,
  at: string,
  more?: { readonly ends?: true; readonly authority?: number },
];

function record(
  id: RecordId,
  statements: readonly Statement[],
  ticket: Partial<NodeAttributes> = {},
): { record: RecordId; extraction: Extraction } {
  const span = { record: id, start: 0, end: 5 };
  const facts = statements.map(
    ([source, kind, target, at, more]): Fact => ({ source, kind, target, span, rule: "test", tier: 1, confidence: 0.8, at, ...more }),
  );
  const nodes =
    Object.keys(ticket).length === 0 ? [] : [{ node: "ticket:AB-1" as NodeId, span, at: "2026-03-01T00:00:00Z", attributes: ticket }];
  return { record: id, extraction: { record: id, facts, nodes, tier: 1, tierReason: "test" } };
}

function changes(
  records: readonly { record: RecordId; extraction: Extraction }[],
  since: string,
  until: string | null = null,
): Record<string, string[]> {
  const graph = new KnowledgeGraph();
  graph.apply(records);
  const { began, ended, confirmed } = diffSince(graph, since, until);
  const ids = (edges: readonly { readonly id: string }[]): string[] => edges.map(({ id }) => id);
  return { began: ids(began), ended: ids(ended), confirmed: ids(confirmed) };
}

const needs = "service:checkout|depends_on|service:redis";
const affects = "ticket:AB-1|affects|service:checkout";

describe("what changed since an instant", () => {
  it("leaves out what held before and still does", () => {
    const old = record("confluence:page:1", [["service:checkout", "depends_on", "service:redis", "2025-01-01T00:00:00Z"]]);

    assert.deepEqual(changes([old], "2026-01-01T00:00:00Z"), { began: [], ended: [], confirmed: [] });
  });

  it("tells a new edge, one that a record ended, and one that was only said again", () => {
    const found = changes(
      [
        record("confluence:page:1", [
          ["service:checkout", "depends_on", "service:redis", "2025-01-01T00:00:00Z"],
          ["service:checkout", "depends_on", "service:kafka", "2025-01-01T00:00:00Z"],
        ]),
        record("jira:AB-2", [
          ["service:checkout", "depends_on", "service:redis", "2026-05-01T00:00:00Z", { ends: true }],
          ["service:checkout", "depends_on", "service:kafka", "2026-05-01T00:00:00Z"],
          ["ticket:AB-2", "affects", "service:redis", "2026-05-01T00:00:00Z"],
        ]),
      ],
      "2026-04-01T00:00:00Z",
    );

    assert.deepEqual(found, {
      began: ["ticket:AB-2|affects|service:redis"],
      ended: [needs],
      confirmed: ["service:checkout|depends_on|service:kafka"],
    });
  });

  it("ends what a ticket affected on the day it was closed, and begins and ends what lies wholly within", () => {
    const opened = (at: string) =>
      record("jira:AB-1", [["ticket:AB-1", "affects", "service:checkout", at]], { open: false, resolvedAt: "2026-03-05T00:00:00Z" });

    assert.deepEqual(changes([opened("2026-01-01T00:00:00Z")], "2026-03-01T00:00:00Z"), { began: [], ended: [affects], confirmed: [] });
    assert.deepEqual(changes([opened("2026-03-02T00:00:00Z")], "2026-03-01T00:00:00Z"), {
      began: [affects],
      ended: [affects],
      confirmed: [],
    });
    assert.deepEqual(changes([opened("2026-01-01T00:00:00Z")], "2026-03-05T00:00:00Z"), { began: [], ended: [], confirmed: [] });
  });

  it("ends one owner where another takes over", () => {
    const found = changes(
      [
        record("confluence:page:1", [["engineer:ann", "owns", "service:checkout", "2025-01-01T00:00:00Z", { authority: 2 }]]),
        record("github:file:1", [["engineer:bo", "owns", "service:checkout", "2026-02-01T00:00:00Z", { authority: 4 }]]),
      ],
      "2026-01-01T00:00:00Z",
    );

    assert.deepEqual(found, { began: ["engineer:bo|owns|service:checkout"], ended: ["engineer:ann|owns|service:checkout"], confirmed: [] });
  });

  it("takes neither the instant itself nor what comes after the end", () => {
    const at = record("confluence:page:1", [["service:checkout", "depends_on", "service:redis", "2026-02-01T00:00:00Z"]]);
    const nothing = { began: [], ended: [], confirmed: [] };

    // clocks write a whole second in more than one way
    assert.deepEqual(changes([at], "2026-02-01T00:00:00.000Z"), nothing);
    assert.deepEqual(changes([at], "2026-01-01T00:00:00Z", "2026-01-31T00:00:00Z"), nothing);
    assert.deepEqual(changes([at], "2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z"), { ...nothing, began: [needs] });
  });

  it("forgets a change with the record that told it", () => {
    const graph = new KnowledgeGraph();
    graph.apply([record("jira:AB-2", [["ticket:AB-2", "affects", "service:redis", "2026-05-01T00:00:00Z"]])]);
    assert.equal(diffSince(graph, "2026-04-01T00:00:00Z").began.length, 1);

    graph.apply([{ record: "jira:AB-2", extraction: null }]);

    assert.deepEqual(diffSince(graph, "2026-04-01T00:00:00Z"), { began: [], ended: [], confirmed: [] });
  });
});
