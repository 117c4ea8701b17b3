import type { Mismatch, ReadClaim } from "./agree.ts";
import { type Alignment, related } from "./align.ts";
import { type Evidence, type EvidenceSentence, stemsOfToken } from "./evidence.ts";
import type { WordSimilarity } from "./features.ts";
import { pronouns } from "./grammar.ts";
import { loadLexicon } from "./lexicon.ts";
import { knownNames, unknownParts } from "./names.ts";
import { commonOrder, definite, editsOf } from "./side-by-side.ts";
import { type Token, weightOf, worded } from "./tokens.ts";
import { bears, type Value } from "./values.ts";

/** This share of the claim's words must stand in one sentence of the source in the same order for its words to be told apart one by one. */
const SAME_ORDER = 0.65;
/** The same where no name is involved: nouns have more words that may stand for them. */
const SAME_ORDER_PLAIN = 0.7;
/** Fewer words in order are chance. */
const FEWEST = 4;
/** Words at least this alike may stand for each other. */
const ALIKE = 0.45;
/** A longer stretch is another wording, not an exchange; in words of content, where it holds a name. */
const LONGEST = 3;
/** Without a name one word stands for one other, beside at most one function word each. */
const LONGEST_PLAIN = 2;

/**
 * What the claim says where a sentence of the source that it otherwise repeats word for word says something else: "governed by
 * Acme's universities" against "governed by Ohio's universities". The two are laid side by side by their longest common subsequence;
 * a stretch of the claim that stands between the same words as another stretch of the sentence is an exchange, unless its words are
 * alike, or name what the sentence calls by a pronoun or "the …".
 */
export function exchanged(
  { tokens, tagged, values }: ReadClaim,
  evidence: Evidence,
  { window, each }: Alignment,
  similar: WordSimilarity | null,
): Mismatch | null {
  const isVerb = ({ start }: Token): boolean => tagged.some((word) => word.start <= start && start < word.end && word.verb);
  const words = tokens.filter((token) => !token.mark);
  const peak = Math.max(0, ...each);
  const places = evidence.sentences.filter((_, at) => window.includes(at) || (peak > 0 && each[at] === peak));
  // said elsewhere without an exchange: it is borne there
  const found = places.map((sentence) => exchangedIn(words, values, sentence, evidence, similar, isVerb));
  return found.some((one) => one === "same") ? null : ((found.find((one) => one !== null) ?? null) as Mismatch | null);
}

function exchangedIn(
  claim: readonly Token[],
  values: readonly Value[],
  sentence: EvidenceSentence,
  evidence: Evidence,
  similar: WordSimilarity | null,
  isVerb: (token: Token) => boolean,
): Mismatch | "same" | null {
  const source = sentence.tokens.filter((token) => !token.mark);
  const pairs = commonOrder(claim, source);
  const counted = claim.filter(({ folded }) => !inValues.test(folded));
  if (pairs.length < FEWEST || pairs.length < SAME_ORDER * counted.length) return null;
  const close = pairs.length >= SAME_ORDER_PLAIN * counted.length;
  for (const { said, held: whole, opens, ends } of editsOf(claim, source, pairs)) {
    const held = withinClause(whole, opens, ends, sentence.tokens);
    const wrong = otherValue(said, held, values, sentence);
    if (wrong !== null) return wrong;
    const before = whole[0] === undefined ? undefined : source[source.indexOf(whole[0]) - 1];
    const described = definite.test(held[0]?.folded ?? "") || definite.test(before?.folded ?? "");
    const plain = said.filter(({ start, end }) => !values.some((value) => start < value.end && value.start < end));
    const name = said.some((token) => token.capital);
    if ((name || close) && isExchange(plain, held, described, sentence, evidence, similar, isVerb)) {
      return { kind: name ? "name" : "word", reason: `"${worded(said)}" is not in the source, which says "${worded(held)}" in its place` };
    }
  }
  return "same";
}

/** A value in the place of another one. The sentence may hold it somewhere else, in another form. */
function otherValue(said: readonly Token[], held: readonly Token[], values: readonly Value[], sentence: EvidenceSentence): Mismatch | null {
  if (![said, held].every((tokens) => tokens.some(({ text }) => /\d/.test(text)))) return null;
  const inside = values.filter((value) => said.some(({ start, end }) => start < value.end && value.start < end));
  const wrong = inside.find((value) => value.kind !== "literal" && !sentence.values.some((other) => bears(value, other)));
  if (wrong === undefined) return null;
  return {
    kind: wrong.kind === "date" ? "date" : "number",
    reason: `"${worded(said)}" is not in the source's sentence, which says "${worded(held)}"`,
  };
}

/** At either end of a claim the sentence may go on: only the clause that meets the claim is held against it. */
function withinClause(held: readonly Token[], first: boolean, last: boolean, tokens: readonly Token[]): readonly Token[] {
  const marks = tokens.filter((token) => token.mark).map(({ start }) => start);
  const between = (a: Token | undefined, b: Token | undefined): boolean =>
    a !== undefined && b !== undefined && marks.some((at) => a.end <= at && at < b.start);
  const joint = (token: Token | undefined): boolean => /^(?:and|but|or|which|who)$/.test(token?.folded ?? "");
  if (last) {
    const end = held.findIndex((token, at) => at > 0 && (between(held[at - 1], token) || joint(token)));
    return end < 0 ? held : held.slice(0, end);
  }
  if (first) {
    const start = held.findLastIndex((token, at) => at < held.length - 1 && (between(token, held[at + 1]) || joint(token)));
    return start < 0 ? held : held.slice(start + 1);
  }
  return held;
}

function isExchange(
  said: readonly Token[],
  held: readonly Token[],
  described: boolean,
  { stems, text, tokens }: EvidenceSentence,
  { titleStems }: Evidence,
  similar: WordSimilarity | null,
  isVerb: (token: Token) => boolean,
): boolean {
  const ours = said.filter(tells);
  const theirs = held.filter((token) => tells(token) && !pronouns.has(token.folded));
  if (ours.length === 0 || theirs.length === 0 || ours.length > LONGEST || theirs.length > LONGEST) return false;
  const named = ours.some(({ capital, initial }) => capital && !initial);
  if (!named) {
    // verbs have too many others that say the same, and "the state" may be California
    if (ours.length > 1 || theirs.length > 1 || said.length > LONGEST_PLAIN || held.length > LONGEST_PLAIN) return false;
    if (theirs[0]?.capital === true || ours.some(isVerb)) return false;
    if (loadLexicon().kind(ours[0]?.folded ?? "", theirs[0]?.folded ?? "") === null) return false;
  }
  const strange = ours.filter((token) => !stemsOfToken(token).some((stem) => stems.has(stem)));
  if (strange.length === 0) return false;
  // an acronym spelled out, a country for its people, a slip of the pen
  const name = { text: worded(ours), tokens: ours, exact: false };
  if (named && unknownParts(name, knownNames(text, tokens)).length === 0) return false;
  if (described && ours.every((token) => stemsOfToken(token).some((stem) => titleStems.has(stem)))) return false;
  return strange.every((token) =>
    theirs.every(
      (other) => !related(token.stem, other.stem) && (similar?.(token.folded, other.folded) ?? 0) < ALIKE && !abbreviates(token, other),
    ),
  );
}

/** Compared as values, with their numbers. */
const inValues =
  /\d|^(?:(?:milli|micro)?sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|[hsdkmg]|ms|[kmgt]b|(?:kilo|mega|giga|tera)?bytes?|days?|weeks?|months?|years?|percent|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|utc)$/;

/** A word of content, or a name however short ("class P"). */
function tells(token: Token): boolean {
  if (inValues.test(token.folded)) return false;
  return weightOf(token) === 1 || (token.capital && !token.initial && weightOf(token) > 0);
}

/** "min" for "minutes", "Chris" for "Christopher". */
function abbreviates({ folded: a }: Token, { folded: b }: Token): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length > 2 && long.startsWith(short);
}
