import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { Answer } from "../src/core/answer.ts";
import { Problem } from "../src/http/problem.ts";
import type { HttpServer } from "../src/http/server.ts";
import { ask, eventsOf, lastOf, raw, serve } from "./support/http.ts";

describe("the HTTP interface", () => {
  let url = "";
  let port = 0;
  let server: HttpServer;

  before(async () => {
    ({ url, port, server } = await serve());
  });
  after(() => server.stop());

  it("answers a question with citations in the contract's shape", async () => {
    const reply = await ask(url, { question: "Why is checkout broken?" });
    const answer = Answer.parse(await reply.json());

    assert.equal(reply.status, 200);
    assert.equal(answer.status, "answered");
    assert.deepEqual(
      answer.citations.map((one) => one.n),
      [1, 2, 3, 4, 5],
    );
  });

  it("streams stages, tools, citations, tokens and verdicts, and the whole answer last", async () => {
    const reply = await ask(url, { question: "Why is checkout broken?" }, { accept: "text/event-stream" });
    const events = eventsOf(await reply.text());

    assert.match(reply.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(reply.headers.get("x-accel-buffering"), "no");
    assert.match(reply.headers.get("cache-control") ?? "", /no-transform/);
    assert.equal(reply.headers.get("content-encoding"), null);
    assert.deepEqual([...new Set(events.map((one) => one.event))], ["stage", "tool", "citation", "token", "verdict", "answer"]);
    assert.deepEqual(
      events.map((one) => one.id),
      events.map((_, at) => `${events[0]?.id?.slice(0, -2)}.${at}`),
    );
    assert.equal(Answer.parse(events.at(-1)?.data).status, "answered");
    assert.ok(events.filter((one) => one.event === "token").every((one) => (one.data as { verified: boolean }).verified === false));
  });

  it("gives a refusal as 200 and an answer that broke as 503", async () => {
    const refused = await ask(url, { question: "What is the capital of France?" });
    const broken = await ask(url, { question: "is the store down?" });

    assert.equal(refused.status, 200);
    assert.equal(
      ((await refused.json()) as Answer).answer,
      "The provided documents do not contain enough information to answer this question.",
    );
    assert.equal(broken.status, 503);
    assert.equal(((await broken.json()) as Answer).status, "unavailable");
  });

  it("names each field of a request that is not right", async () => {
    const reply = await ask(url, { question: 7, now: "yesterday", corpsu: "all" });
    const problem = (await reply.json()) as { code: string; detail: string; errors: { field: string }[]; remedy: string };

    assert.equal(reply.status, 400);
    assert.match(reply.headers.get("content-type") ?? "", /^application\/problem\+json/);
    assert.equal(problem.code, "BAD_REQUEST");
    assert.deepEqual(problem.errors.map((one) => one.field).toSorted(), ["corpsu", "now", "question"]);
    assert.ok(problem.remedy.length > 0);
  });

  it("says what is wrong with a body that is no JSON, no object, too large or of another type", async () => {
    const broken = await ask(url, '{"question": ');
    const list = await ask(url, "[]");
    const large = await ask(url, { question: "x".repeat(300_000) });
    const form = await fetch(`${url}/api/ask`, { method: "POST", body: new URLSearchParams({ question: "x" }) });

    assert.deepEqual([broken.status, list.status, large.status, form.status], [400, 400, 413, 415]);
    assert.match(((await broken.json()) as { detail: string }).detail, /not valid JSON/);
    assert.match(((await form.json()) as { remedy: string }).remedy, /Content-Type: application\/json/);
  });

  it("gives 404 and 405 as problems, the latter with what is possible", async () => {
    const nowhere = await fetch(`${url}/api/nowhere`);
    const wrong = await fetch(`${url}/api/ask`);
    const page = await fetch(`${url}/docs`, { method: "POST" });

    assert.equal(nowhere.status, 404);
    assert.equal(((await nowhere.json()) as { code: string }).code, "NOT_FOUND");
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get("allow"), "POST");
    assert.equal(page.status, 405);
  });

  it("tells a client nothing of what is inside when something unforeseen fails", async () => {
    const reply = await ask(url, { question: "please explode" });
    const text = await reply.text();

    assert.equal(reply.status, 500);
    assert.doesNotMatch(text, /secret internal text|\.ts|at /);
    assert.ok(text.includes(reply.headers.get("x-request-id") ?? "never"));
  });

  it("sends what fails after the first byte of a stream as an error event", async () => {
    const reply = await ask(url, { question: "please explode", stream: true });
    const events = eventsOf(await reply.text());

    assert.equal(events.at(-1)?.event, "error");
    assert.equal(lastOf(events).code, "INTERNAL");
    assert.doesNotMatch(JSON.stringify(events), /secret internal text/);
  });

  it("calls an empty search a 400 with a clear text, and takes any signs as text", async () => {
    const empty = await fetch(`${url}/api/search?q=%20`);
    assert.equal(empty.status, 400);
    assert.match(((await empty.json()) as { detail: string }).detail, /q: is empty/);
    assert.equal((await fetch(`${url}/api/search`)).status, 400);
    for (const q of ["JR-441", "don't", "sha:a3f8c2", "what changed?", "a*", '"a', "a AND OR NOT", "7 %"]) {
      assert.equal((await fetch(`${url}/api/search?q=${encodeURIComponent(q)}`)).status, 200, q);
    }
    for (const q of ["*", '"', "%", "?!"]) {
      const reply = await fetch(`${url}/api/search?q=${encodeURIComponent(q)}`);
      assert.match(`${reply.status} ${await reply.text()}`, /^400 .*q: holds no word/, q);
    }
    assert.equal((await fetch(`${url}/api/search?q=a&q=b`)).status, 400);
    assert.equal((await fetch(`${url}/api/search?q=a&k=0`)).status, 400);
  });

  it("gives hits their ranks and the chunk as a citation", async () => {
    const reply = await fetch(`${url}/api/search?q=redis&k=2`);
    const { hits } = (await reply.json()) as { hits: { rank: number; chunk: { chunkId: string; text: string }; bm25Rank: number }[] };

    assert.equal(hits.length, 2);
    assert.equal(hits[0]?.rank, 1);
    assert.match(hits[0]?.chunk.text ?? "", /redis/i);
  });

  it("finds records and chunks by their encoded ids, slashes and all", async () => {
    const chunk = await fetch(`${url}/api/chunks/${encodeURIComponent("confluence:4101#2")}`);
    const { before, after: later } = (await chunk.json()) as { before: { id: string }[]; after: { id: string }[] };

    assert.deepEqual([before.map((one) => one.id), later.map((one) => one.id)], [["confluence:4101#1"], ["confluence:4101#3"]]);
    assert.equal((await fetch(`${url}/api/records/jira:JR-441`)).status, 200);
    assert.equal((await fetch(`${url}/api/records/jira:NONE`)).status, 404);
    assert.equal((await raw(port, "/api/records/%E0%A4%A")).status, 404);
    assert.equal((await fetch(`${url}/api/chunks/jira%3AJR-441%231?around=9`)).status, 400);
  });

  it("replays an answer, as JSON for programs and as a page for people", async () => {
    const { id } = (await (await ask(url, { question: "Who owns checkout?" })).json()) as Answer;
    const json = await fetch(`${url}/a/${id}`);
    const page = await fetch(`${url}/a/${id}`, { headers: { accept: "text/html,*/*;q=0.8" } });

    assert.equal(((await json.json()) as { answer: Answer }).answer.id, id);
    assert.match(await page.text(), /<title>Who owns checkout\? · contextd<\/title>/);
    assert.equal((await fetch(`${url}/a/none`)).status, 404);
    assert.equal((await fetch(`${url}/a/none`, { headers: { accept: "text/html" } })).status, 404);
  });

  it("speaks Grafana's field names", async () => {
    const { nodes, edges } = (await (await fetch(`${url}/grafana/nodegraph?service=checkout-api`)).json()) as Record<
      string,
      Record<string, unknown>[]
    >;
    const fields = (await (await fetch(`${url}/grafana/nodegraph/fields`)).json()) as Record<string, { field_name: string }[]>;

    assert.deepEqual(
      Object.keys(nodes?.[0] ?? {}),
      fields.nodes_fields?.map((one) => one.field_name),
    );
    assert.deepEqual(
      Object.keys(edges?.[0] ?? {}),
      fields.edges_fields?.map((one) => one.field_name),
    );
    const ids = new Set(nodes?.map((one) => one.id));
    assert.ok(edges?.every((one) => ids.has(one.source) && ids.has(one.target)));
  });

  it("describes every route in OpenAPI with references that resolve, and reads the same at /docs", async () => {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, unknown>;
      components: { schemas: Record<string, unknown> };
    };
    const docs = await (await fetch(`${url}/docs`)).text();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]);

    assert.equal(document.openapi, "3.1.0");
    assert.ok(references.length > 20);
    assert.deepEqual(
      references.filter((name) => !(name !== undefined && name in document.components.schemas)),
      [],
    );
    for (const path of Object.keys(document.paths)) assert.ok(docs.includes(path), path);
    assert.doesNotMatch(docs, /src="http|href="http/);
  });

  it("revalidates by ETag and compresses what is worth it", async () => {
    const first = await fetch(`${url}/api/services`);
    const etag = first.headers.get("etag") ?? "";
    const second = await raw(port, "/api/services", { "if-none-match": etag });
    const zipped = await raw(port, "/app.css", { "accept-encoding": "gzip" });

    assert.notEqual(etag, "");
    assert.equal(second.status, 304);
    assert.equal(zipped.headers["content-encoding"], "gzip");
  });

  it("keeps a strict content policy and lets no other origin read", async () => {
    const page = await fetch(url, { headers: { origin: "https://evil.example" } });
    const policy = page.headers.get("content-security-policy") ?? "";

    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.match(policy, /style-src 'self'(;|$)/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(page.headers.get("access-control-allow-origin"), null);
    assert.equal(page.headers.get("x-powered-by"), null);
    assert.doesNotMatch(await page.text(), / style="|<script>|onclick=/);
  });

  it("refuses foreign Host names and changes from pages of another origin", async () => {
    assert.equal((await raw(port, "/api/services", { host: "evil.example" })).status, 403);
    assert.equal((await raw(port, "/api/services", { host: `localhost:${port}` })).status, 200);
    assert.equal((await raw(port, "/api/services", { host: `[::1]:${port}` })).status, 200);
    assert.equal((await raw(port, "/api/services", { host: "127.0.0.1.evil.example" })).status, 403);
    const cross = await ask(url, { question: "x" }, { origin: "https://evil.example" });
    assert.equal(cross.status, 403);
    assert.equal((await ask(url, { question: "checkout" }, { origin: url })).status, 200);
  });

  it("gives metrics that count requests by route, not by path", async () => {
    await fetch(`${url}/api/records/jira:JR-441`);
    const text = await (await fetch(`${url}/metrics`)).text();

    assert.match(text, /contextd_http_requests_total\{method="GET",route="\/api\/records\/\{id\}",status="200"\} \d+/);
    assert.match(text, /contextd_answers_total\{status="answered",route="agent"\} \d+/);
    assert.match(text, /^contextd_graph_nodes 16$/m);
    assert.doesNotMatch(text, /JR-441/);
  });

  it("lives, and is ready", async () => {
    assert.deepEqual(await (await fetch(`${url}/healthz`)).json(), { status: "ok", version: "1.2.3" });
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });
});

describe("what is hardly a request", () => {
  it("gets a problem too: an address that is too long, bytes that are no HTTP", async () => {
    const { url, port, server } = await serve();

    const long = await fetch(`${url}/api/search?q=${"x".repeat(80_000)}`);
    assert.equal(long.status, 413);
    assert.equal(Problem.parse(await long.json()).code, "PAYLOAD_TOO_LARGE");
    const socket = connect(port, "127.0.0.1").end("hello\r\n\r\n");
    const reply = (await socket.toArray()).join("");
    assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json/);
    await server.stop();
  });

  it("but every query text that is not too long", async () => {
    const { url, server } = await serve();

    assert.equal((await fetch(`${url}/api/search?q=${encodeURIComponent(`redis ${"\u{1f600}".repeat(995)}`)}`)).status, 200);
    await server.stop();
  });
});
