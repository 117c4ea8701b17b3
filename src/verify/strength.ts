import type { Mismatch, ReadClaim } from "./agree.ts";
import type { Alignment } from "./align.ts";
import { type EvidenceSentence, stemsOfToken } from "./evidence.ts";
import { type Token, weightOf } from "./tokens.ts";

/** Words behind which something is possible, supposed, wanted or a condition. */
const hedges =
  /^(?:may|might|perhaps|possibly|probably|presumably|supposedly|allegedly|reportedly|apparently|likely|maybe|suspects?|suspected|if|unless|whether)$/;
/** The same where "to" or "that" follows: "is expected to", "appears to", "hopes that". */
const hedgesWithTo =
  /^(?:expects?|expected|believes?|believed|assumes?|assumed|thinks?|thought|hopes?|hoped|plans?|planned|intends?|intended|proposes?|proposed|seems?|seemed|appears?|appeared|claims?|claimed|rumou?red|scheduled)$/;
/** A claim with one of these is careful itself. */
const careful =
  /^(?:can|would|should|possible|possibility|potential|potentially|unclear|uncertain|allowed|permitted|optional|optionally|when|in case|forecast|predicts?|predicted|estimated|risk|chance|will|going)$/;
const strict = /^(?:must|always|shall)$/;
const clauseEnd = /^(?:but|although|though|because|which|who|whereas|while)$/;
/** Words that a hedge reaches. */
const SCOPE = 14;

const causal = /\b(?:caus(?:e|es|ed|ing)|led to|leads? to|results? in|resulted in|because of|due to|brought about|makes?|made)\b/i;
const correlated = /\b(?:associat(?:ed|ion)|correlat\w+|linked|link between|coincid\w+|went along|tends? to)\b/i;

const partial = /^(?:many|some|most|several|few|half|often|sometimes|usually|majority|part)$/;
const nearly = /^(?:almost|nearly|virtually|practically|not|hardly)$/;

/** What a claim says more firmly than its source: a supposition as a fact, a correlation as a cause, "all" for "almost all". */
export function overreached(claim: ReadClaim, { focus }: Alignment, near: readonly EvidenceSentence[]): Mismatch | null {
  return unhedged(claim, near, focus) ?? madeDuty(claim, near) ?? madeCause(claim, near) ?? madeWhole(claim, near);
}

function isHedge(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  // "in May", where the capital is no sentence's
  if (token === undefined || token.mark || (token.capital && !token.initial)) return false;
  // "could" alone is what somebody was able to do
  if (token.folded === "could") return tokens[at + 1]?.folded === "have";
  return hedges.test(token.folded) || (hedgesWithTo.test(token.folded) && /^(?:to|that)$/.test(tokens[at + 1]?.folded ?? ""));
}

/** Places of words that stand behind a hedge in its clause. */
function hedgedIn(tokens: readonly Token[]): Set<number> {
  const found = new Set<number>();
  for (const at of tokens.keys()) {
    if (!isHedge(tokens, at)) continue;
    for (let next = at + 1; next < tokens.length && next <= at + SCOPE; next += 1) {
      const token = tokens[next];
      if (token === undefined || token.mark || clauseEnd.test(token.folded)) break;
      found.add(next);
    }
  }
  return found;
}

/** The verb of the claim stands behind "may", "if" or "is expected to" wherever the source has it, and the claim has none of these. */
function unhedged({ tokens, tagged }: ReadClaim, near: readonly EvidenceSentence[], focus: readonly EvidenceSentence[]): Mismatch | null {
  if (tokens.some((token, at) => isHedge(tokens, at) || careful.test(token.folded))) return null;
  const verbs = tokens.filter(
    (token) =>
      weightOf(token) > 0 &&
      tagged.some(({ start, end, verb, auxiliary }) => verb && !auxiliary && start <= token.start && token.end <= end),
  );
  const held = new Map(near.map((sentence) => [sentence, hedgedIn(sentence.tokens)]));
  if (![...held.values()].some((places) => places.size > 0)) return null;
  for (const verb of verbs) {
    const stems = stemsOfToken(verb);
    const has = ({ tokens: theirs }: EvidenceSentence): number[] => theirs.flatMap((token, at) => (stems.includes(token.stem) ? [at] : []));
    const places = near.flatMap((sentence) => has(sentence).map((at) => held.get(sentence)?.has(at) === true));
    const plainly = focus.some((sentence) => !near.includes(sentence) && has(sentence).length > 0);
    if (places.length > 0 && places.every(Boolean) && !plainly)
      return { kind: "hedge", reason: `the source says "${verb.text}" only as possible, supposed or on a condition` };
  }
  return null;
}

/** "Must skip" for "may skip". */
function madeDuty({ tokens }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  const there = near.flatMap((sentence) => sentence.tokens);
  const duty = tokens.findIndex(({ folded }) => strict.test(folded));
  const verb = tokens[duty + 1];
  if (duty < 0 || verb === undefined || there.some(({ folded }) => strict.test(folded))) return null;
  const leave = there.find(({ folded }, at) => /^(?:may|can|could|might)$/.test(folded) && there[at + 1]?.stem === verb.stem);
  return leave === undefined ? null : { kind: "hedge", reason: `the source says "${leave.text} ${verb.text}"` };
}

function madeCause({ text }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  const there = near.map((sentence) => sentence.text).join(" ");
  if (!/\bcaus|\bled to\b|\bleads? to\b|\bresult|\bbecause of\b|\bdue to\b|\bbrought about\b/i.test(text)) return null;
  if (!correlated.test(there) || correlated.test(text) || causal.test(there)) return null;
  return { kind: "cause", reason: "the source speaks of things that go together, not of a cause" };
}

/** "All" for "almost all", "no" for "many … not". */
function madeWhole({ tokens }: ReadClaim, near: readonly EvidenceSentence[]): Mismatch | null {
  const theirs = near.flatMap((sentence) => sentence.tokens);
  for (const [at, { folded }] of tokens.entries()) {
    if (/^(?:all|every|everyone|everything|always|none)$/.test(folded) && !nearly.test(tokens[at - 1]?.folded ?? "")) {
      const places = theirs.flatMap((token, place) => (token.folded === folded ? [place] : []));
      if (places.length > 0 && places.every((place) => nearly.test(theirs[place - 1]?.folded ?? "")))
        return { kind: "quantifier", reason: `the source says "${theirs[(places[0] ?? 0) - 1]?.text} ${folded}"` };
    }
    if (
      /^(?:no|none|nobody|never)$/.test(folded) &&
      !theirs.some((token) => /^(?:no|none|nobody|never|any|neither|nor)$/.test(token.folded))
    ) {
      const some = theirs.find((token) => partial.test(token.folded));
      const denied = theirs.some((token) => token.folded === "not" || /n['’]t$/.test(token.text));
      if (some !== undefined && denied) return { kind: "quantifier", reason: `the source says it of "${some.text}" only` };
    }
  }
  return null;
}
