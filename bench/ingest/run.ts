/** One ingest in a process of its own, so that it can be killed and its memory be told apart: `run.ts MANIFEST DATA_DIR`. */
import { setTimeout as wait } from "node:timers/promises";
import { openApp } from "../../src/app.ts";
import { silent } from "../../src/core/connector.ts";

export interface Ingested {
  readonly records: Readonly<Record<string, number>>;
  readonly chunks: Readonly<Record<string, number>>;
  readonly failures: number;
  readonly seconds: number;
  /** User and system time of this process; the parsers' own is besides. */
  readonly cpuSeconds: number;
  readonly startMb: number;
  readonly peakMb: number;
  /** Resident memory at each tenth of the wall time. */
  readonly rssMb: readonly number[];
  /** Wall seconds by the stage that ended with them. */
  readonly stages: Readonly<Record<string, number>>;
}

const [manifest = "", dataDir = ""] = process.argv.slice(2);
const started = performance.now();
{
  await using app = await openApp({ manifest, dataDir, write: true, env: {}, version: "bench", log: silent });
  // the model is loaded before memory is looked at
  const startMb = process.memoryUsage().rss / 2 ** 20;
  const rss: number[] = [];
  const stages: Record<string, number> = {};
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      rss.push(process.memoryUsage().rss / 2 ** 20);
      await wait(200, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  })();
  const events = app.index({ signal: stop.signal });
  let step = await events.next();
  let since = performance.now();
  for (; !step.done; step = await events.next()) {
    const stage = step.value.type === "progress" ? step.value.stage : "pull";
    stages[stage] = (stages[stage] ?? 0) + (performance.now() - since) / 1000;
    since = performance.now();
  }
  stop.abort();
  await watching;
  const { user, system } = process.cpuUsage();
  const { records, chunks, failures } = step.value;
  const result: Ingested = {
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
  console.log(JSON.stringify(result));
}
