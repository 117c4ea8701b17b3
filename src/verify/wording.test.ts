import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { mismatches, readClaim } from "./agree.ts";
import { align } from "./align.ts";
import { isQuote } from "./check.ts";
import { readEvidence } from "./evidence.ts";
import { loadTagger, type Tagger } from "./grammar.ts";
import { tokensOf } from "./tokens.ts";

let tag: Tagger;
before(async () => {
  tag = await loadTagger();
});

/** What is found against a claim, by kind. */
function against(claim: string, source: string): string[] {
  const tokens = tokensOf(claim);
  const evidence = readEvidence([{ title: "", text: source }]);
  return mismatches(readClaim(claim, tokens, tag(claim)), evidence, align(tokens, evidence)).map(({ kind }) => kind);
}

describe("a claim in the words of its source, in another order", () => {
  it("is stopped where what came before comes after", () => {
    assert.deepEqual(against("The pump was drained after the valve was closed.", "The valve was closed after the pump was drained."), [
      "order",
    ]);
    assert.deepEqual(against("Permits are checked two days after they expire.", "Permits are checked two days before they expire."), [
      "order",
    ]);
    assert.deepEqual(against("The valve was closed before the pump was drained.", "After the valve was closed, the pump was drained."), []);
  });

  it("is stopped where from and to are exchanged", () => {
    assert.deepEqual(against("Output fell from 40 tons to 50 tons.", "Output fell from 50 tons to 40 tons."), ["direction"]);
    assert.deepEqual(against("Output fell to 40 tons from 50 tons.", "Output fell from 50 tons to 40 tons."), []);
  });

  it("is stopped where a value belongs to something else in the same sentence", () => {
    const source = "Filters last for 60 weeks and are cleaned 9 weeks before the audit.";
    assert.deepEqual(against("Filters are cleaned 60 weeks before the audit.", source), ["number"]);
    assert.deepEqual(against("Filters are cleaned 9 weeks before the audit.", source), []);
  });
});

describe("a claim that gives two things each other's part", () => {
  it("is stopped where who acts is acted on", () => {
    const source = "Ola Berg saw the smoke and called the fire crew.";
    assert.deepEqual(against("Ola Berg was called by the fire crew.", source), ["direction"]);
    assert.deepEqual(against("The fire crew was called by Ola Berg.", source), []);
  });

  it("is stopped where two names have changed places", () => {
    const source = "The race was won by Ola Berg, ahead of Nina Falk.";
    assert.deepEqual(against("Nina Falk won the race ahead of Ola Berg.", source), ["direction"]);
    assert.deepEqual(against("Ola Berg won the race ahead of Nina Falk.", source), []);
    assert.ok(
      against("Nina Falk drew the plan and Ola Berg checked it.", "Ola Berg drew the plan; Nina Falk checked it.").includes("direction"),
    );
  });

  it("is stopped where a clause speaks of the neighbour", () => {
    const source = "Most green lamps came back by themselves; red lamps had to be replaced by hand.";
    assert.deepEqual(against("Green lamps had to be replaced by hand.", source), ["word"]);
    assert.deepEqual(against("Red lamps had to be replaced by hand.", source), []);
  });
});

describe("a claim that says more firmly what its source says", () => {
  it("is stopped where a supposition became a fact", () => {
    assert.deepEqual(against("The fuse was wired wrongly.", "The fuse may have been wired wrongly."), ["hedge"]);
    assert.deepEqual(against("The fuse may have been wired wrongly.", "The fuse may have been wired wrongly."), []);
    assert.deepEqual(against("The fuse was wired wrongly in May.", "In May the fuse was wired wrongly."), []);
  });

  it("is stopped where leave became a duty, or a correlation a cause", () => {
    assert.deepEqual(against("The guard must skip the round when it rains.", "The guard may skip the round when it rains."), ["hedge"]);
    assert.deepEqual(against("Noise caused poor sleep.", "Noise was associated with poor sleep."), ["cause"]);
  });

  it("is stopped where almost all became all, and many not none", () => {
    assert.ok(against("All of the heat came from the roof.", "Almost all of the heat came from the roof.").includes("quantifier"));
    assert.ok(against("No seedlings survive the frost.", "Many seedlings do not survive the frost.").includes("quantifier"));
    const evidence = readEvidence([{ title: "", text: "Almost all of the heat came from the roof." }]);
    assert.equal(isQuote("All of the heat came from the roof.", evidence), false);
  });
});

describe("a quote", () => {
  it("is none where what stands behind it takes it back", () => {
    const evidence = readEvidence([
      {
        title: "",
        text: "Open carts survive, sessions of the last second do not. The gate opens, if two keys are turned. The bell rings at noon.",
      },
    ]);

    assert.equal(isQuote("Open carts survive, sessions of the last second do not.", evidence), true);
    assert.equal(isQuote("Open carts survive, sessions of the last second do.", evidence), false);
    assert.equal(isQuote("The gate opens.", evidence), false);
    assert.equal(isQuote("The bell rings.", evidence), true);
  });
});

describe("a day, month or colour", () => {
  it("is stopped in the place of another one, and only there", () => {
    assert.deepEqual(against("The audit is on Tuesday.", "The audit is on Wednesday."), ["date"]);
    assert.deepEqual(against("Sales rose in August.", "Sales rose in July."), ["date"]);
    assert.deepEqual(against("The plan was revised in August.", "The plan is of July. It was revised in August."), []);
    assert.deepEqual(against("Opened on 20 August 2026; seen in July.", "Opened on 2026-08-20; seen in July."), []);
    assert.deepEqual(against("The plan was revised.", "The plan of July was revised."), []);
    assert.deepEqual(against("The red lamp was replaced.", "The green lamp was replaced."), ["word"]);
  });
});

describe("a claim that tells the same the other way", () => {
  it("is kept where the same word denies the same", () => {
    assert.deepEqual(against("The seal must never be opened.", "Never open the seal."), []);
    assert.deepEqual(against("At most six crates can be kept, not more.", "Crates may be kept, but not more than six."), []);
  });

  it("is kept where it was bought by the one that it was sold to", () => {
    const source = "Alder Group sold its glass works to Pine Partners.";
    assert.deepEqual(against("Pine Partners bought the glass works of Alder Group.", source), []);
    assert.ok(against("Alder Group bought the glass works of Pine Partners.", source).length > 0);
  });
});
