import { holds, interrogative, isAbsent, isContent, type Parsed, placesOf } from "./asking.ts";
import { type Token, weightOf, worded } from "./tokens.ts";

const auxiliaries = /^(?:do|does|did)$/;
const beingWords = /^(?:is|are|was|were|be|been|being|get|gets|got)$/;
export const countWords =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\p{L}+)?|dozens?|hundreds?|thousands?|millions?|billions?|several|single|both|once|twice|no|half|each|every|many|few)$/u;
/** "The last 24 hours", "the top 3": a number that counts is no label. */
const counting =
  /^(?:last|next|past|previous|first|top|only|exactly|roughly|nearly|about|over|under|around|year|january|february|march|april|may|june|july|august|september|october|november|december)$/;
/** Words between a number and what it counts. */
const COUNT_REACH = 5;
/** Words between a noun and its label: "tier 1", "tier: 1", "tiers 1 and 2". */
const LABEL_REACH = 4;
/** Words between "does" and the verb. */
const LONGEST_SUBJECT = 4;
/** Words behind a verb in which its agent follows "by". */
const BY_REACH = 6;

/** Somebody or something that the question is about is not the one that the sentence speaks of, for people; null where none is found. */
export function otherRole(asked: Parsed, said: Parsed, above: readonly Token[]): string | null {
  return (
    byAnother(asked, said) ??
    byNobody(asked, said) ??
    turnedRound(asked, said) ??
    ofAnother(asked, said, above) ??
    uncounted(asked, said) ??
    otherLabel(asked, said, above) ??
    attributeOfNothing(asked, said, above)
  );
}

/** "Described by Aristotle" where the sentence has it by somebody else. */
function byAnother({ tokens: asked }: Parsed, { tokens }: Parsed): string | null {
  for (const [at, by] of asked.entries()) {
    const [verb, name] = [asked[at - 1], asked[at + 1]];
    if (by.folded !== "by" || verb === undefined || name === undefined || !name.capital || !isContent(verb)) continue;
    const agents = placesOf(tokens, verb).map((place) => tokens.slice(place + 1, place + 1 + BY_REACH));
    const others = agents.every((after) => after.slice(0, 3).some(({ folded }) => folded === "by") && !holds(after, name));
    if (agents.length > 0 && others) return `"${verb.text}" is said, but not by ${name.text}`;
  }
  return null;
}

/** "Who disabled the job?" where it only says that the job was disabled. */
function byNobody({ text: question, tokens: asked, kinds }: Parsed, { tokens }: Parsed): string | null {
  const verb = asked[1];
  if (!/^who [a-z]/i.test(question.trim()) || verb === undefined || !isContent(verb) || kinds.get(verb.start) !== "verb") return null;
  const places = placesOf(tokens, verb);
  const isPassive = (place: number): boolean =>
    tokens.slice(Math.max(0, place - 2), place).some(({ folded }) => beingWords.test(folded)) && !byFollows(tokens, place);
  return places.length > 0 && places.every(isPassive) ? `it does not say who ${verb.text}` : null;
}

/**
 * "What does the gateway depend on?" where the gateway only stands behind "depends on", "Who blocks the gateway?" where it only
 * stands before: the sentence tells the other way round.
 */
function turnedRound({ tokens: asked, kinds }: Parsed, { tokens }: Parsed): string | null {
  const open = asked.findIndex(({ folded }) => interrogative.test(folded));
  if (open < 0) return null;
  const isVerb = (token: Token | undefined): token is Token =>
    isContent(token) && weightOf(token) === 1 && kinds.get(token.start) === "verb";
  const isNoun = (token: Token | undefined): token is Token =>
    isContent(token) && (/^(?:noun|proper)$/.test(kinds.get(token.start) ?? "") || /\p{L}[-_]\p{L}/u.test(token.text));
  const helper = asked.findIndex((token, at) => at > open && auxiliaries.test(token.folded));
  if (helper > 0) {
    const at = asked.findIndex((token, place) => place > helper + 1 && isVerb(token));
    const [subject, verb] = [asked[at - 1], asked[at]];
    if (at < 0 || at > helper + LONGEST_SUBJECT || verb === undefined || !isNoun(subject)) return null;
    const [verbs, subjects] = [placesOf(tokens, verb), placesOf(tokens, subject)];
    const behind = verbs.every((place) => subjects.every((one) => one > place) && !byFollows(tokens, place));
    return verbs.length > 0 && subjects.length > 0 && behind
      ? `${subject.text} is what others ${verb.text}, not the other way round`
      : null;
  }
  const verb = asked[open + 1];
  if (!/^(?:who|what)$/.test(asked[open]?.folded ?? "") || !isVerb(verb)) return null;
  const object = asked.slice(open + 2).find(isContent);
  if (!isNoun(object)) return null;
  const [verbs, objects] = [placesOf(tokens, verb), placesOf(tokens, object)];
  const before = verbs.every(
    (place) => objects.every((one) => one < place) && !beingWords.test(tokens[place - 1]?.folded ?? "") && !byFollows(tokens, place),
  );
  return verbs.length > 0 && objects.length > 0 && before ? `${object.text} is what does so, not what it is done to` : null;
}

function byFollows(tokens: readonly Token[], verb: number): boolean {
  return tokens.slice(verb + 1, verb + BY_REACH).some(({ folded }) => folded === "by");
}

/**
 * "A rollback of payments" where the sentence speaks of a rollback, and neither it nor a heading of payments. "Of the game" may be
 * what the whole document is about and is never said.
 */
function ofAnother({ tokens: asked, kinds }: Parsed, { tokens }: Parsed, above: readonly Token[]): string | null {
  for (const [at, of] of asked.entries()) {
    const noun = asked[at - 1];
    if (of.folded !== "of" || !isContent(noun) || !holds(tokens, noun) || asked[at - 2]?.folded === "in") continue;
    const end = asked.findIndex((token, place) => place > at && (!isContent(token) || kinds.get(token.start) === "verb"));
    const whose = asked.slice(at + 1, end < 0 ? asked.length : end);
    if (whose.length > 0 && whose.every((token) => isAbsent(token, tokens, above)))
      return `${noun.text} is spoken of, but not of ${worded(whose)}`;
  }
  return null;
}

/** "How many strokes" where there are strokes, and no number near them. */
function uncounted({ tokens: asked, kinds }: Parsed, { tokens, isRow, kinds: kindOf }: Parsed): string | null {
  if (isRow === true) return null;
  const many = asked.findIndex((token, at) => token.folded === "many" && asked[at - 1]?.folded === "how");
  let at = many + 1;
  while (isContent(asked[at + 1]) && /^(?:noun|proper)$/.test(kinds.get(asked[at + 1]?.start ?? -1) ?? "")) at += 1;
  const noun = asked[at];
  if (many < 0 || !isContent(noun)) return null;
  const places = placesOf(tokens, noun);
  // neither a time of day nor a date counts anything
  const isNumber = ({ text, folded }: Token): boolean => (/\d/.test(text) && !/\d[:-]\d/.test(text)) || countWords.test(folded);
  // "eight label printers" counts no labels
  const isHead = (place: number): boolean => kindOf.get(tokens[place + 1]?.start ?? -1) !== "noun" || tokens[place + 1]?.folded === "per";
  const counted = places
    .filter(isHead)
    .some(
      (place) =>
        tokens.slice(Math.max(0, place - COUNT_REACH), place).some(isNumber) ||
        /\d/.test(tokens[place + 1]?.text ?? "") ||
        (tokens[place + 1]?.mark === true && /\d/.test(tokens[place + 2]?.text ?? "")),
    );
  return places.length > 0 && !counted ? `${noun.text} are not counted` : null;
}

/** "Tier 4" where the sentence has another tier, "p99" where it has no p99. */
function otherLabel({ tokens: asked, kinds }: Parsed, { tokens }: Parsed, above: readonly Token[]): string | null {
  for (const [at, label] of asked.entries()) {
    const noun = asked[at - 1];
    const here = [...tokens, ...above];
    if (/^\p{L}+\d+$/u.test(label.text) && !holds(here, label)) return `not about ${label.text}`;
    if (!/^\d{1,2}$/.test(label.text) || !isContent(noun) || counting.test(noun.folded) || kinds.get(noun.start) === "verb") continue;
    const places = placesOf(here, noun);
    const beside = places.length === 0 ? here : places.flatMap((place) => here.slice(place + 1, place + 1 + LABEL_REACH));
    if (!beside.some(({ text }) => text === label.text)) return `not about ${noun.text} ${label.text}`;
  }
  return null;
}

/** "What licence does it have?" where no licence is spoken of. */
function attributeOfNothing({ text, tokens: asked }: Parsed, { tokens }: Parsed, above: readonly Token[]): string | null {
  const [, word] = /\b(?:what|which) (?:[\p{L}-]+ )?([\p{L}-]+) (?:does|do|did) [^?]{1,60} have\s*\?*\s*$/iu.exec(text) ?? [];
  const noun = asked.find((token) => token.text === word);
  return isContent(noun) && weightOf(noun) === 1 && isAbsent(noun, tokens, above) ? `no ${noun.text} is spoken of` : null;
}
