import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { commit, indexDeps, memorySource, page, runIndex, ticket } from "../test/support/indexing.ts";
import { Views } from "./app-views.ts";
import type { Reading } from "./core/app.ts";
import { silent } from "./core/connector.ts";
import type { NameHints } from "./core/extract.ts";
import type { NodeId } from "./core/fact.ts";
import type { SourceRecord } from "./core/record.ts";
import { Visibility } from "./core/visibility.ts";
import type { NameBook } from "./extract/names.ts";
import { KnowledgeGraph } from "./graph/knowledge-graph.ts";
import { indexRun } from "./indexing/run.ts";
import { openStore } from "./store/open.ts";

/** Two spaces and two projects; one of each is for others. */
const visibility = new Visibility([["world", { SECRET: ["sre"], OPS: ["sre"], "*": ["dev"] }]]);
const viewer = { groups: ["dev"] };
const shas = ["a3f8c2d4e5f60718293a4b5c6d7e8f9012345678", "a3f8c2d4e5aa112233445566778899aabbccddee"];

const service = fc.constantFrom("checkout-api", "redis-cache", "Payments Service", "trolley");
const sha = fc.constantFrom(...shas.flatMap((one) => [one, one.slice(0, 7), one.slice(0, 12)]));
const key = fc.constantFrom("JR-1", "JR-2", "OPS-7");
const sentence = fc.oneof(
  fc.tuple(service, service).map(([a, b]) => `${a} depends on ${b}.`),
  fc.tuple(service, fc.constantFrom("Rahul Sharma", "Ingrid Solberg")).map(([a, who]) => `${a} is owned by ${who}.`),
  fc.tuple(service, service).map(([a, b]) => `${a} no longer depends on ${b}.`),
  fc.tuple(key, sha).map(([ticketKey, commitId]) => `${ticketKey} was caused by ${commitId}.`),
  fc.tuple(sha, key).map(([commitId, ticketKey]) => `${commitId} fixes ${ticketKey}.`),
  service.map((a) => `This affects ${a}.`),
  fc.constantFrom("This affects shopd.", "The basket depends on redis-cache.", "shopd is owned by Ingrid Solberg."),
  fc.tuple(service, fc.constantFrom("basket", "shopd")).map(([a, alias]) => `${a} (also known as ${alias}) is slow.`),
  fc.tuple(service, fc.constantFrom("basket", "shopd")).map(([a, alias]) => `Service | Also called\n${a} | ${alias}`),
);
const prose = fc.array(sentence, { minLength: 1, maxLength: 5 }).map((sentences) => sentences.join(" "));

interface Text {
  readonly text: string;
  readonly name: string;
  readonly secret: boolean;
  readonly open: boolean;
}

function pageIn(id: string, title: string, { text, secret }: Text): SourceRecord {
  return { ...page(id, title, text), fields: { space: secret ? "SECRET" : "OPEN" } };
}

const slots: readonly ((one: Text) => SourceRecord)[] = [
  ({ text, open }) => ticket("JR-1", text, open ? {} : { open, status: "Done", resolvedAt: "2026-03-11T12:00:00Z" }),
  ({ text, name }) => ticket("JR-2", text, { components: [name] }),
  ({ text, name }) => ticket("OPS-7", text, { components: [name] }),
  (one) => pageIn("1", one.name, one),
  (one) => pageIn("2", "Services", one),
  (one) => pageIn("3", "Dependencies", one),
  ({ text, name }) => commit(shas[0] ?? "", text, [`src/${name}/main.ts`]),
  ({ text }) => commit(shas[1] ?? "", text, ["src/checkout/retry.ts"]),
];

const edit = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("put" as const),
      slot: fc.nat(slots.length - 1),
      text: prose,
      name: service,
      secret: fc.boolean(),
      open: fc.boolean(),
    }),
  },
  // only its place: nothing in it changed
  { weight: 2, arbitrary: fc.record({ type: fc.constant("move" as const), slot: fc.integer({ min: 3, max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("delete" as const), slot: fc.nat(slots.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("alias" as const), name: service, spelling: fc.constantFrom("basket", "shopd") }) },
  { weight: 1, arbitrary: fc.constant({ type: "undo" as const }) },
);
const look = fc.constantFrom<"never" | "before" | "during" | "after" | "all">("never", "before", "during", "after", "all");
const history = fc.array(fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 5 }), look }), { minLength: 1, maxLength: 5 });

function all(graph: KnowledgeGraph): unknown {
  return { nodes: [...graph.nodes()], edges: [...graph.edges()], ambiguities: graph.ambiguities(), size: graph.size };
}

describe("a group's view of a world that changes", () => {
  it("equals a world in which nothing was ever hidden, for there was nothing to hide", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const records = new Map<string, SourceRecord>();
        let hints: NameHints = { aliases: {}, sourcePaths: { "checkout-api": ["src/checkout/"] } };
        using store = openStore(":memory:");
        const graph = new KnowledgeGraph();
        let running = false;
        const views = new Views<NameBook>({
          store,
          extractor: indexDeps(store, []).extractor,
          hints: () => hints,
          names: () => (graph.names ?? indexDeps(store, []).extractor.names([], hints)) as NameBook,
          visibility: () => visibility,
          generation: () => store.meta.get("index.generation") ?? "0",
          isRunning: () => running,
          whole: () => ({ graph }) as unknown as Reading,
          reading: (part) => ({ graph: part }) as unknown as Reading,
          log: silent,
        });
        const seen = async (): Promise<KnowledgeGraph> => (await views.as(viewer)).graph as KnowledgeGraph;
        const glance = async (): Promise<void> => {
          const part = await seen();
          for (const id of ["service:checkout-api", "service:redis-cache", "ticket:JR-1", `commit:${shas[0]}`] as NodeId[])
            part.expand([id]);
        };
        for (const step of steps) {
          for (const one of step.edits) {
            if (one.type === "put") {
              const record = slots[one.slot]?.(one);
              if (record !== undefined) records.set(record.id, record);
            } else if (one.type === "move") {
              const id = `confluence:${one.slot - 2}`;
              const record = records.get(id);
              if (record !== undefined)
                records.set(id, { ...record, fields: { ...record.fields, space: record.fields.space === "OPEN" ? "SECRET" : "OPEN" } });
            } else if (one.type === "delete") records.delete(slots[one.slot]?.({ text: "", name: "", secret: false, open: true }).id ?? "");
            else if (one.type === "alias") hints = { ...hints, aliases: { ...hints.aliases, [one.name]: [one.spelling] } };
            else hints = { ...hints, undo: (graph.names?.merges() ?? []).slice(0, 1).map(({ id }) => id) };
          }
          if (step.look === "before" || step.look === "all") await glance();
          running = true;
          const deps = indexDeps(store, [memorySource("world", records)], { hints, graph: views.foldInto(graph) as KnowledgeGraph });
          const run = indexRun(deps, { signal: new AbortController().signal });
          for (let next = await run.next(); next.done !== true; next = await run.next())
            if (step.look === "during" || step.look === "all") await glance();
          running = false;
          if (step.look === "after" || step.look === "all") await glance();
        }

        const visible = [...records.values()].filter(({ fields }) => fields.space !== "SECRET" && fields.key !== "OPS-7");
        using cleanStore = openStore(":memory:");
        const clean = indexDeps(cleanStore, [memorySource("world", new Map(visible.map((record) => [record.id, record])))], { hints });
        await runIndex(clean);
        assert.deepEqual(all(await seen()), all(clean.graph));
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 40) },
    );
  });
});
