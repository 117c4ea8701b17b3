import { hashOf } from "./letters.ts";
import type { TextWords } from "./text-words.ts";

const [alone, opener, pair] = [1, 2, 4];

/**
 * Whether one of many names may begin at a word of a text, told without making a string of any of its words: by the word's hash,
 * and of a name of several words by the first two. May say yes in vain, never no in vain.
 */
export class NameFilter {
  private readonly bits = new Uint8Array(1 << 16);

  /** @param words folded: lower case, without diacritics and apostrophes */
  add([first, second]: readonly [first: string, second?: string]): void {
    this.set(hashOf(first), second === undefined ? alone : opener);
    if (second !== undefined) this.set(hashOfBoth(hashOf(first), hashOf(second)), pair);
  }

  /** The first of some words of a text with which a name may begin; `last` where none is. */
  next(words: TextWords, first: number, last: number): number {
    for (let index = first; index < last; index += 1) {
      const hash = words.hash(index);
      const found = this.bits[hash & 0xffff] ?? 0;
      if (found === 0 || found === pair) continue;
      if ((found & alone) !== 0) return index;
      if (index + 1 < words.count && (this.get(hashOfBoth(hash, words.hash(index + 1))) & pair) !== 0) return index;
    }
    return last;
  }

  private set(hash: number, bits: number): void {
    this.bits[hash & 0xffff] = this.get(hash) | bits;
  }

  private get(hash: number): number {
    return this.bits[hash & 0xffff] ?? 0;
  }
}

function hashOfBoth(first: number, second: number): number {
  return Math.imul(first, 0x9e3779b1) ^ second;
}
