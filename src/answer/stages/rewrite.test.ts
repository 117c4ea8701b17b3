import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askOnce, smallWorld } from "../../../test/support/small-world.ts";
import { documentGatherer } from "../documents.ts";
import { subQuestions } from "../sub-questions.ts";

interface Searched {
  readonly query: string;
  readonly k: number | undefined;
}

/** All searches of a question that nothing answers, and the strategies that the trace names. */
async function searches(question: string, expandNames = (): readonly string[] => []) {
  const { deps } = smallWorld({});
  const made: Searched[] = [];
  const documents = documentGatherer({
    search: async (query, { k }) => {
      made.push({ query, k });
      return { query, identifiers: [], missing: [], passages: [], timings: {} };
    },
    embedder: null,
  });
  const { answer } = await askOnce({ ...deps, documents, expandNames }, question);
  const strategies = answer.trace.stages.filter(({ name }) => name === "rewrite").map(({ detail }) => detail.strategy);
  return { made, strategies, answer };
}

describe("each search of one question", () => {
  it("is another: as asked, by keywords, then over a wider window", async () => {
    const { made, strategies } = await searches("Why was the nightly export of the ledger late?");

    assert.deepEqual(strategies, ["as asked", "keywords", "wider window"]);
    assert.deepEqual(made, [
      { query: "Why was the nightly export of the ledger late?", k: 5 },
      { query: "nightly export ledger late", k: 10 },
      { query: "Why was the nightly export of the ledger late?", k: 20 },
    ]);
  });

  it("spells out names, with the question and with its keywords", async () => {
    const { made, strategies } = await searches("Is the cart down?", () => ["cartservice"]);

    assert.deepEqual(strategies, ["names", "keywords", "wider window"]);
    assert.equal(made[0]?.query, "Is the cart down? (cartservice)");
    assert.match(made[1]?.query ?? "", /^cart.* \(cartservice\)$/);
  });

  it("takes a question apart that holds two, the second one with the name it speaks of", async () => {
    const { made, strategies } = await searches("Who wrote the ledger export and when was it moved to Kafka?", () => ["ledger-export"]);

    assert.deepEqual(strategies, ["sub-questions", "names", "keywords"]);
    assert.deepEqual(
      made.slice(0, 2).map(({ query }) => query),
      ["Who wrote the ledger export?", "when was it moved to Kafka? (ledger-export)"],
    );
  });

  it("answers the half that is in the sources, and says which half is not", async () => {
    const { deps } = smallWorld({ "pager.md": "The pager rota of payments is kept in the Phoenix calendar." });

    const { answer } = await askOnce(deps, "Where is the pager rota of payments kept, and who founded the Berlin aquarium?");

    assert.equal(answer.status, "partial");
    assert.equal(answer.answer, "The pager rota of payments is kept in the Phoenix calendar [1].");
    assert.deepEqual(answer.lookedFor, [{ what: "who founded the Berlin aquarium?", window: null, found: 0 }]);
  });
});

describe("sub-questions", () => {
  it("are the questions that a question holds", () => {
    assert.deepEqual(subQuestions("What broke last night? Who is on call?", []), ["What broke last night?", "Who is on call?"]);
    assert.deepEqual(subQuestions("What broke, and how was it fixed?", ["JR-1"]), ["What broke?", "how was it fixed? (JR-1)"]);
    assert.deepEqual(subQuestions("Who owns redis as well as what depends on it", ["redis"]), [
      "Who owns redis?",
      "what depends on it? (redis)",
    ]);
  });

  it("are the question itself where it holds no second one", () => {
    for (const question of ["Who owns search and rescue?", "What is the name and port of redis?", "Why?", "", "Is it up and is?"]) {
      assert.deepEqual(subQuestions(question, ["redis"]), [question]);
    }
  });

  it("are not more than three", () => {
    const many = "What is a? What is b? What is c? What is d?";

    assert.deepEqual(subQuestions(many, []), [many]);
  });
});
