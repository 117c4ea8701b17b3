import { z } from "zod";
import { defineConnector, type Io } from "../../core/connector.ts";
import { ContextError } from "../../core/errors.ts";
import { pullQueried, type QueriedLine, queriedOptions } from "../logs/queried.ts";
import { type Fields, statedIn } from "../logs/roles.ts";
import { authorizationOf } from "../shared/authorization.ts";
import { BaseUrl } from "../shared/base-url.ts";
import { checked } from "../shared/checked.ts";
import type { Answered } from "../shared/http-errors.ts";
import { issuesOf } from "../shared/jsonl.ts";
import { Transport } from "../shared/transport.ts";

/** How long the store keeps a scroll between two of its pages, which are written to the index meanwhile. */
const KEEP = "5m";

const OpensearchConfig = z
  .strictObject({
    kind: z.literal("opensearch"),
    baseUrl: BaseUrl.describe("The cluster, https://search.acme.example:9200."),
    index: z
      .string()
      .regex(/^[a-z0-9_.*,:-]+$/, "must be index names, aliases or patterns, joined by commas")
      .describe("Indices, aliases or patterns: logs-*."),
    query: z
      .string()
      .min(1)
      .optional()
      .describe('A filter in query string syntax: kubernetes.namespace: "shop" AND NOT url.path: "/healthz".'),
    timeField: z.string().min(1).default("@timestamp").describe("The field with the time of an entry."),
    apiKey: z.string().min(1).optional().describe("An API key of Elasticsearch, as id:key in base64."),
    user: z.string().min(1).optional().describe("The user of basic authentication; token is the password."),
    token: z.string().min(1).optional().describe("A bearer token, or with user the password."),
    pageLines: z.int().min(10).max(10_000).default(2_000).describe("Entries in one answer; an index allows 10000 unless raised."),
    ...queriedOptions,
  })
  .describe("Log entries from OpenSearch or Elasticsearch");
type OpensearchConfig = z.infer<typeof OpensearchConfig>;

const Hit = z.object({
  _index: z.string(),
  _id: z.string(),
  _source: z.record(z.string(), z.unknown()),
  sort: z.array(z.union([z.number(), z.string()])).min(1),
});
const Page = z.object({
  _scroll_id: z.string().optional(),
  timed_out: z.boolean().optional(),
  _shards: z.object({ failed: z.number() }).optional(),
  hits: z.object({ hits: z.array(z.unknown()) }),
});
type Page = z.infer<typeof Page>;

/**
 * Log entries that OpenSearch or Elasticsearch keeps, by scroll: both have it, it needs no field that tells entries of
 * one time apart, as search_after does, and shows the index as it was when it began.
 */
export const opensearch = defineConnector<OpensearchConfig>({
  kind: "opensearch",
  config: OpensearchConfig,
  label: ({ baseUrl, index, query }) => `opensearch ${baseUrl} ${index}${query === undefined ? "" : ` ${query}`}`,

  pull(config, io, since) {
    const transport = transportOf(config, io);
    const { index, query, timeField, level, timezone, windowHours } = config;
    return pullQueried(
      {
        source: "opensearch",
        config,
        scope: JSON.stringify([index, query ?? null, timeField, level ?? null, timezone, windowHours]),
        io,
        now: () => transport.now(),
        pages: (from, until) => pages(config, transport, from, until),
      },
      since,
    );
  },

  async check(config, io) {
    return [
      await checked(`opensearch ${config.baseUrl} ${config.index}`, async () => {
        const transport = transportOf(config, io, 1);
        const until = transport.now().getTime();
        const { hits } = await search(config, transport, { ...bodyOf(config, until - 3_600_000, until), size: 1 }, "");
        return hits.hits.length > 0 ? "readable" : "readable, no entry of the last hour fits";
      }),
    ];
  },
});

async function* pages(config: OpensearchConfig, transport: Transport, from: number, until: number): AsyncGenerator<readonly QueriedLine[]> {
  const body = { ...bodyOf(config, from, until), size: config.pageLines };
  let page = await search(config, transport, body, `&scroll=${KEEP}`);
  let id = page._scroll_id;
  try {
    for (;;) {
      yield page.hits.hits.flatMap((hit) => lineOf(hit) ?? []);
      if (page.hits.hits.length < config.pageLines || id === undefined) return;
      page = shaped(await transport.json(`${config.baseUrl}/_search/scroll`, post({ scroll: KEEP, scroll_id: id })));
      id = page._scroll_id ?? id;
    }
  } finally {
    // what is not given back ends by itself after a while: no reason to fail
    if (id !== undefined)
      await transport.json(`${config.baseUrl}/_search/scroll`, { ...post({ scroll_id: [id] }), method: "DELETE" }).catch(() => {});
  }
}

/** Sorted by time alone a scroll loses entries of one time at the ends of its pages (OpenSearch 2.19.6: half of 12,000). */
function bodyOf({ query, timeField }: OpensearchConfig, from: number, until: number): object {
  const range = { [timeField]: { gte: Math.floor(from), lt: Math.ceil(until), format: "epoch_millis" } };
  const filter = [{ range }, ...(query === undefined ? [] : [{ query_string: { query, default_field: "message" } }])];
  return { query: { bool: { filter } }, sort: [{ [timeField]: { order: "asc" } }, "_doc"] };
}

async function search(config: OpensearchConfig, transport: Transport, body: object, more: string): Promise<Page> {
  const path = `${config.baseUrl}/${config.index}/_search?allow_partial_search_results=false${more}`;
  return shaped(await transport.json(path, post(body)));
}

function shaped(payload: unknown): Page {
  const page = Page.safeParse(payload);
  if (!page.success) throw new ContextError("SOURCE_BAD_REPLY", `OpenSearch's answer has not the expected shape: ${issuesOf(page.error)}`);
  // part of an index is not the index: what is missing would never be asked for again
  if (page.data.timed_out || (page.data._shards?.failed ?? 0) > 0)
    throw new ContextError("SOURCE_UNAVAILABLE", "OpenSearch answered for a part of its shards only.");
  return page.data;
}

/** A document as a log line: as JSON where it states its level, else its message, which may state one itself. */
function lineOf(payload: unknown): QueriedLine | null {
  const hit = Hit.safeParse(payload);
  if (!hit.success) return null;
  const { _index, _id, _source, sort } = hit.data;
  const at = Number(sort[0]);
  // a field with nanoseconds sorts by them
  const ms = at > 1e15 ? Math.floor(at / 1e6) : at;
  const { service, pod, level, message } = statedIn(_source as Fields, { zone: "UTC", reference: new Date(ms) });
  const text = level === null && message !== null ? message : JSON.stringify(_source);
  return { id: `${_index}/${_id}`, ms, stream: JSON.stringify([service, pod]), service, pod, level, text };
}

function post(body: object): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function transportOf(config: OpensearchConfig, io: Io, tries?: number): Transport {
  const { apiKey, user, token } = config;
  const authorization = apiKey !== undefined ? `ApiKey ${apiKey}` : token === undefined ? null : authorizationOf(user, token);
  return new Transport({
    io,
    product: "OpenSearch",
    baseUrl: config.baseUrl,
    headers: { accept: "application/json", ...(authorization === null ? {} : { authorization }) },
    limits: { ...config, concurrency: 1 },
    explain,
    ...(tries === undefined ? {} : { tries }),
  });
}

function explain({ status }: Answered): { readonly remedy: string } | null {
  if (status === 401) return { remedy: "Check apiKey, or user and token, in the manifest." };
  if (status === 403) return { remedy: "Give the user or key the privilege read on the indices that the manifest names." };
  if (status === 404) return { remedy: "Check index in the manifest." };
  return status === 400 ? { remedy: "Correct query, timeField or pageLines in the manifest." } : null;
}
