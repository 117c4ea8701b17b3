import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { declarationsOf } from "./declare.ts";
import { foldNames } from "./identity.ts";
import { NameFilter } from "./name-filter.ts";
import { NameBook } from "./names.ts";
import { namesFor, noHints, recordFor } from "./testing.ts";
import { TextWords } from "./text-words.ts";
import { createTier1 } from "./tier1.ts";

const tier1 = createTier1();
type Parts = Parameters<typeof recordFor>[0];

function compose(text: string): Parts {
  return { id: "github:file:a/b/compose.yml", title: "compose.yml", prose: text, fields: { path: "compose.yml", repository: "a/b" } };
}

/** Edges of records read together, with the names that they declare themselves. */
function edgesOf(...parts: readonly Parts[]): string[] {
  const records = parts.map(recordFor);
  const names = new NameBook(foldNames(records.flatMap(declarationsOf), noHints));
  return records
    .flatMap((record) => tier1.extract(record, names).facts)
    .map((fact) => `${fact.source} ${fact.kind} ${fact.target}`)
    .sort();
}

describe("kinds of faults that new worlds showed", () => {
  it("reads an address variable that holds a bare name, and a host behind a password", () => {
    const text =
      "services:\n  job:\n    environment:\n      DB_HOST: main-db\n      LOG_URL: postgres://u:[redacted password]@logs-db:5432/x\n";

    assert.deepEqual(edgesOf(compose(`${text}  main-db: {image: pg}\n  logs-db: {image: pg}\n`)), [
      "service:job depends_on service:logs-db",
      "service:job depends_on service:main-db",
    ]);
  });

  it("believes a table of other names before a folder's or a component's name, and knows a folder with a full stop", () => {
    const owners: Parts = {
      id: "github:file:a/b/CODEOWNERS",
      title: "CODEOWNERS",
      prose: "/src/Till.Api/ @ada\n/src/PrintJobs/ @ada\n",
      fields: { path: "CODEOWNERS", repository: "a/b" },
    };
    const table = "Services\n\nService | Also known as | Owner\ntill | Till.Api, cash desk | ada\nprint-worker | PrintJobs | ada";
    const bug: Parts = {
      id: "jira:OPS-2",
      title: "No paper",
      prose: "No paper\n\nThe reminder in PrintJobs cannot be switched off.",
      fields: { key: "OPS-2", ticketType: "Bug" },
    };
    const change: Parts = {
      id: `github:commit:${"a1".repeat(20)}`,
      prose: "Round up",
      fields: { files: ["src/Till.Api/round.cs"], repository: "a/b" },
    };

    const edges = new Set(edgesOf(owners, { id: "confluence:page:7", prose: table }, bug, change));

    assert.deepEqual(
      [...edges],
      [
        `commit:${"a1".repeat(20)} modified service:till`,
        "engineer:ada owns service:print-worker",
        "engineer:ada owns service:till",
        "ticket:OPS-2 affects service:print-worker",
      ],
    );
  });

  it("knows a folder named unlike its service by what is built from it, and a login by the name that it is spelt from", () => {
    const owners: Parts = {
      id: "github:file:a/b/CODEOWNERS",
      title: "CODEOWNERS",
      prose: "/src/till-server/ @alovelace\n/jobs/ @ghopper\n",
      fields: { path: "CODEOWNERS", repository: "a/b" },
    };
    const page: Parts = { id: "confluence:page:1", prose: "Contacts\n\nAda Lovelace and Grace Hopper know the rest." };

    assert.deepEqual(
      edgesOf(compose("services:\n  till:\n    build: {context: ./src/till-server}\n  sweep:\n    build: jobs\n"), owners, page),
      ["engineer:ada-lovelace owns service:till", "engineer:grace-hopper owns service:sweep"],
    );
  });

  it("keeps a login apart that two names give", () => {
    const names = namesFor({ engineers: { "Ada Lovelace": "", "Anton Lovelace": "", alovelace: "alovelace" } });

    assert.deepEqual(names.find("@alovelace", "engineer"), ["engineer:alovelace"]);
  });

  it("reads fields that people wrote into a ticket's text", () => {
    const record = recordFor({
      id: "jira:OPS-1",
      prose: "Slow\n\nStatus: Resolved\nAssigned to: Ada Lovelace\nSeverity: SEV2\n\nIt was slow.",
      fields: { key: "OPS-1" },
    });
    const names = namesFor({ engineers: { "Ada Lovelace": "ada" }, projects: ["OPS"] });

    const stated = Object.assign({}, ...tier1.extract(record, names).nodes.map((node) => node.attributes));

    assert.deepEqual([stated.status, stated.open, stated.assignee, stated.severity], ["Resolved", false, "engineer:ada-lovelace", "SEV2"]);
  });

  it("knows a person that only a label names, and takes no department for one", () => {
    const record = recordFor({ id: "confluence:page:2", prose: "Till\n\nOwner: Ada Lovelace\nContact: Live Ops\nLead: Billing Service" });
    const labelled = declarationsOf(record).filter((one) => one.rule === "person.labelled");

    assert.deepEqual(
      labelled.map((one) => one.node),
      ["engineer:ada-lovelace"],
    );
  });
});

describe("NameFilter", () => {
  const filter = new NameFilter();
  for (const name of [["till"], ["obrien"], ["2fa"], ["price", "engine"], ["a", "lovelace"]] as const) filter.add(name);
  function mayHold(text: string): boolean {
    const words = new TextWords(text);
    return filter.next(words, 0, words.count) < words.count;
  }

  it("never says no to a text that holds one of its names", () => {
    for (const text of [
      "the TILL.",
      "till-server",
      "O'Brien asks",
      "a — till",
      "Tíll",
      "(2FA)",
      "till",
      "'till'",
      "till's own",
      "the Price Engine",
      "price-engine",
      "the price's engine",
      "A. Lovelace",
    ])
      assert.ok(mayHold(text), text);
  });

  it("passes over texts that hold the beginning of a name alone, or its words apart", () => {
    for (const text of ["stillness → and (tills) — a quiet line", "a price", "a fuel-price for the engine", "we don't ask", "engine price"])
      assert.equal(mayHold(text), false, text);
  });
});
