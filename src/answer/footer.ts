import { labels } from "../core/labels.ts";
import { terms } from "../core/words.ts";
import type { ReadQuestion } from "./question.ts";

const known: ReadonlySet<string> = new Set(Object.values(labels));
const persons: ReadonlySet<string> = new Set([labels.assignee, labels.reporter, labels.author, labels.reviewers]);
const times: ReadonlySet<string> = new Set([
  labels.opened,
  labels.started,
  labels.resolved,
  labels.date,
  labels.merged,
  labels.updated,
  labels.firstSeen,
  labels.lastSeen,
]);
/** What asks for a field beside its own name. */
const asks: Readonly<Record<string, RegExp>> = {
  [labels.status]: /\b(?:state|open|closed|done|resolved|fixed|finished|progress)\b/i,
  [labels.path]: /\bfiles?\b|\bwhere\b/i,
  [labels.changedFiles]: /\bfiles?\b|\bchang|\btouch|\bmodif/i,
  [labels.severity]: /\bsev/i,
  [labels.components]: /\bcomponents?\b|\bservices?\b/i,
  [labels.affected]: /\baffect|\bimpact/i,
};

/** A field of a record ("Path: …", "Changed files: …") that the question does not ask for: it answers nothing. */
export function unaskedField(text: string, question: string, asked: ReadQuestion): boolean {
  const label = /^([A-Z][A-Za-z ]{2,20}): /.exec(text)?.[1];
  if (label === undefined || !known.has(label)) return false;
  if (asked.type === "person" && persons.has(label)) return false;
  if (asked.type === "time" && times.has(label)) return false;
  return !(asks[label]?.test(question) ?? false) && !terms(label).some((term) => asked.words.has(term) || asked.terms.includes(term));
}
