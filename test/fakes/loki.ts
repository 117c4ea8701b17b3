import { FakeServer, json, type Reply, type Seen } from "./server.ts";

export interface FakeLine {
  readonly labels: Readonly<Record<string, string>>;
  /** Nanoseconds since 1970. */
  readonly ns: bigint;
  readonly text: string;
}

/**
 * Grafana Loki's query_range, after grafana.com/docs/loki/latest/reference/loki-http-api: the earliest lines of a time
 * range over all streams, start included and end not, grouped by stream; plain text errors; tenants by a header.
 */
export class FakeLoki extends FakeServer {
  lines: FakeLine[] = [];
  tenant: string | null = null;
  mostLines = 5_000;

  add(text: string, ms: number, labels: Readonly<Record<string, string>> = { service_name: "cart", pod: "cart-7d9f8b6c5-x2x9p" }): void {
    this.lines.push({ labels, ns: BigInt(ms) * 1_000_000n, text });
  }

  protected answer({ path, query, headers }: Seen): Reply | null {
    if (path !== "/loki/api/v1/query_range") return null;
    if (this.tenant !== null && headers["x-scope-orgid"] !== this.tenant) return { status: 401, headers: plain, body: "no org id\n" };
    const limit = Number(query.get("limit") ?? 100);
    if (limit > this.mostLines) {
      const body = `max entries limit per query exceeded, limit > max_entries_limit_per_query (${limit} > ${this.mostLines})\n`;
      return { status: 400, headers: plain, body };
    }
    if (/rate\(/.test(query.get("query") ?? "")) return json({ status: "success", data: { resultType: "matrix", result: [] } });
    if (!/^\{.*\}/.test(query.get("query") ?? ""))
      return { status: 400, headers: plain, body: "parse error at line 1, col 1: syntax error\n" };
    const [start, end] = [BigInt(query.get("start") ?? 0), BigInt(query.get("end") ?? 0)];
    const found = this.lines.filter(({ ns }) => ns >= start && ns < end).sort((a, b) => Number(a.ns - b.ns));
    if (query.get("direction") !== "forward") found.reverse();
    const streams = new Map<string, { stream: object; values: [string, string][] }>();
    for (const { labels, ns, text } of found.slice(0, limit)) {
      const key = JSON.stringify(labels);
      const stream = streams.get(key) ?? { stream: labels, values: [] };
      stream.values.push([String(ns), text]);
      streams.set(key, stream);
    }
    return json({ status: "success", data: { resultType: "streams", result: [...streams.values()], stats: {} } });
  }
}

const plain = { "content-type": "text/plain; charset=utf-8" };
