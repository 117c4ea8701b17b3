import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sentencesOf } from "./sentences.ts";

const split = (text: string): string[] => sentencesOf(text).map(({ start, end }) => text.slice(start, end));

describe("sentencesOf", () => {
  it("ends a sentence behind a unit, and not behind a title", () => {
    assert.deepEqual(split("It waits 800 ms. Ms. Curie set it to 5 min. Nobody asked."), [
      "It waits 800 ms.",
      "Ms. Curie set it to 5 min.",
      "Nobody asked.",
    ]);
  });

  it("keeps abbreviations, versions, file names and initials in one piece", () => {
    assert.deepEqual(split("Use e.g. redis 7.2.1 in app.config.ts. J. Smith approved it."), [
      "Use e.g. redis 7.2.1 in app.config.ts.",
      "J. Smith approved it.",
    ]);
  });

  it("takes a single capital for an initial at a sentence's beginning, too, and for a label before a function word", () => {
    assert.deepEqual(split("R. Sharma fixed it. V. Patel and J. K. Miller wrote it."), [
      "R. Sharma fixed it.",
      "V. Patel and J. K. Miller wrote it.",
    ]);
    assert.deepEqual(split("Go to plan B. Then wait. It is of type I. Another is not."), [
      "Go to plan B.",
      "Then wait.",
      "It is of type I.",
      "Another is not.",
    ]);
  });

  it("lets list items, headings and stated fields end a sentence, but not a line break in prose", () => {
    assert.deepEqual(split("# Failover\nPromote the\nreplica first.\n- drain traffic\n- restart\n\nStatus: Open\nAssignee: Ann"), [
      "# Failover",
      "Promote the\nreplica first.",
      "- drain traffic",
      "- restart",
      "Status: Open",
      "Assignee: Ann",
    ]);
  });

  it("leaves a citation mark with the sentence it stands after", () => {
    assert.deepEqual(split("It failed. [2] It was fixed [1, 3]. Done."), ["It failed. [2]", "It was fixed [1, 3].", "Done."]);
  });

  it("ends before a sentence that begins with a name in small letters, but not after a short form", () => {
    assert.deepEqual(split("It talks to the api only. checkout-api keeps the order. payments charges it, approx. five a second."), [
      "It talks to the api only.",
      "checkout-api keeps the order.",
      "payments charges it, approx. five a second.",
    ]);
    assert.deepEqual(split("It is tier 1 [1]. redis is not [2, 3]. Done."), ["It is tier 1 [1].", "redis is not [2, 3].", "Done."]);
  });

  it("ends at question and exclamation marks with their closing quotes", () => {
    assert.deepEqual(split('He asked "why?" Then it broke! Yes.'), ['He asked "why?"', "Then it broke!", "Yes."]);
  });

  it("gives places whose text is the sentence, for any text", () => {
    for (const text of ["", "   ", ".", "a.b.c", "?!?", "1. one\n2. two", "e.g.", "x. y. Z. [1][2] q"]) {
      for (const { start, end } of sentencesOf(text)) {
        assert.ok(start < end && end <= text.length);
        assert.equal(text.slice(start, end), text.slice(start, end).trim());
      }
    }
  });
});
