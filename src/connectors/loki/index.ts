import { z } from "zod";
import { defineConnector, type Io } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import { pullQueried, type QueriedLine, queriedOptions } from "../logs/queried.ts";
import { authorizationOf } from "../shared/authorization.ts";
import { BaseUrl } from "../shared/base-url.ts";
import { checked } from "../shared/checked.ts";
import type { Answered } from "../shared/http-errors.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { Transport } from "../shared/transport.ts";

const NS_PER_MS = 1_000_000n;

const LokiConfig = z
  .strictObject({
    kind: z.literal("loki"),
    baseUrl: BaseUrl.describe("The address before /loki/api/v1, https://logs.acme.example."),
    query: z.string().min(2).describe('A LogQL log query: a selector, and filters if wanted, {namespace="shop"} != "healthz".'),
    tenant: z.string().min(1).optional().describe("Sent as X-Scope-OrgID, where Loki serves several tenants."),
    user: z.string().min(1).optional().describe("With a token, the user of basic authentication, as Grafana Cloud has it."),
    token: z.string().min(1).optional().describe("A bearer token, or with user the password."),
    serviceLabels: z
      .array(z.string().min(1))
      .min(1)
      .default(["service_name", "service", "app", "app_kubernetes_io_name", "container", "job"])
      .describe("Labels that name the service, the first that is there."),
    podLabels: z.array(z.string().min(1)).default(["pod", "pod_name", "k8s_pod_name", "instance"]).describe("Labels that name the pod."),
    pageLines: z.int().min(10).max(50_000).default(5_000).describe("Lines in one answer; Loki's own limit is 5000 unless raised."),
    ...queriedOptions,
  })
  .describe("Log lines from Grafana Loki");
type LokiConfig = z.infer<typeof LokiConfig>;

const Reply = z.object({
  data: z.object({
    resultType: z.literal("streams"),
    result: z.array(
      z.object({
        stream: z.record(z.string(), z.string()),
        // [nanoseconds, line], and from Loki 3 on an object of structured metadata
        values: z.array(z.array(z.unknown()).min(2)),
      }),
    ),
  }),
});

/** Log lines that Grafana Loki keeps, asked for forwards in time. */
export const loki = defineConnector<LokiConfig>({
  kind: "loki",
  config: LokiConfig,
  label: ({ baseUrl, tenant, query }) => `loki ${baseUrl}${tenant === undefined ? "" : ` ${tenant}`} ${query}`,

  pull(config, io, since) {
    const transport = transportOf(config, io);
    const { query, tenant, level, timezone, windowHours, serviceLabels } = config;
    return pullQueried(
      {
        source: "loki",
        config,
        scope: JSON.stringify([query, tenant ?? null, level ?? null, timezone, windowHours, serviceLabels]),
        io,
        now: () => transport.now(),
        pages: (from, until) => pages(config, transport, from, until),
      },
      since,
    );
  },

  async check(config, io) {
    const transport = transportOf(config, io, 1);
    const until = BigInt(transport.now().getTime()) * NS_PER_MS;
    return [
      await checked(`loki ${config.baseUrl}`, async () => {
        const lines = await ask(config, transport, until - 3_600_000n * NS_PER_MS, until, 1);
        return lines.length > 0 ? "readable" : "readable, no line of the last hour fits the query";
      }),
    ];
  },
});

/** Forwards, each page from the nanosecond on at which the one before it ended: lines of one nanosecond may be cut apart. */
async function* pages(config: LokiConfig, transport: Transport, from: number, until: number): AsyncGenerator<readonly QueriedLine[]> {
  const end = BigInt(Math.ceil(until)) * NS_PER_MS;
  for (let start = BigInt(Math.floor(from)) * NS_PER_MS; start < end; ) {
    const lines = await ask(config, transport, start, end, config.pageLines);
    yield lines;
    if (lines.length < config.pageLines) return;
    const last = lines.at(-1)?.ns ?? start;
    // a page of a single nanosecond cannot be followed by what it left out
    start = last > start ? last : start + 1n;
  }
}

async function ask(config: LokiConfig, transport: Transport, start: bigint, end: bigint, limit: number) {
  const query = new URLSearchParams({
    query: config.query,
    start: String(start),
    end: String(end),
    limit: String(limit),
    direction: "forward",
  });
  const reply = Reply.safeParse(await transport.json(`${config.baseUrl}/loki/api/v1/query_range?${query}`));
  if (!reply.success) {
    throw new ContextError("SOURCE_BAD_REPLY", `Loki's answer is no list of log lines: ${issuesOf(reply.error)}`, {
      remedy: "Use a log query: a selector with filters, without functions such as rate or count_over_time.",
    });
  }
  const lines: (QueriedLine & { readonly ns: bigint })[] = [];
  for (const { stream, values } of reply.data.data.result) {
    const name = JSON.stringify(Object.entries(stream).sort());
    const [service, pod] = [firstOf(stream, config.serviceLabels), firstOf(stream, config.podLabels)];
    const level = stream.level ?? stream.detected_level ?? stream.severity ?? null;
    for (const [at, text] of values) {
      if (typeof at !== "string" || typeof text !== "string" || !/^\d{1,20}$/.test(at)) continue;
      const ns = BigInt(at);
      lines.push({ id: `${at} ${name} ${text}`, ms: Number(ns / NS_PER_MS), ns, stream: name, service, pod, level, text });
    }
  }
  return lines.sort((a, b) => (a.ns < b.ns ? -1 : a.ns > b.ns ? 1 : 0));
}

function firstOf(labels: Readonly<Record<string, string>>, names: readonly string[]): string | null {
  for (const name of names) if (labels[name]) return labels[name];
  return null;
}

function transportOf(config: LokiConfig, io: Io, tries?: number): Transport {
  const { user, token, tenant } = config;
  return new Transport({
    io,
    product: "Loki",
    baseUrl: config.baseUrl,
    headers: {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: authorizationOf(user, token) }),
      ...(tenant === undefined ? {} : { "x-scope-orgid": tenant }),
    },
    limits: { ...config, concurrency: 1 },
    explain,
    ...(tries === undefined ? {} : { tries }),
  });
}

function explain({ status, text }: Answered): { readonly remedy: string } | null {
  if (status === 401 && /no org id/i.test(text)) return { remedy: "Set tenant in the manifest: this Loki serves several." };
  if (status === 401 || status === 403) return { remedy: "Check token and user; the token needs the right to read logs (logs:read)." };
  if (status === 400 && /max entries limit/i.test(text)) return { remedy: "Lower pageLines in the manifest to the limit that Loki names." };
  if (status === 400) return { remedy: "Correct the query, or lower windowHours, in the manifest." };
  return null;
}
