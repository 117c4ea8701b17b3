import { sentencesOf } from "../core/sentences.ts";
import { isStopWord } from "../core/words.ts";
import { type Clause, clausesIn } from "./clauses.ts";
import type { Tagged, Tagger } from "./grammar.ts";
import { tokensOf } from "./tokens.ts";

/** One thing that a draft states: an atomic piece of a sentence, with the place of the whole sentence. */
export interface AtomicClaim {
  /** The piece with its subject, without citation marks. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Numbers of the sources that the sentence cites. */
  readonly citations: readonly number[];
  /** The whole sentence without its marks. */
  readonly sentence: string;
  /** The title that a lead-in names: 'According to "Checkout runbook", …'; null without one. */
  readonly attributedTo: string | null;
}

const marks = /\s*(?:\[\^?(?:sources?\s)?(\d[\d\s,;–-]{0,40})\]|【(\d[\d\s,;–-]{0,40})(?:†[^】\n]{0,40})?】)/gi;
/** 'According to "Checkout runbook", …' says where it stands: the title must be that of a cited source, the rest is the claim. */
const leadIn = /^According to (?:the )?["“]([^"“”\n]{2,200})["”],?\s+/i;
const filler =
  /^(?:indeed|in fact|actually|clearly|notably|of course|certainly|overall|in addition|additionally|moreover|furthermore|also),\s+/i;
/** Sentences at least this long, in words, are cut at their joints. */
const LONG = 9;
/** Neither half of a cut is shorter, in words. */
const SHORTEST_PIECE = 2;

/**
 * The claims of a draft, in order. Every sentence with a word of content is one, questions and lead-ins ("Here is what I found:")
 * aside; a long sentence becomes several, each with its subject.
 */
export function claimsOf(draft: string, tag: Tagger): AtomicClaim[] {
  return sentencesOf(draft).flatMap(({ start, end }) => {
    const raw = draft.slice(start, end);
    const citations = citedIn(raw);
    const sentence = withoutNextNumber(withoutCitations(raw), draft.slice(0, start));
    if (!states(sentence)) return [];
    const attributedTo = leadIn.exec(sentence)?.[1]?.replace(/[.,]$/, "") ?? null;
    const pieces = piecesOf(withoutLeadIn(sentence), tag);
    return pieces.map((text) => ({ text, start, end, citations, sentence, attributedTo }));
  });
}

/** The sentence without the title that it says to be from, and without "Indeed, ", which says nothing. */
export function withoutLeadIn(sentence: string): string {
  const plain = sentence.replace(leadIn, "").replace(filler, "");
  return plain === sentence ? sentence : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The text without [N], list bullet and emphasis. */
export function withoutCitations(text: string): string {
  return text
    .replace(marks, "")
    .replace(/^\s*(?:[-*•+–]|\d{1,3}[.)]|#{1,6}|>)\s+/, "")
    .replace(/\*\*|__|`/g, "")
    .trim();
}

/** The number of the next list item, where line breaks were lost: "… wait a minute. 3." after an item 2, but not "… see Chapter 3." */
function withoutNextNumber(sentence: string, before: string): string {
  const match = /([:.]|\p{L})\s+(\d{1,2})\.\s*$/u.exec(sentence);
  if (match === null) return sentence;
  const isNext = new RegExp(`(?:^|[\\s:.])${Number(match[2]) - 1}[.)]\\s`).test(before);
  return /[:.]/.test(match[1] ?? "") || isNext ? sentence.slice(0, match.index + 1) : sentence;
}

function citedIn(text: string): number[] {
  const numbers = new Set<number>();
  for (const match of text.matchAll(marks)) {
    for (const part of (match[1] ?? match[2] ?? "").split(/[,;]/)) {
      const [from = Number.NaN, to = from] = part.split(/[–-]/).map((one) => Number.parseInt(one, 10));
      if (Number.isNaN(from)) continue;
      for (let n = from; n <= Math.min(to, from + 50); n += 1) numbers.add(n);
    }
  }
  return [...numbers];
}

function states(sentence: string): boolean {
  if (/\?["'”’)\]]*$/.test(sentence)) return false;
  const content = tokensOf(sentence).filter((token) => !token.mark && !isStopWord(token.folded));
  if (!content.some((token) => /\p{L}/u.test(token.text) || token.text.length > 2)) return false;
  return !/^(?:here (?:is|are)|the following|below (?:is|are)|in short|to summari[sz]e)\b[^.]*:$/i.test(sentence);
}

/**
 * Cuts a sentence where a second statement about the same subject, or a new one, begins: "; …", ", and it was …", ", but failed …",
 * ", which …". The subject is what stands before the first verb; a piece that has none, or only a pronoun, gets it.
 */
export function piecesOf(sentence: string, tag: Tagger): string[] {
  if (sentence.split(/\s+/).length < LONG) return [sentence];
  const tagged = tag(sentence);
  const clauses = clausesIn(tokensOf(sentence), tagged);
  const pieces: string[] = [];
  let from = 0;
  for (const { at, length, sure } of jointsOf(sentence)) {
    const rest = sentence.slice(at + length);
    if (!(sure || startsStatement(at + length, tagged)) || words(sentence.slice(from, at)) < SHORTEST_PIECE || words(rest) < SHORTEST_PIECE)
      continue;
    if (isWithinTitle(sentence.slice(0, at))) continue;
    if (!sure && !tagged.some((word) => word.verb && word.start >= from && word.end <= at)) continue;
    pieces.push(piece(sentence.slice(from, at), from, sentence, clauses, tagged));
    from = at + length;
  }
  pieces.push(piece(sentence.slice(from), from, sentence, clauses, tagged));
  return pieces;
}

/** After an opened quotation mark or bracket: SHOP-391 (Carts lose items and prices are old). */
function isWithinTitle(before: string): boolean {
  const open = (mark: RegExp): number => before.match(mark)?.length ?? 0;
  return open(/["“”]/g) % 2 === 1 || open(/[([]/g) > open(/[)\]]/g);
}

/** Where a sentence may be cut; sure where the word itself begins a statement. */
function jointsOf(sentence: string): { at: number; length: number; sure: boolean }[] {
  return [
    ...sentence.matchAll(
      /;\s+|,?\s(?:and|but|while|whereas|although|though)\s(?:also\s|then\s|later\s)?|,\s(?:which|who|because|since|so)\s(?:also\s)?/gi,
    ),
  ].map((match) => ({
    at: match.index,
    length: match[0].length,
    sure: /which|who|because/i.test(match[0]),
  }));
}

/** A statement begins here: a verb at once, or a subject with its verb within a few words and no comma between. */
function startsStatement(from: number, tagged: readonly Tagged[]): boolean {
  const next = tagged.filter((word) => word.start >= from).slice(0, 8);
  const verb = next.findIndex((word) => word.verb);
  if (verb === 0) return true;
  return verb > 0 && (next[0]?.pronoun === true || next.slice(verb).some((word) => word.auxiliary || word.verb));
}

/** The piece, with the subject that its clause takes over where it begins with the verb or a pronoun. */
function piece(text: string, from: number, sentence: string, clauses: readonly Clause[], tagged: readonly Tagged[]): string {
  const plain = text.trim().replace(/[,;]$/, "");
  const clause = from === 0 ? undefined : clauses.find(({ verbs }) => (verbs[0]?.start ?? -1) >= from);
  const before = clauses.findLast(({ verbs, subject }) => subject.length > 0 && (verbs[0]?.start ?? sentence.length) < from);
  const first = tagged.find((word) => word.start >= from);
  const isPronoun = first?.pronoun === true && /^(?:it|he|she|they)\s/i.test(plain);
  const words = isPronoun ? before?.subject : clause?.own === false ? clause.subject : [];
  const [start, end] = [words?.[0]?.start, words?.at(-1)?.end];
  if (first === undefined || start === undefined || end === undefined || start >= from || !(first.verb || isPronoun)) return plain;
  return `${sentence.slice(start, end)} ${isPronoun ? plain.replace(/^\S+\s/, "") : plain}`;
}

function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}
