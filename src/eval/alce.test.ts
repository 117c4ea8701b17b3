import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Bears, citationScore } from "./alce.ts";

/** Source 1 says "a", 2 says "b", 3 says nothing; a sentence is borne when all its letters are. */
const bears: Bears = async (sentence, cites) => {
  if (sentence === "Well.") return null;
  const said = new Set(cites.flatMap((n) => ({ 1: ["a"], 2: ["b"] })[n] ?? []));
  return [...sentence].every((letter) => said.has(letter));
};

describe("citation recall and precision by ALCE", () => {
  it("gives both in full where each citation is needed", async () => {
    assert.deepEqual(await citationScore([{ text: "ab", cites: [1, 2] }], bears), { recall: 1, precision: 1 });
  });

  it("takes a citation for useless that bears nothing while the others do", async () => {
    assert.deepEqual(await citationScore([{ text: "a", cites: [1, 3] }], bears), { recall: 1, precision: 0.5 });
  });

  it("keeps two citations that each bear the sentence alone", async () => {
    const both: Bears = async () => true;
    assert.deepEqual(await citationScore([{ text: "a", cites: [1, 2] }], both), { recall: 1, precision: 1 });
  });

  it("counts neither the sentence nor its citations where all of them together do not bear it", async () => {
    const score = await citationScore(
      [
        { text: "b", cites: [1, 3] },
        { text: "a", cites: [1] },
      ],
      bears,
    );
    assert.equal(score?.recall, 0.5);
    assert.equal(score?.precision, 1 / 3);
  });

  it("counts a sentence without a citation against recall, and leaves out what states nothing", async () => {
    assert.deepEqual(
      await citationScore(
        [
          { text: "a", cites: [] },
          { text: "Well.", cites: [1] },
        ],
        bears,
      ),
      { recall: 0, precision: 0 },
    );
    assert.equal(await citationScore([{ text: "Well.", cites: [1] }], bears), null);
  });
});
