import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { commit, indexDeps, memorySource, page, runIndex, snapshot, ticket } from "../../test/support/indexing.ts";
import type { NameHints } from "../core/extract.ts";
import type { SourceRecord } from "../core/record.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { openStore } from "../store/open.ts";
import { loadGraph } from "./load.ts";
import { verifyIndex } from "./verify.ts";

const services = ["checkout-api", "redis-cache", "Payments Service", "search_api", "trolley"];
const people = ["Rahul Sharma", "Ingrid Solberg", "@mkhan"];
const shas = ["a3f8c2d4e5f60718293a4b5c6d7e8f9012345678", "b17e55aa00112233445566778899aabbccddeeff"];

const service = fc.constantFrom(...services);
const person = fc.constantFrom(...people);
const sha = fc.constantFrom(...shas.flatMap((one) => [one, one.slice(0, 7)]));
const key = fc.constantFrom("JR-1", "JR-2", "OPS-7");

/** Sentences of the kinds that rules read, and some that they must leave alone. */
const sentence = fc.oneof(
  fc.tuple(service, service).map(([a, b]) => `${a} depends on ${b}.`),
  fc.tuple(service, person).map(([a, who]) => `${a} is owned by ${who}.`),
  fc.tuple(key, sha).map(([ticketKey, commitId]) => `${ticketKey} was caused by ${commitId}.`),
  fc.tuple(sha, key).map(([commitId, ticketKey]) => `${commitId} fixes ${ticketKey}.`),
  service.map((a) => `This affects ${a}.`),
  service.map((a) => `It was not caused by ${a}.`),
  fc.tuple(service, fc.constantFrom("basket", "shopd", "the till")).map(([a, alias]) => `${a} (also known as ${alias}) is slow.`),
  fc.constantFrom("Nothing to see here.", "The basket is empty.", "shopd restarted twice.", "Ünïcode – “quotes” 🛒."),
);
const prose = fc.array(sentence, { minLength: 1, maxLength: 6 }).map((sentences) => sentences.join(" "));

const slots: readonly ((text: string, name: string) => SourceRecord)[] = [
  (text) => ticket("JR-1", text),
  (text, name) => ticket("JR-2", text, { components: [name] }),
  (text, name) => ticket("OPS-7", text, { components: [name, "unknown-thing"], open: false, status: "Done" }),
  (text, name) => page("1", name, text),
  (text) => page("2", "Dependencies", `${text}\n\n${text}`),
  (text, name) => commit(shas[0] ?? "", text, [`src/${name}/main.ts`]),
  (text) => commit(shas[1] ?? "", text, ["src/checkout/retry.ts", "README.md"]),
];

const edit = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("put" as const), slot: fc.nat(slots.length - 1), text: prose, name: service }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("delete" as const), slot: fc.nat(slots.length - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("alias" as const),
      name: service,
      spelling: fc.constantFrom("basket", "shopd", "checkout", "the till"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("no aliases" as const) }) },
);
const history = fc.array(fc.array(edit, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 5 });

describe("an index that followed many edits", () => {
  it("equals one that was built at once: nodes, edges, evidence, chunks, dictionary", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const records = new Map<string, SourceRecord>();
        let hints: NameHints = { aliases: {}, sourcePaths: { "checkout-api": ["src/checkout/"] } };
        using store = openStore(":memory:");
        const graph = new KnowledgeGraph();
        for (const step of steps) {
          for (const one of step) {
            if (one.type === "put") {
              const record = slots[one.slot]?.(one.text, one.name);
              if (record !== undefined) records.set(record.id, record);
            } else if (one.type === "delete") records.delete(slots[one.slot]?.("", "").id ?? "");
            else hints = { ...hints, aliases: one.type === "alias" ? { ...hints.aliases, [one.name]: [one.spelling] } : {} };
          }
          const { report } = await runIndex(indexDeps(store, [memorySource("world", records)], { hints, graph }));
          assert.deepEqual(report.failures, []);
        }

        using fullStore = openStore(":memory:");
        const full = indexDeps(fullStore, [memorySource("world", records)], { hints });
        await runIndex(full);

        assert.deepEqual(snapshot(store, graph), snapshot(fullStore, full.graph));
        const loaded = new KnowledgeGraph();
        const deps = indexDeps(store, [], { hints });
        loadGraph({ ...deps, graph: loaded });
        assert.deepEqual(snapshot(store, loaded), snapshot(fullStore, full.graph));
        // lexical rows are checked against the chunks, posting by posting
        const verify = verifyIndex(
          { ...deps, graph, newGraph: () => new KnowledgeGraph() },
          { deep: true, signal: new AbortController().signal },
        );
        const { value: problems } = await verify.next();
        assert.deepEqual(problems, []);
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 40) },
    );
  });

  it("equals one that never merged two names, once the merge is taken back", async () => {
    const records = new Map(
      [
        page("1", "Services", "Service | Also called | Owner\ncart | basket | Ann Lee"),
        page("2", "Baskets", "basket depends on ledger. Bob Ray owns basket."),
        commit(shas[0] ?? "", "cart: fewer queries", ["services/cart/main.go"]),
        commit(shas[1] ?? "", "basket: more queries", ["services/basket/main.go"]),
      ].map((record) => [record.id, record]),
    );
    const hints: NameHints = { aliases: { ledger: [] }, sourcePaths: {} };
    using store = openStore(":memory:");
    const graph = new KnowledgeGraph();
    await runIndex(indexDeps(store, [memorySource("world", records)], { hints, graph }));
    const merges = graph.names?.merges() ?? [];
    assert.notDeepEqual(merges, []);

    const undo = merges.map(({ id }) => id);
    // no source is pulled: the names are folded again, and what they concern is read again
    await runIndex({ ...indexDeps(store, [], { hints: { ...hints, undo }, graph }), configured: () => true });

    using cleanStore = openStore(":memory:");
    const clean = indexDeps(cleanStore, [memorySource("world", records)], { hints: { ...hints, undo } });
    await runIndex(clean);
    assert.deepEqual(snapshot(store, graph), snapshot(cleanStore, clean.graph));
    assert.deepEqual(graph.names?.merges(), []);
  });
});
