import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import type { Answer } from "../core/answer.ts";
import { openStore } from "../store/open.ts";
import { SchedulePause } from "./schedule-pause.ts";
import { upkeep } from "./upkeep.ts";

const retention = { runDays: 30, answerDays: 60, replyDays: 10 };
const now = new Date("2026-03-31T02:00:00Z");
const signal = new AbortController().signal;
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();

function answer(id: string): Answer {
  return {
    id,
    question: "q",
    status: "refused",
    refusal: "insufficient",
    answer: "x".repeat(4000),
    asOf: now.toISOString(),
    citations: [],
    claims: [],
    coverage: [],
    lookedFor: [],
    hypotheses: [],
    permalink: `/a/${id}`,
    route: "vector",
    toolCalls: [],
    trace: { stages: [], retries: 0, llm: { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 } },
  } as unknown as Answer;
}

/** A clock that goes a ms a look. */
function clock(): () => number {
  let ms = 0;
  return () => ms++;
}

describe("upkeep", () => {
  it("lets go of what is older than its kind is kept for, and of nothing else", async () => {
    using store = openStore(":memory:");
    for (const days of [5, 59, 61, 400])
      store.answers.put(answer(`a${days}`), daysAgo(days), { cache: { key: `k${days}`, generation: "1" } });
    for (const days of [5, 15]) store.llm.cache(`m${days}`, "reply", "model", daysAgo(days));

    const { answers, replies } = await upkeep(store, retention, { now, clock: clock(), signal });

    assert.deepEqual([answers, replies], [2, 1]);
    assert.deepEqual(
      ["a5", "a59", "a61", "a400"].map((id) => store.answers.get(id) !== null),
      [true, true, false, false],
    );
    assert.equal(store.answers.recall("k400"), null);
    assert.equal(store.llm.cached("m5"), "reply");
    assert.equal(store.llm.cached("m15"), null);
  });

  it("puts the model calls of days long past together, and the spend stays what it was", async () => {
    using store = openStore(":memory:");
    const limits = { perRun: 9, perDay: 9 };
    for (const [days, purpose, usd] of [
      [20, "extract", 0.5],
      [20, "extract", 0.25],
      [20, "judge", 1],
      [9, "extract", 1],
      [9, "extract", 2],
      [2, "extract", 0.5],
      [2, "extract", 0.25],
    ] as const) {
      const call = store.llm.reserve(null, purpose, "m", 3, limits, daysAgo(days));
      if (usd < 2) store.llm.settle(call, { inputTokens: 10, outputTokens: 1, costUsd: usd });
    }
    const before = store.llm.spend();

    await upkeep(store, retention, { now, clock: clock(), signal });

    assert.deepEqual(store.llm.spend(), before);
    assert.deepEqual(
      before.map(({ calls, costUsd }) => [calls, costUsd]),
      [
        [2, 0.75],
        [2, 4],
        [2, 0.75],
        [1, 1],
      ],
    );
    assert.equal(store.upkeep.fold(daysAgo(7)), false, "nothing is left to fold");
    assert.equal(store.upkeep.fold(now.toISOString()), true, "the newest calls are still apart");
  });

  it("keeps the newest hundred runs and the last that ended well, however old", async () => {
    using store = openStore(":memory:");
    const run = (id: string, days: number, status: "done" | "failed"): void => {
      store.runs.start(id, "schedule", daysAgo(days));
      store.runs.end(id, status, null, daysAgo(days));
    };
    run("older", 502, "done");
    run("well", 500, "done");
    for (let n = 0; n < 150; n += 1) run(`bad${n}`, 400 - n / 1000, "failed");

    const { runs } = await upkeep(store, retention, { now, clock: clock(), signal });

    assert.equal(runs, 1);
    assert.equal(store.runs.get("older"), null);
    assert.notEqual(store.runs.get("well"), null);
  });

  it("gives the room of what went back to the file system, in new files and in old ones", async () => {
    for (const isOld of [false, true]) {
      const folder = mkdtempSync(join(tmpdir(), "contextd-upkeep-"));
      try {
        const file = join(folder, "contextd.db");
        openStore(file)[Symbol.dispose]();
        if (isOld) {
          const db = new Database(file);
          db.pragma("journal_mode = DELETE");
          db.pragma("auto_vacuum = NONE");
          db.exec("VACUUM");
          db.close();
        }
        using store = openStore(file);
        for (let n = 0; n < 1500; n += 1) store.answers.put(answer(`a${n}`), daysAgo(400));
        store.upkeep.settle();
        const before = statSync(file).size;

        const { answers, pages } = await upkeep(store, retention, { now, clock: clock(), signal });

        assert.equal(answers, 1500);
        assert.ok(pages > 1000, `${pages} pages`);
        assert.ok(statSync(file).size < before / 4, `${before} to ${statSync(file).size} bytes`);
        assert.deepEqual([...store.check(true)], []);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  });

  it("stops when its time is over; the next night goes on", async () => {
    using store = openStore(":memory:");
    for (let n = 0; n < 1200; n += 1) store.answers.put(answer(`a${n}`), daysAgo(400));
    let looks = 0;
    const late = (): number => (looks++ < 2 ? 0 : 61_000);

    const first = await upkeep(store, retention, { now, clock: late, signal });
    const second = await upkeep(store, retention, { now, clock: clock(), signal });

    assert.deepEqual([first.answers, second.answers], [500, 700]);
  });
});

describe("the pause of the schedule", () => {
  it("is kept in a file, since when it was first asked for", () => {
    const folder = mkdtempSync(join(tmpdir(), "contextd-pause-"));
    try {
      const file = join(folder, "data", "schedule-paused");
      const pause = new SchedulePause(file);
      assert.equal(pause.since(), null);

      pause.set(true, now);
      pause.set(true, new Date("2026-04-01T00:00:00Z"));
      assert.equal(new SchedulePause(file).since(), now.toISOString());

      pause.set(false, now);
      pause.set(false, now);
      assert.equal(pause.since(), null);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
