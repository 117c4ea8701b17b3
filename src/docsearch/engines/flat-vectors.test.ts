import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { packVector, unpackVector } from "../../store/vectors.ts";
import { FlatVectors } from "./flat-vectors.ts";

const dimensions = 32;
const vector = fc
  .array(fc.integer({ min: -100, max: 100 }), { minLength: dimensions, maxLength: dimensions })
  .filter((components) => components.some((component) => component !== 0))
  .map((components) => {
    const length = Math.hypot(...components);
    return Float32Array.from(components.map((component) => component / length));
  });

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((total, component, i) => total + component * (b[i] ?? 0), 0);
}

describe("FlatVectors", () => {
  it("finds the nearest of what was put and not dropped, as a plain scan does", () => {
    const step = fc.record({ seq: fc.integer({ min: 1, max: 30 }), vector: fc.option(vector, { freq: 3 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), vector, fc.integer({ min: 1, max: 8 }), (steps, query, k) => {
        const flat = new FlatVectors(dimensions);
        const plain = new Map<number, Float32Array>();
        for (const { seq, vector: made } of steps) {
          if (made === null) {
            flat.drop(seq);
            plain.delete(seq);
          } else {
            flat.put(seq, packVector(made));
            plain.set(seq, unpackVector(packVector(made)));
          }
        }

        const found = flat.search(query, k);

        const best = [...plain.values()].map((made) => dot(query, made)).sort((a, b) => b - a);
        assert.equal(flat.size, plain.size);
        assert.equal(found.length, Math.min(k, plain.size));
        found.forEach(({ seq, cosine }, i) => {
          assert.ok(Math.abs(cosine - dot(query, plain.get(seq) ?? new Float32Array(dimensions))) < 1e-5);
          assert.ok(Math.abs(cosine - (best[i] ?? 0)) < 0.02, "no nearer one is left out");
        });
      }),
      { numRuns: 150 },
    );
  });

  it("scores only the allowed rows when told", () => {
    const flat = new FlatVectors(2);
    flat.put(1, packVector(Float32Array.of(1, 0)));
    flat.put(2, packVector(Float32Array.of(0, 1)));

    assert.deepEqual(
      flat.search(Float32Array.of(1, 0), 5, [2, 99]).map(({ seq }) => seq),
      [2],
    );
  });

  it("finds nearly all of the nearest by signs first, where the table is large", () => {
    const random = generator(11);
    const all = new FlatVectors(384);
    const signs = new FlatVectors(384, { signsFrom: 0 });
    for (let seq = 0; seq < 6000; seq++) {
      const made = packVector(clustered(random));
      all.put(seq, made);
      signs.put(seq, made);
    }
    let kept = 0;
    for (let i = 0; i < 20; i++) {
      const query = clustered(random);
      const expected = new Set(all.search(query, 50).map(({ seq }) => seq));
      kept += signs.search(query, 50).filter(({ seq }) => expected.has(seq)).length;
    }

    assert.ok(kept / 1000 > 0.95, `${kept} of 1000`);
  });
});

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4294967296 - 0.5;
  };
}

/** Vectors around 40 centres, as texts on 40 subjects would be. */
function clustered(random: () => number): Float32Array {
  const centre = generator(1000 + Math.floor((random() + 0.5) * 40));
  const made = Float32Array.from({ length: 384 }, () => centre() + random());
  const length = Math.hypot(...made);
  return made.map((component) => component / length);
}
