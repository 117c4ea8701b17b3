import { beginningCode, beginningMask, longestBeginning, type TextWords } from "./text-words.ts";
import { beginningsOf } from "./word-beginnings.ts";

/** An expression that is run only where the words of a text let it match. */
export interface Sifted {
  readonly expression: RegExp;
  readonly sieve: Sieve;
  /** Its place in the sieve. */
  readonly index: number;
}

/**
 * Which of many expressions a text may match, told by its words: they are looked up once, however many expressions there are.
 * May name one in vain, never leave one out.
 */
export class Sieve {
  private readonly beginnings: (ReadonlySet<string> | null)[] = [];
  private table: Table | null = null;

  add(expression: RegExp): Sifted {
    return { expression, sieve: this, index: this.addPattern(expression.source) };
  }

  /** @returns the pattern's place. For the parameters see `beginningsOf` */
  addPattern(pattern: string, startsWord = false): number {
    this.table = null;
    return this.beginnings.push(beginningsOf(pattern, startsWord)) - 1;
  }

  /** Those that a stretch of a text may match. @param masked as it stands, or with its names masked */
  possible(words: TextWords, start: number, end: number, masked: boolean): Possible {
    const isKnown = words.standsFree(start, end) && !words.hasLookalikes && !(masked && words.isSpliced(start, end));
    return isKnown ? this.known.possible(words, start, end) : this.all;
  }

  /** For a text whose words are not known. */
  get all(): Possible {
    return this.known.all;
  }

  private get known(): Table {
    this.table ??= new Table(this, this.beginnings);
    return this.table;
  }
}

/** What is looked for in each sentence. */
export const sentenceSieve = new Sieve();
/** What is looked for in whole records; few, so that most words are passed over. */
export const proseSieve = new Sieve();

/** A set of expressions. */
export class Possible {
  /** A bit for each, 32 a number. */
  private readonly bits: readonly number[];
  private readonly sieve: Sieve;

  constructor(bits: readonly number[], sieve: Sieve) {
    this.bits = bits;
    this.sieve = sieve;
  }

  /** An expression of another sieve is not ruled out. */
  has({ sieve, index }: Pick<Sifted, "sieve" | "index">): boolean {
    return sieve !== this.sieve || (((this.bits[index >> 5] ?? 0) >>> (index & 31)) & 1) === 1;
  }

  /** Whether the text matches an expression; it is run only where it may. */
  test(sifted: Sifted, text: string): boolean {
    return this.has(sifted) && sifted.expression.test(text);
  }

  /** All matches of an expression with the flag `g`; it is run only where it may match. */
  matches(sifted: Sifted, text: string): Iterable<RegExpExecArray> {
    return this.has(sifted) ? text.matchAll(sifted.expression) : [];
  }
}

function sizeOf(count: number): number {
  return (count + 31) >> 5;
}

/** The sets of expressions by beginnings, in a form in which those of a word are found in a few steps. */
class Table {
  readonly all: Possible;
  private readonly sieve: Sieve;
  /** Those of which nothing can be told by words. */
  private readonly always: number[];
  /** By the first three characters of a beginning: the number of the first that begins so, and of the first behind them. */
  private readonly heads = new Uint16Array((1 << 15) + 1);
  private readonly codes: Int32Array;
  private readonly masks: Int32Array;
  /** A beginning's set as pairs of a number's place and its bits, and by beginning which pairs are its own. */
  private readonly places: Uint8Array;
  private readonly bits: Int32Array;
  private readonly pairs: Uint16Array;

  constructor(sieve: Sieve, beginnings: readonly (ReadonlySet<string> | null)[]) {
    const size = sizeOf(beginnings.length);
    this.all = new Possible(new Array<number>(size).fill(-1), sieve);
    this.sieve = sieve;
    this.always = new Array<number>(size).fill(0);
    const byBeginning = new Map<string, number[]>();
    for (const [index, known] of beginnings.entries()) {
      if (known === null) this.always[index >> 5] = (this.always[index >> 5] ?? 0) | (1 << (index & 31));
      for (const beginning of known ?? []) byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), index]);
    }
    const entries = [...byBeginning].sort(([a], [b]) => beginningCode(a) - beginningCode(b));
    this.codes = Int32Array.from(entries, ([beginning]) => beginningCode(beginning));
    this.masks = Int32Array.from(entries, ([beginning]) => beginningMask(beginning.endsWith(" ") ? longestBeginning : beginning.length));
    const sets = entries.map(([, indexes]) => Map.groupBy(indexes, (index) => index >> 5));
    this.places = Uint8Array.from(sets.flatMap((set) => [...set.keys()]));
    this.bits = Int32Array.from(sets.flatMap((set) => [...set.values()].map(bitsOf)));
    this.pairs = new Uint16Array(entries.length + 1);
    for (const [at, [beginning]] of entries.entries()) {
      this.pairs[at + 1] = (this.pairs[at] ?? 0) + (sets[at]?.size ?? 0);
      this.heads.fill(at + 1, headOf(beginningCode(beginning)) + 1);
    }
  }

  possible(words: TextWords, start: number, end: number): Possible {
    const { always, heads, codes, masks, pairs, places, bits } = this;
    const found = always.slice();
    const first = words.runFrom(start);
    const last = words.runFrom(end, first);
    for (let run = first; run < last; run += 1) {
      const code = words.beginning(run);
      const head = headOf(code);
      const behind = heads[head + 1] ?? 0;
      for (let entry = heads[head] ?? 0; entry < behind; entry += 1) {
        if ((((codes[entry] ?? 0) ^ code) & (masks[entry] ?? 0)) !== 0) continue;
        for (let pair = pairs[entry] ?? 0; pair < (pairs[entry + 1] ?? 0); pair += 1) {
          const place = places[pair] ?? 0;
          found[place] = (found[place] ?? 0) | (bits[pair] ?? 0);
        }
      }
    }
    return new Possible(found, this.sieve);
  }
}

function headOf(code: number): number {
  return code >>> 15;
}

/** Of places in one number of a set. */
function bitsOf(indexes: readonly number[]): number {
  return indexes.reduce((bits, index) => bits | (1 << (index & 31)), 0);
}
