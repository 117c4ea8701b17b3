import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import type { Answer } from "../core/answer.ts";
import { answerTable } from "./answers.ts";
import { llmTable } from "./llm.ts";

function database() {
  const db = new Database(":memory:");
  for (const file of ["0003-answers.sql", "0006-answers-seen.sql", "0014-spend-by-day.sql"])
    db.exec(readFileSync(new URL(`./migrations/${file}`, import.meta.url), "utf8"));
  return db;
}

const now = "2026-03-12T02:10:00Z";
const answer: Answer = {
  id: "a1",
  question: "Who owns checkout?",
  status: "answered",
  refusal: null,
  answer: "Ann owns checkout [1].",
  citations: [],
  claims: [],
  coverage: [],
  lookedFor: [],
  hypotheses: [],
  permalink: "/a/a1",
  route: "agent",
  toolCalls: [],
  trace: { stages: [], retries: 0, llm: { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 } },
  asOf: now,
};

describe("answerTable", () => {
  it("gives an answer back whole by its id, with the revisions it cited", () => {
    const table = answerTable(database());
    table.put(answer, now, { cited: { "jira:JR-1": "h1" } });

    assert.deepEqual(table.get("a1"), answer);
    assert.deepEqual(table.cited("a1"), { "jira:JR-1": "h1" });
    assert.equal(table.get("a2"), null);
  });

  it("keeps the newest of so many that they would fill the disk", () => {
    const table = answerTable(database(), 3);

    for (const id of ["a1", "a2", "a3", "a2", "a4"]) table.put({ ...answer, id }, now, { cache: { key: `k-${id}`, generation: "7" } });

    assert.deepEqual(
      ["a1", "a2", "a3", "a4"].map((id) => [table.get(id)?.id, table.recall(`k-${id}`)?.id]),
      [
        [undefined, undefined],
        ["a2", "a2"],
        ["a3", "a3"],
        ["a4", "a4"],
      ],
    );
  });

  it("recalls by key only what was put with that key, and forgets older index generations", () => {
    const table = answerTable(database());
    table.put(answer, now, { cache: { key: "k1", generation: "7" } });
    assert.equal(table.recall("k1")?.id, "a1");
    assert.equal(table.recall("k2"), null);

    table.put({ ...answer, id: "a2" }, now, { cache: { key: "k2", generation: "8" } });

    assert.equal(table.recall("k1"), null);
    assert.equal(table.recall("k2")?.id, "a2");
    assert.equal(table.get("a1")?.id, "a1");
  });
});

describe("llmTable", () => {
  it("counts what is reserved until it is settled, by run and by day", () => {
    const table = llmTable(database());
    const limits = { perRun: 1, perDay: 2 };
    const first = table.reserve("run-1", "extract", "m", 0.9, limits, now);
    assert.throws(() => table.reserve("run-1", "extract", "m", 0.2, limits, now), { code: "LLM_BUDGET" });
    table.settle(first, { inputTokens: 10, outputTokens: 5, costUsd: 0.1 });

    table.reserve("run-1", "extract", "m", 0.2, limits, now);
    table.reserve("run-2", "extract", "m", 0.9, limits, now);
    assert.throws(() => table.reserve(null, "judge", "m", 0.9, limits, now), { code: "LLM_BUDGET" });
    table.reserve(null, "judge", "m", 0.9, limits, "2026-03-13T00:00:00Z");

    assert.deepEqual(table.spend()[1], {
      day: "2026-03-12",
      purpose: "extract",
      model: "m",
      calls: 3,
      inputTokens: 10,
      outputTokens: 5,
      costUsd: 1.2,
    });
  });

  it("keeps replies by key", () => {
    const table = llmTable(database());
    table.cache("k", "reply", "m", now);

    assert.equal(table.cached("k"), "reply");
    assert.equal(table.cached("other"), null);
  });
});
