import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { quickWorld } from "../../test/support/quick-world.ts";
import type { AgentWorld } from "./agent-world.ts";

describe("a question put to a time before all records", () => {
  let world: AgentWorld;
  before(async () => {
    world = await quickWorld(fileURLToPath(new URL("../../test/worlds/parcels", import.meta.url)));
  });
  after(() => world[Symbol.dispose]());

  for (const question of ["Which tickets are open?", "Are there any open incidents?", "What is broken right now?", "Any open bugs?"]) {
    it(`finds nothing open, and quotes no later record: "${question}"`, async () => {
      const answer = await world.answer(question, new Date("2020-01-01T00:00:00Z"));

      assert.deepEqual([answer.status, answer.refusal, answer.citations], ["refused", "insufficient", []], answer.answer);
    });
  }
});
