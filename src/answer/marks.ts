import { sentencesOf } from "../core/sentences.ts";

/** A citation mark in a text, whatever its shape, with the source numbers it means. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly numbers: readonly number[];
}

/**
 * The shapes models write: [1] [1, 7] [2-9] [1;2] [^3] [source 2] 【3】 【3†source】. Each bracket is short and holds no bracket,
 * so matching is linear. Inside `code` nothing is a mark.
 */
const shape = /`[^`\n]{1,200}`|\[\^?(?:sources?\s)?(\d[\d\s,;–-]{0,40})\]|【(\d[\d\s,;–-]{0,40})(?:†[^】\n]{0,40})?】/gi;
const LONGEST_RANGE = 50;

export function marksOf(text: string): Mark[] {
  const marks: Mark[] = [];
  for (const match of text.matchAll(shape)) {
    const list = match[1] ?? match[2];
    if (list === undefined) continue;
    marks.push({ start: match.index, end: match.index + match[0].length, numbers: numbersOf(list) });
  }
  return marks;
}

function numbersOf(list: string): number[] {
  const numbers = new Set<number>();
  for (const part of list.split(/[,;]/)) {
    const [from, to] = part.split(/[–-]/).map((one) => Number.parseInt(one, 10));
    if (from === undefined || Number.isNaN(from)) continue;
    const last = to === undefined || Number.isNaN(to) ? from : Math.min(to, from + LONGEST_RANGE);
    for (let n = from; n <= last; n += 1) numbers.add(n);
  }
  return [...numbers];
}

/** The text without its marks, and without the space that stood before each. */
export function withoutMarks(text: string): string {
  let plain = "";
  let at = 0;
  for (const mark of marksOf(text)) {
    plain += text.slice(at, mark.start).replace(/[ \t]+$/, "");
    at = mark.end;
  }
  return plain + text.slice(at);
}

/** Numbers given to sources in the order in which a text first cites them. */
export class Numbering {
  readonly order: number[] = [];
  readonly #count: number;

  /** @param count sources there are; other numbers were invented */
  constructor(count: number) {
    this.#count = count;
  }

  /** The new number of a source, null for one that does not exist. */
  of(source: number): number | null {
    if (source < 1 || source > this.#count) return null;
    const known = this.order.indexOf(source);
    return known >= 0 ? known + 1 : this.order.push(source);
  }
}

/** "It failed." with [1, 2] becomes "It failed [1][2]." */
export function withMarks(sentence: string, numbers: readonly number[]): string {
  const marks = numbers.map((n) => `[${n}]`).join("");
  const tail = /(?:[.!?…]+["'”’)\]]?|:)$/.exec(sentence)?.[0] ?? "";
  const body = sentence.slice(0, sentence.length - tail.length).trimEnd();
  return `${body} ${marks}${tail === "" ? "." : tail}`;
}

/** The marks behind each sentence of a text: a quotation, or what was one sentence with its marks, may hold several. */
export function withMarksOnEach(text: string, numbers: readonly number[]): string {
  return sentencesOf(text)
    .map(({ start, end }) => withMarks(text.slice(start, end), numbers))
    .join(" ");
}

export interface Cited {
  readonly text: string;
  /** Old numbers of the sources that are cited, in the order of their new ones. */
  readonly order: readonly number[];
  readonly sentences: number;
  /** Sentences dropped for want of a valid source. */
  readonly uncited: number;
  /** Marks whose source does not exist. */
  readonly invented: number;
}

/**
 * Makes citations of a draft agree with its sources: numbers that do not exist are removed, a sentence left without any is
 * removed, the rest are numbered in order of appearance.
 * @param most sentences kept; list items are not counted
 */
export function cite(draft: string, count: number, most: number): Cited {
  const numbering = new Numbering(count);
  let text = "";
  let sentences = 0;
  let prose = 0;
  let uncited = 0;
  let invented = 0;
  let from = 0;
  for (const { start, end } of sentencesOf(draft)) {
    const sentence = draft.slice(start, end);
    const gap = /\n\s*\n/.test(draft.slice(from, start)) ? "\n\n" : /\n/.test(draft.slice(from, start)) ? "\n" : " ";
    from = end;
    const numbers = marksOf(sentence).flatMap((mark) => mark.numbers);
    const valid = [...new Set(numbers)].filter((n) => n >= 1 && n <= count);
    invented += numbers.filter((n) => n < 1 || n > count).length;
    const plain = withoutMarks(sentence).trim();
    if (valid.length === 0 || !/[\p{L}\p{N}]/u.test(plain)) {
      uncited += 1;
      continue;
    }
    const item = /^(?:[-*•+]|\d{1,3}[.)])\s/.test(plain);
    if (!item && prose >= most) continue;
    if (!item) prose += 1;
    sentences += 1;
    const renumbered = valid.map((n) => numbering.of(n)).filter((n) => n !== null);
    text += (text === "" ? "" : gap) + withMarksOnEach(plain, renumbered);
  }
  return { text, order: numbering.order, sentences, uncited, invented };
}

/**
 * A filter for text that streams: invented numbers vanish, valid ones are renumbered as `cite` will, and a mark that is not
 * closed yet is held back. So what is on screen never shows a number without a source.
 */
export class MarkStream {
  readonly #numbering: Numbering;
  #held = "";

  constructor(count: number) {
    this.#numbering = new Numbering(count);
  }

  /** @returns the text to show now, and the sources cited for the first time: their old numbers, in order */
  push(piece: string): { readonly text: string; readonly fresh: readonly number[] } {
    const text = this.#held + piece;
    const open = Math.max(text.lastIndexOf("["), text.lastIndexOf("【"));
    const closed = open < 0 || /[\]】]/.test(text.slice(open)) || text.length - open > 60;
    this.#held = closed ? "" : text.slice(open);
    return this.#show(closed ? text : text.slice(0, open));
  }

  end(): { readonly text: string; readonly fresh: readonly number[] } {
    const text = this.#held;
    this.#held = "";
    return this.#show(text);
  }

  #show(text: string): { text: string; fresh: number[] } {
    const before = this.#numbering.order.length;
    let shown = "";
    let at = 0;
    for (const mark of marksOf(text)) {
      const numbers = mark.numbers.map((n) => this.#numbering.of(n)).filter((n) => n !== null);
      shown += text.slice(at, mark.start) + numbers.map((n) => `[${n}]`).join("");
      at = mark.end;
    }
    return { text: shown + text.slice(at), fresh: this.#numbering.order.slice(before) };
  }
}
