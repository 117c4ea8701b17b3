import type { Tagged } from "./grammar.ts";
import { isJoinedName } from "./names.ts";
import type { Token } from "./tokens.ts";

/** What a word does in its sentence, as far as the cutting into clauses needs it. */
export type Kind = "verb" | "aux" | "noun" | "prep" | "and" | "sub" | "rel" | "that" | "det" | "pron" | "mark" | "comma" | "other";

export const auxiliary =
  /^(?:is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|cannot|\p{L}+n['’]t)$/u;
export const copula = /^(?:is|are|was|were|be|been|being|gets?|got)$/;
const finite = /^(?:is|are|was|were|has|have|had|can|could|may|might|must|shall|should|will|would)$/;
const preposition =
  /^(?:of|in|on|at|by|for|with|from|to|within|into|onto|across|over|under|during|through|between|among|against|per|via|as|than|about|above|below|after|before|since|until|without|beyond|towards?|near|behind|around|except|besides|instead)$/;
const subordinator =
  /^(?:if|unless|because|when|whenever|while|whereas|although|though|after|before|since|until|once|as|so|where|provided|whether)$/;
const relative = /^(?:which|who|whom|whose)$/;
const coordinator = /^(?:and|or|but|nor)$/;
const determiner = /^(?:the|a|an|this|that|these|those|its|their|his|her|our|each|every|no|any|some|all|both)$/;
const adverb = /^(?:not|never|also|only|still|then|now|already|just|again|merely|always|often|usually|no)$/;

/** How a past form or participle ends. */
export const past = /(?:ed|en|wn|ught|uilt|ound|ade|old|ung|un|ut|et|id|nt|st|pt|lt|ft|it)$/;

export interface Word {
  readonly token: Token;
  readonly kind: Kind;
}

/** From one word to before another, by their places. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export function classed(tokens: readonly Token[], tagged: readonly Tagged[]): Word[] {
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
    // "writes are refused"
    if (next !== undefined && finite.test(next.folded) && before?.kind !== "noun") return "noun";
    // "adds bulk export"
    return before?.kind === "verb" ? "noun" : "verb";
  }
  return tag?.noun === true ? "noun" : "other";
}

/** The verb groups of a sentence: "has not been seen", "plans to add". */
export function groupsIn(words: readonly Word[]): Range[] {
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

export function adverbial({ folded }: Token): boolean {
  return adverb.test(folded) || /ly$/.test(folded);
}

/** A subordinating word, or a preposition that brings a clause: "before you rotate". */
export function opensClause(words: readonly Word[], at: number, group: Range): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.kind === "sub" || word.kind === "rel" || word.kind === "that") return true;
  return (
    word.kind === "prep" && subordinator.test(word.token.folded) && words.slice(at + 1, group.from).every(({ kind }) => kind !== "comma")
  );
}
