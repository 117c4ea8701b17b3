import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ContextError } from "../core/errors.ts";
import type { Complete, CompleteOptions } from "../core/llm.ts";
import { withBudget } from "./budget.ts";
import { withCache } from "./cache.ts";
import { costOf, priceOf } from "./prices.ts";
import { withRetry } from "./retry.ts";

const ask: CompleteOptions = { tier: "cheap", purpose: "extract", messages: [{ role: "user", content: "x".repeat(300) }], maxTokens: 100 };
const never = new AbortController().signal;
const now = (): Date => new Date("2026-03-12T02:10:00Z");

function replying(...replies: (string | ContextError)[]): Complete & { calls: number } {
  const complete = async (options: CompleteOptions) => {
    const reply = replies[Math.min(complete.calls, replies.length - 1)];
    complete.calls += 1;
    if (reply instanceof ContextError) throw reply;
    options.onToken?.(reply ?? "");
    return { text: reply ?? "", toolRequests: [], usage: { model: "really-answered", inputTokens: 10, outputTokens: 5, costUsd: 0.001 } };
  };
  complete.calls = 0;
  return complete;
}

const limited = (ms: number): ContextError => new ContextError("LLM_RATE_LIMITED", "429", { detail: { retryAfterMs: ms } });

describe("withRetry", () => {
  it("waits as long as the server asks, then succeeds", async () => {
    const inner = replying(limited(1_500), "ok");
    const waits: number[] = [];
    const complete = withRetry(inner, { random: () => 0.5, sleep: async (ms) => void waits.push(ms) });

    assert.equal((await complete(ask, never)).text, "ok");
    assert.deepEqual(waits, [1_500]);
  });

  it("gives up at once when the server asks for more than the bound", async () => {
    const inner = replying(limited(60_000), "ok");
    const complete = withRetry(inner, { random: () => 0, sleep: async () => assert.fail("waited") });

    await assert.rejects(complete(ask, never), { code: "LLM_RATE_LIMITED" });
    assert.equal(inner.calls, 1);
  });

  it("waits longer each time and stops after the third call", async () => {
    const inner = replying(new ContextError("LLM_UNAVAILABLE", "503"));
    const waits: number[] = [];
    const complete = withRetry(inner, { random: () => 1, sleep: async (ms) => void waits.push(ms) });

    await assert.rejects(complete(ask, never), { code: "LLM_UNAVAILABLE" });
    assert.equal(inner.calls, 3);
    assert.deepEqual(waits, [500, 1_000]);
  });

  for (const [code, detail] of [
    ["LLM_UNAUTHORIZED", {}],
    ["LLM_BAD_REPLY", {}],
    ["LLM_UNAVAILABLE", { timeout: true }],
  ] as const) {
    it(`does not repeat ${code} ${JSON.stringify(detail)}`, async () => {
      const inner = replying(new ContextError(code, "no", { detail }), "ok");
      const complete = withRetry(inner, { random: () => 0, sleep: async () => {} });

      await assert.rejects(complete(ask, never), { code });
      assert.equal(inner.calls, 1);
    });
  }

  it("does not repeat once text was streamed", async () => {
    let calls = 0;
    const complete = withRetry(
      async (options) => {
        calls += 1;
        options.onToken?.("The cause");
        throw new ContextError("LLM_UNAVAILABLE", "broke off");
      },
      { random: () => 0, sleep: async () => {} },
    );

    await assert.rejects(complete({ ...ask, onToken: () => {} }, never), { code: "LLM_UNAVAILABLE" });
    assert.equal(calls, 1);
  });
});

describe("withCache", () => {
  function memory() {
    const rows = new Map<string, { reply: string; model: string }>();
    return {
      rows,
      cached: (key: string) => rows.get(key)?.reply ?? null,
      cache: (key: string, reply: string, model: string) => void rows.set(key, { reply, model }),
    };
  }

  it("serves the same question again for nothing, under the name of the model that wrote it", async () => {
    const table = memory();
    const inner = replying("first", "second");
    const complete = withCache(inner, { table, identity: () => "asked-for", version: "1", now });
    await complete(ask, never);

    const again = await complete(ask, never);

    assert.equal(again.text, "first");
    assert.deepEqual(again.usage, { model: "really-answered", inputTokens: 0, outputTokens: 0, costUsd: 0 });
    assert.equal([...table.rows.values()][0]?.model, "really-answered");
    assert.equal(inner.calls, 1);
  });

  it("streams a reply that it kept in one piece", async () => {
    const complete = withCache(replying("first"), { table: memory(), identity: () => "a", version: "1", now });
    await complete(ask, never);
    const streamed: string[] = [];

    await complete({ ...ask, onToken: (text) => void streamed.push(text) }, never);

    assert.deepEqual(streamed, ["first"]);
  });

  it("asks again when model, prompt version, prompt, limit, purpose or tools differ", async () => {
    const table = memory();
    const inner = replying("reply");
    const complete = (identity: string, version: string) => withCache(inner, { table, identity: () => identity, version, now });
    await complete("a", "1")(ask, never);
    await complete("b", "1")(ask, never);
    await complete("a", "2")(ask, never);
    await complete("a", "1")({ ...ask, maxTokens: 101 }, never);
    await complete("a", "1")({ ...ask, purpose: "judge" }, never);
    await complete("a", "1")({ ...ask, messages: [{ role: "user", content: "y" }] }, never);
    await complete("a", "1")({ ...ask, tools: [{ name: "t", description: "", parameters: {} }] }, never);

    await complete("a", "1")({ ...ask, tools: [{ name: "u", description: "", parameters: {} }] }, never);

    assert.equal(inner.calls, 8);
  });

  it("keeps no failure", async () => {
    const table = memory();
    const inner = replying(new ContextError("LLM_BAD_REPLY", "bad"), "good");
    const complete = withCache(inner, { table, identity: () => "a", version: "1", now });
    await assert.rejects(complete(ask, never));

    assert.equal((await complete(ask, never)).text, "good");
  });
});

describe("withBudget", () => {
  function ledger() {
    const booked: { reserved: number; settled: number | null }[] = [];
    return {
      booked,
      reserve: (_run: string | null, _purpose: string, _model: string, usd: number, limits: { perRun: number }) => {
        const spent = booked.reduce((sum, row) => sum + (row.settled ?? row.reserved), 0);
        if (spent + usd > limits.perRun) throw new ContextError("LLM_BUDGET", "over");
        return booked.push({ reserved: usd, settled: null }) - 1;
      },
      settle: (id: number, usage: { costUsd: number }) => {
        const row = booked[id];
        if (row) row.settled = usage.costUsd;
      },
    };
  }
  const price = { input: 10, output: 20 };
  const options = { runId: "r", model: () => "m", price: () => price, now };

  it("reserves the most the call can cost and settles what it did cost", async () => {
    const book = ledger();
    const complete = withBudget(replying("ok"), { ...options, ledger: book, limits: { perRun: 1, perDay: 1 } });

    await complete(ask, never);

    assert.deepEqual(book.booked, [{ reserved: (100 * 10 + 100 * 20) / 1e6, settled: 0.001 }]);
  });

  it("does not call when parallel calls would overrun the limit together", async () => {
    const book = ledger();
    const inner = replying("ok");
    const complete = withBudget(inner, { ...options, ledger: book, limits: { perRun: 0.005, perDay: 1 } });

    const results = await Promise.allSettled([complete(ask, never), complete(ask, never)]);

    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
    assert.equal(inner.calls, 1);
  });

  it("frees what a refused call had reserved, and keeps booked what may have been billed", async () => {
    for (const [error, kept] of [
      [new ContextError("LLM_UNAUTHORIZED", "401"), 0],
      [new ContextError("LLM_UNAVAILABLE", "hang", { detail: { timeout: true } }), 0.003],
      [new ContextError("CANCELLED", "stopped"), 0.003],
      [new ContextError("LLM_BAD_REPLY", "no JSON"), 0.003],
    ] as const) {
      const book = ledger();
      const complete = withBudget(replying(error), { ...options, ledger: book, limits: { perRun: 1, perDay: 1 } });
      await assert.rejects(complete(ask, never));
      assert.equal(book.booked[0]?.settled, kept);
    }
  });
});

describe("priceOf", () => {
  it("takes the longest known prefix, and overrides before the list", () => {
    assert.deepEqual(priceOf("gpt-4o-mini-2024-07-18"), { input: 0.15, output: 0.6 });
    assert.deepEqual(priceOf("openai/gpt-4o"), { input: 2.5, output: 10 });
    assert.deepEqual(priceOf("gpt-4o", { "gpt-4o": { input: 1, output: 1 } }), { input: 1, output: 1 });
    assert.deepEqual(priceOf("azure/gpt-4o", { "azure/gpt": { input: 3, output: 3 } }), { input: 3, output: 3 });
    assert.equal(costOf({ input: 1, output: 2 }, 1_000_000, 500_000), 2);
  });
});
