import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { harbour, harbourNow as now, quickWorld } from "../../test/support/quick-world.ts";
import { createConversations } from "../agent/conversation.ts";
import type { AgentWorld } from "./agent-world.ts";

describe("follow-up questions", () => {
  let world: AgentWorld;
  before(async () => {
    world = await quickWorld(harbour);
  });
  after(() => world[Symbol.dispose]());

  const dialogues: readonly (readonly [string, string, string])[] = [
    ["Who owns tariff?", "and who was it before?", "Who owned tariff before?"],
    ["Who owns tariff?", "And the ledger?", "Who owns ledger?"],
    ["Who owns tariff?", "what does it depend on?", "What does tariff depend on?"],
    ["Why is intake-api down?", "what about its dependencies?", "Intake-api's dependencies?"],
    ["Is OPS-27 open?", "who is assigned to it?", "Who is assigned to OPS-27?"],
    ["What changed in routing in the last 48 hours?", "and in the last week?", "What changed in routing in the last week?"],
    ["What is Priya Nair working on?", "and which services does she own?", "which services does Priya Nair own?"],
    ["Who owns tariff?", "What is a waybill?", "What is a waybill?"],
    ["Who owns tariff?", "Which incidents are open for the gateway right now?", "Which incidents are open for the gateway right now?"],
  ];
  for (const [first, second, expected] of dialogues) {
    it(`reads "${second}" after "${first}" as "${expected}"`, () => {
      const conversations = createConversations({ graph: world.graph, clock: () => 0 });
      conversations.resolve("a", first, now);

      assert.equal(conversations.resolve("a", second, now), expected);
    });
  }

  it("answers a follow-up from what it refers to", async () => {
    const conversations = createConversations({ graph: world.graph, clock: () => 0 });
    conversations.resolve("a", "Who owns the price service?", now);
    const { answer } = await world.answer(conversations.resolve("a", "and who was it before?", now), now);

    assert.match(answer, /Jonas Berg owned tariff until 2027-02-01/);
  });

  it("keeps sessions apart, forgets the oldest, and forgets in time", () => {
    let time = 0;
    const conversations = createConversations({ graph: world.graph, clock: () => time, sessions: 2, keepMs: 1000 });
    conversations.resolve("a", "Who owns tariff?", now);
    assert.equal(conversations.resolve("b", "and who was it before?", now), "and who was it before?");
    conversations.resolve("c", "Who owns ledger?", now);
    assert.equal(conversations.resolve("a", "and who was it before?", now), "and who was it before?");
    time = 2000;
    assert.equal(conversations.resolve("c", "and who was it before?", now), "and who was it before?");
  });
});
