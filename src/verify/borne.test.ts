import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { align } from "./align.ts";
import { merged } from "./borne.ts";
import { clausesIn } from "./clauses.ts";
import { type EvidenceText, readEvidence } from "./evidence.ts";
import { loadTagger, type Tagger } from "./grammar.ts";
import { tokensOf } from "./tokens.ts";
import { valuesOf } from "./values.ts";

let tag: Tagger;
before(async () => {
  tag = await loadTagger();
});

/** Why no clause of the sources bears the claim; null where one does. */
function against(claim: string, ...sources: readonly (string | EvidenceText)[]): string | null {
  const evidence = readEvidence(sources.map((source) => (typeof source === "string" ? { title: "", text: source } : source)));
  const tokens = tokensOf(claim);
  return merged(clausesIn(tokens, tag(claim)), valuesOf(claim), evidence, align(tokens, evidence).each, tag)?.reason ?? null;
}

describe("two true halves put together", () => {
  it("are told by the subject that the source has there", () => {
    const source = "The north kiln fires bricks for nine hours. Polishing the tiles takes two days of work.";
    assert.match(against("The north kiln takes two days of work.", source) ?? "", /"Polishing tiles".*"north kiln"/);
    assert.equal(against("Polishing tiles takes two days.", source), null);
  });

  it("are told within one sentence, clause by clause", () => {
    const source = "Weekend shifts are paid at 40 crowns, evening shifts at 25 crowns; the foreman checks the lists.";
    assert.notEqual(against("Evening shifts are paid at 40 crowns.", source), null);
    assert.equal(against("Evening shifts are paid at 25 crowns.", source), null);
    const two = "The plan was drawn by Ola Berg and signed by the head of works.";
    assert.notEqual(against("The plan was drawn by the head of works.", two), null);
    assert.equal(against("The plan was signed by the head of works.", two), null);
  });

  it("are told by what a pronoun stands for", () => {
    const source: EvidenceText = { title: "North kiln", text: "The north kiln burns gas. It was built in Bergen." };
    const other: EvidenceText = { title: "Press", text: "The press makes forty tiles a minute." };
    assert.equal(against("The north kiln was built in Bergen.", source, other), null);
    assert.notEqual(against("The press was built in Bergen.", source, other), null);
  });

  it("are told by the page that something is said on", () => {
    const kiln: EvidenceText = { title: "Kiln", text: "Bricks wider than 30 cm are rejected." };
    const press: EvidenceText = { title: "Tile press", text: "The tile press makes forty tiles a minute." };
    assert.equal(against("The kiln rejects bricks wider than 30 cm.", kiln, press), null);
    assert.notEqual(against("The tile press rejects bricks wider than 30 cm.", kiln, press), null);
  });

  it("are told in a row of a table", () => {
    const rows = "Kiln: north; Fuel: gas; Crew: 12\nKiln: south; Fuel: wood; Crew: 7";
    assert.equal(against("The south kiln burns wood with a crew of 7.", rows), null);
    assert.notEqual(against("The south kiln burns gas.", rows), null);
  });

  it("are not suspected where a clause is told from its other end, or in other words", () => {
    assert.equal(against("Ola Berg raised the wall.", "The wall was raised by Ola Berg. Nina Falk drew the plan."), null);
    assert.equal(against("The crew stopped the press at noon.", "At noon the crew halted the press. The guards stopped a van."), null);
  });
});

describe("a clause that is said more firmly than its source has it", () => {
  it("is stopped where somebody only thinks so, or where it is to come", () => {
    assert.match(against("The press is worn.", "Ola Berg suspects that the press is worn.") ?? "", /suspects/);
    assert.match(against("The old press has been sold.", "The old press will be sold in June.") ?? "", /to come/);
    assert.equal(against("The old press will be sold.", "The old press will be sold in June."), null);
  });

  it("is stopped where its condition or exception is left out", () => {
    const source = "The gate opens at dawn if the guard is there. Visitors never enter the yard, except with a pass.";
    assert.match(against("The gate opens at dawn.", source) ?? "", /if/);
    assert.equal(against("The gate opens at dawn when the guard is there.", source), null);
    assert.match(against("Visitors never enter the yard.", source) ?? "", /exception/);
  });

  it("is stopped where the source denies it in an elliptic clause", () => {
    const source = "Old tiles survive the frost, bricks of the last batch do not.";
    assert.match(against("Bricks of the last batch do.", source) ?? "", /denies/);
  });
});
