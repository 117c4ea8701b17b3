import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { openApp } from "../src/app.ts";
import { githubWebhook } from "../src/connectors/github/webhook.ts";
import { Answer } from "../src/core/answer.ts";
import type { App } from "../src/core/app.ts";
import { silent } from "../src/core/connector.ts";
import type { HttpServer } from "../src/http/server.ts";
import { TokenFile } from "../src/http/tokens.ts";
import { testServer } from "./support/server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The daemon whole: the sample world, the real store, models and connectors, over HTTP. */
describe("the daemon over HTTP", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "contextd-daemon-"));
  let app: App;
  let server: HttpServer;
  let url = "";

  before(async () => {
    app = await openApp({ manifest: join(root, "manifest.json"), dataDir, write: true, env: {}, version: "1", log: silent });
    const tokens = new TokenFile(join(dataDir, "tokens.json"));
    server = testServer(app, {
      uploads: { root: join(dataDir, "uploads") },
      tokens,
      hooks: { github: { webhook: githubWebhook, secret: "top" } },
    });
    ({ url } = await server.start());
  });
  after(async () => {
    await server.stop();
    await app[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  });

  async function ask(question: string): Promise<Answer> {
    const reply = await fetch(`${url}/api/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question }),
    });
    return Answer.parse(await reply.json());
  }

  it("is not ready before its first run, and is after it", async () => {
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    const started = await fetch(`${url}/api/index`, { method: "POST" });
    const { url: place } = (await started.json()) as { url: string };
    assert.equal(started.status, 202);

    const events = await (await fetch(`${url}${place}`, { headers: { accept: "text/event-stream" } })).text();

    assert.match(events, /event: run\ndata: \{[^\n]*"status":"done"/);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });

  it("answers why a service is broken, each sentence cited, at most seven tool calls", async () => {
    const answer = await ask("Why is checkout broken?");

    assert.equal(answer.status, "answered");
    for (const name of [/JR-441/, /a3f8c2/, /Rahul Sharma/, /redis/i]) assert.match(answer.answer, name);
    assert.ok(answer.toolCalls.length <= 7);
    const numbers = new Set(answer.citations.map((one) => one.n));
    for (const sentence of answer.claims) assert.ok(sentence.citations.length > 0 && sentence.citations.every((n) => numbers.has(n)));
    for (const { chunkId, text } of answer.citations) {
      const { chunk } = (await (await fetch(`${url}/api/chunks/${encodeURIComponent(chunkId)}`)).json()) as { chunk: { text: string } };
      assert.equal(chunk.text, text);
    }
  });

  it("shows the same service with its owner, incident and change, in the graph and for Grafana", async () => {
    const view = (await (await fetch(`${url}/api/services/checkout`)).json()) as Record<string, { label: string }[]>;
    const graph = (await (await fetch(`${url}/api/graph?text=${encodeURIComponent("Why is checkout broken?")}`)).json()) as {
      nodes: { id: string }[];
    };

    assert.deepEqual(
      view.owners?.map((one) => one.label),
      ["Rahul Sharma"],
    );
    assert.equal(view.openIncidents?.length, 1);
    assert.equal(view.changes?.length, 1);
    assert.ok(graph.nodes.some((node) => node.id === "ticket:JR-441"));
    assert.equal((await fetch(`${url}/grafana/nodegraph?service=checkout`)).status, 200);
  });

  it("prices a dry run, which can be looked up like any other", async () => {
    const started = await fetch(`${url}/api/index`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ dryRun: true }),
    });
    const place = `${url}${started.headers.get("location")}`;
    assert.equal(started.status, 202);

    const events = await (await fetch(place, { headers: { accept: "text/event-stream" } })).text();
    const run = (await (await fetch(place)).json()) as { status: string; report: { records: { seen: number } } };

    assert.match(events, /event: run\n/);
    assert.equal(run.status, "done");
    assert.ok(run.report.records.seen > 10);
    const unknown = await fetch(`${url}/api/index`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: "jira" }),
    });
    assert.equal(unknown.status, 404);
    assert.match(await unknown.text(), /No source of kind/);
  });

  it("sends a document's file instead of the path where it lies: whole, in part, and as nothing that runs", async () => {
    const search = await (await fetch(`${url}/api/search?q=${encodeURIComponent("redis session caching")}&corpus=documents&k=20`)).text();
    const asked = await (
      await fetch(`${url}/api/ask`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify({ question: "What is the TTL of sessions in redis?" }),
      })
    ).text();
    for (const text of [search, asked]) {
      assert.doesNotMatch(text, /file:\/\//);
      assert.doesNotMatch(text, new RegExp(root.replaceAll("/", "\\/")));
    }
    const { hits } = JSON.parse(search) as { hits: { chunk: { url: string; page: number | null; recordId: string } }[] };
    const pdf = hits.find((hit) => hit.chunk.page !== null)?.chunk;
    assert.ok(pdf);
    assert.ok(pdf.url.endsWith(`#page=${pdf.page}`));

    const file = readFileSync(join(root, "data", "sample", "documents", "architecture.pdf"));
    const whole = await fetch(`${url}${pdf.url}`);
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), file);
    assert.equal(whole.headers.get("content-type"), "application/pdf");
    assert.match(whole.headers.get("content-disposition") ?? "", /^inline; filename="architecture.pdf"/);
    assert.match(whole.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    const part = await fetch(`${url}${pdf.url}`, { headers: { range: "bytes=0-4" } });
    assert.deepEqual([part.status, await part.text()], [206, "%PDF-"]);

    const originals = (id: string) => fetch(`${url}/api/originals/${encodeURIComponent(id)}`);
    const page = await originals("doc:data/sample/documents/service-tiers.html");
    assert.equal(page.headers.get("content-type"), "application/octet-stream");
    assert.match(page.headers.get("content-disposition") ?? "", /^attachment/);
    assert.equal(page.headers.get("x-content-type-options"), "nosniff");
    for (const id of ["jira:JR-441", "doc:../package.json", "doc:package.json", "/etc/passwd"])
      assert.equal((await originals(id)).status, 404, id);
  });

  it("indexes an uploaded PDF, quotes it with its page, and forgets it when it is removed", async () => {
    const pdf = readFileSync(join(root, "data", "sample", "documents", "architecture.pdf"));
    const form = new FormData();
    form.append("file", new Blob([pdf], { type: "application/pdf" }), "uploaded plan.pdf");
    const reply = await fetch(`${url}/api/documents`, { method: "POST", body: form });
    const { documents } = (await reply.json()) as { documents: { id: string; outcome: string }[] };
    const id = documents[0]?.id ?? "";
    assert.deepEqual([reply.status, id, documents[0]?.outcome], [201, "doc:uploads/uploaded plan.pdf", "added"]);

    const found = async (): Promise<{ chunk: { recordId: string; page: number | null } }[]> => {
      const search = await fetch(`${url}/api/search?q=${encodeURIComponent("redis session caching")}&k=20&corpus=documents`);
      const { hits } = (await search.json()) as { hits: { chunk: { recordId: string; page: number | null } }[] };
      return hits.filter((hit) => hit.chunk.recordId === id);
    };
    const hits = await found();
    assert.ok(hits.length > 0 && hits.every((hit) => hit.chunk.page !== null));

    assert.equal((await fetch(`${url}/api/documents/${encodeURIComponent(id)}`, { method: "DELETE" })).status, 200);
    assert.deepEqual(await found(), []);
    assert.equal((await fetch(`${url}/api/records/${encodeURIComponent(id)}`)).status, 404);
  });

  it("says why a file is not kept", async () => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0])]), "plan.pdf");
    const reply = await fetch(`${url}/api/documents`, { method: "POST", body: form });
    const { code, remedy } = (await reply.json()) as { code: string; remedy: string };

    assert.ok(reply.status === 415 || reply.status === 422, String(reply.status));
    assert.match(code, /^FILE_/);
    assert.ok(remedy.length > 0);
    assert.deepEqual(await (await fetch(`${url}/api/documents`)).json(), { documents: [], enabled: true });
  });

  it("refuses what its sources do not hold, in the exact words", async () => {
    const answer = await ask("What is the capital of France?");

    assert.deepEqual([answer.status, answer.refusal], ["refused", "insufficient"]);
    assert.equal(answer.answer, "The provided documents do not contain enough information to answer this question.");
  });

  it("replays an answer with nothing changed", async () => {
    const { permalink } = await ask("Who owns payments?");
    const { changed } = (await (await fetch(`${url}${permalink}`)).json()) as { changed: unknown[] };

    assert.deepEqual(changed, []);
  });
});
