import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DotRows, toInt8 } from "./rows.ts";

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

describe("toInt8", () => {
  it("keeps the direction and survives a vector of zeros", () => {
    assert.deepEqual([...toInt8(Float32Array.of(0.5, -1, 0.25))], [64, -127, 32]);
    assert.deepEqual([...toInt8(new Float32Array(2))], [0, 0]);
  });
});
