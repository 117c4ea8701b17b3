/**
 * The words of a text as lexical search sees them: folded, without stop words, stemmed. Index and query go through
 * the same function, so an engine only ever sees plain tokens of letters and digits.
 */
import { stem } from "./stem.ts";

/** English function words; what is left of a question without them is what it asks for. */
const stopWords = new Set(
  (
    "a about above after again against all am an and any are aren as at be because been before being below between both but by can cannot " +
    "could couldn did didn do does doesn doing don down during each few for from further had hadn has hasn have haven having he her here " +
    "hers herself him himself his how i if in into is isn it its itself just ll me more most my myself no nor not now of off on once only " +
    "or other our ours ourselves out over own re s same shan she should shouldn so some such t than that the their theirs them themselves " +
    "then there these they this those through to too under until up ve very was wasn we were weren what when where which while who whom " +
    "why will with won would wouldn you your yours yourself yourselves"
  ).split(" "),
);

/** Longer runs of letters are base64 and the like; their first characters suffice. */
const longestWord = 64;

const plain = /^[a-z0-9]+$/;
const run = /[\p{L}\p{N}\p{M}]+/gu;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const camelBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * Whether a word tells nothing of what a text is about.
 * @param foldedWord as `foldWord` gives it
 */
export function isStopWord(foldedWord: string): boolean {
  return stopWords.has(foldedWord);
}

/** Lower case, compatibility forms unified, diacritics removed: "Überlauf" and "uberlauf" are one word. */
export function foldWord(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}+/gu, "")
    .toLowerCase();
}

/** Whether a text holds another one that no letter or digit continues: OPS-7 is neither in OPS-77 nor in DEVOPS-7. */
export function holdsWhole(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test((text[at - 1] ?? " ") + (text[at + part.length] ?? " "))) return true;
  }
  return false;
}

/**
 * Terms in the order of the text, repeats kept. "CartService" gives the whole and its parts; a run of a script without
 * spaces gives its overlapping pairs of characters, which needs no dictionary.
 */
export function terms(text: string): string[] {
  const found: string[] = [];
  for (const [piece] of text.matchAll(run)) {
    if (plain.test(piece)) {
      // most words of most texts: nothing to fold, no parts
      addFolded(piece, found);
      continue;
    }
    if (unspaced.test(piece)) {
      pairs(foldWord(piece), found);
      continue;
    }
    addWord(piece, found);
    const parts = piece.length <= longestWord ? piece.split(camelBoundary) : [];
    if (parts.length > 1) for (const part of parts) addWord(part, found);
  }
  return found;
}

function addWord(piece: string, into: string[]): void {
  addFolded(foldWord(piece), into);
}

function addFolded(folded: string, into: string[]): void {
  const word = folded.slice(0, longestWord);
  if (word !== "" && !stopWords.has(word)) into.push(stem(word));
}

function pairs(text: string, into: string[]): void {
  const characters = [...text];
  if (characters.length === 1) into.push(text);
  for (let at = 0; at + 1 < characters.length; at++) into.push(`${characters[at]}${characters[at + 1]}`);
}
