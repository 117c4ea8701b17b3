import { DotRows } from "../core/rows.ts";

/** Scales a vector to unit length in place; one of zeros stays as it is. */
export function normalize(vector: Float32Array): Float32Array {
  let square = 0;
  for (const component of vector) square += component * component;
  if (square === 0) return vector;
  const scale = 1 / Math.sqrt(square);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
  return vector;
}

/** Unit-length token vectors as int8 (component = code / 127), row after row. */
export interface TokenVectors {
  readonly codes: Int8Array;
  readonly count: number;
  readonly dimensions: number;
}

/** Rows [from, to) of a [tokens, dimensions] output, each made unit length and rounded to int8. */
export function packTokens(data: Float32Array, dimensions: number, from: number, to: number): TokenVectors {
  const count = Math.max(0, to - from);
  const codes = new Int8Array(count * dimensions);
  for (let row = 0; row < count; row++) {
    const vector = normalize(data.slice((from + row) * dimensions, (from + row + 1) * dimensions));
    for (let i = 0; i < dimensions; i++) codes[row * dimensions + i] = Math.round((vector[i] ?? 0) * 127);
  }
  return { codes, count, dimensions };
}

/**
 * Weighted mean over the question's tokens of the best cosine with a token of the passage.
 * @see Khattab and Zaharia, ColBERT, SIGIR 2020 (MaxSim; the weights by idf are ours, models/README.md)
 * @param weights one a question token
 */
export function maxSim(query: TokenVectors, weights: readonly number[], passage: TokenVectors): number {
  const rows = scratch(query.dimensions);
  rows.set(0, passage.codes);
  let total = 0;
  let weight = 0;
  for (let i = 0; i < query.count; i++) {
    const w = weights[i] ?? 0;
    weight += w;
    if (w === 0 || passage.count === 0) continue;
    let best = -Infinity;
    rows.scan(query.codes.subarray(i * query.dimensions, (i + 1) * query.dimensions), passage.count, (_, dots) => {
      for (let j = 0; j < dots.length; j++) best = Math.max(best, dots[j] as number);
    });
    total += (w * best) / (127 * 127);
  }
  return weight > 0 ? total / weight : 0;
}

let shared: DotRows | null = null;

/** One table for all comparisons of a thread. */
function scratch(dimensions: number): DotRows {
  if (shared?.dimensions !== dimensions) shared = new DotRows(dimensions);
  return shared;
}
