import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FakeReply, type FakeRequest, startFakeOpenAi } from "../../test/fakes/openai.ts";
import { askOnce, gathering, smallWorld } from "../../test/support/small-world.ts";
import { refusals, type Statement } from "../core/answer.ts";
import { openAiComplete } from "../llm/openai.ts";

const body = "/services/redis @org/kappa";
const fact: Statement = {
  text: "Redis is owned by team Kappa.",
  spans: [{ record: "documents:CODEOWNERS", start: 0, end: body.length }],
  confidence: 1,
  from: "edges",
};
const planned = "Redis is owned by team Kappa [1].";

function isJudge(request: FakeRequest): boolean {
  return (request.messages[0]?.content ?? "").includes("check an answer");
}

async function against(write: FakeReply, judge: FakeReply, facts: readonly Statement[] = [fact]) {
  await using fake = await startFakeOpenAi((request) => (isJudge(request) ? judge : write));
  const { deps } = smallWorld({ CODEOWNERS: body });
  const complete = openAiComplete({ baseUrl: fake.url, apiKey: "k", models: { cheap: "small", frontier: "big" }, timeoutMs: 5_000 });
  const asked = await askOnce({ ...deps, complete, agent: gathering(facts) }, "Who owns Redis?");
  return { ...asked, requests: [...fake.requests] };
}

const faithful: FakeReply = { text: '{"verdict": "FAITHFUL", "claims": []}' };

describe("what the graph holds, where the model does not get through", () => {
  for (const [what, write, judge] of [
    ["cites nothing", { text: "Redis is owned by some team." }, faithful],
    ["writes what no source holds", { text: "Elephants dance in the cellar every night [1]." }, faithful],
    ["is never believed by the judge", { text: "Team Kappa owns Redis [1]." }, { text: "HALLUCINATION" }],
    ["finds no answer", { text: "INSUFFICIENT" }, faithful],
  ] as const) {
    it(`answers when the model ${what}, and the trace says so`, async () => {
      const { answer } = await against(write, judge);

      assert.equal(answer.status, "answered");
      assert.equal(answer.answer, planned);
      assert.deepEqual(
        answer.trace.degraded?.map(({ code }) => code),
        ["LLM_BAD_REPLY"],
      );
      assert.ok(answer.trace.retries <= 1);
    });
  }

  it("answers when the model's corrected draft is not believed by the judge", async () => {
    const draft = "Team Kappa owns Redis [1]. It has owned it since 1999 [1].";
    const { answer } = await against({ text: draft }, { text: "HALLUCINATION" });

    assert.equal(answer.answer, planned);
    const path = answer.trace.stages.map(({ name, detail }) => `${name}${detail.ok ? "+" : "-"}`);
    assert.deepEqual(path.slice(-7), ["correct+", "verify+", "judge-", "planner+", "cite+", "verify+", "judge+"]);
  });

  it("costs no call of the model in the second round", async () => {
    const { requests } = await against({ text: "Redis is owned by some team." }, faithful);

    assert.equal(requests.length, 1);
  });

  it("is not there for what only a text could say: two failed rounds are refused", async () => {
    const { answer } = await against({ text: "Team Kappa owns Redis [1]." }, { text: "HALLUCINATION" }, []);

    assert.equal(answer.answer, refusals.unverified);
  });
});
