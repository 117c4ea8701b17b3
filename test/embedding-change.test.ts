import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openApp } from "../src/app.ts";
import type { App } from "../src/core/app.ts";

const folder = mkdtempSync(join(tmpdir(), "contextd-embedding-"));
const { signal } = new AbortController();
const messages: string[] = [];
const switched = Promise.withResolvers<void>();
const log = (_fields: object, message: string): void => {
  messages.push(message);
  if (message === "searches use the new embedding model") switched.resolve();
};

function open(embedding: string): Promise<App> {
  const manifest = join(folder, "manifest.json");
  const sources = [{ kind: "documents", path: "docs", include: ["**/*.md"] }];
  writeFileSync(manifest, JSON.stringify({ name: "small", sources, models: { embedding, reranker: "none" } }));
  const more = { write: true, env: {}, version: "0", log: { debug: log, info: log, warn: log, error: log } };
  return openApp({ manifest, dataDir: join(folder, "data"), ...more });
}

async function index(app: App, trigger: "cli" | "start"): Promise<void> {
  const run = app.index({ trigger, signal });
  while (!(await run.next()).done);
}

/** Cosine of the best passage: each model gives another one. */
async function cosine(app: App): Promise<number> {
  const { passages } = await app.search("Where are ledger entries written?", { k: 1 }, signal);
  return passages[0]?.ranks.cosine ?? Number.NaN;
}

before(() => {
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs", "ledger.md"), "# Ledger\n\nThe ledger service writes its entries to the vault bucket.\n");
  writeFileSync(join(folder, "docs", "mail.md"), "# Mail\n\nThe mail relay forwards events every minute.\n");
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe("the product with another embedding model in its manifest", () => {
  it("answers with the former model's vectors until the daemon has made its own, then with those", async () => {
    const first = await open("static-256");
    await index(first, "cli");
    const former = await cosine(first);
    await first[Symbol.asyncDispose]();

    await using daemon = await open("bundled");
    await index(daemon, "start");
    assert.equal(await cosine(daemon), former);
    await using schedule = daemon.schedule();
    void schedule;
    await switched.promise;
    const own = await cosine(daemon);

    assert.ok(own > 0 && Math.abs(own - former) > 0.01, `${former} ${own}`);
    assert.deepEqual(messages.slice(-2), ["passages are embedded again: the model changed", "searches use the new embedding model"]);
  });

  it("has all vectors of another model after one run of the command line", async () => {
    const app = await open("static-256");
    const former = await cosine(app);
    await index(app, "cli");
    const own = await cosine(app);
    await app[Symbol.asyncDispose]();

    await using again = await open("static-256");

    assert.ok(Math.abs(own - former) > 0.01, `${former} ${own}`);
    assert.equal(await cosine(again), own);
  });
});
