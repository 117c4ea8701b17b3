import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silent } from "../core/connector.ts";
import type { ContextError } from "../core/errors.ts";
import { noSpans } from "../core/spans.ts";
import { configuredTelemetry } from "./configured.ts";
import { createExporter, type ExporterOptions } from "./exporter.ts";
import type { EndedSpan } from "./tracer.ts";

function span(name: string): EndedSpan {
  return {
    traceId: "1".repeat(32),
    spanId: "2".repeat(16),
    parentId: null,
    name,
    kind: "internal",
    start: 1767225600000.25,
    end: 1767225600001.5,
    attributes: { count: 3, share: 0.5, list: ["a"], yes: true },
    error: null,
  };
}

/** A collector that answers with each of these in turn, then 200; names of spans by request. */
function collector(replies: readonly (number | "away")[]): {
  readonly fetch: typeof fetch;
  readonly sent: string[][];
  readonly bodies: unknown[];
} {
  const sent: string[][] = [];
  const bodies: unknown[] = [];
  const fake = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init?.body)) as { resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[] };
    bodies.push(body);
    sent.push(body.resourceSpans[0]?.scopeSpans[0]?.spans.map(({ name }) => name) ?? []);
    const reply = replies[sent.length - 1] ?? 200;
    if (reply === "away") throw new TypeError("fetch failed");
    return new Response(null, { status: reply });
  };
  return { fetch: fake as typeof fetch, sent, bodies };
}

function exporter(fetch: typeof globalThis.fetch, more: Partial<ExporterOptions> = {}) {
  return createExporter({
    url: "http://127.0.0.1:9/v1/traces",
    headers: {},
    resource: { "service.name": "t" },
    version: "1",
    fetch,
    log: silent,
    ...more,
  });
}

describe("the exporter", () => {
  it("writes OTLP's JSON: ids in hex, integers and nanoseconds as strings", async () => {
    const { fetch, bodies } = collector([]);
    const out = exporter(fetch);
    out.add(span("one"));
    await out[Symbol.asyncDispose]();

    assert.deepEqual(bodies, [
      {
        resourceSpans: [
          {
            resource: { attributes: [{ key: "service.name", value: { stringValue: "t" } }] },
            scopeSpans: [
              {
                scope: { name: "contextd", version: "1" },
                spans: [
                  {
                    traceId: "1".repeat(32),
                    spanId: "2".repeat(16),
                    name: "one",
                    kind: 1,
                    startTimeUnixNano: "1767225600000250000",
                    endTimeUnixNano: "1767225600001500000",
                    attributes: [
                      { key: "count", value: { intValue: "3" } },
                      { key: "share", value: { doubleValue: 0.5 } },
                      { key: "list", value: { arrayValue: { values: [{ stringValue: "a" }] } } },
                      { key: "yes", value: { boolValue: true } },
                    ],
                    status: {},
                  },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it("sends by itself after a while, and again after a pause where the collector was away", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { fetch, sent } = collector(["away", 503]);
    const warned: string[] = [];
    const out = exporter(fetch, { everyMs: 1_000, log: { ...silent, warn: (_fields, message) => void warned.push(message) } });
    const after = async (ms: number): Promise<number> => {
      t.mock.timers.tick(ms);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return sent.length;
    };

    out.add(span("one"));
    assert.equal(await after(999), 0);
    assert.equal(await after(1), 1);
    assert.equal(await after(1_999), 1);
    assert.equal(await after(1), 2);
    assert.equal(await after(4_000), 3);

    assert.deepEqual(sent, [["one"], ["one"], ["one"]]);
    assert.equal(warned.length, 1);
    assert.equal(await after(60_000), 3);
  });

  it("drops what the collector refuses, and goes on", async () => {
    const { fetch, sent } = collector([400]);
    const out = exporter(fetch);
    for (let n = 0; n < 513; n += 1) out.add(span(`span ${n}`));
    await out[Symbol.asyncDispose]();

    assert.deepEqual(
      sent.map(({ length }) => length),
      [512, 1],
    );
  });

  it("holds a bounded number while nobody takes them", async () => {
    const { fetch, sent } = collector([]);
    const out = exporter(fetch);
    for (let n = 0; n < 10_000; n += 1) out.add(span(`span ${n}`));
    await out[Symbol.asyncDispose]();

    assert.equal(sent.flat().length, 4_096);
    assert.equal(sent[0]?.[0], "span 0");
  });

  it("gives up at the end when the collector hangs", async () => {
    const hangs = ((_url: unknown, init?: RequestInit) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)))) as typeof fetch;
    const out = exporter(hangs, { lastMs: 5 });
    out.add(span("one"));

    await out[Symbol.asyncDispose]();
  });
});

describe("tracing as configured", () => {
  const parts = {
    log: silent,
    version: "1",
    now: () => new Date(0),
    clock: () => 0,
    randomHex: (bytes: number) => "ab".repeat(bytes),
  };
  const config = { headers: {}, content: false };

  async function posted(env: Record<string, string>, manifest: Parameters<typeof configuredTelemetry>[0] = config) {
    const seen: { url: string; headers: unknown; body: string }[] = [];
    const fake = (async (url: string, init: RequestInit) => {
      seen.push({ url, headers: init.headers, body: String(init.body) });
      return new Response(null);
    }) as unknown as typeof fetch;
    const telemetry = configuredTelemetry(manifest, env, { ...parts, fetch: fake });
    await telemetry.spans.during("x", {}, async () => 1);
    await telemetry[Symbol.asyncDispose]();
    return { spans: telemetry.spans, seen };
  }

  it("is off without an endpoint, or where OpenTelemetry is disabled", async () => {
    assert.equal((await posted({})).spans, noSpans);
    assert.equal((await posted({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" })).spans, noSpans);
  });

  it("reads OpenTelemetry's variables, which win over the manifest", async () => {
    const { seen } = await posted(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/base/",
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b, broken",
        OTEL_SERVICE_NAME: "ctx",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod",
      },
      { ...config, otlpEndpoint: "http://127.0.0.1:4318" },
    );

    assert.equal(seen[0]?.url, "https://collector.example/base/v1/traces");
    assert.deepEqual(seen[0]?.headers, { "content-type": "application/json", "x-key": "a b" });
    assert.match(seen[0]?.body ?? "", /"service\.name","value":\{"stringValue":"ctx"\}.*"deployment\.environment\.name"/);
  });

  it("refuses an address that is none, and a key that would travel in the clear", () => {
    const make = (env: Record<string, string>) => () => configuredTelemetry(config, env, { ...parts, fetch });
    assert.throws(make({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }), (error: ContextError) => error.code === "CONFIG_INVALID");
    assert.throws(
      make({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318", OTEL_EXPORTER_OTLP_HEADERS: "x-key=a" }),
      (error: ContextError) => error.code === "CONFIG_INVALID",
    );
  });
});
