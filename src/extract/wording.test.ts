import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { namesFor, recordFor } from "./testing.ts";
import { createTier1 } from "./tier1.ts";

const names = namesFor({
  services: { till: [], "stock-api": [], "depot-sync": [], "pg-main": [], "mq-1": [], tariff: [], "mail-relay": [] },
  engineers: { "Ada Lovelace": "ada", "Grace Hopper": "grace" },
  projects: ["OPS"],
});
const tier1 = createTier1();

function edgesOf(record: Parameters<typeof recordFor>[0]): string[] {
  return tier1
    .extract(recordFor(record), names)
    .facts.map((fact) => `${fact.source} ${fact.kind} ${fact.target}${fact.ends === true ? " (ends)" : ""}`.replace(/\w+:(?=[\w-])/g, ""))
    .sort();
}

function incident(prose: string): string[] {
  return edgesOf({ id: "jira:OPS-1", prose, fields: { key: "OPS-1", ticketType: "Incident" } });
}

describe("wordings of people who write tickets and pages in a hurry", () => {
  it("splits before a sentence that begins with a service's name, whatever the last word before it", () => {
    assert.deepEqual(
      edgesOf({
        id: "confluence:page:1",
        prose: "Flow\n\ntariff reads its tables from pg-main. depot-sync takes jobs off mq-1 and hands the mails to mail-relay.",
      }),
      ["depot-sync depends_on mail-relay", "depot-sync depends_on mq-1", "tariff depends_on pg-main"],
    );
  });

  it("gives a further verb to the sentence's subject, and to nobody where the subject is unknown", () => {
    const page = (prose: string): string[] => edgesOf({ id: "confluence:page:9", prose: `Flow\n\n${prose}` });

    assert.deepEqual(page("depot-sync stores orders in pg-main and publishes to mq-1."), [
      "depot-sync depends_on mq-1",
      "depot-sync depends_on pg-main",
    ]);
    assert.deepEqual(page("The intake stores orders in pg-main and publishes to mq-1."), []);
    assert.deepEqual(page("The intake asks tariff and writes to pg-main."), []);
  });

  it("knows an end from a start: until a day, and what will be once something is done", () => {
    const page = (prose: string): string[] =>
      tier1
        .extract(recordFor({ id: "confluence:page:8", prose: `Notes\n\n${prose}` }), names)
        .facts.map(({ source, target, at, ends }) => `${source} ${target} ${at.slice(0, 10)}${ends === true ? " ends" : ""}`);

    assert.deepEqual(page("Until 1 April 2026 tariff was owned by Ada Lovelace. Since then Grace Hopper owns it."), [
      "engineer:ada-lovelace service:tariff 1970-01-01",
      "engineer:ada-lovelace service:tariff 2026-04-01 ends",
      "engineer:grace-hopper service:tariff 2026-04-01",
    ]);
    const plan = "Drop the printer\n\nWhen this is done depot-sync no longer talks to mail-relay.";
    const fields = { key: "OPS-1", ticketType: "Story" };
    assert.deepEqual(edgesOf({ id: "jira:OPS-1", prose: plan, fields: { ...fields, status: "To Do", open: true } }), []);
    assert.deepEqual(edgesOf({ id: "jira:OPS-1", prose: plan, fields: { ...fields, status: "Done", open: false } }), [
      "depot-sync depends_on mail-relay (ends)",
    ]);
  });

  it("reads arrows to several services, and several chains in a line", () => {
    assert.deepEqual(
      edgesOf({
        id: "confluence:page:2",
        prose: "needs\n\ntill -> stock-api, pg-main\n\ntariff -> pg-main; tariff -> mq-1\n\ntill -> the future, pg-main",
      }),
      ["tariff depends_on mq-1", "tariff depends_on pg-main", "till depends_on pg-main", "till depends_on stock-api"],
    );
  });

  it("reads a list of services and their people only on a page that says it is one", () => {
    const prose = "till: Ada Lovelace (deputy: Grace)\n\ndepot-sync + stock-api => Grace Hopper\n\nmq-1: nobody";

    assert.deepEqual(edgesOf({ id: "confluence:page:3", prose: `Who does what\n\n${prose}` }), [
      "ada-lovelace owns till",
      "grace-hopper owns depot-sync",
      "grace-hopper owns stock-api",
    ]);
    assert.deepEqual(edgesOf({ id: "confluence:page:4", prose: `On-call rota: who is up\n\n${prose}` }), []);
  });

  it("takes the service that a report opens with for the one affected", () => {
    assert.deepEqual(incident("Wrong prices\n\nSince about 08:40 till quotes 4.90 for islands."), ["OPS-1 affects till"]);
    assert.deepEqual(incident("till steht\n\nseit 05:31."), ["OPS-1 affects till"]);
    assert.deepEqual(incident("stock-api langsam\n\np95 4 s."), ["OPS-1 affects stock-api"]);
    assert.deepEqual(incident("Wrong prices\n\nNobody knows. till is fine."), []);
    assert.deepEqual(incident("till scheduler: seed ignored\n\nNo idea."), []);
  });

  it("tells what set something off from what repaired it", () => {
    assert.deepEqual(
      incident("Old phones\n\nausgelöst durch 1c9d4e2\n\nbehoben mit 77e0a3b"),
      ["1c9d4e2".replace(/^/, "OPS-1 caused_by "), "77e0a3b fixes OPS-1"].sort(),
    );
    assert.deepEqual(incident("Lost depots\n\nKicked off by e07d3c2, which never asks for page two."), ["OPS-1 caused_by e07d3c2"]);
    assert.deepEqual(incident("Mails twice\n\nTraced it back to mail-relay, which acknowledges too late. mq-1 is off the hook."), [
      "OPS-1 caused_by mail-relay",
    ]);
    assert.deepEqual(incident("Lost depots\n\nUrsache: 5d0c1aa, zu klein. NICHT pg-main, die ist gesund."), ["OPS-1 caused_by 5d0c1aa"]);
    assert.deepEqual(incident("Slow\n\nevtl. be77f10? nicht bestätigt. 51ab08d takes the edge off, it does not fix this."), []);
  });

  it("reads what was named as the cause without the word, and not what is only suspected", () => {
    assert.deepEqual(incident("Lost orders\n\nSmoking gun: aa41c09."), ["OPS-1 caused_by aa41c09"]);
    assert.deepEqual(incident("Uploads fail\n\nIt was e8123ab, the limit is far too low."), ["OPS-1 caused_by e8123ab"]);
    assert.deepEqual(incident("Upside down\n\nRolled back 1234abc and they are upright again."), ["OPS-1 caused_by 1234abc"]);
    assert.deepEqual(incident("Too high\n\nI suspect bd77e13 but have no proof. Rolled back 1234abc, no change."), []);
  });

  it("keeps a former owner on record, until the day of the hand-over", () => {
    const facts = tier1.extract(
      recordFor({ id: "confluence:page:5", prose: "Retro\n\nOn 14 April 2026 Ada Lovelace took over till from Grace Hopper." }),
      names,
    ).facts;

    assert.deepEqual(
      facts.filter((fact) => fact.source === "engineer:grace-hopper").map((fact) => [fact.at, fact.ends === true]),
      [
        ["1970-01-01T00:00:00Z", false],
        ["2026-04-14T00:00:00Z", true],
      ],
    );
  });
});
