import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silent } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import type { IndexSource } from "./deps.ts";
import { Watching } from "./watching.ts";

/** A source that says that it changed when `tell` is called. */
function toldSource(label: string): IndexSource & { tell(): void; readonly watches: () => number } {
  let next = Promise.withResolvers<void>();
  let watches = 0;
  return {
    label,
    kind: "documents",
    async *pull() {
      yield { type: "end", scan: "full" };
    },
    async *watch({ signal }) {
      watches += 1;
      const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      while (!signal.aborted) {
        await Promise.race([next.promise, aborted]);
        next = Promise.withResolvers();
        if (!signal.aborted) yield;
      }
      watches -= 1;
    },
    tell: () => next.resolve(),
    watches: () => watches,
  };
}

function watchingOf(sources: IndexSource[], run: (label: string, n: number) => Promise<void> | void = () => {}) {
  const runs: string[] = [];
  const waits: number[] = [];
  let ms = 0;
  let ended = 0;
  const waiting = new Map<number, () => void>();
  const watching = new Watching({
    sources: () => sources,
    io: { fetch, root: "/", now: () => new Date(0) },
    async run(label) {
      runs.push(label);
      ms += 500;
      try {
        await run(label, runs.length);
      } finally {
        ended += 1;
        waiting.get(ended)?.();
      }
    },
    async wait(time) {
      waits.push(time);
    },
    clock: () => ms,
    log: silent,
  });
  /** Resolves when so many runs have ended. */
  const ran = (n: number) => new Promise<void>((resolve) => (ended >= n ? resolve() : waiting.set(n, resolve)));
  return { watching, runs, waits, ran };
}

describe("watched sources", () => {
  it("are indexed after a change, then left alone for a while", async () => {
    const [docs, wiki] = [toldSource("documents docs"), toldSource("documents wiki")];
    const { watching, runs, waits, ran } = watchingOf([docs, wiki]);
    watching.start();

    docs.tell();
    await ran(1);
    wiki.tell();
    await ran(2);
    await watching[Symbol.asyncDispose]();

    assert.deepEqual(runs, ["documents docs", "documents wiki"]);
    assert.deepEqual(waits, [1500, 1500], "three times what the run took");
    assert.deepEqual([docs.watches(), wiki.watches()], [0, 0]);
  });

  it("are listened to before runs may begin, so that nothing is missed meanwhile", async () => {
    const docs = toldSource("documents docs");
    const { watching, runs, ran } = watchingOf([docs]);
    watching.listen();
    docs.tell();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(runs, []);

    watching.start();
    await ran(1);
    await watching[Symbol.asyncDispose]();

    assert.deepEqual(runs, ["documents docs"]);
  });

  it("wait for a run that is under way, and outlive one that fails", async () => {
    const docs = toldSource("documents docs");
    const { watching, runs, waits, ran } = watchingOf([docs], (_label, n) => {
      if (n === 1) throw new ContextError("INDEX_RUNNING", "busy");
      if (n === 2) throw new Error("broken");
    });
    watching.start();

    docs.tell();
    await ran(2);
    docs.tell();
    await ran(3);
    await watching[Symbol.asyncDispose]();

    assert.deepEqual(runs, ["documents docs", "documents docs", "documents docs"]);
    assert.equal(waits[0], 1000);
  });

  it("are let go when they are no longer configured, and new ones are taken in", async () => {
    const [docs, wiki] = [toldSource("documents docs"), toldSource("documents wiki")];
    const sources: IndexSource[] = [docs];
    const { watching, runs, ran } = watchingOf(sources);
    watching.start();

    sources.splice(0, 1, wiki);
    watching.listen();
    docs.tell();
    wiki.tell();
    await ran(1);
    await watching[Symbol.asyncDispose]();

    assert.deepEqual(runs, ["documents wiki"]);
  });
});
