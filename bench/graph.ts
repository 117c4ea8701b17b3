/**
 * npm run bench -- graph [edges…]
 * The graph at size, 10,000, 100,000 and 1,000,000 edges unless told: writes made-up extractions (graph/world.ts) into a
 * store as an index run does, then opens it in a process of its own and measures the first expansion, expansions while
 * parts are folded on demand, the load of the rest, expansions after it, one changed record, memory. Targets: first
 * expansion 3 s, p95 of two hops a fifth of networkx (graph/article.py on the same edges), one record 20 ms, 1 KB an edge.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Extraction } from "../src/core/fact.ts";
import type { SourceRecord } from "../src/core/record.ts";
import { KnowledgeGraph } from "../src/graph/knowledge-graph.ts";
import { openStore } from "../src/store/open.ts";
import type { Store } from "../src/store/store.ts";
import { startsOf, world } from "./graph/world.ts";
import { diskMb } from "./search/build.ts";
import { percentile, stopwatch, type Times, timeCalls } from "./search/measure.ts";

const now = "2026-01-01T00:00:00Z";
const page = 2000;
const [mode, size, file] = process.argv.slice(2);

if (mode === "measure") await measure(Number(size), file ?? "");
else {
  const sizes = process.argv.slice(2).map(Number);
  for (const edges of sizes.length === 0 ? [10_000, 100_000, 1_000_000] : sizes) {
    const folder = mkdtempSync(join(tmpdir(), "contextd-bench-"));
    try {
      build(edges, join(folder, "bench.db"));
      spawnSync(process.execPath, ["--expose-gc", import.meta.filename, "measure", String(edges), join(folder, "bench.db")], {
        stdio: "inherit",
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

function build(edges: number, into: string): void {
  using store = openStore(into);
  const watch = stopwatch();
  let batch: Extraction[] = [];
  const write = (): void => {
    using tx = store.begin();
    for (const extraction of batch) save(store, extraction);
    tx.commit();
    batch = [];
  };
  for (const extraction of world(edges)) if (batch.push(extraction) === page) write();
  write();
  console.log(`\n${edges.toLocaleString("en")} edges saved: ${watch()}; ${diskMb(into).toFixed(0)} MB on disk`);
}

function save(store: Store, extraction: Extraction): void {
  const id = extraction.record;
  const record: SourceRecord = {
    id,
    source: "jira",
    kind: "ticket",
    title: id,
    url: null,
    author: null,
    bot: false,
    createdAt: now,
    updatedAt: now,
    body: "",
    proseEnd: 0,
    fields: {},
  };
  store.records.put(record, {}, "bench", "run", now);
  store.extractions.declare(id, "1", [], now);
  store.extractions.replace(id, "key", "1", extraction, now);
}

async function measure(edges: number, from: string): Promise<void> {
  const before = held();
  let watch = stopwatch();
  using store = openStore(from);
  const graph = new KnowledgeGraph();
  graph.readFrom(store.extractions);
  const [first, ...starts] = startsOf(edges, 401);
  if (first === undefined) return;
  graph.expand([first]);
  console.log(`opened, first expansion: ${watch()}`);

  console.log(`expansions, folded on demand: ${shown(await timeCalls(40, (n) => graph.expand([starts[n] ?? first])))}`);
  watch = stopwatch();
  await graph.load(new AbortController().signal);
  console.log(
    `the rest loaded: ${watch()}; ${graph.size.edges.toLocaleString("en")} distinct edges, ${graph.size.nodes.toLocaleString("en")} nodes`,
  );
  console.log(`memory: ${Math.round((held() - before) / edges)} B an edge`);

  console.log(`expansions: ${shown(await timeCalls(400, (n) => graph.expand([starts[n] ?? first])))}`);
  console.log(`largest hub: ${shown(await timeCalls(20, () => graph.expand(["service:s0"])))}`);
  const changed = store.extractions.page("jira:T-1", 200, () => true).extractions;
  const update = (n: number): void => {
    const extraction = changed[n];
    if (extraction === undefined) return;
    save(store, { ...extraction, tierReason: "changed" });
    graph.apply([{ record: extraction.record, extraction }]);
  };
  console.log(`one changed record, stored and folded: ${shown(await timeCalls(changed.length, update))}`);
  const updateAndLook = (n: number): void => {
    update(n);
    graph.expand(["service:s0"]);
  };
  console.log(`the same, then the largest hub expanded: ${shown(await timeCalls(changed.length, updateAndLook))}`);
}

function shown({ wall, cpu }: Times): string {
  const at = (list: readonly number[]): string => [0.5, 0.95].map((share) => percentile(list, share).toFixed(2)).join(" / ");
  return `p50 / p95 ${at(wall)} ms; processor ${at(cpu)} ms`;
}

function held(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
