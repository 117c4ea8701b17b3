import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { IndexReport } from "../core/app.ts";
import { silent } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import { openStore } from "../store/open.ts";
import { Schedule, type ScheduleConfig, type ScheduleDeps, type ScheduleProblem } from "./schedule.ts";

const nightly: ScheduleConfig = { cron: "0 2 * * *", timezone: "UTC", jitterSeconds: 0 };
const MINUTE = 60_000;

function reportOf(...failures: IndexReport["failures"]): IndexReport {
  return {
    runId: "r1",
    records: { seen: 0, added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 },
    extraction: { tier1: 0, tier2: 0, tier3: 0, cached: 0, llmCalls: 0, costUsd: 0 },
    graph: { nodes: 0, edges: 0 },
    chunks: { total: 0, added: 0, deleted: 0 },
    failures,
    durationMs: 1,
  };
}

/** What a schedule needs besides a store, a clock and a run. */
const rest: Omit<ScheduleDeps, "meta" | "now" | "run"> = {
  upkeep: async () => {},
  paused: () => false,
  notify: async () => {},
  random: () => 0,
  wait: () => Promise.reject(new Error("nothing to wait for")),
  log: silent,
};

/** Lets a clock go minute by minute over a schedule and says when it ran. */
async function runsBetween(config: ScheduleConfig, from: string, to: string): Promise<readonly string[]> {
  using store = openStore(":memory:");
  let now = new Date(from);
  const ran: string[] = [];
  await using schedule = new Schedule(config, {
    meta: store.meta,
    now: () => now,
    ...rest,
    run: async () => {
      ran.push(now.toISOString());
      return reportOf();
    },
  });
  for (; now <= new Date(to); now = new Date(now.getTime() + MINUTE)) await schedule.tick();
  return ran;
}

describe("the schedule", () => {
  it("runs once a night", async () => {
    assert.deepEqual(await runsBetween(nightly, "2026-03-10T12:00:00Z", "2026-03-13T12:00:00Z"), [
      "2026-03-11T02:00:00.000Z",
      "2026-03-12T02:00:00.000Z",
      "2026-03-13T02:00:00.000Z",
    ]);
  });

  it("means the wall clock of its time zone", async () => {
    const config = { cron: "30 1 * * 1-5", timezone: "Asia/Kolkata", jitterSeconds: 0 };

    assert.deepEqual(await runsBetween(config, "2026-03-12T12:00:00Z", "2026-03-16T12:00:00Z"), [
      "2026-03-12T20:00:00.000Z", // Friday 01:30
      "2026-03-15T20:00:00.000Z", // Monday 01:30
    ]);
  });

  it("runs at the end of the gap when the change to summer time leaves its minute out", async () => {
    const config = { cron: "30 2 * * *", timezone: "Europe/Berlin", jitterSeconds: 0 };

    assert.deepEqual(await runsBetween(config, "2026-03-27T12:00:00Z", "2026-03-30T12:00:00Z"), [
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:00:00.000Z", // 03:00, one minute after 01:59
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  it("runs once when the change back brings its minute twice", async () => {
    const config = { cron: "30 2 * * *", timezone: "Europe/Berlin", jitterSeconds: 0 };

    assert.deepEqual(await runsBetween(config, "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z"), [
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
  });

  it("catches up at start what was missed while the daemon was down, once", async () => {
    using store = openStore(":memory:");
    let now = new Date("2026-03-10T12:00:00Z");
    const ran: string[] = [];
    const deps = {
      meta: store.meta,
      now: () => now,
      ...rest,
      run: async () => {
        ran.push(now.toISOString());
        return reportOf();
      },
    };
    {
      await using first = new Schedule(nightly, deps);
      await first.tick();
    }
    now = new Date("2026-03-13T09:15:00Z");
    await using second = new Schedule(nightly, deps);

    await second.tick();
    now = new Date("2026-03-13T09:16:00Z");
    await second.tick();

    assert.deepEqual(ran, ["2026-03-13T09:15:00.000Z"]);
  });

  it("does not start a run while one is under way", async () => {
    using store = openStore(":memory:");
    let now = new Date("2026-03-10T12:00:00Z");
    let started = 0;
    const { promise, resolve } = Promise.withResolvers<IndexReport>();
    await using schedule = new Schedule(
      { ...nightly, cron: "* * * * *" },
      {
        meta: store.meta,
        now: () => now,
        ...rest,
        run: () => {
          started += 1;
          return promise;
        },
      },
    );
    now = new Date("2026-03-10T12:01:00Z");
    const first = schedule.tick();
    now = new Date("2026-03-10T12:02:00Z");
    await schedule.tick();
    assert.equal(started, 1);

    resolve(reportOf());
    await first;
    now = new Date("2026-03-10T12:03:00Z");
    await schedule.tick();
    assert.equal(started, 2);
  });

  it("waits while a run of somebody else is under way; a run that failed is not repeated before the next night", async () => {
    using store = openStore(":memory:");
    let now = new Date("2026-03-10T12:00:00Z");
    const outcomes: (Error | null)[] = [new ContextError("INDEX_RUNNING", "busy"), new Error("broken")];
    let started = 0;
    await using schedule = new Schedule(nightly, {
      meta: store.meta,
      now: () => now,
      ...rest,
      run: () => {
        started += 1;
        const error = outcomes.shift();
        return error ? Promise.reject(error) : Promise.resolve(reportOf());
      },
    });

    for (const at of ["02:00", "02:01", "02:02", "02:03"]) {
      now = new Date(`2026-03-11T${at}:00Z`);
      await schedule.tick();
    }

    assert.equal(started, 2);
  });

  it("stops the run under way when it is disposed, and leaves it due", async () => {
    using store = openStore(":memory:");
    let now = new Date("2026-03-10T12:00:00Z");
    let stopped = false;
    const schedule = new Schedule(nightly, {
      meta: store.meta,
      now: () => now,
      ...rest,
      run: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(new ContextError("CANCELLED", "stopped"));
          });
        }),
    });
    now = new Date("2026-03-11T02:00:00Z");
    const tick = schedule.tick();

    await schedule[Symbol.asyncDispose]();
    await tick;

    assert.ok(stopped);
    assert.equal(store.meta.get("schedule.last"), "2026-03-10T12:00:00.000Z");
  });

  it("is driven by node-cron every minute once started", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: new Date("2026-03-11T01:58:30Z").getTime() });
    using store = openStore(":memory:");
    const ran: string[] = [];
    await using schedule = new Schedule(nightly, {
      meta: store.meta,
      now: () => new Date(),
      ...rest,
      run: async () => {
        ran.push(new Date().toISOString());
        return reportOf();
      },
    });
    schedule.start();

    for (let second = 0; second < 240; second += 1) {
      t.mock.timers.tick(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }

    assert.deepEqual(ran, ["2026-03-11T02:00:00.000Z"]);
  });

  it("begins late by chance, within its bound, and counts from the planned time all the same", async () => {
    for (const [drawn, late] of [
      [0, []],
      [0.5, [150_000]],
      [0.999999, [299_999]],
    ] as const) {
      const { waits, last } = await oneNight({ ...nightly, jitterSeconds: 300 }, { random: () => drawn });

      assert.deepEqual(waits, late);
      assert.equal(last, "2026-03-11T02:00:00.000Z");
    }
  });

  it("does not run when it is stopped while it holds back, and the run stays due", async () => {
    const { ran, last } = await oneNight(
      { ...nightly, jitterSeconds: 300 },
      { random: () => 0.5, wait: () => Promise.reject(new DOMException("stopped", "AbortError")) },
    );

    assert.equal(ran, 0);
    assert.equal(last, "2026-03-10T12:00:00.000Z");
  });

  it("runs again the next night when the clock had been years ahead", async () => {
    using store = openStore(":memory:");
    let now = new Date("2031-01-01T12:00:00Z");
    const ran: string[] = [];
    const deps: ScheduleDeps = {
      meta: store.meta,
      now: () => now,
      ...rest,
      run: async () => {
        ran.push(now.toISOString());
        return reportOf();
      },
    };
    {
      await using _schedule = new Schedule(nightly, deps);
    }
    now = new Date("2026-03-10T12:00:00Z");
    await using schedule = new Schedule(nightly, deps);

    for (; now <= new Date("2026-03-11T12:00:00Z"); now = new Date(now.getTime() + MINUTE)) await schedule.tick();

    assert.deepEqual(ran, ["2026-03-11T02:00:00.000Z"]);
  });

  it("leaves out what is planned while it is paused, and goes on with the next after", async () => {
    using store = openStore(":memory:");
    let now = new Date("2026-03-10T12:00:00Z");
    const ran: string[] = [];
    let upkeeps = 0;
    const isPaused = (): boolean => now >= new Date("2026-03-11T00:00:00Z") && now < new Date("2026-03-12T23:00:00Z");
    await using schedule = new Schedule(nightly, {
      meta: store.meta,
      now: () => now,
      ...rest,
      paused: isPaused,
      upkeep: async () => void upkeeps++,
      run: async () => {
        ran.push(now.toISOString());
        return reportOf();
      },
    });

    for (; now <= new Date("2026-03-13T12:00:00Z"); now = new Date(now.getTime() + MINUTE)) await schedule.tick();

    assert.deepEqual(ran, ["2026-03-13T02:00:00.000Z"]);
    assert.equal(upkeeps, 3, "what is old goes each night");
  });

  it("tells of a run that failed and of a source that failed, not of a single record; upkeep follows each", async () => {
    const sourceFailed = { source: "jira", id: "jira", code: "SOURCE_UNAUTHORIZED", message: "Jira answered 401" };
    const recordFailed = { source: "jira", id: "jira:A-1", code: "SOURCE_BAD_REPLY", message: "A-1 has no title" };

    const fine = await oneNight(nightly, { run: async () => reportOf(recordFailed) });
    const partial = await oneNight(nightly, { run: async () => reportOf(recordFailed, sourceFailed) });
    const failed = await oneNight(nightly, { run: () => Promise.reject(new ContextError("STORE_DAMAGED", "the file is damaged")) });

    assert.deepEqual(fine.told, []);
    assert.deepEqual(partial.told, [{ status: "partial", runId: "r1", failures: [sourceFailed] }]);
    assert.deepEqual(failed.told, [
      { status: "failed", runId: null, failures: [{ source: "contextd", code: "STORE_DAMAGED", message: "the file is damaged" }] },
    ]);
    assert.deepEqual([fine.upkeeps, partial.upkeeps, failed.upkeeps], [1, 1, 1]);
  });

  it("goes on when its upkeep fails", async () => {
    const { last } = await oneNight(nightly, { upkeep: () => Promise.reject(new Error("disk full")) });

    assert.equal(last, "2026-03-11T02:00:00.000Z");
  });
});

/** One planned run at 02:00, with what it did. */
async function oneNight(config: ScheduleConfig, deps: Partial<ScheduleDeps>) {
  using store = openStore(":memory:");
  let now = new Date("2026-03-10T12:00:00Z");
  const seen = { ran: 0, waits: [] as number[], told: [] as ScheduleProblem[], upkeeps: 0 };
  await using schedule = new Schedule(config, {
    meta: store.meta,
    now: () => now,
    ...rest,
    wait: async (ms) => void seen.waits.push(ms),
    ...deps,
    ...wrapped(),
  });
  function wrapped(): Pick<ScheduleDeps, "run" | "upkeep" | "notify"> {
    return {
      run: (signal) => {
        seen.ran += 1;
        return deps.run?.(signal) ?? Promise.resolve(reportOf());
      },
      upkeep: async (signal) => {
        seen.upkeeps += 1;
        await deps.upkeep?.(signal);
      },
      notify: async (problem) => void seen.told.push(problem),
    };
  }
  now = new Date("2026-03-11T02:00:00Z");
  await schedule.tick();
  return { ...seen, last: store.meta.get("schedule.last") };
}
