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
  const { dimensions } = query;
  const a = query.codes;
  const b = passage.codes;
  let total = 0;
  let weight = 0;
  for (let i = 0; i < query.count; i++) {
    let best = -1;
    for (let j = 0; j < passage.count; j++) {
      let dot = 0;
      for (let k = 0, at = i * dimensions, other = j * dimensions; k < dimensions; k++)
        dot += (a[at + k] as number) * (b[other + k] as number);
      if (dot > best) best = dot;
    }
    const w = weights[i] ?? 0;
    total += w * (passage.count === 0 ? 0 : best / 16129);
    weight += w;
  }
  return weight > 0 ? total / weight : 0;
}
