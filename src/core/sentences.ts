import { standsAt } from "./sticky.ts";
import { foldWord, isStopWord } from "./words.ts";

/** A sentence's place in a text: UTF-16 code units, end excluded, without surrounding white space. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
}

/** Words after which a full stop does not end the sentence. */
const abbreviations = new Set(
  "e.g i.e etc vs cf approx ca no nos fig figs eq eqs sec dr mr mrs ms prof sr jr st inc ltd corp co dept est vol pp ed eds al resp incl excl min max jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k p.m a.m".split(
    " ",
  ),
);

/** Of these, the ones that behind a number are units: "after 800 ms. Then …" */
const units = /^(?:ms|sec|min)$/;

const openers = new Set([..."([{\"'“‘"]);
const closers = new Set([...`"'”’)]}»`]);
const enders = new Set([...".!?", ...closers]);
const longestAbbreviation = Math.max(...[...abbreviations].map((word) => word.length));

/**
 * Splits text into sentences by rule. Blank lines, list items, headings and table rows end a sentence; a single line break in
 * running prose does not. Full stops in abbreviations, initials, numbers, versions, file names and host names end nothing.
 * Linear in the length of the text. A trailing citation mark ("… it failed. [2]") stays with the sentence before it.
 */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  // kept from block to block, so that text without stops is searched once
  let stop = -1;
  for (const block of blocksOf(text)) {
    let start = block.start;
    for (let from = block.start; ; ) {
      if (stop < from) stop = nextStop(text, from);
      if (stop >= block.end) break;
      const at = stop;
      from = at + 1;
      const character = text[at];
      if (character === "." && !endsSentence(text, block.start, at, block.end)) continue;
      let end = at + 1;
      while (end < block.end && (text[end] === "." || text[end] === "!" || text[end] === "?" || closers.has(text[end] ?? ""))) end += 1;
      if (character !== "。" && end < block.end && !isSpace(text, end)) continue;
      end = withTrailingMarks(text, end, block.end);
      push(sentences, text, start, end);
      start = end;
      from = end;
    }
    push(sentences, text, start, block.end);
  }
  return sentences;
}

const stops = /[.!?。]/g;

/** The next character that may end a sentence, or the text's end. */
function nextStop(text: string, from: number): number {
  stops.lastIndex = from;
  return stops.test(text) ? stops.lastIndex - 1 : text.length;
}

function push(sentences: Sentence[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start && isSpace(text, end - 1)) end -= 1;
  if (end > start) sentences.push({ start, end });
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : /\s/.test(text.charAt(at));
}

function isSmall(letter: string): boolean {
  const code = letter.charCodeAt(0);
  return code < 128 ? code >= 97 && code <= 122 : /\p{Ll}/u.test(letter);
}

/** Whether a word may begin behind a character. */
function opensWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const isPlain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return !isPlain && (isSpace(text, at) || openers.has(text.charAt(at)));
}

const mark = /\s?(?:\[\d[\d,;\s–-]{0,20}\]|【[^】\n]{1,20}】)/y;

/** Swallows citation marks after a full stop, so that "… failed. [2] Then" splits after the mark. */
function withTrailingMarks(text: string, end: number, limit: number): number {
  for (let at = end; ; at = mark.lastIndex) {
    mark.lastIndex = at;
    if (!mark.test(text) || mark.lastIndex > limit) return at;
  }
}

function isUnit(text: string, word: string, start: number): boolean {
  return units.test(word) && /\d\s?$/.test(text.slice(Math.max(0, start - 2), start));
}

function endsSentence(text: string, blockStart: number, at: number, blockEnd: number): boolean {
  if (at + 1 < blockEnd && !isSpace(text, at + 1) && !enders.has(text.charAt(at + 1))) return false;
  let wordStart = at;
  while (wordStart > blockStart && !opensWord(text, wordStart - 1)) wordStart -= 1;
  const word = text.slice(wordStart, at);
  const after = firstLetter(text, at + 1, Math.min(blockEnd, at + 40));
  if (word.length <= 2 && /^\p{Lu}$/u.test(word) && /\p{L}/u.test(after)) {
    const opens = /(?:^|[.!?:;,(])\s*$/.test(text.slice(Math.max(blockStart, wordStart - 3), wordStart));
    const next = /\p{L}+/u.exec(text.slice(at + 1, Math.min(blockEnd, at + 40)))?.[0] ?? "";
    // "R. Sharma"; but "Plan B. Then …", "Type I. Another …"
    return !opens && /\p{Lu}/u.test(after) && (/^[IVX]$/.test(word) || isStopWord(foldWord(next)));
  }
  if (word.length <= longestAbbreviation && abbreviations.has(word.toLowerCase()) && !isUnit(text, word, wordStart))
    return after !== "" && /\p{Lu}/u.test(after) && /^(etc|inc|ltd|corp|co|p\.m|a\.m|al)$/i.test(word);
  // "1. First step" is a list number, not a sentence
  if (wordStart === blockStart && /^\d{1,2}$/.test(word)) return false;
  if (after === "" || !isSmall(after)) return true;
  // whoever cites is at the end of a sentence
  if (/[\]】]$/.test(word)) return true;
  // a sentence may begin with a service's name: "… by the gateway. checkout-api keeps the session …"
  const following = /\S+/.exec(text.slice(at + 1, Math.min(blockEnd, at + 80)))?.[0] ?? "";
  return /^\p{L}[\p{L}-]{4,}$/u.test(word) || (/^\p{L}[\p{L}\p{N}-]+$/u.test(word) && /[\p{L}\p{N}][-_/][\p{L}\p{N}]|\d/u.test(following));
}

const opener = /[-*•+–][^\S\n]|\d{1,3}[.)][^\S\n]|#{1,6}[^\S\n]|>[^\S\n]|\|/y;
const headingOrRow = /#{1,6}[^\S\n]|\|/y;
const statedField = /[A-Z][\w /-]{1,30}: \S/y;
/** Where the colon of a stated field stands at the latest. */
const longestLabel = 31;
const barred = /\S \| \S/;
/** Of a line so much is looked at. */
const lineHead = 200;

/** The first character that is no white space; "" where there is none. */
function firstLetter(text: string, from: number, to: number): string {
  let at = from;
  while (at < to && isSpace(text, at)) at += 1;
  return at < to ? text.charAt(at) : "";
}

/** Paragraphs, list items, headings and table rows: what a sentence never crosses. */
function blocksOf(text: string): Sentence[] {
  const blocks: Sentence[] = [];
  const bars = text.includes(" | ");
  let colon = -1;
  let start = 0;
  let lineStart = 0;
  const close = (end: number): void => {
    if (end > start) blocks.push({ start, end });
  };
  while (lineStart <= text.length) {
    const lineEnd = placeOf(text, "\n", lineStart);
    let first = lineStart;
    while (first < lineEnd && isSpace(text, first)) first += 1;
    const blank = first === lineEnd;
    const opens = standsAt(opener, text, first);
    if (colon < lineStart) colon = placeOf(text, ": ", lineStart);
    // a stated field, or a row of a table without bars at its ends
    const field =
      (colon <= lineStart + longestLabel && standsAt(statedField, text, lineStart)) ||
      (bars && barred.test(text.slice(lineStart, Math.min(lineEnd, lineStart + lineHead))));
    if (blank || opens || field) {
      close(lineStart);
      start = blank ? lineEnd : lineStart;
    }
    if (field || (opens && standsAt(headingOrRow, text, first))) {
      close(lineEnd);
      start = lineEnd;
    }
    lineStart = lineEnd + 1;
  }
  close(text.length);
  return blocks;
}

/** The first place of a part at or after another, or the text's end. */
function placeOf(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
}
