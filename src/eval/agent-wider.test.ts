import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { harbour, harbourNow as now, quickWorld } from "../../test/support/quick-world.ts";
import { refusals } from "../core/answer.ts";
import type { AgentWorld } from "./agent-world.ts";

/** Questions beside the commonest ones: counts, filters, comparisons, what is left out, times told by tickets. */
describe("questions that pick, count and compare", () => {
  let world: AgentWorld;
  before(async () => {
    world = await quickWorld(harbour);
  });
  after(() => world[Symbol.dispose]());

  for (const [question, answer] of [
    ["which services have no owner", /^No owner is recorded for label-printer \[1\]\.$/],
    ["besides tariff, what does the gateway need?", /^Service gateway depends on intake-api \[1\]\.$/],
    ["what depends on tariff, apart from the gateway?", /^Service routing depends on tariff \[1\]\.$/],
    ["does anything besides routing and gateway use tariff?", /^Nothing is recorded to depend on tariff besides .*routing/],
    ["any open ticket nobody is assigned to?", /^OPS-30 .*; it is unassigned \[1\]\.$/],
    ["what's the oldest open incident?", /^The oldest of them is OPS-27 /],
    ["which of our incidents took longest?", /^The longest of them is OPS-24 .*, open for 1 day 8 hours/],
    ["which tickets are in progress?", /^OPS-31 (?!.*OPS-30).*OPS-27 /],
    ["how many services depend on postgres-main?", /^3 services depend on postgres-main /],
    [
      "which service has the most dependents?",
      /have the most services that depend on it recorded, 3 each|has the most services that depend on it recorded/,
    ],
    ["who owns the most services?", /^Elif Kaya, Jonas Berg and Okke Koster have the most services recorded, 2 each/],
    ["what was the last thing merged before OPS-31 was opened?", /^Commit 9d41c7e2b .*(?<!5c0e9f7b2.*)$/],
    ["what changed in the 24 hours before OPS-31?", /^Commit 9d41c7e2b /],
    ["which incidents did rabbit cause?", /^OPS-24 .* was caused by rabbit \[1\]\.$/],
    ["what did Jonas break?", /^OPS-31 .* was caused by commit 9d41c7e2b .*, a change by Jonas Berg/],
    ["how long was OPS-22 open?", /^OPS-22 .* was open for 20 hours 40 minutes, from 2026-11-10 13:00 UTC to 2026-11-11 09:40 UTC/],
    ["which is older, OPS-27 or OPS-30?", /^OPS-27 .* is older, opened on 2027-01-20/],
    ["who rolled out routing?", /^Service routing was rolled out with commit 9d41c7e2b .* by Jonas Berg \[1\]/],
    ["who takes the pager for Edge next week?", /^Marta Berg will be on call for Edge/],
    ["which commit ended OPS-22?", /^Commit 4be07f19c .* fixed OPS-22 /],
    ["OPS-29 is a copy of what?", /^OPS-29 .* is a duplicate of OPS-31 /],
    ["what happend to intake-api at 20:41?", /register failed: routing timed out/],
    ["Who opened the ticket about umlauts?", /^Marta Berg reported DEV-81 /],
    ["what depends on tariff and who owns those?", /Jonas Berg owns routing/],
    ["when was OPS-27 fixed?", /fixed OPS-27 .* OPS-27 .* is an open SEV2 incident/],
  ] as const) {
    it(`answers "${question}"`, async () => {
      const said = await world.answer(question, now);

      assert.match(said.answer, answer);
    });
  }

  for (const question of [
    "has 9d41c7e2b been rolled back?",
    "what was rolled back this week?",
    "who is Ilse Berg?",
    "what did commit deadbee change?",
    "why was the gateway reverted?",
    "which commit broke ledger?",
    "which tickets about dragons are open?",
    "what else broke besides intake-api?",
    "what changed since the last full moon?",
    "why did Elif leave?",
  ]) {
    it(`refuses "${question}"`, async () => {
      const said = await world.answer(question, now);

      assert.equal(said.answer, refusals.insufficient);
    });
  }

  it("tells a cause first, and in at most four sentences", async () => {
    const { answer } = await world.answer("Why is intake-api down?", now);

    assert.match(answer, /^OPS-31 .* was caused by commit 9d41c7e2b .*, which modified routing \[/);
    assert.ok(answer.split(/(?<=\])\. /).length <= 4, answer);
  });
});
