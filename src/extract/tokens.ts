/** Words of a text as names are compared: lower case, without diacritics and apostrophes. */

export interface Token {
  /** Folded. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Starts with a capital letter in the text. */
  readonly capital: boolean;
}

const asciiOnly = /^[\t\n\r -~]*$/;
/** The same with typographic punctuation (see isPunctuation), which parts words in every script. */
const asciiWords = /^[\t\n\r -~\u00A0\u2010-\u2018\u201A-\u206F\u2190-\u245F]*$/;
const asciiWord = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*/g;
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
  asciiWord.lastIndex = 0;
  for (let match = asciiWord.exec(lower); match !== null; match = asciiWord.exec(lower)) {
    const start = match.index;
    const end = start + match[0].length;
    const first = text.charCodeAt(start);
    found.push({ text: match[0].includes("'") ? unquoted(match[0]) : match[0], start, end, capital: first >= 65 && first <= 90 });
  }
  return found;
}

function anyTokens(text: string): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(anyWord)) {
    const word = match[0];
    const capital = word[0] !== word[0]?.toLowerCase();
    found.push({ text: foldName(unquoted(word)), start: match.index, end: match.index + word.length, capital });
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
