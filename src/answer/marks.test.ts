import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { sentencesOf } from "../core/sentences.ts";
import { cite, MarkStream, marksOf, withMarks, withoutMarks } from "./marks.ts";

describe("marksOf", () => {
  it("reads every shape that models write", () => {
    const text = "a [1] b [1,7] c [2-4] d 【3】 e [1][9] f 【5†source】 g [^6] h [Source 2] i [1; 3–4]";

    assert.deepEqual(
      marksOf(text).map(({ numbers }) => numbers),
      [[1], [1, 7], [2, 3, 4], [3], [1], [9], [5], [6], [2], [1, 3, 4]],
    );
  });

  it("leaves code, dates and links alone", () => {
    assert.deepEqual(marksOf("`items[1]` [2024-01-01T00:00Z] [text](http://x) [a1]"), []);
  });

  it("does not expand an endless range", () => {
    assert.ok((marksOf("[1-999999999]")[0]?.numbers.length ?? 0) <= 51);
  });
});

describe("cite", () => {
  it("removes an invented number and the sentence that has no other", () => {
    const cited = cite("Redis was down [1]. Aliens did it [7]. It was restarted [2][9].", 5, 8);

    assert.equal(cited.text, "Redis was down [1]. It was restarted [2].");
    assert.deepEqual(cited.order, [1, 2]);
    assert.equal(cited.invented, 2);
    assert.equal(cited.uncited, 1);
  });

  it("numbers sources in order of appearance, so that text and list agree", () => {
    const cited = cite("One [4]. Two 【2】. Three [4, 2]. Four [2-9].", 4, 8);

    assert.deepEqual(cited.order, [4, 2, 3]);
    assert.equal(cited.text, "One [1]. Two [2]. Three [1][2]. Four [2][3][1].");
  });

  it("drops a sentence that states something without a source", () => {
    assert.equal(cite("Redis was down. It was restarted [1].", 3, 8).text, "It was restarted [1].");
    assert.equal(cite("No source at all.", 3, 8).text, "");
  });

  it("keeps at most eight sentences, list items not counted", () => {
    const draft = `${Array.from({ length: 12 }, (_, i) => `Sentence ${i} [1].`).join(" ")}\n${Array.from({ length: 10 }, (_, i) => `- item ${i} [2]`).join("\n")}`;

    const cited = cite(draft, 2, 8);

    assert.equal(cited.sentences, 18);
    assert.ok(cited.text.includes("- item 9 [2]."));
    assert.ok(!cited.text.includes("Sentence 8"));
  });

  it("keeps a mark with its sentence when it stands after the full stop", () => {
    assert.equal(cite("It failed. [2] Then it was fixed. [1]", 2, 8).text, "It failed [1]. Then it was fixed [2].");
  });
});

describe("cite, for any draft", () => {
  const piece = fc.constantFrom(
    "Redis failed",
    " [1]",
    "[2]",
    "[9]",
    "【3】",
    "[1,7]",
    "[2-9]",
    ". ",
    "? ",
    "\n- ",
    "\n\n",
    "`x[1]`",
    "e.g. ",
    "(see [4])",
    "[0]",
    "[",
    "]",
    "1. ",
    "🙂",
  );

  it("leaves no sentence without a source, no number without one, and numbers them in order of appearance", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(4), (pieces, count) => {
        const { text, order, sentences } = cite(pieces.join(""), count, 8);

        const numbers = marksOf(text).flatMap((mark) => mark.numbers);
        const first = numbers.filter((n, at) => numbers.indexOf(n) === at);
        assert.deepEqual(
          first,
          order.map((_, at) => at + 1),
        );
        assert.ok(order.every((n) => n >= 1 && n <= count));
        assert.equal(new Set(order).size, order.length);
        if (sentences === 0) assert.equal(text, "");
        for (const { start, end } of sentencesOf(text)) assert.ok(marksOf(text.slice(start, end)).length > 0, JSON.stringify(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("MarkStream", () => {
  it("shows the same numbers in a stream, however it is cut, as in the whole", () => {
    const draft = "One [4]. Two 【2】. Three [7]. Four [4,2].";
    for (const length of [1, 2, 3, 5, 100]) {
      const stream = new MarkStream(4);
      let shown = "";
      const fresh: number[] = [];
      for (let at = 0; at < draft.length; at += length) {
        const part = stream.push(draft.slice(at, at + length));
        shown += part.text;
        fresh.push(...part.fresh);
        assert.ok(!/\[[^\]]*$/.test(shown), "an open bracket was shown");
      }
      shown += stream.end().text;
      assert.equal(shown, "One [1]. Two [2]. Three . Four [1][2].");
      assert.deepEqual(fresh, [4, 2]);
    }
  });
});

describe("withMarks and withoutMarks", () => {
  it("put marks before the full stop and take them out again", () => {
    assert.equal(withMarks("It failed.", [1, 2]), "It failed [1][2].");
    assert.equal(withMarks("- item", [3]), "- item [3].");
    assert.equal(withMarks("The steps are:", [1]), "The steps are [1]:");
    assert.equal(withMarks('He said "stop."', [1]), 'He said "stop [1]."');
    assert.equal(withoutMarks("It failed [1][2]. Then 【3】 it rose."), "It failed. Then it rose.");
  });
});
