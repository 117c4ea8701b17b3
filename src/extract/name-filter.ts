/** Typographic punctuation and arrows: no part of a word, whatever the script. */
export function isPunctuation(code: number): boolean {
  return code === 0xa0 || (code >= 0x2010 && code <= 0x206f && code !== 0x2019) || (code >= 0x2190 && code < 0x2460);
}

const letters = new Uint8Array(128);
for (const letter of "abcdefghijklmnopqrstuvwxyz0123456789")
  for (const code of [letter.charCodeAt(0), letter.toUpperCase().charCodeAt(0)]) letters[code] = letter.charCodeAt(0);

/** An ASCII letter in lower case, or a digit; 0 for everything else. */
export function lowerAlphanumeric(code: number): number {
  return code < 128 ? (letters[code] ?? 0) : 0;
}

const [alone, pair, opener] = [1, 2, 4];

/**
 * Whether a text may hold one of many names, told without making a string of any of its words: each is hashed letter by letter,
 * and of a name of several words the first two are. May say yes in vain, never no in vain.
 */
export class NameFilter {
  private readonly bits = new Uint8Array(1 << 16);

  /** @param words folded: lower case, without diacritics and apostrophes */
  add([first, second]: readonly [first: string, second?: string]): void {
    this.set(first, second === undefined ? opener | alone : opener);
    if (second !== undefined) this.set(`${first} ${second}`, pair);
  }

  private set(words: string, bits: number): void {
    const place = hashOf(words) & 0xffff;
    this.bits[place] = (this.bits[place] ?? 0) | bits;
  }

  private is(hash: number, bit: number): boolean {
    return ((this.bits[hash & 0xffff] ?? 0) & bit) !== 0;
  }

  /** Whether a name may begin with a word. @param hash of the folded word */
  opens(hash: number): boolean {
    return this.is(hash, opener);
  }

  mayHold(text: string): boolean {
    let hash = 0;
    // of the word before and this one
    let both = 0;
    let within = false;
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : 32;
      const letter = lowerAlphanumeric(code);
      if (letter !== 0) {
        hash = nextHash(hash, letter);
        both = nextHash(both, letter);
        within = true;
        continue;
      }
      // letters beyond ASCII fold in more ways than one, and a possessive is no part of its word
      if (code > 126 && !isPunctuation(code)) return true;
      if (code === apostrophe && within) {
        const next = lowerAlphanumeric(text.charCodeAt(at + 1));
        if (next === possessive) return true;
        // folding joins what an apostrophe parts
        if (next !== 0) continue;
      }
      if (within && (this.is(hash, alone) || this.is(both, pair))) return true;
      if (within) both = nextHash(hash, 32);
      hash = 0;
      within = false;
    }
    return false;
  }
}

/** Its character code. */
export const apostrophe = 39;
const possessive = "s".charCodeAt(0);

/** Hash of a word. */
export function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = nextHash(hash, word.charCodeAt(at));
  return hash;
}

/** Hash of a word with one more character. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}
