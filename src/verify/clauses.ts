import { coordinated, splitSlots } from "./clause-parts.ts";
import { adverbial, auxiliary, classed, copula, groupsIn, opensClause, past, type Range, type Word } from "./clause-words.ts";
import type { Tagged } from "./grammar.ts";
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

/** How a relative clause is linked, by whatever word. */
const WHICH = "which";

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
  // "the job that fails is paused": what the main clause speaks of
  let openedBy: Token[] = [];
  for (const [index, draft] of drafts.entries()) {
    const end = drafts[index + 1]?.from ?? words.length;
    const own = draft.subject === null ? [] : contentIn(words, draft.subject);
    const before = drafts[index - 1];
    const described = draft.link === WHICH ? antecedent(words, before?.group.to ?? 0, draft.from) : [];
    const taken =
      draft.heir === "antecedent"
        ? // "X is a regulation that …": of both
          [...described, ...(before !== undefined && isCopula(words, before.group) ? (subjects[index - 1] ?? []) : [])]
        : draft.heir === "main"
          ? (subjects[index - 2] ?? openedBy)
          : (subjects[index - 1] ?? []);
    if (index === 0) openedBy = described;
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
  const subject = subjectIn(words, from, group.from);
  if (joint > 0 && words[joint]?.kind === "rel")
    return { group, from: joint, subject, heir: subject === null ? "antecedent" : "none", link: WHICH };
  const link = joint < 0 || words[joint]?.kind === "mark" ? "" : (words[joint]?.token.folded ?? "");
  return { group, from: 0, subject, heir: "none", link };
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
    if (before.link === WHICH && !participle) return { group, from: group.from, subject: null, heir: "main", link: "" };
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
    link: kind === "mark" || kind === "comma" ? "" : kind === "rel" ? WHICH : (words[joint]?.token.folded ?? ""),
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
