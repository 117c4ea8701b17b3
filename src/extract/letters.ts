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
