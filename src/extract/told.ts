import type { NodeId } from "../core/fact.ts";
import { type Claim, placesOf } from "./bearing.ts";
import { cures, denies, harms } from "./commit-roles.ts";
import { endWords, weighed } from "./cues.ts";
import { clauseStart, judge } from "./guards.ts";
import { classes, type Masked, mentionAt } from "./mask.ts";
import { asksFor, isCommand } from "./page-relations.ts";

/**
 * Whether a sentence may well tell what a model claims, in words that no cue knows: it names the ends and nothing that could
 * stand in their place, in an order that fits the claim's direction, and neither denies, asks, plans, compares nor recalls. That
 * is less than a cue, so it counts only in replies that are consistent (`model-link.ts`), and with less confidence.
 * @param from, to the part of the masked text that the model quoted
 * @param onPage a page is read, not a ticket: what people do in a ticket does not make them owners
 * @returns how surely the sentence states it, null where it does not
 */
export function toldOf(masked: Masked, claim: Claim, from: number, to: number, onPage: boolean): number | null {
  const { text } = masked;
  const quoted = text.slice(from, to);
  const lasts = claim.kind === "depends_on" || claim.kind === "owns";
  if (claim.ends || weighed.test(quoted) || (lasts && endWords.test(quoted)) || (claim.kind === "depends_on" && isCommand(text)))
    return null;
  const [source] = placesOf(masked, claim.source, claim.implied, from, to);
  const [target] = placesOf(masked, claim.target, claim.implied, from, to);
  if (source === undefined || target === undefined || (source < 0 && target < 0)) return null;
  const places = [source, source + 1, target, target + 1].filter((place) => place > 0);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const verdict = judge(text, first, Math.max(last, Math.min(to, clauseEnd(text, last))));
  if (!verdict.stated || !alone(masked, claim, from, to, first, last)) return null;
  if ((source < 0 || target < 0) && hasOtherSubject(masked, claim, first)) return null;
  return fits(masked, claim, source, target, quoted, onPage) ? verdict.certainty : null;
}

const askers =
  /\b(?:(?:consumers?|callers?|clients?|customers?|users|readers|subscribers?|dependents?|nutzer|abnehmer|clients) (?:[\w-]{1,15} ){0,4}?(?:is|are|sind|sont)|(?:consumers?|callers?|clients?|dependents?|nutzer|abnehmer) ?:) [^.;]*$/i;

function clauseEnd(text: string, from: number): number {
  const end = /[;:]|\. |, (?:but|while|whereas|although)\b| – | — /.exec(text.slice(from));
  return end === null ? text.length : from + end.index;
}

const join =
  /^(?:,? ?(?:(?:and|or|und|oder|et|ou|&|\+|plus|\/) ?)?(?:(?:on|to|from|of|in|with|by|for|at|von|an|bei|de|par) )?(?:the )?|,? ?)$/i;

/** What is quoted names nothing of an end's kind up to the last end, but further items of the ends' own lists. */
function alone(masked: Masked, claim: Claim, from: number, to: number, first: number, last: number): boolean {
  const kinds = new Set([claim.source, claim.target].map(family));
  const { text } = masked;
  let before = -1;
  for (let at = Math.max(from, clauseStart(text, first)); at < Math.min(to, last); at += 1) {
    const mention = mentionAt(masked, text[at]);
    if (mention === null || !kinds.has(family(mention.nodes[0] ?? claim.source))) continue;
    const isEnd = mention.nodes.includes(claim.source) || mention.nodes.includes(claim.target);
    const [gap, next] = /^([^\uE000-\uF8FF]{0,16})([\uE000-\uF8FF])/.exec(text.slice(at + 1))?.slice(1) ?? [];
    const listed = (before >= 0 && join.test(text.slice(before + 1, at))) || (next !== undefined && join.test(gap ?? ""));
    if (!isEnd && !listed) return false;
    before = at;
  }
  return true;
}

/** Whether another thing opens the sentence than what it would have to mean without a name. */
function hasOtherSubject(masked: Masked, claim: Claim, first: number): boolean {
  const head = /[\uE000-\uF8FF]/.exec(masked.text)?.index ?? first;
  const mention = mentionAt(masked, masked.text[head]);
  if (mention === null || head >= first || !opens.test(masked.text.slice(0, head))) return false;
  return (
    family(mention.nodes[0] ?? claim.source) === family(claim.source) &&
    !mention.nodes.includes(claim.source) &&
    !mention.nodes.includes(claim.target)
  );
}

/** Engineers and teams may stand for one another. */
function family(node: NodeId): string {
  const kind = node.slice(0, node.indexOf(":"));
  return kind === "team" ? "engineer" : kind;
}

function fits(masked: Masked, claim: Claim, source: number, target: number, quoted: string, onPage: boolean): boolean {
  const { text, mentions } = masked;
  switch (claim.kind) {
    case "depends_on":
      return pointsRight(text, source, target);
    case "owns":
      return onPage && !deeds.test(quoted);
    case "affects":
      return (
        target >= 0 &&
        trouble.test(text) &&
        !broke.test(text.slice(target + 1)) &&
        !asCause.test(text.slice(clauseStart(text, target), target))
      );
    case "fixes":
      return source >= 0 && target < 0 && !denies(text) && !takenBack.test(text.slice(0, source)) && (cures(quoted) || !harms(quoted));
    case "caused_by":
      if (source >= 0 || target < 0 || denies(text)) return false;
      if (claim.target.startsWith("commit:")) return harms(quoted) || !cures(quoted);
      return claim.target.startsWith("service:") && !mentions.some(({ kind }) => kind === "commit") && suffers(text, target);
    case "modified":
      return false;
  }
}

const us = "(?:it|its|us|our|ours|here|them|nous|notre|nos|uns|unser\\w{0,2})";
const onUs = new RegExp(`^[^.;:]{0,80}\\b${us}\\b`, "i");
const opens = /(?:^|[.;:] |, |^\W{1,3})(?:(?:the|our|both|also|le|la|der|die|das) )*$/i;
const governed =
  /\b(?:in|into|on|onto|to|from|of|off|through|via|by|with|at|over|aus|von|vom|auf|an|bei|über|mit|nach|zu|dans|de|par|avec|chez) (?:the |le |la )?$/i;
const actor = /\b(?:it|they|we|this|which|who|he|she|er|sie|es|il|elle|on)\b(?! (?:is|means|was)\b)/i;
const relative = /\b(?:which|that|where|what|whatever|was|den|die|das|que|dont|où) (?:the )?$/i;

/** Whether the order of the ends and the words beside them fit a need of the first for the second. */
function pointsRight(text: string, source: number, target: number): boolean {
  const beforeTarget = text.slice(clauseStart(text, target), Math.max(0, target));
  const beforeSource = text.slice(clauseStart(text, source), Math.max(0, source));
  if (source < 0)
    return !asksFor(beforeTarget) && !askers.test(beforeTarget) && !(opens.test(beforeTarget) && onUs.test(text.slice(target + 1)));
  if (target < 0)
    return asksFor(beforeSource) || askers.test(beforeSource) || (opens.test(beforeSource) && onUs.test(text.slice(source + 1)));
  if (join.test(text.slice(Math.min(source, target) + 1, Math.max(source, target)))) return false;
  // "bills come out of alpha, the curve out of beta"
  if (governed.test(beforeSource) && source < target) return false;
  // "it reads alpha and writes to beta": what is read is not what writes
  if (actor.test(text.slice(clauseStart(text, Math.min(source, target)), source))) return false;
  return source < target ? !asksFor(beforeTarget) && !relative.test(beforeTarget) : asksFor(beforeSource) || relative.test(beforeSource);
}

/** What people do with a service without owning it, and who stands beside the one who does. */
const deeds =
  /\b(?:fix\w*|repair\w*|deploy\w*|restart\w*|report\w*|found|broke\w*|merg\w*|review\w*|ask(?:s|ed)|sa(?:ys|id)|not(?:es|iced)|on[- ]?call|rota|deput\w*|stand-?in|back ?up|vertret\w*|stellvert\w*|remplaç\w*|present|attend\w*|authors?|creat\w*|built|wrote|written|paged|chang\w*|find|check\w*|test\w*|drove|led|is on it|certificates?|will|cover\w*|alerts? on|add\w*|holiday|urlaub|congés?|former\w*|ehemal\w*|ancien\w*)\b/i;
const trouble =
  /\b(?:down|slow\w*|stuck|fail\w*|errors?|wrong\w*|broken?|timeouts?|tim(?:es?|ed|ing) out|loops?|freez\w*|frozen|hang\w*|hung|crash\w*|lost|los(?:es|ing)|missing|duplicat\w*|twice|double\w*|stale|outages?|impact\w*|degrad\w*|block\w*|unreach\w*|unavail\w*|reject\w*|empty|blank|delay\w*|late|lag\w*|[45]\d\ds?|affected|suffer\w*|hit|takes|accepts?|shows?|betroffen\w*|gestört|kaputt|falsch\w*|fehl\w*|langsam\w*|hängt|ausgefallen|doppelt\w*|leer\w*|panne|lent\w*|briefly|too)\b/i;
const asCause =
  /\b(?:by|because(?: of)?|due to|from|through|over|via|since|wegen|durch|von|aus|über|par|à cause de|depuis) (?:the |our )?$/i;
const takenBack =
  /\b(?:revert\w*|roll\w* back|back\w* out|undo\w*|tak\w* out|without|before|since|zurückgenommen|avant|depuis|seit) (?:commit )?$/i;
const broke =
  /^(?: itself)? (?:(?:is|was) (?:what|why|the (?:cause|culprit|reason|trigger))|broke|breaks|caused|causes|triggered|killed|made|took)\b/i;
const sick =
  /\b(?:full|down|slow\w*|stuck|block\w*|reject\w*|refus\w*|fail\w*|died|crash\w*|hung|hang\w*|restart\w*|overload\w*|held|sat|limit\w*|watermark|memory|disk|threshold|exhaust\w*|out of|late|lagg\w*|timed? out|unreach\w*|unavail\w*|stopped|lost|gap|voll|überlast\w*|weg|langsam\w*|abgestürzt|saturé\w*|plein\w*|tombé\w*)\b/i;

/** "Rabbit sat at its memory watermark": the service itself is what is said to be ill. */
function suffers(text: string, target: number): boolean {
  const after = text.slice(target + 1, clauseEnd(text, target + 1));
  const next = after.search(new RegExp(`[${classes.S}]`));
  return sick.test(next < 0 ? after : after.slice(0, next));
}
