/** Pieces that a WordPiece tokenizer makes of a run of letters or digits, on average, by its length. */
const lettersPerPiece = 6;
const digitsPerPiece = 2;

const piece = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{L}[\p{L}\p{M}]*|\p{N}+|[^\p{L}\p{N}\p{M}\s]/gu;

/**
 * How many tokens the encoder will see, without running its tokenizer: a chunk's size must not depend on which model
 * is configured. English prose comes out within a few per cent of WordPiece; ids and hashes a little high, on purpose.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [part] of text.matchAll(piece)) {
    const first = part.charCodeAt(0);
    if (first >= 48 && first <= 57) tokens += Math.ceil(part.length / digitsPerPiece);
    else tokens += part.length <= 9 ? 1 : Math.ceil(part.length / lettersPerPiece);
  }
  return tokens;
}
