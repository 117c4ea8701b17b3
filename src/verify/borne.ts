import { isStopWord } from "../core/words.ts";
import type { Mismatch } from "./agree.ts";
import { related } from "./align.ts";
import { INFINITIVE } from "./clause-parts.ts";
import { type Clause, clausesIn } from "./clauses.ts";
import { type Evidence, type EvidenceSentence, stemsOfToken } from "./evidence.ts";
import type { Tagger } from "./grammar.ts";
import { loadLexicon } from "./lexicon.ts";
import { isGeneral } from "./redline.ts";
import { firmer, type Placed } from "./stance.ts";
import { type Token, weightOf, worded } from "./tokens.ts";
import { bears, type Value } from "./values.ts";

/** A clause of the evidence, and what it may be read with. */
interface Unit {
  readonly clause: Clause;
  readonly sentence: EvidenceSentence;
  /** All clauses of its sentence. */
  readonly within: readonly Clause[];
  /** Its subject; where that is a pronoun, or none, what it may stand for. */
  readonly subject: readonly Token[];
  /** Its own words and the subject that it takes over. */
  readonly tokens: readonly Token[];
  /** What it leans on: title, what "it" and "the vendor" stand for. */
  readonly context: readonly Token[];
  /** A row of a table: each cell stands beside each. */
  readonly row: boolean;
}

/** Sentences that hold this share of what the best one holds of the claim are taken apart. */
const REACH = 0.4;
/** Most sentences that are. */
const MOST_READ = 8;
/** A clause must hold this share of the claim's clause for its other words to be held against it. */
const LEAST_HELD = 0.5;
/** The same for a row of a table, which has few words. */
const LEAST_IN_ROW = 0.3;
/** What fills a part has no more words: a longer one is a menu, or a list without commas. */
const LONGEST_PART = 12;
/** A row has no more words than these. */
const LONGEST_ROW = 40;
/** A clause without a conflict bears the claim where it holds nearly as much of it. */
const NEARLY = 0.12;
/** A clause that holds this share says the same, or nearly. */
const SAYS_SAME = 0.65;
/** Sentences in which "the vendor" may have been named. */
const LOOKS_BACK = 3;

const pronoun = /^(?:it|its|they|them|their|he|him|his|she|her|this|these|those|that|one|ones)$/;
const definite = /^(?:the|that|this|these|those|its|their)$/;
const anybody = /^(?:nobody|anybody|somebody|everybody|anyone|someone|everyone|none)$/;
const particle = /^(?:out|off|on|up|down|over)$/;
const conditional = /^(?:if|when|whenever|unless|provided|while|until|once)$/;
const goesOn = /^(?:since then|then|after that|afterwards|until then|this|these|that|so|therefore|thus|later|meanwhile|instead)\b/i;

/**
 * Two true halves put together: a subject that the source says something else of, a value that it gives something else. Each clause of the
 * claim must be borne whole by one clause of the evidence, with what that clause leans on; where the clause that says most of it has
 * another thing in the same part, and only another clause has the claim's thing, nothing says both.
 */
export function merged(
  claim: readonly Clause[],
  values: readonly Value[],
  evidence: Evidence,
  each: readonly number[],
  tag: Tagger,
): Mismatch | null {
  const units = unitsOf(evidence, each, tag);
  for (const clause of claim) {
    const found = mergedIn({ clause, within: claim }, values, units, evidence);
    if (found !== null) return found;
  }
  return null;
}

function mergedIn(placed: Placed, values: readonly Value[], units: readonly Unit[], evidence: Evidence): Mismatch | null {
  const said = placed.clause;
  const content = wordsOf(said).filter((token) => weightOf(token) === 1 || /\d/.test(token.text));
  if (content.length < 2) return null;
  const own = new Set(wordsOf(said).flatMap(stemsOfToken));
  const scored = units
    .filter((unit) => saysOfSame(said, unit, units))
    .map((unit) => ({ unit, share: content.filter((token) => inUnit(token, unit, own)).length / content.length }));
  const least = Math.max(LEAST_IN_ROW, Math.max(0, ...scored.map(({ share }) => share)) - NEARLY);
  let conflict: Mismatch | null = null;
  for (const { unit, share } of scored.toSorted((a, b) => b.share - a.share)) {
    if (share < least || (share < LEAST_HELD && !unit.row)) break;
    const found = conflictOf(placed, values, unit, evidence, own, share);
    if (found === null) return null;
    conflict ??= found;
  }
  return conflict;
}

/** The verbs are the same, or the claim's tells nothing, or is no other clause's: another word for it. Else it is another statement. */
function saysOfSame(said: Clause, { clause, row }: Unit, units: readonly Unit[]): boolean {
  const ours = headsOf(said);
  return row || ours.length === 0 || shareVerb(ours, headsOf(clause)) || !toldElsewhere(ours, said, units);
}

/** What it says of its subject: its verbs but those that stand for many others, or what it is. */
function headsOf(clause: Clause): readonly Token[] {
  const verbs = firmVerbs(clause);
  if (verbs.length > 0) return verbs;
  const told = (clause.slots.get("") ?? []).filter((token) => weightOf(token) === 1 && !/\d/.test(token.text));
  // "hypothesis 2 is out"
  return told.length > 0 || clause.verbs.length === 0 ? told : clause.tokens.slice(-1).filter(({ folded }) => particle.test(folded));
}

function shareVerb(ours: readonly Token[], theirs: readonly Token[]): boolean {
  return ours.some((one) => theirs.some((other) => sameWord(one, other)));
}

/** The clause's words with those of the subject that it takes over. */
function wordsOf({ subject, tokens }: Clause): Token[] {
  return [...new Set([...subject, ...tokens])];
}

function inUnit(token: Token, { tokens, context }: Unit, own: ReadonlySet<string>): boolean {
  return heldBy(token, tokens, own) || heldBy(token, context, own);
}

/** A word stands there, whole or as a part of a joined one of which the claim has every part: "region" is not "cross-region". */
function heldBy(token: Token, tokens: readonly Token[], own: ReadonlySet<string>): boolean {
  const [whole = "", ...pieces] = stemsOfToken(token);
  const stems = tokens.flatMap((other) => {
    const [stem = "", ...parts] = stemsOfToken(other);
    return parts.every((part) => own.has(part)) ? [stem, ...parts] : [stem];
  });
  const has = (stem: string): boolean => stems.some((one) => one === stem || (stem.length >= 5 && related(stem, one)));
  return has(whole) || (pieces.length > 0 && pieces.every(has));
}

/** Words of both clauses in one part, and where else in the other clause the first ones may stand. */
type Part = readonly [ours: readonly Token[], theirs: readonly Token[], pool: readonly Token[]];

function conflictOf(
  { clause: said, within }: Placed,
  values: readonly Value[],
  unit: Unit,
  evidence: Evidence,
  own: ReadonlySet<string>,
  share: number,
): Mismatch | null {
  const sameVerb = shareVerb(firmVerbs(said), firmVerbs(unit.clause));
  for (const [ours, theirs, pool] of partsOf(said, unit))
    if (otherFiller(ours, theirs, unit, evidence, own, sameVerb ? ours : wordsOf(said), pool))
      return { kind: "word", reason: `the source says this of "${worded(theirs)}", not of "${worded(ours)}"` };
  // "Ann Wu found that …"
  const teller = said.tokens[0]?.folded === "that" && said.link === "that" ? within[within.indexOf(said) - 1] : undefined;
  const who = (teller?.subject ?? []).filter((token) => token.capital && weightOf(token) === 1 && !isStopWord(token.folded));
  if (who.length > 0 && who.every((token) => !unit.sentence.stems.has(token.stem) && !heldBy(token, unit.context, own)))
    return { kind: "name", reason: `the source does not have this from "${worded(who)}"` };
  const wrong = otherPassage(said, unit, evidence, own) ?? otherValue(said, values, unit, evidence);
  if (wrong !== null || share < SAYS_SAME || unit.row) return wrong;
  return firmer({ clause: said, within }, unit, sameVerb || (headsOf(said).length === 0 && headsOf(unit.clause).length === 0));
}

/** The subject stands in another passage only: "the cache rejects uploads" where a page of something else says that they are rejected. */
function otherPassage(
  { subject }: Clause,
  { sentence: { passage } }: Unit,
  { sentences }: Evidence,
  own: ReadonlySet<string>,
): Mismatch | null {
  const words = subject.filter((token) => weightOf(token) === 1);
  const lacks = (stems: ReadonlySet<string>): boolean =>
    words.every((token) => !stems.has(token.stem) && !heldBy(token, passage.above, own));
  if (words.length === 0 || !lacks(passage.stems)) return null;
  const other = sentences.find((one) => one.passage !== passage && words.every((token) => one.passage.stems.has(token.stem)));
  return other === undefined ? null : { kind: "word", reason: `what it says of "${worded(subject)}" stands in a source on something else` };
}

/** What stands in the same part of both clauses: who, what, and what each preposition brings. */
function partsOf(said: Clause, unit: Unit): Part[] {
  const { clause, subject, tokens, context, row } = unit;
  const anywhere = [...tokens, ...context];
  if (row) return [said.subject, ...said.slots.values()].map((ours) => [ours, tokens, anywhere] as const);
  const slot = ({ slots }: Clause, name: string): readonly Token[] => slots.get(name) ?? [];
  const [ours, theirs] = [firmVerbs(said), firmVerbs(clause)];
  const sameVerb = shareVerb(ours, theirs);
  // with another verb it is another statement
  if (!sameVerb && ours.length > 0) return [];
  const parts: Part[] = [];
  const both = isOnly(said) && isOnly(clause);
  // "the cause was a lock" and "a lock was the cause"
  const turned = !sameVerb && said.subject.every((token) => slot(clause, "").some(({ stem }) => stem === token.stem));
  if (said.passive === clause.passive) parts.push([said.subject, turned ? [] : subject, sameVerb || both ? context : anywhere]);
  else if (sameVerb && said.passive) parts.push([said.subject, slot(clause, ""), anywhere], [slot(said, "by"), subject, anywhere]);
  else if (sameVerb && said.own) parts.push([slot(said, ""), subject, anywhere], [said.subject, slot(clause, "by"), anywhere]);
  for (const [name, words] of said.slots) {
    if (name === "" ? said.passive !== clause.passive || turned || !(sameVerb || both) : name === INFINITIVE) continue;
    parts.push([words, slot(clause, name), name === "" && both ? subject : anywhere]);
  }
  return parts.filter(([a, b]) => a.length > 0 && b.length > 0 && b.length <= LONGEST_PART);
}

/** Another clause of the source says this of something, and has something else of the claim's clause. */
function toldElsewhere(heads: readonly Token[], said: Clause, units: readonly Unit[]): boolean {
  const rest = wordsOf(said).filter((token) => weightOf(token) === 1 && !heads.includes(token));
  return units.some(({ clause, subject, tokens, sentence }) => {
    const same = headsOf(clause).some((one) => heads.some(({ stem }) => one.stem === stem));
    return same && rest.some(({ stem }) => [...subject, ...tokens, ...sentence.passage.above].some((other) => other.stem === stem));
  });
}

/** It says what something is. */
function isOnly({ verbs }: Clause): boolean {
  return verbs.length > 0 && verbs.every(({ folded }) => /^(?:is|are|was|were|not)$/.test(folded));
}

/** Its verbs but those that stand for many others. */
function firmVerbs({ verbs }: Clause): Token[] {
  return verbs.filter((verb) => weightOf(verb) === 1 && !isGeneral(verb));
}

function otherFiller(
  ours: readonly Token[],
  theirs: readonly Token[],
  unit: Unit,
  { sentences }: Evidence,
  own: ReadonlySet<string>,
  kept: readonly Token[],
  pool: readonly Token[],
): boolean {
  const tells = (token: Token): boolean =>
    weightOf(token) === 1 && !/^\d/.test(token.text) && !isStopWord(token.folded) && !anybody.test(token.folded);
  const told = ours.filter(tells);
  const valued = [...ours, ...theirs].some(({ text }) => /^\d/.test(text));
  const words = told.length > 0 || valued ? told : ours.filter((token) => weightOf(token) > 0);
  const missing = words.filter((token) => !heldBy(token, [...theirs, ...pool], own));
  const displaced = theirs.filter((token) => (tells(token) || told.length === 0) && !kept.some(({ stem }) => stem === token.stem));
  const borrowed = missing.filter((token) =>
    sentences.some(({ stems, passage }) => stems.has(token.stem) || passage.above.some(({ stem }) => stem === token.stem)),
  );
  if (borrowed.length === 0 || displaced.length === 0) return false;
  if (unit.row) return true;
  if (missing.length === words.length)
    return borrowed.length === words.length && !borrowed.every((token) => displaced.some((other) => sameWord(token, other)));
  // "Ann Wu of Acme" for "Li Bo of Acme"
  if (borrowed.some(isNamed) && displaced.some(isNamed)) return true;
  // "the Warsaw cluster" for "the Lisbon cluster"
  return borrowed.some((token) => {
    const head = ours[ours.indexOf(token) + 1];
    const place = head === undefined || !adjacent(token, head) ? -1 : theirs.findIndex((other) => other.stem === head.stem);
    const [rival, other] = [theirs[place - 1], theirs[place]];
    return (
      rival !== undefined &&
      other !== undefined &&
      adjacent(rival, other) &&
      !/\.\p{Lu}/u.test(rival.text) &&
      displaced.includes(rival) &&
      !sameWord(token, rival)
    );
  });
}

function isNamed({ capital, initial }: Token): boolean {
  return capital && !initial;
}

function adjacent(a: Token, b: Token): boolean {
  return b.start - a.end <= 1;
}

/** The source has both words somewhere, so it takes a dictionary, not mere likeness, to make them one. */
function sameWord(a: Token, b: Token): boolean {
  return a.stem === b.stem || related(a.stem, b.stem) || loadLexicon().relation(a.folded, b.folded) === "same";
}

function otherValue(said: Clause, values: readonly Value[], { clause, sentence }: Unit, evidence: Evidence): Mismatch | null {
  const within = (tokens: readonly Token[], { start, end }: Value): boolean =>
    tokens.some((token) => token.start < end && start < token.end);
  const held = [...sentence.values.filter((value) => within(clause.tokens, value) || within(clause.subject, value)), ...sentence.label];
  for (const value of values.filter((one) => within(said.tokens, one))) {
    if (held.some((other) => bears(value, other))) continue;
    const elsewhere = evidence.sentences.some((other) => other.values.some((one) => bears(value, one)));
    const rival = held.find((other) => sameSort(value, other) && !values.some((one) => bears(one, other)));
    if (elsewhere && rival !== undefined)
      return {
        kind: value.kind === "date" || value.kind === "time" ? "date" : "number",
        reason: `${value.text} is said of something else in the source; here it says ${rival.text}`,
      };
  }
  return null;
}

function sameSort(a: Value, b: Value): boolean {
  return a.kind === b.kind && (a.kind !== "quantity" || b.kind !== "quantity" || a.dimension === b.dimension);
}

/* ---- the evidence, clause by clause ---- */

const read = new WeakMap<EvidenceSentence, Clause[]>();

function clausesOf(sentence: EvidenceSentence, tag: Tagger): Clause[] {
  const known = read.get(sentence) ?? clausesIn(sentence.tokens, tag(sentence.text));
  read.set(sentence, known);
  return known;
}

function unitsOf({ sentences }: Evidence, each: readonly number[], tag: Tagger): Unit[] {
  const peak = Math.max(0, ...each);
  const chosen = sentences
    .map((_, at) => at)
    .filter((at) => (each[at] ?? 0) >= REACH * peak && (each[at] ?? 0) > 0)
    .toSorted((a, b) => (each[b] ?? 0) - (each[a] ?? 0))
    .slice(0, MOST_READ);
  return chosen.flatMap((at) => {
    const sentence = sentences[at];
    if (sentence === undefined) return [];
    const row = sentence.tokens.length <= LONGEST_ROW && isRow(sentence.text);
    const clauses = row ? [wholeOf(sentence)] : clausesOf(sentence, tag);
    return clauses.map((clause, index) => {
      const stands = !clause.pronominal ? [] : standsFor(index, at, sentences, tag);
      const subject = clause.subject.length > 0 ? clause.subject : stands;
      const context = [...sentence.passage.above, ...stands, ...namedBefore(clause, index, at, sentences, tag)];
      return { clause, sentence, within: clauses, subject, tokens: wordsOf(clause), context, row };
    });
  });
}

function isRow(text: string): boolean {
  return /\|[^|]+\|/.test(text) || /^[^:;]{1,40}: [^;]+; [^:;]{1,40}: /.test(text);
}

function wholeOf({ tokens }: EvidenceSentence): Clause {
  return {
    tokens: tokens.filter(({ mark }) => !mark),
    subject: [],
    own: false,
    pronominal: false,
    verbs: [],
    passive: false,
    slots: new Map(),
    link: "",
  };
}

/** What "it", or a subject that is left out, may stand for: the subject and object of what goes before, and the title. */
function standsFor(index: number, at: number, sentences: readonly EvidenceSentence[], tag: Tagger): Token[] {
  const sentence = sentences[at];
  if (sentence === undefined) return [];
  const before = sentence.opens ? undefined : sentences[at - 1];
  const earlier = index > 0 ? clausesOf(sentence, tag).slice(0, index) : before === undefined ? [] : clausesOf(before, tag);
  const named = earlier.filter(({ subject }) => subject.length > 0);
  return [...named.flatMap(({ subject, slots }) => [...subject, ...(slots.get("") ?? [])]), ...sentence.passage.above];
}

const none: Token = { text: "", folded: "", stem: "", start: 0, end: 0, capital: false, initial: false, mark: true };

/** What "the vendor", "its limit" and "since then" speak of. */
function namedBefore(clause: Clause, index: number, at: number, sentences: readonly EvidenceSentence[], tag: Tagger): Token[] {
  const sentence = sentences[at];
  if (sentence === undefined) return [];
  const found: Token[] = [];
  const within = clausesOf(sentence, tag).slice(0, index);
  const before = sentence.opens ? [] : sentences.slice(Math.max(0, at - LOOKS_BACK), at).reverse();
  const previous = before[0] === undefined ? [] : clausesOf(before[0], tag);
  if (clause.tokens.some(({ folded }, place) => pronoun.test(folded) && weightOf(clause.tokens[place + 1] ?? none) < 1))
    for (const one of index > 0 ? within : previous) found.push(...one.subject, ...(one.slots.get("") ?? []));
  if (conditional.test(clause.link)) found.push(...within.flatMap(({ subject, tokens }) => [...subject, ...tokens]));
  if (index === 0 && goesOn.test(sentence.text)) for (const one of previous) found.push(...one.tokens);
  const earlier = [...within, ...before.flatMap((one) => clausesOf(one, tag))];
  for (const [place, token] of clause.tokens.entries()) {
    if (!definite.test(token.folded)) continue;
    const noun = clause.tokens.slice(place + 1, place + 4).find((next) => weightOf(next) === 1);
    if (noun === undefined) continue;
    for (const one of earlier)
      for (const list of [one.subject, ...one.slots.values()]) if (list.some(({ stem }) => stem === noun.stem)) found.push(...list);
  }
  return found;
}
