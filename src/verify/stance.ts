import type { Mismatch } from "./agree.ts";
import { oppositeOf } from "./antonyms.ts";
import type { Clause } from "./clauses.ts";
import { type Token, weightOf, worded } from "./tokens.ts";

/** A clause among those of its sentence. */
export interface Placed {
  readonly clause: Clause;
  readonly within: readonly Clause[];
}

const hedge =
  /^(?:may|might|could|perhaps|possibly|probably|presumably|supposedly|allegedly|reportedly|apparently|likely|maybe|potentially|expected|planned|supposed|intended|scheduled|suspected|plans?|intends?|proposes?|hopes?|expects?|suspects?|seems?|appears?)$/;
/** What is as careful, or speaks of what is to come. */
const careful =
  /^(?:can|would|should|will|shall|going|want|wants|wanted|possible|possibly|possibility|potential|unclear|uncertain|allowed|permitted|optional|forecast|predict\w*|estimate\w*|risk|chance|sometimes|requires?|required|needs?|believ\w*|think\w*|assum\w*|suggest\w*|recommend\w*|proposal|plan|to-be)$/;
/** Who says, thinks or wants something vouches for it, not the source. */
const attitude =
  /^(?:ask|request|want|wish|suspect|believ|assum|think|thought|hop|claim|expect|propos|plan|fear|guess|doubt|wonder|argu|alleg|suppos)/;
const future = /^(?:will|shall|should|must|can|may|might)$/;
/** In a clause behind one of these nothing has happened yet, unless it is told as past. */
const toCome = /^(?:before|until|if|unless|when|once|whether)$/;
const condition = /^(?:if|unless|provided|except)$/;
const conditionLike = /^(?:if|unless|provided|except|when|whenever|where|until|without|with|only|once|in case|should)$/;
const denial = /^(?:not|no|never|none|nobody|neither|nor|cannot|\p{L}+n['’]t)$/u;
const universal =
  /^(?:all|every|always|never|any|each|no|none|nobody|everyone|everybody|anyone|anybody|everything|entirely|completely|guaranteed|certainly|definitely)$/;
const exception =
  /^(?:except|unless|excluding|besides|apart|only|usually|often|mostly|sometimes|typically|generally|normally|most|some|many|several)$/;
/** "Only X" denies what is not X. */
const exclusive = /^(?:only|solely|exclusively|except|unless|without)$/;
/** This share of what a condition says makes it said. */
const SAID = 0.5;

/** What a clause says more firmly than the one of the source that says the same: a supposition or plan as a fact, without its condition, denied. */
export function firmer(said: Placed, held: Placed, sameVerb: boolean): Mismatch | null {
  return (
    unsure(said, held) ?? unconditional(said, held) ?? withoutException(said, held) ?? (sameVerb ? denied(said.clause, held.clause) : null)
  );
}

function has({ tokens, verbs, link }: Clause, shape: RegExp): Token | undefined {
  return [...verbs, ...tokens].find(({ folded, capital, initial }) => shape.test(folded) && (!capital || initial || link === folded));
}

function unsure({ clause: said, within }: Placed, { clause: held, within: around }: Placed): Mismatch | null {
  if (within.some((one) => has(one, hedge) !== undefined || has(one, careful) !== undefined || attitudeOf(one))) return null;
  const word =
    held.verbs.find(({ folded }) => hedge.test(folded)) ?? held.tokens.find(({ folded, capital }) => hedge.test(folded) && !capital);
  if (word !== undefined) return { kind: "hedge", reason: `the source says so only with "${word.text}"` };
  const wanted = held.verbs.find(({ folded, stem }) => attitude.test(folded) && !said.verbs.some((verb) => verb.stem === stem));
  if (wanted !== undefined) return { kind: "hedge", reason: `the source says only that it is so "${wanted.text}"` };
  const before = around[around.indexOf(held) - 1];
  if (held.link === "that" && before !== undefined && attitudeOf(before))
    return { kind: "hedge", reason: `the source says that somebody so "${before.verbs.at(-1)?.text}"` };
  if (!isPast(said) || isPast(held)) return null;
  const open = toCome.test(held.link) || held.verbs.some(({ folded }) => future.test(folded));
  return open ? { kind: "hedge", reason: "the source speaks of what is to come" } : null;
}

/** "Has been", "was", "stopped". */
function isPast({ verbs }: Clause): boolean {
  const [only] = verbs;
  if (only === undefined) return false;
  if (verbs.length === 1) return /^(?:was|were)$|ed$/.test(only.folded);
  // "has to be" is not over
  return verbs.some(({ folded }) => /^(?:has|have|had|was|were)$/.test(folded)) && !verbs.some(({ folded }) => folded === "to");
}

function attitudeOf({ verbs }: Clause): boolean {
  return verbs.some(({ folded }) => attitude.test(folded));
}

/** The clause of the source hangs on an "if" or "unless" that the claim leaves out. */
function unconditional({ clause: ours, within }: Placed, { clause: held, within: around }: Placed): Mismatch | null {
  if (within.some((one) => conditionLike.test(one.link) || has(one, conditionLike) !== undefined || has(one, hedge) !== undefined))
    return null;
  const at = around.indexOf(held);
  const said = new Set(within.flatMap(({ tokens, subject }) => [...subject, ...tokens]).map(({ stem }) => stem));
  for (const one of [around[at - 1], around[at + 1]]) {
    if (one === undefined || !condition.test(one.link)) continue;
    const words = one.tokens.filter((token) => weightOf(token) === 1);
    const left = words.length > 0 && words.filter(({ stem }) => said.has(stem)).length < SAID * words.length;
    // "was rolled back because loss exceeded …" of "is rolled back if loss exceeds …"
    if (left || (isPast(ours) && !isPast(held))) return { kind: "hedge", reason: `the source says so only with "${one.link} …"` };
  }
  return null;
}

/** "Never" where the source makes an exception. */
function withoutException({ within }: Placed, { within: around }: Placed): Mismatch | null {
  const word = within.map((one) => has(one, universal)).find((token) => token !== undefined);
  const held = around
    .map((one) => (/\bat most\b/i.test(worded(one.tokens)) ? undefined : has(one, exception)))
    .find((token) => token !== undefined);
  if (
    word === undefined ||
    held === undefined ||
    within.some((one) => has(one, exception) !== undefined || has(one, conditionLike) !== undefined)
  )
    return null;
  return { kind: "quantifier", reason: `the source makes an exception ("${held.text} …")` };
}

/** Both have the same verb, one with "not". */
function denied(said: Clause, held: Clause): Mismatch | null {
  const count = ({ tokens, verbs }: Clause): number => {
    const list = [...new Set([...verbs, ...tokens])];
    return list.filter(
      ({ folded }, at) => denial.test(folded) && !/^(?:only|just|later|more|less|fewer|doubt)$/.test(list[at + 1]?.folded ?? ""),
    ).length;
  };
  const [ours, theirs] = [count(said), count(held)];
  if (ours % 2 === theirs % 2 || [said, held].some((one) => has(one, exclusive) !== undefined)) return null;
  const stems = new Set([...held.verbs, ...held.tokens].map(({ stem }) => stem));
  if ([...said.verbs, ...said.tokens].some(({ stem }) => oppositeOf(stem, stems) !== null)) return null;
  return { kind: "negation", reason: ours > theirs ? "the source does not deny this" : "the source denies this" };
}
