/** Typographic punctuation and arrows: no part of a word, whatever the script. */
export function isPunctuation(code: number): boolean {
  return code === 0xa0 || (code >= 0x2010 && code <= 0x206f && code !== 0x2019) || (code >= 0x2190 && code < 0x2460);
}

/**
 * Whether a text may hold one of many words, told without making a string of any of its words: each is hashed letter by letter.
 * May say yes in vain, never no in vain.
 */
export class WordFilter {
  private readonly bits = new Uint8Array(1 << 16);

  /** @param word folded: lower case, without diacritics and apostrophes */
  add(word: string): void {
    let hash = 0;
    for (let at = 0; at < word.length; at += 1) hash = next(hash, word.charCodeAt(at));
    this.bits[hash & 0xffff] = 1;
  }

  mayHold(text: string): boolean {
    let hash = 0;
    let within = false;
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : 32;
      const lower = code >= 65 && code <= 90 ? code + 32 : code;
      if ((lower >= 97 && lower <= 122) || (lower >= 48 && lower <= 57)) {
        hash = next(hash, lower);
        within = true;
        continue;
      }
      // folding joins what apostrophes part, and letters beyond ASCII fold in more ways than one
      if (code === 39 || (code > 126 && !isPunctuation(code))) return true;
      if (within && this.bits[hash & 0xffff] === 1) return true;
      hash = 0;
      within = false;
    }
    return false;
  }
}

function next(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}
