/**
 * npm run bench -- connectors [commits] [issues] [pages]
 * First and second pull of each source reached over the network, against its fake in a process of its own: requests,
 * records a second of wall and of CPU time, and peak memory above what the process had before. Target: 300 MB for 50,000 commits.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { ConfluenceConfig } from "../src/connectors/confluence/config.ts";
import { confluence } from "../src/connectors/confluence/index.ts";
import { GithubConfig } from "../src/connectors/github/config.ts";
import { github } from "../src/connectors/github/index.ts";
import { JiraConfig } from "../src/connectors/jira/config.ts";
import { jira } from "../src/connectors/jira/index.ts";
import { type Connector, type Io, silent } from "../src/core/connector.ts";
import { FakeConfluence } from "../test/fakes/confluence.ts";
import { FakeGithub } from "../test/fakes/github.ts";
import { FakeJira } from "../test/fakes/jira.ts";
import type { FakeServer } from "../test/fakes/server.ts";

const isServer = process.argv[2] === "serve";
const [commits = 50_000, issues = 10_000, pages = 5_000] = process.argv.slice(isServer ? 4 : 2).map(Number);

async function serve(kind: string): Promise<void> {
  const fake: FakeServer & { url: string } = kind === "github" ? new FakeGithub() : kind === "jira" ? new FakeJira() : new FakeConfluence();
  if (fake instanceof FakeGithub) fake.commit(commits);
  if (fake instanceof FakeJira) fake.add(issues);
  if (fake instanceof FakeConfluence) fake.add(pages);
  await fake.start();
  process.on("message", () => process.send?.(fake.take().length));
  process.send?.(fake.url);
}

async function measure<C>(connector: Connector<C>, count: number, configOf: (url: string) => C): Promise<void> {
  const server = fork(import.meta.filename, ["serve", connector.kind, String(commits), String(issues), String(pages)]);
  const [url] = (await once(server, "message")) as [string];
  const config = configOf(url);
  const stamps = new Map<string, string>();
  const io: Io = {
    fetch,
    signal: new AbortController().signal,
    log: silent,
    now: () => new Date(),
    root: "/",
    known: (id) => {
      const fingerprint = stamps.get(id);
      return fingerprint === undefined ? null : { fingerprint };
    },
  };
  let cursor: string | null = null;
  for (const which of ["first", "second"]) {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    let seen = 0;
    const started = performance.now();
    const cpu = process.cpuUsage();
    for await (const pulled of connector.pull(config, io, cursor)) {
      if (pulled.type === "record") stamps.set(pulled.record.id, String((pulled.raw as { fingerprint?: unknown }).fingerprint));
      if (pulled.type === "record" || pulled.type === "unchanged") seen += 1;
      if (pulled.type === "end") cursor = pulled.cursor ?? cursor;
      if (seen % 500 === 0) peak = Math.max(peak, process.memoryUsage().rss);
    }
    const seconds = (performance.now() - started) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    const cpuSeconds = (user + system) / 1e6;
    server.send("count");
    const [requests] = (await once(server, "message")) as [number];
    const mb = Math.round((peak - before) / 1_048_576);
    console.log(
      `${connector.kind.padEnd(11)} ${which.padEnd(7)} of ${count}: ${requests} requests, ${seen} met, ${seconds.toFixed(1)} s, ${Math.round(seen / seconds)} records/s (${Math.round(seen / cpuSeconds)} a CPU second), peak ${mb} MB above start`,
    );
  }
  server.kill();
}

if (isServer) {
  await serve(process.argv[3] ?? "");
} else {
  const limits = { token: "t", maxRequests: 1_000_000 };
  await measure(jira, issues, (baseUrl) => JiraConfig.parse({ kind: "jira", baseUrl, projects: ["JR"], ...limits }));
  await measure(confluence, pages, (baseUrl) => ConfluenceConfig.parse({ kind: "confluence", baseUrl, spaces: ["OPS"], ...limits }));
  await measure(github, commits, (baseUrl) => GithubConfig.parse({ kind: "github", baseUrl, repositories: ["acme/shop"], ...limits }));
}
