// Throughput and latency over HTTP with many users at once, on the sample world and without a model:
// searches, questions that were asked before, questions that were not, and searches beside slow questions.
// usage: bench/http.ts [SECONDS a measure, 10] [USERS, 200] [SOAK MINUTES, 0]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { openApp } from "../src/app.ts";
import type { App } from "../src/core/app.ts";
import { createServer } from "../src/http/server.ts";

const [seconds = 10, users = 200, soakMinutes = 0] = process.argv.slice(2).map(Number);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const JSON_HEADERS = { "content-type": "application/json" };

interface Load {
  readonly method?: "GET" | "POST";
  readonly path: string;
  /** A new body for each request. */
  readonly body?: () => string;
  readonly connections?: number;
}

/** One measure: `users` connections that ask again as soon as they have their reply. */
async function measure(url: string, what: string, load: Load, duration = seconds): Promise<void> {
  await idle(url);
  const { path, method = "GET", body, connections = users } = load;
  const result = await autocannon({
    url: `${url}${path}`,
    connections,
    duration,
    timeout: 60,
    requests: [
      {
        method,
        path,
        headers: JSON_HEADERS,
        ...(body === undefined ? {} : { setupRequest: (request: autocannon.Request) => ({ ...request, body: body() }) }),
      },
    ],
  });
  const { latency, requests } = result;
  console.log(
    JSON.stringify({
      what,
      users: connections,
      perSecond: Math.round(requests.average),
      p50Ms: latency.p50,
      p97Ms: latency.p97_5,
      p99Ms: latency.p99,
      replies: requests.total,
      notOk: result.non2xx,
      errors: result.errors + result.timeouts,
      rssMb: Math.round(process.memoryUsage().rss / 1e6),
    }),
  );
}

/** Waits until what the measure before left behind has ended, and the models are loaded. */
async function idle(url: string): Promise<void> {
  await fetch(`${url}/api/search?q=redis`).then((reply) => reply.text());
  for (;;) {
    const text = await fetch(`${url}/metrics`).then((reply) => reply.text());
    if (/^contextd_questions_active 0$/m.test(text)) return;
  }
}

/** The app with each question slowed down, as by a model that takes its time. */
function slowed(app: App, ms: number): App {
  return new Proxy(app, {
    get(target, key) {
      if (key !== "ask") return Reflect.get(target, key, target);
      return async function* (...given: Parameters<App["ask"]>) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return yield* target.ask(...given);
      };
    },
  });
}

const folder = mkdtempSync(join(tmpdir(), "contextd-bench-"));
try {
  await using app = await openApp({
    manifest: "manifest.json",
    dataDir: folder,
    write: true,
    env: process.env,
    version: "bench",
    log: silent,
  });
  const events = app.index({ trigger: "cli", signal: new AbortController().signal });
  while (!(await events.next()).done);
  const server = createServer(app, { host: "127.0.0.1", port: 0, log: silent, version: "bench", limits: { maxWaitMs: 60_000 } });
  const { url } = await server.start();
  let n = 0;
  const words = ["redis failover", "checkout 503", "payments bank", "session cache", "JR-441", "who is on call"];
  const fresh = (): string => {
    n += 1;
    // another instant makes another question: the answer cache must not help
    return JSON.stringify({ question: "Why is checkout broken?", now: new Date(Date.UTC(2026, 2, 12, 2, 10, 0, 0) + n).toISOString() });
  };
  const search: Load = { path: `/api/search?q=${encodeURIComponent(words[0] ?? "")}&k=5` };
  await measure(url, "health check", { path: "/healthz" });
  await measure(url, "search", search);
  await measure(url, "question asked before", {
    path: "/api/ask",
    method: "POST",
    body: () => JSON.stringify({ question: "Why is checkout broken?" }),
  });
  await measure(url, "question not asked before", { path: "/api/ask", method: "POST", body: fresh });
  await measure(url, "search, 10 users", { ...search, connections: 10 });
  await server.stop();

  const slow = createServer(slowed(app, 2_000), {
    host: "127.0.0.1",
    port: 0,
    log: silent,
    version: "bench",
    limits: { maxWaitMs: 60_000 },
  });
  const { url: slowUrl } = await slow.start();
  await Promise.all([
    measure(slowUrl, "slow question (2 s)", { path: "/api/ask", method: "POST", body: fresh, connections: 20 }),
    measure(slowUrl, "search beside slow questions, 10 users", { ...search, connections: 10 }),
  ]);
  for (let minute = 0; minute < soakMinutes; minute += 1) {
    globalThis.gc?.();
    const word = words[minute % words.length] ?? "";
    await measure(slowUrl, `soak, minute ${minute + 1}`, { path: `/api/search?q=${encodeURIComponent(word)}` }, 60);
  }
  await slow.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
