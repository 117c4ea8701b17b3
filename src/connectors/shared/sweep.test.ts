import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSweepDue } from "./sweep.ts";

describe("isSweepDue", () => {
  const now = new Date("2026-03-12T02:00:00Z");

  it("is so after the hours, and never before", () => {
    assert.equal(isSweepDue("2026-03-11T02:00:00Z", 24, now), true);
    assert.equal(isSweepDue("2026-03-11T02:00:01Z", 24, now), false);
    assert.equal(isSweepDue(null, 24, now), true);
  });

  it("is always so with 0 hours, also when the server's clock seems to run backwards", () => {
    assert.equal(isSweepDue("2026-03-12T02:00:01Z", 0, now), true);
  });
});
