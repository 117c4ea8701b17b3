import { findIdentifiers, identifierTokens } from "../core/identifiers.ts";
import { calendars, negatingPrefixes, oppositesBy } from "../core/opposites.ts";
import { stem } from "../core/stem.ts";
import { foldWord, isStopWord, terms } from "../core/words.ts";

/** What kind of thing would answer: decides which of two near sentences is the better one. */
export type AnswerType = "person" | "time" | "number" | "procedure" | "account" | "definition" | "any";

/** A question taken apart: what it asks for, and what a sentence that answers it must agree with. */
export interface ReadQuestion {
  /** Content words, stemmed, without repeats. */
  readonly terms: readonly string[];
  /** All words, stemmed, function words too. */
  readonly words: ReadonlySet<string>;
  readonly rawWords: ReadonlySet<string>;
  readonly years: readonly string[];
  readonly negated: boolean;
  /** Names (capitalised inside the sentence) and numbers: without them in its passage a sentence is about something else. */
  readonly must: readonly string[];
  /** Ticket keys, shas, versions, file names, folded. */
  readonly identifiers: readonly string[];
  readonly type: AnswerType;
  /** What follows "before" and "after", by the word's stem. */
  readonly timed: ReadonlyMap<string, readonly string[]>;
  /** Verbs of the question with what stands behind them as one word, and the terms that it stands for. */
  readonly joined: ReadonlyMap<string, readonly string[]>;
  /** What a sentence has to speak of where the question asks for a role in an event: "who reviewed …", "who is on call …". */
  readonly role: RegExp | null;
}

const roles: readonly (readonly [RegExp, RegExp])[] = [
  [/\bon[- ]?call\b|\bon duty\b/i, /\bon[- ]?call\b|\bon duty\b|\bpag(?:e[ds]?|ing|er)\b|\brotas?\b|\bcall/i],
  [/\bwho (?:has |have |had )?(?:reviewed|approved)\b/i, /\breview(?:ed|ers?)\b|\bapprov(?:ed|ers?)\b/i],
];

const oppositeIn = oppositesBy(stem);

/** Words about the asking, not about what is asked. */
const frame = new Set(
  [
    "say",
    "said",
    "tell",
    "told",
    "describe",
    "explain",
    "summarise",
    "summarize",
    "mention",
    "show",
    "give",
    "list",
    "please",
    "know",
    "written",
  ].map(stem),
);

/** What a question asks the negative of: "without" only says which one is meant. */
const asksNegated = /\b(?:not|never|no|none|cannot|neither|nor|nothing|nobody|non)\b|n['’]t\b/i;
export const negation = /\b(?:not|never|no|none|cannot|neither|nor|without|nothing|nobody|non)\b|n['’]t\b/i;

export function readQuestion(question: string): ReadQuestion {
  const words = question.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? [];
  const identifiers = identifierTokens(question);
  const inIdentifier = new Set(findIdentifiers(question).flatMap(({ text }) => terms(text)));
  const names = words.slice(1).filter((word) => /^\p{Lu}/u.test(word) && !isStopWord(foldWord(word)));
  // years, ports, amounts; "the last 48 hours" and "3 steps" are wishes, not names
  const numbers = question.match(/(?<![\p{L}\p{N}])(?:\d{3,}|\d+[.,]\d+)(?:[.,]\d+)*(?![\p{L}\p{N}])/gu) ?? [];
  const must = new Set([...names.flatMap(terms), ...numbers.flatMap(terms)].filter((term) => !inIdentifier.has(term)));
  const all = [...new Set(terms(question))];
  const content = all.filter((term) => !frame.has(term));
  return {
    terms: content.length > 0 ? content : all,
    // "how many" and "how long" hold no "many" and no "long" that a sentence could contradict
    words: stems(question.replace(/\b(how) (?:many|much|long|often|far|old|fast|high|large|big|tall|soon)\b/gi, "$1")),
    rawWords: rawWords(question),
    years: yearsOf(question),
    negated: asksNegated.test(question),
    must: [...must],
    identifiers,
    type: typeOf(question.toLowerCase()),
    timed: timedIn(question),
    joined: joinedOf(question),
    role: roles.find(([asks]) => asks.test(question))?.[1] ?? null,
  };
}

function joinedOf(question: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [both, verb = "", particle = ""] of question.matchAll(particled))
    found.set(stem(`${stem(foldWord(verb))}${particle.toLowerCase()}`), terms(both));
  // "how do I rollback X?" is answered below "Rolling back X"
  for (const term of terms(question)) if (!found.has(term)) found.set(term, [term]);
  return found;
}

function rawWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]+/g) ?? []);
}

function yearsOf(text: string): string[] {
  return text.match(/(?<![\d.-])(?:1[5-9]|20)\d\d(?![\d.]*\d)/g) ?? [];
}

function stems(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[a-z]+/g) ?? []).map(stem));
}

function typeOf(question: string): AnswerType {
  if (/^(?:who|whom|whose)\b|\bwho(?:se|m)?\b/.test(question)) return "person";
  if (/(?:^|[,;] |\b(?:and|until|since|by|from) )when\b|\b(?:what|which) (?:year|date|day|time|month)\b|\bhow long\b/.test(question))
    return "time";
  if (
    /\bhow (?:many|much|often|far|old|high|fast|big|large|tall)\b|\b(?:what|which) (?:number|percentage|percent|port|limit|size|version)\b/.test(
      question,
    )
  ) {
    return "number";
  }
  if (
    /\bhow (?:do|to|can|should|could|would|does one|is|are)\b|\b(?:steps|procedure|instructions)\b|\bwhat (?:should|must|do) (?:i|we|you)\b/.test(
      question,
    )
  ) {
    return "procedure";
  }
  if (
    /\b(?:says?|said|know|written|state[sd]?|read|tell (?:me|us)|learn) about\b|\b(?:describe|explain|summari[sz]e|overview|outline)\b|^what are (?:the|our)\b/.test(
      question,
    )
  )
    return "account";
  if (
    /^(?:what|who) (?:is|are|was|were) (?:an? |the )?[^?,]{2,50}\??$|^what (?:does|do) [^?]{2,40} (?:mean|stand for)\??$|^(?:define|meaning of)\b/.test(
      question,
    )
  )
    return "definition";
  return "any";
}

/** Whether a sentence holds a thing of the kind that is asked for and that the question does not hold itself. */
export function holdsType(type: AnswerType, sentence: string, question: ReadQuestion): boolean {
  if (type === "definition") {
    const subject =
      /^(?:(?:the|an?|in [\w ]{2,30},) )?(.{2,60}?) (?:is|are|was|were|means?|stands? for|refers? to|represents?|denotes?|describes?)\b/i.exec(
        sentence,
      )?.[1];
    const held = new Set(terms(subject ?? ""));
    return subject !== undefined && question.terms.every((term) => held.has(term));
  }
  if (type === "person") {
    const names = sentence.match(/\p{Lu}[\p{L}'’-]+/gu) ?? [];
    return names.some((name) => terms(name).some((term) => !question.words.has(term) && !question.terms.includes(term)));
  }
  if (type === "number" || type === "time") {
    const fresh = (sentence.match(/\d+/g) ?? []).some((number) => !question.terms.includes(number));
    if (fresh) return true;
    if (type === "time")
      return /\b(?:daily|weekly|monthly|nightly|hourly|today|yesterday|century|january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/i.test(
        sentence,
      );
    return /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|half|once|twice|both|none)\b/i.test(
      sentence,
    );
  }
  return false;
}

/**
 * Words of the question that a sentence contradicts: an opposite stands in their place ("least" asked, "most" said), a prefix
 * negates them ("normal" and "abnormal"), the years differ, or the question is negated and the sentence is not.
 */
export function contradicted(question: ReadQuestion, sentence: string): string[] {
  const said = stems(sentence);
  const timed = timedIn(sentence);
  const found: string[] = [];
  if (question.negated && !negation.test(sentence)) found.push("not");
  for (const word of question.words) {
    if (said.has(word)) continue;
    const opposite = oppositeIn(word, said);
    if (opposite !== null && !question.words.has(opposite) && !timedOtherwise(word, opposite, question, timed)) found.push(word);
  }
  const spoken = rawWords(sentence);
  for (const word of question.rawWords) {
    if (said.has(stem(word)) || isStopWord(word)) continue;
    for (const other of spoken) if (negatesByPrefix(word, other) && !question.rawWords.has(other)) found.push(stem(word));
  }
  for (const calendar of calendars) {
    const [asked, held] = [question.rawWords, spoken].map((words) => [...words].filter((word) => word !== "may" && calendar.has(word)));
    if (held !== undefined && held.length > 0) found.push(...(asked ?? []).filter((word) => !held.includes(word)).map(stem));
  }
  const years = yearsOf(sentence);
  if (years.length > 0) found.push(...question.years.filter((year) => !years.includes(year)));
  return found;
}

/** "Before" and "after" with the terms of the few words that follow each. */
function timedIn(text: string): Map<string, readonly string[]> {
  return new Map(
    [...text.matchAll(/\b(before|after)((?:\s+[^\s,.;:]+){1,4})/gi)].map(([, word = "", rest = ""]) => [
      stem(word.toLowerCase()),
      terms(rest),
    ]),
  );
}

/** "Wait before promoting" is answered by "after a minute, promote": they contradict each other only where the same follows both. */
function timedOtherwise(word: string, opposite: string, question: ReadQuestion, sentence: ReadonlyMap<string, readonly string[]>): boolean {
  const [asked, said] = [question.timed.get(word), sentence.get(opposite)];
  return asked !== undefined && said !== undefined && !asked.some((term) => said.includes(term));
}

/** A question is short: what differs from its word by one of these speaks of the contrary, where in a claim it may be another word. */
const questionPrefixes = [...negatingPrefixes, "ab", "anti", "de", "mis"];

/** Whether two words differ by a negating prefix only, an adverb's ending aside: "connected" and "unconnected". */
function negatesByPrefix(a: string, b: string): boolean {
  const [short = "", long = ""] = [a, b].map((word) => word.replace(/ly$/, "")).sort((x, y) => x.length - y.length);
  return short.length >= 4 && questionPrefixes.some((prefix) => long === prefix + short);
}

const particled = /(?<![\p{L}\p{N}-])(\p{L}{3,12})[ -](over|back|up|down|out|off)(?![\p{L}\p{N}])/giu;

/** The terms of a text, and what its verbs are called in one word: "fail over" is "failover", "rolling back" is "rollback". */
export function joinedTerms(text: string): Set<string> {
  const found = new Set(terms(text));
  for (const [, verb = "", particle = ""] of text.matchAll(particled)) found.add(stem(`${stem(foldWord(verb))}${particle.toLowerCase()}`));
  return found;
}

/** Whether a heading speaks of all that a question asks for, in one word or in two. */
export function headingHolds(heading: string, question: ReadQuestion): boolean {
  const held = joinedTerms(heading);
  const joined = [...question.joined.keys()].filter((term) => held.has(term));
  const covered = new Set(joined.flatMap((term) => question.joined.get(term) ?? []));
  return question.terms.length >= 2 && question.terms.every((term) => held.has(term) || covered.has(term));
}

/** A word is there when it, or for longer words one with a single slip of the pen, is. */
export function holdsTerm(held: ReadonlySet<string>, term: string): boolean {
  if (held.has(term)) return true;
  if (term.length < 6 || /\d/.test(term)) return false;
  for (const other of held) if (oneSlip(term, other)) return true;
  return false;
}

/** One letter more, less or other, or two neighbours swapped. */
function oneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const x = a.slice(at);
  const y = b.slice(at);
  if (x.slice(1) === y.slice(1) || x === y.slice(1) || x.slice(1) === y) return true;
  return x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2);
}
