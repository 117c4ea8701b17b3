import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { NameEntry, NameMatch, Names } from "../core/extract.ts";
import type { EdgeKind, Extraction, Fact, NodeFact, NodeId } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { exportGraph } from "./export.ts";
import { KnowledgeGraph } from "./knowledge-graph.ts";
import { pathBetween } from "./why.ts";

type FactParts = { at?: string; ends?: boolean; authority?: number; confidence?: number; rule?: string };

function fact(record: RecordId, source: NodeId, kind: EdgeKind, target: NodeId, parts: FactParts = {}): Fact {
  const { at = "2026-01-01T00:00:00Z", ends = false, authority = 1, confidence = 0.8, rule = "test" } = parts;
  return { source, kind, target, span: { record, start: 0, end: 5 }, rule, tier: 1, confidence, at, authority, ...(ends ? { ends } : {}) };
}

function change(
  record: RecordId,
  facts: readonly Fact[] = [],
  nodes: readonly NodeFact[] = [],
): { record: RecordId; extraction: Extraction } {
  return { record, extraction: { record, facts, nodes, tier: 1, tierReason: "test" } };
}

function nodeFact(record: RecordId, node: NodeId, attributes: NodeFact["attributes"], at = "2026-01-01T00:00:00Z"): NodeFact {
  return { node, span: { record, start: 0, end: 5 }, at, attributes };
}

const sha = "a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b";

/** A dictionary that knows a few services and people. */
function dictionary(): Names {
  const entries: NameEntry[] = [
    { node: "service:checkout", label: "checkout", spellings: ["checkout", "Checkout Service"] },
    { node: "service:redis", label: "redis", spellings: ["redis"] },
    { node: "engineer:ann-lee", label: "Ann Lee", spellings: ["Ann Lee", "@ann"] },
    { node: "engineer:amy-lee", label: "Amy Lee", spellings: ["Amy Lee"] },
  ];
  const find = (name: string): readonly NodeId[] => {
    const lower = name.toLowerCase();
    if (lower === "lee") return ["engineer:amy-lee", "engineer:ann-lee"];
    return entries.filter((entry) => entry.spellings.some((spelling) => spelling.toLowerCase() === lower)).map((entry) => entry.node);
  };
  return {
    hash: "x",
    toJSON: () => null,
    entries: () => entries,
    find,
    scan: (text): readonly NameMatch[] =>
      [...text.matchAll(/\w+/g)].flatMap((match) =>
        find(match[0]).length > 0 ? [{ start: match.index, end: match.index + match[0].length, nodes: find(match[0]), bare: false }] : [],
      ),
    merges: () => [],
    ambiguities: () => [],
  };
}

function snapshot(graph: KnowledgeGraph): unknown {
  return { nodes: [...graph.nodes()], edges: [...graph.edges()], size: graph.size };
}

describe("the fold", () => {
  it("takes exactly a record's own contributions out again", () => {
    const graph = new KnowledgeGraph();
    graph.apply([
      change("jira:AB-1", [
        fact("jira:AB-1", "ticket:AB-1", "affects", "service:checkout"),
        fact("jira:AB-1", "service:checkout", "depends_on", "service:redis"),
      ]),
      change("confluence:page:1", [fact("confluence:page:1", "service:checkout", "depends_on", "service:redis")]),
    ]);

    graph.apply([{ record: "jira:AB-1", extraction: null }]);

    assert.deepEqual(
      [...graph.edges()].map((edge) => [edge.id, edge.evidence.map((one) => one.span.record)]),
      [["service:checkout|depends_on|service:redis", ["confluence:page:1"]]],
    );
    assert.equal(graph.node("ticket:AB-1"), null);
    graph.apply([{ record: "confluence:page:1", extraction: null }]);
    assert.deepEqual(graph.size, { nodes: 0, edges: 0 });
  });

  it("finds a commit under the prefix that a ticket wrote, whichever of the two came first", () => {
    const ticket = change("jira:AB-1", [fact("jira:AB-1", "ticket:AB-1", "caused_by", "commit:a3f8c2")]);
    const commit = change("github:commit:1", [], [nodeFact("github:commit:1", `commit:${sha}`, { label: "one connection per request" })]);
    const [before, after] = [new KnowledgeGraph(), new KnowledgeGraph()];

    before.apply([ticket, commit]);
    after.apply([commit, ticket]);

    assert.deepEqual(snapshot(before), snapshot(after));
    assert.equal(before.edge(`ticket:AB-1|caused_by|commit:${sha}`)?.target, `commit:${sha}`);
    before.apply([{ record: "github:commit:1", extraction: null }]);
    assert.deepEqual(
      [...before.edges()].map((edge) => edge.target),
      ["commit:a3f8c2"],
    );
  });

  it("leaves a prefix that two commits share as it is written", () => {
    const graph = new KnowledgeGraph();
    graph.apply([
      change("github:commit:1", [], [nodeFact("github:commit:1", `commit:${sha}`, {})]),
      change("github:commit:2", [], [nodeFact("github:commit:2", `commit:a3f8c2${"0".repeat(34)}`, {})]),
      change("jira:AB-1", [fact("jira:AB-1", "ticket:AB-1", "caused_by", "commit:a3f8c2")]),
    ]);

    assert.deepEqual(
      [...graph.edges()].map((edge) => edge.target),
      ["commit:a3f8c2"],
    );
  });

  it("is the same after any sequence of changes as after one clean build", () => {
    const record = fc.constantFrom<RecordId>("jira:AB-1", "jira:AB-2", "confluence:page:1", "github:commit:1", "github:commit:2");
    const node = fc.constantFrom<NodeId>(
      "service:checkout",
      "service:redis",
      "ticket:AB-1",
      "ticket:AB-2",
      `commit:${sha}`,
      "commit:a3f8c2",
      "engineer:ann-lee",
      "engineer:amy-lee",
    );
    const at = fc.constantFrom("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z");
    const facts = fc.array(
      fc.record({
        source: node,
        kind: fc.constantFrom<EdgeKind>("owns", "affects", "depends_on", "caused_by"),
        target: node,
        at,
        ends: fc.boolean(),
        authority: fc.integer({ min: 0, max: 4 }),
      }),
      { maxLength: 4 },
    );
    const states = fc.array(fc.record({ node, at, open: fc.boolean() }), { maxLength: 2 });
    const step = fc.record({ record, gone: fc.boolean(), facts, states });

    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const graph = new KnowledgeGraph();
        const live = new Map<RecordId, { record: RecordId; extraction: Extraction }>();
        for (const one of steps) {
          const made = change(
            one.record,
            one.facts.map((parts) => fact(one.record, parts.source, parts.kind, parts.target, parts)),
            one.states.map((state) => nodeFact(one.record, state.node, { open: state.open, label: String(state.open) }, state.at)),
          );
          graph.apply([one.gone ? { record: one.record, extraction: null } : made]);
          if (one.gone) live.delete(one.record);
          else live.set(one.record, made);
          // looking in between must not matter
          graph.expand(["service:checkout"]);
        }
        const clean = new KnowledgeGraph();
        clean.apply([...live.values()].reverse());

        assert.deepEqual(snapshot(graph), snapshot(clean));
      }),
      { numRuns: 300 },
    );
  });
});

describe("time", () => {
  it("closes what a ticket affects when the ticket is closed, and opens it when it is opened again", () => {
    const graph = new KnowledgeGraph();
    const facts = [fact("jira:AB-1", "ticket:AB-1", "affects", "service:checkout")];
    graph.apply([change("jira:AB-1", facts, [nodeFact("jira:AB-1", "ticket:AB-1", { open: false, resolvedAt: "2026-01-05T00:00:00Z" })])]);
    const id = "ticket:AB-1|affects|service:checkout";

    assert.equal(graph.edge(id)?.validTo, "2026-01-05T00:00:00Z");
    assert.equal(graph.edgesOf("service:checkout", { at: "2026-01-03T00:00:00Z" }).length, 1);
    assert.equal(graph.edgesOf("service:checkout", { at: "2026-02-01T00:00:00Z" }).length, 0);

    graph.apply([change("jira:AB-1", facts, [nodeFact("jira:AB-1", "ticket:AB-1", { open: true })])]);
    assert.equal(graph.edge(id)?.validTo, null);
  });

  it("lets a newer owner of at least equal authority take the place of an older one", () => {
    const graph = new KnowledgeGraph();
    graph.apply([
      change("confluence:page:1", [
        fact("confluence:page:1", "engineer:ann-lee", "owns", "service:checkout", { at: "2025-01-01T00:00:00Z", authority: 2 }),
      ]),
      change("github:file:1", [
        fact("github:file:1", "engineer:amy-lee", "owns", "service:checkout", { at: "2026-01-01T00:00:00Z", authority: 4 }),
      ]),
    ]);

    assert.equal(graph.edge("engineer:ann-lee|owns|service:checkout")?.validTo, "2026-01-01T00:00:00Z");
    assert.deepEqual(
      graph.edgesOf("service:checkout", { at: "2025-06-01T00:00:00Z" }).map((edge) => edge.source),
      ["engineer:ann-lee"],
    );
    assert.deepEqual(
      graph.edgesOf("service:checkout", { at: "2026-06-01T00:00:00Z" }).map((edge) => edge.source),
      ["engineer:amy-lee"],
    );
  });

  it("keeps both owners where the newer statement is the weaker one", () => {
    const graph = new KnowledgeGraph();
    graph.apply([
      change("github:file:1", [
        fact("github:file:1", "engineer:ann-lee", "owns", "service:checkout", { at: "2025-01-01T00:00:00Z", authority: 4 }),
      ]),
      change("confluence:page:1", [
        fact("confluence:page:1", "engineer:amy-lee", "owns", "service:checkout", { at: "2026-01-01T00:00:00Z", authority: 2 }),
      ]),
    ]);

    assert.deepEqual(
      [...graph.edges("owns")].map((edge) => edge.validTo),
      [null, null],
    );
  });

  it("does not retire a true fact because a newer record mentions the thing", () => {
    const graph = new KnowledgeGraph();
    graph.apply([
      change("github:file:1", [fact("github:file:1", "team:payments", "owns", "service:checkout", { authority: 3 })]),
      change("jira:AB-1", [
        fact("jira:AB-1", "ticket:AB-1", "affects", "service:checkout", { at: "2026-06-01T00:00:00Z" }),
        fact("jira:AB-1", "engineer:ann-lee", "owns", "service:redis", { at: "2026-06-01T00:00:00Z" }),
      ]),
    ]);

    assert.equal(graph.edge("team:payments|owns|service:checkout")?.validTo, null);
  });

  it("ends a dependency that a record says is gone, until newer evidence shows it again; an end alone makes no edge", () => {
    const graph = new KnowledgeGraph();
    const id = "service:checkout|depends_on|service:redis";
    graph.apply([
      change("jira:AB-1", [
        fact("jira:AB-1", "service:checkout", "depends_on", "service:redis", { ends: true, at: "2026-02-01T00:00:00Z" }),
      ]),
    ]);
    assert.equal(graph.edge(id), null);

    graph.apply([change("confluence:page:1", [fact("confluence:page:1", "service:checkout", "depends_on", "service:redis")])]);
    assert.equal(graph.edge(id)?.validTo, "2026-02-01T00:00:00Z");

    graph.apply([
      change("github:file:1", [
        fact("github:file:1", "service:checkout", "depends_on", "service:redis", { at: "2026-03-01T00:00:00Z", authority: 3 }),
      ]),
    ]);
    assert.equal(graph.edge(id)?.validTo, null);
  });
});

describe("confidence", () => {
  it("grows with further records, not with repetition in one", () => {
    const graph = new KnowledgeGraph();
    const one = fact("jira:AB-1", "service:checkout", "depends_on", "service:redis", { confidence: 0.8 });
    graph.apply([change("jira:AB-1", [one, { ...one, span: { ...one.span, start: 9, end: 12 } }])]);
    const id = "service:checkout|depends_on|service:redis";
    assert.equal(graph.edge(id)?.confidence, 0.8);

    graph.apply([change("jira:AB-2", [fact("jira:AB-2", "service:checkout", "depends_on", "service:redis", { confidence: 0.8 })])]);
    assert.equal(graph.edge(id)?.confidence, 0.96);
  });
});

describe("looking up", () => {
  const graph = new KnowledgeGraph();
  graph.setNames(dictionary());
  graph.apply([
    change(
      "github:commit:1",
      [fact("github:commit:1", `commit:${sha}`, "modified", "service:checkout")],
      [nodeFact("github:commit:1", `commit:${sha}`, { label: "one connection per request" })],
    ),
    change(
      "jira:AB-1",
      [fact("jira:AB-1", "ticket:AB-1", "affects", "service:checkout"), fact("jira:AB-1", "ticket:AB-1", "caused_by", "commit:a3f8c2")],
      [nodeFact("jira:AB-1", "ticket:AB-1", { label: "503", open: true })],
    ),
    change("github:issue:shop#12", [], [nodeFact("github:issue:shop#12", "ticket:shop#12", { label: "slow" })]),
    change("confluence:page:7", [], [nodeFact("confluence:page:7", "doc:7", { label: "CONF-118 Redis failover" })]),
    change("confluence:page:8", [], [nodeFact("confluence:page:8", "doc:8", { label: "CONF-1182 Kafka failover" })]),
  ]);
  const one = (name: string): string => {
    const found = graph.resolve(name);
    return found.type === "one"
      ? found.node.id
      : found.type === "many"
        ? found.nodes.map((node) => node.id).join(" ")
        : `none ${found.nearest.map((node) => node.id).join(" ")}`;
  };

  it("finds nodes by id, key in any case, issue number, sha prefix, name and a page's number", () => {
    assert.equal(one("service:checkout"), "service:checkout");
    assert.equal(one("ab-1"), "ticket:AB-1");
    assert.equal(one("#12"), "ticket:shop#12");
    assert.equal(one("shop#12"), "ticket:shop#12");
    assert.equal(one("A3F8C2"), `commit:${sha}`);
    assert.equal(one("Checkout Service"), "service:checkout");
    assert.equal(one("CONF-118"), "doc:7");
  });

  it("keeps an ambiguous name apart and offers the nearest for an unknown one", () => {
    assert.equal(one("Lee"), "engineer:amy-lee engineer:ann-lee");
    assert.equal(one("chekout"), "none service:checkout");
    assert.equal(one("billing"), "none ");
    assert.equal(one("1234567"), "none ");
  });

  it("names what a question mentions, in order", () => {
    assert.deepEqual(
      graph
        .mentions("Did a3f8c2 break checkout, as AB-1 says?")
        .map((mention) => [mention.text, mention.resolution.type === "one" ? mention.resolution.node.id : null]),
      [
        ["a3f8c2", `commit:${sha}`],
        ["checkout", "service:checkout"],
        ["AB-1", "ticket:AB-1"],
      ],
    );
  });

  it("explains how two nodes are connected", () => {
    const path = pathBetween(graph, "ticket:AB-1", `commit:${sha}`);

    assert.deepEqual(
      path?.map((hop) => hop.edge.kind),
      ["caused_by"],
    );
    assert.equal(pathBetween(graph, "ticket:AB-1", "ticket:shop#12"), null);
    assert.deepEqual(pathBetween(graph, "ticket:AB-1", "ticket:AB-1"), []);
  });

  it("tells the nodes that a record speaks of", () => {
    assert.deepEqual([...graph.nodesOfRecord("jira:AB-1")].sort(), [`commit:${sha}`, "service:checkout", "ticket:AB-1"]);
  });
});

describe("expansion", () => {
  const graph = new KnowledgeGraph();
  const deps = Array.from({ length: 30 }, (_, index) =>
    fact("github:file:1", "service:hub", "depends_on", `service:s${String(index).padStart(2, "0")}`, {
      at: `2026-01-${String((index % 28) + 1).padStart(2, "0")}T00:00:00Z`,
    }),
  );
  graph.apply([
    change("github:file:1", [
      ...deps,
      fact("github:file:1", "service:s00", "depends_on", "service:far"),
      fact("github:file:1", "service:far", "depends_on", "service:farther"),
    ]),
  ]);

  it("goes two hops at most, in both directions", () => {
    const found = graph.expand(["service:s00"], { hops: 5 });

    assert.equal(found.nodes.find((node) => node.id === "service:hub")?.hop, 1);
    assert.equal(found.nodes.find((node) => node.id === "service:s05")?.hop, 2);
    assert.equal(found.nodes.find((node) => node.id === "service:farther")?.hop, 2);
  });

  it("follows only the wanted direction, kinds and time", () => {
    assert.deepEqual(
      graph.expand(["service:far"], { direction: "out" }).nodes.map((node) => node.id),
      ["service:far", "service:farther"],
    );
    assert.equal(graph.expand(["service:far"], { kinds: ["owns"] }).edges.length, 0);
    assert.equal(graph.expand(["service:hub"], { at: "2025-01-01T00:00:00Z" }).edges.length, 0);
  });

  it("is bounded by fan-out and total, keeps the newest, and tells how much it left out", () => {
    const found = graph.expand(["service:hub"], { hops: 1, fanOut: 5 });

    assert.equal(found.edges.length, 5);
    assert.equal(found.leftOut, 25);
    assert.ok(found.edges.every((edge) => (edge.evidence[0]?.at ?? "") >= "2026-01-24"));
    assert.equal(graph.expand(["service:hub"], { limit: 10 }).nodes.length, 10);
  });
});

describe("exports", () => {
  it("escapes names in GraphML and DOT and keeps JSON as it is in memory", () => {
    const graph = new KnowledgeGraph();
    graph.apply([
      change(
        "jira:AB-1",
        [fact("jira:AB-1", "ticket:AB-1", "affects", "service:a&b")],
        [nodeFact("jira:AB-1", "ticket:AB-1", { label: 'a <b> "c"\u0001' })],
      ),
    ]);
    const part = { nodes: graph.nodes(), edges: graph.edges() };

    assert.match([...exportGraph(part, "graphml")].join("\n"), /<data key="label">a &lt;b&gt; &quot;c&quot;<\/data>/);
    assert.match(
      [...exportGraph({ nodes: graph.nodes(), edges: graph.edges() }, "dot")].join("\n"),
      /"ticket:AB-1" -> "service:a&b" \[label="affects"\];/,
    );
    const parsed = JSON.parse([...exportGraph({ nodes: graph.nodes(), edges: graph.edges() }, "json")].join("\n"));
    assert.deepEqual(parsed.edges[0].evidence[0].span, { record: "jira:AB-1", start: 0, end: 5 });
  });
});
