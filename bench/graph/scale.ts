/**
 * The graph at size: fold of stored extractions, one changed record, two-hop expansion, memory.
 * `node bench/graph/scale.ts [edges…]`; run with --expose-gc for the memory column.
 * Shape: services are hubs (Zipf), each ticket affects one, is caused by a commit, each commit modifies one; 10 % dependencies.
 */
import type { Extraction, Fact, NodeId } from "../../src/core/fact.ts";
import type { RecordId } from "../../src/core/record.ts";
import { KnowledgeGraph } from "../../src/graph/knowledge-graph.ts";

const sizes = process.argv.slice(2).map(Number);

for (const edges of sizes.length === 0 ? [100_000, 1_000_000] : sizes) measure(edges);

function measure(edges: number): void {
  const changes = world(edges);
  const before = memory();
  const graph = new KnowledgeGraph();
  const started = performance.now();
  graph.apply(changes);
  const loaded = performance.now() - started;
  const services = Math.max(50, Math.floor(edges / 200));

  const first = timed(() => graph.expand([`service:s${services >> 1}`]));
  const random = randomOf(7);
  const expansions: number[] = [];
  for (let index = 0; index < 400; index += 1) {
    const start: NodeId =
      index % 2 === 0 ? `service:s${Math.floor(random() * services)}` : `ticket:T-${Math.floor(random() * (edges / 3))}`;
    expansions.push(timed(() => graph.expand([start])));
  }
  const hub = timed(() => graph.expand(["service:s0"]));
  const updates: number[] = [];
  for (let index = 0; index < 200; index += 1) {
    const change = changes[Math.floor(random() * changes.length)];
    if (change !== undefined) updates.push(timed(() => graph.apply([{ record: change.record, extraction: null }, change])));
  }
  const held = memory() - before;
  console.log(
    [
      `${edges.toLocaleString("en")} edges (${graph.size.edges.toLocaleString("en")} distinct, ${graph.size.nodes.toLocaleString("en")} nodes)`,
      `load ${Math.round(loaded)} ms`,
      `first expansion ${first.toFixed(1)} ms`,
      `expansion p50 ${quantile(expansions, 0.5).toFixed(2)} p95 ${quantile(expansions, 0.95).toFixed(2)} ms`,
      `largest hub ${hub.toFixed(1)} ms`,
      `update p50 ${quantile(updates, 0.5).toFixed(3)} p95 ${quantile(updates, 0.95).toFixed(3)} ms`,
      `memory beyond the extractions ${Math.round(held / edges)} B an edge`,
    ].join(" · "),
  );
}

function world(edges: number): { record: RecordId; extraction: Extraction }[] {
  const random = randomOf(1);
  const services = Math.max(50, Math.floor(edges / 200));
  const service = (): NodeId => `service:s${Math.floor(services * random() ** 3)}`;
  const changes: { record: RecordId; extraction: Extraction }[] = [];
  const put = (
    record: RecordId,
    node: NodeId,
    facts: readonly Omit<Fact, "span" | "rule" | "tier" | "confidence" | "at">[],
    index: number,
  ): void => {
    const at = new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString();
    changes.push({
      record,
      extraction: {
        record,
        facts: facts.map((fact) => ({ ...fact, span: { record, start: 0, end: 10 }, rule: "bench", tier: 1, confidence: 0.9, at })),
        nodes: [{ node, span: { record, start: 0, end: 10 }, at, attributes: { label: `node ${index}`, at, open: index % 5 === 0 } }],
        tier: 1,
        tierReason: "bench",
      },
    });
  };
  for (let index = 0, made = 0; made < edges; index += 1) {
    const sha = (Math.imul(index + 1, 2654435761) >>> 0).toString(16).padStart(8, "0") + index.toString(16).padStart(32, "0");
    const commit: NodeId = `commit:${sha}`;
    const ticket: NodeId = `ticket:T-${index}`;
    const target = service();
    put(`github:commit:${sha}`, commit, [{ source: commit, kind: "modified", target }], index);
    put(
      `jira:T-${index}`,
      ticket,
      [
        { source: ticket, kind: "affects", target },
        { source: ticket, kind: "caused_by", target: commit },
        ...(index % 3 === 0 ? [{ source: service(), kind: "depends_on" as const, target }] : []),
      ],
      index,
    );
    made += index % 3 === 0 ? 4 : 3;
  }
  return changes;
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
