import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JiraIssue } from "./payload.ts";
import { issueToRecord, statedFields } from "./to-record.ts";

const site = {
  baseUrl: "https://acme.atlassian.net",
  fields: [
    { id: "customfield_1", name: "Severity" },
    { id: "customfield_2", name: "Affected services" },
    { id: "customfield_3", name: "Impact start" },
  ],
};

function record(fields: object, more: object = {}) {
  return issueToRecord(JiraIssue.parse({ id: "10001", key: "JR-441", fields: { summary: "503 at peak", ...fields }, ...more }), site);
}

describe("issueToRecord", () => {
  it("is open until the status category says done, whatever the status is called", () => {
    const status = (name: string, key: string) => ({ status: { name, statusCategory: { key } } });

    assert.equal(record(status("Closed-ish", "indeterminate")).fields.open, true);
    assert.equal(record(status("Won't Do", "done")).fields.open, false);
  });

  it("finds severity, affected services and start by the names of custom fields", () => {
    const { fields, body } = record({
      customfield_1: { value: "Sev-1 (critical)" },
      customfield_2: [{ value: "Checkout" }, { name: "Payments" }],
      customfield_3: "2026-03-12T02:20:00.000+0100",
    });

    assert.equal(fields.severity, "SEV1");
    assert.deepEqual(fields.affected, ["Checkout", "Payments"]);
    assert.equal(fields.startedAt, "2026-03-12T01:20:00Z");
    assert.match(body, /\nSeverity: SEV1\nAffected services: Checkout, Payments\n/);
  });

  it("states sprints as Cloud and Data Center give them, and fix versions", () => {
    const fields = [{ id: "customfield_9", name: "Sprint" }];
    const footer = (sprint: unknown) =>
      issueToRecord(
        JiraIssue.parse({
          id: "1",
          key: "JR-1",
          fields: { summary: "x", fixVersions: [{ name: "2.4.1" }, { name: "2.5.0" }], customfield_9: sprint },
        }),
        { baseUrl: null, fields },
      ).body;
    const old = "com.atlassian.greenhopper.service.sprint.Sprint@1a2b[id=7,rapidViewId=3,state=ACTIVE,name=Sprint 7,goal=]";

    assert.match(
      footer([
        { id: 6, name: "Sprint 6", state: "closed" },
        { id: 7, name: "Sprint 7" },
      ]),
      /\nSprint: Sprint 6, Sprint 7$/,
    );
    assert.match(footer([old]), /\nFix versions: 2\.4\.1, 2\.5\.0\nSprint: Sprint 7$/);
    assert.doesNotMatch(footer(null), /Sprint/);
  });

  it("reads custom fields that are asked for by name as part of the text", () => {
    const fields = [
      { id: "customfield_7", name: "Root Cause" },
      { id: "customfield_8", name: "Detected by" },
      { id: "customfield_9", name: "Cost" },
    ];
    const site = { baseUrl: null, fields, texts: ["root cause", "Detected by"] };
    const paragraph = { type: "paragraph", content: [{ type: "text", text: "The pool was too small." }] };
    const issue = JiraIssue.parse({
      id: "1",
      key: "JR-1",
      fields: {
        summary: "503",
        customfield_7: { type: "doc", version: 1, content: [paragraph] },
        customfield_8: [{ value: "Alert" }, { value: "Customer" }],
        customfield_9: "none of our business",
      },
    });

    const { body, proseEnd } = issueToRecord(issue, site);

    assert.equal(body.slice(0, proseEnd), "503\n\nRoot Cause: The pool was too small.\n\nDetected by: Alert, Customer");
    assert.deepEqual(statedFields(site), ["customfield_7", "customfield_8"]);
  });

  it("takes the severity from a label where no field states it", () => {
    assert.equal(record({ labels: ["customer", "sev-2"] }).fields.severity, "SEV2");
    assert.equal(record({ labels: ["seven"] }).fields.severity, undefined);
  });

  it("reads links from this issue's side", () => {
    const type = { inward: "is caused by", outward: "causes" };
    const { fields, body, proseEnd } = record({
      issuelinks: [
        { type, inwardIssue: { key: "JR-1" } },
        { type, outwardIssue: { key: "JR-2" } },
      ],
    });

    assert.deepEqual(fields.links, [
      { phrase: "is caused by", key: "JR-1" },
      { phrase: "causes", key: "JR-2" },
    ]);
    assert.ok(body.slice(0, proseEnd).endsWith("[link] is caused by JR-1\n\n[link] causes JR-2"));
    assert.ok(body.endsWith("Links: is caused by JR-1, causes JR-2"));
  });

  it("keeps every change of the log in order, and the keys of before a move", () => {
    const item = (field: string, from: string | null, to: string | null) => ({ field, fromString: from, toString: to });
    const { fields } = record(
      {},
      {
        changelog: {
          histories: [
            { created: "2026-03-12T03:00:00.000+0000", items: [item("Key", "OLD-7", "JR-441")] },
            { created: "2026-03-12T01:00:00.000+0000", items: [item("status", "Open", "Investigating"), { field: "Rank" }] },
          ],
        },
      },
    );

    assert.deepEqual(fields.formerKeys, ["OLD-7"]);
    assert.deepEqual(fields.changes, [
      { at: "2026-03-12T01:00:00Z", field: "status", from: "Open", to: "Investigating" },
      { at: "2026-03-12T01:00:00Z", field: "Rank", from: null, to: null },
      { at: "2026-03-12T03:00:00Z", field: "Key", from: "OLD-7", to: "JR-441" },
    ]);
  });

  it("signs comments, code first or not, and lists who spoke and who was mentioned", () => {
    const adf = (...content: object[]) => ({ type: "doc", version: 1, content });
    const mention = { type: "mention", attrs: { id: "3", text: "@Jonas Keller" } };
    const { body, fields } = record({
      reporter: { accountId: "1", displayName: "Meera Iyer" },
      comment: {
        comments: [
          {
            author: { accountId: "2", displayName: "Rahul Sharma" },
            body: adf({ type: "paragraph", content: [{ type: "text", text: "Rolled back. " }, mention] }),
          },
          {
            author: { accountId: "1", displayName: "Meera Iyer" },
            body: adf({ type: "codeBlock", content: [{ type: "text", text: "ERR max clients" }] }),
          },
        ],
      },
    });

    assert.ok(body.includes("Rahul Sharma: Rolled back. @Jonas Keller\n\nMeera Iyer:\n\nERR max clients"));
    assert.deepEqual(
      fields.people?.map((one) => one.name),
      ["Meera Iyer", "Rahul Sharma", "Jonas Keller"],
    );
    const [code] = fields.code ?? [];
    assert.equal(body.slice(code?.start, code?.end), "ERR max clients");
  });

  it("loses one odd field, not the issue", () => {
    const { fields } = record({ labels: "not a list", assignee: 7, status: "open", components: [{ nope: 1 }], comment: { comments: "x" } });

    assert.equal(fields.key, "JR-441");
    assert.equal(fields.components, undefined);
  });
});
