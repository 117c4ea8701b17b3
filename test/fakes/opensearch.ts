import { FakeServer, json, type Reply, type Seen } from "./server.ts";

export interface FakeDocument {
  readonly id: string;
  readonly ms: number;
  readonly source: Readonly<Record<string, unknown>>;
}

/**
 * OpenSearch's and Elasticsearch's search by scroll, after opensearch.org/docs/latest/api-reference/scroll and
 * elastic.co/guide: pages of what was there when the search began, an id a page, deletion of scrolls, errors with a reason.
 */
export class FakeOpensearch extends FakeServer {
  documents: FakeDocument[] = [];
  index = "logs-2026";
  failedShards = 0;
  /** Scrolls that were not given back. */
  readonly open = new Map<string, FakeDocument[]>();
  private scrolls = 0;

  add(ms: number, source: Readonly<Record<string, unknown>>): void {
    this.documents.push({ id: `d${this.documents.length + 1}`, ms, source: { "@timestamp": new Date(ms).toISOString(), ...source } });
  }

  protected answer({ method, path, query, body }: Seen): Reply | null {
    const asked = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
    if (path === "/_search/scroll") {
      const [id] = [asked.scroll_id].flat() as string[];
      if (method === "DELETE") return json({ succeeded: this.open.delete(id ?? ""), num_freed: 1 });
      const rest = this.open.get(id ?? "");
      if (!rest) return failed(404, "search_context_missing_exception", `No search context found for id [${id}]`);
      return this.page(rest, this.sizes.get(id ?? "") ?? 10, id ?? "");
    }
    const index = /^\/([^/]+)\/_search$/.exec(path)?.[1];
    if (method !== "POST" || index === undefined) return null;
    if (index !== "logs-*" && index !== this.index) return failed(404, "index_not_found_exception", `no such index [${index}]`);
    const { filter } = (asked.query as { bool: { filter: readonly Record<string, unknown>[] } }).bool;
    const words = filter.flatMap((one) => (one.query_string as { query: string } | undefined)?.query ?? [])[0];
    if (words?.includes("((")) return failed(400, "search_phase_execution_exception", `Failed to parse query [${words}]`);
    const { gte, lt } = ((filter[0]?.range ?? {}) as Record<string, { gte: number; lt: number }>)["@timestamp"] ?? { gte: 0, lt: 0 };
    const found = this.documents.filter(({ ms }) => ms >= gte && ms < lt).sort((a, b) => a.ms - b.ms);
    const size = Number(asked.size ?? 10);
    if (query.has("scroll") && asked.track_total_hits === false)
      return failed(400, "action_request_validation_exception", "disabling [track_total_hits] is not allowed in a scroll context");
    if (!query.has("scroll")) return this.page(found, size, null);
    const id = `scroll-${++this.scrolls}`;
    // as OpenSearch 2.19.6 does: without a second key, what has the time of a page's last entry is passed over
    if ((asked.sort as readonly unknown[]).length < 2) this.isLossy.add(id);
    this.sizes.set(id, size);
    return this.page(found, size, id);
  }

  private readonly sizes = new Map<string, number>();
  private readonly isLossy = new Set<string>();

  private page(found: readonly FakeDocument[], size: number, scroll: string | null): Reply {
    const last = scroll !== null && this.isLossy.has(scroll) ? found[size - 1]?.ms : undefined;
    if (scroll !== null)
      this.open.set(
        scroll,
        found.slice(size).filter(({ ms }) => ms !== last),
      );
    const hits = found
      .slice(0, size)
      .map(({ id, ms, source }) => ({ _index: this.index, _id: id, _score: null, _source: source, sort: [ms] }));
    const _shards = { total: 2, successful: 2 - this.failedShards, skipped: 0, failed: this.failedShards };
    return json({
      ...(scroll === null ? {} : { _scroll_id: scroll }),
      took: 1,
      timed_out: false,
      _shards,
      hits: { max_score: null, hits },
    });
  }
}

function failed(status: number, type: string, reason: string): Reply {
  return json({ error: { root_cause: [{ type, reason }], type, reason }, status }, status);
}
