import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { EdgeKind, Extraction, Fact, NodeFact, NodeId } from "../core/fact.ts";
import type { RecordId, SourceRecord } from "../core/record.ts";
import { countGraph } from "../indexing/count-graph.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { KnowledgeGraph } from "./knowledge-graph.ts";

const now = "2026-06-01T00:00:00Z";
const shas = ["a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b", "a3f8c2ffffffffffffffffffffffffffffffffff", `b17e55${"0".repeat(34)}`] as const;
const nodes: readonly NodeId[] = [
  "service:checkout",
  "service:redis",
  "ticket:AB-1",
  "ticket:AB-2",
  "engineer:ann-lee",
  "engineer:amy-lee",
  "log:7",
  ...shas.map((sha): NodeId => `commit:${sha}`),
  "commit:a3f8c2",
  "commit:a3f8c2d9",
  "commit:a3f8c2d94b",
  "commit:b17e55000",
  "commit:c0ffee1",
  "commit:c0ffee12",
  "commit:c0ffee34",
];
const docs: readonly NodeId[] = ["doc:a.md", "doc:b.md"];
const records: readonly RecordId[] = [
  "doc:a.md",
  "doc:b.md",
  "jira:AB-1",
  "jira:AB-2",
  "confluence:page:1",
  "github:commit:1",
  "github:commit:2",
  "github:commit:3",
];

function minimal(id: RecordId): SourceRecord {
  return {
    id,
    source: "jira",
    kind: "page",
    title: id,
    url: null,
    author: null,
    bot: false,
    createdAt: now,
    updatedAt: now,
    body: id,
    proseEnd: id.length,
    fields: {},
  };
}

/** What an index run does with one record: first the store, then the graph. */
function write(store: Store, record: RecordId, extraction: Extraction | null): void {
  if (extraction === null) {
    store.records.drop(record);
    return;
  }
  store.records.put(minimal(record), {}, "test", "run", now);
  store.extractions.declare(record, "1", [], now);
  store.extractions.replace(record, "key", "1", extraction, now);
}

const node = fc.constantFrom(...nodes);
const record = fc.constantFrom(...records);
const at = fc.constantFrom("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z");
const kind = fc.constantFrom<EdgeKind>("owns", "affects", "depends_on", "caused_by");
const statement = fc.record({ source: node, kind, target: node, at, ends: fc.boolean(), authority: fc.integer({ min: 0, max: 4 }) });
const state = fc.record({ node: fc.constantFrom(...nodes, ...docs, ...docs), at, open: fc.boolean(), made: fc.option(at) });
const edit = fc.record({
  type: fc.constant("edit" as const),
  record,
  gone: fc.nat(3).map((one) => one === 0),
  facts: fc.array(statement, { maxLength: 4 }),
  states: fc.array(state, { maxLength: 2 }),
});
const look = fc.oneof(
  fc.record({
    type: fc.constant("look" as const),
    what: fc.constantFrom("expand", "node", "edgesOf", "then", "resolve", "degree"),
    node: fc.constantFrom(...nodes, ...docs),
  }),
  fc.record({ type: fc.constant("edge" as const), source: node, kind, target: node }),
  fc.record({ type: fc.constant("record" as const), record }),
  fc.record({
    type: fc.constant("kinds" as const),
    node,
    kinds: fc.constantFrom<EdgeKind[]>(["owns"], ["caused_by"], ["owns", "affects"]),
  }),
  fc.record({ type: fc.constant("made" as const), from: fc.option(at), before: at }),
  fc.record({ type: fc.constant("kind" as const), kind: fc.constantFrom("service", "ticket", "engineer", "log", "doc") }),
);
type Look = typeof look extends fc.Arbitrary<infer T> ? T : never;

function seen(graph: KnowledgeGraph, one: Look): unknown {
  switch (one.type) {
    case "edge":
      return graph.edge(`${one.source}|${one.kind}|${one.target}`);
    case "kinds":
      return [graph.edgesOf(one.node, { kinds: one.kinds }), graph.expand([one.node], { kinds: one.kinds })];
    case "made":
      return [...graph.commitsMade(one.from, one.before)];
    case "record":
      return [...graph.nodesOfRecord(one.record)].sort();
    case "kind":
      return [...graph.nodes(one.kind as "service")];
    case "look":
      switch (one.what) {
        case "expand":
          return graph.expand([one.node]);
        case "node":
          return graph.node(one.node);
        case "edgesOf":
          return graph.edgesOf(one.node);
        case "then":
          return graph.expand([one.node], { at: "2026-02-01T00:00:00Z", hops: 1, fanOut: 2 });
        case "resolve":
          return graph.resolve(one.node.slice(one.node.indexOf(":") + 1));
        default:
          return graph.degree(one.node);
      }
  }
}

function everything(graph: KnowledgeGraph): unknown {
  return { size: graph.size, nodes: [...graph.nodes()], edges: [...graph.edges()] };
}

function extractionOf(one: typeof edit extends fc.Arbitrary<infer T> ? T : never): Extraction | null {
  if (one.gone) return null;
  const span = { record: one.record, start: 0, end: 5 };
  const facts = one.facts.map(
    ({ ends, ...rest }): Fact => ({ ...rest, span, rule: "test", tier: 1, confidence: 0.8, ...(ends ? { ends } : {}) }),
  );
  const states = one.states.map(
    (stated): NodeFact => ({
      node: stated.node,
      span,
      at: stated.at,
      attributes: { open: stated.open, ...(stated.made === null ? {} : { at: stated.made }) },
    }),
  );
  return { record: one.record, facts, nodes: states, tier: 1, tierReason: "test" };
}

function stating(record: RecordId, about: NodeId, label: string): Extraction {
  const span = { record, start: 0, end: 5 };
  return { record, facts: [], nodes: [{ node: about, span, at: now, attributes: { label } }], tier: 1, tierReason: "test" };
}

describe("a graph that folds where somebody looks", () => {
  it("shows every reader what a fold of everything shows, whatever changes in between", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { minLength: 1, maxLength: 10 }),
        fc.array(fc.oneof(edit, look), { maxLength: 14 }),
        fc.nat(2),
        async (before, after, ending) => {
          using store = openStore(":memory:");
          const live = new Map<RecordId, Extraction>();
          const take = (one: (typeof before)[number]): Extraction | null => {
            const extraction = extractionOf(one);
            write(store, one.record, extraction);
            if (extraction === null) live.delete(one.record);
            else live.set(one.record, extraction);
            return extraction;
          };
          const clean = (): KnowledgeGraph => {
            const graph = new KnowledgeGraph();
            graph.apply([...live].map(([id, extraction]) => ({ record: id, extraction })));
            return graph;
          };
          for (const one of before) take(one);
          const graph = new KnowledgeGraph();
          graph.readFrom(store.extractions);
          for (const one of after) {
            if (one.type === "edit") graph.apply([{ record: one.record, extraction: take(one) }]);
            else assert.deepEqual(seen(graph, one), seen(clean(), one));
          }

          if (ending === 1) await graph.load(new AbortController().signal);
          assert.deepEqual(await countGraph(store, [], new AbortController().signal), clean().size, "counted on disk");
          assert.deepEqual(everything(graph), everything(clean()));
        },
      ),
      {
        numRuns: Number(process.env.FC_RUNS ?? 200),
        // a prefix was looked at before the commit came that it means
        examples: [
          [
            [],
            [
              {
                type: "edit",
                record: "jira:AB-1",
                gone: false,
                facts: [],
                states: [{ node: "commit:a3f8c2", at: "2026-01-01T00:00:00Z", open: false, made: null }],
              },
              { type: "look", what: "expand", node: "commit:a3f8c2" },
              {
                type: "edit",
                record: "doc:a.md",
                gone: false,
                facts: [],
                states: [{ node: `commit:${shas[0]}`, at: "2026-01-01T00:00:00Z", open: false, made: null }],
              },
            ],
            0,
          ],
        ],
      },
    );
  });

  it("reads no more than what speaks of the nodes that were looked at", () => {
    using store = openStore(":memory:");
    for (let index = 0; index < 50; index += 1) {
      const id: RecordId = `jira:AB-${index}`;
      const span = { record: id, start: 0, end: 5 };
      const fact = { kind: "affects", span, rule: "test", tier: 1, confidence: 0.8, at: now } as const;
      const facts: Fact[] = [{ ...fact, source: `ticket:AB-${index}`, target: `service:s${index % 10}` }];
      write(store, id, { record: id, facts, nodes: [], tier: 1, tierReason: "test" });
    }
    const read = new Set<string>();
    const graph = new KnowledgeGraph();
    graph.readFrom({
      ...store.extractions,
      speakingOf(of, said, wanted) {
        const found = store.extractions.speakingOf(of, said, wanted);
        for (const one of found) read.add(one.record);
        return found;
      },
    });

    assert.equal(graph.expand(["service:s3"]).edges.length, 5);
    assert.deepEqual([...read].sort(), ["jira:AB-13", "jira:AB-23", "jira:AB-3", "jira:AB-33", "jira:AB-43"]);
  });

  it("leaves a document that only says what it is where it is stored, also once all is loaded, until somebody looks at it", async () => {
    using store = openStore(":memory:");
    const reads: string[] = [];
    const graph = new KnowledgeGraph();
    graph.readFrom({
      ...store.extractions,
      speakingOf(of, said, wanted) {
        reads.push(of);
        return store.extractions.speakingOf(of, said, wanted);
      },
    });
    const change = (id: RecordId, label: string): void => {
      const extraction = stating(id, id as NodeId, label);
      write(store, id, extraction);
      graph.apply([{ record: id, extraction }]);
    };
    change("doc:a.md", "first");
    await graph.load(new AbortController().signal);
    change("doc:a.md", "second");
    change("doc:b.md", "other");
    assert.deepEqual(reads, []);
    assert.deepEqual(graph.size, { nodes: 2, edges: 0 });

    assert.equal(graph.node("doc:a.md")?.label, "second");
    change("doc:a.md", "third");
    assert.equal(graph.node("doc:a.md")?.label, "third");
    assert.deepEqual(new Set(reads), new Set(["doc:a.md"]));
  });

  it("reads nothing again for a pass over all commits once it is loaded", async () => {
    using store = openStore(":memory:");
    for (const [index, sha] of shas.entries()) {
      const id: RecordId = `github:commit:${index}`;
      const span = { record: id, start: 0, end: 5 };
      write(store, id, {
        record: id,
        facts: [],
        nodes: [{ node: `commit:${sha}`, span, at: now, attributes: {} }],
        tier: 1,
        tierReason: "test",
      });
    }
    let pages = 0;
    const graph = new KnowledgeGraph();
    graph.readFrom({
      ...store.extractions,
      page(after, limit, wanted) {
        pages += 1;
        return store.extractions.page(after, limit, wanted);
      },
    });

    await graph.load(new AbortController().signal);
    const read = pages;
    await graph.load(new AbortController().signal);

    assert.deepEqual(
      [...graph.nodes("commit")].map(({ id }) => id),
      shas.map((sha) => `commit:${sha}`).sort(),
    );
    assert.deepEqual([...graph.nodes("ticket")], []);
    assert.equal(pages, read);
  });

  it("gives every other task its turn while it loads", async () => {
    using store = openStore(":memory:");
    for (let index = 0; index < 1000; index += 1) {
      const id: RecordId = `jira:AB-${index}`;
      const span = { record: id, start: 0, end: 5 };
      write(store, id, {
        record: id,
        facts: [],
        nodes: [{ node: `ticket:AB-${index}`, span, at: now, attributes: {} }],
        tier: 1,
        tierReason: "",
      });
    }
    const graph = new KnowledgeGraph();
    graph.readFrom(store.extractions);
    let turns = 0;
    let loaded = false;
    const other = (): void => {
      turns += 1;
      if (!loaded) setImmediate(other);
    };
    setImmediate(other);

    await graph.load(new AbortController().signal);
    loaded = true;

    assert.ok(turns >= 5, `${turns} turns for five slices`);
    assert.deepEqual(graph.size, { nodes: 1000, edges: 0 });
  });

  it("keeps a hub's edges in the order that a clean build gives, whatever happens to them", () => {
    const ticket = fc.nat(249);
    const change = fc.record({ ticket, open: fc.boolean(), at, gone: fc.boolean(), other: fc.boolean() });
    const extraction = (number: number, open: boolean, when: string, other: boolean): Extraction => {
      const id: RecordId = `jira:AB-${number}`;
      const span = { record: id, start: 0, end: 5 };
      const source: NodeId = `ticket:AB-${number}`;
      const fact = { source, kind: "affects", span, rule: "test", tier: 1, confidence: 0.8, at: when } as const;
      const target: NodeId = other ? "service:redis" : "service:hub";
      return {
        record: id,
        facts: [{ ...fact, target }],
        nodes: [{ node: source, span, at: when, attributes: { open } }],
        tier: 1,
        tierReason: "",
      };
    };
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.nat(2), (changes, look) => {
        const live = new Map<RecordId, Extraction>();
        for (let index = 0; index < 250; index += 1) live.set(`jira:AB-${index}`, extraction(index, index % 5 === 0, now, false));
        const all = () => [...live].map(([id, one]) => ({ record: id, extraction: one }));
        const graph = new KnowledgeGraph();
        graph.apply(all());
        graph.expand(["service:hub"]);
        for (const [index, one] of changes.entries()) {
          const made = one.gone ? null : extraction(one.ticket, one.open, one.at, one.other);
          graph.apply([{ record: `jira:AB-${one.ticket}`, extraction: made }]);
          if (made === null) live.delete(`jira:AB-${one.ticket}`);
          else live.set(made.record, made);
          if (index % 3 === look) graph.expand(["service:hub"]);
        }
        const clean = new KnowledgeGraph();
        clean.apply(all());

        assert.deepEqual(graph.expand(["service:hub"]), clean.expand(["service:hub"]));
        assert.deepEqual(graph.edgesOf("service:hub"), clean.edgesOf("service:hub"));
      }),
      { numRuns: 60 },
    );
  });

  it("tells the size as it was last counted until all is folded and counted anew", async () => {
    using store = openStore(":memory:");
    const graph = new KnowledgeGraph();
    graph.readFrom(store.extractions, { nodes: 7, edges: 8 });

    assert.deepEqual(graph.size, { nodes: 7, edges: 8 });
    graph.apply([{ record: "jira:AB-1", extraction: null }]);
    assert.deepEqual(graph.size, { nodes: 7, edges: 8 });
    assert.equal(graph.counted, null);
    await graph.load(new AbortController().signal);
    assert.deepEqual(graph.size, { nodes: 0, edges: 0 });
  });

  it("stops loading when it is told to, and goes on when asked", async () => {
    using store = openStore(":memory:");
    write(
      store,
      "jira:AB-1",
      extractionOf({
        type: "edit",
        record: "jira:AB-1",
        gone: false,
        facts: [],
        states: [{ node: "log:7", at: "2026-01-01T00:00:00Z", open: true, made: null }],
      }),
    );
    const graph = new KnowledgeGraph();
    graph.readFrom(store.extractions, { nodes: 7, edges: 8 });

    await graph.load(AbortSignal.abort());
    assert.deepEqual(graph.size, { nodes: 7, edges: 8 });
    await graph.load(new AbortController().signal);
    assert.deepEqual(graph.size, { nodes: 1, edges: 0 });
  });
});
