import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeId } from "../../core/fact.ts";
import type { SourceRecord } from "../../core/record.ts";
import type { About } from "../compiled-phrases.ts";
import { Findings } from "../facts.ts";
import { foldNames } from "../identity.ts";
import { NameBook } from "../names.ts";
import { type PhraseReading, readPhrases } from "../phrases.ts";
import { edgePhrases } from "./all.ts";

const names = new NameBook(
  foldNames(
    [
      ...["alpha", "beta", "delta", "gamma-api"].map((name) => ({
        node: `service:${name}` as NodeId,
        name,
        rule: "catalogue.name",
        score: 0.95,
        span: null,
      })),
      ...["Ada Lovelace", "Grace Hopper"].map((name) => ({
        node: `engineer:${name.toLowerCase().replace(" ", "-")}` as NodeId,
        name,
        rule: "person.name",
        score: 0.9,
        span: null,
      })),
      { node: "engineer:ada-lovelace", name: "ada", rule: "person.login", score: 0.95, span: null },
      { node: "team:atlas", name: "Atlas", rule: "catalogue.group", score: 0.9, span: null },
      { node: "ticket:AB-1", name: "AB-1", rule: "ticket.key", score: 1, span: null },
    ],
    { aliases: {}, sourcePaths: {} },
  ),
);

function recordOf(body: string): SourceRecord {
  return {
    id: "jira:AB-99",
    source: "jira",
    kind: "ticket",
    title: "A title",
    url: null,
    author: null,
    bot: false,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-02-01T00:00:00Z",
    body,
    proseEnd: body.length,
    fields: { key: "AB-99", open: false },
  };
}

function read(record: SourceRecord, of = about): PhraseReading {
  return readPhrases(new Findings(record, names), names, of, []);
}

const about: About = {
  ticket: "ticket:AB-99",
  service: "service:about",
  describes: true,
  kinds: new Set(["owns", "affects", "fixes", "depends_on", "caused_by", "modified"]),
  authority: 1,
  outdated: false,
  done: true,
};

function edgesIn(text: string, lists: "owners" | undefined = undefined): string[] {
  const page = { ...recordOf(text), title: "Who looks after what" };
  return read(lists === undefined ? recordOf(text) : page, lists === undefined ? about : { ...about, ticket: null })
    .facts.filter((fact) => fact.ends !== true)
    .map((fact) => `${short(fact.source)} ${fact.kind} ${short(fact.target)}`);
}

function short(node: NodeId): string {
  const name = node.slice(node.indexOf(":") + 1);
  return name === "AB-99" ? "about" : name;
}

describe("phrase rules", () => {
  for (const { kind, rule } of edgePhrases.flatMap(({ kind, rules }) => rules.map((rule) => ({ kind, rule })))) {
    it(`reads "${rule.name}" (${kind}) in each of its examples and in none of its counterexamples`, () => {
      for (const [text, source, target] of rule.yes) {
        const edges = edgesIn(text, rule.about === "owners" ? "owners" : undefined);
        assert.ok(edges.includes(`${source} ${kind} ${target}`), `"${text}" gives ${JSON.stringify(edges)}`);
      }
      for (const text of rule.no) {
        const edges = edgesIn(text, rule.about === "owners" ? "owners" : undefined).filter((edge) => edge.includes(` ${kind} `));
        assert.deepEqual(edges, [], `"${text}"`);
      }
    });
  }

  it("gives a span that quotes the statement and nothing beyond the sentence", () => {
    const body = "First line.\n\nWe looked. Caused by 0a1b2c3 (one connection per request): it refuses. Then more.";
    const [fact] = read(recordOf(body)).facts;

    assert.equal(body.slice(fact?.span.start, fact?.span.end), "Caused by 0a1b2c3");
  });

  it("ends an edge that no longer holds, and one that held until a day", () => {
    const gone = read(recordOf("After this alpha no longer depends on beta.")).facts;
    const past = read(recordOf("Until 2025-06 alpha depended on beta.")).facts;

    assert.deepEqual(
      gone.map((fact) => [fact.source, fact.target, fact.ends]),
      [["service:alpha", "service:beta", true]],
    );
    assert.deepEqual(
      past.map((fact) => [fact.at, fact.ends === true]),
      [
        ["1970-01-01T00:00:00Z", false],
        ["2025-06-01T00:00:00Z", true],
      ],
    );
  });

  it("dates a hand-over from the sentence before and ends the former owner", () => {
    const facts = read(recordOf("Grace Hopper moves to Atlas on 2026-07-28. From that day Ada Lovelace owns alpha.")).facts;
    const handed = read(recordOf("alpha was handed over from Grace Hopper to Ada Lovelace on 3 March 2026.")).facts;

    assert.deepEqual(
      facts.map((fact) => [fact.source, fact.at]),
      [["engineer:ada-lovelace", "2026-07-28T00:00:00Z"]],
    );
    assert.deepEqual(
      handed.map((fact) => [fact.source, fact.at, fact.ends === true]),
      [
        ["engineer:ada-lovelace", "2026-03-03T00:00:00Z", false],
        ["engineer:grace-hopper", "1970-01-01T00:00:00Z", false],
        ["engineer:grace-hopper", "2026-03-03T00:00:00Z", true],
      ],
    );
  });

  it("stays fast on text made to be slow", () => {
    const hostile = [
      "alpha ".repeat(170_000),
      "caused by ".repeat(100_000),
      "the ".repeat(250_000),
      `${"a, ".repeat(300_000)}alpha`,
      "alpha depends on ".repeat(60_000),
      `${"(".repeat(500_000)}${")".repeat(500_000)}`,
      "0a1b2c3 (".repeat(110_000),
      `Fixes ${"#1, ".repeat(250_000)}`,
      "-".repeat(1_000_000),
      "AB-1 was ".repeat(110_000),
      "\n| a ".repeat(200_000),
    ];
    // counted in work, not in time: quadratic behaviour over 1 MB would not end within the suite's limit
    for (const text of hostile) assert.ok(read(recordOf(text)).facts.length <= 400 + 40);
  });
});
