import assert from "node:assert/strict";
import { describe, it } from "node:test";

interface Claim {
  readonly text: string;
  readonly label: string;
}

// the page's own modules: plain JavaScript without types
const load = (name: string): Promise<Record<string, unknown>> => import(new URL(`../web/lib/${name}`, import.meta.url).href);
const { sentencesOf, withNumbers } = (await load("sentences.js")) as {
  sentencesOf(answer: string, claims: readonly Claim[]): { text: string; claim: Claim | null }[];
  withNumbers(text: string): (string | number)[];
};
const { spotOf, namedSpots } = (await load("spot.js")) as {
  spotOf(paragraph: string, sentence: string): [number, number] | null;
  namedSpots(citation: { n: number; text: string; charStart: number }, claim: object | null): [number, number][];
};

const { excerpt, wordSpots } = (await load("query-words.js")) as {
  excerpt(text: string, query: string, length: number): string;
  wordSpots(text: string, query: string): [number, number][];
};

const supported = (text: string): Claim => ({ text, label: "SUPPORTED" });

describe("an answer's sentences on the page", () => {
  it("are found by their claims, with or without numbers in them", () => {
    const answer = "Redis has a TTL of 30 minutes [1]. It fails over in 20 s [2][3].";
    const pieces = sentencesOf(answer, [supported("Redis has a TTL of 30 minutes."), supported("It fails over in 20 s [2][3].")]);

    assert.deepEqual(
      pieces.map((piece) => piece.text),
      ["Redis has a TTL of 30 minutes [1].", "It fails over in 20 s [2][3]."],
    );
  });

  it("never lose a word, whether a claim covers it or not", () => {
    const answer = "First. Second [1]. Third [2].";
    for (const claims of [[], [supported("Second")], [supported("nowhere")], [supported("First"), supported("Third")]]) {
      assert.equal(
        sentencesOf(answer, claims)
          .map((piece) => piece.text)
          .join(" "),
        answer,
      );
    }
  });

  it("are one where the parts of a sentence were checked apart, and as good as the worst part", () => {
    const doubtful = { text: "a second hand makes it worse", label: "UNCERTAIN" };
    const pieces = sentencesOf("The replica takes over, and a second hand makes it worse [1].", [
      supported("The replica takes over"),
      doubtful,
    ]);

    assert.equal(pieces.length, 1);
    assert.equal(pieces[0]?.claim, doubtful);
  });

  it("are found where a name stands in code marks, which claims come without", () => {
    const answer = "SHOP-1 (drops `demo.amount`) is open [1]. SHOP-2 (adds **all**) is open [2].";
    const pieces = sentencesOf(answer, [supported("SHOP-1 (drops demo.amount) is open."), supported("SHOP-2 (adds all) is open.")]);

    assert.deepEqual(
      pieces.map((piece) => piece.text),
      ["SHOP-1 (drops `demo.amount`) is open [1].", "SHOP-2 (adds **all**) is open [2]."],
    );
  });

  it("keep a name in code marks whole where its sentence was checked in parts", () => {
    const answer = "It fixes `a.amount` and `b.amount` for good [1].";

    const pieces = sentencesOf(answer, [supported("It fixes a.amount"), supported("b.amount for good")]);

    assert.deepEqual(
      pieces.map((piece) => piece.text),
      [answer],
    );
  });

  it("come without the bullets of the list that they were taken from", () => {
    const pieces = sentencesOf("- Wait 60 seconds [1]. - Then restart [1].", [supported("Wait 60 seconds"), supported("Then restart")]);

    assert.deepEqual(
      pieces.map((piece) => piece.text),
      ["Wait 60 seconds [1].", "Then restart [1]."],
    );
  });

  it("give their numbers apart from their words", () => {
    assert.deepEqual(withNumbers("a [1][12]."), ["a ", 1, "", 12, "."]);
  });
});

describe("the place of a sentence in its source", () => {
  const paragraph = "Failover\n\nThe replica takes over\nwithin 20 seconds. Carts survive.";

  it("is found across line breaks and case", () => {
    const spot = spotOf(paragraph, "the replica takes over within 20 seconds [1].");

    assert.deepEqual(spot && paragraph.slice(...spot), "The replica takes over\nwithin 20 seconds");
  });

  it("is what the sentence quotes, where it says the rest in other words", () => {
    const spot = spotOf(paragraph, 'The runbook rules out lost carts: "Carts survive." [1]');

    assert.deepEqual(spot && paragraph.slice(...spot), "Carts survive");
  });

  it("is none where the source says it in other words", () => {
    assert.equal(spotOf(paragraph, "Switching needs a third of a minute [1]."), null);
  });

  it("is right behind letters that grow in lower case", () => {
    const odd = "İİİ Redis is fine.";
    const spot = spotOf(odd, "Redis is fine.");

    assert.deepEqual(spot && odd.slice(...spot), "Redis is fine");
  });
});

describe("the places that a claim names", () => {
  const citation = { n: 2, text: "CODEOWNERS: /checkout @ann, since March", charStart: 100 };
  const place = (n: number, start: number, end: number) => ({ n, start, end });

  it("are marked in the paragraph of their source, overlapping ones as one, and never beyond it", () => {
    const evidence = [place(2, 122, 126), place(2, 112, 124), place(2, 90, 104), place(2, 134, 900), place(1, 100, 110), place(2, 10, 20)];

    const spots = namedSpots(citation, { evidence });

    assert.deepEqual(
      spots.map(([start, end]) => citation.text.slice(start, end)),
      ["CODE", "/checkout @ann", "March"],
    );
  });

  it("are none for a claim without", () => {
    assert.deepEqual(namedSpots(citation, null), []);
    assert.deepEqual(namedSpots(citation, { label: "SUPPORTED" }), []);
  });
});

describe("the words of a query in a passage", () => {
  it("are found whole and in any case", () => {
    assert.deepEqual(wordSpots("JR-441: Redis, not redistribution", "redis jr-441"), [
      [0, 6],
      [8, 13],
    ]);
  });

  it("choose the part of a long passage that is shown", () => {
    const text = `${"line 1 failed again. ".repeat(30)}line 4999 failed for good.`;

    const shown = excerpt(text, "line 4999", 120);

    assert.match(shown, /^….*line 4999/);
    assert.ok(shown.length <= 122, String(shown.length));
    assert.equal(excerpt("short", "4999", 120), "short");
    assert.match(excerpt(text, "nothing", 120), /^line 1 failed/);
  });
});
