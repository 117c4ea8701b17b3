import { hashOf, isPunctuation, lowerAlphanumeric, nextHash } from "./letters.ts";
import { foldWord, wordAt } from "./tokens.ts";

const apostrophe = 39;
const letterS = 115;
const blank = 32;
const lastAscii = 126;
const backtick = 96;
const asterisk = 42;
/** "ſ" and the sign for kelvin. */
const longS = 0x17f;
const kelvin = 0x212a;
/** How many characters of a run its beginning holds. */
export const longestBeginning = 6;
/** Bits of a character in a beginning: digits share their numbers with some letters. */
const perCharacter = 5;
/** Numbers kept for a word: start, end (its complement where folding is more than lower case), hash. */
const perWord = 3;
/** Numbers kept for a run: start, beginning. */
const perRun = 2;

/**
 * The words of a text, found in one pass that makes no string of any of them. There are two kinds. *Words* are what names consist
 * of: folded to lower case without diacritics and apostrophes, known by a hash until somebody reads them. *Runs* are stretches of
 * ASCII letters and digits, as expressions see them, known by how they begin. "O'Brien's" is one word and three runs.
 */
export class TextWords {
  readonly text: string;
  readonly count: number;
  private readonly words: Int32Array;
  private readonly runs: Int32Array;
  private readonly runCount: number;
  /** Whether it holds letters that are others where case does not count: the long s, the sign for kelvin. */
  readonly hasLookalikes: boolean;
  /** Marks of emphasis within words, in order. */
  private readonly splices: number[] = [];

  constructor(text: string) {
    // most texts have fewer
    const most = (text.length >> 2) + 4;
    let words: Int32Array = new Int32Array(most * perWord);
    let runs: Int32Array = new Int32Array(most * perRun);
    const codes = codesOf(text);
    let word = 0;
    let run = 0;
    // of the word that is open: where it began, its hash, the same before its last apostrophe, and where that stands
    let start = -1;
    let hash = 0;
    let unquoted = 0;
    let quote = -1;
    let lookalikes = false;
    // up to here, words have been taken
    let free = 0;
    for (let at = 0; at <= text.length; at += 1) {
      let letter = lowerAlphanumeric(codes[at] ?? blank);
      if (letter !== 0) {
        const from = at;
        let beginning = 0;
        for (let shift = perCharacter * longestBeginning; letter !== 0; letter = lowerAlphanumeric(codes[at] ?? blank)) {
          shift -= perCharacter;
          if (shift >= 0) beginning |= (letter & 31) << shift;
          hash = nextHash(hash, letter);
          at += 1;
        }
        if (run === runs.length) runs = doubled(runs);
        runs[run] = from;
        runs[run + 1] = beginning;
        run += perRun;
        if (start < 0 && from >= free) start = from;
      }
      const code = codes[at] ?? blank;
      const next = code === apostrophe && start >= 0 ? (codes[at + 1] ?? blank) : blank;
      if (next !== blank && lowerAlphanumeric(next) !== 0) {
        unquoted = hash;
        quote = at;
      } else if ((code > lastAscii && !isPunctuation(code)) || (next > lastAscii && !isPunctuation(next))) {
        // words with letters beyond ASCII fold in more ways than one
        while (at >= free) {
          const from = start < 0 ? at : start;
          const found = wordAt(text, from);
          if (found === "") break;
          if (word === words.length) words = doubled(words);
          words[word] = from;
          words[word + 1] = ~(from + found.length);
          words[word + 2] = hashOf(foldWord(found));
          word += perWord;
          free = from + found.length;
          start = -1;
        }
        lookalikes ||= code === longS || code === kelvin;
        // the second half of a pair begins nothing
        if ((code & 0xfc00) === 0xd800 && ((codes[at + 1] ?? blank) & 0xfc00) === 0xdc00) free = Math.max(free, at + 2);
        hash = 0;
      } else {
        if (start >= 0) {
          if (word === words.length) words = doubled(words);
          const owned = quote === at - 2 && lowerAlphanumeric(codes[at - 1] ?? 0) === letterS;
          words[word] = start;
          words[word + 1] = quote < start ? at : ~at;
          words[word + 2] = owned ? unquoted : hash;
          word += perWord;
          start = -1;
        }
        hash = 0;
        if ((code === backtick || code === asterisk) && this.isWithinWord(codes, at)) this.splices.push(at);
      }
    }
    this.text = text;
    this.hasLookalikes = lookalikes;
    this.words = words;
    this.count = word / perWord;
    this.runs = runs;
    this.runCount = run / perRun;
  }

  /** Whether letters stand on both sides of a mark of emphasis. */
  private isWithinWord(codes: Uint16Array, at: number): boolean {
    let before = at - 1;
    while (codes[before] === backtick || codes[before] === asterisk) before -= 1;
    return lowerAlphanumeric(codes[at + 1] ?? blank) !== 0 && lowerAlphanumeric(codes[before] ?? blank) !== 0;
  }

  start(index: number): number {
    return this.words[index * perWord] ?? 0;
  }

  end(index: number): number {
    const end = this.words[index * perWord + 1] ?? 0;
    return end < 0 ? ~end : end;
  }

  /** Of the folded word. A possessive "'s" belongs to the word's place but not to the word. */
  hash(index: number): number {
    return this.words[index * perWord + 2] ?? 0;
  }

  /** The folded word. */
  word(index: number): string {
    const written = this.text.slice(this.start(index), this.end(index));
    return (this.words[index * perWord + 1] ?? 0) < 0 ? foldWord(written) : written.toLowerCase();
  }

  /** Whether it starts with a capital letter in the text. */
  capital(index: number): boolean {
    const first = this.text.charAt(this.start(index));
    return first !== first.toLowerCase();
  }

  /** The first word that starts at a place or after it. @param least no word before this one does */
  from(place: number, least?: number): number {
    return firstFrom(this.words, perWord, this.count, place, least);
  }

  /** The first run that starts at a place or after it. @param least no run before this one does */
  runFrom(place: number, least?: number): number {
    return firstFrom(this.runs, perRun, this.runCount, place, least);
  }

  /** How a run begins: see `beginningCode`. */
  beginning(run: number): number {
    return this.runs[run * perRun + 1] ?? 0;
  }

  /** Whether a stretch holds words that are whole only once their marks of emphasis are taken away, as masking does. */
  isSpliced(start: number, end: number): boolean {
    return this.splices.length > 0 && (this.splices[firstFrom(this.splices, 1, this.splices.length, start)] ?? end) < end;
  }

  /** Whether white space or the text's end stands on both sides, so that a stretch reads alone as it does in its text. */
  standsFree(start: number, end: number): boolean {
    return (
      end <= this.text.length &&
      (start === 0 || this.text.charCodeAt(start - 1) <= blank) &&
      (end === this.text.length || this.text.charCodeAt(end) <= blank)
    );
  }
}

/** The number that stands for a beginning: its characters from the highest bits on, so that what begins alike has them alike. */
export function beginningCode(beginning: string): number {
  let code = 0;
  for (let at = 0; at < longestBeginning && at < beginning.length; at += 1)
    code |= (lowerAlphanumeric(beginning.charCodeAt(at)) & 31) << (perCharacter * (longestBeginning - 1 - at));
  return code;
}

/** The bits of its code that the first characters of a beginning take. */
export function beginningMask(characters: number): number {
  return -1 << (perCharacter * (longestBeginning - Math.min(characters, longestBeginning)));
}

function doubled(numbers: Int32Array): Int32Array {
  const more = new Int32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

/** Of entries that begin with their place, in order, the first at a place or after it. */
function firstFrom(entries: ArrayLike<number>, size: number, count: number, place: number, least?: number): number {
  let low = least ?? 0;
  let high = count;
  // it is near
  for (let step = 4; least !== undefined && low + step < high; step *= 2) {
    if ((entries[(low + step) * size] ?? 0) < place) low += step + 1;
    else high = low + step;
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle * size] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Reading numbers is twice as fast as asking a string for each character: room for those of most texts, and a blank. */
const room = new Uint16Array(1 << 16);
const roomBytes = Buffer.from(room.buffer);

/** The characters of a text and a blank behind them, until the next text's. */
function codesOf(text: string): Uint16Array {
  const fits = text.length < room.length;
  const codes = fits ? room : new Uint16Array(text.length + 1);
  (fits ? roomBytes : Buffer.from(codes.buffer)).write(text, "utf16le");
  codes[text.length] = blank;
  return codes;
}
