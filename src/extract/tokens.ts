import { apostrophe, hashOf, lowerAlphanumeric, nextHash } from "./name-filter.ts";

/**
 * A word of a text as names are compared: lower case, without diacritics and apostrophes. Most words of most texts open no
 * name, so the hash tells first, and the letters are copied out only where somebody reads them.
 */
export class Token {
  readonly start: number;
  readonly end: number;
  /** Starts with a capital letter in the text. */
  readonly capital: boolean;
  /** Of the folded word. */
  readonly hash: number;
  private readonly lower: string;
  private folded: string | null;

  /**
   * @param lower the whole text in lower case
   * @param folded the word, where it is not simply what stands in `lower`
   */
  constructor(lower: string, start: number, end: number, capital: boolean, hash: number, folded: string | null) {
    this.lower = lower;
    this.start = start;
    this.end = end;
    this.capital = capital;
    this.hash = hash;
    this.folded = folded;
  }

  get text(): string {
    this.folded ??= this.lower.slice(this.start, this.end);
    return this.folded;
  }
}

const asciiOnly = /^[\t\n\r -~]*$/;
/** The same with typographic punctuation (see isPunctuation), which parts words in every script. */
const asciiWords = /^[\t\n\r -~\u00A0\u2010-\u2018\u201A-\u206F\u2190-\u245F]*$/;
/** Scripts without spaces are runs of their own, so that "payment担当" holds the word "payment". */
const unspaced = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}";
const anyWord = new RegExp(`[${unspaced}ー]+|[[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]+(?:['’][[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]+)*`, "gv");

/** Letters that have no decomposition but a customary spelling in ASCII. */
const undecomposed: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ı: "i",
};

/** Lower case, diacritics removed, "Łukasz" as "lukasz", "O’Brien" as "obrien". */
export function foldName(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase().replaceAll("'", "");
  return text
    .normalize("NFKD")
    .replace(/[\p{Mn}'’]+/gu, "")
    .toLowerCase()
    .replace(/[łøđðþßæœı]/g, (letter) => undecomposed[letter] ?? letter);
}

/** The words of a text in order. A possessive "'s" belongs to the token's place but not to its text. */
export function tokensOf(text: string): Token[] {
  return asciiWords.test(text) ? asciiTokens(text) : anyTokens(text);
}

function asciiTokens(text: string): Token[] {
  const found: Token[] = [];
  const lower = text.toLowerCase();
  for (let at = 0; at < text.length; at += 1) {
    const start = at;
    let hash = 0;
    let quoted = false;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const letter = lowerAlphanumeric(code);
      if (letter !== 0) hash = nextHash(hash, letter);
      else if (code === apostrophe && at > start && lowerAlphanumeric(text.charCodeAt(at + 1)) !== 0) quoted = true;
      else break;
    }
    if (at === start) continue;
    const word = quoted ? unquoted(lower.slice(start, at)) : null;
    const first = text.charCodeAt(start);
    found.push(new Token(lower, start, at, first >= 65 && first <= 90, word === null ? hash : hashOf(word), word));
  }
  return found;
}

function anyTokens(text: string): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(anyWord)) {
    const capital = match[0][0] !== match[0][0]?.toLowerCase();
    const word = foldName(unquoted(match[0]));
    found.push(new Token(text, match.index, match.index + match[0].length, capital, hashOf(word), word));
  }
  return found;
}

/** "payment's" as "payment", "o'brien" as "obrien". */
function unquoted(word: string): string {
  return (/['’]s$/i.test(word) ? word.slice(0, -2) : word).replace(/['’]/g, "");
}

/** A name as a key: its folded words joined by single spaces. "Checkout-API" gives "checkout api". */
export function nameKey(name: string): string {
  return tokensOf(name)
    .map((token) => token.text)
    .join(" ");
}

/** The same without spaces, under which "loadgenerator" and "load-generator" are one spelling. */
export function joinedKey(key: string): string {
  return key.replaceAll(" ", "");
}

/** An id's part after the colon: "Daniel O'Brien" as "daniel-obrien". */
export function slugOf(name: string): string {
  return foldName(name)
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** The node of a service by the name it is shown under: "LLM Service" is llm, while "user-service" keeps its name. */
export function serviceNode(name: string): `service:${string}` {
  return `service:${slugOf(name.trim().replace(/ (?:service|microservice)$/i, ""))}`;
}
