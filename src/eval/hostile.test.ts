import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answerMessages, correctMessages, judgeMessages } from "../answer/prompts.ts";
import type { Answer } from "../core/answer.ts";
import type { Passage } from "../core/chunk.ts";
import type { Written } from "./damage.ts";
import { figuresOf, type Served } from "./hostile.ts";
import { Liar, shownOf } from "./liar.ts";

const texts = [
  "The relay accepts 480 writers from the Harbour Exchange. Ann Porter restarts parcel-relay after each failed deploy.",
  "Boris Lund raised the limit of ledger-db to 700 sessions in March. Nobody at Tidewater Freight saw the alarm for 25 minutes.",
];

const passages = texts.map((text, at) => ({
  chunk: {
    id: `c${at}`,
    title: `Page ${at + 1}`,
    ordinal: 1,
    of: 1,
    page: null,
    text,
    span: { record: `doc:${at}`, start: 0, end: text.length },
  },
  edges: [],
  ranks: {},
})) as unknown as Passage[];

const model = (messages: readonly { role: string; content: string | null }[]) => ({ model: "liar", messages });

function answerOf(text: string, cited: readonly number[], status: Answer["status"] = "answered"): Answer {
  const citations = cited.map((source, at) => ({ n: at + 1, text: texts[source] ?? "" }));
  return { answer: text, citations, status } as unknown as Answer;
}

function served(sentences: readonly Written[], shown: readonly Written[], status: Answer["status"] = "answered"): Served {
  return { question: "?", sentences, status, shown, cited: [], answer: "", stopped: [], claims: [] };
}

const rightOne: Written = { text: "The relay accepts 480 writers from the Harbour Exchange.", cites: [1], damage: null };
const wrongOne: Written = { text: "The relay accepts 490 writers from the Harbour Exchange.", cites: [1], damage: "number" };
const misplaced: Written = { text: "The relay accepts 480 writers from the Harbour Exchange.", cites: [2], damage: "wrongCitation" };

describe("the model that lies", () => {
  const ask = answerMessages({ question: "Who?", passages, statements: [], asOf: "2026-01-01", fence: "f1", again: false });

  it("reads the sources out of its prompt and cites them; in a damaged answer one sentence is wrong", () => {
    const liar = new Liar();
    liar.next(null, 1);
    assert.match(liar.reply(model(ask)), /\[[12]\]\.$/);
    assert.ok(liar.sentences?.every(({ text, damage }) => damage === null && text.length > 10));

    liar.next("number", 2);
    liar.reply(model(ask));
    assert.equal(liar.sentences?.filter(({ damage }) => damage === "number").length, 1);
  });

  it("insists on the wrong sentence when it is asked to correct, and calls everything faithful", () => {
    const liar = new Liar();
    liar.next("number", 2);
    liar.reply(model(ask));
    const wrong = liar.sentences?.find(({ damage }) => damage !== null)?.text.replace(/\.$/, "") ?? "?";

    const revision = liar.reply(model(correctMessages("Who?", "draft", [], passages, "f2")));
    assert.ok(revision.includes(wrong), revision);
    assert.equal(JSON.parse(liar.reply(model(judgeMessages("Who?", "Nonsense [1].", passages, [], "f3")))).verdict, "FAITHFUL");
  });

  it("judges by shared words where it is told to", () => {
    const judge = new Liar("words");
    const verdict = (draft: string): string => JSON.parse(judge.reply(model(judgeMessages("Who?", draft, passages, [], "f4")))).verdict;

    assert.equal(verdict("Boris Lund raised the limit of ledger-db [2]."), "FAITHFUL");
    assert.equal(verdict("Boris Lund raised the limit of ledger-db [1]."), "HALLUCINATION");
    assert.equal(verdict("The vendor has confirmed that the hardware was at fault [2]."), "HALLUCINATION");
  });
});

describe("what of a lie is shown", () => {
  it("is a wrong sentence that stands in the answer, also inside another one", () => {
    assert.deepEqual(shownOf([wrongOne], answerOf("The relay accepts 490 writers from the Harbour Exchange [1].", [0])), [wrongOne]);
    assert.deepEqual(shownOf([wrongOne], answerOf("Indeed, The relay accepts 490 writers from the Harbour Exchange [1].", [0])), [
      wrongOne,
    ]);
    assert.deepEqual(shownOf([wrongOne], answerOf("The relay accepts 480 writers from the Harbour Exchange [1].", [0])), []);
  });

  it("is nothing where the answer is refused", () => {
    assert.deepEqual(shownOf([wrongOne, rightOne], answerOf(wrongOne.text, [], "refused")), []);
  });

  it("is a true sentence with a wrong citation only as long as it cites what does not say it", () => {
    assert.deepEqual(shownOf([misplaced], answerOf("The relay accepts 480 writers from the Harbour Exchange [1].", [1])), [misplaced]);
    assert.deepEqual(shownOf([misplaced], answerOf("The relay accepts 480 writers from the Harbour Exchange [1].", [0])), []);
  });

  it("is not what was worded from a sentence that the citation now points to", () => {
    const reworded: Written = {
      text: 'According to "Page 1", the relay accepts 480 writers from the Harbour Exchange.',
      quote: "The relay accepts 480 writers from the Harbour Exchange.",
      cites: [2],
      damage: "wrongCitation",
    };
    const text = `${reworded.text.slice(0, -1)} [1].`;

    assert.deepEqual(shownOf([reworded], answerOf(text, [0])), []);
    assert.deepEqual(shownOf([reworded], answerOf(text, [1])), [reworded]);
  });

  it("is counted by kind, and right answers that are refused are counted apart from right sentences that are dropped", () => {
    const figures = figuresOf([
      served([rightOne, wrongOne], [rightOne, wrongOne]),
      served([wrongOne], []),
      served([misplaced], [misplaced]),
      served([rightOne], [], "refused"),
      served([rightOne, rightOne], [rightOne], "partial"),
    ]);

    assert.equal(figures.answers, 5);
    assert.equal(figures.right, 2);
    assert.equal(figures.rightRefused, 1);
    assert.deepEqual(figures.rightSentences, { served: 3, dropped: 2 });
    assert.deepEqual(figures.byKind.number, { served: 2, shown: 1 });
    assert.deepEqual(figures.byKind.wrongCitation, { served: 1, shown: 1 });
    assert.equal(figures.wrongShown, 2);
    assert.equal(figures.wrongSentences, 3);
  });
});
