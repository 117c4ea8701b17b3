import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadUnmet, type Unmet } from "./unmet.ts";

const read = await loadUnmet();

function unmet(question: string, text: string, { above = "", passage = text } = {}): Unmet {
  return read(question)({ text, above, passage });
}

function ruledOut(question: string, text: string, above = ""): boolean {
  return unmet(question, text, { above }).against !== null;
}

describe("what rules a sentence out as an answer", () => {
  it("is that nothing in it is of the kind that is asked for", () => {
    assert.ok(ruledOut("Who approves the restart of redis?", "The restart of redis takes four minutes."));
    assert.ok(ruledOut("How much memory does the cache have?", "The cache keeps sessions in memory."));
    assert.ok(ruledOut("When was the cache enlarged?", "The cache was enlarged by Jonas."));

    assert.ok(!ruledOut("Who approves the restart of redis?", "Meera approves the restart of redis."));
    assert.ok(!ruledOut("Who approves the restart of redis?", "The restart of redis is approved by its owner."));
    assert.ok(!ruledOut("How much memory does the cache have?", "The cache has 2 GB of memory."));
    assert.ok(!ruledOut("When was the cache enlarged?", "The cache was enlarged after the outage."));
  });

  it("is no money for a price, no place in a date, no name in the first word, and nobody behind a passive", () => {
    assert.ok(ruledOut("How much does a lamp of the pier cost?", "The lamp of the pier has five bulbs."));
    assert.ok(ruledOut("Where does the drill of the pier take place?", "The drill of the pier starts on 9 March."));
    assert.ok(ruledOut("Who is the head of the pier?", "Flights need the consent of the head of the pier."));
    assert.ok(ruledOut("Who disabled the lamp?", "Nobody knew that the lamp had been disabled in May."));
    assert.ok(ruledOut("How long did the drill in May last?", "The drill in May was loud."));
    assert.ok(ruledOut("Which crews complained about the lamp?", "19 crews complained about the lamp."));
    assert.ok(ruledOut("How many labels does it print?", "The eight label printers print."));

    assert.ok(!ruledOut("How much does a lamp of the pier cost?", "A lamp of the pier costs 40 euros."));
    assert.ok(!ruledOut("Where does the drill of the pier take place?", "The drill of the pier takes place in the hall."));
    assert.ok(!ruledOut("Who checks the lamp?", "The night desk checks the lamp."));
    assert.ok(!ruledOut("Who disabled the lamp?", "The lamp was disabled by Ann."));
    assert.ok(!ruledOut("How long did the drill in May last?", "The drill in May lasted two hours."));
    assert.ok(!ruledOut("How many labels does it print?", "It prints 120 labels."));
  });

  it("does not take a number of the question for the answer", () => {
    assert.ok(ruledOut("How many nodes does cluster 12 have?", "Cluster 12 has spare nodes."));
    assert.ok(!ruledOut("How many nodes does cluster 12 have?", "Cluster 12 has seven nodes."));
  });

  it("asks for a kind only by the interrogative that opens the question", () => {
    assert.ok(!ruledOut("What happens when the primary is lost?", "The replica takes over if the primary is lost."));
    assert.ok(!ruledOut("When the primary is lost, what happens?", "The replica takes over from the primary."));
  });

  it("is that somebody else did it", () => {
    assert.ok(ruledOut("What was first described by Aristotle?", "Dynamic equilibrium was first described by Galileo."));
    assert.ok(!ruledOut("What was first described by Galileo?", "Dynamic equilibrium was first described by Galileo."));
  });

  it("is that the two ends have changed places", () => {
    assert.ok(ruledOut("What does bank-gateway depend on?", "payments depends on bank-gateway."));
    assert.ok(!ruledOut("What does payments depend on?", "payments depends on bank-gateway."));
    assert.ok(!ruledOut("What does bank-gateway block?", "Payments is blocked by bank-gateway."));
  });

  it("is that it speaks of the same of something else", () => {
    assert.ok(ruledOut("How long does a rollback of payments take?", "A rollback takes four minutes.", "Rolling back checkout-api"));
    assert.ok(!ruledOut("How long does a rollback of checkout-api take?", "A rollback takes four minutes.", "Rolling back checkout-api"));
    assert.ok(!ruledOut("What is the focal depth of the quake?", "The focal depth is 19 km."), "the whole text is of the quake");
  });

  it("is that what is asked to be counted has no number", () => {
    assert.ok(ruledOut("How many pods does the service have?", "Restart the pods one at a time, 90 seconds apart."));
    assert.ok(!ruledOut("How many pods does the service have?", "The service has 12 healthy pods."));
    assert.ok(!ruledOut("How many pods does the service have?", "The service has fourteen pods."));
  });

  it("is another number or code behind the same noun", () => {
    assert.ok(ruledOut("How quickly must a tier 4 alarm be answered?", "Tier: 1; Answer an alarm within: 4 minutes"));
    assert.ok(!ruledOut("How quickly must a tier 1 alarm be answered?", "Tier: 1; Answer an alarm within: 5 minutes"));
    assert.ok(ruledOut("What p99 does the ledger have?", "The ledger has a p50 of 3 ms."));
    assert.ok(!ruledOut("What failed in the last 24 hours?", "The backup failed."), "a span of time is no label");
  });

  it("is that the quality that is asked for is never spoken of", () => {
    assert.ok(ruledOut("What licence does the parser have?", "The parser reads files of any size."));
    assert.ok(!ruledOut("What licence does the parser have?", "The licence of the parser is MIT."));
  });
});

describe("what counts against a sentence", () => {
  it("is a name that it does not hold, unless the heading does", () => {
    const question = "What did Jonas change in Lisbon?";

    assert.equal(unmet(question, "Jonas changed the alarm.").names, 1);
    assert.equal(unmet(question, "Jonas changed the alarm.", { above: "Lisbon" }).names, 0);
    assert.equal(unmet("What should I do in Lisbon?", "In Lisbon, call the owner.").names, 0, "I am no name");
  });

  it("is another modifier before the same noun, or another noun behind the same modifier", () => {
    assert.equal(unmet("What follows when atomic clouds overlap?", "When electron clouds overlap, repulsion follows.").phrases, 1);
    assert.equal(unmet("What follows when electron clouds overlap?", "When electron clouds overlap, repulsion follows.").phrases, 0);
    assert.equal(
      unmet("What follows when eletron clouds overlap?", "When electron clouds overlap, repulsion follows.").phrases,
      0,
      "a slip",
    );
  });

  it("is a denial on one side only, but not where yes or no is asked", () => {
    const text = "Some classes do not fit into the framework.";

    assert.ok(unmet("What classes fit into the framework?", text).polarity > 0);
    assert.equal(unmet("Do all classes fit into the framework?", text).polarity, 0);
  });

  it("is a word that only another sentence of the passage holds", () => {
    const said = { passage: "The cache is small. The ledger was rebuilt in May." };

    assert.equal(unmet("When was the ledger rebuilt by the cache team?", "The ledger was rebuilt in May.", said).elsewhere, 1);
  });

  it("is nothing at all for text in scripts without spaces or other languages that holds what is asked", () => {
    const { against, names, phrases } = unmet("Wie lange wartet der Dienst auf die Bank?", "Der Dienst wartet neun Sekunden auf die Bank.");

    assert.deepEqual({ against, names, phrases }, { against: null, names: 0, phrases: 0 });
  });
});
