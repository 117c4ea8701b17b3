import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { quickWorld } from "../../test/support/quick-world.ts";
import { sharedPath } from "../../test/support/shared.ts";
import type { AgentWorld } from "./agent-world.ts";

const folder = sharedPath("data", "world-otel-demo");
const absent = folder === null && process.env.CI !== "true" ? "shared data is absent" : false;
const now = new Date("2026-08-20T23:00:00Z");

describe("questions about pull requests, words only", { skip: absent }, () => {
  let world: AgentWorld;
  before(async () => {
    world = await quickWorld(folder ?? "");
  });
  after(() => world[Symbol.dispose]());

  for (const [question, expected] of [
    [
      "Which commit came with PR #3870?",
      /^Pull request #3870 \(\[chore\] update collector\) was merged as commit 18f4ce5b1 .* on 2026-08-20 08:52 UTC/,
    ],
    ["Who opened pull request 3882?", /^Lucía Ortega opened pull request #3882/],
    ["Is PR #3879 merged?", /^Pull request #3879 \(shipping: retry quote lookups once\) by Anna Kowalczyk is open/],
    ["What does pull request #3881 do?", /The 20M limit leaves no room for the OTLP export queue/],
    ["Which pull request introduced the scheduler of flagd-ui?", /^Commit 52af62266 .* came with pull request #3810/s],
    [
      "Which pull request introduced the checkout outage?",
      /^INC-201 .* was caused by commit 18f4ce5b1 .*Commit 18f4ce5b1 came with pull request #3870/s,
    ],
  ] as const) {
    it(`answers "${question}"`, async () => {
      assert.match((await world.answer(question, now)).answer, expected);
    });
  }

  for (const question of ["What is pull request 9999?", "Who reviewed pull request #3870?", "Which commit came with PR #9999?"]) {
    it(`refuses "${question}"`, async () => {
      assert.equal((await world.answer(question, now)).refusal, "insufficient");
    });
  }
});
