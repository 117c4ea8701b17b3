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

/**
 * Whether a text may hold one of many words, told without making a string of any of its words: each is hashed letter by letter.
 * May say yes in vain, never no in vain.
 */
export class WordFilter {
  private readonly bits = new Uint8Array(1 << 16);

  /** @param word folded: lower case, without diacritics and apostrophes */
  add(word: string): void {
    this.bits[hashOf(word) & 0xffff] = 1;
  }

  /** @param hash of a folded word */
  has(hash: number): boolean {
    return this.bits[hash & 0xffff] === 1;
  }

  mayHold(text: string): boolean {
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const letter = lowerAlphanumeric(code);
      if (letter !== 0) {
        hash = nextHash(hash, letter);
        continue;
      }
      // folding joins what apostrophes part, and letters beyond ASCII fold in more ways than one
      if (code === 39 || (code > 126 && !isPunctuation(code))) return true;
      if (hash !== 0 && this.has(hash)) return true;
      hash = 0;
    }
    return hash !== 0 && this.has(hash);
  }
}

export function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = nextHash(hash, word.charCodeAt(at));
  return hash;
}

export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}
