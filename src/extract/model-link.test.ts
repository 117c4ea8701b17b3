import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeId } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { linkRelations } from "./model-link.ts";
import { parseReply, type Relation } from "./model-reply.ts";
import { namesFor, recordFor } from "./testing.ts";

const names = namesFor({
  services: { billing: ["Billing Service"], ledger: [], report: [], mailer: [] },
  engineers: { "Ann Lee": "ann", "Bob Ray": "bob" },
  projects: ["OPS"],
});

/** Writes a relation as "source kind target", quoted by the whole text unless a quote is given. */
function link(text: string, claim: string, more: Partial<Relation> = {}, title = "A title", id = "jira:OPS-7"): string {
  const [, source = "", kind = "", target = ""] =
    /^(.+?) (owns|affects|fixes|depends_on|caused_by|modified) (.+)$/.exec(claim) ?? assert.fail(claim);
  const ticket = id.startsWith("jira:");
  const record = recordFor({ id: id as RecordId, prose: `${title}\n\n${text}`, title, fields: ticket ? { key: "OPS-7" } : {} });
  const own: NodeId | null = ticket ? "ticket:OPS-7" : null;
  const relation = { source, kind, target, quote: text, ...more } as Relation;
  const { facts, dropped } = linkRelations(record, own, [relation], names, 2, "stub");
  return facts.length === 1 ? `${facts[0]?.source} ${facts[0]?.kind} ${facts[0]?.target}` : (dropped[0]?.why ?? "");
}

describe("what is taken over from a model's reply", () => {
  it("is what the sentence states, in words that no rule knows", () => {
    const borne: readonly (readonly [string, string, string])[] = [
      [
        "When a customer pays, billing goes and asks ledger whether the booking is there.",
        "billing depends_on ledger",
        "service:billing depends_on service:ledger",
      ],
      ["ledger is, among others, used by billing.", "billing depends_on ledger", "service:billing depends_on service:ledger"],
      [
        "billing writes to ledger for bookings and to report for totals.",
        "billing depends_on report",
        "service:billing depends_on service:report",
      ],
      ["For as long as anyone remembers Ann Lee has owned billing.", "Ann Lee owns billing", "engineer:ann-lee owns service:billing"],
      ["All of it began to fail with 0a1b2c3, they say.", "this caused_by 0a1b2c3", "ticket:OPS-7 caused_by commit:0a1b2c3"],
      ["What made it go away, and so fixed it, was 0a1b2c3.", "0a1b2c3 fixes this", "commit:0a1b2c3 fixes ticket:OPS-7"],
    ];
    for (const [text, claim, edge] of borne) assert.equal(link(text, claim), edge, text);
  });

  it("is not what the sentence denies, doubts, asks or tells of another name", () => {
    const refused: readonly (readonly [string, string])[] = [
      ["billing does not need ledger.", "billing depends_on ledger"],
      ["Does billing need ledger?", "billing depends_on ledger"],
      ["If ledger were down, billing would call report.", "billing depends_on report"],
      ["Caused by 0a1b2c3 was ruled out.", "this caused_by 0a1b2c3"],
      ["ledger is healthy.", "this caused_by ledger"],
      ["Caused by 0a1b2c3: ledger refuses new clients.", "this caused_by ledger"],
      ["Reason: 0a1b2c3, the rename of ledger, left a gap.", "this caused_by ledger"],
      ["Bob Ray asked about billing.", "Bob Ray owns billing"],
      ["Bob Ray says that Ann Lee owns billing.", "Bob Ray owns billing"],
      ["billing reads report and writes to ledger.", "report depends_on ledger"],
      ["billing needs ledger, while report needs mailer.", "billing depends_on mailer"],
      ["It reads report and writes to ledger.", "report depends_on ledger"],
      ["ledger is what broke this.", "this affects ledger"],
      ["OPS-3 was caused by 0a1b2c3.", "this caused_by 0a1b2c3"],
      ["Solved by reverting 0a1b2c3.", "0a1b2c3 fixes this"],
    ];
    for (const [text, claim] of refused)
      assert.match(link(text, claim), /^(?:not stated|sentence is about another relation|ends not in the sentence)$/, text);
  });

  it("is judged by the whole sentence, however little of it the model quotes", () => {
    assert.equal(link("It was not caused by 0a1b2c3.", "this caused_by 0a1b2c3", { quote: "caused by 0a1b2c3" }), "not stated");
  });

  it("keeps its direction: ends of one kind the wrong way round are dropped, ends of two kinds turned", () => {
    assert.equal(link("billing needs ledger.", "ledger depends_on billing"), "sentence is about another relation");
    assert.equal(link("Ann Lee owns billing.", "billing owns Ann Lee"), "engineer:ann-lee owns service:billing");
    assert.equal(link("Caused by 0a1b2c3.", "0a1b2c3 caused_by this"), "ticket:OPS-7 caused_by commit:0a1b2c3");
  });

  it("ends an edge only where the sentence says that it ended", () => {
    assert.equal(link("billing needs ledger.", "billing depends_on ledger", { ends: true }), "not stated");
    assert.equal(link("billing no longer needs ledger.", "billing depends_on ledger"), "not stated");
    assert.equal(
      link("billing no longer needs ledger.", "billing depends_on ledger", { ends: true }),
      "service:billing depends_on service:ledger",
    );
  });

  it("holds no service that is only a word of the sentence, whatever reason the model gives", () => {
    const reason = "it is an internal service of ours";
    assert.equal(link("billing needs zero-code instrumentation.", "billing depends_on zero-code", { reason }), "name not known");
    assert.equal(link("billing needs a round-trip.", "billing depends_on round-trip", { reason }), "name not known");
    assert.equal(link("billing needs patience.", "billing depends_on patience", { reason }), "name not known");
    assert.equal(
      link("billing needs tax-engine for the rate.", "billing depends_on tax-engine", { reason }),
      "service:billing depends_on service:tax-engine",
    );
  });

  it("takes quotes neither from other records nor from code and drafts", () => {
    assert.equal(link("billing is slow.", "billing depends_on ledger", { quote: "report needs ledger." }), "quote not found");
    assert.equal(link("```\nbilling needs ledger\n```", "billing depends_on ledger", { quote: "billing needs ledger" }), "not stated");
    assert.equal(link("billing needs ledger.", "billing depends_on ledger", {}, "Draft: the new books", "confluence:page:1"), "not stated");
  });
});

describe("replies as models write them", () => {
  const relation = { source: "a", kind: "depends_on", target: "b", quote: "a needs b" };
  const reply = JSON.stringify({
    records: [
      { n: 1, relations: [relation, relation] },
      { n: 2, relations: [relation] },
    ],
  });

  function counts(text: string): unknown {
    const { records, whole, unfit } = parseReply(text);
    return { counts: [...records].map(([n, relations]) => [n, relations.length]), whole, unfit };
  }

  it("are found between other words, in a fence, after braces that are none of theirs", () => {
    const expected = {
      counts: [
        [1, 2],
        [2, 1],
      ],
      whole: true,
      unfit: 0,
    };
    assert.deepEqual(counts(`For {each} record:\n\`\`\`json\n${reply}\n\`\`\`\nAsk me for {more}.`), expected);
  });

  it("count up to where they break off", () => {
    assert.deepEqual(counts(reply.slice(0, reply.indexOf('{"source"', 40) + 20)), { counts: [[1, 1]], whole: false, unfit: 0 });
    assert.throws(() => parseReply(reply.slice(0, 14)), SyntaxError);
  });

  it("lose only the relations that lack a part", () => {
    const { quote: _, ...short } = relation;
    const text = JSON.stringify({ records: [{ n: "1", relations: [short, { ...relation, kind: "Depends on" }, "nonsense"] }] });
    assert.deepEqual(counts(text), { counts: [[1, 1]], whole: true, unfit: 2 });
  });
});
