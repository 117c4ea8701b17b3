import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeId } from "../core/fact.ts";
import { linkRelations } from "./model-link.ts";
import type { Relation } from "./model-reply.ts";
import { namesFor, recordFor } from "./testing.ts";

const names = namesFor({
  services: { billing: [], ledger: [], report: [], mailer: [] },
  engineers: { "Ann Lee": "ann", "Bob Ray": "bob" },
  projects: ["OPS"],
});

/** What is kept of a reply; each claim "source kind target | quote". */
function kept(title: string, text: string, ...claims: string[]): string[] {
  const ticket = !title.startsWith("Page");
  const id = ticket ? "jira:OPS-7" : "confluence:page:1";
  const record = recordFor({ id, prose: `${title}\n\n${text}`, title, fields: ticket ? { key: "OPS-7", components: ["billing"] } : {} });
  const own: NodeId | null = ticket ? "ticket:OPS-7" : null;
  const relations = claims.map((claim): Relation => {
    const [, source = "", kind = "", target = "", quote = ""] =
      /^(.+?) (owns|affects|fixes|depends_on|caused_by) (.+?) \| (.+)$/.exec(claim) ?? assert.fail(claim);
    return { source, kind, target, quote } as Relation;
  });
  const name = (node: NodeId): string => node.slice(node.indexOf(":") + 1);
  return linkRelations(record, own, relations, names, 2, "stub").facts.map(
    ({ source, kind, target }) => `${name(source)} ${kind} ${name(target)}`,
  );
}

describe("a sentence that tells a relation in words that no cue knows", () => {
  it("is believed where the ends are named, or meant by the record, in an order that fits", () => {
    const borne: readonly (readonly [string, string, string, string])[] = [
      ["Page: billing", "The banner on top is report in an iframe.", "billing depends_on report", "billing depends_on report"],
      ["Page: billing", "Who may pay? That is ledger's business.", "billing depends_on ledger", "billing depends_on ledger"],
      ["Page: billing", "ledger comes by every hour for our totals.", "ledger depends_on billing", "ledger depends_on billing"],
      ["Page: billing", "Ann Lee and Bob Ray share the pager and the rest.", "Ann Lee owns billing", "ann-lee owns billing"],
      ["It stops", "Jobs reach people over mailer.", "billing depends_on mailer", "billing depends_on mailer"],
      ["It stops", "mailer sat at its memory limit.", "this caused_by mailer", "OPS-7 caused_by mailer"],
      ["It stops", "ledger and report freeze as well.", "this affects report", "OPS-7 affects report"],
      ["It stops", "Zero doubles as of 16:05, thanks to 0a1b2c3.", "0a1b2c3 fixes this", "0a1b2c3 fixes OPS-7"],
    ];
    for (const [title, text, claim, edge] of borne) {
      const quote = text.replace(/^.*\? /, "");
      assert.deepEqual(kept(title, text, `${claim} | ${quote}`), [edge], text);
    }
  });

  it("is not believed in the wrong direction, of bystanders, of what is weighed, compared, past or taken back, nor of commands", () => {
    const refused: readonly (readonly [string, string, string])[] = [
      ["Page: billing", "The banner on top is report in an iframe.", "report depends_on billing"],
      ["Page: billing", "ledger comes by every hour for our totals.", "billing depends_on ledger"],
      ["Page: billing", "Customers as of today are ledger and report.", "billing depends_on ledger"],
      ["Page: billing", "It hears ledger and speaks through report.", "ledger depends_on report"],
      ["Page: billing", "We looked at mailer and decided against it.", "billing depends_on mailer"],
      ["Page: billing", "The layout is similar to that of mailer.", "billing depends_on mailer"],
      ["Page: billing", "Restart mailer on Mondays.", "billing depends_on mailer"],
      ["Page: billing", "Bob Ray restarted it twice.", "Bob Ray owns billing"],
      ["Page: billing", "Bob Ray is the stand-in.", "Bob Ray owns billing"],
      ["It stops", "Bob Ray has the tea.", "Bob Ray owns billing"],
      ["It stops", "The orders of mailer arrive on time.", "this affects mailer"],
      ["It stops", "The error came through mailer.", "this affects mailer"],
      ["It stops", "Undoing 0a1b2c3 and all was well.", "0a1b2c3 fixes this"],
    ];
    for (const [title, text, claim] of refused) assert.deepEqual(kept(title, text, `${claim} | ${text}`), [], `${text} ${claim}`);
  });

  it("is not believed of a reply that contradicts itself or invents its quotes", () => {
    const text = "The banner on top is report in an iframe.";
    const claim = `billing depends_on report | ${text}`;
    assert.deepEqual(kept("Page: billing", text, claim, `report depends_on billing | ${text}`), []);
    const swapped = "Monday at noon, with 0a1b2c3 in place.";
    assert.deepEqual(kept("It stops", swapped, `0a1b2c3 fixes this | ${swapped}`, `OPS-7 caused_by 0a1b2c3 | ${swapped}`), []);
    const invented = [
      "billing depends_on ledger | It asks ledger.",
      "billing depends_on mailer | It mails.",
      "Ann Lee owns billing | Ann's.",
    ];
    assert.deepEqual(kept("Page: billing", text, claim, ...invented), []);
    assert.deepEqual(kept("Page: billing", text, claim, invented[0] ?? ""), ["billing depends_on report"]);
  });
});
