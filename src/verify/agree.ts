import { foldWord, isStopWord } from "../core/words.ts";
import { type Alignment, related } from "./align.ts";
import { oppositeOf } from "./antonyms.ts";
import { type Evidence, type EvidenceSentence, stemsOfToken } from "./evidence.ts";
import { pronouns, type Tagged } from "./grammar.ts";
import { loadLexicon } from "./lexicon.ts";
import { type KnownNames, knownNames, type Name, namesOf, unknownParts } from "./names.ts";
import { otherOrder } from "./order.ts";
import { otherPart } from "./parts.ts";
import { bareOfLess, isNegator, negated, overstated, sameNegation } from "./polarity.ts";
import { swapped } from "./relations.ts";
import { otherSibling } from "./siblings.ts";
import { overreached } from "./strength.ts";
import { stemOf, type Token, weightOf } from "./tokens.ts";
import { bears, type Value, valuesOf } from "./values.ts";

export type MismatchKind =
  | "number"
  | "date"
  | "identifier"
  | "name"
  | "negation"
  | "quantifier"
  | "direction"
  | "opposite"
  | "word"
  | "order"
  | "hedge"
  | "cause";

/** Something of a claim that its evidence does not say, or denies. */
export interface Mismatch {
  readonly kind: MismatchKind;
  /** For people: "2019 is not in the source: 2018, 2020". */
  readonly reason: string;
}

/** A claim taken apart. */
export interface ReadClaim {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly tagged: readonly Tagged[];
  readonly values: readonly Value[];
  readonly names: readonly Name[];
}

/** Everything of a claim that does not agree with its evidence; [] when all does. */
export function mismatches(claim: ReadClaim, evidence: Evidence, alignment: Alignment): Mismatch[] {
  return [
    ...valueMismatches(claim, evidence, alignment),
    ...nameMismatches(claim, evidence, alignment),
    ...negationMismatch(claim, evidence, alignment),
    ...oppositeMismatch(claim, evidence, alignment),
    ...quantifierMismatch(claim, alignment),
    ...swapped(claim, alignment.focus),
    ...wordedWrongly(claim, evidence, alignment),
  ];
}

/** The right words in the wrong order, parts or strength. */
function wordedWrongly(claim: ReadClaim, evidence: Evidence, alignment: Alignment): Mismatch[] {
  const near = alignment.window.flatMap((at) => evidence.sentences[at] ?? []);
  return [
    otherSibling(claim, evidence, alignment),
    otherOrder(claim, alignment, near),
    otherPart(claim, alignment, near),
    overreached(claim, alignment, near),
  ].filter((one) => one !== null);
}

/** Values count where what they are said about is said: a sentence that covers at least this share of the best. */
const VALUE_REACH = 0.5;

function valueMismatches({ text, values }: ReadClaim, evidence: Evidence, { each, window }: Alignment): Mismatch[] {
  if (values.length === 0) return [];
  const peak = Math.max(0, ...each);
  const near = evidence.sentences.filter((_, at) => (each[at] ?? 0) >= VALUE_REACH * peak || window.some((one) => Math.abs(one - at) <= 1));
  const held = [...near.flatMap((sentence) => sentence.values), ...evidence.titleValues];
  const found: Mismatch[] = [];
  for (const value of values) {
    if (held.some((other) => bears(value, other)) || literally(value, near, evidence)) continue;
    const rivals = [...new Set(held.filter((other) => sameSort(value, other)).map((other) => other.text))].slice(0, 4);
    // "the first choice": a first is seldom called so in the source
    if (value.kind === "quantity" && value.dimension === "ordinal" && value.low === 1 && rivals.length === 0) continue;
    // "in two ways: …" counts what is listed
    if (
      value.kind === "quantity" &&
      value.dimension === "count" &&
      value.low < 10 &&
      rivals.length === 0 &&
      listed.test(text.slice(value.end))
    )
      continue;
    const where = rivals.length === 0 ? "is not in the source" : `is not in the source: ${rivals.join(", ")}`;
    found.push({ kind: kindOf(value), reason: `${wordedAs(value, text)} ${where}` });
  }
  return found;
}

const listed = /^\s(?:\p{L}+\s){0,2}(?:ways|types|kinds|options|steps|reasons|parts|methods|categories|things|cases|forms|modes)\b/u;

/** A literal that the source writes otherwise ("v2.1" for "2.1"), or a value inside a name ("Blink-182"). */
function literally(value: Value, near: readonly EvidenceSentence[], evidence: Evidence): boolean {
  if (value.kind === "literal") return evidence.known.words.has(value.token) || evidence.known.text.includes(value.token);
  if (value.kind === "quantity" && value.dimension === "count" && value.low === 2 && near.some(({ folded }) => folded.has("both")))
    return true;
  if (value.kind === "quantity" && value.dimension === "count" && /^\d/.test(value.text))
    return near.some((sentence) => sentence.folded.has(value.text));
  return false;
}

function wordedAs(value: Value, text: string): string {
  return value.kind === "quantity" ? value.text : text.slice(value.start, value.end);
}

function sameSort(said: Value, held: Value): boolean {
  if (said.kind !== held.kind) return said.kind === "date" && said.month === null && held.kind === "date";
  if (said.kind === "quantity" && held.kind === "quantity") return said.dimension === held.dimension || held.dimension === "count";
  return true;
}

function kindOf(value: Value): MismatchKind {
  if (value.kind === "literal") return "identifier";
  return value.kind === "quantity" ? "number" : "date";
}

function nameMismatches(claim: ReadClaim, evidence: Evidence, { focus, window }: Alignment): Mismatch[] {
  const found: Mismatch[] = [];
  const near = claim.names.length === 0 ? null : namesNear(evidence, window, focus);
  for (const [at, name] of claim.names.entries()) {
    const unknown = unknownParts(name, evidence.known);
    if (unknown.length === 0) {
      const apart = near === null ? [] : unknownParts(name, near);
      if (apart.length > 0 && attributes(name, claim)) {
        found.push({ kind: "name", reason: `the source does not say this of ${name.text}` });
        continue;
      }
      const rival = apart.length === 0 ? null : exchangedFor(name, claim, evidence, window);
      if (rival !== null) found.push({ kind: "name", reason: `${name.text} stands elsewhere in the source; here it says ${rival}` });
      continue;
    }
    if (!name.exact && unknown.length < name.tokens.length && givenNameOnly(name, unknown, evidence)) continue;
    if (at === 0 && isSubject(name, claim) && standsForSubject(evidence, window)) continue;
    const rivals = rivalNames(focus, claim);
    const said = name.exact ? name.text : unknown.map((token) => token.text.replace(/['’]s?$/, "")).join(" ");
    found.push({ kind: "name", reason: `${said} is not in the source${rivals.length === 0 ? "" : `: ${rivals.join(", ")}`}` });
  }
  return found;
}

/** "According to Ann, …": it is hers only where she stands beside it. */
function attributes(name: Name, { text }: ReadClaim): boolean {
  return /^\W*according to (?:the )?$/i.test(text.slice(0, name.tokens[0]?.start ?? 0));
}

/** All but the name must stand in the window to this share, and the window in the claim to the other one. */
const SAME_SENTENCE = 0.75;
const SAME_WINDOW = 0.5;

/**
 * The name that the window has in the place of the claim's: the rest of the claim is the window's sentence, which holds a name that the
 * claim lacks. Null where the claim is worded too differently to tell.
 */
function exchangedFor(name: Name, claim: ReadClaim, { sentences }: Evidence, window: readonly number[]): string | null {
  const own = new Set(claim.tokens.flatMap(stemsOfToken));
  const rest = claim.tokens.filter((token) => weightOf(token) > 0 && !name.tokens.includes(token));
  const there = window.flatMap((at) => sentences[at]?.tokens ?? []).filter((token) => weightOf(token) > 0);
  const stems = new Set(there.flatMap(stemsOfToken));
  const share = (list: readonly Token[], held: ReadonlySet<string>): number =>
    list.length === 0 ? 0 : list.filter((token) => stemsOfToken(token).some((stem) => held.has(stem))).length / list.length;
  if (share(rest, stems) < SAME_SENTENCE || share(there, own) < SAME_WINDOW) return null;
  const names = window.flatMap((at) => namesOf(sentences[at]?.text ?? "", sentences[at]?.tokens ?? [], []));
  return names.find((other) => !other.tokens.some((token) => own.has(token.stem)))?.text ?? null;
}

/** Names of the window, of what stands beside it in its paragraph, and of titles; null where that is all there is. */
function namesNear(evidence: Evidence, window: readonly number[], focus: readonly EvidenceSentence[]): KnownNames | null {
  const { sentences } = evidence;
  const near = new Set(focus);
  for (const at of window) {
    const [before, here, after] = [sentences[at - 1], sentences[at], sentences[at + 1]];
    if (before !== undefined && here?.opens === false) near.add(before);
    if (after !== undefined && !after.opens) near.add(after);
  }
  const list = [...near];
  return knownNames([evidence.titleText, ...list.map(({ text }) => text)].join("\n"), [
    ...evidence.titleTokens,
    ...list.flatMap(({ tokens }) => tokens),
  ]);
}

/** "Johanna Braddy" where the source says "Braddy": the last word is known, and nobody else's first name stands before it. */
function givenNameOnly(name: Name, unknown: readonly Token[], evidence: Evidence): boolean {
  const last = name.tokens.at(-1);
  if (last === undefined || unknown.includes(last)) return false;
  for (const sentence of evidence.sentences) {
    for (const [at, token] of sentence.tokens.entries()) {
      if (token.folded !== last.folded) continue;
      const before = sentence.tokens[at - 1];
      if (before?.capital && !before.initial && !before.mark && !isStopWord(before.folded)) return false;
    }
  }
  return true;
}

function isSubject(name: Name, { tokens, tagged, text }: ReadClaim): boolean {
  const start = name.tokens[0]?.start ?? 0;
  const verb = tagged.find((word) => word.verb)?.start ?? text.length;
  return start < verb && tokens.filter((token) => token.end <= start).length <= 3 && !name.exact;
}

/** The evidence has no title and speaks of somebody by pronoun or description: "It was covered by …", "The city celebrated …". */
function standsForSubject(evidence: Evidence, window: readonly number[]): boolean {
  if (evidence.titled) return false;
  const sentence = evidence.sentences[window[0] ?? 0];
  const first = sentence?.tokens.find((token) => !token.mark);
  if (first === undefined || sentence === undefined) return false;
  if (sentence.tokens.slice(0, 12).some((token) => pronouns.has(token.folded))) return true;
  const second = sentence.tokens[1];
  return /^(?:the|a|an|this|these|about|production|filmed|formed)$/.test(first.folded) && second !== undefined && !second.capital;
}

function rivalNames(focus: readonly EvidenceSentence[], claim: ReadClaim): string[] {
  const said = new Set(claim.tokens.map((token) => token.folded));
  const rivals = focus.flatMap(({ tokens, text }) =>
    namesOf(text, tokens, []).filter((name) => !name.tokens.some((token) => said.has(token.folded))),
  );
  return [...new Set(rivals.map((name) => name.text))].slice(0, 3);
}

/** Share of the aligned, negated words that may disagree. */
const DISAGREEING = 0.5;

/** The focus, and sentences that hold what the best ones lack: at least two words of the claim, or all that are missing. */
function spokenOf({ focus, missing }: Alignment, { sentences }: Evidence): readonly EvidenceSentence[] {
  const told = missing.filter((token) => weightOf(token) === 1);
  if (told.length === 0) return focus;
  const least = Math.min(2, told.length);
  const further = sentences.filter(
    (sentence) =>
      !focus.includes(sentence) && told.filter((token) => stemsOfToken(token).some((stem) => sentence.stems.has(stem))).length >= least,
  );
  return further.length === 0 ? focus : [...focus, ...further];
}

function negationMismatch({ tokens, text, values }: ReadClaim, evidence: Evidence, alignment: Alignment): Mismatch[] {
  const { window } = alignment;
  const focus = spokenOf(alignment, evidence);
  if (window.length === 0 || focus.some((sentence) => sameNegation(tokens, sentence.tokens))) return [];
  const parity = negated(tokens);
  const titleNegates = evidence.titleTokens.some(isNegator);
  let agreeing = 0;
  let disagreeing = 0;
  const words: string[] = [];
  let claimNegates = false;
  for (const [at, token] of tokens.entries()) {
    // compared as values
    const valued = values.some((value) => value.start < token.end && token.start < value.start + value.text.length);
    const weight = valued || isNegator(token) || insideQuotes(text, token.start) ? 0 : weightOf(token);
    // "write failures" and "rejected writes"
    if (weight === 0 || /^(?:fail|error|loss)/.test(tokens[at + 1]?.folded ?? "")) continue;
    const bare = bareOfLess(token.folded);
    const said = parity[at] === 1 ? 2 : 1;
    const stems = bare === null ? stemsOfToken(token) : [bare];
    const held = focusPolarity(stems, focus) | (stems.some((stem) => evidence.titleStems.has(stem)) && !titleNegates ? 1 : 0);
    if (held === 0) continue;
    const negates = said === 2 || (held & 2) !== 0;
    if (!negates) continue;
    if ((held & said) !== 0) agreeing += weight;
    else {
      disagreeing += weight;
      words.push(token.text);
      claimNegates ||= said === 2;
    }
  }
  if (disagreeing === 0 || disagreeing / (agreeing + disagreeing) <= DISAGREEING) return [];
  const list = words.slice(0, 3).join(" ");
  return [{ kind: "negation", reason: claimNegates ? `the source does not deny "${list}"` : `the source denies "${list}"` }];
}

/** A title or a saying in quotation marks is looked for as a whole, see misquoted. */
function insideQuotes(text: string, at: number): boolean {
  return (text.slice(0, at).match(/["“”]/g)?.length ?? 0) % 2 === 1;
}

/** Whether the words are said (1), negated (2) or both, in the first sentence of the focus that holds them, best first. */
function focusPolarity(stems: readonly string[], focus: readonly EvidenceSentence[]): number {
  let held = 0;
  for (const sentence of focus) for (const stem of stems) held |= sentence.polarity.get(stem) ?? 0;
  if (held !== 0) return held;
  for (const sentence of focus) {
    for (const [stem, polarity] of sentence.polarity) if (stems.some((one) => related(one, stem))) held |= polarity;
  }
  return held;
}

function oppositeMismatch({ tokens }: ReadClaim, evidence: Evidence, { focus, missing }: Alignment): Mismatch[] {
  const held = new Set(focus.flatMap((sentence) => [...sentence.stems]));
  const own = new Set(tokens.flatMap(stemsOfToken));
  const parity = negated(tokens);
  const inPlace = oppositeInPlace(tokens, focus);
  if (inPlace !== null) return [inPlace];
  for (const token of missing.length > 0 ? tokens : []) {
    if (token.mark || held.has(token.stem) || evidence.titleStems.has(token.stem)) continue;
    const other = oppositeOf(token.stem, held);
    if (other === null || own.has(other)) continue;
    const polarity = focus.reduce((sum, sentence) => sum | (sentence.polarity.get(other) ?? 0), 0);
    const negatedHere = parity[tokens.indexOf(token)] === 1;
    // "not possible" and "impossible" agree
    if (negatedHere !== (polarity === 2)) continue;
    if (focus.some((sentence) => toldFromOtherEnd(token, other, tokens, sentence))) continue;
    // "rose" where one clause has "raised" and another one "fell"
    if (focus.some((sentence) => sentence.tokens.some(({ folded }) => loadLexicon().relation(token.folded, folded) === "same"))) continue;
    const word = focus.flatMap((sentence) => sentence.tokens).find((one) => one.stem === other)?.text ?? other;
    return [{ kind: "opposite", reason: `"${token.text}" is not in the source, which says "${word}"` }];
  }
  return [];
}

/** Verbs that tell one thing from its two ends: "A sold it to B", "B bought it from A". */
const converse = new Set(
  ["buy", "sell", "send", "receive", "win", "lose", "lend", "borrow", "push", "pull", "import", "export"].map(stemOf),
);

/** The claim's subject stands behind the source's verb: what one end sold the other one bought. */
function toldFromOtherEnd(verb: Token, other: string, tokens: readonly Token[], sentence: EvidenceSentence): boolean {
  if (!converse.has(verb.stem) || !converse.has(other)) return false;
  const subject = tokens.slice(0, tokens.indexOf(verb)).filter((token) => weightOf(token) === 1);
  const at = sentence.tokens.findIndex(({ stem }) => stem === other);
  const behind = new Set(sentence.tokens.slice(at + 1).flatMap(stemsOfToken));
  return at >= 0 && subject.length > 0 && subject.every((token) => behind.has(token.stem));
}

/** Words before a noun that may belong to it. */
const MODIFIERS = 4;

/** "The female brings food" where the source has "the male brings food", and the female elsewhere. */
function oppositeInPlace(tokens: readonly Token[], focus: readonly EvidenceSentence[]): Mismatch | null {
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (next === undefined || weightOf(token) < 1 || weightOf(next) < 1) continue;
    const places = focus.flatMap((sentence) =>
      sentence.tokens.flatMap((one, place) => (one.stem === next.stem ? [sentence.tokens.slice(0, place)] : [])),
    );
    // "its seventh and final season" has the seventh season
    if (places.some((before) => before.slice(-MODIFIERS).some(({ stem }) => stem === token.stem))) continue;
    const before = new Set(places.flatMap((tokensBefore) => tokensBefore.slice(-1).flatMap((one) => (one.mark ? [] : [one.stem]))));
    const other = oppositeOf(token.stem, before);
    if (other !== null) return { kind: "opposite", reason: `the source says "${other} ${next.text}", not "${token.text} ${next.text}"` };
  }
  return null;
}

function quantifierMismatch({ tokens }: ReadClaim, { focus }: Alignment): Mismatch[] {
  const held = new Set(focus.flatMap((sentence) => [...sentence.folded]));
  const word = overstated(tokens, held);
  return word === null ? [] : [{ kind: "quantifier", reason: `"${word}" is not in the source` }];
}

/** Takes a claim apart. */
export function readClaim(text: string, tokens: readonly Token[], tagged: readonly Tagged[]): ReadClaim {
  const names = namesOf(text, tokens, tagged);
  const values = valuesOf(text).filter((value) => !insideName(value, names) || value.kind === "literal");
  return { text, tokens, tagged, values, names };
}

/** "Ocean's Eleven", "BBC One": a number that is part of a name is looked for with the name. */
function insideName(value: Value, names: readonly Name[]): boolean {
  if (value.kind !== "quantity") return false;
  return names.some(
    (name) =>
      name.tokens.length > 1 &&
      name.tokens.some((token) => token.start < value.end && value.start < token.end && !/^\d/.test(foldWord(token.text))),
  );
}
