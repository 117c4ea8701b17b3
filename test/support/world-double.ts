import type { EdgeKind, NodeAttributes, NodeId } from "../../src/core/fact.ts";
import type { GraphEdge, GraphNode } from "../../src/core/graph.ts";
import type { RecordFields, RecordId, RecordKind, SourceKind, SourceRecord } from "../../src/core/record.ts";

/** A small made-up shop at two in the morning, with some names that are hard to put into a link. */
export const NOW = "2026-03-12T02:10:00.000Z";
const SHA = "a3f8c2d94be17f60a5c38e21b7d4096f3ac1e58b";

function record(
  id: RecordId,
  source: SourceKind,
  kind: RecordKind,
  title: string,
  rest: string,
  at: string,
  fields: RecordFields = {},
): SourceRecord {
  const body = `${title}\n\n${rest}`;
  const url = source === "documents" || source === "logs" ? null : `https://example.com/${source}/${encodeURIComponent(id)}`;
  return {
    id,
    source,
    kind,
    title,
    url,
    author: { name: "Meera Iyer" },
    bot: false,
    createdAt: at,
    updatedAt: at,
    body,
    proseEnd: body.length,
    fields,
  };
}

export const recordsOfWorld: readonly SourceRecord[] = [
  record(
    "jira:JR-441",
    "jira",
    "ticket",
    "JR-441 affects checkout-api. About 30 % of the orders fail since 01:20 UTC.",
    "Caused by a3f8c2 (one connection per request): Redis refuses new clients.\n\nPayments is healthy.",
    "2026-03-12T01:32:00.000Z",
  ),
  record(
    `github:commit:${SHA}`,
    "github",
    "commit",
    "checkout-api: open one Redis connection per request (#88)",
    "Replaces the shared pool. Files: services/checkout-api/src/session.ts",
    "2026-03-11T22:40:00.000Z",
  ),
  record(
    "confluence:4101",
    "confluence",
    "page",
    "checkout-api depends on redis for sessions and on payments for charges.",
    "The owner of checkout-api is Rahul Sharma. Redis handles session caching with a 30-minute TTL.\n\nWhen the primary is lost, the replica takes over within 20 seconds.",
    "2025-11-03T08:00:00.000Z",
  ),
  record(
    "jira:JR-666",
    "jira",
    "ticket",
    '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1">',
    "A title that is markup must be shown, not run.",
    "2026-03-01T08:00:00.000Z",
  ),
  record(
    "jira:JR-398",
    "jira",
    "ticket",
    "Sessions lost: Redis out of memory",
    "redis evicted sessions. Fixed by c4d2aa1.",
    "2026-01-20T10:00:00.000Z",
  ),
];

function node(id: NodeId, label: string, attributes: NodeAttributes = {}, aliases: readonly string[] = []): GraphNode {
  const kind = id.slice(0, id.indexOf(":")) as GraphNode["kind"];
  return { id, kind, label, aliases, attributes, spans: [] };
}

export const nodesOfWorld: readonly GraphNode[] = [
  node("service:checkout-api", "checkout-api", {}, ["checkout", "checkoutservice"]),
  node("service:redis", "redis"),
  node("service:payments", "payments"),
  node("service:bank-gateway", "bank-gateway"),
  node("service:tim's #2a", "tim's #2a"),
  node("service:a/b", "a/b"),
  node("service:a&b=c", "a&b=c"),
  node("service:%", "%"),
  node("service:<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
  node("engineer:rahul-sharma", "Rahul Sharma"),
  node("engineer:meera-iyer", "Meera Iyer"),
  node("engineer:jonas-keller", "Jonas Keller"),
  node("ticket:JR-441", "JR-441 checkout-api returns 503 at peak", {
    open: true,
    status: "In Progress",
    severity: "SEV-1",
    at: "2026-03-12T01:32:00.000Z",
    url: "https://example.com/jira/JR-441",
  }),
  node("ticket:JR-398", "JR-398 Sessions lost: Redis out of memory", {
    open: false,
    ticketType: "Incident",
    status: "Done",
    at: "2026-01-20T10:00:00.000Z",
    resolvedAt: "2026-01-20T16:30:00.000Z",
  }),
  node(`commit:${SHA}`, "a3f8c2d open one Redis connection per request", {
    at: "2026-03-11T22:40:00.000Z",
    author: "engineer:rahul-sharma",
    url: "https://example.com/commit/a3f8c2",
  }),
  node("commit:c4d2aa1f07b36e985d41c2f8a96be073d5148ea2", "c4d2aa1 raise maxmemory to 2gb", {
    at: "2026-01-20T16:05:00.000Z",
    author: "engineer:jonas-keller",
  }),
];

function edge(source: NodeId, kind: EdgeKind, target: NodeId, from: RecordId, at: string, validTo: string | null = null): GraphEdge {
  const body = recordsOfWorld.find((one) => one.id === from)?.body ?? "";
  const evidence = [
    {
      span: { record: from, start: 0, end: Math.min(60, body.length) },
      rule: "phrase",
      tier: 1,
      confidence: 0.9,
      at,
      ends: false,
      authority: 1,
    },
  ] as const;
  return { id: `${source}|${kind}|${target}`, source, target, kind, confidence: 0.9, evidence, validFrom: at, validTo };
}

export const edgesOfWorld: readonly GraphEdge[] = [
  edge("engineer:rahul-sharma", "owns", "service:checkout-api", "confluence:4101", "2025-11-03T08:00:00.000Z"),
  edge("engineer:meera-iyer", "owns", "service:checkout-api", "confluence:4101", "2024-05-01T08:00:00.000Z", "2025-11-03T08:00:00.000Z"),
  edge("engineer:meera-iyer", "owns", "service:payments", "confluence:4101", "2025-01-01T08:00:00.000Z"),
  edge("engineer:jonas-keller", "owns", "service:redis", "confluence:4101", "2025-01-01T08:00:00.000Z"),
  edge("ticket:JR-441", "affects", "service:checkout-api", "jira:JR-441", "2026-03-12T01:32:00.000Z"),
  edge("ticket:JR-441", "caused_by", `commit:${SHA}`, "jira:JR-441", "2026-03-12T01:32:00.000Z"),
  edge("ticket:JR-398", "affects", "service:redis", "jira:JR-398", "2026-01-20T10:00:00.000Z", "2026-01-20T16:30:00.000Z"),
  edge("commit:c4d2aa1f07b36e985d41c2f8a96be073d5148ea2", "fixes", "ticket:JR-398", "jira:JR-398", "2026-01-20T16:30:00.000Z"),
  edge(`commit:${SHA}`, "modified", "service:checkout-api", `github:commit:${SHA}`, "2026-03-11T22:40:00.000Z"),
  edge("commit:c4d2aa1f07b36e985d41c2f8a96be073d5148ea2", "modified", "service:redis", "jira:JR-398", "2026-01-20T16:05:00.000Z"),
  edge("service:checkout-api", "depends_on", "service:redis", "confluence:4101", "2025-11-03T08:00:00.000Z"),
  edge("service:checkout-api", "depends_on", "service:payments", "confluence:4101", "2025-11-03T08:00:00.000Z"),
  edge("service:payments", "depends_on", "service:bank-gateway", "confluence:4101", "2025-11-03T08:00:00.000Z"),
];
