import { stemOf, type Token, weightOf } from "./tokens.ts";

/** Words that turn what follows into its opposite. */
const negators = new Set(
  (
    "not no never none nobody nothing nowhere neither nor cannot without hardly barely scarcely rarely seldom unable incapable fail fails failed failing " +
    "refuse refuses refused refusing lack lacks lacked lacking avoid avoids avoided avoiding decline declines declined deny denies denied prevent prevents " +
    "prevented forbids forbidden prohibits prohibited impossible except excluding unlike zero dropped dropping drops rejected rejects stop stops stopped " +
    "ceased ceases few instead neglected omitted lest absent"
  ).split(" "),
);
const contracted = /n['’]t$/;
/** Words after which the scope of a negation ends. */
const stops = new Set("but however although though because while whereas which who since so until unless yet then".split(" "));
const SCOPE = 14;
/** "Flags without an owner go …": what is lacking, not what follows. */
const SHORT_SCOPE = 4;
/** "Rather than X", "instead of X", "has yet to X", "used to X", "stayed away from X", "left out", "no longer X". */
const phrases: readonly (readonly string[])[] = [
  ["rather", "than"],
  ["yet", "to"],
  ["away", "from"],
  ["left", "out"],
  ["out", "of"],
  ["far", "from"],
  ["free", "of"],
];
const idioms = [
  "not only",
  "not just",
  "no doubt",
  "no later",
  "no matter",
  "no more",
  "no less",
  "no fewer",
  "not more",
  "not less",
  "not fewer",
  "not later",
  "not least",
  "nothing but",
  "no sooner",
  "out of order",
];
/** "X is not … until": what a negator before reaches ends nowhere near; "failed" is also an adjective ("failed request"). */
const nounAfterFail =
  /^(?:request|requests|login|logins|job|jobs|message|messages|order|orders|payment|payments|test|tests|attempt|attempts|deploy|deployment|build|builds)$/;

const finite = /^(?:is|are|was|were|has|have|had|can|could|will|would|must|may|should)$/;

/** For each token, how often it is negated, as 0 or 1 (two negations cancel out). */
export function negated(tokens: readonly Token[]): Uint8Array {
  const parity = new Uint8Array(tokens.length);
  for (let at = 0; at < tokens.length; at += 1) {
    const length = negatorAt(tokens, at);
    if (length === 0) continue;
    if (tokens[at - 1]?.text === ":" && /^(?:no|none|never)$/.test(tokens[at]?.folded ?? "")) {
      // "Backup: none"
      parity[at - 2] = (parity[at - 2] ?? 0) ^ 1;
      continue;
    }
    let reach = 0;
    let bracket = 0;
    const inRelative = tokens.slice(Math.max(0, at - 3), at).some(({ folded }) => /^(?:that|which|who)$/.test(folded));
    for (let next = at + length; next < tokens.length && reach < (tokens[at]?.folded === "without" ? SHORT_SCOPE : SCOPE); next += 1) {
      const token = tokens[next];
      if (token === undefined) break;
      if (/[([]/.test(token.text)) bracket += 1;
      if (token.mark && !/[–—-]/.test(token.text)) {
        if (bracket > 0 || reach > 0 || /^[;:]$/.test(token.text)) break;
        continue;
      }
      if (token.initial || stops.has(token.folded) || opensClause(tokens, next)) break;
      // "without a limit a full queue …": the next thing
      if (tokens[at]?.folded === "without" && reach > 0 && /^(?:a|an|the)$/.test(token.folded)) break;
      // "what has not been opened for 90 days is archived": the main verb is not denied
      if (inRelative && reach > 1 && finite.test(token.folded)) break;
      parity[next] = (parity[next] ?? 0) ^ 1;
      reach += 1;
    }
    // "left out of this film" negates what stands before it: "Amy Adams, who was left out"
    if (tokens[at]?.folded === "left") for (let back = Math.max(0, at - 6); back < at; back += 1) parity[back] = 1;
  }
  // "childless", "colourless": the word itself says there is none
  for (const [at, token] of tokens.entries()) if (bareOfLess(token.folded) !== null) parity[at] = (parity[at] ?? 0) ^ 1;
  return parity;
}

/** "and we …", "or never …": what follows has a subject or a negation of its own. */
function opensClause(tokens: readonly Token[], at: number): boolean {
  if (!/^(?:and|or)$/.test(tokens[at]?.folded ?? "")) return false;
  const next = tokens[at + 1]?.folded ?? "";
  return /^(?:i|we|you|he|she|it|they|this|that|never|no|not)$/.test(next);
}

/** A word that negates what follows: it carries no content of its own. */
export function isNegator(token: Token): boolean {
  return negators.has(token.folded) || contracted.test(token.text.toLowerCase());
}

/** Both texts negate once, by the same word, and the same: "never delete it", "it must never be deleted", "X was rejected". */
export function sameNegation(a: readonly Token[], b: readonly Token[]): boolean {
  const [ours, theirs] = [negationsIn(a), negationsIn(b)];
  return ours.length === 1 && theirs.length === 1 && ours[0] === theirs[0];
}

/** Each negator with the word that it negates; one that is a verb says itself what is denied. */
function negationsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, at) => {
    if (negatorAt(tokens, at) === 0) return [];
    if (weightOf(token) === 1) return [token.stem];
    const next = tokens.slice(at + 1).find((other) => other.mark || weightOf(other) === 1);
    return [`${contracted.test(token.text) ? "not" : token.folded} ${next?.stem ?? ""}`];
  });
}

/** Length in tokens of a negation that begins here; 0 for none. */
function negatorAt(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token === undefined || token.mark) return 0;
  const pair = `${token.folded} ${next?.folded ?? ""}`;
  if (idioms.includes(pair)) return 0;
  for (const phrase of phrases) {
    if (phrase.every((word, offset) => tokens[at + offset]?.folded === word)) {
      if (phrase[0] === "out" && !/^(?:dropp|ran|run)/.test(tokens[at - 1]?.folded ?? "")) continue;
      if (phrase[0] === "yet" && !/^(?:has|have|had|is|are)$/.test(tokens[at - 1]?.folded ?? "")) continue;
      if (phrase[0] === "away" && !/^(?:stay|stayed|stays|kept|keep)$/.test(tokens[at - 1]?.folded ?? "")) continue;
      return phrase.length;
    }
  }
  // "No, you can …" answers, it negates nothing that follows
  if (token.folded === "no" && next?.mark === true) return 0;
  if (contracted.test(token.text.toLowerCase())) return 1;
  if (!negators.has(token.folded)) return 0;
  if (/^fail/.test(token.folded) && nounAfterFail.test(next?.folded ?? "")) return 0;
  if (/^(?:fail|refus|declin|stop|ceas|avoid|drop)/.test(token.folded)) {
    const verbal = next?.folded === "to" || /ing$/.test(next?.folded ?? "") || (/^drop/.test(token.folded) && next?.folded === "out");
    return verbal || /^avoid/.test(token.folded) ? 1 : 0;
  }
  if (token.folded === "few" && tokens[at - 1]?.folded === "a") return 0;
  if (token.folded === "instead" && next?.folded !== "of") return 0;
  return 1;
}

/** "childless" to the stem of "child"; null for other words. */
export function bareOfLess(folded: string): string | null {
  const bare = /^(\p{L}{3,})less(?:ly|ness)?$/u.exec(folded)?.[1];
  return bare === undefined || /^(?:un|regard|never|nonethe|neverthe|doubt)$/.test(bare) || folded === "wireless" || folded === "serverless"
    ? null
    : stemOf(bare);
}

/** Quantifiers that claim more than "some": each with those of the source that bear it. */
const strong: readonly { readonly words: ReadonlySet<string>; readonly borneBy: ReadonlySet<string> }[] = [
  {
    words: new Set(["only", "solely", "exclusively", "sole"]),
    borneBy: new Set(["only", "solely", "exclusively", "sole", "single", "just", "unique", "alone", "never", "no", "one"]),
  },
  {
    words: new Set(["always", "never"]),
    borneBy: new Set(["always", "never", "every", "all", "any", "no", "not", "each", "constantly", "without"]),
  },
  {
    words: new Set(["all", "every", "everyone", "everything"]),
    borneBy: new Set("all every each any entire whole everyone everything always both across no only".split(" ")),
  },
  {
    words: new Set(["most", "majority"]),
    borneBy: new Set("most majority largest biggest highest greatest more main mainly largely all every half lot many".split(" ")),
  },
];

/** A quantifier of the claim that no word of the source bears; null when there is none. */
export function overstated(claim: readonly Token[], source: ReadonlySet<string>): string | null {
  for (const [at, token] of claim.entries()) {
    if (/^(?:not|n['’]t)$/.test(claim[at - 1]?.folded ?? "") || /^(?:not|isn't|wasn't)$/.test(claim[at - 2]?.folded ?? "")) continue;
    if (token.folded === "most" && claim[at - 1]?.folded === "at") continue;
    if (token.folded === "all" && /^(?:of|at|and)$/.test(claim[at + 1]?.folded ?? "") && claim[at + 1]?.folded !== "of") continue;
    if (token.folded === "every" && /^(?:second|minute|hour|day|night|week|month|year)$/.test(claim[at + 1]?.folded ?? "")) continue;
    const rule = strong.find(({ words }) => words.has(token.folded));
    if (rule === undefined) continue;
    if (![...rule.borneBy].some((word) => source.has(word))) return token.text;
  }
  return null;
}
