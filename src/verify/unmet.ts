import { mismatches, readClaim } from "./agree.ts";
import { align } from "./align.ts";
import { lacksKind } from "./asked-kind.ts";
import { holds, interrogative, isAbsent, isContent, loadParse, type Parsed, placesOf } from "./asking.ts";
import { readEvidence } from "./evidence.ts";
import { gapOf, undone, unsaidOf } from "./gap.ts";
import { loadTagger } from "./grammar.ts";
import { isNegator, negated } from "./polarity.ts";
import { otherRole } from "./roles.ts";
import { type Token, tokensOf, weightOf } from "./tokens.ts";

/** What a sentence is said in: its text with the sentence it leans on, what stands above it, and its whole passage. */
export interface Said {
  readonly text: string;
  /** Title and headings. */
  readonly above: string;
  readonly passage: string;
  /** A row of a table: its columns stand for the verbs. */
  readonly isRow?: boolean;
}

/** Conditions of a question that a sentence does not meet. */
export interface Unmet {
  /** Why no part of the sentence can be the answer, for people; null where nothing rules it out. */
  readonly against: string | null;
  /** Names and numbers that neither the sentence nor what stands above it holds. */
  readonly names: number;
  /** Names of which the source has another: the verifier's finding over the question read as a claim. */
  readonly otherNames: number;
  /** Numbers, dates and ordinals that differ. */
  readonly values: number;
  /** Said here and denied there. */
  readonly polarity: number;
  /** "Only", "all", "never" that the sentence does not bear. */
  readonly quantifiers: number;
  /** "Alpha decay" where the sentence has beta decay: another modifier before the same noun, or another noun after the same modifier. */
  readonly phrases: number;
  /** Words of content that only other sentences of the passage hold. */
  readonly elsewhere: number;
  /** No word of content of the question is missing from the sentence and what stands above it. */
  readonly whole: boolean;
  /** Neither the sentence, nor its headings or passage have a word like what the question wants done. */
  readonly undone: boolean;
  /** What the question asks for that is not spoken of, for people: "port", "revenue", "wrote"; null where all of it is. */
  readonly unsaid: string | null;
}

/** Reads a question once, then compares sentences with it: a few milliseconds each. */
export type ReadUnmet = (question: string) => (said: Said) => Unmet;

/** Loads what words are tagged with. */
export async function loadUnmet(): Promise<ReadUnmet> {
  const [tagger, parse] = await Promise.all([loadTagger(), loadParse()]);
  return (question) => {
    const asked = parse(question);
    const text = question.replace(/\?+\s*$/, ".");
    const claim = readClaim(text, tokensOf(text), tagger(text));
    return (said) => {
      const evidence = readEvidence([{ title: said.above, text: said.text }]);
      const kinds = mismatches(claim, evidence, align(claim.tokens, evidence)).map(({ kind }) => kind);
      return unmetOf(asked, { ...parse(said.text), isRow: said.isRow === true }, tokensOf(said.above), tokensOf(said.passage), kinds);
    };
  };
}

function unmetOf(asked: Parsed, said: Parsed, above: readonly Token[], passage: readonly Token[], found: readonly string[]): Unmet {
  const count = (...kinds: readonly string[]): number => found.filter((kind) => kinds.includes(kind)).length;
  // "no" is an answer to a question without an interrogative
  const open = asked.tokens.some(({ folded }) => interrogative.test(folded));
  const missing = asked.tokens.filter((token) => isContent(token) && !holds(said.tokens, token) && !holds(above, token));
  return {
    against: lacksKind(asked, said)
      ? "it holds nothing of the kind that is asked for"
      : (otherRole(asked, said, above) ?? gapOf(asked, said, above)),
    names: missing.filter((token) => token.capital && !token.initial && token.text !== "I").length,
    otherNames: count("name"),
    values: count("number", "date"),
    polarity: open ? count("negation") + turned(asked.tokens, said.tokens) : 0,
    quantifiers: open ? count("quantifier") : 0,
    phrases: otherPhrases(asked, said, above),
    elsewhere: missing.filter((token) => weightOf(token) === 1 && holds(passage, token)).length,
    whole: missing.length === 0,
    undone: undone(asked, said, [...above, ...passage]),
    unsaid: unsaidOf(asked, said, above),
  };
}

/** Words that are negated on one side only, wherever they stand. */
function turned(asked: readonly Token[], sentence: readonly Token[]): number {
  if (!asked.some(isNegator) && !sentence.some(isNegator)) return 0;
  const [here, there] = [negated(asked), negated(sentence)];
  return asked.filter((token, at) => {
    if (!isContent(token) || weightOf(token) < 1) return false;
    const places = placesOf(sentence, token);
    return places.length > 0 && places.every((place) => there[place] !== here[at]);
  }).length;
}

/** Pairs of modifier and noun that the sentence has with another partner each time. */
function otherPhrases(asked: Parsed, said: Parsed, above: readonly Token[]): number {
  const nominal = ({ kinds }: Parsed, token: Token): boolean => kinds.has(token.start) && kinds.get(token.start) !== "verb";
  const partner = (token: Token | undefined): boolean =>
    isContent(token) && weightOf(token) === 1 && nominal(said, token) && !holds(asked.tokens, token);
  let found = 0;
  for (const [at, modifier] of asked.tokens.entries()) {
    const noun = asked.tokens[at + 1];
    if (!isContent(modifier) || !isContent(noun) || modifier.folded === "many") continue;
    if (!nominal(asked, modifier) || !nominal(asked, noun) || asked.kinds.get(noun.start) === "adjective") continue;
    const [befores, afters] = [placesOf(said.tokens, modifier), placesOf(said.tokens, noun)];
    const replaced =
      afters.length > 0 && isAbsent(modifier, said.tokens, above) && afters.every((place) => partner(said.tokens[place - 1]));
    const other =
      asked.kinds.get(modifier.start) !== "proper" &&
      befores.length > 0 &&
      isAbsent(noun, said.tokens, above) &&
      befores.every((place) => partner(said.tokens[place + 1]));
    if (replaced || other) found += 1;
  }
  return found;
}
