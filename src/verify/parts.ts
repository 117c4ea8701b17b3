import type { Mismatch, ReadClaim } from "./agree.ts";
import type { Alignment } from "./align.ts";
import { contentStems, type EvidenceSentence, stemsOfToken } from "./evidence.ts";
import { type Token, weightOf } from "./tokens.ts";

/** Names behind one of these may change places with the subject: "Ann met with Bob". */
const mutual = /^(?:with|and|or|between|near|beside|like)$/;
const article = /^(?:the|a|an|its|their|his|her)$/;
const preposition =
  /^(?:to|from|by|of|over|than|for|against|after|before|behind|into|onto|in|at|on|under|above|below|with|and|or|between|near|beside|like)$/;
/** A noun or name behind a verb, in words. */
const LONGEST_NOUN = 3;

/**
 * The claim has the words of its source in each other's parts: "paged by the team" for "paged the team", two names that have changed
 * places, a word that says of one thing what the source says of its neighbour. All but the first are looked for only where the source
 * holds every word.
 */
export function otherPart(claim: ReadClaim, { missing }: Alignment, near: readonly EvidenceSentence[]): Mismatch | null {
  const voice = turnedVoice(claim, near);
  const { values } = claim;
  const unsaid = missing.filter(({ start, end }) => !values.some((value) => start < value.end && value.start < end));
  if (voice !== null || unsaid.length > 0) return voice;
  return partsExchanged(claim, near) ?? subjectsExchanged(claim, near) ?? modifierOfAnother(claim, near);
}

/** "Paged by the storage team" for "paged the storage team", and the other way round. */
function turnedVoice({ tokens }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  for (const [at, verb] of tokens.entries()) {
    if (weightOf(verb) === 0) continue;
    const ours = behind(tokens, at);
    if (ours === null) continue;
    const theirs = near.flatMap((sentence) =>
      sentence.tokens.flatMap((other, place) => (other.stem === verb.stem ? (behind(sentence.tokens, place) ?? []) : [])),
    );
    const same = theirs.filter(({ what }) => what === ours.what);
    const before = contentStems(tokens.slice(0, at));
    const agent =
      ours.by && theirs.length > 0 && theirs.every(({ by, what }) => by && what !== ours.what && before.has(what.split(" ").at(-1) ?? ""));
    if (agent || (same.length > 0 && same.every(({ by }) => by !== ours.by)))
      return { kind: "direction", reason: `in the source it is the other one that is "${verb.text}"` };
  }
  return null;
}

/** What stands right behind a word: a noun or name of up to three words, and whether "by" brings it. */
function behind(tokens: readonly Token[], at: number): { readonly by: boolean; readonly what: string } | null {
  const by = tokens[at + 1]?.folded === "by";
  let from = at + (by ? 2 : 1);
  while (article.test(tokens[from]?.folded ?? "")) from += 1;
  const words: string[] = [];
  for (const token of tokens.slice(from, from + LONGEST_NOUN)) {
    if (weightOf(token) < 1 || /\d/.test(token.text)) break;
    words.push(token.stem);
  }
  return words.length === 0 ? null : { by, what: words.join(" ") };
}

/** What each name does in a sentence: what it stands behind, or whether it acts or is acted on. */
function partsIn(tokens: readonly Token[]): Map<string, string> {
  const parts = new Map<string, string>();
  const repeated = new Set<string>();
  const by = tokens.some(({ folded }) => folded === "by");
  let first = true;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || !token.capital || weightOf(token) === 0) continue;
    let last = at;
    while (tokens[last + 1]?.capital === true && tokens[last + 1]?.mark === false) last += 1;
    let behind = at - 1;
    while (article.test(tokens[behind]?.folded ?? "")) behind -= 1;
    const before = at === 0 || tokens[at]?.initial === true ? "" : (tokens[behind]?.folded ?? "");
    let part = first ? (by ? "acted on" : "acts") : "acted on";
    if (preposition.test(before)) part = before === "by" ? "acts" : before;
    const name = tokens[last]?.stem ?? "";
    if (parts.has(name)) repeated.add(name);
    parts.set(name, part);
    first = false;
    at = last;
  }
  for (const name of repeated) parts.delete(name);
  return parts;
}

/** Two names, each with the part that the other one has in the source. */
function partsExchanged({ tokens }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  const said = [...partsIn(tokens)];
  for (const sentence of near) {
    const held = partsIn(sentence.tokens);
    for (const [a, ours] of said) {
      const other = said.find(
        ([b, part]) => b !== a && part !== ours && held.get(b) === ours && held.get(a) === part && !mutual.test(part),
      );
      if (other !== undefined && !mutual.test(ours))
        return { kind: "direction", reason: `the source has ${a} and ${other[0]} in each other's place` };
    }
  }
  return null;
}

/** "Omar wrote it" where Ann wrote it and Omar did something else. */
function subjectsExchanged({ tokens }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  const held = near.flatMap((sentence) => subjectsIn(sentence.tokens));
  for (const [name, does] of subjectsIn(tokens)) {
    const others = held.filter(([, verb]) => verb === does);
    const own = held.filter(([other]) => other === name);
    if (others.length > 0 && own.length > 0 && others.every(([other]) => other !== name))
      return { kind: "direction", reason: `the source says this of ${others[0]?.[0]}, not of ${name}` };
  }
  return null;
}

/** The name that opens a clause, by its last word, with the word of content behind it. */
function subjectsIn(tokens: readonly Token[]): [string, string][] {
  return clausesOf(tokens).flatMap((clause) => {
    let last = -1;
    while (clause[last + 1]?.capital === true) last += 1;
    const verb = clause.slice(last + 1).find((token) => weightOf(token) === 1);
    const name = clause[last];
    return name === undefined || weightOf(name) === 0 || verb === undefined ? [] : [[name.stem, verb.stem] as [string, string]];
  });
}

/** "Mobile clients reload the page" where the clause that says so has web clients, and mobile ones stand in another. */
function modifierOfAnother({ tokens }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  const content = tokens.filter((token) => weightOf(token) === 1);
  const own = contentStems(tokens);
  for (const [at, modifier] of tokens.entries()) {
    const noun = tokens[at + 1];
    // "Harvard University" is one name
    if (noun === undefined || noun.capital || weightOf(modifier) < 1 || weightOf(noun) < 1) continue;
    const rest = content.filter((token) => token !== modifier && token !== noun);
    if (rest.length < 2) continue;
    const apart = near.filter(({ stems }) => stemsOfToken(modifier).some((stem) => stems.has(stem)));
    for (const clause of apart.flatMap((sentence) => clausesOf(sentence.tokens))) {
      const stems = contentStems(clause);
      const has = (token: Token): boolean => stemsOfToken(token).some((stem) => stems.has(stem));
      if (has(modifier) || !rest.every(has)) continue;
      const place = clause.findIndex(({ stem }) => stem === noun.stem);
      const theirs = clause[place - 1];
      if (theirs !== undefined && weightOf(theirs) === 1 && !stemsOfToken(theirs).some((stem) => own.has(stem)))
        return {
          kind: "word",
          reason: `"${modifier.text} ${noun.text}" is not said to do so in the source, but "${theirs.text} ${noun.text}"`,
        };
    }
  }
  return null;
}

function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [[]];
  for (const token of tokens) {
    if (token.mark || /^(?:but|and|while|whereas)$/.test(token.folded)) clauses.push([]);
    else clauses.at(-1)?.push(token);
  }
  return clauses;
}
