import type { Tagged } from "./grammar.ts";
import { isJoinedName } from "./names.ts";
import { type Token, weightOf } from "./tokens.ts";

/** One statement of a sentence: who, does or is what, to what, where, when. */
export interface Clause {
  /** Its own words, marks left out. */
  readonly tokens: readonly Token[];
  /** Who or what it speaks of: its own words, or those of the clause that it goes on from. */
  readonly subject: readonly Token[];
  /** The subject stands in the clause itself. */
  readonly own: boolean;
  /** The subject is a pronoun. */
  readonly pronominal: boolean;
  /** The words of its verb, auxiliaries and infinitives too: "plans to add". Empty for a heading, a row, a label. */
  readonly verbs: readonly Token[];
  /** "Was written", with or without "by". */
  readonly passive: boolean;
  /** What stands behind the verb, by the preposition that brings it; "" what no preposition brings. */
  readonly slots: ReadonlyMap<string, readonly Token[]>;
  /** The word that joins it to the clause before: "if", "because", "which", "that", "and"; "" for none. */
  readonly link: string;
}

const auxiliary =
  /^(?:is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|cannot|\p{L}+n['’]t)$/u;
const copula = /^(?:is|are|was|were|be|been|being|gets?|got)$/;
const preposition =
  /^(?:of|in|on|at|by|for|with|from|to|within|into|onto|across|over|under|during|through|between|among|against|per|via|as|than|about|above|below|after|before|since|until|without|beyond|towards?|near|behind|around|except|besides|instead)$/;
const subordinator =
  /^(?:if|unless|because|when|whenever|while|whereas|although|though|after|before|since|until|once|as|so|where|provided|whether)$/;
const relative = /^(?:which|who|whom|whose)$/;
const coordinator = /^(?:and|or|but|nor)$/;
const determiner = /^(?:the|a|an|this|that|these|those|its|their|his|her|our|each|every|no|any|some|all|both)$/;
const adverb = /^(?:not|never|also|only|still|then|now|already|just|again|merely|always|often|usually|no)$/;

/** The part that "to" brings before a verb: "ready to serve requests". */
export const INFINITIVE = "to do";

type Kind = "verb" | "aux" | "noun" | "prep" | "and" | "sub" | "rel" | "that" | "det" | "pron" | "mark" | "comma" | "other";

interface Word {
  readonly token: Token;
  readonly kind: Kind;
}

/** From one word to before another, by their places. */
interface Range {
  readonly from: number;
  readonly to: number;
}

function classed(tokens: readonly Token[], tagged: readonly Tagged[]): Word[] {
  const words: Word[] = [];
  for (const [at, token] of tokens.entries()) {
    const tag = tagged.find(({ start, end }) => start < token.end && token.start < end);
    const before = words[at - 1];
    const next = tokens[at + 1];
    words.push({ token, kind: kindOf(token, tag, before, next) });
  }
  return words;
}

function kindOf(token: Token, tag: Tagged | undefined, before: Word | undefined, next: Token | undefined): Kind {
  const { folded } = token;
  if (token.mark) return token.text !== "," ? "mark" : /^\d/.test(next?.text ?? "") && next?.start === token.end ? "other" : "comma";
  if (isJoinedName(token.text) || /\d/.test(token.text)) return "noun";
  if (coordinator.test(folded)) return "and";
  if (relative.test(folded)) return "rel";
  if (folded === "that") return before?.kind === "noun" || before?.kind === "comma" ? "rel" : before?.kind === "verb" ? "that" : "det";
  if (auxiliary.test(folded) && !(folded === "may" && token.capital && !token.initial)) return "aux";
  if (folded === "to" || preposition.test(folded)) return "prep";
  if (subordinator.test(folded)) return before?.token.folded === "at" ? "other" : "sub";
  if (determiner.test(folded)) return "det";
  if (tag?.pronoun === true) return "pron";
  if (adverb.test(folded) || tag?.adverb === true) return "other";
  const afterAuxiliary = before?.kind === "aux" || (before?.kind === "other" && adverbial(before.token));
  if (tag?.gerund === true) return afterAuxiliary ? "verb" : "noun";
  // "is limited", "are replicated": whatever the tag says
  const passive = before?.kind === "aux" && copula.test(before.token.folded);
  if ((passive || before?.kind === "rel") && /ed$/.test(folded)) return "verb";
  if (tag?.verb === true && !(token.capital && !token.initial) && next?.text !== ":") {
    // "the scoring", "of use": a noun, whatever the tag says; "to use" is a verb's
    if (before?.kind === "det" || (before?.kind === "prep" && before.token.folded !== "to")) return "noun";
    // "compromised keys are …"
    if (before === undefined && past.test(folded) && next !== undefined && !preposition.test(next.folded)) return "noun";
    // "adds bulk export"
    return before?.kind === "verb" ? "noun" : "verb";
  }
  return tag?.noun === true ? "noun" : "other";
}

/** The verb groups of a sentence: "has not been seen", "plans to add". */
function groupsIn(words: readonly Word[]): Range[] {
  const groups: Range[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const kind = words[at]?.kind;
    if (kind !== "verb" && kind !== "aux") continue;
    // "to add": an infinitive that no verb brings
    if (words[at - 1]?.token.folded === "to" && kind === "verb") continue;
    let to = at + 1;
    for (;;) {
      const [next, after] = [words[to], words[to + 1]];
      if (next === undefined) break;
      if (next.kind === "verb" || next.kind === "aux") to += 1;
      else if (next.token.folded === "to" && after?.kind === "verb") to += 2;
      else if (next.kind === "other" && (after?.kind === "verb" || after?.kind === "aux") && adverbial(next.token)) to += 2;
      else break;
    }
    groups.push({ from: at, to });
    at = to - 1;
  }
  return groups;
}

function adverbial({ folded }: Token): boolean {
  return adverb.test(folded) || /ly$/.test(folded);
}

/** A subordinating word, or a preposition that brings a clause: "before you rotate". */
function opensClause(words: readonly Word[], at: number, group: Range): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.kind === "sub" || word.kind === "rel" || word.kind === "that") return true;
  return (
    word.kind === "prep" && subordinator.test(word.token.folded) && words.slice(at + 1, group.from).every(({ kind }) => kind !== "comma")
  );
}

interface Draft {
  group: Range;
  /** Where its words begin: its joint, or its subject. */
  readonly from: number;
  subject: Range | null;
  /** Whose subject it takes over where it has none: that of the clause before, what stands right before "which", or none. */
  readonly heir: "before" | "antecedent" | "main" | "none";
  readonly link: string;
}

/** Cuts a sentence into its clauses. Linear in its words but for short looks back. */
export function clausesIn(tokens: readonly Token[], tagged: readonly Tagged[]): Clause[] {
  const words = classed(withoutBrackets(tokens), tagged);
  const drafts: Draft[] = [];
  for (const group of groupsIn(words)) {
    const before = drafts.at(-1);
    if (before !== undefined && isReduced(words, before, group)) {
      // "keys used for signing are rotated", "Release 8.3 was": what was taken for the verb belongs to the subject
      before.subject = { from: before.subject?.from ?? before.from, to: group.from };
      before.group = group;
      continue;
    }
    const found = before === undefined ? firstOf(words, group) : nextOf(words, group, before);
    if (found !== null) drafts.push(found);
  }
  if (drafts.length === 0) return [clauseOf(words, { subject: [], own: false, pronominal: false }, [], "", splitSlots(words))];
  const clauses: Clause[] = [];
  const subjects: Token[][] = [];
  for (const [index, draft] of drafts.entries()) {
    const end = drafts[index + 1]?.from ?? words.length;
    const own = draft.subject === null ? [] : contentIn(words, draft.subject);
    const before = drafts[index - 1];
    const taken =
      draft.heir === "antecedent" && before !== undefined
        ? // "X is a regulation that …": of both
          [...antecedent(words, before.group.to, draft.from), ...(isCopula(words, before.group) ? (subjects[index - 1] ?? []) : [])]
        : (subjects[index - (draft.heir === "main" ? 2 : 1)] ?? []);
    const named = draft.subject !== null || draft.heir === "none";
    const heir = clauses.at(-1);
    const subject = named ? own : taken;
    const pronominal = named ? draft.subject !== null && own.length === 0 : subject.length === 0 && heir?.pronominal === true;
    subjects.push(subject);
    const rest = words.slice(draft.group.to, end);
    const lead = words.slice(draft.from, draft.subject?.from ?? draft.group.from);
    const verbs = words.slice(draft.group.from, draft.group.to).map(({ token }) => token);
    const slots = splitSlots(rest);
    for (const [key, list] of splitSlots(lead)) slots.set(key, [...(slots.get(key) ?? []), ...list]);
    // "was written by A and approved by B"
    const verb = verbs.length === 1 && past.test(verbs[0]?.folded ?? "");
    const shares = verb && draft.heir === "before" && heir?.passive === true;
    // "Reviewed by …"
    const headless = verb && draft.subject === null && rest[0]?.token.folded === "by";
    const who = { subject, own: own.length > 0, pronominal };
    const main = clauseOf(words.slice(draft.from, end), who, verbs, draft.link, slots, shares || headless);
    clauses.push(...coordinated(main, rest));
  }
  return clauses;
}

/** What stands in brackets breaks no clause: "Cole (born 1980) is …". */
function withoutBrackets(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter(({ text }) => {
    if (/^[([]$/.test(text)) depth += 1;
    const outside = depth === 0;
    if (/^[)\]]$/.test(text)) depth = Math.max(0, depth - 1);
    return outside;
  });
}

/** The noun phrase right before "which". */
function antecedent(words: readonly Word[], from: number, to: number): Token[] {
  let start = to;
  while (
    start > from &&
    !/^(?:mark|and|aux|sub)$/.test(words[start - 1]?.kind ?? "") &&
    (words[start - 1]?.kind !== "comma" || start === to)
  )
    start -= 1;
  return contentIn(words, { from: start, to });
}

function isCopula(words: readonly Word[], { from, to }: Range): boolean {
  return words.slice(from, to).every(({ token, kind }) => kind === "other" || copula.test(token.folded) || auxiliary.test(token.folded));
}

const past = /(?:ed|en|wn|ught|uilt|ound|ade|old|ung|un|ut|et|id|nt|st|pt|lt|ft|it)$/;

/** A participle taken for a verb: no auxiliary, a subject before it, and another verb without a joint between. */
function isReduced(words: readonly Word[], { group, subject }: Draft, next: Range): boolean {
  const verb = words[group.from];
  if (group.to - group.from !== 1 || verb?.kind !== "verb" || (subject === null ? group.from > 0 : !past.test(verb.token.folded)))
    return false;
  return words.slice(group.to, next.from).every(({ kind }) => !/^(?:comma|mark|and|sub|rel|that)$/.test(kind));
}

function clauseOf(
  words: readonly Word[],
  who: Pick<Clause, "subject" | "own" | "pronominal">,
  verbs: readonly Token[],
  link: string,
  slots: ReadonlyMap<string, readonly Token[]>,
  voiced = false,
): Clause {
  const passive = voiced || (verbs.length > 1 && verbs.some(({ folded }) => copula.test(folded)) && past.test(verbs.at(-1)?.folded ?? ""));
  const tokens = words.filter(({ kind }) => kind !== "mark" && kind !== "comma").map(({ token }) => token);
  return { ...who, tokens, verbs, passive, slots, link };
}

function contentIn(words: readonly Word[], { from, to }: Range): Token[] {
  return words.slice(from, to).flatMap(({ token, kind }) => (kind === "pron" || weightOf(token) === 0 ? [] : [token]));
}

function lastPlace(from: number, to: number, test: (at: number) => boolean): number {
  for (let at = to - 1; at >= from; at -= 1) if (test(at)) return at;
  return -1;
}

function firstOf(words: readonly Word[], group: Range): Draft {
  const joint = lastPlace(0, group.from, (at) => words[at]?.kind === "mark" || opensClause(words, at, group));
  const comma = lastPlace(0, group.from, (at) => words[at]?.kind === "comma");
  // "Veridian, an outside vendor, answers"
  const from = comma > joint && subjectIn(words, comma + 1, group.from) !== null ? comma + 1 : joint + 1;
  const link = joint < 0 || words[joint]?.kind === "mark" ? "" : (words[joint]?.token.folded ?? "");
  return { group, from: 0, subject: subjectIn(words, from, group.from), heir: "none", link };
}

function wants(words: readonly Word[], from: number, to: number): boolean {
  return words.slice(from, to).some(({ kind }, at) => kind === "verb" && words[from + at - 1]?.token.folded === "to");
}

/** The clause of a later verb; null where the verb is none. */
function nextOf(words: readonly Word[], group: Range, before: Draft): Draft | null {
  const start = before.group.to;
  // "weekend shifts are paid at …, evening shifts at …": a noun before is one here
  const verb = words[group.to - 1];
  if (
    verb?.kind === "verb" &&
    words.slice(0, before.group.from).some(({ kind, token }) => kind === "noun" && token.folded === verb.token.folded)
  )
    return null;
  const strong = lastPlace(start, group.from, (at) => words[at]?.kind === "mark" || opensClause(words, at, group));
  const weak = lastPlace(start, group.from, (at) => words[at]?.kind === "and" || words[at]?.kind === "comma");
  const joint = strong >= 0 ? strong : weak;
  if (joint < 0) {
    // the main clause goes on behind a relative one
    const participle = words[group.from]?.kind === "verb" && past.test(words[group.from]?.token.folded ?? "");
    if (relative.test(before.link) && !participle) return { group, from: group.from, subject: null, heir: "main", link: "" };
    // "says it is down": what is said begins right behind
    const said = words[group.from]?.kind === "aux" && group.from > start;
    return said ? { group, from: start, subject: subjectIn(words, start, group.from), heir: "none", link: "that" } : null;
  }
  const kind = words[joint]?.kind;
  const comma = strong >= 0 && weak > strong ? weak : -1;
  const from = comma >= 0 && kind !== "rel" && subjectIn(words, comma + 1, group.from) !== null ? comma + 1 : joint + 1;
  const subject = subjectIn(words, from, group.from);
  const bare = words[group.from]?.kind === "verb";
  // "operating systems, network setup": a noun, whatever the tag says
  if (kind === "comma" && subject === null && bare) return null;
  // "requires them to file a plan and obtain a permit": what they do
  if (kind === "and" && subject === null && bare && wants(words, start, joint) && !/(?:s|ed)$/.test(words[group.from]?.token.folded ?? ""))
    return null;
  const heir =
    kind === "rel" && subject === null ? "antecedent" : kind === "and" || kind === "comma" || kind === "mark" ? "before" : "none";
  return {
    group,
    from: joint,
    subject,
    heir,
    link: kind === "mark" || kind === "comma" ? "" : kind === "rel" ? "which" : (words[joint]?.token.folded ?? ""),
  };
}

/** The noun phrase that ends before the verb; what comes before it ("On 2 March it was") is not of it. Null for none. */
function subjectIn(words: readonly Word[], from: number, to: number): Range | null {
  let start = from;
  for (let at = from; at < to; at += 1) {
    const [word, before] = [words[at], words[at - 1]];
    if (word === undefined) break;
    const opens = word.kind === "det" || word.kind === "pron";
    // "polishing the tiles", "of the north kiln"
    const goes = before === undefined || /^(?:prep|and|det)$/.test(before.kind) || /ing$/.test(before.token.folded);
    if (opens && at > from && !goes) start = at;
    if (word.kind === "comma" || word.kind === "mark") start = at + 1;
  }
  const leads = (word: Word | undefined): boolean =>
    word !== undefined && (/^(?:comma|mark|and|sub|prep)$/.test(word.kind) || (word.kind === "other" && adverbial(word.token)));
  while (start < to && leads(words[start])) start += 1;
  return words.slice(start, to).some(({ token, kind }) => kind === "noun" || kind === "pron" || kind === "det" || weightOf(token) === 1)
    ? { from: start, to }
    : null;
}

/** What stands behind a verb, by preposition. */
function splitSlots(words: readonly Word[]): Map<string, Token[]> {
  const slots = new Map<string, Token[]>();
  let name = "";
  for (const [at, { token, kind }] of words.entries()) {
    if (kind === "prep" || kind === "sub") {
      // "a pool of connections": one thing with what stands before
      const infinitive = token.folded === "to" && words[at + 1]?.kind === "verb";
      if (at > 0 ? token.folded !== "of" : kind === "prep") name = infinitive ? INFINITIVE : token.folded;
      continue;
    }
    if (kind === "pron" || kind === "mark" || kind === "comma" || weightOf(token) === 0) continue;
    slots.set(name, [...(slots.get(name) ?? []), token]);
  }
  return slots;
}

/**
 * Two statements with one verb: "to staging on 4 June and to production on 11 June", "export for administrators and dark mode for
 * everybody", "Corvid had the highest throughput, Plinth the lowest cost".
 */
function coordinated(clause: Clause, rest: readonly Word[]): Clause[] {
  for (const [at, { kind }] of rest.entries()) {
    if ((kind !== "and" && kind !== "comma") || rest[at + 1]?.kind === "and") continue;
    const [first, second] = [rest.slice(0, at), rest.slice(at + 1)];
    const held = splitSlots(first);
    const head = second.findIndex(({ kind: one }) => one === "prep");
    const noun = head < 0 ? second : second.slice(0, head);
    const more = noun.findIndex(({ kind: one }) => one === "comma" || one === "and" || one === "mark");
    if (more >= 0 && !noun.slice(0, more).some(({ token, kind: one }, place) => place > 0 && (one === "det" || isJoinedName(token.text))))
      continue;
    const own = splitSlots(second);
    const shared = head >= 0 && held.has(second[head]?.token.folded ?? "") && second[head]?.token.folded !== "of";
    const object = held.get("") ?? [];
    // "Plinth the lowest cost", "the content team media-bucket"
    const apart = noun.findIndex(
      ({ token, kind: one }, place) => place > 0 && noun[place - 1]?.kind === "noun" && (one === "det" || isJoinedName(token.text)),
    );
    const tokens = (list: readonly Word[]): Token[] =>
      list.filter(({ kind: one }) => one !== "mark" && one !== "comma").map(({ token }) => token);
    const rests = tokens(second);
    const mainTokens = clause.tokens.filter((token) => !rests.includes(token));
    const main: Clause = { ...clause, tokens: mainTokens, slots: without(clause.slots, rests) };
    if (shared && head === 0 && kind === "and") {
      const keep = new Map([...held].slice(0, [...held.keys()].indexOf(second[0]?.token.folded ?? "")));
      const other = {
        ...clause,
        own: false,
        slots: new Map([...keep, ...own]),
        tokens: [...clause.subject, ...clause.verbs, ...[...keep.values()].flat(), ...rests],
        link: "and",
      };
      return [main, ...coordinated(other, second)];
    }
    if (shared && head > 0 && object.length > 0 && noun.some((one) => weightOf(one.token) === 1)) {
      const other = { ...clause, own: false, slots: own, tokens: [...clause.subject, ...clause.verbs, ...rests], link: "and" };
      return [main, ...coordinated(other, second)];
    }
    const bare = noun.flatMap(({ token }) => (weightOf(token) === 1 ? [token] : []));
    if (shared && head > 0 && object.length === 0 && bare.length > 0) {
      const slots = splitSlots(second.slice(head));
      return [
        main,
        ...coordinated({ ...clause, subject: bare, own: true, slots, tokens: [...clause.verbs, ...rests], link: "" }, second.slice(head)),
      ];
    }
    if (apart > 0 && object.length > 0) {
      const subject = noun.slice(0, apart).flatMap(({ token }) => (weightOf(token) === 0 ? [] : [token]));
      const end = more < 0 ? second.length : more;
      const slots = splitSlots(second.slice(apart, end));
      const other = { ...clause, subject, own: true, slots, tokens: [...clause.verbs, ...tokens(second.slice(0, end))], link: "" };
      return [main, ...coordinated(other, second.slice(apart))];
    }
  }
  return [clause];
}

function without(slots: ReadonlyMap<string, readonly Token[]>, tokens: readonly Token[]): Map<string, readonly Token[]> {
  return new Map(
    [...slots]
      .map(([name, list]) => [name, list.filter((token) => !tokens.includes(token))] as const)
      .filter(([, list]) => list.length > 0),
  );
}
