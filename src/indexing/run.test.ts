import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  byId,
  commit,
  indexDeps,
  memorySource,
  NOW,
  page,
  recordIds,
  runIndex,
  scripted,
  snapshot,
  ticket,
} from "../../test/support/indexing.ts";
import { ContextError } from "../core/errors.ts";
import type { Extraction } from "../core/fact.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { openStore } from "../store/open.ts";
import type { Deepener, IndexSource } from "./deps.ts";
import { loadGraph, loadNames } from "./load.ts";
import { indexRun, runningOn } from "./run.ts";

const SHA = "a3f8c2d4e5f60718293a4b5c6d7e8f9012345678";

function shop() {
  return byId(
    ticket("JR-441", "Checkout fails under load. It was caused by a3f8c2d4e5f60718293a4b5c6d7e8f9012345678.", {
      components: ["checkout-api"],
    }),
    ticket("JR-442", "Search results are slow.", { components: ["search-api"] }),
    commit(SHA, "Raise the retry limit of checkout-api", ["src/checkout/retry.ts"]),
    page("1", "checkout-api", "checkout-api depends on redis-cache. checkout-api is owned by Rahul Sharma."),
  );
}

const hints = { aliases: { "checkout-api": ["checkout"], "search-api": [], "redis-cache": [] }, sourcePaths: {} };

describe("an index run", () => {
  it("makes graph, chunks and manifest from records", async () => {
    using store = openStore(":memory:");
    const deps = indexDeps(store, [memorySource("shop", shop())], { hints });

    const { report } = await runIndex(deps);

    assert.deepEqual(report.records, { seen: 4, added: 4, changed: 0, deleted: 0, unchanged: 0, failed: 0 });
    assert.equal(report.extraction.tier1 + report.extraction.tier2 + report.extraction.tier3, 4);
    assert.equal(report.extraction.costUsd, 0);
    assert.ok(deps.graph.edge("ticket:JR-441|affects|service:checkout-api"));
    assert.ok(deps.graph.edge("service:checkout-api|depends_on|service:redis-cache"));
    assert.equal(report.chunks.total, store.chunks.count());
    assert.ok(report.chunks.added >= 4);
    assert.equal([...store.extractions.manifest()].length, 4);
    assert.deepEqual(report.failures, []);
    assert.equal(store.runs.get(report.runId)?.status, "done");
    assert.deepEqual(store.runs.get(report.runId)?.report, report);
    assert.equal(store.cursors.synced()[0]?.syncedUntil, new Date(NOW).toISOString());
  });

  it("does nothing the second time", async () => {
    using store = openStore(":memory:");
    const deps = indexDeps(store, [memorySource("shop", shop())], { hints });
    await runIndex(deps);
    const generation = store.meta.get("index.generation");
    const before = snapshot(store, deps.graph);

    const { report } = await runIndex(deps);

    assert.deepEqual(report.records, { seen: 4, added: 0, changed: 0, deleted: 0, unchanged: 4, failed: 0 });
    assert.deepEqual(report.extraction, { tier1: 0, tier2: 0, tier3: 0, cached: 4, llmCalls: 0, costUsd: 0 });
    assert.deepEqual({ added: report.chunks.added, deleted: report.chunks.deleted }, { added: 0, deleted: 0 });
    assert.equal(store.meta.get("index.generation"), generation);
    assert.deepEqual(snapshot(store, deps.graph), before);
  });

  it("reads exactly the one record that was edited", async () => {
    using store = openStore(":memory:");
    const records = shop();
    const deps = indexDeps(store, [memorySource("shop", records)], { hints });
    await runIndex(deps);
    records.set("jira:JR-442", ticket("JR-442", "Search results are slow since Monday.", { components: ["search-api"] }));

    const { report } = await runIndex(deps);

    assert.equal(report.records.changed, 1);
    assert.equal(report.extraction.tier1 + report.extraction.tier2 + report.extraction.tier3, 1);
    assert.equal(report.extraction.cached, 3);
    assert.match(store.chunks.ofRecord("jira:JR-442")[0]?.text ?? "", /since Monday/);
  });

  it("takes the edges and chunks of a deleted record along, and leaves an edge that another record shows", async () => {
    using store = openStore(":memory:");
    const records = shop();
    records.set("confluence:2", page("2", "Dependencies", "checkout-api depends on redis-cache."));
    const deps = indexDeps(store, [memorySource("shop", records)], { hints });
    await runIndex(deps);
    records.delete("confluence:1");
    records.delete("jira:JR-441");

    const { report } = await runIndex(deps);

    assert.equal(report.records.deleted, 2);
    assert.equal(deps.graph.edge("ticket:JR-441|affects|service:checkout-api"), null);
    assert.deepEqual(
      deps.graph.edge("service:checkout-api|depends_on|service:redis-cache")?.evidence.map((one) => one.span.record),
      ["confluence:2"],
    );
    assert.deepEqual(store.chunks.ofRecord("confluence:1"), []);
    assert.deepEqual(store.chunks.matchWords(["load"], 10, {}), []);
    assert.equal(store.records.get("jira:JR-441"), null);
  });

  it("reads the records again that hold a name whose meaning changed, and no others", async () => {
    using store = openStore(":memory:");
    const records = shop();
    records.set("jira:JR-443", ticket("JR-443", "Basket broken. This affects trolley.", {}));
    await runIndex(indexDeps(store, [memorySource("shop", records)], { hints }));
    const graph = new KnowledgeGraph();
    const deps = indexDeps(store, [memorySource("shop", records)], {
      hints: { ...hints, aliases: { ...hints.aliases, "cart-service": ["trolley"] } },
      graph,
    });
    loadGraph(deps);

    const { report } = await runIndex(deps);

    assert.equal(report.records.changed, 0);
    assert.equal(report.extraction.tier1 + report.extraction.tier2 + report.extraction.tier3, 1);
    assert.ok(graph.edge("ticket:JR-443|affects|service:cart-service"));
  });

  it("loads the same graph at start without reading anything again", async () => {
    using store = openStore(":memory:");
    const deps = indexDeps(store, [memorySource("shop", shop())], { hints });
    await runIndex(deps);
    const graph = new KnowledgeGraph();
    const noExtractor = { ...deps.extractor, extract: () => assert.fail("read again") };

    loadGraph({ ...deps, extractor: noExtractor, graph });

    assert.deepEqual(snapshot(store, graph), snapshot(store, deps.graph));
  });

  it("knows the names that records declare from the start on after an upgrade, before they are read again", async () => {
    using store = openStore(":memory:");
    const deps = indexDeps(store, [memorySource("shop", shop())]);
    assert.deepEqual(loadNames(deps).find("checkout-api"), []);
    await runIndex(deps);

    const names = loadNames({ ...deps, extractor: { ...deps.extractor, version: "next" } });

    assert.deepEqual(names.find("checkout-api"), ["service:checkout-api"]);
  });

  it("counts a record that comes on two pages once", async () => {
    using store = openStore(":memory:");
    const record = ticket("JR-1", "Slow.");
    const source = scripted("shop", () => [
      { type: "record", record, raw: null },
      { type: "checkpoint", cursor: "2" },
      { type: "record", record, raw: null },
      { type: "end", scan: "full" },
    ]);

    const { report } = await runIndex(indexDeps(store, [source]));

    assert.deepEqual(report.records, { seen: 1, added: 1, changed: 0, deleted: 0, unchanged: 0, failed: 0 });
  });
});

describe("a source that fails", () => {
  const down = new ContextError("SOURCE_UNAVAILABLE", "Jira answered 503 at /search");

  it("sweeps nothing, keeps what it gave, and does not stop the others", async () => {
    using store = openStore(":memory:");
    const records = shop();
    await runIndex(indexDeps(store, [memorySource("a", records), memorySource("b", byId(ticket("OPS-1", "Disk full.")))]));
    const failing = scripted("a", () => [{ type: "record", record: ticket("JR-900", "New one."), raw: null }, down]);
    const deps = indexDeps(store, [failing, memorySource("b", byId(ticket("OPS-2", "Disk full again.")))]);

    const { report } = await runIndex(deps);

    assert.deepEqual(
      recordIds(store)
        .filter((id) => id.startsWith("jira:"))
        .sort(),
      ["jira:JR-441", "jira:JR-442", "jira:JR-900", "jira:OPS-2"],
    );
    assert.deepEqual(report.failures, [
      { source: "a", id: "a", code: "SOURCE_UNAVAILABLE", message: down.message, at: new Date(NOW).toISOString() },
    ]);
    assert.equal(store.runs.get(report.runId)?.status, "partial");
    const [a, b] = store.cursors.synced();
    assert.equal(a?.error, "SOURCE_UNAVAILABLE: Jira answered 503 at /search");
    assert.equal(b?.error, null);
  });

  it("is a failed run when there is no other", async () => {
    using store = openStore(":memory:");

    const { report } = await runIndex(indexDeps(store, [scripted("a", () => [down])]));

    assert.equal(store.runs.get(report.runId)?.status, "failed");
    assert.equal(store.cursors.synced()[0]?.syncedUntil, null);
  });

  it("goes on from the last checkpoint, and the scan cut in two sweeps only what neither half met", async () => {
    using store = openStore(":memory:");
    const [one, two, three] = ["JR-1", "JR-2", "JR-3"].map((key) => ({ type: "record", record: ticket(key, "Slow."), raw: null }) as const);
    assert.ok(one && two && three);
    await runIndex(indexDeps(store, [scripted("a", () => [one, two, three, { type: "end", scan: "full" }])]));
    const seen: (string | null)[] = [];
    const source = scripted("a", (cursor) => {
      seen.push(cursor);
      return cursor === null ? [one, { type: "checkpoint", cursor: "after 1" }, down] : [two, { type: "end", scan: "full", cursor: "all" }];
    });

    await runIndex(indexDeps(store, [source]));
    const { report } = await runIndex(indexDeps(store, [source]));

    assert.deepEqual(seen, [null, "after 1"]);
    assert.equal(report.records.deleted, 1);
    assert.deepEqual(recordIds(store), ["jira:JR-1", "jira:JR-2"]);
    assert.equal(store.cursors.get("a"), "all");
  });

  it("that just stops is not taken for complete", async () => {
    using store = openStore(":memory:");
    await runIndex(indexDeps(store, [memorySource("a", shop())]));

    const { report } = await runIndex(indexDeps(store, [scripted("a", () => [])]));

    assert.equal(report.failures[0]?.code, "SOURCE_BAD_REPLY");
    assert.equal(store.records.count(), 4);
  });

  it("keeps the old text of a record that could not be read, and lets go of one whose text is no longer there", async () => {
    using store = openStore(":memory:");
    await runIndex(indexDeps(store, [memorySource("a", shop())]));
    const source = scripted("a", () => [
      { type: "failed", id: "jira:JR-441", error: new ContextError("RECORD_INVALID", "no summary") },
      { type: "failed", id: "confluence:1", error: new ContextError("FILE_NO_TEXT", "pictures only") },
      { type: "unchanged", id: "jira:JR-442" },
      { type: "unchanged", id: `github:commit:${SHA}` },
      { type: "end", scan: "full" },
    ]);

    const { report } = await runIndex(indexDeps(store, [source]));

    assert.deepEqual(recordIds(store), [`github:commit:${SHA}`, "jira:JR-441", "jira:JR-442"]);
    assert.deepEqual(report.records, { seen: 4, added: 0, changed: 0, deleted: 0, unchanged: 2, failed: 2 });
    assert.deepEqual(
      report.failures.map(({ code }) => code),
      ["RECORD_INVALID", "FILE_NO_TEXT"],
    );
  });
});

describe("sources and cursors", () => {
  const delta: IndexSource = scripted("a", (cursor) =>
    cursor === null
      ? [
          { type: "record", record: ticket("JR-1", "Slow."), raw: null },
          { type: "record", record: ticket("JR-2", "Slow."), raw: null },
          { type: "end", scan: "full", cursor: "1" },
        ]
      : [
          { type: "gone", id: "jira:JR-1" },
          { type: "end", scan: "delta", cursor: "2" },
        ],
  );

  it("are asked for what is new; what they do not speak of is unchanged", async () => {
    using store = openStore(":memory:");
    await runIndex(indexDeps(store, [delta]));

    const { report } = await runIndex(indexDeps(store, [delta]));

    assert.deepEqual(report.records, { seen: 1, added: 0, changed: 0, deleted: 1, unchanged: 1, failed: 0 });
    assert.equal(store.cursors.get("a"), "2");
  });

  it("are read from the start with full, and when the source's configuration changed", async () => {
    using store = openStore(":memory:");
    await runIndex(indexDeps(store, [{ ...delta, config: "one" }]));
    await runIndex(indexDeps(store, [{ ...delta, config: "one" }]));
    assert.deepEqual(recordIds(store), ["jira:JR-2"]);

    await runIndex(indexDeps(store, [{ ...delta, config: "two" }]));
    assert.deepEqual(recordIds(store), ["jira:JR-1", "jira:JR-2"]);

    await runIndex(indexDeps(store, [{ ...delta, config: "two" }]));
    await runIndex(indexDeps(store, [{ ...delta, config: "two" }]), { full: true });
    assert.deepEqual(recordIds(store), ["jira:JR-1", "jira:JR-2"]);
  });

  it("can be chosen by kind; an unknown kind is a usage error", async () => {
    using store = openStore(":memory:");
    const deps = indexDeps(store, [delta, { ...memorySource("files", byId(page("1", "A", "Text."))), kind: "documents" }]);

    const { report } = await runIndex(deps, { source: "documents" });

    assert.equal(report.records.added, 1);
    await assert.rejects(runIndex(deps, { source: "jira" }), { code: "USAGE", message: /configured: documents, records/ });
  });

  it("that are no longer configured lose their records, unless another source holds them", async () => {
    using store = openStore(":memory:");
    const shared = ticket("JR-1", "Slow.");
    await runIndex(indexDeps(store, [memorySource("a", byId(shared, ticket("JR-2", "Slow."))), memorySource("b", byId(shared))]));

    const deps = indexDeps(store, [memorySource("b", byId(shared))], { configured: (label) => label === "b" });
    const { report } = await runIndex(deps);

    assert.equal(report.records.deleted, 1);
    assert.deepEqual(recordIds(store), ["jira:JR-1"]);
    assert.deepEqual(
      store.cursors.synced().map(({ source }) => source),
      ["b"],
    );
  });
});

describe("single records", () => {
  const down = new ContextError("SOURCE_UNAVAILABLE", "503");
  const read = (given: Readonly<Record<string, ReturnType<typeof ticket>>>): NonNullable<IndexSource["read"]> => {
    return (_io, id) => Promise.resolve(given[id] === undefined ? null : { record: given[id], raw: null });
  };

  it("that failed are asked for again, although a delta does not bring them", async () => {
    using store = openStore(":memory:");
    const source = scripted("a", (cursor) =>
      cursor === null
        ? [
            { type: "failed", id: "jira:JR-1", error: down },
            { type: "end", scan: "full", cursor: "1" },
          ]
        : [{ type: "end", scan: "delta", cursor: "2" }],
    );
    await runIndex(indexDeps(store, [{ ...source, read: () => Promise.reject(down) }]));
    const second = await runIndex(indexDeps(store, [{ ...source, read: () => Promise.reject(down) }]));
    assert.equal(second.report.records.failed, 1);

    const third = await runIndex(indexDeps(store, [{ ...source, read: read({ "jira:JR-1": ticket("JR-1", "Slow.") }) }]));
    assert.equal(third.report.records.added, 1);

    const fourth = await runIndex(indexDeps(store, [{ ...source, read: () => assert.fail("asked again") }]));
    assert.deepEqual(fourth.report.records, { seen: 1, added: 0, changed: 0, deleted: 0, unchanged: 1, failed: 0 });
  });

  it("that failed are not asked for again where the source names them itself", async () => {
    using store = openStore(":memory:");
    const source = scripted("a", () => [
      { type: "failed", id: "jira:JR-1", error: down },
      { type: "end", scan: "full", cursor: "1" },
    ]);
    await runIndex(indexDeps(store, [source]));
    const { report } = await runIndex(indexDeps(store, [{ ...source, read: () => assert.fail("asked again") }]));
    assert.deepEqual(
      report.failures.map(({ id }) => id),
      ["jira:JR-1"],
    );
  });

  it("are read again on request: changed, gone and new ones; no source is pulled", async () => {
    using store = openStore(":memory:");
    await runIndex(indexDeps(store, [memorySource("a", shop())], { hints }));
    const source: IndexSource = {
      ...scripted("a", () => assert.fail("pulled")),
      read: read({ "jira:JR-442": ticket("JR-442", "Search is fast again."), "jira:JR-500": ticket("JR-500", "Login broken.") }),
    };
    const others = memorySource("b", byId());

    const { report } = await runIndex(indexDeps(store, [source, others], { hints }), {
      records: ["jira:JR-442", "jira:JR-441", "jira:JR-500"],
      trigger: "webhook",
    });

    assert.deepEqual(report.records, { seen: 2, added: 1, changed: 1, deleted: 1, unchanged: 0, failed: 0 });
    assert.equal(store.runs.get(report.runId)?.trigger, "webhook");
  });

  it("read between the halves of a scan are not swept by its second half", async () => {
    using store = openStore(":memory:");
    const source = scripted("a", (cursor) =>
      cursor === null
        ? [{ type: "record", record: ticket("JR-1", "Slow."), raw: null }, { type: "checkpoint", cursor: "1" }, down]
        : [{ type: "end", scan: "full", cursor: "all" }],
    );
    await runIndex(indexDeps(store, [source]));
    const again = { ...source, read: read({ "jira:JR-1": ticket("JR-1", "Very slow.") }) };
    await runIndex(indexDeps(store, [again]), { records: ["jira:JR-1"] });

    await runIndex(indexDeps(store, [again]));

    assert.match(store.records.get("jira:JR-1")?.body ?? "", /Very slow/);
  });
});

describe("stopping", () => {
  it("leaves a consistent store from which the next run goes on", async () => {
    using clean = openStore(":memory:");
    const wanted = indexDeps(clean, [memorySource("shop", shop())], { hints });
    await runIndex(wanted);
    const { events } = await runIndex(indexDeps(openStore(":memory:"), [memorySource("shop", shop())], { hints }));

    for (let stopAfter = 0; stopAfter <= events.length; stopAfter += 1) {
      using store = openStore(":memory:");
      const deps = indexDeps(store, [memorySource("shop", shop(), 1)], { hints });
      const stop = new AbortController();
      let met = 0;
      const run = indexRun(deps, { signal: stop.signal });
      const outcome = await (async () => {
        if (stopAfter === 0) stop.abort();
        for (;;) {
          const { done } = await run.next();
          if (done) return "done";
          met += 1;
          if (met === stopAfter) stop.abort();
        }
      })().catch((error: unknown) => error);
      if (outcome !== "done") {
        assert.equal((outcome as ContextError).code, "CANCELLED");
        assert.equal(store.runs.list(1)[0]?.status, "cancelled");
      }
      assert.equal(runningOn(store), null);

      const graph = new KnowledgeGraph();
      const next = { ...deps, graph };
      loadGraph(next);
      await runIndex(next);

      assert.deepEqual(snapshot(store, graph), snapshot(clean, wanted.graph), `stopped after ${stopAfter} events`);
    }
  });

  it("ends the run when the caller stops listening", async () => {
    using store = openStore(":memory:");
    for await (const _ of indexRun(indexDeps(store, [memorySource("shop", shop())]), { signal: new AbortController().signal })) break;

    assert.equal(store.runs.list(1)[0]?.status, "cancelled");
    assert.equal(runningOn(store), null);
  });

  it("one run at a time", async () => {
    using store = openStore(":memory:");
    const deps = indexDeps(store, [memorySource("shop", shop())]);
    const first = indexRun(deps, { signal: new AbortController().signal });
    await first.next();

    await assert.rejects(runIndex(deps), { code: "INDEX_RUNNING" });

    await first.return(undefined as never);
    await runIndex(deps);
  });
});

describe("a rule that fails on one record", () => {
  it("costs that record only, is said, and is tried again by the next run", async () => {
    using store = openStore(":memory:");
    const plain = indexDeps(store, [memorySource("shop", shop())], { hints });
    const broken = {
      ...plain.extractor,
      extract(record: Parameters<typeof plain.extractor.extract>[0], names: Parameters<typeof plain.extractor.extract>[1]): Extraction {
        if (record.id === "jira:JR-442") throw new Error("unexpected shape");
        return plain.extractor.extract(record, names);
      },
    };

    const { report } = await runIndex({ ...plain, extractor: broken });
    assert.deepEqual(
      report.failures.map(({ id, code }) => ({ id, code })),
      [{ id: "jira:JR-442", code: "INTERNAL" }],
    );
    assert.ok(plain.graph.edge("ticket:JR-441|affects|service:checkout-api"));

    const again = await runIndex(plain);
    assert.deepEqual(again.report.failures, []);
    assert.equal(again.report.extraction.cached, 3);
    assert.ok(plain.graph.edge("ticket:JR-442|affects|service:search-api"));
  });
});

describe("changed rules", () => {
  it("read every record again, without asking a source", async () => {
    using store = openStore(":memory:");
    const deps = indexDeps(store, [memorySource("shop", shop())], { hints });
    await runIndex(deps);
    const silentSource = scripted("shop", () => [{ type: "end", scan: "delta" }]);

    const { report } = await runIndex({
      ...deps,
      sources: [silentSource],
      extractor: { ...deps.extractor, version: "next" },
      chunkerVersion: "next",
      chunk: (record) => deps.chunk(record).slice(0, 1),
    });

    assert.equal(report.extraction.tier1 + report.extraction.tier2 + report.extraction.tier3, 4);
    assert.equal(report.records.unchanged, 4);
    assert.equal(report.chunks.total, 4);
    assert.ok([...store.extractions.manifest()].every((row) => row.extractorVersion === "next"));
  });
});

describe("tiers 2 and 3", () => {
  function deepener(deepen: Deepener["deepen"], version = "model a"): Deepener {
    return { version, concurrency: 2, deepen };
  }
  const needsMore = byId(...[1, 2, 3].map((n) => ticket(`JR-${n}`, "Slow.")));
  function routed(store: ReturnType<typeof openStore>) {
    const deps = indexDeps(store, [memorySource("shop", needsMore)]);
    const extract: typeof deps.extractor.extract = (record, names) => ({
      ...deps.extractor.extract(record, names),
      tier: 2,
      tierReason: "test",
    });
    return { ...deps, extractor: { ...deps.extractor, extract } };
  }

  it("read what rules left open, once, and report calls and cost", async () => {
    using store = openStore(":memory:");
    const deps = {
      ...routed(store),
      deepener: deepener((_record, extraction) => Promise.resolve({ extraction, calls: 1, costUsd: 0.25 })),
    };

    const first = await runIndex(deps);
    const second = await runIndex(deps);

    assert.deepEqual(first.report.extraction, { tier1: 0, tier2: 3, tier3: 0, cached: 0, llmCalls: 3, costUsd: 0.75 });
    assert.deepEqual(second.report.extraction, { tier1: 0, tier2: 0, tier3: 0, cached: 3, llmCalls: 0, costUsd: 0 });
  });

  it("leave the rules' result where the model fails, and try again next time", async () => {
    using store = openStore(":memory:");
    const plain = routed(store);
    const failing = deepener(() => Promise.reject(new ContextError("LLM_UNAVAILABLE", "503")));

    const first = await runIndex({ ...plain, deepener: failing });
    assert.deepEqual(
      first.report.failures.map(({ id, code }) => `${id} ${code}`),
      ["jira:JR-1 LLM_UNAVAILABLE", "jira:JR-2 LLM_UNAVAILABLE", "jira:JR-3 LLM_UNAVAILABLE"],
    );

    const works = deepener((_record, extraction) => Promise.resolve({ extraction, calls: 1, costUsd: 0 }));
    const second = await runIndex({ ...plain, deepener: works });
    assert.deepEqual(second.report.extraction, { tier1: 0, tier2: 3, tier3: 0, cached: 0, llmCalls: 3, costUsd: 0 });
  });

  it("stop at the first record that the budget does not cover", async () => {
    using store = openStore(":memory:");
    let asked = 0;
    const spent = deepener(() => {
      asked += 1;
      return Promise.reject(new ContextError("LLM_BUDGET", "The day's budget is spent."));
    });

    const { report } = await runIndex({ ...routed(store), deepener: spent });

    assert.equal(asked, 2); // two at a time
    assert.deepEqual(
      report.failures.map(({ code }) => code),
      ["LLM_BUDGET"],
    );
  });
});

describe("a dry run", () => {
  it("prices what a run would read and changes nothing", async () => {
    using store = openStore(":memory:");
    const records = shop();
    const deps = indexDeps(store, [memorySource("shop", records)], { hints, price: () => 0.5 });
    await runIndex(deps);
    records.set("jira:JR-442", ticket("JR-442", "Search results are slow since Monday.", { components: ["search-api"] }));
    records.set("jira:JR-500", ticket("JR-500", "Login page is blank."));
    records.delete("jira:JR-441");
    const before = snapshot(store, deps.graph);
    const runs = store.runs.list(10).length;

    const { report } = await runIndex(deps, { dryRun: true });

    assert.deepEqual(report.records, { seen: 4, added: 1, changed: 1, deleted: 1, unchanged: 2, failed: 0 });
    assert.equal(report.extraction.tier1 + report.extraction.tier2 + report.extraction.tier3, 2);
    assert.equal(report.extraction.costUsd, 1);
    assert.equal(report.extraction.cached, 2);
    assert.deepEqual(snapshot(store, deps.graph), before);
    assert.equal(store.runs.list(10).length, runs);
  });

  it("of a new store prices everything", async () => {
    using store = openStore(":memory:");

    const { report } = await runIndex(indexDeps(store, [memorySource("shop", shop())], { hints, price: () => 0.5 }), { dryRun: true });

    assert.equal(report.records.added, 4);
    assert.equal(report.extraction.costUsd, 2);
    assert.equal(store.records.count(), 0);
  });
});
