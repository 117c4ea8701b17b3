import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chunkOf, passageOf } from "../../test/support/shapes.ts";
import { documentGatherer } from "./documents.ts";

const now = new Date("2026-03-01T00:00:00Z");
const signal = new AbortController().signal;
const passages = [
  passageOf(chunkOf("log:late", "The pager of payments was lost.", { source: "logs", kind: "log" })),
  passageOf(chunkOf("documents:a.md", "The pager of payments is red.")),
  passageOf(chunkOf("jira:OPS-1", "The pager of payments is broken.", { source: "jira", kind: "ticket" })),
];
const created: Readonly<Record<string, string>> = { "log:late": "2026-03-02T00:00:00Z", "jira:OPS-1": "2026-02-01T00:00:00Z" };

async function found(nowGiven: boolean): Promise<readonly string[]> {
  const asked: (number | undefined)[] = [];
  const gather = documentGatherer({
    search: async (query, { k }) => {
      asked.push(k);
      return { query, identifiers: [], missing: [], passages, timings: {} };
    },
    embedder: null,
    createdAt: (id) => created[id] ?? null,
  });
  const question = "What is with the pager of payments?";
  const step = await gather({ question, query: question, attempt: 0, now, nowGiven, corpus: "all", llm: false, signal }).next();
  assert.ok(step.done === true);
  assert.deepEqual(asked, nowGiven ? [5, 20] : [5]);
  return step.value.passages.map(({ chunk }) => chunk.span.record);
}

describe("the passages of search", () => {
  it("leave out records that began after the time that the asker gave, and no file", async () => {
    assert.deepEqual(await found(true), ["documents:a.md", "jira:OPS-1"]);
    assert.deepEqual(await found(false), ["log:late", "documents:a.md", "jira:OPS-1"]);
  });
});
