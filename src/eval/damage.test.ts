import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Damage, damaged, plainDamages, quotable, right, type Source, type Written } from "./damage.ts";
import { randomFrom } from "./random.ts";

const sources: Source[] = [
  {
    n: 1,
    title: "Relay runbook",
    text: "The relay accepts 480 writers and was moved to Lisbon on 4 May 2025. Ann Porter restarts parcel-relay after each failed deploy. Its buffer holds 30 minutes of traffic from the Harbour Exchange.",
  },
  {
    n: 2,
    title: "Review of the outage",
    text: "The outage of March began when Boris Lund raised the limit of ledger-db to 700 sessions. Nobody at Tidewater Freight saw the alarm for 25 minutes. A drill in 2024 had shown the same gap.",
  },
  {
    n: 3,
    title: "Glossary",
    text: "A cart is what a shopper fills before paying. A receipt is printed by the till once the charge has gone through.",
  },
];

/** Every outcome of a kind of damage over many seeds, with the sentence that it was made from. */
function outcomes(kind: Damage): { base: Written; spoilt: Written }[] {
  const found: { base: Written; spoilt: Written }[] = [];
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = randomFrom(seed);
    const base = right(sources[seed % 2] as Source, random);
    const spoilt = base === null ? null : damaged(kind, base, sources, random);
    if (base !== null && spoilt !== null) found.push({ base, spoilt });
  }
  return found;
}

const sourceText = (n: number | undefined): string => sources.find((source) => source.n === n)?.text ?? "";

describe("a damaged answer", () => {
  for (const kind of plainDamages) {
    it(`of the kind ${kind} is another sentence or cites something else, and says so`, () => {
      const all = outcomes(kind);

      assert.ok(all.length > 50, `only ${all.length} sentences could be spoilt`);
      for (const { base, spoilt } of all) {
        assert.equal(base.damage, null);
        assert.equal(spoilt.damage, kind);
        assert.notDeepEqual([spoilt.text, spoilt.cites], [base.text, base.cites]);
      }
    });
  }

  it("has a number that its sentence did not have, and all else as it was", () => {
    for (const { base, spoilt } of outcomes("number")) {
      const numbers = (text: string): string => text.replace(/[^\d\s:.-]/g, "");
      assert.notEqual(numbers(spoilt.text), numbers(base.text), spoilt.text);
      assert.equal(spoilt.text.replace(/[\d\s:-]+/g, ""), base.text.replace(/[\d\s:-]+/g, ""), spoilt.text);
      assert.ok(!sourceText(base.cites[0]).includes(spoilt.text));
    }
  });

  it("has names of the sources and names that none holds, never one that stood there", () => {
    const all = outcomes("name");
    const held = sources.map(({ text }) => text).join(" ");
    const strange = all.filter(({ spoilt }) =>
      spoilt.text.split(/[^\p{L}_-]+/u).some((word) => /\p{Lu}|[-_]/u.test(word) && !held.includes(word)),
    );

    assert.ok(strange.length > 5 && strange.length < all.length / 2, `${strange.length} of ${all.length}`);
    for (const { spoilt } of all) assert.ok(!held.includes(spoilt.text), spoilt.text);
  });

  it("cites a source that is not there, or one that does not say it", () => {
    for (const { spoilt } of outcomes("inventedCitation")) assert.ok((spoilt.cites[0] ?? 0) > sources.length);
    for (const { base, spoilt } of outcomes("wrongCitation")) {
      assert.equal(spoilt.text, base.text);
      assert.ok(!sourceText(spoilt.cites[0]).includes(base.text));
    }
  });

  it("keeps a true half beside a false one, or is a summary that nothing states", () => {
    for (const { base, spoilt } of outcomes("halfTrue")) assert.ok(spoilt.text.startsWith(base.text.replace(/[.!]$/, "")));
    for (const { spoilt } of outcomes("summary")) assert.ok(!sources.some(({ text }) => text.includes(spoilt.text)));
  });

  it("is the same for the same seed", () => {
    assert.deepEqual(outcomes("name"), outcomes("name"));
  });
});

describe("a right answer", () => {
  it("is a quote, or a quote with a lead-in, another date form or unit, or its clauses turned", () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 200; seed += 1) {
      const written = right(sources[0] as Source, randomFrom(seed));
      assert.ok(written !== null && written.damage === null);
      seen.add(
        quotable(sources[0] as Source).includes(written.text) ? "quote" : written.text.startsWith("According") ? "lead-in" : "other",
      );
    }
    assert.deepEqual([...seen].sort(), ["lead-in", "other", "quote"]);
  });
});
