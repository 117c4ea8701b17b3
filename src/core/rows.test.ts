import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DotRows, SignRows, toInt8 } from "./rows.ts";

const code = fc.integer({ min: -128, max: 127 });

describe("DotRows", () => {
  it("gives the dot product of the query with each row, for any size and number of rows", () => {
    const table = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
      fc.record({
        dimensions: fc.constant(dimensions),
        query: fc.array(code, { minLength: dimensions, maxLength: dimensions }),
        rows: fc.array(fc.array(code, { minLength: dimensions, maxLength: dimensions }), { maxLength: 40 }),
      }),
    );
    fc.assert(
      fc.property(table, ({ dimensions, query, rows }) => {
        const dots = new DotRows(dimensions);
        dots.set(0, Int8Array.from(rows.flat()));
        const found: number[] = [];
        dots.scan(Int8Array.from(query), rows.length, (_, part) => void found.push(...part));
        assert.deepEqual(
          found,
          rows.map((row) => row.reduce((total, component, i) => total + component * (query[i] ?? 0), 0)),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("gives the same for rows picked out, over many blocks of them", () => {
    const dots = new DotRows(24);
    for (let row = 0; row < 6000; row++)
      dots.set(
        row,
        Int8Array.from({ length: 24 }, (_, i) => ((row * 31 + i * 17) % 255) - 127),
      );
    const query = Int8Array.from({ length: 24 }, (_, i) => i * 10 - 127);
    const all: number[] = [];
    dots.scan(query, 6000, (_, part) => void all.push(...part));
    const places = Uint32Array.from({ length: 9000 }, (_, i) => (i * 7919) % 6000);
    const found: number[] = [];

    dots.pick(query, places, (first, part) => {
      assert.equal(first, found.length);
      found.push(...part);
    });

    assert.deepEqual(
      found,
      Array.from(places, (place) => all[place]),
    );
  });

  it("keeps its rows while it grows, over many blocks", () => {
    const dots = new DotRows(16);
    for (let row = 0; row < 10_000; row++) dots.set(row, new Int8Array(16).fill((row % 100) - 50));
    dots.copy(9_999, 0);
    const query = new Int8Array(16).fill(1);
    let sum = 0;
    let seen = 0;
    dots.scan(query, 10_000, (_, part) => {
      seen += part.length;
      for (const value of part) sum += value;
    });
    let expected = 0;
    for (let row = 0; row < 10_000; row++) expected += 16 * (((row === 0 ? 9_999 : row) % 100) - 50);
    assert.equal(seen, 10_000);
    assert.equal(sum, expected);
    assert.deepEqual([...dots.get(51)], Array<number>(16).fill(1));
  });
});

describe("SignRows", () => {
  it("gives the rows whose sign differs in the fewest components, all of the last number included", () => {
    const table = fc.integer({ min: 1, max: 200 }).chain((dimensions) => {
      const row = fc.array(code, { minLength: dimensions, maxLength: dimensions });
      const rows = fc.array(row, { maxLength: 30 });
      return fc.record({ dimensions: fc.constant(dimensions), query: row, rows, wanted: fc.integer({ min: 1, max: 40 }) });
    });
    fc.assert(
      fc.property(table, ({ dimensions, query, rows, wanted }) => {
        const bits = new SignRows(dimensions);
        for (const [i, row] of rows.entries()) {
          bits.set(i, row);
          // what a query leaves behind must not stand in rows that come later
          bits.fewest(query, i + 1, wanted);
        }
        const differing = rows.map((row) => row.filter((component, i) => component > 0 !== (query[i] ?? 0) > 0).length);
        const most = differing.toSorted((a, b) => a - b)[Math.min(wanted, rows.length) - 1] ?? -1;
        assert.deepEqual(
          [...bits.fewest(query, rows.length, wanted)],
          [...rows.keys()].filter((row) => (differing[row] ?? 0) <= most),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("does so over many blocks of them", () => {
    const dimensions = 40;
    const bits = new SignRows(dimensions);
    const ones = (n: number) => Int8Array.from({ length: dimensions }, (_, i) => (i < n ? 1 : -1));
    // row n has n % 41 components above zero
    for (let row = 0; row < 10_003; row++) bits.set(row, ones(row % 41));

    const found = [...bits.fewest(ones(40), 10_003, 300)];

    assert.equal(found.length, 243 + 244);
    assert.ok(found.every((row, i) => row % 41 >= 39 && (i === 0 || row > (found[i - 1] ?? 0))));
    assert.equal(bits.fewest(ones(40), 10_003, 20_000).length, 10_003);
    assert.equal(bits.fewest(ones(40), 0, 5).length, 0);
  });
});

describe("toInt8", () => {
  it("keeps the direction and survives a vector of zeros", () => {
    assert.deepEqual([...toInt8(Float32Array.of(0.5, -1, 0.25))], [64, -127, 32]);
    assert.deepEqual([...toInt8(new Float32Array(2))], [0, 0]);
  });
});
