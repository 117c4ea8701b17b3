import { gravity } from "../core/incident.ts";
import type { Incident } from "./lookups.ts";

/* What a question asks of tickets beside being open or of a service: who has them, in what state, which of them. */

/** "Unassigned", "that nobody works on". */
export const unassigned =
  /\bunassigned\b|\b(?:nobody|no one|no-one) (?:is |was |has been )?(?:assigned|on it|working on|looking (?:at|into)|took|picked)|\b(?:without|has no|have no|with no|lacks?|no) (?:an? )?assignee|\bnot (?:yet )?(?:been )?(?:assigned|taken|picked up)|\bthat (?:nobody|no one|no-one) (?:owns|has|took|takes|works on)\b|\bassigned to (?:nobody|no one)\b/;
/** States that the words "open" and "closed" already ask for. */
const plainState = /^(?:open|closed|resolved|done|fixed|new|active|completed?)$/;

/** Whether a ticket fits; null: the question asks nothing of the kind. Statuses and priorities are those that tickets here have. */
export function ticketFilter(masked: string, all: readonly Incident[]): ((one: Incident) => boolean) | null {
  const tests: ((one: Incident) => boolean)[] = [];
  if (unassigned.test(masked))
    tests.push(({ node, record }) => node.attributes.assignee === undefined && record?.fields.assignee === undefined);
  if (/\bduplicates?\b/.test(masked)) tests.push(({ duplicateOf }) => duplicateOf !== null);
  const statuses = valuesOf(all, ({ state }) => state.status).filter((status) => !plainState.test(status) && holds(masked, status));
  if (statuses.length > 0) tests.push(({ state }) => statuses.includes((state.status ?? "").toLowerCase()));
  if (/\bpriorit/.test(masked)) {
    const priorities = valuesOf(all, ({ node }) => node.attributes.priority ?? null).filter((priority) => holds(masked, priority));
    if (priorities.length > 0) tests.push(({ node }) => priorities.includes((node.attributes.priority ?? "").toLowerCase()));
  }
  return tests.length === 0 ? null : (one) => tests.every((test) => test(one));
}

/** The one that a superlative means, how it is called, and those that share the place with it. */
export interface Superlative {
  readonly called: string;
  readonly first: readonly Incident[];
}

/** "The oldest", "the worst", "took longest": null where nothing of the kind is asked, or nothing is known to tell it by. */
export function superlative(masked: string, all: readonly Incident[]): Superlative | null {
  const by = (called: string, value: (one: Incident) => number | null): Superlative | null => {
    const known = all.flatMap((one) => {
      const own = value(one);
      return own === null ? [] : [{ one, own }];
    });
    const most = Math.max(...known.map(({ own }) => own));
    return known.length === 0 ? null : { called, first: known.filter(({ own }) => own === most).map(({ one }) => one) };
  };
  const at = (text: string | null): number | null => (text === null ? null : Date.parse(text));
  const opened = ({ node, state }: Incident): number | null => at(node.attributes.startedAt ?? state.opened);
  if (
    /\boldest\b|\bearliest\b|\blongest[- ](?:running|open|standing)\b|\bopen(?:ed)? (?:the )?longest\b|\bopened first\b|\b(?:very )?first(?: \w+)? (?:incident|outage|ticket|bug|issue|problem)\b/.test(
      masked,
    )
  )
    return by(/\bfirst\b/.test(masked) ? "first" : "oldest", (one) => negative(opened(one)));
  if (/\b(?:youngest|newest|latest|most recent)(?: \w+)? (?:incident|outage|ticket|bug|issue|problem)\b/.test(masked))
    return by(/\byoungest\b/.test(masked) ? "youngest" : "newest", opened);
  const grave =
    /\b(?:worst|biggest|largest|gravest)\b|\bmost (?:severe|serious|urgent|critical|important)\b|\bhighest (?:severity|sev|priority)\b/.exec(
      masked,
    );
  if (grave !== null) return by(/^(?:biggest|gravest)$/.test(grave[0]) ? grave[0] : "worst", ({ node }) => gravity(node));
  if (/\blongest\b|\bmost time\b/.test(masked)) return by("longest", duration);
  if (/\bshortest\b|\bquickest\b|\bfastest\b/.test(masked)) return by("shortest", (one) => negative(duration(one)));
  return null;
}

/** Milliseconds from opening to the end; null while that is not known. */
export function duration({ state }: Incident): number | null {
  return state.opened === null || state.resolved === null ? null : Date.parse(state.resolved) - Date.parse(state.opened);
}

function negative(value: number | null): number | null {
  return value === null ? null : -value;
}

function valuesOf(all: readonly Incident[], value: (one: Incident) => string | null): readonly string[] {
  return [...new Set(all.flatMap((one) => value(one)?.toLowerCase() ?? []))];
}

function holds(masked: string, words: string): boolean {
  const at = masked.indexOf(words);
  return at >= 0 && !/[\p{L}\p{N}-]/u.test(masked[at - 1] ?? " ") && !/[\p{L}\p{N}-]/u.test(masked[at + words.length] ?? " ");
}
