import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SaxesParser } from "saxes";
import type { Extraction } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { exportGraph } from "./export.ts";
import { KnowledgeGraph } from "./knowledge-graph.ts";

const hostile = ["a <b> \"c\" & 'd'", "back\\slash\nand line", "\u0000\u0001\uffff nothing", "]]> --> <!--", "naïve 🛒", "\ud800 half"];

/** Services with names that every format has a reason to trip over, each depending on the next. */
function graph(): KnowledgeGraph {
  const made = new KnowledgeGraph();
  const record: RecordId = "github:file:1";
  const span = { record, start: 0, end: 5 };
  const extraction: Extraction = {
    record,
    facts: hostile.slice(1).map((name, index) => ({
      source: `service:${hostile[index]}`,
      kind: "depends_on",
      target: `service:${name}`,
      span,
      rule: "test",
      tier: 1,
      confidence: 0.8,
      at: "2026-01-01T00:00:00Z",
    })),
    nodes: hostile.map((name) => ({
      node: `service:${name}`,
      span,
      at: "2026-01-01T00:00:00Z",
      attributes: { label: name, status: name, url: `https://x.example/?a=1&b=${encodeURIComponent(name.toWellFormed())}` },
    })),
    tier: 1,
    tierReason: "test",
  };
  made.apply([{ record, extraction }]);
  return made;
}

function exported(format: "json" | "graphml" | "dot"): string {
  const made = graph();
  return [...exportGraph({ nodes: made.nodes(), edges: made.edges() }, format)].join("\n");
}

describe("the GraphML export", () => {
  it("is well-formed XML of the schema's shape: keys, then one graph of nodes and edges between them", () => {
    const opened: { readonly name: string; readonly within: string; readonly attributes: Record<string, string> }[] = [];
    const path: string[] = [];
    const parser = new SaxesParser({ xmlns: true });
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("opentag", ({ local, uri, attributes }) => {
      assert.equal(uri, "http://graphml.graphdrawing.org/xmlns");
      opened.push({
        name: local,
        within: path.at(-1) ?? "",
        attributes: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])),
      });
      path.push(local);
    });
    parser.on("closetag", () => path.pop());
    parser.write(exported("graphml")).close();

    const of = (name: string): Record<string, string>[] => opened.filter((one) => one.name === name).map((one) => one.attributes);
    const parents: Record<string, readonly string[]> = {
      graphml: [""],
      key: ["graphml"],
      graph: ["graphml"],
      node: ["graph"],
      edge: ["graph"],
      data: ["node", "edge"],
    };
    for (const { name, within } of opened) assert.ok(parents[name]?.includes(within), `${name} in ${within}`);
    const ids = new Set(of("node").map(({ id }) => id));
    assert.equal(ids.size, hostile.length);
    assert.equal(of("graph").length, 1);
    assert.equal(of("edge").length, hostile.length - 1);
    for (const edge of of("edge")) assert.ok(ids.has(edge.source) && ids.has(edge.target), JSON.stringify(edge));
    const keys = new Set(of("key").map(({ id }) => id));
    for (const { key } of of("data")) assert.ok(keys.has(key), key);
    for (const key of of("key")) assert.ok(["string", "double"].includes(key["attr.type"] ?? ""));
  });
});

describe("the DOT export", () => {
  it("holds nothing but statements of the language, names quoted", () => {
    const text = exported("dot");

    const quoted = /"(?:[^"\\]|\\.)*"/g;
    const skeleton = text.replace(quoted, "Q");
    const statement =
      /^(?:digraph contextd \{|\}|rankdir=LR;|node \[shape=box, style=rounded, fontname=Q\];|Q \[label=Q, color=Q\];|Q -> Q \[label=Q(?:, style=dashed)?\];)$/;
    for (const line of skeleton.trim().split("\n")) assert.match(line.trim(), statement);
    assert.equal(skeleton.match(/Q -> Q/g)?.length, hostile.length - 1);
    assert.ok(!text.includes("\u0000"), "Graphviz ends its input at a NUL");
  });
});

describe("the JSON export", () => {
  it("is one document whatever is in the graph", () => {
    for (const nodes of [[], [...graph().nodes()].slice(0, 1)])
      assert.deepEqual(
        JSON.parse([...exportGraph({ nodes, edges: [] }, "json")].join("\n")),
        JSON.parse(JSON.stringify({ nodes, edges: [] })),
      );
  });

  it("is what is in memory, edge by edge with its evidence", () => {
    const made = graph();

    assert.deepEqual(JSON.parse(exported("json")), JSON.parse(JSON.stringify({ nodes: [...made.nodes()], edges: [...made.edges()] })));
  });
});
