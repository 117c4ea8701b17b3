import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { WalkOptions } from "./walk.ts";
import { watchFolder } from "./watch.ts";

const all: WalkOptions = { include: [], exclude: [], ignoreFiles: true };

/** A folder in a folder of its own, watched; `next` resolves at the next change. */
async function watching(t: TestContext, options: Partial<WalkOptions> = {}, path = "docs") {
  const home = await mkdtemp(join(tmpdir(), "contextd-watch-"));
  const root = join(home, path);
  await mkdir(join(home, "docs", "sub"), { recursive: true });
  await writeFile(join(home, "docs", "a.md"), "first");
  const stop = new AbortController();
  const warnings: string[] = [];
  const watched = Promise.withResolvers<void>();
  const log = {
    debug: () => watched.resolve(),
    info() {},
    error() {},
    warn: (_fields: object, message: string) => void warnings.push(message),
  };
  // the quiet time passes in a turn of the event loop
  const wait = async () => void (await nextTurn());
  const changes = watchFolder(root, { ...all, ...options }, { signal: stop.signal, log, wait });
  let pending = changes.next();
  t.after(async () => {
    stop.abort();
    await pending;
    await rm(home, { recursive: true, force: true });
  });
  // the watches are set before anything happens
  await watched.promise;
  return {
    home,
    root,
    warnings,
    stop,
    async next(): Promise<boolean> {
      const { done } = await pending;
      pending = changes.next();
      return done !== true;
    },
    /** Whether something is told by the time that a change of a sure kind is. */
    pending: () => pending,
  };
}

describe("a watched folder", { timeout: 30_000 }, () => {
  it("tells of a file that is written, changed, moved or deleted, in folders below too", async (t) => {
    const { root, next } = await watching(t);

    await writeFile(join(root, "b.md"), "second");
    assert.ok(await next());
    await appendFile(join(root, "sub", "c.md"), "third");
    assert.ok(await next());
    await rename(join(root, "a.md"), join(root, "sub", "a.md"));
    assert.ok(await next());
    await rm(join(root, "b.md"));
    assert.ok(await next());
  });

  it("watches folders that come later", async (t) => {
    const { root, next } = await watching(t);

    await mkdir(join(root, "new", "deep"), { recursive: true });
    assert.ok(await next());
    await writeFile(join(root, "new", "deep", "d.md"), "fourth");
    assert.ok(await next());
  });

  it("goes on when the folder was away and is back, and says nothing meanwhile", async (t) => {
    const { home, root, next, warnings } = await watching(t);

    await rename(root, join(home, "elsewhere"));
    while (warnings.length === 0) await nextTurn();
    await rename(join(home, "elsewhere"), root);
    assert.ok(await next(), "back");
    await writeFile(join(root, "b.md"), "second");
    assert.ok(await next(), "watched as before");
    assert.deepEqual(warnings, ["a watched folder is away"]);
  });

  it("waits for a folder that is not there yet", async (t) => {
    const { root, next } = await watching(t, {}, "later/docs");

    await mkdir(root, { recursive: true });
    await writeFile(join(root, "a.md"), "first");
    assert.ok(await next());
    await writeFile(join(root, "b.md"), "second");
    assert.ok(await next());
  });

  it("passes over what is not read: other files, ignored folders, our own store", async (t) => {
    const { root, next, pending } = await watching(t, { include: ["**/*.md"], exclude: ["drafts/"] });
    await mkdir(join(root, "drafts"));
    let told = 0;
    void pending().then(() => {
      told += 1;
    });

    for (const name of ["x.txt", "contextd.db-wal", "drafts/d.md", "x.png"]) await writeFile(join(root, name), "text");
    for (let i = 0; i < 50; i++) await nextTurn();
    assert.equal(told, 0);
    await writeFile(join(root, "b.md"), "second");
    assert.ok(await next());
  });

  it("watches a single file for a source", async (t) => {
    const { root, next } = await watching(t, {}, "docs/a.md");

    await writeFile(root, "changed");
    assert.ok(await next());
  });

  it("ends when it is stopped", async (t) => {
    const { stop, pending } = await watching(t);

    stop.abort();
    assert.equal((await pending()).done, true);
  });
});
