import type { Extraction, Fact, NodeId } from "../../src/core/fact.ts";
import type { RecordId } from "../../src/core/record.ts";

/** Services of a world with so many edges. */
export function servicesOf(edges: number): number {
  return Math.max(50, Math.floor(edges / 200));
}

/**
 * Extractions of a made-up company until they state so many edges. Services are hubs (Zipf-like), each ticket affects one
 * and is caused by a commit, each commit modifies one; a tenth of the edges are dependencies between services.
 * graph/article.py makes the same edges.
 */
export function* world(edges: number): Generator<Extraction> {
  const random = randomOf(1);
  const services = servicesOf(edges);
  const service = (): NodeId => `service:s${Math.floor(services * random() ** 3)}`;
  for (let index = 0, made = 0; made < edges; index += 1) {
    const sha = (Math.imul(index + 1, 2654435761) >>> 0).toString(16).padStart(8, "0") + index.toString(16).padStart(32, "0");
    const commit: NodeId = `commit:${sha}`;
    const ticket: NodeId = `ticket:T-${index}`;
    const target = service();
    yield stated(`github:commit:${sha}`, commit, [{ source: commit, kind: "modified", target }], index);
    const facts: Parts[] = [
      { source: ticket, kind: "affects", target },
      { source: ticket, kind: "caused_by", target: commit },
    ];
    if (index % 3 === 0) facts.push({ source: service(), kind: "depends_on", target });
    yield stated(`jira:T-${index}`, ticket, facts, index);
    made += facts.length + 1;
  }
}

type Parts = Pick<Fact, "source" | "kind" | "target">;

function stated(record: RecordId, node: NodeId, facts: readonly Parts[], index: number): Extraction {
  const at = new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString();
  const span = { record, start: 0, end: 10 };
  return {
    record,
    facts: facts.map((fact) => ({ ...fact, span, rule: "bench", tier: 1, confidence: 0.9, at })),
    nodes: [{ node, span, at, attributes: { label: `node ${index}`, at, open: index % 5 === 0 } }],
    tier: 1,
    tierReason: "bench",
  };
}

/** Where the walks of the bench start: services and tickets in turn. */
export function startsOf(edges: number, count: number): readonly NodeId[] {
  const random = randomOf(7);
  return Array.from(
    { length: count },
    (_, index): NodeId =>
      index % 2 === 0 ? `service:s${Math.floor(random() * servicesOf(edges))}` : `ticket:T-${Math.floor((random() * edges) / 3.4)}`,
  );
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
