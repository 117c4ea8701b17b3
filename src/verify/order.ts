import type { Mismatch, ReadClaim } from "./agree.ts";
import type { Alignment } from "./align.ts";
import { contentStems, type EvidenceSentence } from "./evidence.ts";
import { type Token, weightOf } from "./tokens.ts";
import { bears, type Value } from "./values.ts";

const early = /^(?:before|until|till|within|prior)$/;
const late = /^(?:after|since|following|once)$/;
/** "From X to Y": X and Y are so many words at most. */
const LONGEST_END = 4;

/** What came before comes after, "from" and "to" are exchanged, or a value stands where the source has another. */
export function otherOrder(claim: ReadClaim, { focus }: Alignment, near: readonly EvidenceSentence[]): Mismatch | null {
  return turnedInTime(claim, near) ?? turnedEnds(claim, near) ?? valueOfAnother(claim, focus);
}

/** Both sides of a word of time: what stands before it, and what it brings. */
interface Sides {
  readonly early: boolean;
  readonly other: ReadonlySet<string>;
  readonly brought: ReadonlySet<string>;
}

function sidesIn(tokens: readonly Token[]): Sides[] {
  return tokens.flatMap((token, at) => {
    const isEarly = early.test(token.folded);
    if (token.mark || !(isEarly || late.test(token.folded))) return [];
    const mark = tokens.findIndex(
      (other, place) => place > at && (other.mark || other.initial || early.test(other.folded) || late.test(other.folded)),
    );
    const end = mark < 0 ? tokens.length : mark;
    const brought = contentStems(tokens.slice(at + 1, end));
    const before = tokens.slice(0, at).findLastIndex((other) => other.mark);
    const other = contentStems(at === 0 || before === at - 1 ? tokens.slice(end) : tokens.slice(before + 1, at));
    return brought.size > 0 && other.size > 0 ? [{ early: isEarly, other, brought }] : [];
  });
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let n = 0;
  for (const one of a) if (b.has(one)) n += 1;
  return n;
}

/** "A after B" for "A before B", or for "B after A". */
function turnedInTime({ tokens }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  const said = sidesIn(tokens);
  if (said.length === 0) return null;
  const held = near.flatMap((sentence) => sidesIn(sentence.tokens));
  for (const ours of said) {
    let [agreed, turned] = [false, false];
    for (const theirs of held) {
      const straight = [shared(ours.other, theirs.other), shared(ours.brought, theirs.brought)];
      const crossed = [shared(ours.other, theirs.brought), shared(ours.brought, theirs.other)];
      const [x, y] = [Math.min(...straight), Math.min(...crossed)];
      if (x === 0 && y === 0) continue;
      const isStraight = straight.reduce((a, b) => a + b, 0) > crossed.reduce((a, b) => a + b, 0);
      if ((isStraight ? x : y) === 0) continue;
      if (isStraight === (ours.early === theirs.early)) agreed = true;
      else turned = true;
    }
    if (turned && !agreed) return { kind: "order", reason: "the source has it in the other order of time" };
  }
  return null;
}

/** "From 4 to 5" for "from 5 to 4". */
function turnedEnds({ tokens }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  const said = spansOf(tokens);
  const held = near.flatMap((sentence) => spansOf(sentence.tokens));
  const turned = said.some(([from, to]) => from !== to && held.some(([theirs, other]) => theirs === to && other === from));
  return turned ? { kind: "direction", reason: 'the source has "from" and "to" the other way round' } : null;
}

function spansOf(tokens: readonly Token[]): [string, string][] {
  return tokens.flatMap((token, at) => {
    if (token.folded !== "from") return [];
    const to = tokens.findIndex((other, place) => place > at + 1 && place <= at + 1 + LONGEST_END && other.folded === "to");
    if (to < 0) return [];
    const from = tokens.slice(at + 1, to).map(({ stem }) => stem);
    const rest = tokens.slice(to + 1, to + 1 + from.length).map(({ stem }) => stem);
    return [[from.join(" "), rest.join(" ")] as [string, string]];
  });
}

/**
 * A value where the source has another: "renewed 90 days before" for "renewed 30 days before", "last seen in 1987" for "last seen in
 * 2011". What stands on both sides must be the same, or a word of content with the preposition behind it.
 */
function valueOfAnother({ tokens, values }: ReadClaim, focus: readonly EvidenceSentence[]): Mismatch | null {
  for (const value of values) {
    if (value.kind === "literal" || (value.kind === "quantity" && value.dimension === "ordinal")) continue;
    const ours = beside(tokens, value);
    const there = focus.flatMap((sentence) =>
      sentence.values.filter((other) => other.kind === value.kind && samePlace(ours, beside(sentence.tokens, other))),
    );
    const [other] = there;
    if (other !== undefined && !there.some((one) => bears(value, one)))
      return {
        kind: value.kind === "date" ? "date" : "number",
        reason: `${value.text} is said of something else in the source; here it says ${other.text}`,
      };
  }
  return null;
}

interface Beside {
  /** Two words before, the nearer one last; the word behind. Null at an end or a mark. */
  readonly before: readonly (Token | null)[];
  readonly after: Token | null;
}

function samePlace(a: Beside, b: Beside): boolean {
  const same = (x: Token | null | undefined, y: Token | null | undefined): boolean => x !== null && x !== undefined && x.stem === y?.stem;
  const tells = (token: Token | null | undefined): boolean => token !== null && token !== undefined && weightOf(token) === 1;
  const [far, near] = a.before;
  if (!same(near, b.before[1])) return false;
  if (same(a.after, b.after) && (tells(near) || tells(a.after))) return true;
  return !tells(near) && tells(far) && same(far, b.before[0]);
}

function beside(tokens: readonly Token[], { start, end }: Value): Beside {
  const word = (token: Token | undefined): Token | null => (token === undefined || token.mark ? null : token);
  const plain = tokens.filter(({ text }) => !/^[%$€£#]$/.test(text));
  const at = plain.findLastIndex((token) => token.end <= start);
  return { before: [word(plain[at - 1]), word(plain[at])], after: word(plain.find((token) => token.start >= end)) };
}
