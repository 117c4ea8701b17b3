// A process of its own that starts an index run and kills itself in the middle of it:
// killed-run.ts STORE CALLS, where CALLS is how often a rule is called before the end comes.
import type { SourceRecord } from "../../src/core/record.ts";
import type { IndexSource } from "../../src/indexing/deps.ts";
import { openStore } from "../../src/store/open.ts";
import { indexDeps, page, runIndex, ticket } from "./indexing.ts";

const services = ["checkout-api", "redis-cache", "search-api", "trolley"];

/** Two states of a small world: edits, deletions, new records, a new alias. */
export function world(version: "before" | "after"): readonly SourceRecord[] {
  const records: SourceRecord[] = [];
  for (let n = 0; n < 24; n += 1) {
    if (version === "after" && n % 7 === 3) continue;
    const edited = version === "after" && n % 5 === 1;
    const [a, b] = [services[n % 4] ?? "", services[(n + (edited ? 2 : 1)) % 4] ?? ""];
    records.push(
      n % 2 === 0
        ? page(String(n), `${a} notes`, `${a} depends on ${b}. ${a} (also known as ${a}d) is owned by Rahul Sharma.`)
        : ticket(`JR-${n}`, `Slow since Monday. It affects ${b}.${edited ? " It was caused by trolleyd." : ""}`, { components: [a] }),
    );
  }
  if (version === "after")
    records.push(ticket("JR-900", "New one. This affects basket."), page("900", "redis-cache", "Basket depends on redis-cache."));
  return records;
}

export const hints = {
  before: { aliases: {}, sourcePaths: {} },
  after: { aliases: { trolley: ["basket"] }, sourcePaths: {} },
} as const;

/** Pages of five with a cursor from which it can be taken up. */
export function pagedSource(records: readonly SourceRecord[]): IndexSource {
  return {
    label: "world",
    kind: "records",
    async *pull(_io, cursor) {
      let at = cursor === null || cursor.startsWith("all") ? 0 : Number(cursor);
      for (; at < records.length; at += 5) {
        for (const record of records.slice(at, at + 5)) yield { type: "record", record, raw: { id: record.id } };
        yield { type: "checkpoint", cursor: String(at + 5) };
      }
      yield { type: "end", scan: "full", cursor: `all ${records.length}` };
    },
  };
}

if (import.meta.main) {
  const [path = "", calls = "0"] = process.argv.slice(2);
  let left = Number(calls);
  const rule = <A extends readonly unknown[], R>(work: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
      return work(...args);
    };
  };
  using store = openStore(path);
  const deps = indexDeps(store, [pagedSource(world("after"))], { hints: hints.after });
  const { declare, extract, touches, ...rest } = deps.extractor;
  await runIndex({
    ...deps,
    extractor: { ...rest, declare: rule(declare), extract: rule(extract), touches: rule(touches) },
    chunk: rule(deps.chunk),
  });
  console.log(`ended; ${Number(calls) - left} calls`);
}
