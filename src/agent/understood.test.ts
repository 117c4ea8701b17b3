import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Statement } from "../core/answer.ts";
import { understand } from "./question.ts";
import { accountsFor, gapOf } from "./understood.ts";
import { View } from "./view.ts";

const now = new Date("2026-03-12T00:00:00Z");
const till = { id: "service:till", kind: "service", label: "till", aliases: [], attributes: {}, spans: [] };
const scale = { ...till, id: "service:scale", label: "scale" };
const jo = { ...till, id: "engineer:jo-moss", kind: "engineer", label: "Jo Moss" };
const outage = { ...till, id: "ticket:SH-7", kind: "ticket", label: "SH-7" };
const change = { ...till, id: "commit:0a1b2c3d4e5f", kind: "commit", label: "0a1b2c3" };
const nodes = [till, scale, jo, outage, change];

const graph = {
  node: (id: string) => nodes.find((one) => one.id === id) ?? null,
  nodes: (kind: string) => nodes.filter((one) => one.kind === kind),
  resolve: () => ({ type: "none" }),
  mentions: (text: string) =>
    nodes
      .flatMap((node) => {
        const start = text.indexOf(node.label);
        return start < 0 ? [] : [{ start, end: start + node.label.length, text: node.label, resolution: { type: "one", node } }];
      })
      .sort((a, b) => a.start - b.start),
};

function gap(question: string, said: string, shownIn = "") {
  const { read, statement, view } = place(question, said, shownIn);
  return gapOf(read, [statement], view);
}

function place(question: string, said: string, shownIn: string) {
  const record = { id: "jira:SH-7", title: "", body: shownIn, createdAt: "2026-03-01T00:00:00Z", updatedAt: "2026-03-01T00:00:00Z" };
  const view = new View(graph as never, { get: () => record, ids: () => [] } as never, {} as never, "2026-03-12T00:00:00Z", () => []);
  const spans = [{ record: "jira:SH-7", start: 0, end: shownIn.length }];
  const statement = { text: said, spans, confidence: 1, from: "edges" } as unknown as Statement;
  return { read: understand(question, graph as never, now), statement, view };
}

describe("whether an answer accounts for its whole question", () => {
  for (const [question, said, shownIn] of [
    ["Who owns till?", "Jo Moss owns till.", ""],
    ["hey, could you please tell me who is in charge of the till service right now?", "Jo Moss owns till.", ""],
    ["Why are discounts lost in till?", "SH-7 was caused by commit 0a1b2c3d4.", "till loses every discount"],
    ["Was till to blame for the double bookings?", "SH-7 was caused by commit 0a1b2c3d4.", "till books things twice: 12 bookings"],
    ["What changed in till in the last 48 hours?", "Commit 0a1b2c3d4 modified till on 2026-03-11 08:00 UTC.", ""],
    ["What does till depend on within two hops?", "Service till depends on scale.", ""],
    ["Which services does till call?", "Service till depends on scale.", ""],
    ["till is down, whom do I call?", "Jo Moss owns till.", ""],
    ["pls, open incidents rn?", "SH-7 is an open incident that affects till.", ""],
  ] as const) {
    it(`does for "${question}"`, () => assert.equal(gap(question, said, shownIn), null));
  }

  for (const [question, said, missing] of [
    ["Who owns till in the staging cluster?", "Jo Moss owns till.", ["staging", "cluster"]],
    ["Who owns till for customers in Norway?", "Jo Moss owns till.", ["customers", "norway"]],
    ["Which region was hit by SH-7?", "SH-7 is an open incident that affects till.", ["region"]],
    ["Which driver reported SH-7?", "Jo Moss reported SH-7.", ["driver"]],
    ["Who else reported SH-7?", "Jo Moss reported SH-7.", ["who else"]],
    ["What changed in till besides 0a1b2c3?", "Commit 0a1b2c3d4 modified till.", ["besides 0a1b2c3"]],
    ["What is the second cause of SH-7?", "SH-7 was caused by commit 0a1b2c3d4.", ["second"]],
    ["Which services does till not depend on?", "Service till depends on scale.", ["not"]],
    ["Who will own till?", "Jo Moss owns till.", ["will"]],
    ["Which commit fixed SH-7?", "SH-7 is an open incident that affects till.", ["which commit"]],
    ["Which services sit behind till?", "No open incident is recorded for till.", ["which service"]],
    ["When was SH-7 opened?", "Jo Moss reported SH-7.", ["when"]],
    ["Who opened SH-7?", "SH-7 was opened on 2026-03-01.", ["who"]],
    ["Who reported that till fails?", "SH-7 is an open incident, opened on 2026-03-01. Jo Moss owns till.", ["who"]],
    ["Who suspects 0a1b2c3?", "Commit 0a1b2c3d4 by Jo Moss modified till.", ["suspects"]],
    ["Why did till fail on 3 March?", "No open incident is recorded for till.", ["why"]],
    ["Which services do call till?", "No open incident is recorded for till. Its parts escalate.", ["which service"]],
    ["Why was till moved to Linux 6.8?", "No open incident of till fits.", ["moved", "linux", "6.8"]],
    ["Who owned till in 2019?", "Jo Moss owned till on 2019-12-31.", ["… "]],
    ["cost of SH-7?", "SH-7 is an open incident that affects till.", ["cost"]],
    ["Which commit took till down?", "No commit modified till.", ["took"]],
    ["When is the next release of till?", "Commit 0a1b2c3d4 modified till on 2026-03-11 08:00 UTC.", ["next"]],
    ["Who owned till before Jo Moss?", "Jo Moss owns till.", ["before"]],
    ["Services that dont use till", "Service scale depends on till.", ["not"]],
  ] as const) {
    it(`does not for "${question}": it is one to another question`, () => {
      const found = gap(question, said);

      assert.equal(found?.decisive, true);
      if (missing[0] !== "… ") assert.deepEqual(found.words, missing);
    });
  }

  it("takes one of the kind that is asked for by name", () => {
    assert.equal(gap("Which region was hit by SH-7?", "SH-7 hit the region eu-west-1."), null);
    assert.equal(gap("Which region was hit by SH-7?", "Three regions were hit by SH-7.")?.decisive, true);
  });

  it("names a loose word of how a fault looks, and lets the answer stand", () => {
    const said = "SH-7 is an open incident that affects till.";
    assert.deepEqual(gap("What is wrong with till flickering?", said), { words: ["flickering"], decisive: false });
  });
});

describe("whether a sentence of a text accounts for a question that names something", () => {
  for (const [question, quote, whole] of [
    ["When does till raise an alarm?", "till: alarms fire at 80 %.", true],
    ["How many orders a second does till allow?", "till takes 50 orders a second.", true],
    ["How long may till be down?", "till may be down for four minutes.", true],
    ["cost per order in till", "till: ask scale for each order.", false],
    ["Does till run on spot nodes?", "If we did this, till would depend on scale.", false],
    ["Any fix (till)?", "till: switch to another provider.", false],
    ["Who else worked on till?", "Jo Moss worked on till.", false],
    ["Does till need a queue?", "The gateway needs a queue.", false],
  ] as const) {
    it(`${whole ? "does" : "does not"}: "${question}" and "${quote}"`, () => {
      const { read, statement, view } = place(question, quote, "");

      assert.equal(accountsFor(read, statement, view), whole);
    });
  }
});
