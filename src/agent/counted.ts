/** Questions that count over all services or people: read here, answered by sections/services.ts. */

/** By what services or people are compared. */
export type Counted = "owned" | "authored" | "dependents" | "dependencies" | "incidents" | "tickets" | "commits" | "problems";

const unowned =
  /\b(?:no|without(?: an?| any)?|lacks?(?: an?| any)?|missing(?: an?)?|not have an?|n['’]t have an?) (?:\w+ )?owners?\b|\b(?:nobody|no one|no-one) (?:owns?|owned|maintains?|is responsible)|\b(?:does|do) (?:nobody|no one) (?:own|maintain)|\bunowned\b|\bownerless\b|\borphan(?:ed|s)?\b|\bnot owned\b|\bowned by (?:nobody|no one)\b/;
const many = /\b(?:services?|components?|systems?|apps?|anything|what|things?|ones?)\b/;
const superlative = /\b(?:most|highest|largest|biggest|more|fewest|least|lowest|smallest|fewer|less)\b/;
/** Words of degree that compare nothing. */
const other =
  /\b(?:most recent(?:ly)?|at least|more (?:about|on|than)|most of|most likely|less than|at most|highest (?:priority|severity|sev))\b/;
const ofServices =
  /\b(?:which|what) (?:of (?:the two|them) )?(?:(?:service|component|system|team|person|engineer|developer|one)s?\b|(?:has|have|had|is|was|gets|got)\b)/;
const ofPeople = /^who (?:owns?|has|have|makes?|made|writes?|wrote|commits?|committed|merge[sd]?|push(?:es|ed)?|do|does|did)\b/;

/** "Which services have no owner?" */
export function asksUnowned(masked: string): boolean {
  return unowned.test(masked) && many.test(masked);
}

/** What "which service has the most incidents?" and "who owns most services?" compare by; null where nothing is compared. */
export function compared(masked: string): Counted | null {
  if (!superlative.test(masked) || other.test(masked) || !(ofServices.test(masked) || ofPeople.test(masked))) return null;
  if (/^who\b|\b(?:which|what) (?:person|engineer|developer)\b/.test(masked))
    return /\bown|\bmaintain|\bservices?\b/.test(masked) ? "owned" : /\bcommit|\bchang|\bmerge|\bpush/.test(masked) ? "authored" : null;
  if (
    /\b(?:dependents?|callers?|consumers?|users|clients|depended|relied|used|needed|called) ?(?:on|upon|by)?\b/.test(masked) &&
    !/\bdepends? on\b|\buses\b/.test(masked)
  )
    return "dependents";
  if (/\bdependenc|\bdepends?\b|\bneeds?\b|\buses?\b/.test(masked)) return "dependencies";
  if (/\btickets?\b|\bbugs?\b|\bissues?\b/.test(masked)) return "tickets";
  if (/\bincidents?\b|\boutages?\b/.test(masked)) return "incidents";
  if (/\bcommits?\b|\bchang|\bdeploy|\btouched\b|\bmodified\b/.test(masked)) return "commits";
  return /\berrors?\b|\bwarnings?\b/.test(masked) ? "problems" : null;
}

/** Whether the smallest number is asked for. */
export function asksFewest(masked: string): boolean {
  return /\b(?:fewest|least|lowest|smallest|fewer|less)\b/.test(masked);
}
