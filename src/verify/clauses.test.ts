import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Clause, clausesIn } from "./clauses.ts";
import { loadTagger, type Tagger } from "./grammar.ts";
import { tokensOf, worded } from "./tokens.ts";

let tag: Tagger;
before(async () => {
  tag = await loadTagger();
});

/** "subject | verbs | part: words" of each clause. */
function read(text: string): string[] {
  return clausesIn(tokensOf(text), tag(text)).map(line);
}

function line({ subject, verbs, slots }: Clause): string {
  const parts = [...slots].map(([name, words]) => `${name === "" ? "" : `${name} `}${worded(words)}`);
  return [worded(subject), worded(verbs), ...parts].join(" | ");
}

describe("the clauses of a sentence", () => {
  it("each have their subject, also where two share one", () => {
    assert.deepEqual(read("Nina Falk drew the plan and Ola Berg signed it."), ["Nina Falk | drew | plan", "Ola Berg | signed"]);
    assert.deepEqual(read("The crew stopped the press and cleaned the kiln."), ["crew | stopped | press", "crew | cleaned | kiln"]);
  });

  it("take over what stands before a relative pronoun", () => {
    assert.deepEqual(read("The crew opened the kiln, which was built in Bergen."), [
      "crew | opened | kiln",
      "kiln | was built | in Bergen",
    ]);
  });

  it("are found where the verb is left out", () => {
    assert.deepEqual(read("The north kiln had the highest output, the south kiln the lowest cost."), [
      "north kiln | had | highest output",
      "south kiln | had | lowest cost",
    ]);
    assert.deepEqual(read("Tiles were sent to Oslo on 4 June and to Bergen on 9 June."), [
      "Tiles | were sent | to Oslo | on 4 June",
      "Tiles | were sent | to Bergen | on 9 June",
    ]);
  });

  it("are not broken by brackets or by participles that belong to the subject", () => {
    assert.deepEqual(read("Bricks used for walls are stored in the yard."), ["Bricks used walls | are stored | in yard"]);
    assert.equal(read("The press (built in 1920) is old.").length, 1);
  });
});
