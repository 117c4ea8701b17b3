import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RuleSieve } from "./rule-sieve.ts";
import { beginningsOf } from "./word-beginnings.ts";

describe("what an expression says of the words of its matches", () => {
  const told: readonly (readonly [string, string, readonly string[] | null])[] = [
    ["takes each of some verbs by its first letters", "«S» (?:depends?|relies|leans) on «S»", ["dep", "rel", "lea"]],
    ["takes short words whole, where they end in the expression", "«S» is «S»", ["is"]],
    ["knows that what may be left out need not stand there", "«S» (?:also )?calls? (?:the )?«S»", ["cal"]],
    ["prefers long words, and few of them", "«S» (?:is|was|are) owned «P»", ["own"]],
    ["tells nothing of letters that may stand within a word", "calls «S»", null],
    ["knows a word from its edge", "\\bcalls «S»", ["cal"]],
    ["tells nothing where one way out holds no word", "«S»(?: calls |: )«S»", null],
    ["goes on after letters that a class stands for", "«S» re[ls]ies on it «S»", ["on"]],
    ["passes over what is only looked at", "«S» (?!nothing)(?=needs)\\w+ needs «S»", ["nee"]],
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
    const words = ["call", "calls", "recalls", "is", "on", "depends", "depend", "é", "_", "x", "Call", "IS", "ünder", "under"];
    const joints = [" ", "", ", ", "-", "'", ". "];
    const atom = fc.oneof(
      fc.constantFrom(...words.map((word) => word.toLowerCase())),
      fc.constantFrom(" ", ", ", "\\b", "[a-z]", "\\w{0,3}", "(?:also )?", "(?!is)", "."),
    );
    const arbitraries = fc.letrec<{ group: string; part: string; sequence: string }>((recurse) => ({
      group: fc
        .tuple(fc.array(recurse("sequence"), { minLength: 1, maxLength: 3 }), fc.constantFrom("", "?", "+", "{0,2}", "{1,2}"))
        .map(([ways, times]) => `(?:${ways.join("|")})${times}`),
      part: fc.oneof({ weight: 4, arbitrary: atom }, { weight: 1, arbitrary: recurse("group") }),
      sequence: fc.array(recurse("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
    }));
    const text = fc
      .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...joints)), { maxLength: 8 })
      .map((pairs) => pairs.flat().join(""));

    fc.assert(
      fc.property(fc.array(arbitraries.sequence, { minLength: 1, maxLength: 5 }), text, (patterns, body) => {
        const possible = new RuleSieve(patterns.map((pattern) => ({ pattern, startsWord: false }))).possible(body);

        for (const [index, pattern] of patterns.entries())
          if (new RegExp(pattern, "i").test(body)) assert.equal(possible[index], 1, `${pattern} in ${JSON.stringify(body)}`);
      }),
      { numRuns: 500 },
    );
  });
});
