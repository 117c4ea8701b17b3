import type { IndexEvent, IndexOptions, IndexReport } from "../../src/core/app.ts";
import { type Pulled, silent } from "../../src/core/connector.ts";
import type { RecordId, SourceRecord } from "../../src/core/record.ts";
import { chunkRecord } from "../../src/docsearch/chunk.ts";
import type { NameBook } from "../../src/extract/names.ts";
import { createTier1 } from "../../src/extract/tier1.ts";
import { KnowledgeGraph } from "../../src/graph/knowledge-graph.ts";
import { type IndexDeps, type IndexSource, tierPrices } from "../../src/indexing/deps.ts";
import { indexRun } from "../../src/indexing/run.ts";
import type { Store } from "../../src/store/store.ts";

export const NOW = "2026-03-12T02:10:00Z";

/** A source that holds its records in memory and gives all of them at each pull. */
export function memorySource(label: string, records: ReadonlyMap<string, SourceRecord>, pageSize = 3): IndexSource {
  return {
    label,
    kind: "records",
    async *pull() {
      let n = 0;
      for (const record of records.values()) {
        yield { type: "record", record, raw: { id: record.id, title: record.title } };
        n += 1;
        if (n % pageSize === 0) yield { type: "checkpoint", cursor: "" };
      }
      yield { type: "end", scan: "full" };
    },
  };
}

/** A source that says exactly this. */
export function scripted(label: string, pull: (cursor: string | null) => Iterable<Pulled | Error>): IndexSource {
  return {
    label,
    kind: "records",
    async *pull(_io, cursor) {
      for (const one of pull(cursor)) {
        if (one instanceof Error) throw one;
        yield one;
      }
    },
  };
}

/** Everything real but the clock, the ids and the sources; no embedder unless given. */
export function indexDeps(
  store: Store,
  sources: readonly IndexSource[],
  more: Partial<IndexDeps<NameBook>> = {},
): IndexDeps<NameBook> & { readonly graph: KnowledgeGraph } {
  let ids = 0;
  let ms = 0;
  return {
    store,
    sources,
    extractor: createTier1(),
    hints: { aliases: {}, sourcePaths: {} },
    chunk: (record) => chunkRecord(record),
    chunkerVersion: "test",
    embedder: null,
    indexes: [],
    deepener: null,
    price: (tier) => tierPrices[tier],
    io: { fetch: () => Promise.reject(new Error("no network in tests")), root: "/" },
    now: () => new Date(NOW),
    clock: () => ++ms,
    newId: () => `run-${store.runs.list(1000).length + ++ids}`,
    log: silent,
    ...more,
    graph: (more.graph as KnowledgeGraph | undefined) ?? new KnowledgeGraph(),
  };
}

/** Drives a run to its end. */
export async function runIndex(
  deps: IndexDeps<NameBook>,
  options: Partial<IndexOptions> = {},
): Promise<{ readonly report: IndexReport; readonly events: readonly IndexEvent[] }> {
  const events: IndexEvent[] = [];
  const run = indexRun(deps, { signal: new AbortController().signal, ...options });
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { report: value, events };
    events.push(value);
  }
}

/** A Jira ticket as a connector makes it, small. */
export function ticket(key: string, prose: string, fields: Partial<SourceRecord["fields"]> = {}): SourceRecord {
  const components = fields.components ?? [];
  const body = components.length === 0 ? prose : `${prose}\n\nComponents: ${components.join(", ")}`;
  return {
    id: `jira:${key}`,
    source: "jira",
    kind: "ticket",
    title: `${key} ${prose.split(".")[0]}`,
    url: `https://jira.example/browse/${key}`,
    author: null,
    bot: false,
    createdAt: "2026-03-01T00:00:00Z",
    updatedAt: "2026-03-11T00:00:00Z",
    body,
    proseEnd: prose.length,
    fields: { key, status: "Open", open: true, ...fields },
  };
}

export function page(id: string, title: string, prose: string): SourceRecord {
  return {
    id: `confluence:${id}`,
    source: "confluence",
    kind: "page",
    title,
    url: null,
    author: null,
    bot: false,
    createdAt: "2026-02-01T00:00:00Z",
    updatedAt: "2026-03-10T00:00:00Z",
    body: prose,
    proseEnd: prose.length,
    fields: {},
  };
}

export function commit(sha: string, prose: string, files: readonly string[]): SourceRecord {
  const body = `${prose}\n\nFiles: ${files.join(", ")}`;
  return {
    id: `github:commit:${sha}`,
    source: "github",
    kind: "commit",
    title: prose,
    url: null,
    author: { name: "Rahul Sharma", login: "rahul" },
    bot: false,
    createdAt: "2026-03-09T00:00:00Z",
    updatedAt: "2026-03-09T00:00:00Z",
    body,
    proseEnd: prose.length,
    fields: { sha, files, repository: "acme/shop" },
  };
}

export function byId(...records: readonly SourceRecord[]): Map<string, SourceRecord> {
  return new Map(records.map((record) => [record.id, record]));
}

/** All that can be seen of an index: graph with evidence, chunks, declarations and extractions; order does not count. */
export function snapshot(store: Store, graph: KnowledgeGraph): unknown {
  const sorted = (rows: readonly unknown[]): unknown[] => rows.map((row) => JSON.stringify(row)).sort();
  const evidence = (edge: { readonly evidence: readonly unknown[] }): unknown => ({ ...edge, evidence: sorted(edge.evidence) });
  return {
    nodes: sorted([...graph.nodes()]),
    edges: sorted([...graph.edges()].map(evidence)),
    size: graph.size,
    records: sorted([...store.records.all()]),
    chunks: sorted([...store.chunks.all()]),
    extractions: sorted([...store.extractions.all()].map(({ key, declarations, extraction }) => ({ key, declarations, extraction }))),
    names: store.meta.get("names"),
  };
}

export function recordIds(store: Store): RecordId[] {
  return [...store.records.ids()];
}
