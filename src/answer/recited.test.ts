import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FakeReply, type FakeScript, startFakeOpenAi } from "../../test/fakes/openai.ts";
import { askOnce, smallWorld } from "../../test/support/small-world.ts";
import { refusals } from "../core/answer.ts";
import type { Chunk, Embedder, Search } from "../core/chunk.ts";
import { terms } from "../core/words.ts";
import { openAiComplete } from "../llm/openai.ts";
import { createVerify } from "../verify/verify.ts";

const texts = {
  "redis.md": "Redis failover is started with the promote command. The Redis failover takes about 40 seconds.",
  "sessions.md": "Redis keeps sessions of the payments service for 30 minutes. The Redis replica is called redis-b.",
};
const question = "How is Redis failover started, and how long are sessions kept?";
const faithful: FakeReply = { text: '{"verdict": "FAITHFUL", "claims": []}' };

/** Words as vectors: enough for near wordings to be near. */
const embedder: Embedder = {
  id: "words",
  dimensions: 64,
  async embed(list) {
    return list.map((text) => {
      const vector = new Float32Array(64);
      for (const term of terms(text)) vector[[...term].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 64, 7)] = 1;
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    });
  },
};

/** What a claim is looked for in beyond what was gathered; counts its searches. */
function beyond(extra: Readonly<Record<string, string>>) {
  const { deps } = smallWorld(extra);
  const queries: string[] = [];
  const found = Object.entries(extra).map(([name, body]): Chunk | null => deps.chunkAt(`documents:${name}`, 0, body.length));
  const search: Search = async (query) => {
    queries.push(query);
    const ranks = { bm25Rank: 1, vectorRank: null, cosine: 0.9, rrf: null, rerank: null, literal: false };
    const passages = found.flatMap((chunk) => (chunk === null ? [] : [{ chunk, edges: [], ranks }]));
    return { query, identifiers: [], missing: [], passages, timings: {} };
  };
  return { search, queries };
}

async function drafted(draft: string, more: { search?: Search; correct?: FakeReply; question?: string } = {}) {
  const script: FakeScript = ({ messages }) => {
    const system = messages[0]?.content ?? "";
    if (system.includes("check an answer")) return faithful;
    return system.includes("Revise only") ? (more.correct ?? { text: "{}" }) : { text: draft };
  };
  await using model = await startFakeOpenAi(script);
  const { deps } = smallWorld(texts);
  const complete = openAiComplete({ baseUrl: model.url, apiKey: "k", models: { cheap: "small", frontier: "big" }, timeoutMs: 5_000 });
  const { search } = more;
  const asked = await askOnce(
    { ...deps, complete, verify: createVerify({ embedder }), ...(search === undefined ? {} : { search }) },
    more.question ?? question,
  );
  return { ...asked, requests: [...model.requests] };
}

/** Title of what each number of the answer stands for, where it stands. */
function cites(answer: string, citations: readonly { readonly n: number; readonly title: string }[]): string {
  return answer.replace(/\[(\d+)\]/g, (_, n) => `[${citations.find((one) => one.n === Number(n))?.title}]`);
}

describe("a sentence that is true and cites the wrong source", () => {
  it("gets the right one of the answer's own sources, word for word as it was, and is verified again", async () => {
    const draft =
      "Redis failover is started with the promote command [1]. Redis keeps sessions of the payments service for 30 minutes [1].";

    const { answer, path, requests } = await drafted(draft);

    assert.equal(
      cites(answer.answer, answer.citations),
      "Redis failover is started with the promote command [redis.md]. Redis keeps sessions of the payments service for 30 minutes [sessions.md].",
    );
    assert.equal(answer.status, "answered");
    assert.deepEqual(path.slice(-4), ["verify-", "correct+", "verify+", "judge+"]);
    assert.ok(!requests.some(({ messages }) => messages[0]?.content?.includes("Revise only")), "no model is needed for it");
    assert.ok(answer.claims.every(({ label }) => label === "SUPPORTED"));
    assert.ok(answer.claims.every((claim) => !("borneBy" in claim)));
  });

  it("gets one of the knowledge base that was not gathered", async () => {
    const { search, queries } = beyond({ "vault.md": "The Vault service rotates the Redis password every 12 hours." });
    const draft =
      "Redis failover is started with the promote command [1]. The Vault service rotates the Redis password every 12 hours [1].";

    const { answer } = await drafted(draft, { search });

    assert.match(cites(answer.answer, answer.citations), /every 12 hours \[vault\.md\]\.$/);
    assert.deepEqual(queries, ["The Vault service rotates the Redis password every 12 hours."]);
  });

  it("is dropped where the other passage may speak of something else: the sentence names nothing", async () => {
    const { search } = beyond({ "kafka.md": "It takes about 90 seconds." });

    const { answer } = await drafted("Redis failover is started with the promote command [1]. It takes about 90 seconds [1].", { search });

    assert.equal(cites(answer.answer, answer.citations), "Redis failover is started with the promote command [redis.md].");
    assert.equal(answer.status, "partial");
  });

  it("stays wrong where no passage bears it, however near they are", async () => {
    const { search } = beyond({ "vault.md": "The Vault service rotates the Redis password every 12 hours." });

    const { answer } = await drafted("The Vault service rotates the Redis password every 24 hours [1].", { search });

    assert.equal(answer.answer, refusals.unverified);
  });

  it("is looked for in no corpus that was not asked, and in bounded number", async () => {
    const { search, queries } = beyond({});
    const filters: unknown[] = [];
    const draft = Array.from(
      { length: 8 },
      (_, n) =>
        `The Vault${n} service rotates password ${n + 100} every ${n + 40} hours, and the Zeta${n} service keeps ${n + 70} of them [1].`,
    ).join(" ");
    const counted: Search = (query, options, signal) => {
      filters.push(options.filter?.corpus);
      return search(query, options, signal);
    };

    await drafted(draft, { search: counted });

    assert.ok(queries.length > 0);
    assert.ok(queries.length <= 16, `${queries.length} searches in two rounds`);
    assert.ok(filters.every((corpus) => corpus === "all"));
  });
});

describe("a second opinion of the model", () => {
  const draft = "The promote command is what starts the Redis failover [1].";

  async function judged(secondOpinion: boolean) {
    await using model = await startFakeOpenAi(({ messages }) => {
      const system = messages[0]?.content ?? "";
      if (system.includes("compare one claim")) return { text: '{"verdict": "contradicted", "why": "it is the demote command"}' };
      return system.includes("check an answer") ? faithful : { text: system.includes("Revise only") ? "{}" : draft };
    });
    const complete = openAiComplete({ baseUrl: model.url, apiKey: "k", models: { cheap: "small", frontier: "big" }, timeoutMs: 5_000 });
    const { deps } = smallWorld(texts);
    const asked = await askOnce({ ...deps, complete, verify: createVerify({ embedder }), secondOpinion }, question);
    return { ...asked, opinions: model.requests.filter(({ messages }) => messages[0]?.content?.includes("compare one claim")) };
  }

  it("is asked of the cheap model where it is configured, and can stop what the rules let through", async () => {
    const { answer, opinions } = await judged(true);

    assert.equal(answer.refusal, "unverified");
    assert.equal(opinions[0]?.model, "small");
  });

  it("is not asked otherwise", async () => {
    const { answer, opinions } = await judged(false);

    assert.equal(answer.answer, draft);
    assert.deepEqual(opinions, []);
  });
});
