import type { EdgeKind, NodeId } from "../core/fact.ts";
import { type Cue, cues, endWords, weighed } from "./cues.ts";
import { clauseStart, judge } from "./guards.ts";
import { type Masked, type Mention, mentionAt } from "./mask.ts";

/** What a model claims, with the nodes that a sentence may mean without naming them: its own ticket, what the page is about. */
export interface Claim {
  readonly kind: EdgeKind;
  readonly source: NodeId;
  readonly target: NodeId;
  readonly ends: boolean;
  readonly implied: ReadonlySet<NodeId>;
}

export type Bearing = { readonly type: "borne"; readonly certainty: number } | { readonly type: "not stated" | "other relation" };

/** A name's place in a masked sentence; -1 where the sentence only means it. */
type Place = number;

/**
 * Whether a sentence bears a claim out: it holds a cue of the claim's kind, both ends stand on the sides of the cue where that
 * relation has them with no other name of their kind nearer, and nothing denies, asks or imagines it.
 * @param from, to the part of the masked text that the model quoted: a named end and the cue must stand in it
 */
export function bearing(masked: Masked, claim: Claim, from: number, to: number): Bearing {
  const sources = placesOf(masked, claim.source, claim.implied, from, to);
  const targets = placesOf(masked, claim.target, claim.implied, from, to);
  let found: Bearing = { type: "other relation" };
  if (sources.every((place) => place < 0) && targets.every((place) => place < 0)) return found;
  const targetKind = claim.target.slice(0, claim.target.indexOf(":"));
  for (const cue of cues) {
    if (cue.kind !== claim.kind || cue.targets?.includes(targetKind) === false) continue;
    cue.words.lastIndex = from;
    for (let match = cue.words.exec(masked.text); match !== null && match.index < to; match = cue.words.exec(masked.text)) {
      const end = match.index + match[0].length;
      for (const source of sources) {
        for (const target of targets) {
          if (!fits(masked, claim, cue, match.index, end, source, target)) continue;
          const places = [match.index, end, source, source + 1, target, target + 1].filter((place) => place > 0);
          const verdict = judge(masked.text, Math.min(...places), Math.max(...places), claim.ends);
          const clause = masked.text.slice(clauseStart(masked.text, Math.min(...places)), Math.max(...places) + 20);
          if (verdict.stated && endWords.test(clause) === claim.ends && !weighed.test(clause))
            return { type: "borne", certainty: verdict.certainty };
          found = { type: "not stated" };
        }
      }
    }
  }
  return found;
}

/** Where a sentence names a node between two places; -1 alone where it only means it, none where it does neither. */
export function placesOf(masked: Masked, node: NodeId, implied: ReadonlySet<NodeId>, from: number, to: number): readonly Place[] {
  const places: Place[] = [];
  for (let at = from; at < to; at += 1) {
    const mention = mentionAt(masked, masked.text[at]);
    if (mention !== null && mention.nodes.length === 1 && mention.nodes[0] === node) places.push(at);
  }
  return places.length === 0 && implied.has(node) ? [-1] : places;
}

function fits(masked: Masked, claim: Claim, cue: Cue, start: number, end: number, source: Place, target: Place): boolean {
  if (!side(cue.source, source, start, end) || !side(cue.target, target, start, end)) return false;
  if (cue.source === "after" && cue.target === "after" && source > target) return false;
  // a cause is named; only "this caused AB-7" may leave it to the ticket that says so
  if (claim.kind === "caused_by" && target < 0 && !(cue.target === "before" && source >= end)) return false;
  if (claim.kind === "depends_on" && cue.source === "before" && source >= 0 && isObject(masked, source, start)) return false;
  if (!reaches(masked, claim.source, source, start, end, claim)) return false;
  if (!reaches(masked, claim.target, target, start, end, claim)) return false;
  // a sentence with another subject does not mean its own ticket or page
  if (source < 0 && othersBefore(masked, claim.source, start)) return false;
  return target >= 0 || !othersBefore(masked, claim.target, start);
}

function side(wanted: Cue["source"], place: Place, start: number, end: number): boolean {
  if (place < 0 || wanted === "either") return true;
  return wanted === "before" ? place < start : place >= end;
}

/** Names of the kinds that could stand in an end's place. */
function rivals(node: NodeId, claim: Claim): (kind: Mention["kind"]) => boolean {
  const own = node.slice(0, node.indexOf(":"));
  if (own === "engineer" || own === "team") return (kind) => kind === "engineer" || kind === "team";
  if (claim.kind === "caused_by" && node === claim.target && own === "service")
    return (kind) => kind === "service" || kind === "commit" || kind === "ticket";
  if (claim.kind === "caused_by" && node === claim.target) return (kind) => kind === "commit" || kind === "ticket";
  return (kind) => kind === own;
}

/** Between two items of a list: ", ", " and on ", " for charges and on ". */
const joins = /(?:,|\/|&|\+|\b(?:and|or|as well as|plus|und|et|y)) ?(?:also )?(?:(?:on|to|from|of|in|with|by|for|at|into|von) )?(?:the )?$/;
const breaks = /[;。]|\. |\b(?:but|whereas|while|although|revert\w{0,4}|roll(?:ed|ing) back|which|who|that)\b/i;

/** Whether nothing but further items of one list stands between a cue and an end, and both are in one clause. */
function reaches(masked: Masked, node: NodeId, place: Place, start: number, end: number, claim: Claim): boolean {
  if (place < 0) return true;
  const after = place >= end;
  const between = after ? masked.text.slice(end, place) : masked.text.slice(place + 1, start);
  if (breaks.test(after ? between : between.replace(/^,? (?:which|that|who) /, ""))) return false;
  const isRival = rivals(node, claim);
  let item = 0;
  let seen = false;
  for (let at = 0; at < between.length; at += 1) {
    const mention = mentionAt(masked, between[at]);
    if (mention === null || !isRival(mention.kind)) continue;
    // the own ticket named beside the other end takes nobody's place
    if (mention.nodes.includes(claim.source) || mention.nodes.includes(claim.target)) continue;
    if ((seen || !after) && !joins.test(between.slice(item, at))) return false;
    seen = true;
    item = at + 1;
  }
  return !seen || !after || joins.test(between.slice(item));
}

/** "alpha reads beta and writes to delta": what is read is not what writes. */
function isObject(masked: Masked, source: Place, start: number): boolean {
  let last = source;
  for (let at = source + 1; at < start; at += 1) if (mentionAt(masked, masked.text[at])?.kind === "service") last = at;
  if (!/\b(?:and|then)\b|,/.test(masked.text.slice(last + 1, start))) return false;
  if (/\b(?:it|they|this|which)\b/i.test(masked.text.slice(clauseStart(masked.text, source), source))) return true;
  for (let at = clauseStart(masked.text, source); at < source; at += 1)
    if (mentionAt(masked, masked.text[at])?.kind === "service") return true;
  return false;
}

/** Whether the clause of a cue names another thing of the kind that it would have to mean without a name. */
function othersBefore(masked: Masked, node: NodeId, start: number): boolean {
  const own = node.slice(0, node.indexOf(":"));
  for (let at = clauseStart(masked.text, start); at < start; at += 1) {
    const mention = mentionAt(masked, masked.text[at]);
    if (mention !== null && mention.kind === own && !mention.nodes.includes(node)) return true;
  }
  return false;
}
