import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { loadCoverage, type Placed, type ReadCoverage } from "./coverage.ts";

let read: ReadCoverage;

function unspoken(question: string, text: string, placed: Partial<Placed> = {}): string | null {
  return read(question).of({ text, context: "", isRow: false, heading: "", above: "", ...placed }).unspoken;
}

describe("what a sentence accounts for", () => {
  before(async () => {
    read = await loadCoverage();
  });

  it("is all nouns of the question, by a word of the family, a synonym, an acronym or with a slip of the pen", () => {
    assert.equal(unspoken("How long are lamps of the pier kept?", "Lamps of the pier are kept for two years."), null);
    assert.equal(unspoken("What is the RPO of the ledger?", "The recovery point objective of the ledger is one hour."), null);
    assert.equal(unspoken("What is the recovery point objective of the ledger?", "The RPO of the ledger is one hour."), null);
    assert.equal(unspoken("Who repairs the automobiles of the pier?", "Ann repairs the cars of the pier."), null);
    assert.equal(unspoken("How long are lanterns of the habour kept?", "Lanterns of the harbour are kept for two years."), null);
    assert.equal(unspoken("How long are lamps of the tower kept?", "Lamps of the pier are kept for two years."), 'it is not about "tower"');
  });

  it("is what the question is about by heading or title, but what it asks for by sentence and heading only", () => {
    const title = { above: "Pier handbook" };

    assert.equal(unspoken("How long is the warranty of the pier?", "The warranty is two years.", title), null);
    assert.equal(unspoken("How long is the handbook warranty?", "It is two years.", title), 'nothing is said of "warranty"');
    assert.equal(
      unspoken("How long does a repair of the crane take?", "The crane is washed once a day.", { above: "Wash and repair" }),
      'nothing is said of "repair"',
    );
  });

  it("is the verb where the question asks who did it, or when", () => {
    assert.equal(unspoken("Who painted the crane?", "Ann washed the crane."), 'nothing is said of "painted"');
    assert.equal(unspoken("When was the crane painted?", "The painting of the crane was in May."), null);
  });

  it("is the kind that a name is given for", () => {
    assert.equal(unspoken("Which vessel relieves the ferry at the pier?", "At the pier the ferry is relieved by Skagerrak."), null);
    assert.equal(
      unspoken("Which vessel relieves the ferry at the pier?", "At the pier the ferry is relieved by another."),
      'nothing is said of "vessel"',
    );
  });

  it("is no part of a joined name, nor another number", () => {
    assert.equal(unspoken("Who owns lamp-api?", "Ann owns crane-api."), 'it is not about "lamp-api"');
    assert.equal(unspoken("Who checks LP-1?", "Ann checks LP-2."), 'it is not about "LP-1"');
    assert.equal(unspoken("Who owns the lamp api?", "Ann owns lamp-api."), null);
  });

  it("is no other colour, nor a word that the question has for something else", () => {
    assert.equal(unspoken("What is the price of the blue lamp?", "The price of the red lamp is 4 euros."), 'it is not about "blue"');
    assert.equal(unspoken("How many seats does the tail lift have?", "The tail lift is for 750 kg."), 'nothing is said of "seats"');
  });

  it("is complete where no verb is missing either", () => {
    const { of } = read("What do the lamps of the pier illuminate?");
    const placed = { context: "", isRow: false, heading: "", above: "" };

    assert.deepEqual(of({ ...placed, text: "The lamps of the pier illuminate the stairs." }), { unspoken: null, complete: true });
    assert.deepEqual(of({ ...placed, text: "The lamps of the pier are green." }), { unspoken: null, complete: false });
  });

  it("adds nothing where all its words are the question's own, unless yes or no is asked", () => {
    assert.ok(read("When does the horn sound?").addsNothing("Use it when the horn sounds."));
    assert.ok(!read("When does the horn sound?").addsNothing("The horn sounds at night."));
    assert.ok(!read("Does the horn sound?").addsNothing("The horn sounds."));
  });
});
