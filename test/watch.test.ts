import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openApp } from "../src/app.ts";
import type { App, IndexReport } from "../src/core/app.ts";
import { silent } from "../src/core/connector.ts";

/** The report of the next run that a change leads to. */
function nextWatchRun(app: App): Promise<IndexReport> {
  const { promise, resolve } = Promise.withResolvers<IndexReport>();
  const triggers = new Map<string, string>();
  const listening = app.watchRuns(({ runId }, news) => {
    if (news.type === "began") triggers.set(runId, news.trigger);
    if (news.type !== "ended" || triggers.get(runId) !== "watch" || news.report === null) return;
    listening[Symbol.dispose]();
    resolve(news.report);
  });
  return promise;
}

describe("a daemon that watches a folder of documents", { timeout: 60_000 }, () => {
  it("answers from a file that was written, moved or deleted while it runs", async (t) => {
    const root = await mkdtemp(join(tmpdir(), "contextd-watching-"));
    t.after(() => rm(root, { recursive: true, force: true }));
    await mkdir(join(root, "docs", "team"), { recursive: true });
    await writeFile(join(root, "docs", "first.md"), "Tokens expire after a day.");
    const manifest = join(root, "manifest.json");
    const models = { embedding: "static-256", reranker: "none" };
    await writeFile(manifest, JSON.stringify({ name: "watched", sources: [{ kind: "documents", path: "docs" }], models }));
    await using app = await openApp({ manifest, dataDir: join(root, "data"), write: true, env: {}, version: "test", log: silent });
    const { signal } = new AbortController();
    const start = app.index({ trigger: "start", signal });
    while (!(await start.next()).done);
    await using schedule = app.schedule();
    void schedule;
    const found = async (query: string) => (await app.search(query, { k: 1 }, signal)).passages[0]?.chunk.span.record;

    let run = nextWatchRun(app);
    await writeFile(join(root, "docs", "second.md"), "Quotas are raised by the platform team.");
    assert.equal((await run).records.added, 1);
    assert.equal(await found("who raises quotas"), "doc:docs/second.md");

    run = nextWatchRun(app);
    await rename(join(root, "docs", "second.md"), join(root, "docs", "team", "second.md"));
    assert.equal((await run).records.moved, 1);
    assert.equal(await found("who raises quotas"), "doc:docs/team/second.md");

    run = nextWatchRun(app);
    await rm(join(root, "docs", "team", "second.md"));
    assert.equal((await run).records.deleted, 1);
  });
});
