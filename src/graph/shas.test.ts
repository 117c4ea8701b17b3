import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Extraction, NodeId } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { KnowledgeGraph } from "./knowledge-graph.ts";

const full = "a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b";
const other = `a3f8c2${"0".repeat(34)}`;
const at = "2026-01-01T00:00:00Z";

/** A ticket that blames a commit, or a commit's own record. */
function blaming(record: RecordId, sha: string): Extraction {
  const span = { record, start: 0, end: 5 };
  const fact = { source: `ticket:${record}`, kind: "caused_by", target: `commit:${sha}` } as const;
  return { record, facts: [{ ...fact, span, rule: "test", tier: 1, confidence: 0.8, at }], nodes: [], tier: 1, tierReason: "" };
}

function made(record: RecordId, sha: string, label: string): Extraction {
  const span = { record, start: 0, end: 5 };
  return { record, facts: [], nodes: [{ node: `commit:${sha}`, span, at, attributes: { label } }], tier: 1, tierReason: "" };
}

function graphOf(...extractions: readonly Extraction[]): KnowledgeGraph {
  const graph = new KnowledgeGraph();
  graph.apply(extractions.map((extraction) => ({ record: extraction.record, extraction })));
  return graph;
}

function commitsOf(graph: KnowledgeGraph): string[] {
  return [...graph.nodes("commit")].map(({ id }) => id.slice("commit:".length));
}

describe("beginnings of one commit's sha", () => {
  it("are one node under the longest of them while no whole sha is known, whichever came first", () => {
    const records = [blaming("jira:1", "a3f8c2d9"), blaming("jira:2", "a3f8c2d94b"), blaming("jira:3", "a3f8c2")];
    for (const list of [records, records.toReversed()]) {
      const graph = graphOf(...list);

      assert.deepEqual(commitsOf(graph), ["a3f8c2d94b"]);
      assert.equal(graph.edgesOf("commit:a3f8c2d9").length, 3);
      const found = graph.resolve("a3f8c2d");
      assert.equal(found.type === "one" ? found.node.id : found.type, "commit:a3f8c2d94b");
    }
  });

  it("are apart again when the name goes that held them together, and whole when the commit comes", () => {
    const graph = graphOf(blaming("jira:1", "a3f8c2d9"), blaming("jira:2", "a3f8c2d94b"));

    graph.apply([{ record: "jira:2", extraction: blaming("jira:2", "b17e55") }]);
    assert.deepEqual(commitsOf(graph), ["a3f8c2d9", "b17e55"]);
    graph.apply([{ record: "github:1", extraction: made("github:1", full, "one connection a request") }]);
    assert.deepEqual(commitsOf(graph), [full, "b17e55"]);
    assert.equal(graph.edgesOf(`commit:${full}`).length, 1);
  });

  it("stay apart where two longer ones begin so, which is told", () => {
    const graph = graphOf(blaming("jira:1", "a3f8c2"), blaming("jira:2", full), blaming("jira:3", other));

    assert.deepEqual(commitsOf(graph), ["a3f8c2", other, full]);
    assert.deepEqual(
      graph.ambiguities().map(({ name, nodes }) => ({ name, nodes })),
      [{ name: "a3f8c2", nodes: [`commit:${other}`, `commit:${full}`] }],
    );
    const found = graph.resolve("a3f8c2");
    assert.deepEqual(found.type === "many" ? found.nodes.map(({ id }) => id) : found, [`commit:${other}`, `commit:${full}`]);
    graph.apply([{ record: "jira:3", extraction: null }]);
    assert.deepEqual([commitsOf(graph), graph.ambiguities()], [[full], []]);
  });

  it("mean the commit also where a record describes it by a beginning", () => {
    const graph = graphOf(made("records:1", "a3f8c2d9", "one connection a request"), blaming("jira:2", "a3f8c2d94b"));

    assert.deepEqual(commitsOf(graph), ["a3f8c2d94b"]);
    assert.equal(graph.node("commit:a3f8c2d9")?.label, "one connection a request");
  });

  it("are found by more of the sha than any record writes, where nothing else begins so", () => {
    const graph = graphOf(blaming("jira:1", "a3f8c2d9"));

    assert.equal(graph.node(`commit:${full}`)?.id, "commit:a3f8c2d9");
    assert.equal(graph.node(`commit:${other}`), null);
    graph.apply([{ record: "jira:2", extraction: blaming("jira:2", "a3f8c2d9ff") }]);
    assert.equal(graph.node(`commit:${full}`), null);
  });

  it("belong together as in a clean build after any sequence of changes", () => {
    const sha = fc.constantFrom("a3f8c2", "a3f8c2d", "a3f8c2d9", "a3f8c2d94b", "a3f8c2d9ff", "a3f8c20000", full, other);
    const step = fc.record({ record: fc.nat(5), sha, describes: fc.boolean(), gone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 16 }), (steps) => {
        const graph = new KnowledgeGraph();
        const live = new Map<RecordId, Extraction>();
        for (const one of steps) {
          const record: RecordId = `jira:${one.record}`;
          const extraction = one.gone ? null : one.describes ? made(record, one.sha, `by ${record}`) : blaming(record, one.sha);
          graph.apply([{ record, extraction }]);
          if (extraction === null) live.delete(record);
          else live.set(record, extraction);
          graph.node(`commit:${one.sha}`);
        }
        const clean = graphOf(...[...live.values()].reverse());
        const all = (one: KnowledgeGraph): unknown => [[...one.nodes()], [...one.edges()], one.ambiguities(), one.size];

        assert.deepEqual(all(graph), all(clean));
        const homes = new Map<string, NodeId | undefined>();
        for (const { facts, nodes } of live.values())
          for (const id of [...facts.map(({ target }) => target), ...nodes.map(({ node }) => node)]) homes.set(id, clean.node(id)?.id);
        // whatever records call a commit is found, and stands for no commit but those that begin so
        for (const [id, home] of homes) assert.ok(home?.startsWith(id), `${id} is ${home}`);
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 300) },
    );
  });
});
