import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NameHints } from "../core/extract.ts";
import type { SourceRecord } from "../core/record.ts";
import { relatedNames, scopesOf } from "./learned.ts";
import { noHints, recordFor } from "./testing.ts";
import { createTier1 } from "./tier1.ts";

const tier1 = createTier1();

function servicesOf(records: readonly SourceRecord[], hints: NameHints = noHints): string[] {
  const names = tier1.names(records.flatMap(tier1.declare), hints);
  return [...names.entries()].filter(({ node }) => node.startsWith("service:")).map(({ node }) => node.slice(8));
}

function edgesOf(records: readonly SourceRecord[]): string[] {
  const names = tier1.names(records.flatMap(tier1.declare), noHints);
  return records
    .flatMap((record) => tier1.extract(record, names).facts)
    .map(({ source, kind, target }) => `${source} ${kind} ${target}`)
    .sort();
}

describe("the name of what somebody owns", () => {
  it("is taken whole or not at all", () => {
    const names = (text: string) => relatedNames(text).map(({ name }) => name);

    assert.deepEqual(names("Marta owns ledger and card-vault."), ["ledger", "card-vault"]);
    assert.deepEqual(names("Marta owns a-very-long-name-of-one-service."), []);
    assert.deepEqual(names("Marta owns ledger and a-very-long-name-of-one-service."), ["ledger"]);
  });
});

let sha = 0;
function commit(subject: string, files?: readonly string[]): SourceRecord {
  sha += 1;
  return recordFor({
    id: `github:commit:${String(sha).padStart(4, "0")}${"a".repeat(36)}`,
    prose: subject,
    fields: files === undefined ? {} : { files },
  });
}

function page(prose: string): SourceRecord {
  return recordFor({ id: `confluence:page:${prose.length}`, prose });
}

describe("services where nobody keeps a list of them", () => {
  it("reads the scope of a commit in the forms people write it", () => {
    const scopes = (subject: string): string[] => scopesOf(subject).map(({ name }) => name);

    assert.deepEqual(scopes("ledger: round half up"), ["ledger"]);
    assert.deepEqual(scopes("fix(till-api)!: close the drawer"), ["till-api"]);
    assert.deepEqual(scopes("[stock] new fields"), ["stock"]);
    assert.deepEqual(scopes("till-api, stock: common sizes"), ["till-api", "stock"]);
    assert.deepEqual(scopes('Revert "ledger: round half up"'), ["ledger"]);
    assert.deepEqual(scopes("Round half up"), []);
  });

  it("takes a scope for a service when it comes twice, or is no plain word", () => {
    assert.deepEqual(servicesOf([commit("ledger: one"), commit("fix(ledger): two"), commit("till-api: three"), commit("stock: four")]), [
      "ledger",
      "till-api",
    ]);
  });

  it("takes no kind of work and no part of a repository for a service", () => {
    const subjects = [
      "docs: a",
      "docs: b",
      "ci: a",
      "ci: b",
      "fix: a",
      "fix: b",
      "chore(deps): a",
      "chore(deps): b",
      "Note: a",
      "WIP: b",
      "db: a",
      "db: b",
    ];

    assert.deepEqual(servicesOf(subjects.map((subject) => commit(subject))), []);
  });

  it("knows the workload of a pod", () => {
    const log = recordFor({ id: "log:x.log:1", prose: "ERROR out of paper", fields: { pod: "label-printer-5c9d8f7b66-x2x9p" } });

    assert.deepEqual(servicesOf([log]), ["label-printer"]);
  });

  it("learns from who needs whom and who looks after what", () => {
    const records = [
      page(
        "invoice-worker is maintained by Ada Lovelace. It reads jobs from rabbit and writes to ledger. Grace Hopper looks after the ledger service.",
      ),
      page("reporting needs ledger and warehouse."),
      commit("ledger: one"),
      recordFor({
        id: "jira:AB-1",
        prose: "Ada",
        author: { name: "Ada Lovelace" },
        fields: { key: "AB-1", people: [{ name: "Ada Lovelace" }, { name: "Grace Hopper" }] },
      }),
    ];

    assert.deepEqual(servicesOf(records), ["invoice-worker", "ledger", "rabbit", "reporting", "warehouse"]);
    assert.deepEqual(
      edgesOf(records).filter((edge) => !edge.includes("modified")),
      [
        "engineer:ada-lovelace owns service:invoice-worker",
        "engineer:grace-hopper owns service:ledger",
        "service:invoice-worker depends_on service:ledger",
        "service:invoice-worker depends_on service:rabbit",
        "service:reporting depends_on service:ledger",
        "service:reporting depends_on service:warehouse",
      ],
    );
  });

  it("invents none from common words", () => {
    const texts = [
      "The team needs time and money. It takes hours and patience.",
      "label-printer needs a printer, paper and patience. It reads files from disk and hands the rest to people.",
      "A follow-up needs approval. The on-call engineer uses common sense. Everyone talks to everyone.",
      "the app calls till-api. the cashier uses till-api and waits for it. Customers and cashiers use kafka; orders need stock.",
      "the customer service is friendly. our next service is better.",
      "Does invoice-worker need storage-box?",
    ];

    assert.deepEqual(servicesOf(texts.map(page)), []);
    assert.deepEqual(servicesOf([...texts.map(page), page("Both till-api and stock-keeper keep their data in postgres.")]), [
      "postgres",
      "stock-keeper",
    ]);
    assert.deepEqual(servicesOf([...texts.map(page), commit("label-printer: thinner paper"), commit("till-api: x")]), [
      "label-printer",
      "till-api",
    ]);
  });

  it("is silent where a catalogue or the manifest lists the services", () => {
    const records = [commit("ledger: one"), commit("ledger: two"), page("till-api needs stock-api.")];
    const aliases = { ledger: [], "till-api": ["till"], "stock-service": ["stock-api"] };

    assert.deepEqual(servicesOf([...records, commit("till-web: three")], { aliases, sourcePaths: {} }), [
      "ledger",
      "stock-service",
      "till-api",
    ]);
  });

  it("takes a manifest that names few of the services for what it is: some names, no list", () => {
    const records = [commit("ledger: one"), commit("ledger: two"), page("till-api needs stock-api.")];

    assert.deepEqual(servicesOf(records, { aliases: { ledger: ["books"] }, sourcePaths: {} }), ["ledger", "stock-api", "till-api"]);
  });

  it("reads what a commit changed from its subject only where no files are known", () => {
    assert.deepEqual(edgesOf([commit("ledger: one"), commit("ledger: two")]).length, 2);
    assert.deepEqual(edgesOf([commit("ledger: one", ["README.md"]), commit("ledger: two", ["README.md"])]), []);
  });
});
