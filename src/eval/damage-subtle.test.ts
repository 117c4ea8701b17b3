import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type SubtleDamage, subtleDamages, subtly } from "./damage-subtle.ts";
import { randomFrom } from "./random.ts";

const own =
  "The relay was moved to Lisbon in May 2025. Boris Lund opened the gate for Ann Porter. The roof leaked for 30 minutes. The roof had leaked for 45 minutes before.";
const others = ["The harbour crane was painted green by the night crew. The crane is oiled on Fridays."];

/** All that a sentence is turned into over many seeds; null where it is left as it is. */
function turned(damage: SubtleDamage, text: string): Set<string | null> {
  const seeds = Array.from({ length: 60 }, (_, seed) => seed + 1);
  return new Set(seeds.map((seed) => subtly(damage, text, { own, others, random: randomFrom(seed) })));
}

describe("a sentence spoilt with words that fit", () => {
  const cases: readonly (readonly [SubtleDamage, string, string])[] = [
    ["unit", "The buffer holds 30 minutes of traffic.", "The buffer holds 30 hours of traffic."],
    ["negation", "The relay was moved by hand.", "The relay was not moved by hand."],
    ["negation", "The relay was not moved by hand.", "The relay was moved by hand."],
    ["negation", "The relay cannot be moved.", "The relay can be moved."],
    ["roles", "Boris Lund opened the gate for Ann Porter.", "Ann Porter opened the gate for Boris Lund."],
    ["scope", "The gate is usually shut at night.", "The gate is always shut at night."],
    ["opposite", "The primary node takes writes.", "The secondary node takes writes."],
    ["order", "The pump runs until the valve opens.", "The pump runs since the valve opens."],
    ["merged", "The old relay was moved to Lisbon.", "The old relay was painted green by the night crew."],
    ["certainty", "The relay could be lost.", "The relay is lost."],
    ["certainty", "The relay stays up if the roof holds out.", "The relay stays up."],
  ];
  for (const [damage, text, spoilt] of cases) {
    it(`of the kind ${damage}: "${text}"`, () => {
      assert.deepEqual([...turned(damage, text)], [spoilt]);
    });
  }

  it("of the kind date has another month, day or year", () => {
    const months = turned("date", "The relay was moved in May.");
    const years = turned("date", "The relay was moved in 2025.");

    assert.ok(months.size > 5 && !months.has("The relay was moved in May."));
    for (const text of months) assert.match(text ?? "", /^The relay was moved in [A-Z][a-z]+\.$/);
    for (const text of years) {
      const year = Number(/in (\d{4})\.$/.exec(text ?? "")?.[1]);
      assert.ok(year !== 2025 && Math.abs(year - 2025) <= 9, String(text));
    }
  });

  it("of the kind cause has another sentence of its source as its reason", () => {
    const reasons = turned("cause", "Boris Lund opened the gate for Ann Porter.");

    assert.ok(reasons.has("Boris Lund opened the gate for Ann Porter because the roof leaked for 30 minutes."));
    for (const text of reasons) assert.match(text ?? "", /^Boris Lund opened the gate for Ann Porter because the r/);
  });

  it("of the kind sameSource has a number that its source says of something else", () => {
    assert.deepEqual([...turned("sameSource", "the roof leaked for 30 minutes")].filter(Boolean), ["the roof leaked for 45 minutes"]);
  });

  it("is left alone where there is nothing to spoil", () => {
    for (const damage of subtleDamages) assert.equal(subtly(damage, "Hm.", { own: "", others: [], random: randomFrom(1) }), null, damage);
  });
});
