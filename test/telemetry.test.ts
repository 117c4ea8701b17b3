import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { openApp } from "../src/app.ts";
import { Answer } from "../src/core/answer.ts";
import type { App } from "../src/core/app.ts";
import { silent } from "../src/core/connector.ts";
import { startFakeOpenAi } from "./fakes/openai.ts";
import { FakeServer, type Reply, type Seen } from "./fakes/server.ts";
import { testServer } from "./support/server.ts";

const world = fileURLToPath(new URL("../data/sample/world", import.meta.url));
const QUESTION = "Who owns checkout-api?";
const caller = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };

const Value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }) }),
]);
const KeyValue = z.strictObject({ key: z.string().min(1), value: Value });
const Span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.union([z.literal(1), z.literal(3)]),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: z.array(KeyValue),
  status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
});
type Span = z.infer<typeof Span>;
const Body = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(KeyValue) }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(Span) })),
    }),
  ),
});

/** An OpenTelemetry collector as far as traces go: takes OTLP's JSON over HTTP and nothing else. */
class Collector extends FakeServer {
  readonly bodies: string[] = [];

  protected answer({ method, path, headers, body }: Seen): Reply | null {
    if (method !== "POST" || path !== "/v1/traces" || headers["content-type"] !== "application/json") return null;
    this.bodies.push(body);
    return { status: 200, headers: { "content-type": "application/json" }, body: '{"partialSuccess":{}}' };
  }

  get spans(): Span[] {
    return this.bodies.flatMap((body) =>
      Body.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }
}

function of(span: Span | undefined, key: string): string | number | boolean | undefined {
  const value = span?.attributes.find((one) => one.key === key)?.value ?? {};
  return Object.values(value)[0] as string | undefined;
}

describe("traces of the daemon", () => {
  const folder = mkdtempSync(join(tmpdir(), "contextd-telemetry-"));
  before(() => {
    writeFileSync(
      join(folder, "manifest.json"),
      JSON.stringify({
        name: "sample",
        now: "2026-03-12T02:10:00Z",
        sources: [{ kind: "records", path: world }],
        models: { embedding: "bundled", reranker: "none" },
      }),
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  function open(name: string, env: Record<string, string>): Promise<App> {
    const dataDir = join(folder, name);
    return openApp({ manifest: join(folder, "manifest.json"), dataDir, write: true, env, version: "1.2.3", log: silent });
  }

  async function index(app: App): Promise<void> {
    const run = app.index({ signal: new AbortController().signal });
    while (!(await run.next()).done);
  }

  async function ask(app: App, headers: Record<string, string> = {}): Promise<Answer> {
    const server = testServer(app);
    const { url } = await server.start();
    try {
      const reply = await fetch(`${url}/api/ask`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ question: QUESTION }),
      });
      return Answer.parse(await reply.json());
    } finally {
      await server.stop();
    }
  }

  it("show a question under its caller, its stages, tool calls and model calls with their tokens, and no text", async () => {
    await using collector = await new Collector().start();
    await using model = await startFakeOpenAi([
      { toolCalls: [{ name: "get_dependencies", arguments: '{"service":"checkout-api","direction":"upstream","hops":1}' }] },
      { text: "DONE" },
      { status: 401 },
    ]);
    const collecting = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const indexer = await open("tree", collecting);
    await index(indexer);
    await indexer[Symbol.asyncDispose]();
    const app = await open("tree", { ...collecting, CONTEXTD_LLM_BASE_URL: model.url, OPENAI_API_KEY: "sk-private" });
    const answer = await ask(app, { traceparent: `00-${caller.traceId}-${caller.spanId}-01` });
    await app[Symbol.asyncDispose]();

    const spans = collector.spans;
    const question = spans.find(({ name }) => name === "invoke_agent contextd");
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const parent = (span: Span): string => byId.get(span.parentSpanId ?? "")?.name ?? "none";
    const ofQuestion = spans.filter(({ traceId }) => traceId === caller.traceId);
    assert.equal(question?.parentSpanId, caller.spanId);
    assert.deepEqual(
      answer.trace.stages.map(({ name }) => `answer ${name}`),
      ofQuestion.filter((span) => span.name.startsWith("answer ") && of(span, "contextd.stage.skipped") !== true).map(({ name }) => name),
    );
    assert.deepEqual(
      ofQuestion
        .filter(({ name }) => name.startsWith("execute_tool "))
        .map((span) => [span.name, of(span, "gen_ai.tool.name"), parent(span)]),
      answer.toolCalls.map(({ tool }) => [`execute_tool ${tool}`, tool, "answer retrieve"]),
    );
    const chats = ofQuestion.filter(({ name }) => name.startsWith("chat "));
    assert.deepEqual(
      chats.map((span) => [parent(span), span.kind, of(span, "contextd.llm.purpose"), of(span, "error.type")]),
      [
        ["answer retrieve", 3, "agent", undefined],
        ["answer retrieve", 3, "agent", undefined],
        ["answer generate", 3, "answer", "LLM_UNAUTHORIZED"],
      ],
    );
    assert.ok(Number(of(chats[0], "gen_ai.usage.input_tokens")) > 0);
    const sum = (key: string): number => chats.reduce((total, span) => total + Number(of(span, key) ?? 0), 0);
    for (const key of ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"]) assert.equal(Number(of(question, key)), sum(key));
    assert.equal(of(question, "contextd.answer.status"), "answered");
    assert.equal(of(question, "contextd.answer.id"), answer.id);
    for (const span of ofQuestion) {
      const above = byId.get(span.parentSpanId ?? "");
      const [from, to] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
      assert.ok(from <= to);
      if (above !== undefined) assert.ok(BigInt(above.startTimeUnixNano) <= from && to <= BigInt(above.endTimeUnixNano), span.name);
    }
    const run = spans.find(({ name }) => name === "index run");
    const steps = spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId).map(({ name }) => name.split(" ")[1]);
    for (const step of ["pull", "fold", "extract", "flush"]) assert.ok(steps.includes(step), step);
    assert.equal(
      of(
        spans.find(({ name }) => name.startsWith("embeddings ")),
        "gen_ai.operation.name",
      ),
      "embeddings",
    );
    assert.doesNotMatch(collector.bodies.join(""), /checkout|sk-private|Who owns/i);
    assert.deepEqual(collector.unexpected, []);
  });

  it("hold the question and the answer only when told to", async () => {
    await using collector = await new Collector().start();
    writeFileSync(
      join(folder, "content.json"),
      JSON.stringify({
        name: "sample",
        now: "2026-03-12T02:10:00Z",
        sources: [{ kind: "records", path: world }],
        models: { embedding: "bundled", reranker: "none" },
        telemetry: { otlpEndpoint: collector.url, content: true },
      }),
    );
    const app = await openApp({
      manifest: join(folder, "content.json"),
      dataDir: join(folder, "tree"),
      write: true,
      env: {},
      version: "1.2.3",
      log: silent,
    });
    const answer = await ask(app);
    await app[Symbol.asyncDispose]();

    const question = collector.spans.find(({ name }) => name === "invoke_agent contextd");
    assert.equal(question?.parentSpanId, undefined);
    assert.deepEqual(JSON.parse(String(of(question, "gen_ai.input.messages"))), [
      { role: "user", parts: [{ type: "text", content: QUESTION }] },
    ]);
    assert.deepEqual(JSON.parse(String(of(question, "gen_ai.output.messages"))), [
      { role: "assistant", parts: [{ type: "text", content: answer.answer }] },
    ]);
  });

  it("cost a question nothing when the collector is away, and end with the daemon", async () => {
    const app = await open("tree", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    const answer = await ask(app);
    await app[Symbol.asyncDispose]();

    assert.equal(answer.status, "answered");
    assert.equal(answer.trace.degraded, undefined);
  });
});
