import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silent } from "../../test/support/indexing.ts";
import { ContextError } from "../core/errors.ts";
import { openStore } from "../store/open.ts";
import { isDue, Schedule, type ScheduleConfig, scheduleProblem } from "./schedule.ts";

const nightly: ScheduleConfig = { cron: "0 2 * * *", timezone: "UTC" };
const MINUTE = 60_000;

/** Lets a clock go minute by minute over a schedule and says when it ran. */
async function runsBetween(config: ScheduleConfig, from: string, to: string): Promise<readonly string[]> {
  using store = openStore(":memory:");
  let now = new Date(from);
  const ran: string[] = [];
  await using schedule = new Schedule(config, {
    meta: store.meta,
    now: () => now,
    log: silent,
    run: () => {
      ran.push(now.toISOString());
      return Promise.resolve();
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
    const config = { cron: "30 1 * * 1-5", timezone: "Asia/Kolkata" };

    assert.deepEqual(await runsBetween(config, "2026-03-12T12:00:00Z", "2026-03-16T12:00:00Z"), [
      "2026-03-12T20:00:00.000Z", // Friday 01:30
      "2026-03-15T20:00:00.000Z", // Monday 01:30
    ]);
  });

  it("runs at the end of the gap when the change to summer time leaves its minute out", async () => {
    const config = { cron: "30 2 * * *", timezone: "Europe/Berlin" };

    assert.deepEqual(await runsBetween(config, "2026-03-27T12:00:00Z", "2026-03-30T12:00:00Z"), [
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:00:00.000Z", // 03:00, one minute after 01:59
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  it("runs once when the change back brings its minute twice", async () => {
    const config = { cron: "30 2 * * *", timezone: "Europe/Berlin" };

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
      log: silent,
      run: () => Promise.resolve(void ran.push(now.toISOString())),
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
    const { promise, resolve } = Promise.withResolvers<void>();
    await using schedule = new Schedule(
      { cron: "* * * * *", timezone: "UTC" },
      {
        meta: store.meta,
        now: () => now,
        log: silent,
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

    resolve();
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
      log: silent,
      run: () => {
        started += 1;
        const error = outcomes.shift();
        return error ? Promise.reject(error) : Promise.resolve();
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
      log: silent,
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
      log: silent,
      run: () => Promise.resolve(void ran.push(new Date().toISOString())),
    });
    schedule.start();

    for (let second = 0; second < 240; second += 1) {
      t.mock.timers.tick(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }

    assert.deepEqual(ran, ["2026-03-11T02:00:00.000Z"]);
  });

  it("looks back no further than a month, and never runs for a clock that stands still", () => {
    assert.equal(isDue(nightly, new Date("2020-01-01T00:00:00Z"), new Date("2026-03-11T01:00:00Z")), true);
    assert.equal(isDue(nightly, new Date("2026-03-11T02:00:00Z"), new Date("2026-03-11T02:00:00Z")), false);
  });

  it("says what is wrong with a schedule", () => {
    assert.equal(scheduleProblem(nightly), null);
    assert.match(scheduleProblem({ cron: "0 25 * * *", timezone: "UTC" }) ?? "", /hour/);
    assert.match(scheduleProblem({ cron: "0 0 2 * * *", timezone: "UTC" }) ?? "", /five fields/);
    assert.match(scheduleProblem({ cron: "0 2 * * *", timezone: "Berlin" }) ?? "", /time zone/);
  });
});
