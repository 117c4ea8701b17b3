import { lowerAlphanumeric } from "./letters.ts";
import { longestBeginning } from "./text-words.ts";

/**
 * What can be told of an expression without running it: ways in which words begin, of which each of its matches holds at least
 * one. "(?:depends?|relies) on" needs a word that begins with "depend" or with "relies", or the word "on". Words are runs of
 * ASCII letters and digits (`TextWords`), and begin with their first six characters; of words that may go on, three suffice. Behind
 * a word that is known to end stands a blank: "on ".
 */

const shortestBeginning = 3;

interface Part {
  /** Of which every match of the part holds one; null where nothing can be told. */
  readonly beginnings: ReadonlySet<string> | null;
  /** Whether a letter that follows the part would begin a word. */
  readonly boundary: boolean;
}

/**
 * @param pattern source of an expression in which case does not count; «S» and the like stand for a character that is no letter
 * @param startsWord a match begins where a word may begin
 */
export function beginningsOf(pattern: string, startsWord = false): ReadonlySet<string> | null {
  return new PatternReader(pattern).alternatives(startsWord).beginnings;
}

class PatternReader {
  private at = 0;
  private readonly pattern: string;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  /**
   * Up to the end of the group.
   * @param boundary whether a letter that comes first would begin a word
   * @param closed whether a word that the group ends with ends there
   */
  alternatives(boundary: boolean, closed = false): Part {
    const parts = [this.sequence(boundary, closed)];
    while (this.pattern[this.at] === "|") {
      this.at += 1;
      parts.push(this.sequence(boundary, closed));
    }
    const known = parts.flatMap(({ beginnings }) => (beginnings === null ? [] : [beginnings]));
    return {
      beginnings: known.length < parts.length ? null : new Set(known.flatMap((one) => [...one])),
      boundary: parts.every((part) => part.boundary),
    };
  }

  /** One alternative: of what must stand in it, what is rarest. */
  private sequence(from: boolean, closed: boolean): Part {
    const literal = new Literal(from);
    let best: ReadonlySet<string> | null = null;
    const need = (beginnings: ReadonlySet<string> | null): void => {
      if (beginnings !== null && beginnings.size > 0 && (best === null || commonness(beginnings) < commonness(best))) best = beginnings;
    };
    while (this.at < this.pattern.length && this.pattern[this.at] !== "|" && this.pattern[this.at] !== ")") {
      const character = this.plainCharacter();
      if (character !== null) {
        const repeated = this.quantifier();
        if (repeated === null) literal.add(character);
        else {
          if (repeated === "needed") literal.add(character);
          need(literal.end());
          if (repeated === "optional") literal.boundary &&= !isLetter(character);
        }
        continue;
      }
      const edge = this.pattern.startsWith("\\b", this.at);
      need(literal.end(edge));
      const part = this.atom(literal.boundary);
      const optional = this.quantifier() === "optional";
      if (!optional) need(part.beginnings);
      literal.boundary = part.boundary && (!optional || literal.boundary);
    }
    need(literal.end(closed));
    return { beginnings: best, boundary: literal.boundary };
  }

  /** A character that stands for itself, and is passed over; null where something else comes. */
  private plainCharacter(): string | null {
    const character = this.pattern[this.at] ?? "";
    if (character === "\\") {
      const escaped = this.pattern[this.at + 1] ?? "";
      if (/[A-Za-z0-9]/.test(escaped)) return null;
      this.at += 2;
      return escaped;
    }
    if ("([.^$«".includes(character)) return null;
    this.at += 1;
    return character;
  }

  /** Whatever is no plain character: a group, a class, an assertion. */
  private atom(boundary: boolean): Part {
    const rest = this.pattern.slice(this.at);
    const opened = /^\((?:\?(?::|<[a-z]\w*>))?(?!\?)/i.exec(rest);
    if (opened !== null) {
      this.at += opened[0].length;
      const part = this.alternatives(boundary, this.isClosed());
      this.at += 1;
      return part;
    }
    const looked = /^\(\?<?[=!]/.exec(rest);
    if (looked !== null) {
      this.at += looked[0].length;
      this.alternatives(false);
      this.at += 1;
      return { beginnings: null, boundary };
    }
    const [taken = ""] = /^(?:«\w»|\[(?:\\.|[^\]\\])*\]|\\u\w{4}|\\p\{\w+\}|\\.|.)/.exec(rest) ?? [];
    this.at += taken.length;
    return { beginnings: null, boundary: /^(?:«|\\b|\\s|\\W|\^|\$)/.test(taken) || gapClass.test(taken) };
  }

  /** Whether what stands behind the group that is open is no letter for certain. */
  private isClosed(): boolean {
    groupEnd.lastIndex = this.at;
    for (let depth = 0, found = groupEnd.exec(this.pattern); found !== null; found = groupEnd.exec(this.pattern)) {
      if (found[0] === "(") depth += 1;
      else if (found[0] === ")") {
        if (depth === 0) return /^(?:\\b|[^\w\\()[|.^$?*+{«])(?![?*{])/.test(this.pattern.slice(groupEnd.lastIndex));
        depth -= 1;
      }
    }
    return false;
  }

  /** What follows an atom; null where it stands exactly once. */
  private quantifier(): "optional" | "needed" | null {
    const [taken, least] = /^(?:[?*+]|\{(\d+)[^}]*\})\??/.exec(this.pattern.slice(this.at)) ?? [""];
    if (taken === "") return null;
    this.at += taken.length;
    return taken.startsWith("+") || Number(least ?? 0) > 0 ? "needed" : "optional";
  }
}

/** Brackets of groups, and what may hold brackets that are none. */
const groupEnd = /\\.|\[(?:\\.|[^\]\\])*\]|[()]/g;

/** A class of characters of which none is a letter or a digit; without ranges. */
const gapClass = /^\[-?(?:\\[sWtn]|\\[^\w]|[^A-Za-z0-9\\\]^-])+-?\]$/;

function isLetter(character: string): boolean {
  return lowerAlphanumeric(character.charCodeAt(0)) !== 0;
}

/** Beginnings of words that are everywhere, beside those of one or two letters. */
const everyday = new Set(
  "the this that and for with from have has was were not are when then also only its they you your over back service system".split(" "),
);

/** How often about a text holds one of some beginnings. */
function commonness(beginnings: ReadonlySet<string>): number {
  let sum = 0;
  for (const beginning of beginnings) {
    const length = beginning.trimEnd().length;
    sum += length < shortestBeginning || everyday.has(beginning.trimEnd()) ? 20 : length === shortestBeginning ? 4 : 1;
  }
  return sum;
}

/** A run of plain characters, each of which must stand in a match. */
class Literal {
  /** Whether a letter that follows would begin a word. */
  boundary: boolean;
  private text = "";
  private startsWord: boolean;

  constructor(boundary: boolean) {
    this.boundary = boundary;
    this.startsWord = boundary;
  }

  add(character: string): void {
    if (this.text === "") this.startsWord = this.boundary;
    this.text += character.toLowerCase();
    this.boundary = !isLetter(character);
  }

  /**
   * Ends the run. @returns how a word of it begins; null where none is known to
   * @param closed its last word is known to end with it
   */
  end(closed = false): ReadonlySet<string> | null {
    let found = "";
    for (const { 0: word, index } of this.text.matchAll(/[a-z0-9]+/g)) {
      const whole = index + word.length < this.text.length || closed;
      if ((index === 0 && !this.startsWord) || (word.length < shortestBeginning && !whole)) continue;
      const beginning = word.slice(0, longestBeginning) + (whole ? " " : "");
      if (beginning.length > found.length) found = beginning;
    }
    this.text = "";
    return found === "" ? null : new Set([found]);
  }
}
