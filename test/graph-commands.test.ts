import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openApp } from "../src/app.ts";
import { graphCommand } from "../src/cli/commands/graph.ts";
import type { App } from "../src/core/app.ts";
import { ContextError } from "../src/core/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "contextd-graph-"));
const { signal } = new AbortController();
const quiet = (): void => undefined;
let app: App;

const at = (createdAt: string, updatedAt = createdAt) => ({ createdAt, updatedAt });
/** Two people called Nair; a dependency that a later ticket ended; an open ticket. */
const records = [
  {
    id: "confluence:page:1",
    source: "confluence",
    kind: "page",
    title: "Checkout",
    text: "Checkout\n\nThe checkout service depends on redis.",
    author: "Priya Nair",
    ...at("2025-02-01T00:00:00Z"),
  },
  {
    id: "jira:AB-1",
    source: "jira",
    kind: "ticket",
    title: "checkout: retire the cache",
    text: "checkout: retire the cache\n\ncheckout no longer depends on redis.\n\nStatus: Resolved",
    author: "Paul Nair",
    ...at("2026-03-01T00:00:00Z", "2026-03-04T00:00:00Z"),
  },
  {
    id: "jira:AB-2",
    source: "jira",
    kind: "ticket",
    title: "kafka: lag grows",
    text: "kafka: lag grows\n\nStatus: Open",
    author: "Paul Nair",
    ...at("2026-03-10T00:00:00Z"),
  },
];

async function graph(args: readonly string[], values: Readonly<Record<string, string>> = {}, json = true): Promise<string> {
  const out: string[] = [];
  const exit = await graphCommand.run({
    args,
    values,
    json,
    io: { out: (text) => out.push(text), note: quiet, status: null },
    signal,
    open: () => Promise.resolve(app),
    change: () => Promise.reject(new Error("nothing is changed here")),
    path: (given) => given,
    dataDir: folder,
  });
  assert.equal(exit, 0);
  return out.join("\n");
}

before(async () => {
  mkdirSync(join(folder, "world"));
  writeFileSync(join(folder, "world", "records.jsonl"), records.map((record) => JSON.stringify({ url: null, ...record })).join("\n"));
  const manifest = join(folder, "manifest.json");
  const sources = [{ kind: "records", path: "world" }];
  const aliases = { checkout: [], redis: [], kafka: [] };
  writeFileSync(manifest, JSON.stringify({ name: "small", sources, aliases, models: { embedding: "none", reranker: "none" } }));
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  app = await openApp({ manifest, dataDir: join(folder, "data"), write: true, env: {}, version: "0", log });
  const run = app.index({ trigger: "cli", signal });
  while (!(await run.next()).done) {
    // until the end
  }
});
after(async () => {
  await app[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface Diff {
  readonly since: string;
  readonly began: readonly { readonly id: string }[];
  readonly ended: readonly { readonly id: string; readonly validTo: string }[];
}

describe("graph ambiguities", () => {
  it("lists each spelling that two people share, with both", async () => {
    const rows = JSON.parse(await graph(["ambiguities"])) as { name: string; nodes: string[] }[];

    assert.deepEqual(rows.find(({ name }) => name === "p nair")?.nodes, ["engineer:paul-nair", "engineer:priya-nair"]);
    assert.ok(
      rows.every(({ nodes }) => nodes.length > 1),
      JSON.stringify(rows),
    );
    assert.match(await graph(["ambiguities"], {}, false), /^p nair +engineer:paul-nair, engineer:priya-nair$/m);
  });

  it("leaves both apart in the graph", () => {
    assert.deepEqual(app.graph.resolve("Nair").type, "many");
    for (const id of ["engineer:paul-nair", "engineer:priya-nair"] as const) assert.equal(app.graph.node(id)?.id, id);
  });
});

describe("graph diff", () => {
  const diff = async (since: string): Promise<Diff> => JSON.parse(await graph(["diff"], { since })) as Diff;

  it("tells what began and what ended since an instant, each with the period of its edge", async () => {
    const { since, began, ended } = await diff("2026-02-01T00:00:00Z");

    assert.equal(since, "2026-02-01T00:00:00.000Z");
    assert.ok(began.some(({ id }) => id === "ticket:AB-2|affects|service:kafka"));
    const gone = ended.find(({ id }) => id === "service:checkout|depends_on|service:redis");
    assert.equal(gone?.validTo, "2026-03-04T00:00:00Z");
  });

  it("counts a date without a time from midnight, and nothing twice that came before it", async () => {
    const { began, ended } = await diff("2026-03-05");

    assert.deepEqual(
      began.map(({ id }) => id),
      ["ticket:AB-2|affects|service:kafka"],
    );
    assert.deepEqual(ended, []);
  });

  it("marks what began with a plus and what ended with a minus for people, and says where nothing did", async () => {
    const shown = await graph(["diff"], { since: "2026-02-01" }, false);

    assert.match(shown, /^\+ ticket:AB-2 affects service:kafka \(since 2026-03-10T00:00:00Z; jira:AB-2\)$/m);
    assert.match(shown, /^- service:checkout depends_on service:redis \(since .+, until 2026-03-04T00:00:00Z; /m);
    assert.equal(await graph(["diff"], { since: "2026-04-01" }, false), "Nothing changed.");
  });

  it("wants an instant that it can read", async () => {
    for (const values of [{}, { since: "last week" }] as const)
      await assert.rejects(graph(["diff"], values), (error) => error instanceof ContextError && error.code === "USAGE");
  });
});
