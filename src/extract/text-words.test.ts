import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { TextWords } from "./text-words.ts";
import { foldedWords } from "./tokens.ts";

function wordsOf(words: TextWords): string[] {
  return Array.from({ length: words.count }, (_, index) => words.word(index));
}

describe("the words of a text", () => {
  it("are those that names are compared by, each with its place", () => {
    const text = "O'Brien’s don't-panic rock'n'roll is Łukasz's été at d'été, (2FA) 😀𝐀 payment担当";
    const words = new TextWords(text);

    assert.deepEqual(wordsOf(words), [
      "obrien",
      "dont",
      "panic",
      "rocknroll",
      "is",
      "lukasz",
      "ete",
      "at",
      "dete",
      "2fa",
      "a",
      "payment",
      "担当",
    ]);
    assert.deepEqual(Array.from({ length: words.count }, (_, index) => text.slice(words.start(index), words.end(index))).slice(0, 4), [
      "O'Brien’s",
      "don't",
      "panic",
      "rock'n'roll",
    ]);
    assert.deepEqual([words.capital(0), words.capital(1), words.capital(5)], [true, false, true]);
  });

  it("are the same whether the text is read whole or as a list of strings", () => {
    const part = fc.constantFrom(
      "a",
      "Z",
      "9",
      "'",
      "’",
      "_",
      "-",
      " ",
      "\n",
      "é",
      "e\u0301",
      "ß",
      "ſ",
      "\u212a",
      "の",
      "ー",
      "😀",
      "𝐀",
      "\ud83d",
      "…",
      "*",
      "s",
    );

    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join("");

        assert.deepEqual(wordsOf(new TextWords(text)), foldedWords(text), JSON.stringify(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("have equal hashes where they are equal, however they are written", () => {
    const hash = (text: string): number => new TextWords(text).hash(0);

    for (const [one, other] of [
      ["till's", "TILL"],
      ["O'Brien", "obrien"],
      ["Łukasz", "lukasz"],
      ["payment’s", "payment"],
    ] as const)
      assert.equal(hash(one), hash(other), one);
    assert.notEqual(hash("till"), hash("tills"));
  });

  it("are found from a place on", () => {
    const words = new TextWords("alpha calls beta");

    assert.deepEqual([words.from(0), words.from(1), words.from(6), words.from(12), words.from(99)], [0, 1, 1, 2, 3]);
  });

  it("of a text of a million characters are found time and again", () => {
    const text = "don't restart ledger-26 within nine minutes, Ada's note. ".repeat(18_000);

    for (let round = 0; round < 12; round += 1) assert.equal(new TextWords(text).count, 9 * 18_000);
  });
});

describe("a stretch of a text", () => {
  it("stands free between white space and the ends only", () => {
    const words = new TextWords("alpha calls (beta)");

    assert.deepEqual(
      [words.standsFree(0, 18), words.standsFree(6, 11), words.standsFree(13, 17), words.standsFree(6, 19)],
      [true, true, false, false],
    );
  });

  it("is spliced by marks of emphasis within words, not by those around them", () => {
    const spliced = (text: string): boolean => new TextWords(text).isSpliced(0, text.length);

    assert.deepEqual(["**owner** of `till`", "own*er", "de`*`pends", "2 * 3 *"].map(spliced), [false, true, true, false]);
  });
});
