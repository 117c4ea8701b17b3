import { foldIdentifier, identifierTokens } from "../core/identifiers.ts";
import { terms } from "../core/words.ts";

/** A question longer than this many different words is cut: each further word costs a walk over its postings. */
const mostTerms = 64;
const shortestSha = 6;

/**
 * FTS5 expressions are made here and nowhere else, from tokens of ours in quotes: a quoted string has no syntax but
 * the doubled quote, so no text of a user is ever read as a query.
 */
function quoted(token: string): string {
  return `"${token.replaceAll('"', '""').replaceAll("\u0000", "")}"`;
}

/** What a question's words are looked for as. */
export interface WantedTokens {
  readonly words: readonly string[];
  readonly identifiers: readonly string[];
}

export function wantedTokens(words: readonly string[]): WantedTokens {
  const text = words.join(" ");
  return { words: [...new Set(terms(text))].slice(0, mostTerms), identifiers: identifierTokens(text).slice(0, mostTerms) };
}

/** Any of the words, or any identifier among them; null when nothing is left to look for. */
export function wordsExpression({ words, identifiers }: WantedTokens): string | null {
  const parts: string[] = [];
  if (words.length > 0) parts.push(`words : (${words.map(quoted).join(" OR ")})`);
  if (identifiers.length > 0) parts.push(`identifiers : (${identifiers.map(quoted).join(" OR ")})`);
  return parts.length === 0 ? null : parts.join(" OR ");
}

/** Terms of a text in the posting lists: its words, and its identifiers set apart by a sign that no word has. */
export function postingTerms(text: string, record = ""): readonly string[] {
  const identifiers = identifierTokens(record === "" ? text : `${text}\n${record.slice(record.indexOf(":") + 1)}`);
  return [...terms(text), ...identifiers.map((token) => `=${token}`)];
}

/** Every one of the identifiers as a whole token; null when there is none. */
export function identifiersExpression(identifiers: readonly string[]): string | null {
  const parts = identifiers.map((identifier) => oneIdentifier(foldIdentifier(identifier.trim()))).filter((part) => part !== null);
  return parts.length === 0 || parts.length < identifiers.length ? null : `identifiers : (${parts.join(" AND ")})`;
}

function oneIdentifier(token: string): string | null {
  if (!/[\p{L}\p{N}]/u.test(token)) return null;
  if (/^v\d+(?:\.\d+)+/.test(token)) return quoted(token.slice(1));
  if (!/^[0-9a-f]{6,40}$/.test(token)) return quoted(token);
  // a sha is written short or long: the longer one holds the shorter one
  const shorter: string[] = [];
  for (let length = shortestSha; length < token.length; length++) shorter.push(quoted(token.slice(0, length)));
  return `(${[`${quoted(token)} *`, ...shorter].join(" OR ")})`;
}

/** The words of a phrase in this order, stop words left out; null when only such are left. */
export function phraseExpression(phrase: string): string | null {
  const wanted = terms(phrase);
  return wanted.length === 0 ? null : `words : ${quoted(wanted.join(" "))}`;
}

/** What is indexed for a chunk: terms and identifier tokens, joined by blanks. */
export function lexicalRow(passage: string, record: string): { readonly words: string; readonly identifiers: string } {
  return {
    words: terms(passage).join(" "),
    identifiers: identifierTokens(`${passage}\n${record.slice(record.indexOf(":") + 1)}`).join(" "),
  };
}
