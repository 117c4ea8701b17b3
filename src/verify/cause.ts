import type { Mismatch } from "./agree.ts";
import { holds } from "./align.ts";
import type { Evidence, EvidenceSentence } from "./evidence.ts";
import { isNegator } from "./polarity.ts";
import { type Token, weightOf } from "./tokens.ts";

/** Words that make one thing the reason of another. "Since" and "as" tell the time as often. */
const because = /^(?:because|therefore|hence|consequently)$/;
const phrases = [
  ["due", "to"],
  ["owing", "to"],
  ["caused", "by"],
  ["led", "to"],
  ["leads", "to"],
  ["resulted", "in"],
  ["results", "in"],
  ["result", "of"],
  ["triggered", "by"],
];
/** A source that has one of these gives a reason. */
const reasons =
  /\b(?:because|so that|therefore|thus|hence|due to|owing to|thanks to|caus\w+|le(?:d|ads?|ading) to|result\w*|reasons?|why|consequen\w+|trigger\w*|account\w* for|made|makes|since (?:the|it|they|we|he|she|this|that|no|its|their|an?))\b/i;
/** These may: what stands on both sides must then be said there nearly whole. */
const mayBe = /\b(?:since|as|so|from|by|when|after|once|if|in order|with|in|for|while)\b|[,:;]/i;
/** What a sentence begins with that goes on from the one before. */
const goesOn =
  /^(?:this|that|these|it|they|he|she|so|therefore|thus|hence|as a result|consequently|for this reason|because of this|the (?:cause|reason))\b/i;
/** Share of either side that must stand beside a reason, and beside what may be one. */
const LEAST_HELD = 0.6;
const NEARLY_ALL = 0.8;

/**
 * Two things of the source joined by a "because" of the claim's own: both are said, and nowhere that one is the reason of the other.
 */
export function inventedCause(tokens: readonly Token[], { sentences, titleStems }: Evidence): Mismatch | null {
  const at = tokens.findIndex(
    (token, place) => because.test(token.folded) || phrases.some(([a, b]) => token.folded === a && tokens[place + 1]?.folded === b),
  );
  if (at < 1) return null;
  const told = (list: readonly Token[]): Token[] =>
    list.filter((token) => weightOf(token) === 1 && !isNegator(token) && holds(token, titleStems) < 1);
  const effect = told(tokens.slice(0, at));
  const shared = new Set(effect.map(({ stem }) => stem));
  const behind = told(tokens.slice(at + 1));
  const reason = behind.filter(({ stem }) => !shared.has(stem));
  if (effect.length === 0 || behind.length === 0) return null;
  if (reason.length === 0) return { kind: "cause", reason: "it gives itself as its reason" };
  // a word that the source has nowhere is another wording, and tells nothing of where it stands
  const known = (token: Token): boolean => sentences.some(({ stems }) => holds(token, stems) > 0);
  const heldBy = (list: readonly Token[], where: readonly EvidenceSentence[]): number => {
    const counted = list.filter(known);
    return counted.length === 0 ? 1 : counted.filter((token) => where.some(({ stems }) => holds(token, stems) > 0)).length / counted.length;
  };
  const given = sentences.some((sentence, index) => {
    const before = sentences[index - 1];
    const where = before !== undefined && !sentence.opens && goesOn.test(sentence.text) ? [before, sentence] : [sentence];
    const least = Math.min(heldBy(effect, where), heldBy(reason, where));
    return (reasons.test(sentence.text) && least >= LEAST_HELD) || (mayBe.test(sentence.text) && least >= NEARLY_ALL);
  });
  return given ? null : { kind: "cause", reason: `the source does not give this as a reason ("${tokens[at]?.text}")` };
}
