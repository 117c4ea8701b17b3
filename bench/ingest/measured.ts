import { setTimeout as wait } from "node:timers/promises";
import type { IndexEvent, IndexReport } from "../../src/core/app.ts";

/** What one run took; printed as JSON by the process that made it. */
export interface Ingested {
  readonly records: Readonly<Record<string, number>>;
  readonly chunks: Readonly<Record<string, number>>;
  readonly failures: number;
  readonly seconds: number;
  /** User and system time of this process; the parsers' own is besides. */
  readonly cpuSeconds: number;
  readonly startMb: number;
  readonly peakMb: number;
  /** The most resident memory until each tenth of the wall time. */
  readonly rssMb: readonly number[];
  /** Wall seconds by the stage that ended with them. */
  readonly stages: Readonly<Record<string, number>>;
}

const MB = 2 ** 20;

/**
 * Follows a run to its end, or kills this process when a stage has shown its nth batch.
 * @param killAt "embed:3"; empty: never
 */
export async function measured(events: AsyncGenerator<IndexEvent, IndexReport>, killAt: string): Promise<Ingested> {
  const [before, startMb] = [process.cpuUsage(), process.memoryUsage().rss / MB];
  const started = performance.now();
  const rss: number[] = [];
  const stages: Record<string, number> = {};
  const [deadly, batch = "1"] = killAt.split(":");
  let left = Number(batch);
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      rss.push(Math.max(rss.at(-1) ?? 0, process.memoryUsage().rss / MB));
      await wait(200, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  })();
  let since = started;
  let step = await events.next();
  for (; !step.done; step = await events.next()) {
    const stage = step.value.type === "progress" ? step.value.stage : "pull";
    if (stage === deadly) {
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
    }
    stages[stage] = (stages[stage] ?? 0) + (performance.now() - since) / 1000;
    since = performance.now();
  }
  stop.abort();
  await watching;
  const { user, system } = process.cpuUsage(before);
  const { records, chunks, failures } = step.value;
  return {
    records: { ...records },
    chunks: { ...chunks },
    failures: failures.length,
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: (user + system) / 1e6,
    startMb,
    peakMb: process.resourceUsage().maxRSS / 1024,
    rssMb: Array.from({ length: 10 }, (_, i) => Math.round(rss[Math.floor(((i + 1) * rss.length) / 10) - 1] ?? startMb)),
    stages,
  };
}
