import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { type FakeScript, startFakeOpenAi } from "../../test/fakes/openai.ts";
import { ContextError } from "../core/errors.ts";
import type { CompleteOptions } from "../core/llm.ts";
import { openAiComplete } from "./openai.ts";

const ask: CompleteOptions = { tier: "cheap", purpose: "test", messages: [{ role: "user", content: "hello" }], maxTokens: 50 };
const never = new AbortController().signal;

async function against(script: FakeScript, timeoutMs = 5_000) {
  const fake = await startFakeOpenAi(script);
  const complete = openAiComplete({
    baseUrl: fake.url,
    apiKey: "key-1",
    models: { cheap: "small-model", frontier: "gpt-4o" },
    timeoutMs,
    prices: { "small-model": { input: 1, output: 2 } },
  });
  return { fake, complete, [Symbol.asyncDispose]: () => fake.close() };
}

async function failure(script: FakeScript, request: CompleteOptions = ask, timeoutMs = 5_000): Promise<ContextError> {
  await using stage = await against(script, timeoutMs);
  try {
    await stage.complete(request, never);
  } catch (error) {
    assert.ok(error instanceof ContextError, String(error));
    return error;
  }
  return assert.fail("no error was thrown");
}

describe("openAiComplete", () => {
  it("returns text, the model that answered, tokens and cost", async () => {
    await using stage = await against([{ text: "hi there", model: "small-model-2026" }]);

    const reply = await stage.complete(ask, never);

    assert.equal(reply.text, "hi there");
    assert.deepEqual(reply.usage, { model: "small-model-2026", inputTokens: 100, outputTokens: 20, costUsd: (100 * 1 + 20 * 2) / 1e6 });
    assert.equal(stage.fake.requests[0]?.headers.authorization, "Bearer key-1");
    assert.equal(stage.fake.requests[0]?.model, "small-model");
  });

  it("streams the text in the pieces that arrive and returns it whole", async () => {
    await using stage = await against([{ text: "Redis holds sessions [1].", pieceLength: 4 }]);
    const pieces: string[] = [];

    const reply = await stage.complete({ ...ask, onToken: (text) => pieces.push(text) }, never);

    assert.equal(reply.text, "Redis holds sessions [1].");
    assert.equal(pieces.join(""), reply.text);
    assert.ok(pieces.length > 3);
    assert.equal(reply.usage.outputTokens, 20);
  });

  for (const streamed of [false, true]) {
    it(`puts parallel tool calls together ${streamed ? "from streamed pieces" : "from a whole reply"}`, async () => {
      const calls = [
        { name: "get_owner", arguments: '{"service":"checkout-api"}' },
        { name: "get_incidents", arguments: '{"service":"redis"}' },
      ];
      await using stage = await against([{ toolCalls: calls }]);
      const tools = [{ name: "get_owner", description: "d", parameters: { type: "object" } }];

      const reply = await stage.complete({ ...ask, tools, ...(streamed ? { onToken: () => {} } : {}) }, never);

      assert.deepEqual(
        reply.toolRequests.map(({ name, arguments: args }) => ({ name, arguments: args })),
        calls,
      );
      assert.equal(stage.fake.requests[0]?.tools?.[0]?.function.name, "get_owner");
    });
  }

  it("sends a JSON schema where a shape is asked for", async () => {
    await using stage = await against([{ text: '{"ok":true}' }]);

    await stage.complete({ ...ask, schema: { name: "verdict", shape: z.object({ ok: z.boolean() }) } }, never);

    assert.equal(stage.fake.requests[0]?.response_format?.type, "json_schema");
  });

  it("asks again without the schema where a server knows none", async () => {
    await using stage = await against((request) => (request.response_format === undefined ? { text: '{"ok":true}' } : { status: 400 }));

    const reply = await stage.complete({ ...ask, schema: { name: "verdict", shape: z.object({ ok: z.boolean() }) } }, never);

    assert.equal(reply.text, '{"ok":true}');
    assert.equal(stage.fake.requests.length, 2);
  });

  it("maps 401 and 429 with its Retry-After", async () => {
    assert.equal((await failure([{ status: 401 }])).code, "LLM_UNAUTHORIZED");
    const limited = await failure([{ status: 429, retryAfter: 7 }]);
    assert.equal(limited.code, "LLM_RATE_LIMITED");
    assert.equal(limited.detail.retryAfterMs, 7_000);
  });

  it("maps 500 and a closed port to LLM_UNAVAILABLE", async () => {
    assert.equal((await failure([{ status: 500 }])).code, "LLM_UNAVAILABLE");
    const fake = await startFakeOpenAi([]);
    await fake.close();
    const complete = openAiComplete({ baseUrl: fake.url, apiKey: null, models: { cheap: "m", frontier: "m" } });
    await assert.rejects(complete(ask, never), { code: "LLM_UNAVAILABLE" });
  });

  it("maps malformed JSON, a wrong shape, an empty reply and a prompt that is too long to LLM_BAD_REPLY", async () => {
    for (const reply of [{ malformed: true }, { wrongShape: true }, { empty: true }, { contextTooLong: true }] as const) {
      assert.equal((await failure([reply])).code, "LLM_BAD_REPLY", JSON.stringify(reply));
    }
    assert.equal((await failure([{ empty: true }], { ...ask, onToken: () => {} })).code, "LLM_BAD_REPLY");
  });

  it("does not take a stream that breaks off for a whole reply", async () => {
    const error = await failure([{ cutAfter: "The cause was" }], { ...ask, onToken: () => {} });

    assert.equal(error.code, "LLM_UNAVAILABLE");
  });

  it("gives up on an endpoint that hangs, whole or streamed", async () => {
    for (const request of [ask, { ...ask, onToken: () => {} }]) {
      const error = await failure([{ hang: true }], request, 60);
      assert.equal(error.code, "LLM_UNAVAILABLE");
      assert.equal(error.detail.timeout, true);
    }
  });

  it("stops at once when it is aborted, and calls nothing when it was aborted before", async () => {
    await using stage = await against([{ hang: true }]);
    const controller = new AbortController();
    const call = stage.complete(ask, controller.signal);
    controller.abort();
    await assert.rejects(call, { code: "CANCELLED" });

    await assert.rejects(stage.complete(ask, controller.signal), { code: "CANCELLED" });
    assert.ok(stage.fake.requests.length <= 1);
  });
});
