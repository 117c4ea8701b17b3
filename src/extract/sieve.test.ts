import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Sieve } from "./sieve.ts";
import { TextWords } from "./text-words.ts";
import { beginningsOf } from "./word-beginnings.ts";

describe("what an expression says of the words of its matches", () => {
  const told: readonly (readonly [string, string, readonly string[] | null])[] = [
    ["takes each of some verbs by its first letters", "«S» (?:depends?|relies|leans) on «S»", ["depend", "relies ", "leans "]],
    ["takes short words whole, where they end in the expression", "«S» is «S»", ["is "]],
    ["knows that what may be left out need not stand there", "«S» (?:also )?calls? (?:the )?«S»", ["call"]],
    ["prefers long words, and few of them", "«S» (?:is|was|are) owned «P»", ["owned "]],
    ["tells nothing of letters that may stand within a word", "calls «S»", null],
    ["knows a word from its edge", "\\bcalls «S»", ["calls "]],
    ["tells nothing where one way out holds no word", "«S»(?: calls |: )«S»", null],
    ["goes on after letters that a class stands for", "«S» re[ls]ies on it «S»", ["on "]],
    ["passes over what is only looked at", "«S» (?!nothing)(?=needs)\\w+ needs «S»", ["needs "]],
    ["knows that the words of a group end where something else follows", "\\b(?:it|they)\\b", ["it ", "they "]],
    ["takes what an underscore parts for words of their own", "«S» on_call", ["call"]],
    ["knows a word behind characters that are no letters", "^[\\s*_-]{0,3}team: «S»", ["team "]],
    ["prefers rare words to those that are everywhere", "\\bthis page is (?:obsolete|archived)", ["obsole", "archiv"]],
    ["leaves a letter that may be missing out of the word", "«S» us?e «S»", null],
  ];
  for (const [name, pattern, beginnings] of told)
    it(name, () => {
      const found = beginningsOf(pattern, false);

      assert.deepEqual(found === null ? null : [...found], beginnings);
    });
});

describe("the sieve", () => {
  it("never leaves out an expression that matches", () => {
    const words = [
      "call",
      "calls",
      "recalls",
      "is",
      "on",
      "depends",
      "depend",
      "é",
      "_",
      "x",
      "Call",
      "IS",
      "ünder",
      "under",
      "uſe",
      "use",
    ];
    const joints = [" ", "", ", ", "-", "'", ". ", "_", "*"];
    const atom = fc.oneof(
      fc.constantFrom(...words.map((word) => word.toLowerCase())),
      fc.constantFrom(" ", ", ", "\\b", "[a-z]", "[_-]", "\\w{0,3}", "(?:also )?", "(?!is)", "."),
    );
    const arbitraries = fc.letrec<{ group: string; part: string; sequence: string }>((recurse) => ({
      group: fc
        .tuple(fc.array(recurse("sequence"), { minLength: 1, maxLength: 3 }), fc.constantFrom("", "?", "+", "{0,2}", "{1,2}"))
        .map(([ways, times]) => `(?:${ways.join("|")})${times}`),
      part: fc.oneof({ weight: 4, arbitrary: atom }, { weight: 1, arbitrary: recurse("group") }),
      sequence: fc.array(recurse("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
    }));
    const text = fc
      .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...joints)), { maxLength: 6 })
      .map((pairs) => pairs.flat().join(""));

    fc.assert(
      fc.property(fc.array(arbitraries.sequence, { minLength: 1, maxLength: 5 }), text, (patterns, body) => {
        const sieve = new Sieve();
        const added = patterns.map((pattern) => sieve.add(new RegExp(pattern, "i")));
        const words = new TextWords(body);
        // alone, and between other words
        const all = [
          sieve.possible(words, 0, body.length, false),
          sieve.possible(new TextWords(`on ${body} on`), 3, 3 + body.length, true),
        ];

        for (const one of added)
          if (one.expression.test(body))
            assert.ok(
              all.every((possible) => possible.has(one)),
              `${one.expression.source} in ${JSON.stringify(body)}`,
            );
      }),
      { numRuns: 500 },
    );
  });
});
