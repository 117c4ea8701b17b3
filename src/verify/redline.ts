import type { Mismatch } from "./agree.ts";
import { related } from "./align.ts";
import { oppositeOf } from "./antonyms.ts";
import { type Evidence, type EvidenceSentence, stemsOfToken } from "./evidence.ts";
import { pronouns } from "./grammar.ts";
import type { Lexicon } from "./lexicon.ts";
import { bareOfLess, isNegator } from "./polarity.ts";
import { commonOrder, definite, type Edit, editsOf } from "./side-by-side.ts";
import { stemOf, type Token, weightOf, worded } from "./tokens.ts";

/** What of a sentence must stand in one sentence of the source, in the same order, for every other word to be held against it. */
const SAME_WORDS = 0.7;
/** The same for one word that stands in another one's place. */
const SAME_FRAME = 0.55;
/** The same for a verb. */
const VERB_FRAME = 0.8;
/** Fewer words in order are chance. */
const FEWEST = 4;
/** So much of both must be the same words for their order to tell anything. */
const SAME_BAG = 0.85;
/** Words at least this alike may stand for each other though no dictionary says so. */
const ALIKE = 0.55;

interface Words {
  readonly lexicon: Lexicon;
  readonly similar: ((a: string, b: string) => number) | null;
}

/**
 * Reads a sentence that nearly repeats one of the source as an editor would: word by word, what was put in, taken out or put in another
 * one's place. Small words count here as much as great ones: "may" taken out, "only" put in, "after" for "before". Null where the
 * sentence is worded freely, or where some sentence of the source says the same.
 */
export function redlined(tokens: readonly Token[], evidence: Evidence, words: Words | null): Mismatch | null {
  const claim = tokens.filter(({ mark }) => !mark);
  let wrong: { readonly found: Mismatch; readonly share: number } | null = null;
  let agreed = 0;
  const apart = tokens.some(({ text }) => text === ";") ? evidence.sentences : evidence.sentences.flatMap(clausesOf);
  for (const sentence of apart) {
    const source = sentence.tokens.filter(({ mark }) => !mark);
    const pairs = commonOrder(claim, source);
    const share = pairs.length / Math.max(1, claim.length);
    if (pairs.length < Math.min(FEWEST, claim.length - 1) || share < SAME_FRAME) continue;
    const found = judged(editsOf(claim, source, pairs), claim, sentence, evidence, words, share);
    if (found === null) agreed = Math.max(agreed, share);
    else if (share > (wrong?.share ?? 0)) wrong = { found, share };
  }
  // a sentence that repeats as much of it and says the same
  return wrong === null || agreed >= wrong.share ? null : wrong.found;
}

/** What stands between semicolons says something for itself. */
function clausesOf(sentence: EvidenceSentence): EvidenceSentence[] {
  if (!sentence.tokens.some(({ text }) => text === ";")) return [sentence];
  const clauses: Token[][] = [[]];
  for (const token of sentence.tokens) {
    if (token.text === ";") clauses.push([]);
    else clauses.at(-1)?.push(token);
  }
  return clauses.map((tokens) => ({ ...sentence, tokens }));
}

/** A quote that leaves out the condition which its sentence makes: "it stays so" of "it stays so, unless it is touched". */
export function cutShort(tokens: readonly Token[], evidence: Evidence): Mismatch | null {
  const found = redlined(tokens, evidence, null);
  return found?.kind === "hedge" ? found : null;
}

function judged(
  edits: readonly Edit[],
  claim: readonly Token[],
  sentence: EvidenceSentence,
  evidence: Evidence,
  words: Words | null,
  share: number,
): Mismatch | null {
  const close = share >= SAME_WORDS;
  if (close) {
    const operator = operatorChanged(edits, claim, sentence);
    if (operator !== null) return operator;
  }
  if (words === null) return null;
  const gone = new Set(edits.flatMap(({ held }) => held.filter(tells).map(({ stem }) => stem)));
  const turned = edits.some(({ said }) => said.some((token) => tells(token) && gone.has(token.stem)));
  for (const edit of edits.map((one) => withinClause(one, sentence))) {
    const wrong = opposed(edit, claim, sentence, words, turned) ?? replaced(edit, claim, sentence, evidence, words, share);
    if (wrong !== null) return wrong;
  }
  return close ? (movedApart(edits, claim, sentence) ?? saidOfAnother(edits, sentence, evidence)) : null;
}

/* ---- small words that turn what is said ---- */

/** Said as possible, supposed or wanted. */
const hedge =
  /^(?:may|might|could|possibly|perhaps|probably|presumably|apparently|supposedly|allegedly|reportedly|likely|maybe|potentially|expected|planned|supposed|intended)$/;
/** What else is as careful. */
const careful = /^(?:can|would|should|plans?|expects?|seems?|appears?|sometimes|unclear|possible|chance|risk)$/;
const whole = /^(?:all|every|everyone|everything|always|entire|whole|completely|entirely|certainly)$/;
const wholeLike =
  /^(?:all|every|each|any|everyone|everything|always|entire|whole|completely|entirely|certainly|both|no|none|never|only|constantly|fully|without|anyone|nobody)$/;
const part =
  /^(?:some|many|most|several|few|often|usually|sometimes|generally|typically|frequently|commonly|mainly|mostly|partly|occasionally)$/;
const only = /^(?:only|solely|exclusively)$/;
const onlyLike = /^(?:only|solely|exclusively|just|sole|single|alone|unique|never|no|nobody|but|unless|except|one)$/;
const duty = /^(?:must|shall)$/;
const dutyLike = /^(?:must|shall|always|has|have|need|needs|required|requires|mandatory)$/;
const leave = /^(?:may|can|could|might|should)$/;
const condition = /^(?:if|unless|except|provided)$/;
const conditionLike = /^(?:if|unless|except|provided|when|whenever|where|until|without|only|should|once)$/;
/** Where a part of the source's sentence begins that says something for itself. */
const joint = /^(?:but|while|whereas|although|though|which)$/;

function operatorChanged(edits: readonly Edit[], claim: readonly Token[], sentence: EvidenceSentence): Mismatch | null {
  const ours = claim;
  const reached = edits.map((edit) => inReach(edit, sentence));
  const out = new Set(edits.flatMap(({ held }, at) => held.filter((token) => !(reached[at] ?? []).includes(token))));
  const theirs = sentence.tokens.filter((token) => !token.mark && !out.has(token));
  const count = (list: readonly Token[], ...shapes: readonly RegExp[]): number =>
    list.filter(({ folded, capital, initial }) => shapes.some((shape) => shape.test(folded)) && !(capital && !initial)).length;
  const first = (list: readonly Token[], shape: RegExp): Token | undefined => list.find((token) => count([token], shape) > 0);

  for (const [at, edit] of edits.entries()) {
    const { said } = edit;
    const held = withinClause(edit, sentence).held;
    const [all, some] = [first(said, whole), first(held, part)];
    if (all !== undefined && (some !== undefined || count(ours, whole) > count(theirs, wholeLike)))
      return { kind: "quantifier", reason: `"${all.text}" is not in the source${some === undefined ? "" : `, which says "${some.text}"`}` };
    const sole = first(said, only);
    if (sole !== undefined && count(theirs, onlyLike) === 0) return { kind: "quantifier", reason: `"${sole.text}" is not in the source` };
    const must = first(said, duty);
    if (must !== undefined && (count(held, leave) > 0 || count(theirs, dutyLike) === 0))
      return { kind: "hedge", reason: `"${must.text}" is not in the source` };
    const unsure = first(held, hedge);
    if (unsure !== undefined && count(said, hedge, careful) === 0 && count(ours, hedge) < count(theirs, hedge))
      return { kind: "hedge", reason: `the source says so only with "${unsure.text}"` };
    const when = first(reached[at] ?? [], condition);
    if (when !== undefined && count(ours, conditionLike) < count(theirs, condition))
      return { kind: "hedge", reason: `the source says so only with "${when.text} …"` };
    const [denies, denied] = [said.filter(isDenial), held.filter(isDenial)];
    if (
      (denies.length + denied.length) % 2 === 1 &&
      ours.filter(isDenial).length !== theirs.filter(isDenial).length &&
      !turnsBack(said, held)
    )
      return {
        kind: "negation",
        reason: `${denies[0] === undefined ? "the source denies it" : "the source does not deny it"}: "${(denies[0] ?? denied[0])?.text}"`,
      };
  }
  return null;
}

function isDenial(token: Token): boolean {
  return (
    /^(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|hardly|barely|scarcely|rarely|seldom)$/.test(token.folded) ||
    /n['’]t$/.test(token.text)
  );
}

/** "Not possible" for "impossible", "fails to start" for "does not start". */
function turnsBack(said: readonly Token[], held: readonly Token[]): boolean {
  const turns = (list: readonly Token[]): boolean =>
    list.some((token) => (isNegator(token) && !isDenial(token)) || bareOfLess(token.folded) !== null);
  return turns(said) || turns(held) || said.some((ours) => held.some((theirs) => oppositeOf(ours.stem, new Set([theirs.stem])) !== null));
}

/** What was taken out of the clauses that the sentence repeats: a whole clause that it leaves out at either end is no change. */
function inReach({ held, opens, ends }: Edit, { tokens }: EvidenceSentence): readonly Token[] {
  if (!opens && !ends) return held;
  const marks = tokens.filter(({ text }) => /^[;:(–—]$/.test(text)).map(({ start }) => start);
  const apart = (a: Token | undefined, b: Token | undefined): boolean =>
    (a !== undefined && b !== undefined && marks.some((at) => a.end <= at && at < b.start)) || joint.test(b?.folded ?? "");
  if (ends) {
    const cut = held.findIndex((token, at) => (at === 0 ? joint.test(token.folded) : apart(held[at - 1], token)));
    return cut < 0 ? held : held.slice(0, cut);
  }
  const cut = held.findLastIndex((token, at) => at > 0 && apart(held[at - 1], token));
  return cut < 0 ? held : held.slice(cut);
}

/* ---- words in each other's place ---- */

const clauseJoint = /^(?:and|but|or|which|who|while|because|so|if|unless|when|after|before)$/;
const preposition = /^(?:of|in|on|at|by|for|with|from|to|across|into|under|over|as|during)$/;

/** At either end the source may go on: only as much of it is held against the sentence as meets it. */
function withinClause(edit: Edit, { tokens }: EvidenceSentence): Edit {
  const { said, held, opens, ends } = edit;
  const marks = tokens.filter((token) => token.mark).map(({ start }) => start);
  if (!opens && !ends) {
    // "the abbey, built on rock, stood": what is put between commas is not in the word's place
    const cut = held.findIndex((token, at) => at > 0 && marks.some((mark) => (held[at - 1]?.end ?? 0) <= mark && mark < token.start));
    return cut < 0 || said.length === 0 ? edit : { ...edit, held: held.slice(0, cut) };
  }
  const apart = (a: Token | undefined, b: Token | undefined): boolean =>
    a !== undefined && b !== undefined && (marks.some((at) => a.end <= at && at < b.start) || clauseJoint.test(b.folded));
  if (ends) {
    const short = !said.some(({ folded }) => preposition.test(folded));
    const end = held.findIndex((token, at) =>
      at === 0
        ? said.length === 0 && clauseJoint.test(token.folded)
        : apart(held[at - 1], token) || (short && preposition.test(token.folded)),
    );
    return end < 0 ? edit : { ...edit, held: held.slice(0, end) };
  }
  const start = held.findLastIndex((token, at) => at > 0 && apart(held[at - 1], token));
  return start < 0 ? edit : { ...edit, held: held.slice(clauseJoint.test(held[start]?.folded ?? "") ? start + 1 : start) };
}

/** The stretch has the opposite of what the source has there, and nothing denies it. */
function opposed(
  { said, held }: Edit,
  claim: readonly Token[],
  sentence: EvidenceSentence,
  { lexicon }: Words,
  turned: boolean,
): Mismatch | null {
  const own = new Set(claim.map(({ stem }) => stem));
  const denied = [...said, ...held].filter(isDenial).length;
  if (denied % 2 === 1) return null;
  const one = said.find(
    ({ folded }, at) =>
      folded === "one" && !measured.test(said[at + 1]?.folded ?? claim[claim.indexOf(said[at] as Token) + 1]?.folded ?? ""),
  );
  const several = held.find(({ folded }) => /^(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)$/.test(folded));
  if (one !== undefined && several !== undefined && !sentence.stems.has("one"))
    return { kind: "number", reason: `"one" is not in the source, which says "${several.text}"` };
  for (const ours of said) {
    if (sentence.stems.has(ours.stem)) continue;
    for (const theirs of held) {
      if (own.has(theirs.stem) || [ours, theirs].some(({ capital, initial }) => capital && !initial)) continue;
      if (!opposite(ours, theirs, lexicon)) continue;
      // "beginners liked it less than others", "others liked it more than beginners"
      if (comparative.test(ours.folded) && turned) continue;
      return { kind: "opposite", reason: `"${ours.text}" is not in the source, which says "${theirs.text}"` };
    }
  }
  return null;
}

/** Compared as a value, with its unit. */
const measured = /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?)$/;

const exclusive: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:before|until|till|prior)$/, /^(?:after|since|following|once)$/],
  [/^(?:to|into|onto)$/, /^(?:from|off)$/],
  [/^(?:above|over|exceeds?|exceeding)$/, /^(?:below|under|beneath)$/],
  [/^(?:earlier|previous|previously)$/, /^(?:later|next|subsequent|subsequently|afterwards)$/],
  [/^(?:early|early-\w+)$/, /^late$/],
  [/^preceded$/, /^followed$/],
  [/^(?:more|greater|higher|larger|longer|faster|better|most)$/, /^(?:less|fewer|lower|smaller|shorter|slower|worse|least)$/],
  [/^up$/, /^down$/],
  [/^in$/, /^(?:out|outside)$/],
  [/^with$/, /^without$/],
  [/^once$/, /^(?:many|often|repeatedly|several|twice|multiple)$/],
];

/** How often, and units behind "every", "per" or "a". */
const rates = /^(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual|annually)$/;
const spans = /^(?:second|minute|hour|day|night|week|month|quarter|year)$/;
const comparative = /^(?:more|less|fewer|\p{L}+er|most|least)$/u;

function opposite(a: Token, b: Token, lexicon: Lexicon): boolean {
  if (a.folded !== b.folded && ((rates.test(a.folded) && rates.test(b.folded)) || (spans.test(a.folded) && spans.test(b.folded))))
    return true;
  if (exclusive.some(([one, other]) => (one.test(a.folded) && other.test(b.folded)) || (one.test(b.folded) && other.test(a.folded))))
    return true;
  if (weightOf(a) < 1 || weightOf(b) < 1) return false;
  return oppositeOf(a.stem, new Set([b.stem])) !== null || lexicon.relation(a.folded, b.folded) === "opposite";
}

/** Verbs that stand for many others. */
const general = new Set(
  (
    "perform undertake offer contain provide have include give get make do carry conduct hold keep take appear show see " +
    "become serve run work begin use need allow enable support handle receive obtain create produce consist feature exist " +
    "occur happen find say tell call name come go bring put set turn lie stand live remain stay change help want mean apply " +
    "involve require add start play star win move form reach cause lead follow result base locate"
  )
    .split(" ")
    .map(stemOf),
);

/** A verb that stands for many others: "went", "has", "coming". */
export function isGeneral({ stem }: Token): boolean {
  return general.has(stem);
}

/**
 * One word of content, or two side by side, in the place of as many others that no dictionary knows as the same. Verbs have too many
 * others that say the same: they count only where all but them is repeated.
 */
function replaced(
  { said, held, opens }: Edit,
  claim: readonly Token[],
  { stems }: EvidenceSentence,
  { titleStems }: Evidence,
  { lexicon, similar }: Words,
  share: number,
): Mismatch | null {
  const own = new Set(claim.flatMap(stemsOfToken));
  const [ours, theirs] = [said.filter(tells), held.filter(tells)];
  // "the abbey" for "the railway station"
  const compound = ours.length === 1 && theirs.length === 2 && held.length === 2;
  if (ours.length === 0 || (ours.length !== theirs.length && !compound) || ours.length > 2) return null;
  const strict = (said.length === held.length || (compound && said.length === 1)) && !opens;
  if (!strict && (share < SAME_WORDS || ours.length > 1 || said.length > 3 || held.length > 3)) return null;
  if (held.some(({ folded }) => pronouns.has(folded)) || [...ours, ...theirs].some(({ capital, initial }) => capital && !initial))
    return null;
  if (ours.some((token) => stemsOfToken(token).some((stem) => stems.has(stem) || (opens && titleStems.has(stem))))) return null;
  if (theirs.some(({ stem }) => own.has(stem))) return null;
  const strange = ours.every((word) =>
    theirs.every((other) => {
      if (isGeneral(word) || isGeneral(other) || related(word.stem, other.stem)) return false;
      if ((similar?.(word.folded, other.folded) ?? 0) >= ALIKE) return false;
      const relation = lexicon.relation(word.folded, other.folded);
      if (relation === "unknown") return ours.length > 1;
      const kind = lexicon.kind(word.folded, other.folded);
      return kind !== null && (kind !== "verb" || share >= (strict ? SAME_WORDS : VERB_FRAME)) && relation === "apart";
    }),
  );
  return strange ? { kind: "word", reason: `"${worded(ours)}" is not in the source, which says "${worded(theirs)}" in its place` } : null;
}

/** A word of content that is no number. */
function tells(token: Token): boolean {
  return weightOf(token) === 1 && !/\d/.test(token.folded) && !inValues.test(token.folded);
}

/** Compared as values. */
const inValues =
  /^(?:(?:milli|micro)?sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|months?|years?|percent|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|\p{L}+ty|hundred|thousand|million|first|second|third)$/u;

/* ---- words moved ---- */

const lead =
  /^(?:after|before|because|since|when|while|if|unless|although|though|in|on|at|by|with|without|for|from|to|during|as|until|under|over|through|according|then|also|however|therefore|thus|later|now|today)$|ly$/;

/** The same words, some in another place: a clause may be put first, a name or noun in the place of another one says something else. */
function movedApart(edits: readonly Edit[], claim: readonly Token[], { tokens }: EvidenceSentence): Mismatch | null {
  const source = tokens.filter(({ mark }) => !mark);
  // a clause or phrase put first, or put back
  const fronted = [claim[0], source[0]].map(
    (token) =>
      token !== undefined && lead.test(token.folded) && [claim, source].every((list) => list.some(({ stem }) => stem === token.stem)),
  );
  if (fronted[0] !== fronted[1]) return null;
  if (claim.some(({ folded }) => folded === "by") !== source.some(({ folded }) => folded === "by")) return null;
  const gone = edits.flatMap(({ held }) => held);
  const moved = edits.map(({ said }) => said.filter((token) => tells(token) && gone.some(({ stem }) => stem === token.stem)));
  const count = moved.reduce((sum, list) => sum + list.length, 0);
  const added = edits.flatMap(({ said }) => said).filter(tells).length;
  // worded otherwise as well: nothing can be told from the order
  const kept = claim.length - edits.reduce((sum, { said }) => sum + said.length, 0) + count;
  if (count === 0 || added > count || kept < SAME_BAG * claim.length || kept < SAME_BAG * source.length) return null;
  for (const [at, list] of moved.entries()) {
    const [first] = list;
    const said = edits[at]?.said ?? [];
    if (first === undefined || said.some(({ folded }) => lead.test(folded) || folded === "and" || folded === "or")) continue;
    if (
      /['’]s?$/.test(first.text) ||
      before(claim, said[0] ?? first, lead) ||
      before(source, gone.find(({ stem }) => stem === first.stem) ?? first, /^(?:and|or|with|of)$/)
    )
      continue;
    return { kind: "direction", reason: `"${worded(list)}" stands in another place in the source` };
  }
  return null;
}

/* ---- the predicate of something else ---- */

/** All but its subject is repeated, and the source has another subject there, neither a pronoun nor "the …". */
function saidOfAnother([first]: readonly Edit[], sentence: EvidenceSentence, { titleStems, sentences }: Evidence): Mismatch | null {
  if (first === undefined || !first.opens) return null;
  const { said, held } = withinClause(first, sentence);
  const [ours, theirs] = [said.filter(tells), held.filter(tells)];
  if (ours.length === 0 || theirs.length === 0 || held.some(({ folded }) => pronouns.has(folded))) return null;
  const place = sentences.indexOf(sentence);
  const around = [sentence, sentences[place - 1]].flatMap((one) => (one === undefined ? [] : [...one.stems]));
  const known = new Set(definite.test(held[0]?.folded ?? "") ? [...titleStems, ...around] : [...sentence.stems]);
  if (ours.some((token) => stemsOfToken(token).some((stem) => known.has(stem)))) return null;
  if (ours.some((token) => theirs.some((other) => related(token.stem, other.stem)))) return null;
  return { kind: "word", reason: `the source says this of "${worded(held)}", not of "${worded(said)}"` };
}

function before(tokens: readonly Token[], token: Token, shape: RegExp): boolean {
  const at = tokens.indexOf(token);
  return at > 0 && shape.test(tokens[at - 1]?.folded ?? "");
}
