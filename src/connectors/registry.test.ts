import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connectorOf, connectors, SourceConfig } from "./registry.ts";

const SECRET = "secret-of-the-test";
const samples: readonly Record<string, unknown>[] = [
  { kind: "jira", baseUrl: "https://acme.atlassian.net", email: "a@users.example", token: SECRET, projects: ["JR"] },
  { kind: "github", token: SECRET, repositories: ["acme/shop"] },
  { kind: "confluence", baseUrl: "https://acme.atlassian.net/wiki", email: "a@users.example", token: SECRET, spaces: ["OPS"] },
  { kind: "logs", paths: ["*.log"] },
  { kind: "records", path: "records.jsonl" },
  { kind: "documents", path: "docs" },
  { kind: "statuspage", baseUrl: "https://status.example" },
  { kind: "loki", baseUrl: "https://logs.example", query: '{app="shop"}', token: SECRET },
  { kind: "opensearch", baseUrl: "https://search.example", index: "logs-*", apiKey: SECRET },
  { kind: "pagerduty", token: SECRET },
];

describe("the registry", () => {
  it("takes one block of the manifest for each kind, and finds its connector", () => {
    assert.deepEqual(
      connectors.map(({ kind }) => kind),
      samples.map(({ kind }) => kind),
    );
    for (const sample of samples) {
      const config = SourceConfig.parse(sample);
      assert.equal(connectorOf(config).kind, sample.kind);
    }
  });

  it("takes groups for a whole source or its places, and refuses a place that is not pulled: it would hide nothing", () => {
    const [jira, github, , , , documents] = samples;
    const places = (sample: Record<string, unknown> | undefined, ...keys: string[]) =>
      SourceConfig.safeParse({ ...sample, visibleTo: Object.fromEntries(keys.map((key) => [key, ["sre"]])) });

    assert.deepEqual(SourceConfig.parse({ ...jira, visibleTo: ["sre"] }).visibleTo, ["sre"]);
    assert.equal(places(jira, "jr", "*").success, true);
    assert.equal(places(github, "acme", "acme/shop").success, true);
    assert.equal(places(documents, "any/folder").success, true);
    for (const [sample, key] of [
      [jira, "JIRA"],
      [github, "acme/sho"],
      [github, "shop"],
    ] as const) {
      assert.match(places(sample, key).error?.message ?? "", /none of the places/, key);
    }
    assert.equal(SourceConfig.safeParse({ ...jira, visibleTo: [] }).success, false);
    assert.equal(places({ ...github, token: undefined }, "acme").success, false, "what the connector itself asks for still counts");
  });

  it("names no secret in a label", () => {
    for (const sample of samples) {
      const config = SourceConfig.parse(sample);
      assert.ok(!connectorOf(config).label(config).includes(SECRET));
    }
  });

  it("gives sources that differ in what they read different labels", () => {
    const labels = ["JR", "OPS"].map((project) => {
      const config = SourceConfig.parse({ ...samples[0], projects: [project] });
      return connectorOf(config).label(config);
    });
    assert.equal(new Set(labels).size, 2);
  });

  it("refuses unknown kinds, unknown keys and addresses that would show a token", () => {
    assert.equal(SourceConfig.safeParse({ kind: "fax" }).success, false);
    assert.equal(SourceConfig.safeParse({ ...samples[4], pth: "x" }).success, false);
    for (const baseUrl of ["http://acme.atlassian.net", "https://me:pw@acme.atlassian.net", "acme.atlassian.net", "file:///etc"]) {
      assert.equal(SourceConfig.safeParse({ ...samples[0], baseUrl }).success, false, baseUrl);
    }
    assert.equal(SourceConfig.safeParse({ ...samples[0], baseUrl: "http://127.0.0.1:8080" }).success, true);
  });

  it("takes no project key that could change the query", () => {
    assert.equal(SourceConfig.safeParse({ ...samples[0], projects: ['JR") OR project in ("X'] }).success, false);
  });
});
