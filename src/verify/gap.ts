import { related } from "./align.ts";
import { calendarWord, holds, interrogative, isAbsent, isContent, type Parsed, placesOf } from "./asking.ts";
import { loadLexicon } from "./lexicon.ts";
import { countWords } from "./roles.ts";
import { isSpokenOf } from "./spoken.ts";
import { type Token, weightOf } from "./tokens.ts";

/** Words of content of a short question, and the share of them that may not all be left out. */
const SHORT = 4;
const MOSTLY = 0.6;

/** Verbs that say little: what somebody did to it may be told in many others. */
export const general =
  /^(?:be|is|do|compare|have|has|give|get|make|made|take|took|provide|use|call|name|become|became|mean|refer|describe|occur|happen|cause|lead|led|show|find|found|define|state|include|contain|consist|hold|held|keep|kept|allow|need|require|want|work|run|ran|see|saw|receive|associate|consider|identify|represent|appear|exist|begin|began|start|come|came|go|went|play|serve|locate|base|live|determine|regard|view|express|credit|involve|apply|belong|stand|tell|say|know|set|put|help|change|move|form|develop|introduce|produce|cost|last|wait|look|there)(?:s|d|es|ed|ing)?$/;
/** Verbs that say no more than that there is what stands after them. */
const carrying = /^(?:raise|trigger|throw|issue|sound|fire|send|open|file|write|emit|return|report)(?:s|d|es|ed|ing)?$/;
/** What is answered by one of its kind: a name, a number, a time. */
const kinds =
  /^(?:thing|kind|type|sort|name|term|word|title|number|amount|percentage|percent|share|proportion|year|day|date|time|month|week|hour|minute|second|century|decade|part|reason|way|place|location|person|people|city|country|state|continent|company|organi[sz]ation|event|group|team)s?$/;
const reasons =
  /\b(?:because|since|as|due|so|therefore|thus|hence|reasons?|caus\w+|result\w*|le(?:d|ads?|ading)|enabl\w+|allow\w*|prevent\w*|avoid\w*|otherwise|cannot|fail\w*|lack\w*|missing|without|too|not|nobody|no|never|in order|after|when|if|until|would|means?|expired|broke\w*|wrong|to \p{L}{3,})\b|n['’]t\b/iu;
const places =
  /\b(?:in|at|on|near|under|below|above|inside|outside|behind|beside|between|within|into|onto|from|through|along|across|around|beneath|over|next to|here|there|where|to)\b|[/\\]\w|https?:|#\w/i;

/** "On 9 March", "at 10:00", "from Monday to Friday": a preposition that leads to a time. */
const timed =
  /\b(?:in|at|on|from|to|between|within|through|around|over|into)\s+(?:the\s+|about\s+|early\s+|late\s+)?(?:\d[\d:.,-]*|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/gi;
const attributeAsked = /^what (?:is|are|was|were) the\b/;

/**
 * What of a question a sentence leaves open though it speaks of the same: of what the number is, what was done, why, where, or of which
 * one of several. For people; null where nothing of the kind is found.
 */
export function gapOf(asked: Parsed, said: Parsed, above: readonly Token[]): string | null {
  const open = openingOf(asked);
  const head = counted(asked) ?? (attributeAsked.test(open) ? headOf(asked) : null);
  if (head !== null && isUnlike(asked, head, said, above)) return `${head.text} are not spoken of`;
  // the columns of a table stand for what their numbers do
  if (
    (said.isRow !== true || !/^how m/.test(open)) &&
    /^(?:who|whom|when|where|how long|how often|how many|how much|(?:what|which) (?:year|day|date|time|month))\b/.test(open)
  ) {
    const deed = deedOf(asked);
    if (deed !== null && isUnlike(asked, deed, said, above)) return `nothing is said of "${deed.text}"`;
  }
  const content = asked.tokens.filter(
    (token) =>
      isContent(token) && weightOf(token) === 1 && !general.test(token.folded) && !kinds.test(token.folded) && !/\d/.test(token.text),
  );
  const unlike = content.filter((token) => isUnlike(asked, token, said, above));
  if (content.length <= SHORT && unlike.length > 1 && unlike.length >= MOSTLY * content.length) return "it hardly speaks of what is asked";
  if (/^why\b/.test(open) && !reasons.test(said.text)) return "it gives no reason";
  if (/^where\b/.test(open) && !places.test(said.text.replace(timed, "")) && !namesPlace(said, asked)) return "it names no place";
  return namesNone(asked, said, open) ?? unsaidInGerman(asked, said) ?? perAnother(asked, said, above) ?? ofOtherKind(asked, said, above);
}

/** "Which provider was it?" where the sentence speaks of providers and names none: nothing beside the word tells one from the others. */
function namesNone(asked: Parsed, { text, tokens, kinds: kindOf }: Parsed, open: string): string | null {
  const head = /^which\b/.test(open) ? headOf(asked) : null;
  if (head === null) return null;
  const places = placesOf(tokens, head);
  const isName = (token: Token | undefined): boolean =>
    token !== undefined &&
    !holds(asked.tokens, token) &&
    !calendarWord.test(token.folded) &&
    ((token.capital && !token.initial && isContent(token)) || /\d|[-_.:/]\p{L}/u.test(token.text) || kindOf.get(token.start) === "proper");
  const told = places.some((at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    // "clusters: a, b", "the scope `read`", "currencies are …", "the Dublin region", "an older region"
    if (
      /^\s*[`"“(:–—]/.test(text.slice(tokens[at]?.end)) ||
      /^(?:is|are|was|were|called|named|such|like|include|includes)$/.test(after?.folded ?? "")
    )
      return true;
    return (
      (isName(before) && !/^[\d.,]+$/.test(before?.text ?? "")) ||
      isName(after) ||
      (isContent(before) &&
        !countWords.test(before.folded) &&
        !holds(asked.tokens, before) &&
        weightOf(before) === 1 &&
        !/\d/.test(before.text))
    );
  });
  return places.length > 0 && !told ? `it does not say which ${head.text}` : null;
}

/** "Was hat es gekostet?" where nothing of the kind is said: the participle that ends a question in German. */
function unsaidInGerman({ text: question }: Parsed, { text }: Parsed): string | null {
  const [, participle = ""] =
    /^(?:was|wer|wen|wem|wann|wo|wie|warum|welche[rsn]?)\b.*\s(ge\p{Ll}{4,}(?:t|en))\s*\?*\s*$/iu.exec(question.trim()) ?? [];
  if (participle === "") return null;
  const root = participle.slice(2, 6).replace(/(?:en|t)$/, "");
  return text.toLowerCase().includes(root) ? null : `nothing is said of "${participle}"`;
}

/** "Per month" where the sentence has it per day. */
function perAnother({ tokens: asked }: Parsed, { tokens }: Parsed, above: readonly Token[]): string | null {
  const unit = asked[asked.findIndex(({ folded }) => folded === "per") + 1];
  const other = tokens[tokens.findIndex(({ folded }) => folded === "per") + 1];
  if (asked[0] === unit || unit === undefined || !isAbsent(unit, tokens, above)) return null;
  return tokens[0] === other || other === undefined
    ? `it says nothing per ${unit.text}`
    : `it says so per ${other.text}, not per ${unit.text}`;
}

/** What is asked for and not spoken of, by any word like it; null where it is, or where it is answered by a name. */
export function unsaidOf(asked: Parsed, said: Parsed, above: readonly Token[]): string | null {
  const [head, deed] = [headOf(asked), deedOf(asked)];
  for (const token of [head, deed]) if (token !== null && isUnlike(asked, token, said, above)) return token.text;
  return null;
}

export function openingOf({ tokens, text }: Parsed): string {
  const from = tokens.findIndex(({ folded }) => interrogative.test(folded));
  return from < 0 ? "" : text.slice(tokens[from]?.start).toLowerCase();
}

/** What the question wants done ("how do I stop it"), where neither sentence, headings nor passage have a word like it. */
export function undone(asked: Parsed, said: Parsed, around: readonly Token[]): boolean {
  const deed = deedOf(asked);
  return deed !== null && /^how (?:do|can|should|to|could|would)\b/.test(openingOf(asked)) && isUnlike(asked, deed, said, around);
}

function isUnlike(asked: Parsed, token: Token, { tokens }: Parsed, above: readonly Token[]): boolean {
  return !isSpokenOf(token, [...tokens, ...above], asked.tokens);
}

/** "How many clinics", "how much revenue": what is counted. */
function counted({ tokens, kinds: kindOf }: Parsed): Token | null {
  const at = tokens.findIndex(({ folded }, place) => folded === "how" && /^(?:many|much)$/.test(tokens[place + 1]?.folded ?? ""));
  return at < 0 ? null : nounFrom(tokens.slice(at + 2), kindOf);
}

/** "Which port", "how many open tickets", "what is the notice period of": the noun that says what is asked for. */
function headOf(asked: Parsed): Token | null {
  const { tokens, kinds: kindOf } = asked;
  const at = tokens.findIndex(({ folded }) => /^(?:what|which)$/.test(folded));
  if (at < 0) return counted(asked);
  const being = /^(?:is|are|was|were)$/.test(tokens[at + 1]?.folded ?? "") && tokens[at + 2]?.folded === "the";
  const named = nounFrom(tokens.slice(being ? at + 3 : at + 1), kindOf);
  if (!being || named === null) return named;
  return /^(?:of|for|in|on)$/.test(tokens[tokens.indexOf(named) + 1]?.folded ?? "") ? named : null;
}

function nounFrom(tokens: readonly Token[], kindOf: Parsed["kinds"]): Token | null {
  const nouns: Token[] = [];
  for (const token of tokens) {
    const kind = kindOf.get(token.start);
    if (token.mark || kind === undefined || kind === "verb" || !isContent(token)) break;
    if (kind !== "adjective") nouns.push(token);
  }
  const head = nouns.at(-1) ?? null;
  // a "phone number" is asked for by "phone"
  return head !== null && kinds.test(head.folded) ? (nouns.at(-2) ?? null) : head;
}

/** The first verb that says something: what somebody did, or what happens to what is asked about. */
export function deedOf({ tokens, kinds: kindOf }: Parsed): Token | null {
  const verb = tokens.find((token) => kindOf.get(token.start) === "verb" && isContent(token) && weightOf(token) === 1);
  if (verb === undefined || general.test(verb.folded)) return null;
  // "raise an alarm", "send a mail": what is done is told by the noun
  const [article, noun] = tokens.slice(tokens.indexOf(verb) + 1);
  return carrying.test(verb.folded) && /^an?$/.test(article?.folded ?? "") && isContent(noun) ? noun : verb;
}

function namesPlace({ tokens }: Parsed, { tokens: asked }: Parsed): boolean {
  return tokens.some(
    (token) => token.capital && !token.initial && isContent(token) && !calendarWord.test(token.folded) && !holds(asked, token),
  );
}

/** Little words that German sentences hold and English ones do not. */
const german = /\b(?:ist|sind|eine?[nmrs]?|der|das|dem|wird|werden|für|nicht|zum|zur)\b/i;

/** All of the question is said but the word before one noun, and the noun has another word there: "monthly backups", "full backups". */
function ofOtherKind({ text: question, tokens: asked, kinds: kindOf }: Parsed, { tokens }: Parsed, above: readonly Token[]): string | null {
  if (german.test(question)) return null; // the tagger knows no German
  const missing = asked.filter((token) => isContent(token) && weightOf(token) === 1 && isAbsent(token, tokens, above));
  const [modifier] = missing;
  if (missing.length !== 1 || modifier === undefined) return null;
  const noun = asked[asked.indexOf(modifier) + 1];
  // "audit logs": a verb elsewhere
  if (kindOf.get(modifier.start) === "verb" && noun !== undefined && loadLexicon().kind(modifier.folded, noun.folded) !== "noun")
    return null;
  if (!isContent(noun) || !/^(?:noun|proper)$/.test(kindOf.get(noun.start) ?? "")) return null;
  const places = placesOf(tokens, noun);
  const others = places.map((at) => tokens[at - 1]);
  const isOther = (token: Token | undefined): boolean =>
    isContent(token) &&
    weightOf(token) === 1 &&
    !holds(asked, token) &&
    !related(modifier.stem, token.stem) &&
    loadLexicon().relation(modifier.folded, token.folded) !== "same";
  return places.length > 0 && others.every(isOther) ? `it speaks of ${others[0]?.text} ${noun.text}, not of ${modifier.text} ones` : null;
}
