import type { Mismatch } from "./agree.ts";
import type { Alignment } from "./align.ts";
import type { Clause } from "./clauses.ts";
import { type Evidence, type EvidenceSentence, plainText, stemsOfToken } from "./evidence.ts";
import type { WordSimilarity } from "./features.ts";
import { pronouns } from "./grammar.ts";
import { knownNames, unknownParts } from "./names.ts";
import { type Token, weightOf } from "./tokens.ts";

/** Words at least this alike may stand for each other: "movie" and "film" 0.83, "writer" and "author" 0.61, "carbon" and "oxygen" 0.38. */
const ALIKE = 0.5;
/** Neighbours of a member of a list. */
const lists = /^(?:,|and|or)$/;

/**
 * A name or a member of a list where the source has another one between the same two neighbours: "sulfur, carbon and water" against
 * "sulfur, oxygen and water". Only these are held to it: verbs and adverbs have too many words beside them that say the same. Start and
 * end of the sentence are neighbours too, but not both at once.
 */
export function substituted(
  claim: readonly Token[],
  evidence: Evidence,
  { window }: Alignment,
  similar: WordSimilarity | null,
): Mismatch | null {
  for (const at of window) {
    const sentence = evidence.sentences[at];
    const found = sentence === undefined ? null : substitutedIn(claim, sentence, similar);
    if (found !== null) return found;
  }
  return null;
}

function substitutedIn(
  claim: readonly Token[],
  { text, tokens, stems }: EvidenceSentence,
  similar: WordSimilarity | null,
): Mismatch | null {
  const own = new Set(claim.flatMap(stemsOfToken));
  for (let at = 0; at < claim.length; at += 1) {
    const first = claim[at];
    if (first === undefined || !isWord(first) || stemsOfToken(first).some((stem) => stems.has(stem))) continue;
    const last = first.capital ? runEnd(claim, at) : at;
    const before = neighbour(claim, at, -1);
    const after = neighbour(claim, last, 1);
    const listed = lists.test(before) || lists.test(after);
    if ((before !== edge || after !== edge) && (listed || first.capital)) {
      for (const [from, other] of tokens.entries()) {
        if (other.mark || pronouns.has(other.folded) || stemsOfToken(other).some((stem) => own.has(stem))) continue;
        const to = other.capital ? runEnd(tokens, from) : from;
        if (neighbour(tokens, from, -1) !== before || neighbour(tokens, to, 1) !== after) continue;
        if (!(isWord(other) || other.capital)) continue;
        // a plain word in the place of a name tells only beside a word of content that is the same
        if (other.capital !== first.capital && !(first.capital && firmly(claim, at, last))) continue;
        if ((similar?.(first.folded, other.folded) ?? 0) >= ALIKE) continue;
        const said = wordedFrom(claim, at, last);
        const name = { text: said, tokens: claim.slice(at, last + 1), exact: false };
        if (first.capital && unknownParts(name, knownNames(text, tokens)).length === 0) continue;
        return {
          kind: first.capital ? "name" : "word",
          reason: `"${said}" is not in the source, which says "${wordedFrom(tokens, from, to)}" in its place`,
        };
      }
    }
    at = last;
  }
  return null;
}

/** One neighbour is a word of content, and neither is the end of the sentence. */
function firmly(tokens: readonly Token[], from: number, to: number): boolean {
  const [before, after] = [tokens[from - 1], tokens[to + 1]];
  if (before === undefined || after === undefined || before.mark || after.mark) return false;
  return weightOf(before) === 1 || weightOf(after) === 1;
}

/** Last token of the run of capitalised words that begins here. */
function runEnd(tokens: readonly Token[], at: number): number {
  let end = at;
  while (tokens[end + 1]?.capital === true && tokens[end + 1]?.mark === false && tokens[end + 1]?.initial === false) end += 1;
  return end;
}

function wordedFrom(tokens: readonly Token[], from: number, to: number): string {
  return tokens
    .slice(from, to + 1)
    .map(({ text }) => text)
    .join(" ");
}

/** A word that says something; numbers and units are compared as values. */
function isWord(token: Token): boolean {
  return (
    weightOf(token) === 1 && token.text.length > 2 && !/\d/.test(token.text) && !units.test(token.folded) && !pronouns.has(token.folded)
  );
}

const units =
  /^(?:whose|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:milli|micro)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|(?:kilo|mega|giga|tera)?bytes?|half|quarter)$/;

const edge = "";

/** The next word on one side: its stem, a mark as itself, and "" past the end of the sentence. */
function neighbour(tokens: readonly Token[], at: number, step: 1 | -1): string {
  const token = tokens[at + step];
  if (token === undefined || (step === 1 ? token.initial : tokens[at]?.initial === true)) return edge;
  return token.mark ? token.text : token.stem;
}

/** Words in quotation marks that the source does not hold. */
export function misquoted(claim: string, evidence: Evidence): Mismatch | null {
  for (const match of claim.matchAll(/["“]([^"“”\n]{2,200})["”]/g)) {
    const said = plainText(match[1] ?? "").replace(/[.,;:!?…]+$/, "");
    if (said === "" || evidence.plain.includes(said) || plainText(evidence.titleText).includes(said)) continue;
    return { kind: "name", reason: `"${match[1]?.trim()}" is not in the source` };
  }
  return null;
}

/** A missing word that is at most this like any word of the window counts as unheard of. */
const UNHEARD = 0.4;
/** So many of them in a row are a part of the claim that the source does not have. */
const RUN = 3;

/** This share of the claim's words unheard of is a part that the source does not have, wherever they stand. */
const UNHEARD_SHARE = 0.5;

/** So large a share of the claim's words that the source's sentence lacks, like others or not, is worded from elsewhere. */
const ABSENT_SHARE = 0.4;

/**
 * Words that the window does not hold: several in a row that are like none there, half of the claim of that kind, or two fifths of it of
 * any kind; "" where there are fewer.
 */
export function missingPart(claim: readonly Token[], { missing }: Alignment, nearest: (token: Token) => number): string {
  const words = claim.filter(isWord);
  const absent = words.filter((token) => missing.includes(token));
  const unheard = absent.filter((token) => nearest(token) < UNHEARD);
  // names may stand in the source without a word of what the claim says of them
  const plain = words.filter((token) => !token.capital || token.initial);
  const strange = plain.filter((token) => unheard.includes(token));
  if (strange.length > 1 && strange.length >= UNHEARD_SHARE * plain.length) return firstOf(strange);
  if (unheard.length > 2 && unheard.length >= UNHEARD_SHARE * words.length) return firstOf(unheard);
  if (absent.length > 2 && absent.length > ABSENT_SHARE * words.length) return firstOf(absent);
  let run: Token[] = [];
  for (const token of words) {
    run = unheard.includes(token) ? [...run, token] : [];
    if (run.length >= RUN) return firstOf(run);
  }
  return "";
}

/** A word that is at most this like any word of the window is no other wording of what is said there. */
const UNLIKE = 0.5;

/** All that a clause says of its subject is missing from the window: "the replica is back to normal" beside a page on replicas. */
export function missingPredicate(clauses: readonly Clause[], { missing }: Alignment, nearest: (token: Token) => number): string {
  for (const { verbs, slots } of clauses) {
    const said = [...verbs, ...[...slots.values()].flat()].filter(isWord);
    if (said.length > 1 && said.every((token) => missing.includes(token) && nearest(token) < UNLIKE)) return firstOf(said);
  }
  return "";
}

function firstOf(tokens: readonly Token[]): string {
  return tokens
    .slice(0, 6)
    .map(({ text }) => text)
    .join(" ");
}
