import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SignRows } from "./sign-rows.ts";

const code = fc.integer({ min: -128, max: 127 });

/** Sum of the query's components with the row's signs. */
function sumOf(query: ArrayLike<number>, row: ArrayLike<number>): number {
  return Array.from(query, (component, i) => ((row[i] ?? 0) > 0 ? component : -component)).reduce((total, one) => total + one, 0);
}

describe("SignRows", () => {
  it("gives the rows whose signs agree best with the query's components, all of the last sum included", () => {
    // whole numbers below 64 with a wide one among them are scaled to uint8 without rounding
    const table = fc.integer({ min: 1, max: 100 }).chain((dimensions) => {
      const row = fc.array(code, { minLength: dimensions, maxLength: dimensions });
      return fc.record({
        query: fc.array(fc.integer({ min: -63, max: 63 }), { minLength: dimensions, maxLength: dimensions }),
        rows: fc.array(row, { maxLength: 80 }),
        wanted: fc.integer({ min: 1, max: 90 }),
      });
    });
    fc.assert(
      fc.property(table, ({ query, rows, wanted }) => {
        // 64 + 63 x 3 = 253 and then two at most are missing to 255; the wide four makes the scale about 1
        const wide = [64, 64, 64, 63, ...query];
        const bits = new SignRows(wide.length);
        const whole = rows.map((row) => [1, 1, 1, 1, ...row]);
        for (const [i, row] of whole.entries()) {
          bits.set(i, row);
          bits.likely(wide, i + 1, 3);
        }
        const sums = whole.map((row) => sumOf(wide, row));
        const least = sums.toSorted((a, b) => b - a)[Math.min(wanted, rows.length) - 1] ?? 0;
        assert.deepEqual(
          [...bits.likely(wide, rows.length, wanted)],
          [...rows.keys()].filter((row) => (sums[row] ?? 0) >= least),
        );
      }),
      { numRuns: 150 },
    );
  });

  it("keeps rows apart that are written at once, over, or copied, whatever their place in a group", () => {
    const dimensions = 40;
    const rowOf = (n: number) => Int8Array.from({ length: dimensions }, (_, i) => ((n * 7919 + i * 104_729) % 13 < 6 ? 1 : -1));
    const plain = Array.from({ length: 3000 }, (_, i) => rowOf(i));
    const bits = new SignRows(dimensions);
    for (const [i, row] of plain.entries()) bits.set(i, row);
    for (const [from, to] of [
      [2999, 0],
      [17, 18],
      [2047, 31],
      [5, 2990],
    ] as const) {
      bits.copy(from, to);
      plain[to] = plain[from] ?? rowOf(0);
    }
    bits.set(1024, rowOf(77));
    plain[1024] = rowOf(77);

    for (const at of [0, 18, 31, 1024, 2990, 2998]) {
      const same = (row: Int8Array) => row.every((component, i) => component === plain[at]?.[i]);
      const expected = [...plain.keys()].filter((row) => same(plain[row] ?? rowOf(0)));
      assert.deepEqual([...bits.likely(plain[at] ?? [], 3000, 1)], expected, `${at}`);
    }
  });

  it("gives all where as many are wanted, none of an empty table, and takes a query of zeros", () => {
    const bits = new SignRows(24);
    for (let row = 0; row < 1500; row++) bits.set(row, new Int8Array(24).fill(row % 2));

    assert.equal(bits.likely(new Float32Array(24).fill(1), 1500, 5000).length, 1500);
    assert.equal(bits.likely(new Float32Array(24).fill(1), 1500, 700).length, 750);
    assert.equal(bits.likely(new Float32Array(24), 1500, 1).length, 1500);
    assert.equal(bits.likely(new Float32Array(24), 0, 1).length, 0);
  });

  it("adds up wide rows without overflowing", () => {
    const dimensions = 4096;
    const bits = new SignRows(dimensions);
    const row = (n: number) => Int8Array.from({ length: dimensions }, (_, i) => (i < n ? 1 : -1));
    for (let i = 0; i < 40; i++) bits.set(i, row(i * 100));

    assert.deepEqual([...bits.likely(new Float32Array(dimensions).fill(0.5), 40, 3)], [37, 38, 39]);
  });
});
