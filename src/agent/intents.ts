import type { GraphNode } from "../core/graph.ts";
import { asksUnowned, compared } from "./counted.ts";
import { HOUR } from "./dates.ts";
import type { Question } from "./question.ts";
import type { Window } from "./time.ts";

export type Intent =
  | "cause"
  | "status"
  | "owner"
  | "oncall"
  | "handover"
  | "author"
  | "changes"
  | "commit"
  | "fix"
  | "fixed-by"
  | "incidents"
  | "ticket"
  | "reopened"
  | "duplicate"
  | "pull"
  | "pulls"
  | "introduced"
  | "dependencies"
  | "uses"
  | "logs"
  | "trace"
  | "person"
  | "relation"
  | "services"
  | "caused"
  | "assignee"
  | "overview";

interface Seed {
  readonly masked: string;
  readonly services: readonly GraphNode[];
  readonly tickets: readonly GraphNode[];
  readonly commits: readonly GraphNode[];
  readonly people: readonly GraphNode[];
  readonly literals: readonly string[];
  readonly ambiguous: Question["ambiguous"];
  readonly window: Window | null;
}

const cue = {
  cause:
    /\bwhy\b|\bhow come\b|\broot[- ]?causes?\b|\bcaus(?:e[sd]?|ing)\b|\breasons?\b|\bculprit|\bblame[ds]?\b|\bat fault\b|\bfault of\b|\bbroke\b|\bwent wrong\b|\bwrong with\b|\btriggered\b|\bintroduced\b|\bbehind (?:the|this|that|⟨ticket⟩)|\bwhat(?:'s| is| was| were)? behind (?:it|them)\b|\bwas (?:it )?behind it\b|\bresponsible for (?:the |this |that )?(?:⟨service⟩ )?(?:outage|incident|failure|breakage|errors?|problem|5\d\ds?)|\bwhat (?:took|brought) (?:down )?⟨service⟩|\bdue to what\b|\bwhat made\b/,
  introduced:
    /^who (?:has |had |first )?(?:introduced|added|removed|dropped|renamed|replaced|switched|changed|implemented|rewrote) (?:over to |to )?(?:the |our |an? )?(?!⟨|last\b|anything\b|something\b|it\b|this\b|that\b)[a-z][a-z-]+ [a-z]+|\b(?:which|what) (?:pull request|commit|change|merge|release) (?:first )?(?:introduced|added|brought(?: in)?|implemented|removed|dropped|renamed|created)\b/,
  pulls:
    /^(?:(?:which|what|list|show(?: me)?|any|all|how many|are there) )*(?:any |all |the |our )*(?:⟨\w+⟩(?:'s)? )?(?:(?:open|unmerged|pending|merged|closed) )?pull requests\b(?!.*\b(?:caus|broke|fix|introduc))/,
  status:
    /\bwhat(?:'s| is| are)? (?:currently |now )?(?:broken|down|failing|on fire|going on|happening|up|wrong)\b|\b(?:is|are|was|were) (?:the )?(?:⟨service⟩|anything|everything|something) (?:currently |now |still |all )?(?:on fire|dead|crashing|broken|down|failing|right|ok|okay|fine|healthy|up|working|affected|degraded|slow|in trouble|having)|\b(?:status|state|health) of (?:the )?⟨service⟩|⟨service⟩(?:'s)? (?:status|state|health)\b|\bhow is ⟨service⟩|\bwhat(?:'s| is) (?:going on|happening|up|wrong) (?:with|in|at|on)\b/,
  owner:
    /\bown(?:s|er|ers|ed|ership|ing)?\b|\bbelongs? to\b|\bresponsible\b|\bin charge\b|\bmaintain(?:s|er|ers|ed|ing)?\b|\baccountable\b|\bwhos?e?m? (?:do|should|can|could|must|would|to|shall|else)\b.{0,20}\b(?:page|call|contact|ask|ping|wake|talk|speak|reach|escalate|notify|ring|phone|message|dm|slack|alert|bother)|\bpoint of contact\b|\bwho (?:looks after|takes care of|runs|handles|has|is behind)\b|\bwhich team\b|\bwhose\b|\bcontact (?:for|person)\b|\bgo-to\b|\bwho(?:'s| is)? to (?:page|call|contact|ask|ping|wake)\b|\bwho (?:should|must|can|could|has to|ought to) (?:fix|look (?:at|into)|handle|take care|repair|solve)\b|\bowned by\b/,
  oncall: /\bon[- ]?call\b|\bon duty\b|\bpager ?duty\b|\brota\b|\bholds? the pager\b|\bhas the pager\b/,
  handover:
    /\bchange[ds]? hands\b|\bhand(?:ed|s|ing)?[- ]?(?:it )?over\b|\bhandover\b|\btook (?:it |⟨service⟩ )?over\b|\btake[ns]? (?:it |⟨service⟩ )?over\b|\b(?:previous|former|earlier|last|prior|old|original) (?:owner|maintainer)|\bused to own\b|\bowner(?:ship)? (?:of ⟨service⟩ )?(?:changed?|before)\b|\bowned (?:it|⟨service⟩) (?:before|previously|earlier|until)\b|\bown(?:ed|er|ership)? (?:history|change)|\bwho (?:owned|was the owner|maintained|was responsible)|\bsince when (?:does|is|has)\b.{0,40}\bown|\bwhen did\b.{0,40}\b(?:become|start|take|get|change|begin)\b.{0,30}\b(?:own|hands|over|responsib)/,
  author:
    /\bwho(?:'s| is| was)? (?:has |had |actually )?(?:the )?(?:wrote|written|authored?|committed|made|pushed|merged|created|submitted|landed|did|introduced|behind|wrote up)\b|\bauthor(?:ed|s)? (?:of|by|is)?|\bcommitter\b|\bwhose (?:commit|change) \b/,
  changes:
    /\bchang(?:e|es|ed|ing)\b|\bcommits?\b|\bcommitted\b|\bdeploy\w*\b|\bmerged?\b|\bship(?:s|ped)?\b|\breleased?\b|\breleases\b|\broll(?:ed|s|ing)?[- ]?(?:out|back)\b|\bbump(?:s|ed)?\b|\broll-?outs?\b|\brollbacks?\b|\bgo(?:es|ing)? live\b|\bwent live\b|\btouched\b|\bmodif(?:y|ied|ies|ications?)\b|\bpushed\b|\blanded\b|\bwent (?:out|in|into)\b|\bnew in\b|\bhappened to the code\b|\bpull requests?\b|\bupdated?\b/,
  fix: /\bfix(?:es|ed|ing)?\b|\bresolv(?:e|es|ed|ing)\b|\bclos(?:e|es|ed)\b|\brepair(?:s|ed)?\b|\bsolv(?:e|es|ed)\b|\bpatch(?:ed|es)?\b|\bremed(?:y|ied)\b|\baddress(?:es|ed)\b/,
  incidents:
    /\bincidents?\b|\btickets?\b|\boutages?\b|\bissues?\b|\bbugs?\b|\bsev ?-?\ds?\b|\bopen\b|\bongoing\b|\bunresolved\b|\bactive\b|\bfires?\b|\bproblems?\b|\balerts?\b(?! ?\()|\bin trouble\b/,
  reopened: /\bre-?open(?:ed|s)?\b|\bopened again\b|\bcome back\b|\bcame back\b/,
  duplicate: /\bduplicat\w*\b|\bsame as\b/,
  state:
    /\bopen\b|\bclosed?\b|\bresolved\b|\bdone\b|\bstatus\b|\bstate\b|\bstill\b|\bfixed\b|\bfinished\b|\bactive\b|\bover\b|\bongoing\b|\bin progress\b|\bpriority\b|\bseverity\b|\bassign\w*\b|\breport(?:ed|er)\b|\bopened\b|\bfiled\b|\braised\b|\bcreated\b|\bwhen\b/,
  depends:
    /\bdepend(?:s|ed|ing|enc(?:y|ies)|ents?|ant|ants)?\b|\bupstream\b|\bdownstream\b|\bus(?:e|es|ed(?! to\b)|ers?|ing)\b|\bcall(?:s|ed|ers?|ing)?\b|\bneed(?:s|ed)?\b|\brel(?:y|ies|ied|ying)\b|\btalks? to\b|\bconnects? to\b|\bblast radius\b|\bconsum(?:e|es|ers?)\b|\bclients? of\b|\breads? from\b|\bwrites? to\b|\brequires?\b|\bimpact(?:ed|s)?\b|\b(?:hit|affected|break(?:s|ing)?|broken|suffers?|fail(?:s|ing)?|happens?|impacted|hurt|lost|notices?|down) (?:if|when|once|should|by)\b|\b(?:goes?|went|is taken|were|was|being) (?:down|offline|away|unavailable)\b.{0,30}$|\bneighbou?rs?\b|\bsits? (?:behind|in front)\b|\bstands? behind\b|\bbehind ⟨service⟩|\binvok\w+\b|\bhops?\b/,
  logs: /\blogs?\b|\blogged\b|\blog lines?\b|\berrors?\b|\bexceptions?\b|\bstack ?traces?\b|\bwarnings?\b|\bsince when\b|\bfirst (?:error|symptom|seen)\b|\brefus(?:e|es|ing|ed)\b|\brestart(?:s|ing|ed)?\b|\bcrash\w*\b|\boomkill\w*\b|\bwhen did\b.{0,60}\b(?:start|begin|first)\b/,
  failedRun:
    /^(?:did|has|have|was|were|is|are|which|what|any|show|list)\b.*(?:\b(?:deploy\w*|roll-?outs?|checks?|builds?|pipelines?|workflows?)\b.{0,40}\bfail(?:ed|ing|ures?)?\b|\bfail(?:ed|ing) (?:deploy\w*|roll-?outs?|checks?|builds?|pipelines?|workflows?))/,
  trace: /\btrace\b|\bpod\b|\bspan\b|\brequest id\b/,
  person:
    /\bwork(?:s|ing|ed)? on\b|\bup to\b|\bbusy with\b|\bdoing\b|\bwork\b|\bassigned\b|\bwho is\b|\bteam\b|\btickets?\b|\bcommits?\b|\bchanged?\b|\bwrit(?:e|ten)\b|\bwrote\b|\bmerged?\b|\btouch(?:ed)?\b|\bship(?:ped)?\b|\bland(?:ed)?\b|\brelease[ds]?\b/,
  symptom:
    /\bon fire\b|\bdead\b|\bcrash\w*\b|\bdown\b|\bslow\w*\b|\btim(?:es|ing|ed)? ?outs?\b|\b[45]\d\ds?\b|\b[45]xx\b|\bfail\w*\b|\berrors?\b|\bunreachable\b|\bunavailable\b|\bbroken\b|\bhangs?\b|\bstuck\b|\bhelp\b|\bweird\w*\b|\bodd\b|\bstrange\w*\b|\bflaky\b|\bmisbehav\w*\b|\btrouble\b/,
  overview:
    /\beverything\b|\ball (?:about|on|you know)\b|\btell me (?:about|more)\b|\boverview\b|\bsummar\w+\b|\bprofile\b|\bbrief me\b|\binfo\w*\b|\bdetails\b|\bwhat do (?:you|we) know\b/,
  caused:
    /\b(?:which|what|how many) (?:open |past |recent )?(?:incidents?|outages?|tickets?|bugs?|problems?|issues?) .{0,40}\b(?:caused?|triggered|due to|blamed on|brought about)\b|\bwhat (?:did|has) ⟨(?:service|ticket|person)⟩ (?:cause|break|trigger|take down|bring down|broken|caused)\b|^(?:did|has) ⟨person⟩ (?:ever )?(?:break|broken?|caused?)\b/,
  assignee: /\bwho(?:'s| is| was| are)\b.{0,14}\b(?:working on|looking (?:at|into)|dealing with|handling|investigating|debugging)\b/,
  since: /\b(?:since when|when did|how long has|for how long|as of when)\b/,
  holds: /\b(?:have|has|had|gets?|got|runs?|holds?|keeps?|takes?|took|looks?|own|owned|in charge|responsible|maintain\w*)\b/,
  fixedWhich: /\bwhich (?:commit|change|pull request) (?:has |have )?(?:fixed|closed|resolved|solved|repaired) (?:it|that|this|the)\b/,
  slowness:
    /^(?:did|has|have|was|were) (?:the )?⟨service⟩ (?:already )?(?:tim(?:e|ed) ?out|fail|slow|crash|restart|error|log|throw|refus|drop|hang)/,
  alsoFixed:
    /(?:,|\band|\bplus|[?;]) ?(?:and )?(?:what|who|how|which (?:commit|change|pull request))\b.{0,16}\b(?:fix|resolv|solv|repair|mend)\w*/,
  relation: /\bconcerns?\b|\brelat(?:ed?|es)\b|\bto do with\b|\binvolv(?:es?|ing)\b|\babout ⟨service⟩|\baffects?\b/,
} as const;

/** "What is the incident bridge number?": asked for is what an incident only qualifies, and no incident has. */
const incidentCompound =
  /^(?:what|where|which)(?:'s| is| are) (?:the |our )?(?:incident|outage|ticket) (?!(?:status|state|causes?|reasons?|severity|priority|owner|number|id|key|count|history|list|timeline|summary|title|now|currently|right|still|about|with|in|on|at|for|of|from|that|which|and|or|called|open|active|affecting|today|again)\b)[a-z-]+(?: [a-z-]+)?[ ?.!]*$/;
/** "On which days do we deploy?": what people do as a rule is written down, not what they did. */
const habit =
  /^(?:on |at )?(?:which|what) (?:week)?(?:days?|hours?|times?) (?:of the (?:week|day) )?(?:do|can|may|should|must) (?:we|you|i|people|teams)\b/;

/** "Did a deployment fail?", "Which checks failed?" */
export function asksFailedRuns(masked: string): boolean {
  return cue.failedRun.test(masked);
}

/** What a question asks for, in the order in which it is answered. */
export function intentsOf(seed: Seed): Intent[] {
  const { masked, services, tickets, commits, people, literals, ambiguous, window } = seed;
  const found = new Set<Intent>();
  const has = (pattern: RegExp): boolean => pattern.test(masked);
  const hasService = services.length > 0 || ambiguous.some(({ nodes }) => nodes[0]?.kind === "service");
  const hasTicket = tickets.length > 0;
  const hasCommit = commits.length > 0;
  const hasPerson = people.length > 0 || ambiguous.some(({ nodes }) => nodes[0]?.kind === "engineer");

  if (has(/\bpull requests? #?\d{1,6}\b/) && !hasTicket && !hasCommit) return [...found.add("pull")];
  if (has(cue.pulls) && !hasTicket && !hasCommit) return [...found.add("pulls")];
  if (
    has(cue.introduced) &&
    !hasTicket &&
    !hasCommit &&
    !has(cue.symptom) &&
    !has(/\b(?:incident|outage|bug|issue|problem|regression)s?\b/)
  )
    return [...found.add("introduced")];
  if (window !== null && !hasTicket && !hasCommit && services.length === 1 && has(cue.slowness)) return [...found.add("logs")];
  if (literals.length > 0 && (has(cue.trace) || !has(/\bwho\b/))) found.add("trace");
  if (asksFailedRuns(masked) && !hasTicket && !has(cue.cause)) return [...found.add("logs")];
  // how things behave is for texts to say; what breaks with a service is the graph's
  if (
    has(/\bwhat happens? (?:to|with|in)\b.*\b(?:when|if|after|while|during|once)\b/) &&
    !has(/\b(?:down|dead|gone|away|unavailable|offline)\b/)
  )
    return [];
  if (!hasService && !hasTicket && !hasCommit && window === null && (has(incidentCompound) || has(habit))) return [];
  if (has(cue.oncall)) {
    found.add("oncall");
    if (hasService && has(/\bowners?\b/)) found.add("owner");
    if (hasService && has(/\bopen (?:incident|ticket)s?\b/)) found.add("incidents");
    return [...found];
  }
  if (!hasTicket && !hasCommit && (compared(masked) !== null || (!hasService && asksUnowned(masked)))) return [...found.add("services")];
  if (has(cue.caused) && !hasCommit && services.length + tickets.length + people.length === 1) return [...found.add("caused")];
  if (has(cue.assignee) && !hasTicket && !hasPerson) return [...found.add("assignee")];
  if (hasTicket && hasService && has(/\baffect|\bimpact|\bhit\b|\bhurt\b/) && !has(cue.cause)) return [...found.add("ticket")];
  if (hasTicket && has(cue.duplicate)) return [...found.add("duplicate")];
  if (has(cue.reopened) && (hasTicket || has(cue.incidents))) return [...found.add("reopened")];

  if (hasCommit) {
    if (has(cue.author)) found.add("author");
    if (has(/\bwhat (?:else )?(?:did|has) ⟨commit⟩ (?:break|broken?|cause|take down|bring down|trigger)/) && !hasTicket)
      found.add("fixed-by");
    else if (has(cue.cause) && has(/\bcaus|broke|\bintroduc|\btrigger|\bblame/) && !hasTicket && !hasService) found.add("fixed-by");
    else if (has(cue.fix) && !hasTicket) found.add("fixed-by");
    else if (!found.has("author") && !(hasTicket && has(cue.fix)) && !has(cue.cause)) found.add("commit");
  }
  const asksCause = has(cue.cause) && !(hasCommit && found.has("fixed-by"));
  if (asksCause) found.add("cause");
  if (!asksCause && has(cue.status)) found.add("status");
  if (
    hasTicket &&
    has(cue.fix) &&
    (has(/\b(?:what|who|which (?:commit|change|pull request)) (?:has |have )?fixed\b/) ||
      !has(/\bstill\b|\bwhen\b|^(?:is|are|was|has|have)\b/))
  )
    found.add(hasCommit ? "commit" : "fix");
  else if (
    !hasTicket &&
    !hasCommit &&
    hasService &&
    has(cue.fix) &&
    has(/^(?:how|what|which (?:commit|change|pull request))\b/) &&
    !asksCause
  )
    found.add("fix");
  else if (!hasTicket && !hasCommit && ((asksCause && has(cue.alsoFixed)) || has(cue.fixedWhich))) found.add("fix");
  const sinceHolder = hasService && has(cue.since) && has(/⟨(?:person|team)⟩/) && has(cue.holds) && !has(cue.symptom);
  if (has(cue.handover) || sinceHolder) found.add("handover");
  else if (
    has(cue.owner) &&
    !(
      asksCause && /\bresponsible for (?:the |this |that )?(?:⟨service⟩ )?(?:outage|incident|failure|breakage|errors?|problem)/.test(masked)
    )
  )
    found.add("owner");
  const whyTheyDid = asksCause && has(/^why (?:did|does|is|was|has|had) ⟨person⟩/);
  if (
    hasPerson &&
    !whyTheyDid &&
    !found.has("owner") &&
    !found.has("handover") &&
    !hasCommit &&
    (has(cue.person) || (!hasService && !hasTicket))
  )
    found.add("person");
  if (hasPerson && !sinceHolder && has(/\bchang|commit|merged?\b|wrote|written|deploy|\btouch|\bship/)) found.add("person");

  const dependency = has(cue.depends) && hasService && !(asksCause && !has(/\bdepend|\bupstream|\bdownstream|\bcall(?:s|ers)\b/));
  if (dependency && services.length >= 2 && has(/^(?:does|do|did|is|are|was|were|has|have|can|will)\b|\b(?:does|did) (?:the )?⟨service⟩/))
    found.add("uses");
  else if (dependency) found.add("dependencies");

  const asksChange =
    has(cue.changes) && !hasCommit && !found.has("fix") && !found.has("person") && !found.has("handover") && !found.has("fixed-by");
  const changeIsCause =
    asksCause && has(/\b(?:which|what) (?:change|commit|deploy\w*|release|merge|update|pull request)\b/) && window === null;
  const explicit = has(
    /\bwhat (?:has |was |got |have |had )?(?:recently )?(?:been )?(?:changed|deployed|merged|shipped|released)|\bchanges?\b.*\b(?:in|to|of|for|since)\b|\bany(?:thing)? (?:new|chang)/,
  );
  if (
    asksChange &&
    (!asksCause ||
      (explicit &&
        !has(/\b(?:which|what) (?:change|commit|deploy\w*|release) (?:broke|caused|introduced|triggered|took|brought|made|is)/))) &&
    !changeIsCause &&
    !dependencyOnly(masked, dependency)
  )
    found.add("changes");

  if (hasTicket && !found.has("cause") && !found.has("fix") && !found.has("commit") && !found.has("duplicate")) {
    if (has(cue.state) || found.size === 0) found.add("ticket");
  } else if (hasCommit && found.has("author") && has(/\btickets?\b|\bissues?\b|\bbugs?\b/)) {
    found.add("fixed-by");
  } else if (!hasTicket && !hasCommit && has(cue.incidents) && !found.has("person") && !found.has("fixed-by")) {
    if (!asksCause || has(/\bwhich tickets?\b|\btickets? (?:is|are)\b|\bopen (?:ticket|incident)s?\b/)) found.add("incidents");
  }
  if (hasService && !asksCause && has(cue.logs) && !found.has("changes") && !found.has("incidents") && !found.has("handover"))
    found.add("logs");
  if (window !== null && asksWhatHappened(masked) && (found.size === 0 || (found.size === 1 && found.has("status")))) {
    found.delete("status");
    found.add("changes").add("incidents");
    if (hasService || withinADay(window)) found.add("logs");
  }
  if (found.size === 0 && window !== null && withinADay(window) && has(/\b(?:errors?|warnings?|logs?|exceptions?)\b/)) found.add("logs");
  if (found.size === 0 && hasService && has(cue.symptom)) found.add("status");
  if (hasService && !hasTicket && has(cue.overview) && (found.size === 0 || (found.size === 1 && found.has("relation"))))
    found.add("overview");
  if (found.size === 0 && hasService && has(cue.relation)) found.add("relation");
  return [...found];
}

/** "Which services use X" is no question about changes, even where it says "updated". */
function dependencyOnly(masked: string, dependency: boolean): boolean {
  return dependency && !/\bchang|\bcommit|\bdeploy|\bmerged?\b|\breleased?\b|\bmodif|\bshipped|\btouched/.test(masked);
}

/** "What happened on 3 May?": changes, tickets, new owners and, of a part of a day, what was logged. */
export function asksWhatHappened(masked: string): boolean {
  return /\bhappen(?:ed|ing)?\b|\bwent on\b|\bgoing on\b|\bevents?\b|\btimeline\b/.test(masked);
}

/** Of a night or a time of day, log lines tell what happened, of whatever service; of a day there are too many. */
function withinADay({ from, to, moment }: Window): boolean {
  return from !== null && Date.parse(to) - Date.parse(from) <= (moment ? 2 : 14) * HOUR;
}
