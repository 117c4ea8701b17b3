import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createApp } from "../src/app.ts";
import { parseManifest } from "../src/config/manifest.ts";
import { SourceConfig } from "../src/connectors/registry.ts";
import type { Answer } from "../src/core/answer.ts";
import type { App } from "../src/core/app.ts";
import { createServer, type HttpServer } from "../src/http/server.ts";
import { openStore } from "../src/store/open.ts";

const sample = fileURLToPath(new URL("../data/sample/", import.meta.url));
const noLog = {
  debug() {},
  info() {},
  warn() {},
  error(...args: unknown[]) {
    console.error(args);
  },
};
const NOW = new Date("2026-03-12T02:10:00Z");

interface Line {
  readonly id: string;
  readonly source: string;
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly author?: string;
  readonly createdAt: string;
  readonly file?: string;
}

/** What only the group "sre" may see: it changes owners, incidents, dependencies, names and word counts of what all see. */
const hiddenLines: readonly Line[] = [
  {
    id: "jira:VLT-7",
    source: "jira",
    kind: "incident",
    title: "checkout-api loses orders while zeus-vault is sealed",
    text: "VLT-7 affects checkout-api and payments. Root cause: commit deadbeefcafe1234. Severity: critical. Status: Open.",
    author: "Mallory Stone",
    createdAt: "2026-03-12T01:30:00Z",
  },
  {
    id: "github:commit:deadbeefcafe1234deadbeefcafe1234deadbeef",
    source: "github",
    kind: "commit",
    title: "VLT-7: rotate the keys of zeus-vault",
    text: "Fixes VLT-7. Touches services/checkout-api/vault.ts and services/payments/vault.ts.",
    author: "Mallory Stone",
    createdAt: "2026-03-12T01:00:00Z",
    file: "services/checkout-api/vault.ts",
  },
  {
    id: "confluence:9901",
    source: "confluence",
    kind: "page",
    title: "zeus-vault",
    text:
      "Owner of checkout-api: Mallory Stone. Mallory Stone owns zeus-vault. checkout-api depends on zeus-vault. " +
      "Redis redis redis session caching failover runbook: the sealed keys of zeus-vault, redis and sessions.\n\nService | Also known as\npayments | Plutus\n",
    author: "Mallory Stone",
    createdAt: "2026-03-11T23:00:00Z",
  },
  {
    id: "log:vault.log:1",
    source: "logs",
    kind: "log",
    title: "zeus-vault sealed",
    text: "2026-03-12T01:31:00Z ERROR checkout-api zeus-vault sealed, refusing keys traceId=4bf92f3577b34da6a3ce929d0e0e4736",
    createdAt: "2026-03-12T01:31:00Z",
  },
];

/** In a source that all see: one project of it is for "sre". */
const sharedLines = (secret: boolean): readonly Line[] => [
  {
    id: "jira:PUB-1",
    source: "jira",
    kind: "incident",
    title: "Plutus is slow",
    text: "PUB-1 affects Plutus. Plutus depends on redis. It was caused by deadbeefcafe. Zeus-vault was mentioned in passing. Status: Open.",
    author: "Ann Lee",
    createdAt: "2026-03-11T20:00:00Z",
  },
  ...(secret
    ? [
        {
          id: "jira:SEC-1",
          source: "jira",
          kind: "incident",
          title: "Leaked signing key of checkout-api",
          text: "SEC-1 affects checkout-api. The quokka key was published. Status: Open. Severity: high.",
          author: "Mallory Stone",
          createdAt: "2026-03-11T21:00:00Z",
        },
      ]
    : []),
];

/** Words that stand in hidden records alone, or tell of them. */
const telling = /mallory|vlt-7|sec-1|quokka|confluence:9901|vault\.log|rotate the keys|private\/plan|marmoset/i;

interface World {
  readonly app: App;
  readonly server: HttpServer;
  readonly url: string;
}

const tokens: Record<string, { name: string; scope: "read" | "write" | "admin"; groups: string[] }> = {
  outsider: { name: "outsider", scope: "write", groups: ["sales"] },
  insider: { name: "insider", scope: "write", groups: ["sre", "sales"] },
  admin: { name: "admin", scope: "admin", groups: [] },
};

async function world(folder: string, withHidden: boolean): Promise<World> {
  const lines = (rows: readonly Line[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  mkdirSync(folder, { recursive: true });
  cpSync(sample, folder, { recursive: true });
  writeFileSync(join(folder, "hidden.jsonl"), lines(withHidden ? hiddenLines : []));
  writeFileSync(join(folder, "shared.jsonl"), lines(sharedLines(withHidden)));
  if (withHidden) {
    mkdirSync(join(folder, "documents", "private"));
    writeFileSync(
      join(folder, "documents", "private", "plan.md"),
      "# Marmoset plan\n\nRedis session caching is replaced by marmoset. The failover runbook of redis is void. Redis has a TTL of 5 minutes.\n",
    );
  }
  const runbook = join(folder, "documents", "runbook-conf-1023.md");
  if (withHidden) cpSync(runbook, join(folder, "documents", "private", "copy.md"));
  cpSync(runbook, join(folder, "documents", "open-copy.md"));
  for (const entry of readdirSync(join(folder, "documents"), { recursive: true }))
    utimesSync(join(folder, "documents", String(entry)), NOW, NOW);
  const manifest = parseManifest(
    JSON.stringify({
      name: "shop",
      now: NOW.toISOString(),
      sources: [
        { kind: "records", path: "world" },
        { kind: "records", path: "hidden.jsonl", visibleTo: ["sre"] },
        { kind: "records", path: "shared.jsonl", visibleTo: { SEC: ["sre"] } },
        { kind: "documents", path: "documents", visibleTo: { private: ["sre", "legal"] } },
      ],
      uploads: { visibleTo: ["sre"] },
      models: { embedding: "static-256" },
    }),
    SourceConfig,
    {},
    "manifest.json",
  );
  const app = createApp({ manifest, root: folder, store: openStore(":memory:"), env: {}, log: noLog, now: () => NOW });
  const server = createServer(app, {
    host: "127.0.0.1",
    port: 0,
    log: noLog,
    version: "1",
    processMetrics: false,
    requireToken: true,
    tokens: { verify: (token) => tokens[token] ?? null, list: () => [1] },
    uploads: { root: join(folder, "uploaded") },
  });
  const { url } = await server.start();
  const run = app.index({ signal: new AbortController().signal });
  let step = await run.next();
  while (!step.done) step = await run.next();
  assert.deepEqual(step.value.failures, []);
  return { app, server, url };
}

const records = [
  "jira:JR-441",
  "jira:PUB-1",
  "jira:SEC-1",
  "jira:VLT-7",
  "confluence:9901",
  "log:vault.log:1",
  "doc:documents/private/plan.md",
  "doc:documents/runbook-conf-1023.md",
  "github:commit:deadbeefcafe1234deadbeefcafe1234deadbeef",
];
const names = [
  "checkout-api",
  "payments",
  "redis",
  "zeus-vault",
  "plutus",
  "Mallory Stone",
  "VLT-7",
  "SEC-1",
  "deadbeefcafe",
  "PUB-1",
  "Ann Lee",
];
const questions = [
  "Why is checkout broken?",
  "Who owns checkout-api?",
  "Who owns zeus-vault?",
  "What does checkout-api depend on?",
  "What changed in payments in the last 48 hours?",
  "Which incidents are open?",
  "What is VLT-7?",
  "Who fixed SEC-1?",
  "What did Mallory Stone do?",
  "How long is the TTL of redis sessions?",
  "What is the marmoset plan?",
  "What do the logs of checkout-api say?",
  "What is Plutus?",
  "Is SEC-1 open?",
  "How many services are there?",
];
const queries = [
  "redis session caching failover",
  "VLT-7",
  "SEC-1 quokka",
  "sealed keys",
  "checkout-api",
  "deadbeefcafe",
  '"marmoset plan"',
  "Mallory",
  "redis runbook TTL",
];

interface Asked {
  readonly what: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
}

const at = encodeURIComponent;
const get = (path: string, accept = "application/json"): Asked => ({ what: `${accept} ${path}`, method: "GET", path, accept });
const post = (path: string, body: unknown, accept = "application/json"): Asked => ({
  what: `${accept} ${path} ${JSON.stringify(body)}`,
  method: "POST",
  path,
  body,
  accept,
});
const tool = (name: string, args: object): Asked =>
  post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }, "application/json, text/event-stream");

/** Every way in which records can be asked for over HTTP. */
const everything: readonly Asked[] = [
  ...records.flatMap((id) => [
    get(`/api/records/${at(id)}`),
    get(`/api/chunks/${at(`${id}#1`)}`),
    get(`/api/chunks/${at(`${id}#2`)}`),
    get(`/api/originals/${at(id)}`),
  ]),
  ...names.flatMap((name) => [
    get(`/api/services/${at(name)}`),
    get(`/s/${at(name)}`),
    get(`/s/${at(name)}`, "text/html"),
    get(`/api/graph?node=${at(name)}`),
    get(`/api/graph?text=${at(`What of ${name}?`)}&at=ever`),
    get(`/grafana/nodegraph?service=${at(name)}`),
    tool("get_service_context", { service: name }),
  ]),
  get("/api/services"),
  get("/api/services?limit=2"),
  get(`/api/services?after=${at("service:zeus-vault")}`),
  get("/grafana/nodegraph"),
  ...queries.flatMap((q) => [
    get(`/api/search?q=${at(q)}&k=20`),
    get(`/api/search?q=${at(q)}&rerank=false&k=3`),
    get(`/api/search?q=${at(q)}&corpus=documents`),
    tool("search", { query: q }),
  ]),
  ...questions.map((question) => post("/api/ask", { question })),
  // once more: from the cache
  ...questions
    .slice(0, 4)
    .flatMap((question) => [
      post("/api/ask", { question }),
      post("/api/ask", { question, stream: true }, "text/event-stream"),
      tool("ask", { question }),
    ]),
  post("/api/ask", { question: "What is the marmoset plan?", corpus: "documents" }),
  post("/api/ask", { question: "Who owns zeus-vault?", session: "shared" }),
  post("/api/ask", { question: "and who was it before?", session: "shared" }),
  post("/hooks/alertmanager", {
    alerts: [
      { status: "firing", labels: { service: "zeus-vault", alertname: "Sealed" }, annotations: { summary: "vault sealed" } },
      { status: "firing", labels: { service: "checkout-api" } },
    ],
  }),
  get("/metrics", "text/plain"),
  get("/api/cost"),
  get("/api/index/runs"),
  get("/api/documents"),
  { what: "delete a hidden document", method: "DELETE", path: `/api/documents/${at("doc:documents/private/plan.md")}` },
  { what: "delete one that never was", method: "DELETE", path: `/api/documents/${at("doc:uploads/secret.md")}` },
  get("/readyz"),
];

async function send({ url }: World, token: string, { method, path, body, accept }: Asked): Promise<string> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return `${reply.status} ${reply.headers.get("content-type")}\n${await reply.text()}`;
}

/** Without what differs from run to run: ids, times taken, addresses. */
function comparable(text: string): string {
  return text
    .replace(/"(ms|bm25|vector|rerank|total)":[\d.e-]+/g, '"$1":0')
    .replace(/\b[0-9a-f]{16}\b/g, "ID")
    .replace(/contextd-visibility-\w+\/(?:full|bare)/g, "folder")
    .replace(/"requestId":"[^"]*"/g, '"requestId":""')
    .replace(/request [0-9a-f-]{36}/g, "request")
    .replace(/^id: .*$/gm, "id:");
}

/** Equal texts, or a failure that shows where they part. */
function assertSame(actual: string, expected: string, what: string): void {
  if (actual === expected) return;
  let from = 0;
  while (actual[from] === expected[from]) from += 1;
  const around = (text: string) => text.slice(Math.max(0, from - 150), from + 250);
  assert.fail(`${what}\n  with:    ${around(actual)}\n  without: ${around(expected)}`);
}

describe("what groups may not see", () => {
  const folder = mkdtempSync(join(tmpdir(), "contextd-visibility-"));
  let full: World;
  let bare: World;

  before(async () => {
    full = await world(join(folder, "full"), true);
    bare = await world(join(folder, "bare"), false);
  });
  after(async () => {
    for (const one of [full, bare]) {
      await one?.server.stop();
      await one?.app[Symbol.asyncDispose]();
    }
    rmSync(folder, { recursive: true });
  });

  it("changes no reply to them by a letter: search, graph, citations, caches, counts, errors", async () => {
    let different = 0;
    for (const asked of everything) {
      // who may see it asks first, and fills every cache
      const insider = comparable(await send(full, "insider", asked));
      const outsider = comparable(await send(full, "outsider", asked));
      const without = comparable(await send(bare, "outsider", asked));
      assertSame(outsider, without, asked.what);
      if (insider !== outsider) different += 1;
      // names that were asked for come back in refusals
      const echoed = asked.what.replace(/%20|\+/g, " ");
      const told = outsider.split("\n").filter((line) => telling.test(line) && !telling.test(decodeURIComponent(echoed)));
      assert.deepEqual(told, [], asked.what);
    }
    assert.ok(different > 60, `only ${different} replies differ for who may see more`);
  });

  it("is shown to who is in the group, cited", async () => {
    const answer = JSON.parse(
      (await send(full, "insider", post("/api/ask", { question: "What is VLT-7?" }))).replace(/^.*\n/, ""),
    ) as Answer;

    assert.equal(answer.status, "answered");
    assert.ok(answer.citations.some(({ recordId }) => recordId === "jira:VLT-7"));
    assert.match(await send(full, "insider", get(`/api/records/${at("jira:SEC-1")}`)), /^200/);
    assert.match(await send(full, "insider", get("/api/search?q=marmoset")), /private\/plan/);
    const copies = async (who: string, path: string) =>
      (JSON.parse((await send(full, who, get(path))).replace(/^.*\n/, "")) as { copies: { id: string }[] }).copies
        .map(({ id }) => id)
        .sort();
    const record = `/api/records/${at("doc:documents/runbook-conf-1023.md")}`;
    assert.deepEqual(await copies("insider", record), ["doc:documents/open-copy.md", "doc:documents/private/copy.md"]);
    assert.deepEqual(await copies("outsider", record), ["doc:documents/open-copy.md"]);
    assert.deepEqual(await copies("outsider", `/api/chunks/${at("doc:documents/runbook-conf-1023.md#1")}`), ["doc:documents/open-copy.md"]);
    // what all may see means more to who knows the names that the hidden records declare
    assert.match(await send(full, "insider", get("/api/services/payments")), /ticket:PUB-1/);
    assert.doesNotMatch(await send(full, "outsider", get("/api/services/payments")), /ticket:PUB-1/);
    assert.match(await send(full, "admin", get("/metrics", "text/plain")), /^contextd_graph_nodes [1-9]/m);
  });

  it("is not to be had through an answer that somebody else was given", async () => {
    for (const question of ["Why is checkout broken?", "Who owns checkout-api?", "What is Plutus?"]) {
      for (const who of ["insider", "admin"]) {
        const reply = await send(full, who, post("/api/ask", { question }));
        const { permalink } = JSON.parse(reply.replace(/^.*\n/, "")) as Answer;

        assert.match(await send(full, who, get(permalink)), /^200/);
        const none = await send(full, "outsider", get("/a/0123456789abcdef"));
        assertSame(comparable(await send(full, "outsider", get(permalink))), comparable(none), permalink);
        assert.match(await send(full, "outsider", get(permalink, "text/html")), /^404/);
      }
      const own = await send(full, "outsider", post("/api/ask", { question }));
      const { permalink } = JSON.parse(own.replace(/^.*\n/, "")) as Answer;
      for (const who of ["outsider", "insider", "admin"]) assert.match(await send(full, who, get(permalink)), /^200/, who);
    }
  });

  it("stays unseen while an index run brings it, and what may be seen is there after the run", async () => {
    const added = (key: string, text: string): Line => ({
      id: `jira:${key}`,
      source: "jira",
      kind: "incident",
      title: `${key} of checkout-api`,
      text: `${key} affects checkout-api. ${text} Status: Open.`,
      author: "Ann Lee",
      createdAt: "2026-03-12T02:00:00Z",
    });
    const rows = [...sharedLines(true), added("SEC-2", "The second quokka key leaked."), added("PUB-2", "Carts are empty.")];
    writeFileSync(join(folder, "full", "shared.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const asked = [
      get("/api/services/checkout-api"),
      get("/api/search?q=quokka%20carts&rerank=false"),
      get(`/api/records/${at("jira:SEC-2")}`),
    ];
    const leaks = /sec-2|second quokka|mallory/i;
    const seen = async () =>
      (await Promise.all(asked.map((one) => send(full, "outsider", one)))).map((text) => text.replace(/^404.*\n.*$/, ""));

    const run = full.app.index({ signal: new AbortController().signal });
    let events = 0;
    for (let step = await run.next(); !step.done; step = await run.next()) {
      events += 1;
      for (const text of await seen()) assert.doesNotMatch(text, leaks);
    }

    assert.ok(events > 2);
    const [service = "", search = "", record] = await seen();
    assert.match(service, /ticket:PUB-2/);
    assert.match(search, /jira:PUB-2/);
    assert.equal(record, "");
    for (const text of [service, search]) assert.doesNotMatch(text, leaks);
    assert.match(await send(full, "insider", get("/api/services/checkout-api")), /ticket:SEC-2/);
  });

  it("holds for who has no group at all, and page frames without a token", async () => {
    tokens.nobody = { name: "nobody", scope: "read", groups: [] };

    assert.match(await send(full, "nobody", get(`/api/records/${at("jira:SEC-1")}`)), /^404/);
    const frame = await (await fetch(`${full.url}/s/zeus-vault`, { headers: { accept: "text/html" } })).text();
    assert.doesNotMatch(frame, telling);
  });
});
