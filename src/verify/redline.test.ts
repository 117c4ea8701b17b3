import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inventedCause } from "./cause.ts";
import { readEvidence } from "./evidence.ts";
import { loadLexicon, readLexicon } from "./lexicon.ts";
import { cutShort, redlined } from "./redline.ts";
import { tokensOf } from "./tokens.ts";

const words = { lexicon: loadLexicon(), similar: null };

/** What is found against a sentence that nearly repeats its source. */
function against(sentence: string, source: string): string | null {
  return redlined(tokensOf(sentence), readEvidence([{ title: "", text: source }]), words)?.kind ?? null;
}

describe("a sentence that nearly repeats one of its source", () => {
  it("is stopped where a small word makes it say more", () => {
    assert.equal(against("The relay will drop old parcels at night.", "The relay may drop old parcels at night."), "hedge");
    assert.equal(against("The gates are always checked by two guards.", "The gates are usually checked by two guards."), "quantifier");
    assert.equal(against("Only the night crew opens the lower gate.", "The night crew opens the lower gate."), "quantifier");
    assert.equal(against("Drivers must wash the van after each tour.", "Drivers should wash the van after each tour."), "hedge");
    assert.equal(against("The crew has not opened the lower gate.", "The crew has opened the lower gate."), "negation");
  });

  it("is not stopped for what changes nothing", () => {
    assert.equal(against("The relay can drop old parcels at night.", "The relay may drop old parcels at night."), null);
    assert.equal(against("At night, the relay drops old parcels.", "The relay drops old parcels at night."), null);
    assert.equal(against("It is impossible to open the lower gate by hand.", "It is not possible to open the lower gate by hand."), null);
    assert.equal(against("The writer of the log closed the lower gate.", "The author of the log closed the lower gate."), null);
    assert.equal(against("The crew opens the lower gate.", "Only in winter is it shut; the crew opens the lower gate."), null);
  });

  it("is stopped where a word stands in the place of an opposite, or of one that no dictionary takes for the same", () => {
    assert.equal(against("The early engines of the mill used coal.", "The late engines of the mill used coal."), "opposite");
    assert.equal(against("The valve is closed before the pump runs dry.", "The valve is closed after the pump runs dry."), "opposite");
    assert.equal(
      against("She taught physics at the school in the harbour.", "She taught statistics at the school in the harbour."),
      "word",
    );
    assert.equal(against("The mill by the river won the jury award.", "The mill by the river won the audience award."), "word");
  });

  it("is stopped where two things have changed places", () => {
    assert.equal(
      against(
        "The night crew calls the harbour and the fire office calls the port.",
        "The harbour crew calls the night and the fire office calls the port.",
      ),
      "direction",
    );
  });

  it("is stopped where the source says it of something else, and not where it only says it", () => {
    assert.equal(
      against("The lower gate was relatively slow and needed two guards.", "A steam winch was relatively slow and needed two guards."),
      "word",
    );
    assert.equal(against("The winch was relatively slow and needed two guards.", "It was relatively slow and needed two guards."), null);
  });

  it("is stopped where it leaves out the condition, also when the rest is quoted", () => {
    const source = readEvidence([{ title: "", text: "The gate stays open all night, unless the harbour master calls." }]);
    assert.equal(cutShort(tokensOf("The gate stays open all night."), source)?.kind, "hedge");
    assert.equal(cutShort(tokensOf("The gate stays open all night, unless the harbour master calls."), source), null);
  });
});

describe("a reason that a sentence gives", () => {
  const reason = (sentence: string, source: string): string | null =>
    inventedCause(tokensOf(sentence), readEvidence([{ title: "", text: source }]))?.kind ?? null;

  it("is stopped where the source says both and joins them by nothing", () => {
    assert.equal(
      reason("The gate was closed because the winch had been sold.", "The gate was closed in May. The winch had been sold to a mill."),
      "cause",
    );
  });

  it("stands where the source gives it, in whatever words", () => {
    assert.equal(reason("The gate was closed because the winch had broken.", "The winch had broken, so that the gate was closed."), null);
    assert.equal(reason("The gate was closed because the winch had broken.", "The winch had broken. Therefore the gate was closed."), null);
  });
});

describe("relations of words", () => {
  it("are those of the dictionary, in any form of a word", () => {
    const { relation, kind } = loadLexicon();
    assert.equal(relation("movies", "film"), "same");
    assert.equal(relation("taught", "teacher"), "same");
    assert.equal(relation("animal", "dogs"), "broader");
    assert.equal(relation("dog", "animal"), "narrower");
    assert.equal(relation("illegal", "legal"), "opposite");
    assert.equal(relation("physics", "statistics"), "apart");
    assert.equal(relation("kubectl", "statistics"), "unknown");
    assert.equal(kind("archived", "deleted"), "verb");
    assert.equal(kind("physics", "deleted"), null);
  });

  it("are read from a file of antonyms, kinds and meanings", () => {
    const { relation } = readLexicon("hot cold\n\nlog\nrun\nhot\nwell\n\ncat|1|\nanimal||\n\nrun||\n\nhot warm||\ncold||\n\nwell||\n");
    assert.equal(relation("cat", "animal"), "narrower");
    assert.equal(relation("hot", "cold"), "opposite");
    assert.equal(relation("hot", "warm"), "same");
    assert.equal(relation("cat", "run"), "apart");
  });
});
