// The daemon as users meet it: a process of its own on the sample world, and many users who ask again as soon as they
// have their reply. Throughput and latency without a model, memory over a long time, and searches beside questions to a
// model that takes its time. Wall-clock figures are worth what the machine's load lets them be worth: it is printed too.
// usage: bench/http.ts [SECONDS a measure, 10; 0: only the soak] [USERS, 200] [SOAK MINUTES, 0]
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";

const [seconds = 10, users = 200, soakMinutes = 0] = process.argv.slice(2).map(Number);
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** How long the model that takes its time takes for a reply, and rounds of searches with and without it. */
const SLOW_MS = 2_000;
const ROUNDS = 5;

interface Daemon extends AsyncDisposable {
  readonly url: string;
  readonly process: ChildProcess;
}

/** A daemon on a copy of the sample world, once it is ready. */
async function daemon(env: Record<string, string> = {}): Promise<Daemon> {
  const folder = mkdtempSync(join(tmpdir(), "contextd-bench-"));
  cpSync(join(root, "manifest.json"), join(folder, "manifest.json"));
  cpSync(join(root, "data", "sample"), join(folder, "data", "sample"), { recursive: true });
  // as bin/contextd.mjs starts it on an older Node
  const child = spawn(process.execPath, ["--max-semi-space-size=16", join(root, "bin", "contextd.mjs"), "start", "--port", "0"], {
    cwd: folder,
    env: { ...process.env, CONTEXTD_LOG: "silent", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (part: Buffer) => {
      said += part.toString();
      const at = /at (http:\S+)/.exec(said)?.[1];
      if (at !== undefined && said.includes("Ready:")) resolve(at);
    });
    child.on("exit", () => reject(new Error(`the daemon ended: ${said}`)));
  });
  await fetch(`${url}/api/search?q=redis`).then((reply) => reply.text()); // models are loaded by their first use
  return {
    url,
    process: child,
    async [Symbol.asyncDispose]() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Memory of its own in MB, files that it only maps left out; and CPU seconds so far. */
function used({ process: { pid } }: Daemon): { readonly rssAnonMb: number | null; readonly cpuSeconds: number | null } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return {
      rssAnonMb: Math.round(Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024),
      cpuSeconds: (Number(ticks[11]) + Number(ticks[12])) / 100,
    };
  } catch {
    return { rssAnonMb: null, cpuSeconds: null }; // no Linux
  }
}

interface Load {
  readonly method?: "GET" | "POST";
  readonly path: () => string;
  readonly body?: () => string;
  readonly connections?: number;
  readonly duration?: number;
}

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly replies: number;
  /** Replies that are none of 2xx: 503 where too much waits. */
  readonly refused: number;
  readonly failed: number;
  /** Users that had no reply at all when the measure ended, and the longest that one was waiting then. */
  readonly neverServed: number;
  readonly longestOpenMs: number;
  /** Fewest and most replies that one user had: far apart where some are served again and again while others wait. */
  readonly repliesOfOne: readonly [least: number, most: number];
}

interface User {
  replies: number;
  /** When the request was sent that has no reply yet: the next one follows each reply at once. */
  since: number;
}

/** One measure: connections that ask again as soon as they have their reply, each time something else. */
async function measure(at: Daemon, { path, method = "GET", body, connections = users, duration = seconds }: Load): Promise<Figures> {
  const times: number[] = [];
  const all: User[] = [];
  const options: autocannon.Options = {
    url: at.url,
    connections,
    duration,
    timeout: 90,
    setupClient(client) {
      const user: User = { replies: 0, since: performance.now() };
      all.push(user);
      client.on("response", () => {
        user.replies += 1;
        user.since = performance.now();
      });
    },
    requests: [
      {
        method,
        headers: { "content-type": "application/json" },
        setupRequest: (request) => ({ ...request, path: path(), ...(body === undefined ? {} : { body: body() }) }),
      },
    ],
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error: unknown, ended) => (error == null ? resolve(ended) : reject(error)));
    run.on("response", (_client, _status, _bytes, ms) => times.push(ms));
  });
  const ended = performance.now();
  times.sort((a, b) => a - b);
  const part = (share: number): number => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN);
  return {
    perSecond: Math.round(times.length / duration),
    p50Ms: part(0.5),
    p95Ms: part(0.95),
    p99Ms: part(0.99),
    replies: times.length,
    refused: result.non2xx,
    failed: result.errors + result.timeouts,
    neverServed: all.filter(({ replies }) => replies === 0).length,
    longestOpenMs: Math.round(Math.max(0, ...all.map(({ since }) => ended - since))),
    repliesOfOne: [Math.min(...all.map(({ replies }) => replies)), Math.max(...all.map(({ replies }) => replies))],
  };
}

function tell(what: string, figures: object): void {
  console.log(JSON.stringify({ what, ...figures, load: Number((loadavg()[0] ?? 0).toFixed(1)) }));
}

/** A model that knows nothing, and takes its time. */
async function slowModel(): Promise<{ readonly url: string } & AsyncDisposable> {
  const reply = { role: "assistant", content: "I do not know." };
  const server = createServer((req, res) => {
    req.resume();
    setTimeout(() => {
      res.setHeader("content-type", "application/json");
      res.end(
        JSON.stringify({
          id: "1",
          object: "chat.completion",
          created: 0,
          model: "slow",
          choices: [{ index: 0, message: reply, finish_reason: "stop" }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      );
    }, SLOW_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const words = ["redis failover", "checkout 503", "payments bank", "session cache", "JR-441", "who is on call"];
let n = 0;
const search: Load = { path: () => `/api/search?q=${encodeURIComponent(words[n++ % words.length] ?? "")}&k=5` };
const questionAt = (now: Date): string => JSON.stringify({ question: "Why is checkout broken?", now: now.toISOString() });
const ask: Load = { path: () => "/api/ask", method: "POST" };
// another instant makes another question: the answer cache must not help
const fresh: Load = { ...ask, body: () => questionAt(new Date(Date.UTC(2026, 2, 12, 2, 10) + n++)) };

/** Searches and questions together, without a pause; memory is told each minute, the rest at the end. */
async function soak(at: Daemon, minutes: number): Promise<void> {
  let minute = 0;
  const sampler = setInterval(() => {
    minute += 1;
    tell(`soak, minute ${minute}`, used(at));
  }, 60_000);
  const half = Math.ceil(users / 2);
  const duration = minutes * 60;
  try {
    const [searches, questions] = await Promise.all([
      measure(at, { ...search, connections: half, duration }),
      measure(at, { ...fresh, connections: users - half, duration }),
    ]);
    tell(`soak, ${minutes} minutes, ${users} users`, { searches, questions, ...used(at) });
  } finally {
    clearInterval(sampler);
  }
}

{
  await using plain = await daemon();
  if (seconds > 0) {
    tell("health check", await measure(plain, { path: () => "/healthz" }));
    tell("search", await measure(plain, search));
    tell("search, 10 users", await measure(plain, { ...search, connections: 10 }));
    tell("question asked before", await measure(plain, { ...ask, body: () => questionAt(new Date(Date.UTC(2026, 2, 12, 2, 10))) }));
    tell("question not asked before", await measure(plain, fresh));
  }
  if (soakMinutes > 0) await soak(plain, soakMinutes);
}
if (seconds > 0) {
  await using model = await slowModel();
  await using slow = await daemon({ CONTEXTD_LLM_BASE_URL: model.url, OPENAI_API_KEY: "none" });
  for (let round = 1; round <= ROUNDS; round += 1) {
    tell(`round ${round}: search alone, 10 users`, await measure(slow, { ...search, connections: 10 }));
    const [questions, searches] = await Promise.all([
      measure(slow, { ...fresh, connections: 8 }),
      measure(slow, { ...search, connections: 10 }),
    ]);
    tell(`round ${round}: search beside 8 slow questions, 10 users`, { ...searches, questions });
  }
}
