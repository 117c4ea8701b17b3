/**
 * Edit distance with swaps of neighbours (optimal string alignment), given up above `most`.
 * @see Damerau 1964, "A technique for computer detection and correction of spelling errors"
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, (before[j - 2] ?? 0) + 1);
      row.push(value);
      best = Math.min(best, value);
    }
    if (best > most) return most + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** How far a misspelling may be from a name of this length. */
export function tolerance(length: number): number {
  return length <= 3 ? 0 : length <= 5 ? 1 : length <= 10 ? 2 : 3;
}
