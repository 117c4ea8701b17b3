import { findIdentifiers, type Identifier, identifierTokens } from "../core/identifiers.ts";
import { foldWord } from "../core/words.ts";

/** What a question names letter for letter. */
export interface Asked {
  /** As written in the question. */
  readonly text: string;
  readonly token: string;
  readonly kind: Identifier["kind"] | "phrase";
}

const quotes = /["\u201c\u201d\u201e\u00ab]([^"\u201c\u201d\u201e\u00ab\u00bb\n]{2,200})["\u201c\u201d\u00bb]|`([^`\n]{2,200})`/gu;

/** Upper-case words before a number that make no key: "HTTP 503" asks about a status, "TOP 10" about nothing named so. */
const ordinaryBeforeNumber = new Set(
  (
    "HTTP HTTPS TCP UDP TLS SSL AM PM UTC GMT CET EST PST USD EUR GBP TOP LAST NEXT PAST FIRST IN ON AT OF TO BY FROM SINCE OVER UNDER " +
    "ABOUT AFTER BEFORE THE AND OR IS ARE FOR WITH PORT STEP PAGE PART ONLY ALL JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"
  ).split(" "),
);

/**
 * Identifiers that a question is about, in its order, without repeats. Stricter than what is indexed: "99.9" or "0.5"
 * is a version only where the question calls it one.
 */
export function askedIdentifiers(question: string): Asked[] {
  const phrases = [...question.matchAll(quotes)].map((match) => ({
    text: (match[1] ?? match[2] ?? "").trim(),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const asked: (Asked & { readonly start: number })[] = [];
  const found = findIdentifiers(question).filter((one) => isMeant(one, question));
  for (const phrase of phrases) {
    if (!/[\p{L}\p{N}]/u.test(phrase.text)) continue;
    // `CONF-1023` in quotes is the identifier, not a phrase
    if (found.some(({ text }) => text === phrase.text)) continue;
    asked.push({ kind: "phrase", text: phrase.text, token: foldWord(phrase.text).replace(/\s+/g, " "), start: phrase.start });
  }
  let covered = 0;
  for (const one of found) {
    // parts of a joined identifier ("cart/main.go" and "main.go") are asked for with it
    if (one.end <= covered) continue;
    if (phrases.some(({ start, end, text }) => start <= one.start && one.end <= end && text !== one.text)) continue;
    covered = one.end;
    asked.push({ kind: one.kind, text: one.text, token: one.token, start: one.start });
  }
  const seen = new Set<string>();
  return asked
    .sort((a, b) => a.start - b.start)
    .filter(({ token }) => !seen.has(token) && seen.add(token))
    .map(({ kind, text, token }) => ({ kind, text, token }));
}

function isMeant({ kind, text, start, end }: Identifier, question: string): boolean {
  if (kind === "version") {
    if (/^v\d/i.test(text) && text.includes(".")) return true;
    if ((text.match(/\./g)?.length ?? 0) >= 2) return true;
    return /(?:\bversions?|\breleases?|\bv)\s*$/i.test(question.slice(Math.max(0, start - 12), start));
  }
  if (text.includes(" ")) {
    const [word = ""] = text.split(" ");
    // a question in capitals names nothing by its capitals
    return !ordinaryBeforeNumber.has(word) && /\p{Ll}/u.test(question);
  }
  if (kind === "number") return /^#\d{2,}$/.test(text) || /(?:issue|pull|pr|ticket)s?\s*$/i.test(question.slice(0, start));
  // "24h", "p99", "i18n" and the like are words; a code has a mark of its own or more digits
  if (kind === "code" && /^[a-z]{1,8}\d{1,2}[a-z]?$/i.test(text)) return /^[A-Z]{2,}\d{2,}$/.test(text) && end > start;
  return true;
}

/** Whether a text holds the identifier whole, letter for letter apart from case. */
export function holds(tokens: ReadonlySet<string>, flatText: string, asked: Asked): boolean {
  if (asked.kind === "phrase") return flatText.includes(asked.token);
  if (tokens.has(asked.token)) return true;
  if (asked.kind === "version" && asked.token.startsWith("v")) return tokens.has(asked.token.slice(1));
  if (asked.kind === "sha") {
    for (const token of tokens) if (isSamePrefix(token, asked.token)) return true;
  }
  return false;
}

function isSamePrefix(a: string, b: string): boolean {
  return /^[0-9a-f]{6,40}$/.test(a) && (a.startsWith(b) || b.startsWith(a));
}

/** A chunk's identifiers and its text folded for phrases, made once a candidate. */
export function readIdentifiers(text: string): { readonly tokens: ReadonlySet<string>; readonly flat: string } {
  return { tokens: new Set(identifierTokens(text)), flat: foldWord(text).replace(/\s+/g, " ") };
}

/**
 * Whether the tokens hold a look-alike of an asked identifier: the same family with another number (CONF-1032 for
 * CONF-1023, "CSCE 222" for "CSCE 221", 2.4.10 for 2.4.1), or one that differs in a letter or two.
 */
export function holdsLookAlike(tokens: ReadonlySet<string>, asked: readonly Asked[]): boolean {
  for (const one of asked) {
    if (one.kind === "phrase") continue;
    for (const token of tokens) if (token !== one.token && looksLike(token, one)) return true;
  }
  return false;
}

function looksLike(token: string, asked: Asked): boolean {
  const family = familyOf(asked.token);
  if (family !== null && familyOf(token) === family) return true;
  const least = asked.kind === "sha" || asked.kind === "file" ? 6 : 5;
  return token.length >= least && asked.token.length >= least && withinTwoEdits(token, asked.token);
}

/** What look-alikes share: the letters before the number; of versions the number of their parts. */
function familyOf(token: string): string | null {
  const key = /^([\p{L}][\p{L}\p{N}_]*?)[-~]?\d+(?:-\d+)*[a-z]?$/u.exec(token);
  if (key !== null && !/^[0-9a-f]{6,40}$/.test(token)) return key[1] === "v" ? null : (key[1] ?? null);
  return null;
}

function withinTwoEdits(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2) return false;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
      next.push(cost);
      best = Math.min(best, cost);
    }
    if (best > 2) return false;
    row = next;
  }
  return (row[b.length] ?? 3) <= 2;
}
