import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { loadUnmet, type ReadUnmet } from "./unmet.ts";

let read: ReadUnmet;

/** What a sentence leaves open of a question, in words for people; null where it may be the answer. */
function open(question: string, text: string, above = ""): string | null {
  return read(question)({ text, above, passage: text }).against;
}

describe("what a sentence leaves open though it speaks of the same", () => {
  before(async () => {
    read = await loadUnmet();
  });

  it("is of what the number is", () => {
    assert.equal(open("How many clinics use the relay?", "The relay serves 12 warehouses."), "clinics are not spoken of");
    assert.equal(open("How many clinics use the relay?", "The relay serves 12 clinics."), null);
  });

  it("is why, and where", () => {
    assert.equal(open("Why was the relay moved?", "The relay was moved on Monday."), "it gives no reason");
    assert.equal(open("Why was the relay moved?", "The relay was moved because the roof leaked."), null);
    assert.equal(open("Where does the relay keep parcels?", "The relay keeps parcels."), "it names no place");
    assert.equal(open("Where does the relay keep parcels?", "The relay keeps parcels below the stairs."), null);
  });

  it("is which one, where it names none", () => {
    assert.equal(open("Which provider stores the files?", "The files are stored by a provider."), "it does not say which provider");
    assert.equal(open("Which provider stores the files?", "The files are stored by the provider Harbour."), null);
  });

  it("is for how much, where it has a number for another unit", () => {
    assert.equal(
      open("How many parcels per month does the relay take?", "The relay takes 40 parcels per day."),
      "it says so per day, not per month",
    );
    assert.equal(open("How many parcels per day does the relay take?", "The relay takes 40 parcels per day."), null);
  });

  it("is no verb that says no more than its noun does", () => {
    assert.equal(open("When does the relay raise an alarm?", "The relay: more than 40 parcels.", "Alarms"), null);
    assert.equal(open("When does the relay raise an alarm?", "The relay: more than 40 parcels."), 'nothing is said of "alarm"');
    assert.equal(open("Who raised the limit of the relay?", "Ann lowered the limit of the relay."), 'nothing is said of "raised"');
    assert.equal(open("How long should I wait before I restart the relay?", "After 60 seconds, restart the relay."), null);
  });

  it("is the one that is meant, where it tells it of another", () => {
    assert.equal(
      open("When do monthly backups of the relay run?", "The full backups of the relay run on Sunday."),
      "it speaks of full backups, not of monthly ones",
    );
    assert.equal(open("When do full backups of the relay run?", "The full backups of the relay run on Sunday."), null);
  });

  it("is what was done, asked in German", () => {
    assert.equal(open("Was hat das Dach gekostet?", "Das Dach wurde im Mai erneuert."), 'nothing is said of "gekostet"');
    assert.equal(open("Was hat das Dach gekostet?", "Das Dach kostete 300 Euro."), null);
  });

  it("is no little word of German", () => {
    assert.equal(open("Was ist ein Bon?", "Bon = gedruckter Beleg eines Kaufs."), null);
  });
});

describe("what a sentence says for the question to be told of", () => {
  before(async () => {
    read = await loadUnmet();
  });

  it("is how to do it: a word like the one that is asked for, in the sentence or around it", () => {
    const asked = read("How do I repair the relay?");
    const sentence = "Press the red button twice.";

    assert.equal(asked({ text: sentence, above: "", passage: sentence }).undone, true);
    assert.equal(asked({ text: sentence, above: "Repairing the relay", passage: sentence }).undone, false);
    assert.equal(asked({ text: "Fix the relay with a screwdriver.", above: "", passage: "" }).undone, false);
  });

  it("is named by its noun where it is missing, and whole where nothing is", () => {
    const asked = read("Which port does the relay listen on?");
    const without = asked({ text: "The relay listens on the address of the host.", above: "", passage: "" });
    const whole = asked({ text: "The relay listens on port 8080.", above: "", passage: "" });

    assert.deepEqual([without.unsaid, without.whole], ["port", false]);
    assert.deepEqual([whole.unsaid, whole.whole], [null, true]);
  });
});
