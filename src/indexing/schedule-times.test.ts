import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDue, nextDue, timesProblem } from "./schedule-times.ts";

const nightly = { cron: "0 2 * * *", timezone: "UTC" };

describe("planned times", () => {
  it("are looked for no further back than a month, and never come for a clock that stands still", () => {
    assert.equal(isDue(nightly, new Date("2020-01-01T00:00:00Z"), new Date("2026-03-11T01:00:00Z")), true);
    assert.equal(isDue(nightly, new Date("2026-03-11T02:00:00Z"), new Date("2026-03-11T02:00:00Z")), false);
  });

  it("say what is wrong with them", () => {
    assert.equal(timesProblem(nightly), null);
    assert.match(timesProblem({ cron: "0 25 * * *", timezone: "UTC" }) ?? "", /hour/);
    assert.match(timesProblem({ cron: "0 0 2 * * *", timezone: "UTC" }) ?? "", /five fields/);
    assert.match(timesProblem({ cron: "0 2 * * *", timezone: "Berlin" }) ?? "", /time zone/);
  });

  it("tell the next one, in summer and winter, through the gap and the hour that comes twice", () => {
    const berlin = { cron: "30 2 * * *", timezone: "Europe/Berlin" };
    const next = (now: string): string | undefined => nextDue(berlin, new Date(now))?.toISOString();

    assert.equal(next("2026-01-10T12:00:00Z"), "2026-01-11T01:30:00.000Z");
    assert.equal(next("2026-07-10T12:00:00Z"), "2026-07-11T00:30:00.000Z");
    assert.equal(next("2026-03-28T12:00:00Z"), "2026-03-29T01:00:00.000Z"); // 02:30 is left out: 03:00
    assert.equal(next("2026-10-24T12:00:00Z"), "2026-10-25T00:30:00.000Z"); // the first 02:30 of two
    assert.equal(nextDue({ cron: "0 0 1 1 *", timezone: "UTC" }, new Date("2026-03-10T12:00:00Z")), null);
  });
});
