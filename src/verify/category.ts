import type { Mismatch, ReadClaim } from "./agree.ts";
import type { Alignment } from "./align.ts";
import type { Evidence } from "./evidence.ts";
import { type WordSimilarity, wordsOf } from "./features.ts";
import type { Tagged } from "./grammar.ts";
import { type Token, weightOf } from "./tokens.ts";

/** A noun that is at most this like every word of the source's sentence is another kind of thing. */
const UNLIKE = 0.2;
/** "is a widely used storage engine": the noun comes after so many words at most. */
const LONGEST_PHRASE = 5;

const copula = /^(?:is|are|was|were)$/;
const article = /^(?:a|an|one)$/;

/**
 * "X is a song" where the source speaks of X and says nothing like a song: the noun that ends a phrase "is a …" says what kind of
 * thing its subject is, and a kind is seldom left to be inferred. @param similar null: nothing is found
 */
export function otherKind(
  { tokens, tagged }: ReadClaim,
  evidence: Evidence,
  alignment: Alignment,
  similar: WordSimilarity | null,
): Mismatch | null {
  if (similar === null) return null;
  for (const [at, token] of tokens.entries()) {
    if (!copula.test(token.folded) || !article.test(tokens[at + 1]?.folded ?? "")) continue;
    const head = headAfter(tokens, at + 2, tagged);
    if (head === null || head.capital || !alignment.missing.includes(head)) continue;
    const nearest = Math.max(0, ...wordsOf(evidence, alignment).map((word) => similar(head.folded, word)));
    if (nearest < UNLIKE) return { kind: "word", reason: `"${head.text}" is not in the source, nor anything of that kind` };
  }
  return null;
}

/** The last word of the noun phrase: what stands before a function word, a verb, a comma or the end. */
function headAfter(tokens: readonly Token[], from: number, tagged: readonly Tagged[]): Token | null {
  let head: Token | null = null;
  for (const token of tokens.slice(from, from + LONGEST_PHRASE)) {
    if (/^(?:and|or)$/.test(token.folded) || /^\s*-/.test(token.text)) continue;
    const word = tagged.find(({ start, end }) => start <= token.start && token.start < end);
    if (token.mark || weightOf(token) === 0 || (head !== null && word?.verb === true)) break;
    head = token;
  }
  return head;
}
