import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { foldNames } from "./identity.ts";
import { NameBook } from "./names.ts";
import { noHints, recordFor } from "./testing.ts";
import { createTier1 } from "./tier1.ts";

const tier1 = createTier1();
type Parts = Parameters<typeof recordFor>[0];

/** Edges of records read together, with the names that they declare themselves. */
function edgesOf(...parts: readonly Parts[]): string[] {
  const records = parts.map(recordFor);
  const names = new NameBook(foldNames(records.flatMap(tier1.declare), noHints));
  return records
    .flatMap((record) => tier1.extract(record, names).facts)
    .map((fact) => `${fact.source.split(":")[1]} ${fact.kind} ${fact.target.split(":")[1]}`)
    .sort();
}

function file(repository: string, path: string, prose: string): Parts {
  return { id: `github:file:${repository}/${path}`, title: path, prose, fields: { path, repository } };
}

function page(prose: string): Parts {
  return { id: "confluence:page:1", prose };
}

const compose = file("acme/shop", "compose.yaml", "services:\n  till-api: {}\n  stock-feed: {}\n  mysql: {}\n");

describe("tables of services", () => {
  it("reads who is responsible in other words and languages, and nobody's deputy", () => {
    const german = page("Dienste\n\nDienst | Verantwortlich | Vertretung\ntill-api | Ada Lovelace | Grace Hopper");
    const spoken = page("Who\n\nSystem | Nickname | Who looks after it | Crew\nstock-feed | the feed, stocks | Grace Hopper | Ground");

    assert.deepEqual(edgesOf(compose, german), ["ada-lovelace owns till-api"]);
    assert.deepEqual(edgesOf(compose, spoken), ["grace-hopper owns stock-feed", "ground owns stock-feed"]);
  });

  it("takes the identifier for the name where a spoken one stands beside it, and dependencies both ways", () => {
    const table = page("Directory\n\nName | Repo | Needs | Used by\nStock Feed | stock-feed | mysql | till-api");

    assert.deepEqual(edgesOf(compose, table), ["stock-feed depends_on mysql", "till-api depends_on stock-feed"]);
    const ticket: Parts = {
      id: "jira:AB-1",
      prose: "Wrong\n\nx",
      fields: { key: "AB-1", components: ["Stock Feed"] },
      footer: ["Components: Stock Feed"],
    };
    assert.deepEqual(edgesOf(table, ticket), ["AB-1 affects stock-feed"]);
  });

  it("takes a column of people for owners whatever it is called, and a rota's for none", () => {
    const rows = "till-api | Ada Lovelace | Grace Hopper\nstock-feed | Grace Hopper | Ada Lovelace";

    assert.deepEqual(edgesOf(compose, page(`Who\n\nService | Human | Deputy\n${rows}`)), [
      "ada-lovelace owns till-api",
      "grace-hopper owns stock-feed",
    ]);
    assert.deepEqual(edgesOf(compose, page(`Who\n\nService | Primary | Secondary\n${rows}`)), []);
    assert.deepEqual(
      edgesOf(compose, page("Who\n\nService | Week | Human\ntill-api | 12 | Ada Lovelace\nstock-feed | 12 | Grace Hopper")),
      [],
    );
  });

  it("takes a table of people for none", () => {
    assert.deepEqual(edgesOf(compose, page("People\n\nName | Contact | Team\nAda Lovelace | ada@acme.example | Ground")), []);
  });
});

describe("a repository that is a service", () => {
  const home = file("acme/stock-feed", "CODEOWNERS", "* @ada @acme/ground\n/docs/ @grace\n");

  it("is owned by whom CODEOWNERS names for all of its files; a repository of many services is not", () => {
    assert.deepEqual(edgesOf(compose, home), ["ada owns stock-feed", "ground owns stock-feed"]);
    assert.deepEqual(edgesOf(compose, file("acme/shop", "CODEOWNERS", "* @ada @acme/everyone\n")), []);
  });

  it("makes no node of a team that only approves the changes of a repository", () => {
    const records = [compose, file("acme/shop", "CODEOWNERS", "* @acme/everyone\n"), home].map(recordFor);
    const names = new NameBook(foldNames(records.flatMap(tier1.declare), noHints));

    assert.deepEqual(
      [...names.entries()].map(({ node }) => node).filter((node) => node.startsWith("team:")),
      ["team:ground"],
    );
  });

  it("owns its changed files, whatever their folders are called", () => {
    const change: Parts = {
      id: `github:commit:${"a1".repeat(20)}`,
      prose: "faster",
      fields: { files: ["src/core/x.ts"], repository: "acme/stock-feed" },
    };

    assert.deepEqual(edgesOf(compose, change), [`${"a1".repeat(20)} modified stock-feed`]);
  });
});

describe("configuration beside compose files", () => {
  it("reads a chart's values: of its own service, and of the service in whose block they stand", () => {
    const own = file(
      "acme/shop",
      "charts/till-api/values.yaml",
      "image:\n  repository: x/mysql\nenv:\n  - name: FEED_URL\n    value: http://stock-feed:80\nconfig:\n  mysqlHost: mysql\n",
    );
    const umbrella = file("acme/shop", "deploy/values-prod.yaml", "stock-feed:\n  env:\n    DB_HOST: mysql\n");

    assert.deepEqual(edgesOf(compose, own), ["till-api depends_on mysql", "till-api depends_on stock-feed"]);
    assert.deepEqual(edgesOf(compose, umbrella), ["stock-feed depends_on mysql"]);
  });

  it("reads the map that a workload takes its variables from, and addresses among its arguments", () => {
    const map = file(
      "acme/shop",
      "k8s/config.yaml",
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: till-api-config\ndata:\n  STOCK_FEED_URL: http://stock-feed:1\n",
    );
    const workload = file(
      "acme/shop",
      "k8s/till.yaml",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: till-api}\nspec:\n  template:\n    spec:\n      containers:\n        - args: [--db-addr=mysql:3306, --level=debug]\n",
    );

    assert.deepEqual(edgesOf(compose, map), ["till-api depends_on stock-feed"]);
    assert.deepEqual(edgesOf(compose, workload), ["till-api depends_on mysql"]);
  });
});

describe("lists that stand in prose", () => {
  const known = file("acme/shop", "compose.yaml", "services:\n  till-api: {}\n  stock-feed: {}\n  mysql: {}\n");

  it("reads a run of names below a heading of dependencies", () => {
    const runbook = page(
      "Runbook: till-api\n\nDepends on\n\nstock-feed for every order, mysql for what it keeps.\n\nSteps\n\nstock-feed first, then mysql.",
    );

    assert.deepEqual(edgesOf(known, runbook), ["till-api depends_on mysql", "till-api depends_on stock-feed"]);
  });

  it("reads what a team looks after below its name, on pages that tell of teams", () => {
    const teams = "Ground\n\nAda Lovelace (lead). Responsible for till-api and mysql.\n\nCustoms\n\n- stock-feed";
    const names = page("People and teams\n\nTeam | Service\nx | y");
    const groups = file("acme/shop", ".github/CODEOWNERS", "/docs/ @acme/ground @acme/customs\n");

    assert.deepEqual(edgesOf(known, groups, names, page(`Teams\n\n${teams}`)), [
      "customs owns stock-feed",
      "ground owns mysql",
      "ground owns till-api",
    ]);
    assert.deepEqual(edgesOf(known, groups, page(`Weekly\n\n${teams}`)), []);
  });
});

describe("failed calls in logs", () => {
  const services = file("acme/shop", "compose.yaml", "services:\n  till-api: {}\n  stock-feed: {}\n");
  const line = (text: string): Parts => ({ id: "log:a.log:1", prose: text, fields: { level: "error", service: "till-api" } });

  it("blames the host that was called", () => {
    for (const text of [
      'Get "http://stock-feed:8080/x": dial tcp 10.0.0.9:8080: connect: connection refused',
      "HTTPConnectionPool(host='stock-feed', port=8080): Max retries exceeded",
      "Read timed out calling http://stock-feed:8080/v1",
      "query timed out after 2 s waiting for stock-feed",
      "stock-feed: client has run out of available brokers to talk to",
    ])
      assert.deepEqual(edgesOf(services, line(text)), ["a.log caused_by stock-feed"], text);
  });

  it("blames nobody for a call that went well, or itself", () => {
    assert.deepEqual(edgesOf(services, line("GET http://stock-feed:8080/x took 3 s")), []);
    assert.deepEqual(edgesOf(services, line("cannot bind till-api:8080")), []);
  });
});
