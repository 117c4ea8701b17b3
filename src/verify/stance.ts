import type { Mismatch } from "./agree.ts";
import { oppositeOf } from "./antonyms.ts";
import type { Clause } from "./clauses.ts";
import { type Token, weightOf } from "./tokens.ts";

/** A clause among those of its sentence. */
export interface Placed {
  readonly clause: Clause;
  readonly within: readonly Clause[];
}

const hedge =
  /^(?:may|might|could|perhaps|possibly|probably|presumably|supposedly|allegedly|reportedly|apparently|likely|maybe|potentially|expected|planned|supposed|intended|scheduled|suspected|plans?|intends?|proposes?|hopes?|expects?|suspects?|seems?|appears?)$/;
/** What is as careful, or speaks of what is to come. */
const careful =
  /^(?:can|would|should|will|shall|going|want|wants|wanted|possible|possibly|possibility|potential|unclear|uncertain|allowed|permitted|optional|forecast|predict\w*|estimate\w*|risk|chance|sometimes|believ\w*|think\w*|assum\w*|suggest\w*|recommend\w*|proposal|plan|to-be)$/;
/** Who says, thinks or wants something vouches for it, not the source. */
const attitude = /^(?:suspect|believ|assum|think|thought|hop|claim|expect|propos|plan|fear|guess|doubt|wonder|argu|alleg|suppos)/;
const future = /^(?:will|shall)$/;
const condition = /^(?:if|unless|provided|except)$/;
const conditionLike = /^(?:if|unless|provided|except|when|whenever|where|until|without|with|only|once|in case|should)$/;
const denial = /^(?:not|no|never|none|nobody|neither|nor|cannot|\p{L}+n['’]t)$/u;
const universal = /^(?:all|every|always|never|any|each|no|none|nobody|everyone|everything|entirely|completely)$/;
const exception = /^(?:except|unless|excluding|besides|apart)$/;
/** "Only X" denies what is not X. */
const exclusive = /^(?:only|solely|exclusively|except|unless|without|but)$/;
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
  const before = around[around.indexOf(held) - 1];
  if (held.link === "that" && before !== undefined && attitudeOf(before))
    return { kind: "hedge", reason: `the source says that somebody so "${before.verbs.at(-1)?.text}"` };
  const past =
    said.verbs.some(({ folded }) => /^(?:has|have|had|was|were)$/.test(folded)) ||
    (said.verbs.length === 1 && /ed$/.test(said.verbs[0]?.folded ?? ""));
  return past && held.verbs.some(({ folded }) => future.test(folded))
    ? { kind: "hedge", reason: "the source speaks of what is to come" }
    : null;
}

function attitudeOf({ verbs }: Clause): boolean {
  return verbs.some(({ folded }) => attitude.test(folded));
}

/** The clause of the source hangs on an "if" or "unless" that the claim leaves out. */
function unconditional({ within }: Placed, { clause: held, within: around }: Placed): Mismatch | null {
  if (within.some((one) => conditionLike.test(one.link) || has(one, conditionLike) !== undefined || has(one, hedge) !== undefined))
    return null;
  const at = around.indexOf(held);
  const said = new Set(within.flatMap(({ tokens, subject }) => [...subject, ...tokens]).map(({ stem }) => stem));
  for (const one of [around[at - 1], around[at + 1]]) {
    if (one === undefined || !condition.test(one.link)) continue;
    const words = one.tokens.filter((token) => weightOf(token) === 1);
    if (words.length > 0 && words.filter(({ stem }) => said.has(stem)).length < SAID * words.length)
      return { kind: "hedge", reason: `the source says so only with "${one.link} …"` };
  }
  return null;
}

/** "Never" where the source makes an exception. */
function withoutException({ within }: Placed, { within: around }: Placed): Mismatch | null {
  const word = within.map((one) => has(one, universal)).find((token) => token !== undefined);
  const held = around.map((one) => has(one, exception)).find((token) => token !== undefined);
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
