import { related } from "./align.ts";
import { stemsOfToken } from "./evidence.ts";
import { type Token, tokensOf, weightOf } from "./tokens.ts";

/** What a word is in its sentence, as far as phrases of nouns and the verb between them need it. */
export type WordKind = "noun" | "adjective" | "proper" | "verb";

/** A text taken apart for comparing a question with a sentence. */
export interface Parsed {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** By place of the word in the text; others are function words, adverbs, numbers. */
  readonly kinds: ReadonlyMap<number, WordKind>;
  /** A row of a table, worded with its columns. */
  readonly isRow?: boolean;
}

export type Parse = (text: string) => Parsed;

interface Term {
  readonly tags: readonly string[];
  readonly offset?: { readonly start: number };
}

/** Loads what words are tagged with (compromise: rules and a lexicon of general English). */
export async function loadParse(): Promise<Parse> {
  const { default: nlp } = await import("compromise/two");
  return (text) => {
    const kinds = new Map<number, WordKind>();
    for (const { terms } of nlp(text).json({ offset: true }) as { terms: Term[] }[]) {
      for (const { tags, offset } of terms) {
        const kind = kindOf(tags);
        if (offset !== undefined && kind !== null) kinds.set(offset.start, kind);
      }
    }
    return { text, tokens: tokensOf(text), kinds };
  };
}

function kindOf(tags: readonly string[]): WordKind | null {
  if (tags.includes("Pronoun")) return null;
  if (tags.includes("ProperNoun")) return "proper";
  if (tags.includes("Noun")) return "noun";
  if (tags.includes("Adjective")) return "adjective";
  return tags.includes("Verb") ? "verb" : null;
}

/** Written with a capital, and no name. */
export const calendarWord =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|utc|i)$/;

export const interrogative = /^(?:what|which|who|whom|whose|when|where|why|how)$/;

export function isContent(token: Token | undefined): token is Token {
  return token !== undefined && !token.mark && weightOf(token) > 0 && !interrogative.test(token.folded);
}

export function isSame(a: Token, b: Token): boolean {
  if (a.mark || b.mark) return false;
  const others = stemsOfToken(b);
  return stemsOfToken(a).some((stem) => others.some((other) => other === stem || (stem.length >= 5 && related(stem, other))));
}

export function holds(tokens: readonly Token[], token: Token): boolean {
  return tokens.some((other) => isSame(token, other));
}

export function placesOf(tokens: readonly Token[], token: Token): number[] {
  return tokens.flatMap((other, at) => (isSame(token, other) ? [at] : []));
}

/** One letter more, less or other in a longer word: the same word with a slip of the pen. */
export function isSlip({ folded: a }: Token, { folded: b }: Token): boolean {
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [x, y] = [a.slice(at), b.slice(at)];
  return x.slice(1) === y.slice(1) || x === y.slice(1) || x.slice(1) === y;
}

/** Neither the sentence nor what stands above it has the word, spelled with a slip or not. */
export function isAbsent(token: Token, sentence: readonly Token[], above: readonly Token[]): boolean {
  return !holds(sentence, token) && !holds(above, token) && ![...sentence, ...above].some((other) => isSlip(token, other));
}
