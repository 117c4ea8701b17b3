import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Mismatch, readClaim } from "./agree.ts";
import { align } from "./align.ts";
import { otherKind } from "./category.ts";
import { readEvidence } from "./evidence.ts";
import { exchanged } from "./exchange.ts";
import { loadTagger, type Tagger } from "./grammar.ts";
import { tokensOf } from "./tokens.ts";

let tag: Tagger;
before(async () => {
  tag = await loadTagger();
});

/** Words that are like each other in these tests; all others are not. */
const alike = new Set(["quick fast", "fast quick", "engine motor", "motor engine"]);
const similar = (a: string, b: string): number => (a === b ? 1 : alike.has(`${a} ${b}`) ? 0.7 : 0.05);

function exchange(claim: string, source: string, title = ""): Mismatch | null {
  const tokens = tokensOf(claim);
  const evidence = readEvidence([{ title, text: source }]);
  return exchanged(readClaim(claim, tokens, tag(claim)), evidence, align(tokens, evidence), similar);
}

function kind(claim: string, source: string): Mismatch | null {
  const tokens = tokensOf(claim);
  const evidence = readEvidence([{ title: "", text: source }]);
  return otherKind(readClaim(claim, tokens, tag(claim)), evidence, align(tokens, evidence), similar);
}

describe("a claim laid beside the sentence that it repeats", () => {
  const club = "Harbour Club, a firm governed by Lisbon's port office, was founded to move freight between the docks of Lisbon.";

  it("is stopped where it has another name, even one that the source holds elsewhere", () => {
    const source = `${club} The Porto Company came later.`;

    assert.match(
      exchange(
        "Harbour Club, a firm governed by Porto Company's port office, was founded to move freight between the docks of Lisbon.",
        source,
      )?.reason ?? "",
      /"Porto Company's" .* "Lisbon's" in its place/,
    );
    assert.equal(exchange(club, source), null);
  });

  it("is stopped where a name of one letter is another", () => {
    assert.equal(
      exchange(
        "This forms the basis for the queue class QQ of jobs.",
        "This forms the basis for the queue class Q of jobs. The class QQ came later.",
      )?.kind,
      "name",
    );
  });

  it("is stopped at the end of its piece of a longer sentence", () => {
    const source = "He named it the relay, an easier name than Lund's, and proposed to build it in all ports of the county.";

    assert.equal(exchange("He named it the relay, an easier name than Ann Porter's.", source)?.kind, "name");
    assert.equal(exchange("He named it the relay, an easier name than Lund's.", source), null);
  });

  it("is stopped where its number stands in another sentence", () => {
    const source = "The field began to grow in 1971 when Boris Lund proved the rule. In 1972 it was taught in all schools.";

    assert.match(exchange("The field began to grow in 1972 when Boris Lund proved the rule.", source)?.reason ?? "", /"1972".*"1971"/);
    assert.equal(exchange("Look at it in the next 24 h at most.", "Look at it in the next 24 hours at most."), null);
    assert.equal(
      exchange("The relay keeps all of its sessions with a 30 min Ann Porter.", "The relay keeps all of its sessions with a 30-minute TTL.")
        ?.kind,
      "name",
    );
    assert.equal(exchange("The wait is 30 min at the gate of the port.", "The wait is 30 minutes at the gate of the port."), null);
  });

  it("is stopped where one noun stands for another", () => {
    assert.match(exchange("The relay stores its jobs in the table.", "The relay stores its jobs in the bucket.")?.reason ?? "", /table/);
  });

  it("goes on where the word is like the source's, or a verb of another wording", () => {
    assert.equal(exchange("The relay has a quick start and a small cache.", "The relay has a fast start and a small cache."), null);
    assert.equal(exchange("The relay keeps its jobs in the bucket.", "The relay holds its jobs in the bucket."), null);
  });

  it("goes on where its name is what the source calls by a pronoun or by its kind", () => {
    assert.equal(
      exchange("ledger accepts at most five hundred writers at once.", "It accepts at most five hundred writers at once."),
      null,
    );
    assert.equal(
      exchange(
        "The ledger accepts at most five hundred writers at once.",
        "The server accepts at most five hundred writers at once.",
        "ledger",
      ),
      null,
    );
  });

  it("goes on where its clauses stand in another order", () => {
    assert.equal(
      exchange("After the disk was full, the relay dropped its jobs.", "The relay dropped its jobs after the disk was full."),
      null,
    );
  });

  it("goes on where another sentence says it without an exchange", () => {
    assert.equal(
      exchange(
        "The relay stores its jobs in the bucket.",
        "The relay stores its jobs in the table. The relay stores its jobs in the bucket.",
      ),
      null,
    );
  });
});

describe("what kind of thing something is said to be", () => {
  it("must be said by the source, or be like what it says", () => {
    assert.equal(kind("Moth is a song.", "Moth is the largest town of the county.")?.kind, "word");
    assert.equal(kind("Moth is a small motor.", "Moth is an engine for boats."), null);
    assert.equal(kind("Moth is a town of the county.", "Moth is the largest town of the county."), null);
  });

  it("is not looked for without word vectors", () => {
    const tokens = tokensOf("Moth is a song.");
    const evidence = readEvidence([{ title: "", text: "Moth is a town." }]);

    assert.equal(otherKind(readClaim("Moth is a song.", tokens, tag("Moth is a song.")), evidence, align(tokens, evidence), null), null);
  });
});
