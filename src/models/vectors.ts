/** Scales a slice to unit length, in place; a zero vector stays zero. */
export function normalise(vector: Float32Array, start = 0, length = vector.length): void {
  let sum = 0;
  for (let at = start; at < start + length; at += 1) sum += (vector[at] ?? 0) ** 2;
  const norm = Math.sqrt(sum);
  if (norm === 0) return;
  for (let at = start; at < start + length; at += 1) vector[at] = (vector[at] ?? 0) / norm;
}

/** Cosine of two unit-length vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
