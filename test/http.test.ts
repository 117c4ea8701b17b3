import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { Answer } from "../src/core/answer.ts";
import { ContextError } from "../src/core/errors.ts";
import { Problem } from "../src/http/problem.ts";
import type { HttpServer, ServerOptions } from "../src/http/server.ts";
import { appDouble } from "./support/app-double.ts";
import { testServer } from "./support/server.ts";

async function serve(app = appDouble(), options: Partial<ServerOptions> = {}): Promise<{ url: string; port: number; server: HttpServer }> {
  const server = testServer(app, options);
  return { ...(await server.start()), server };
}

/** A request without a client's own tidying of paths and headers. */
function raw(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body = "",
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, (res) => {
      let text = "";
      res.setEncoding("utf8");
      res.on("data", (part: string) => {
        text += part;
      });
      res.on("end", () => resolve({ status: res.statusCode ?? 0, text, headers: res.headers }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function ask(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/api/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

function eventsOf(text: string): { id: string | undefined; event: string; data: unknown }[] {
  return text.split("\n\n").flatMap((block) => {
    const line = (name: string): string | undefined =>
      block
        .split("\n")
        .find((one) => one.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    const event = line("event");
    return event === undefined ? [] : [{ id: line("id"), event, data: JSON.parse(line("data") ?? "null") as unknown }];
  });
}

const Last = z.looseObject({ code: z.string().optional(), status: z.union([z.string(), z.number()]).optional() });

/** The data of the last event. */
function lastOf(events: readonly { readonly data: unknown }[]): z.infer<typeof Last> {
  return Last.parse(events.at(-1)?.data);
}

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

  it("shows a service with owners now and before, open incidents, changes and both ways of dependencies", async () => {
    const view = (await (await fetch(`${url}/api/services/checkout`)).json()) as Record<string, { label: string; causes: unknown[] }[]>;
    const labels = (key: string): string[] => (view[key] ?? []).map((one) => one.label);

    assert.deepEqual(labels("owners"), ["Rahul Sharma"]);
    assert.deepEqual(labels("formerOwners"), ["Meera Iyer"]);
    assert.deepEqual(labels("openIncidents"), ["JR-441 checkout-api returns 503 at peak"]);
    assert.equal(view.openIncidents?.[0]?.causes.length, 1);
    assert.deepEqual(labels("dependsOn"), ["payments", "redis"]);
    assert.deepEqual(labels("changes"), ["a3f8c2d open one Redis connection per request"]);
  });

  it("shows a service as it was in a window of time", async () => {
    const to = Date.parse("2025-01-31T00:00:00Z");
    const view = (await (await fetch(`${url}/api/services/checkout?from=${to - 86_400_000}&to=${to}`)).json()) as Record<
      string,
      { label: string }[]
    >;

    assert.deepEqual(
      view.owners?.map((one) => one.label),
      ["Meera Iyer"],
    );
    assert.deepEqual([view.openIncidents, view.changes], [[], []]);
  });

  it("names the nearest services where none is called so", async () => {
    const reply = await fetch(`${url}/api/services/checkuot`);

    assert.equal(reply.status, 404);
    assert.match(((await reply.json()) as { remedy: string }).remedy, /checkout-api/);
  });

  it("pages through services without losing or repeating one", async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const query: string = after === null ? "" : `&after=${encodeURIComponent(after)}`;
      const page = (await (await fetch(`${url}/api/services?limit=4${query}`)).json()) as {
        services: { name: string }[];
        next: string | null;
      };
      seen.push(...page.services.map((one) => one.name));
      after = page.next;
    } while (after !== null);

    assert.equal(seen.length, 9);
    assert.equal(new Set(seen).size, 9);
    assert.equal(seen[0], "checkout-api");
  });

  it("opens the page of every service name, encoded or as it is, and runs nothing of it", async () => {
    for (const name of ["tim's #2a", "a/b", "a&b=c", "%", "<img src=x onerror=alert(1)>"]) {
      const page = await raw(port, `/s/${encodeURIComponent(name)}?from=1773273600000&to=1773281400000`, { accept: "text/html" });
      assert.equal(page.status, 200, name);
      assert.doesNotMatch(page.text, /<img src=x/);
      const json = await raw(port, `/s/${encodeURIComponent(name)}?from=1773273600000&to=1773281400000`, { accept: "application/json" });
      const view = JSON.parse(json.text) as { name: string; window: { from: string }; note: unknown };
      assert.equal(view.name, name);
      assert.equal(view.window.from, "2026-03-12T00:00:00.000Z");
      assert.equal(view.note, null);
    }
    for (const [path, name] of [
      ["/s/a/b", "a/b"],
      ["/s/a&b=c?from=1", "a&b=c"],
      ["/s/%", "%"],
    ] as const) {
      const json = await raw(port, path, { accept: "application/json" });
      assert.equal((JSON.parse(json.text) as { name: string }).name, name);
    }
  });

  it("opens the nearest service with a note where a link was cut short", async () => {
    const json = await raw(port, "/s/tim's%20", { accept: "application/json" });
    const view = JSON.parse(json.text) as { name: string; note: string };

    assert.equal(view.name, "tim's #2a");
    assert.match(view.note, /nearest/);
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

describe("index runs over HTTP", () => {
  it("start at once, show progress, refuse a second, and end with a report", async () => {
    const gate = Promise.withResolvers<void>();
    const { url, server } = await serve(appDouble({ pause: () => gate.promise }));
    const start = (): Promise<Response> => fetch(`${url}/api/index`, { method: "POST" });

    const first = await start();
    const { runId, url: place } = (await first.json()) as { runId: string; url: string };
    assert.equal(first.status, 202);
    assert.equal(first.headers.get("location"), place);
    assert.equal((await start()).status, 409);
    const running = (await (await fetch(`${url}${place}`)).json()) as { status: string; progress: { done: number } };
    assert.equal(running.status, "running");
    assert.equal(running.progress.done, 0);

    const stream = fetch(`${url}${place}`, { headers: { accept: "text/event-stream" } });
    gate.resolve();
    const events = eventsOf(await (await stream).text());
    assert.equal(events.at(-1)?.event, "run");
    assert.equal(lastOf(events).status, "done");
    const list = (await (await fetch(`${url}/api/index/runs`)).json()) as { runs: { id: string }[]; running: null };
    assert.deepEqual([list.runs.map((run) => run.id), list.running], [[runId], null]);
    assert.equal((await fetch(`${url}/api/index/runs/none`)).status, 404);
    await server.stop();
  });
});

describe("work that nobody waits for", () => {
  it("is stopped when the client goes away", async () => {
    const stopped = Promise.withResolvers<void>();
    const app = appDouble({
      pause: (signal) =>
        new Promise((_resolve, reject) => {
          const stop = (): void => {
            stopped.resolve();
            reject(signal.reason);
          };
          // the client may have gone between two steps
          if (signal.aborted) stop();
          else signal.addEventListener("abort", stop);
        }),
    });
    const { url, server } = await serve(app, { graceMs: 0 });
    const leave = new AbortController();
    const reply = await fetch(`${url}/api/ask`, {
      method: "POST",
      signal: leave.signal,
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ question: "Why is checkout broken?" }),
    });
    await reply.body?.getReader().read();

    leave.abort();

    await stopped.promise;
    assert.deepEqual(app.aborted, ["Why is checkout broken?"]);
    await server.stop();
  });

  it("goes on for a client that comes back, which gets each event once", async () => {
    let steps = 0;
    const gate = Promise.withResolvers<void>();
    const app = appDouble({
      pause: async () => {
        steps += 1;
        if (steps > 5) await gate.promise;
      },
    });
    const { url, server } = await serve(app);
    const leave = new AbortController();
    const body = JSON.stringify({ question: "Why is checkout broken?" });
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const first = await fetch(`${url}/api/ask`, { method: "POST", signal: leave.signal, headers, body });
    let text = "";
    for await (const part of first.body ?? []) {
      text += Buffer.from(part).toString();
      if (eventsOf(text).some((one) => one.event === "token")) break;
    }
    leave.abort();
    const before = eventsOf(text.slice(0, text.lastIndexOf("\n\n")));

    const again = fetch(`${url}/api/ask`, { method: "POST", headers: { ...headers, "last-event-id": before.at(-1)?.id ?? "" }, body });
    gate.resolve();
    const after = eventsOf(await (await again).text());

    const places = [...before, ...after].map((one) => Number(one.id?.split(".").at(-1)));
    assert.deepEqual(
      places,
      places.map((_, at) => at),
    );
    assert.equal(after.at(-1)?.event, "answer");
    assert.deepEqual(app.aborted, []);
    await server.stop();
  });

  it("is refused with Retry-After when too much waits, and goes on in turn", async () => {
    const gate = Promise.withResolvers<void>();
    const { url, server } = await serve(appDouble({ pause: () => gate.promise }), { limits: { concurrency: 1, queue: 1 } });
    const question = { question: "Why is checkout broken?" };
    const running = ask(url, question, { accept: "text/event-stream" });
    await (await running).body?.getReader().read();
    const waiting = ask(url, question);
    await active(url, "contextd_questions_waiting 1");

    const refused = await ask(url, question);
    const search = await fetch(`${url}/api/search?q=redis`);
    gate.resolve();

    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get("retry-after"), "2");
    assert.equal(((await refused.json()) as { code: string }).code, "OVERLOADED");
    assert.equal(search.status, 200);
    assert.equal((await waiting).status, 200);
    await server.stop();
  });

  it("is refused with 429 when one caller sends too many a minute", async () => {
    const { url, server } = await serve(appDouble(), { limits: { perMinute: 2 } });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await ask(url, { question: "checkout" })).status);

    assert.deepEqual(statuses, [200, 200, 429]);
    await server.stop();
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

/** Asks the metrics until they say so. */
async function active(url: string, line: string): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (text.includes(line)) return;
  }
}

describe("tokens", () => {
  const scopes: Record<string, "read" | "write" | "admin"> = { "r-token": "read", "w-token": "write" };

  it("are needed beyond loopback, and the daemon says so before it listens", async () => {
    const server = testServer(appDouble(), { host: "0.0.0.0" });

    await assert.rejects(server.start(), (error: ContextError) => error.code === "CONFIG_INVALID" && /CONTEXTD_TOKEN/.test(error.remedy));
  });

  it("guard each route: none, one that is malformed or wrong, each that is too small, each that is large enough", async () => {
    const { url, server } = await serve(appDouble(), {
      token: "s3cret",
      requireToken: true,
      tokens: {
        verify: (token) => (scopes[token] === undefined ? null : { name: token, scope: scopes[token], groups: [] }),
        list: () => [],
      },
    });
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: unknown[]; description?: string }>>;
    };
    const call = (method: string, path: string, authorization?: string): Promise<Response> =>
      fetch(`${url}${path.replace(/\{\w+\}/, "x")}`, {
        method: method.toUpperCase(),
        headers: { accept: "application/json", ...(authorization === undefined ? {} : { authorization }) },
      });
    const rank = ["read", "write", "admin"] as const;
    const open: string[] = [];
    let guarded = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { security, description }] of Object.entries(methods)) {
        const where = `${method} ${path}`;
        if (security !== undefined) {
          open.push(where);
          continue;
        }
        guarded += 1;
        const needed = rank.findIndex((scope) => description?.includes(`Scope: ${scope}`));
        assert.notEqual(needed, -1, `${where} says which scope it needs`);
        for (const authorization of [
          undefined,
          "Bearer wrong",
          "Bearer",
          "Bearer ",
          "Basic czNjcmV0",
          "s3cret",
          "Bearer s3cret x",
          "bearer S3CRET",
        ]) {
          const reply = await call(method, path, authorization);
          const what = `${where} with ${authorization}`;
          assert.equal(reply.status, 401, what);
          assert.match(reply.headers.get("www-authenticate") ?? "", /^Bearer/, what);
          assert.equal(reply.headers.get("content-type"), "application/problem+json; charset=utf-8", what);
          await reply.body?.cancel();
        }
        for (const [token, has] of [
          ["r-token", 0],
          ["w-token", 1],
          ["s3cret", 2],
        ] as const) {
          const reply = await call(method, path, `Bearer ${token}`);
          assert.equal(reply.status === 403, has < needed, `${where} with ${token}: ${reply.status}`);
          assert.notEqual(reply.status, 401, `${where} with ${token}`);
          await reply.body?.cancel();
        }
      }
    }
    assert.ok(guarded >= 18, `${guarded} are guarded`);
    // these hold no data, ask for a token by themselves, or for a signature
    assert.deepEqual(open.sort(), [
      "get /",
      "get /a/{id}",
      "get /auth/callback",
      "get /auth/login",
      "get /auth/me",
      "get /healthz",
      "get /readyz",
      "get /s/{service}",
      "post /auth/logout",
      "post /hooks/confluence",
      "post /hooks/github",
      "post /hooks/jira",
    ]);
    for (const path of ["/a/x", "/s/checkout-api"]) {
      for (const authorization of [undefined, "Bearer wrong"]) assert.equal((await call("get", path, authorization)).status, 401, path);
    }
    for (const name of ["confluence", "github", "jira"])
      assert.equal((await call("post", `/hooks/${name}`, "Bearer s3cret")).status, 404, "no secret");
    await server.stop();
  });

  it("do not show in a page that is opened without one", async () => {
    const { port, server } = await serve(appDouble(), { token: "s3cret", requireToken: true });
    const page = await raw(port, "/s/checkout-api", { accept: "text/html" });

    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /Rahul|JR-441/);
    await server.stop();
  });

  it("that are wrong are refused on loopback too", async () => {
    const { url, server } = await serve();

    assert.equal((await fetch(`${url}/api/services`, { headers: { authorization: "Bearer x" } })).status, 401);
    assert.equal((await fetch(`${url}/api/services`, { headers: { authorization: "Basic x" } })).status, 401);
    await server.stop();
  });
});

describe("the daemon's start and stop", () => {
  it("names a port that is taken, and what to do", async () => {
    const { port, server } = await serve();
    const second = testServer(appDouble(), { port });

    await assert.rejects(second.start(), (error: ContextError) => error.code === "PORT_IN_USE" && /--port/.test(error.remedy));
    await server.stop();
  });

  it("tells why it is not ready", async () => {
    const reason = new ContextError("MODEL_MISSING", "The embedding model is not loaded yet.");
    const { url, server } = await serve(appDouble({ notReady: [reason] }));
    const reply = await fetch(`${url}/readyz`);

    assert.equal(reply.status, 503);
    assert.deepEqual(await reply.json(), {
      ready: false,
      reasons: [{ code: "MODEL_MISSING", message: reason.message, remedy: reason.remedy }],
    });
    await server.stop();
  });

  it("lets an open question end before it stops", async () => {
    const gate = Promise.withResolvers<void>();
    const { url, server } = await serve(appDouble({ pause: () => gate.promise }));
    const reply = await ask(url, { question: "Why is checkout broken?" }, { accept: "text/event-stream" });

    const stopped = server.stop();
    gate.resolve();
    const events = eventsOf(await reply.text());

    assert.equal(events.at(-1)?.event, "answer");
    await stopped;
  });

  it("cuts what does not end in time", async () => {
    const app = appDouble({
      pause: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const { url, server } = await serve(app, { drainMs: 20 });
    const reply = await ask(url, { question: "Why is checkout broken?" }, { accept: "text/event-stream" });

    await server.stop();

    const events = eventsOf(await reply.text());
    assert.equal(lastOf(events).code, "CANCELLED");
  });

  it("logs one line a request without paths, queries or tokens", async () => {
    const lines: string[] = [];
    const note = (fields: object, message: string): void => void lines.push(JSON.stringify({ ...fields, message }));
    const { url, server } = await serve(appDouble(), { token: "s3cret", log: { debug: note, info: note, warn: note, error: note } });
    await fetch(`${url}/api/search?q=private-word`, { headers: { authorization: "Bearer s3cret", "x-request-id": "abc-1" } });
    await server.stop();

    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /"requestId":"abc-1","method":"GET","route":"\/api\/search","status":200/);
    assert.doesNotMatch(lines.join(), /private-word|s3cret/);
  });
});
