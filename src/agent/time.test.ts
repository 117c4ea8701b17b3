import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseWindow } from "./time.ts";

const now = new Date("2026-08-20T23:00:00Z");

/** Question to "from/to", null where it names no time. */
const cases: readonly (readonly [string, string | null])[] = [
  ["What changed in the last 48 hours?", "2026-08-18T23:00:00Z/2026-08-20T23:00:00Z"],
  ["what changed in the last 48 h", "2026-08-18T23:00:00Z/2026-08-20T23:00:00Z"],
  ["changes in the past two days", "2026-08-18T23:00:00Z/2026-08-20T23:00:00Z"],
  ["anything merged in the last 90 minutes?", "2026-08-20T21:30:00Z/2026-08-20T23:00:00Z"],
  ["what happened in the last hour", "2026-08-20T22:00:00Z/2026-08-20T23:00:00Z"],
  ["commits in the last three weeks", "2026-07-30T23:00:00Z/2026-08-20T23:00:00Z"],
  ["What was merged since yesterday?", "2026-08-19T00:00:00Z/2026-08-20T23:00:00Z"],
  ["what changed since 2026-08-18", "2026-08-18T00:00:00Z/2026-08-20T23:00:00Z"],
  ["what changed since 18 August", "2026-08-18T00:00:00Z/2026-08-20T23:00:00Z"],
  ["since Monday", "2026-08-17T00:00:00Z/2026-08-20T23:00:00Z"],
  ["what changed today", "2026-08-20T00:00:00Z/2026-08-21T00:00:00Z"],
  ["errors between 01:00 and 02:30", "2026-08-20T01:00:00Z/2026-08-20T02:30:00Z"],
  ["errors between 01:00 and 02:30 on 2026-08-18", "2026-08-18T01:00:00Z/2026-08-18T02:30:00Z"],
  ["errors between 23:30 and 00:30", "2026-08-19T23:30:00Z/2026-08-20T00:30:00Z"],
  ["errors between 01:00 and 02:30 CEST", "2026-08-19T23:00:00Z/2026-08-20T00:30:00Z"],
  ["between 1 am and 2:30 am Europe/Berlin on 18 August 2026", "2026-08-17T23:00:00Z/2026-08-18T00:30:00Z"],
  ["Which commits touched it between 10 and 13 August 2026?", "2026-08-10T00:00:00Z/2026-08-14T00:00:00Z"],
  ["commits from August 10 to 13, 2026", "2026-08-10T00:00:00Z/2026-08-14T00:00:00Z"],
  ["commits between 30 July and 2 August", "2026-07-30T00:00:00Z/2026-08-03T00:00:00Z"],
  ["from 2026-07-30 to 2026-08-02", "2026-07-30T00:00:00Z/2026-08-03T00:00:00Z"],
  ["deployed on the evening of 18 August?", "2026-08-18T17:00:00Z/2026-08-19T00:00:00Z"],
  ["what was shipped yesterday evening", "2026-08-19T17:00:00Z/2026-08-20T00:00:00Z"],
  ["Did anything change on 2026-08-18?", "2026-08-18T00:00:00Z/2026-08-19T00:00:00Z"],
  ["Did it depend on it in May 2026", "2026-05-01T00:00:00Z/2026-06-01T00:00:00Z"],
  ["Which change broke it in June?", "2026-06-01T00:00:00Z/2026-07-01T00:00:00Z"],
  ["incidents in 2025", "2025-01-01T00:00:00Z/2026-01-01T00:00:00Z"],
  ["who is on call in the week of 24 August 2026?", "2026-08-24T00:00:00Z/2026-08-31T00:00:00Z"],
  ["what went in over the weekend?", "2026-08-15T00:00:00Z/2026-08-17T00:00:00Z"],
  ["who is on call in the week of 26 August", "2026-08-24T00:00:00Z/2026-08-31T00:00:00Z"],
  ["Who was the owner before 28 July 2026?", "/2026-07-28T00:00:00Z"],
  ["what happened at 2026-08-20T20:52:00Z", "2026-08-20T20:22:00Z/2026-08-20T21:22:01Z"],
  ["commits on 12 August before noon", "2026-08-12T00:00:00Z/2026-08-12T12:00:00Z"],
  ["commits on 12 August after 21:00", "2026-08-12T21:00:00Z/2026-08-13T00:00:00Z"],
  ["commits before noon", "/2026-08-20T12:00:00Z"],
  ["on 20 August between 21:00 and 23:00 Berlin time", "2026-08-20T19:00:00Z/2026-08-20T21:00:00Z"],
  ["on 20 August between 21:00 and 23:00 New York time", "2026-08-21T01:00:00Z/2026-08-21T03:00:00Z"],
  ["how much of the time", null],
  ["what is open from January?", "2026-01-01T00:00:00Z/2026-02-01T00:00:00Z"],
  ["what happened on March 5th", "2026-03-05T00:00:00Z/2026-03-06T00:00:00Z"],
  ["what happened in December", "2025-12-01T00:00:00Z/2026-01-01T00:00:00Z"],
  ["last week", "2026-08-10T00:00:00Z/2026-08-17T00:00:00Z"],
  ["3 days ago", "2026-08-17T00:00:00Z/2026-08-18T00:00:00Z"],
  ["what changed between April and mid July?", "2026-04-01T00:00:00Z/2026-07-24T00:00:00Z"],
  ["what broke in early June", "2026-06-01T00:00:00Z/2026-06-16T00:00:00Z"],
  ["who may own checkout", null],
  ["Who owns commit 52af62266?", null],
  ["which of the two 10-13 options march on", null],
];

describe("time expressions", () => {
  for (const [question, expected] of cases) {
    it(`reads "${question}" as ${expected ?? "no time"}`, () => {
      const window = parseWindow(question, now);

      assert.equal(window && `${window.from ?? ""}/${window.to}`, expected);
    });
  }

  it("tells a moment from a stretch", () => {
    assert.equal(parseWindow("who owned it on 2026-07-01?", now)?.moment, true);
    assert.equal(parseWindow("what changed in the last 48 h?", now)?.moment, false);
  });
});
