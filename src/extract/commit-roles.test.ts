import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { namesFor, recordFor } from "./testing.ts";
import { createTier1 } from "./tier1.ts";

const tier1 = createTier1();
const names = namesFor({ services: { alpha: [], beta: [] }, engineers: { "Ada Lovelace": "ada" }, projects: ["AB"] });

/** Edges between the ticket and commits that its text states; `about` "Task" or "Bug", closed where it says so. */
function edgesOf(text: string, about: { readonly type?: string | null; readonly open?: boolean } = {}): string[] {
  const record = recordFor({
    id: "jira:AB-1",
    prose: `It is broken\n\n${text}`,
    fields: { key: "AB-1", ...(about.type === null ? {} : { ticketType: about.type ?? "Bug" }), open: about.open ?? true },
  });
  return tier1
    .extract(record, names)
    .facts.flatMap(({ kind, source, target }) =>
      kind === "fixes" ? [`repair ${source.slice(7)}`] : kind === "caused_by" ? [`cause ${target.slice(7)}`] : [],
    );
}

describe("what a commit is to the ticket that names it", () => {
  it("is the cause where a clause tells what harm it did, or who is sorry for it", () => {
    for (const text of [
      "That was me. 0a1b2c3 cut the pools to two connections.",
      "We made the field mandatory with 0a1b2c3, so that is what broke them.",
      "0a1b2c3 came without an expiry.",
      "Bad config from 0a1b2c3.",
      "The new analyzer (0a1b2c3) needs a reindex that I forgot.",
      "It's on me: with 0a1b2c3 we no longer speak TLS 1.1.",
      "Root cause\n\n0a1b2c3 (smaller pools everywhere) and the lunch break.",
    ])
      assert.deepEqual(edgesOf(text), ["cause 0a1b2c3"], text);
  });

  it("is the repair where a clause tells of a cure, or where somebody is pleased right after", () => {
    for (const text of [
      "Reverted in 0a1b2c3.",
      "0a1b2c3 adds one, closing.",
      "Merged as 0a1b2c3.",
      "0a1b2c3 never leaks.",
      "0a1b2c3 makes the batches smaller. Works.",
      "Fix\n\n0a1b2c3, live since noon.",
    ])
      assert.deepEqual(edgesOf(text), ["repair 0a1b2c3"], text);
  });

  it("keeps two commits of one sentence apart", () => {
    assert.deepEqual(edgesOf("0a1b2c3 cut the pools to two; reverted in 1b2c3d4."), ["cause 0a1b2c3", "repair 1b2c3d4"]);
  });

  it("takes back what was rolled back for the cause only once the ticket is over, and not in vain", () => {
    assert.deepEqual(edgesOf("Rolled back 0a1b2c3.", { open: false }), ["cause 0a1b2c3"]);
    assert.deepEqual(edgesOf("Rolled back 0a1b2c3."), []);
    assert.deepEqual(edgesOf("Rolled back 0a1b2c3, still slow.", { open: false }), []);
  });

  it("says nothing where the words do not, where they deny or wonder, of other tickets, and of harm that a task intends", () => {
    for (const text of [
      "0a1b2c3 is live since Monday.",
      "See 0a1b2c3.",
      "0a1b2c3 is not the bad one.",
      "0a1b2c3 removed the retry, which may be bad.",
      "No, that works since 0a1b2c3.",
      "Is 0a1b2c3 the bad one?",
      "0a1b2c3 dropped the index for AB-9.",
    ])
      assert.deepEqual(edgesOf(text), [], text);
    assert.deepEqual(edgesOf("0a1b2c3 removed the old topic.", { type: "Task" }), []);
  });

  it("says nothing of a commit that something is measured against, copied from or taken back by name, nor of a list of them", () => {
    for (const text of [
      "Prior to 0a1b2c3 the test failed as expected.",
      "Without 0a1b2c3 applied this test panics.",
      "This is a roll-forward of 0a1b2c3, with the changes of the queue removed.",
      "This reverts the pull request which was merged as commit 0a1b2c3.",
      "0a1b2c3 Fix the bug in the batch 1b2c3d4 Drop the index 2c3d4e5 Lower the limit 3d4e5f6 Merge the branch",
    ])
      assert.deepEqual(edgesOf(text), [], text);
  });

  it("is told right beside it where nothing says what kind of record it is", () => {
    assert.deepEqual(edgesOf("0a1b2c3 dropped the index.", { type: null }), ["cause 0a1b2c3"]);
    const far = "With the move done and the old flag gone we started to use the new one in 0a1b2c3, as it was announced.";
    assert.deepEqual(edgesOf(far, { type: null }), []);
  });
});
