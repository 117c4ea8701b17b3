import { isStopWord } from "../core/words.ts";
import type { Mismatch, ReadClaim } from "./agree.ts";
import type { EvidenceSentence } from "./evidence.ts";
import { stemOf, type Token } from "./tokens.ts";

/** Who does what to whom: names (folded) on both sides of a verb. */
interface Relation {
  readonly verb: string;
  readonly agent: string;
  readonly patient: string;
  readonly agentText: string;
  readonly patientText: string;
}

/** Verbs whose two sides can not change places, by what they are compared as; "~" turns the sides. */
const verbs = new Map<string, { as: string; turned: boolean }>();
for (const line of [
  "depend rely need require use consume",
  "call invoke query",
  "own maintain",
  "fix resolve repair close",
  "cause trigger break introduce",
  "modify change touch update",
  "block delay",
  "replace supersede succeed",
  "deploy release",
  "approve review",
  "assign report",
  "create write build found design develop produce direct invent author",
  "beat defeat",
  "buy acquire purchase",
  "lead manage head",
  "precede",
  "contain hold include",
  "send publish emit",
  "store cache",
  "host serve run",
  "exceed surpass outnumber",
  "kill murder",
  "influence inspire",
]) {
  const [first = "", ...rest] = line.split(" ");
  for (const verb of [first, ...rest]) verbs.set(stemOf(verb), { as: stemOf(first), turned: false });
}
for (const [verb, as] of [
  ["follow", "precede"],
  ["power", "depend"],
  ["lose", "beat"],
]) {
  verbs.set(stemOf(verb ?? ""), { as: stemOf(as ?? ""), turned: true });
}

/** The ends of a relation stand this near to its verb, in words. */
const NEAR = 4;

/** What may stand between a name and its verb, and between a verb and the name it is about. */
const beforeVerb =
  /^(?:is|are|was|were|has|have|had|been|being|be|will|would|can|could|does|did|do|also|now|then|directly|currently|only|both|already|still|mainly|team|service|\p{L}+ly)$/u;
const afterVerb =
  /^(?:on|upon|by|the|a|an|to|from|with|its|their|his|her|directly|only|both|out|service|ticket|commit|release|team|version|bug|\d[\d–-]*)$/;

/** The claim's relation with its ends exchanged, or with another end than in the source. */
export function swapped({ tokens, text }: ReadClaim, focus: readonly EvidenceSentence[]): Mismatch[] {
  const said = relationsIn(tokens, text);
  if (said.length === 0) return [];
  const held = focus.flatMap((sentence) =>
    relationsIn(sentence.tokens, sentence.text).map((relation) => ({ ...relation, words: sentence.folded })),
  );
  for (const relation of said) {
    const same = held.filter((other) => other.verb === relation.verb);
    if (same.some((other) => other.agent === relation.agent && other.patient === relation.patient)) continue;
    const turned = same.find((other) => other.agent === relation.patient && other.patient === relation.agent);
    if (turned !== undefined)
      return [
        { kind: "direction", reason: `the source says it the other way round: ${turned.agentText} is first, ${turned.patientText} second` },
      ];
    const otherAgent = same.find((other) => other.patient === relation.patient && other.agent !== relation.agent);
    if (otherAgent !== undefined && !same.some((other) => other.agent === relation.agent && other.patient === relation.patient))
      return [
        { kind: "name", reason: `${relation.agentText} is not said of ${relation.patientText} in the source: ${otherAgent.agentText}` },
      ];
    const otherPatient = same.find((other) => other.agent === relation.agent && !other.words.has(relation.patient));
    if (otherPatient !== undefined)
      return [
        { kind: "name", reason: `${relation.patientText} is not said of ${relation.agentText} in the source: ${otherPatient.patientText}` },
      ];
  }
  return [];
}

function relationsIn(tokens: readonly Token[], text: string): Relation[] {
  const found: Relation[] = [];
  for (const [at, token] of tokens.entries()) {
    const rule = verbs.get(token.stem);
    if (rule === undefined || token.capital) continue;
    const before = endBefore(tokens, at, text);
    const after = endAfter(tokens, at, text);
    if (before === null || after === null) continue;
    const passive = after.by && isPast(token);
    const turned = passive !== rule.turned;
    const [agent, patient] = turned ? [after, before] : [before, after];
    if (agent.folded === patient.folded) continue;
    found.push({ verb: rule.as, agent: agent.folded, patient: patient.folded, agentText: agent.text, patientText: patient.text });
  }
  return found;
}

interface End {
  readonly folded: string;
  readonly text: string;
  readonly by: boolean;
}

function endBefore(tokens: readonly Token[], verb: number, text: string): End | null {
  for (let at = verb - 1, steps = 0; at >= 0 && steps < NEAR; at -= 1, steps += 1) {
    const token = tokens[at];
    if (token === undefined || token.mark || /^(?:and|or|not|which|that|by|because)$/.test(token.folded)) return null;
    if (isEnd(token)) return grown(tokens, at, -1, text, false);
    if (!beforeVerb.test(token.folded)) return null;
  }
  return null;
}

function endAfter(tokens: readonly Token[], verb: number, text: string): End | null {
  let by = false;
  for (let at = verb + 1, steps = 0; at < tokens.length && steps < NEAR; at += 1, steps += 1) {
    const token = tokens[at];
    if (token === undefined || token.mark || token.initial) return null;
    if (token.folded === "by") by = true;
    else if (/^(?:and|or|not|which|that|because|after|before|in|when)$/.test(token.folded)) return null;
    else if (isEnd(token)) return grown(tokens, at, 1, text, by);
    else if (!afterVerb.test(token.folded)) return null;
  }
  return null;
}

function isEnd(token: Token): boolean {
  if (token.mark) return false;
  if (/\p{L}[-_./]\p{L}|\p{L}-\d/u.test(token.text)) return true;
  return token.capital && !isStopWord(token.folded) && token.text.length > 1;
}

/** A name of several capitalised words, from its end that is nearest to the verb; its last word stands for it. */
function grown(tokens: readonly Token[], at: number, step: 1 | -1, text: string, by: boolean): End {
  let far = at;
  while (tokens[far + step]?.capital === true && tokens[far + step]?.mark === false && !isStopWord(tokens[far + step]?.folded ?? ""))
    far += step;
  const [from, to] = step === 1 ? [at, far] : [far, at];
  const last = tokens[to];
  return { folded: last?.folded ?? "", text: text.slice(tokens[from]?.start, last?.end), by };
}

function isPast(token: Token): boolean {
  return /(?:ed|en|wn|ught|uilt|ound|ade|old|ung)$/.test(token.folded);
}
