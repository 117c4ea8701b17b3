import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { linesWithin, type PlacedLine, packLines, unpackLines } from "./lines.ts";

const part = fc.double({ min: 0, max: 0.5, noNaN: true });
const line = fc.record({ at: fc.nat(80), x: part, y: part, w: part, h: part });
/** Lines in order, each some characters after the one before. */
const lines = fc.array(line, { maxLength: 30 }).map((all) => {
  let at = 0;
  return all.map((one): PlacedLine => {
    at += one.at;
    return { ...one, at };
  });
});

describe("placed lines", () => {
  it("come back from packing with the same offsets, in boxes that hold the old ones, a thousandth wider at most on each side", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const back = unpackLines(packLines(all));

        assert.deepEqual(
          back.map(({ at }) => at),
          all.map(({ at }) => at),
        );
        for (const [i, { x, y, w, h }] of all.entries()) {
          const box = back[i];
          assert.ok(box && box.x <= x + 1e-5 && box.x > x - 0.0011 && box.y <= y + 1e-5 && box.y > y - 0.0011);
          assert.ok(box.x + box.w >= x + w - 1e-5 && box.x + box.w < x + w + 0.0011);
          assert.ok(box.y + box.h >= y + h - 1e-5 && box.y + box.h < y + h + 0.0011);
        }
      }),
    );
  });

  it("do not change when they are packed again", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const once = packLines(all);
        assert.deepEqual(packLines(unpackLines(once)), once);
      }),
    );
  });

  it("are found by the characters that stand on them, cut to those asked for", () => {
    const box = { x: 0.1, y: 0.2, w: 0.5, h: 0.01 };
    const three = [0, 10, 20].map((at) => ({ at, ...box }));
    const within = (start: number, end: number) => linesWithin(three, start, end).map((one) => [one.start, one.end]);

    assert.deepEqual(within(0, 30), [
      [0, 10],
      [10, 20],
      [20, 30],
    ]);
    assert.deepEqual(within(12, 15), [[12, 15]]);
    assert.deepEqual(within(5, 20), [
      [5, 10],
      [10, 20],
    ]);
    assert.deepEqual(within(40, 40), []);
    assert.deepEqual(linesWithin([], 0, 10), []);
  });
});
