/** Words and names as they are compared: lower case, without diacritics and apostrophes. */

const asciiOnly = /^[\t\n\r -~]*$/;
/** Scripts without spaces are runs of their own, so that "payment担当" holds the word "payment". */
const unspaced = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}";
const anyWord = new RegExp(`[${unspaced}ー]+|[[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]+(?:['’][[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]+)*`, "gv");
const wordHere = new RegExp(anyWord.source, "yv");
const plainWord = /^[a-z0-9]+$/;
const asciiWord = /[a-z0-9]+(?:'[a-z0-9]+)*/g;

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

/** The word that begins at a place of a text, as it is written; "" where none does. */
export function wordAt(text: string, at: number): string {
  wordHere.lastIndex = at;
  return wordHere.exec(text)?.[0] ?? "";
}

/** A word as it is written, folded: "Payment's" as "payment", "O'Brien" as "obrien". */
export function foldWord(word: string): string {
  return foldName(/['’]s$/i.test(word) ? word.slice(0, -2) : word);
}

/** The words of a text in order, folded. */
export function foldedWords(text: string): string[] {
  if (!asciiOnly.test(text)) return (text.match(anyWord) ?? []).map(foldWord);
  const words = text.toLowerCase().match(asciiWord) ?? [];
  return text.includes("'") ? words.map(foldWord) : words;
}

/** A name as a key: its folded words joined by single spaces. "Checkout-API" gives "checkout api". */
export function nameKey(name: string): string {
  return plainWord.test(name) ? name : foldedWords(name).join(" ");
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
