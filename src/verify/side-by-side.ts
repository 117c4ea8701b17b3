import type { Token } from "./tokens.ts";

/** A stretch between two words that both have: what the sentence says there, and what the source says. */
export interface Edit {
  readonly said: readonly Token[];
  readonly held: readonly Token[];
  /** The stretch before the first common word, or behind the last. */
  readonly opens: boolean;
  readonly ends: boolean;
}

/** A stretch that opens so speaks of something named before: "the crew", "its owner". */
export const definite = /^(?:the|this|that|these|those|its|their|his|her)$/;

/** What stands between the common words, on both sides. */
export function editsOf(claim: readonly Token[], source: readonly Token[], pairs: readonly (readonly [number, number])[]): Edit[] {
  const edits: Edit[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...pairs, [claim.length, source.length] as const]) {
    const [said, held] = [claim.slice(a, nextA), source.slice(b, nextB)];
    if (said.length + held.length > 0) edits.push({ said, held, opens: a === 0, ends: nextA === claim.length && nextB === source.length });
    [a, b] = [nextA + 1, nextB + 1];
  }
  return edits;
}

/** Index pairs of the longest common subsequence of two lists of words, compared by stem. */
export function commonOrder(a: readonly Token[], b: readonly Token[]): [number, number][] {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      best[i * width + j] =
        a[i]?.stem === b[j]?.stem
          ? (best[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i]?.stem === b[j]?.stem) pairs.push([i++, j++]);
    else if ((best[(i + 1) * width + j] ?? 0) >= (best[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}
