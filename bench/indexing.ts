// Records a second through an index run without embedding, memory, an unchanged re-run, one edit,
// and how long a graph of 100,000 edges takes to load from the store.
// usage: bench/indexing.ts [RECORDS.jsonl [MANIFEST-FRAGMENT.json]]
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { records } from "../src/connectors/records/index.ts";
import type { Extraction, NodeId } from "../src/core/fact.ts";
import type { SourceRecord } from "../src/core/record.ts";
import { KnowledgeGraph } from "../src/graph/knowledge-graph.ts";
import { loadGraph } from "../src/indexing/load.ts";
import { verifyIndex } from "../src/indexing/verify.ts";
import { openStore } from "../src/store/open.ts";
import { indexDeps, memorySource, NOW, page, runIndex } from "../test/support/indexing.ts";
import { sharedPath } from "../test/support/shared.ts";

const folder = mkdtempSync(join(tmpdir(), "contextd-bench-"));
const path = join(folder, "contextd.db");
const file = process.argv[2] ?? sharedPath("data", "world-otel-demo", "records.jsonl");
const fragment = process.argv[3] ?? sharedPath("data", "world-otel-demo", "manifest-fragment.json");

async function timed<T>(what: string, work: () => Promise<T> | T): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.log(`${what}: ${Math.round(performance.now() - started)} ms, rss ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  return result;
}

if (file !== null) {
  const hints = { aliases: {}, sourcePaths: {}, ...(fragment === null ? {} : JSON.parse(readFileSync(fragment, "utf8"))) };
  const config = { kind: "records" as const, path: file };
  const source = {
    label: "world",
    kind: "records",
    pull: (io: Parameters<typeof records.pull>[1], at: string | null) => records.pull(config, io, at),
  };
  using store = openStore(path);
  const deps = { ...indexDeps(store, [source], { hints }), clock: () => performance.now() };
  const { report } = await timed("first run", () => runIndex(deps));
  console.log(JSON.stringify({ ...report, failures: report.failures.length }));
  console.log(
    `${Math.round((report.records.added / report.durationMs) * 1000)} records/s, file ${Math.round(statSync(path).size / 1e6)} MB`,
  );
  await timed("unchanged", () => runIndex(deps));

  const all = new Map<string, SourceRecord>();
  for (const record of store.records.all()) all.set(record.id, record);
  const again = { ...deps, sources: [{ ...memorySource("world", all), pull: memorySource("world", all, 500).pull }] };
  await timed("unchanged, every record pulled", () => runIndex(again));
  const some = [...all.values()].find(({ kind }) => kind === "ticket" || kind === "issue");
  if (some !== undefined) all.set(some.id, { ...some, body: `Edited. ${some.body}`, proseEnd: some.proseEnd + 8 });
  const edited = await timed("one edited", () => runIndex(again));
  console.log(JSON.stringify(edited.report.extraction));
  await timed("load", () => loadGraph({ ...deps, graph: new KnowledgeGraph() }));
  const verify = verifyIndex({ ...deps, newGraph: () => new KnowledgeGraph() }, { deep: true, signal: new AbortController().signal });
  await timed("verify --deep", async () => {
    for (let step = await verify.next(); ; step = await verify.next()) {
      if (!step.done) continue;
      console.log(`${step.value.length} problems`, step.value.slice(0, 5));
      return;
    }
  });
}

// synthetic: 20,000 records with 5 facts each
using big = openStore(join(folder, "big.db"));
const RECORDS = 20_000;
{
  using tx = big.begin();
  for (let n = 0; n < RECORDS; n += 1) {
    const record = page(String(n), `page ${n}`, `svc-${n % 3000} depends on others.`);
    big.records.put(record, null, "big", "run", NOW);
    big.extractions.declare(record.id, "1", [], NOW);
    const span = { record: record.id, start: 0, end: 10 };
    const facts = [1, 2, 3, 4, 5].map((k) => ({
      source: `service:svc-${n % 3000}` as NodeId,
      kind: "depends_on" as const,
      target: `service:svc-${(n * k + k * 17 + Math.floor(n / 3000)) % 3000}` as NodeId,
      span,
      rule: "bench",
      tier: 1 as const,
      confidence: 0.9,
      at: NOW,
    }));
    const extraction: Extraction = { record: record.id, facts, nodes: [], tier: 1, tierReason: "bench" };
    big.extractions.replace(record.id, "k", "1", extraction, NOW);
  }
  tx.commit();
}
const graph = new KnowledgeGraph();
await timed(`load ${RECORDS * 5} facts`, () => loadGraph({ ...indexDeps(big, []), graph }));
console.log(graph.size);
rmSync(folder, { recursive: true, force: true });
