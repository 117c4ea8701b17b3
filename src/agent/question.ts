import type { NodeKind } from "../core/fact.ts";
import type { Graph, GraphNode } from "../core/graph.ts";
import { findIdentifiers } from "../core/identifiers.ts";
import { foldWord, terms } from "../core/words.ts";
import { plainWords } from "./plain.ts";
import { parseWindow, type Window } from "./time.ts";
import { workload } from "./view.ts";

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
  | "dependencies"
  | "uses"
  | "logs"
  | "trace"
  | "person"
  | "relation"
  | "overview";

/** What a question asks, as far as rules can tell. */
export interface Question {
  readonly text: string;
  /** Lower case; what it names is replaced by ⟨service⟩, ⟨ticket⟩ …, so that names are never read as words. */
  readonly masked: string;
  readonly window: Window | null;
  readonly services: readonly GraphNode[];
  readonly tickets: readonly GraphNode[];
  readonly commits: readonly GraphNode[];
  readonly people: readonly GraphNode[];
  readonly teams: readonly GraphNode[];
  readonly docs: readonly GraphNode[];
  /** Names that could mean several nodes. */
  readonly ambiguous: readonly { readonly name: string; readonly nodes: readonly GraphNode[] }[];
  /** Identifiers and service names of the question that nothing is known of. */
  readonly unknown: readonly string[];
  /** Trace ids, pod names and the like: found in logs and tickets letter for letter. */
  readonly literals: readonly string[];
  /** Stemmed words beside names, times and question words: what the question is about. */
  readonly topic: readonly string[];
  readonly intents: readonly Intent[];
  /** What is asked for when no fact of the graph can be it: "phone number", "revenue". */
  readonly attribute: string | null;
}

const MASK: Readonly<Record<NodeKind, string>> = {
  service: "⟨service⟩",
  ticket: "⟨ticket⟩",
  commit: "⟨commit⟩",
  engineer: "⟨person⟩",
  team: "⟨team⟩",
  doc: "⟨doc⟩",
  log: "⟨log⟩",
};

/** Reads a question. Pure; `now` is what relative times refer to. */
export function understand(text: string, graph: Graph, now: Date): Question {
  const question = text.replace(/[⟨⟩]/g, " ").replace(/\s+/g, " ").trim();
  const named: Record<NodeKind, GraphNode[]> = { service: [], ticket: [], commit: [], engineer: [], team: [], doc: [], log: [] };
  const ambiguous: { name: string; nodes: readonly GraphNode[] }[] = [];
  const literals = literalsOf(question);
  let masked = "";
  let at = 0;
  for (const { start, end, text: name, resolution } of graph.mentions(question)) {
    if (start < at || resolution.type === "none" || commonWord(question, start, end, name)) continue;
    const nodes = resolution.type === "one" ? [resolution.node] : resolution.nodes;
    const [first] = nodes;
    if (first === undefined) continue;
    if (resolution.type === "one") add(named[first.kind], first);
    else ambiguous.push({ name, nodes });
    masked += `${question.slice(at, start)}${MASK[first.kind]}`;
    at = end;
  }
  masked = plainWords((masked + question.slice(at)).toLowerCase());
  for (const literal of literals) {
    const name = workload(literal.toLowerCase());
    const found = name === null ? null : graph.resolve(name, "service");
    if (found?.type === "one") add(named.service, found.node);
  }
  const window = parseWindow(plainWords(question), now);
  const known = new Set(
    Object.values(named).flatMap((nodes) =>
      nodes.flatMap(({ id, aliases }) => [id.slice(id.indexOf(":") + 1).toLowerCase(), ...aliases.map((alias) => alias.toLowerCase())]),
    ),
  );
  const unknown = unknownOf(question, graph, known, masked);
  const seed = {
    masked,
    services: named.service,
    tickets: named.ticket,
    commits: named.commit,
    people: named.engineer,
    literals,
    ambiguous,
    window,
  };
  const intents = intentsOf(seed);
  return {
    text: question,
    masked,
    window,
    services: named.service,
    tickets: named.ticket,
    commits: named.commit,
    people: named.engineer,
    teams: named.team,
    docs: named.doc,
    ambiguous,
    unknown,
    literals,
    topic: topicOf(masked),
    intents,
    attribute: attributeOf(masked),
  };
}

function add(nodes: GraphNode[], node: GraphNode): void {
  if (!nodes.some(({ id }) => id === node.id)) nodes.push(node);
}

/** A service that is called like an everyday word is meant only where no article makes it one: "a quote", "send an email". */
function commonWord(question: string, start: number, end: number, name: string): boolean {
  if (!/^\p{Ll}{2,12}$/u.test(name)) return false;
  const before = question.slice(Math.max(0, start - 12), start).toLowerCase();
  const after = question.slice(end, end + 12).toLowerCase();
  return /\b(?:an?|some|any) $/.test(before) && !/^ (?:service|api|server|pod|app|component|incident|outage|ticket)/.test(after);
}

/** Trace ids, pod names, long hex and dotted names that stand for themselves. */
function literalsOf(question: string): string[] {
  const found = new Set<string>();
  for (const [trace] of question.matchAll(/\b(?:[0-9a-f]{32}|[0-9a-f]{16})\b/gi)) found.add(trace);
  for (const match of question.matchAll(/\btrace(?:[ _-]?id)?[ :=]+([0-9a-f]{6,64})\b/gi)) if (match[1]) found.add(match[1]);
  for (const [pod] of question.matchAll(/\b[a-z][a-z0-9-]{1,60}-(?:[a-z0-9]{5,10}-[a-z0-9]{5})\b/g))
    if (/\d/.test(pod.slice(-12))) found.add(pod);
  for (const match of question.matchAll(/\bpod ([a-z0-9][a-z0-9-]{2,100}[a-z0-9])\b/gi))
    if (match[1] && /\d/.test(match[1])) found.add(match[1]);
  return [...found];
}

/** Ticket keys, shas and "the X service" that the graph does not know. */
function unknownOf(question: string, graph: Graph, known: ReadonlySet<string>, masked: string): string[] {
  const unknown = new Set<string>();
  for (const { kind, text, token } of findIdentifiers(question)) {
    if (known.has(token)) continue;
    if (kind === "key" && /^[A-Z][A-Z0-9_]+-\d+$/.test(text) && graph.resolve(text).type === "none") unknown.add(text);
    if (kind === "sha" && /\b(?:commit|sha|revision|change)\b/i.test(question) && graph.resolve(text).type === "none") unknown.add(text);
  }
  for (const match of masked.matchAll(/\bthe ([a-z0-9][a-z0-9-]*(?:[ -][a-z0-9]+)?) (?:service|api|microservice)\b/g)) {
    const name = match[1] ?? "";
    if (/^(?:same|other|whole|affected|failing|broken|new|old|which|first|next|right|named|said|following|above)$/.test(name)) continue;
    if (graph.resolve(name, "service").type === "none" && graph.resolve(`${name} service`, "service").type === "none") unknown.add(name);
  }
  for (const match of masked.matchAll(
    /\b(?:owns?|page for|owner of|maintains?|responsible for|depends? on|calls?|uses?) ((?:the )?[a-z][a-z0-9]*(?:-[a-z0-9]+)+)\b/g,
  )) {
    const name = (match[1] ?? "").replace(/^the /, "");
    if (graph.resolve(name, "service").type === "none") unknown.add(name);
  }
  // "what changed in till-ui?": a compound where a service stands, and none that is known
  for (const match of masked.matchAll(compoundPlace)) {
    const name = match[1] ?? "";
    if (!wordCompound.test(name) && graph.resolve(name).type === "none") unknown.add(name);
  }
  // "what changed in payroll?": all changes are no answer to that
  const scope = changedIn.exec(masked)?.[1];
  if (scope !== undefined && !anyScope.test(scope) && graph.resolve(scope).type === "none") unknown.add(scope);
  return [...unknown];
}

const after =
  "(?=[?.!,;]|$| (?:since|today|yesterday|last|this|within|during|in the|over the|on the|and|or|right|currently|still|again|down|broken|slow|failing|have|has|need|use|depend|call)\\b)";
const compoundPlace = new RegExp(
  `\\b(?:in|of|to|for|on|behind|from|does|do|did|is|was|are|with|about|against) (?:the )?([a-z][a-z0-9]*(?:-[a-z0-9]+)+)${after}`,
  "g",
);
/** Compounds of everyday language. */
const wordCompound =
  /^(?:on-?call|go-?to|e-?mail|root-cause|post-mortem|hand-?over|roll-?(?:out|back)|follow-up|set-up|start-up|up-to-date|end-to-end|well-known|half-\w+|long-\w+|short-\w+|last-\w+|real-time|run-?book|\w+-(?:related|based|wide|term|level|minute|hour|day|week|month|year|time|hop|hops|step)s?|(?:non|re|pre|post|self|multi|cross|two|three|one)-\w+)$/;
const changedIn = new RegExp(`\\b(?:changed|changes|commits) (?:in|of|to|for) (?:the )?([a-z][a-z0-9]{2,30})${after}`);
const anyScope =
  /^(?:the|an?|it|me|us|you|between|before|after|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|morning|afternoon|evening|night|noon|midnight|time|hours|days|weeks|months|progress|order|advance|production|prod|staging|stage|main|master|trunk|code|codebase|repo|repos|repository|repositories|general|particular|total|detail|infra|infrastructure|system|systems|services?|platform|everything|anything|everywhere|all|them|this|that|these|those|there|here|last|past|previous|recent|january|february|march|april|may|june|july|august|september|october|november|december|production|question|deps|dependencies|scope|summary|short|full|what|which|who|our|any|it|its)$/;

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
    /\bwhy\b|\bhow come\b|\broot[- ]?causes?\b|\bcaus(?:e[sd]?|ing)\b|\breasons?\b|\bculprit|\bblame[ds]?\b|\bat fault\b|\bfault of\b|\bbroke\b|\bwent wrong\b|\bwrong with\b|\btriggered\b|\bintroduced\b|\bbehind (?:the|this|that|⟨ticket⟩)|\bresponsible for (?:the |this |that )?(?:⟨service⟩ )?(?:outage|incident|failure|breakage|errors?|problem|5\d\ds?)|\bwhat (?:took|brought) (?:down )?⟨service⟩|\bdue to what\b|\bwhat made\b/,
  status:
    /\bwhat(?:'s| is| are)? (?:currently |now )?(?:broken|down|failing|on fire|going on|happening|up|wrong)\b|\b(?:is|are|was|were) (?:the )?(?:⟨service⟩|anything|everything|something) (?:currently |now |still |all )?(?:on fire|dead|crashing|broken|down|failing|right|ok|okay|fine|healthy|up|working|affected|degraded|slow|in trouble|having)|\b(?:status|state|health) of (?:the )?⟨service⟩|⟨service⟩(?:'s)? (?:status|state|health)\b|\bhow is ⟨service⟩|\bwhat(?:'s| is) (?:going on|happening|up|wrong) (?:with|in|at|on)\b/,
  owner:
    /\bown(?:s|er|ers|ed|ership|ing)?\b|\bbelongs? to\b|\bresponsible\b|\bin charge\b|\bmaintain(?:s|er|ers|ed|ing)?\b|\baccountable\b|\bwhos?e?m? (?:do|should|can|could|must|would|to|shall|else)\b.{0,20}\b(?:page|call|contact|ask|ping|wake|talk|speak|reach|escalate|notify)|\bpoint of contact\b|\bwho (?:looks after|takes care of|runs|handles|has|is behind)\b|\bwhich team\b|\bwhose\b|\bcontact (?:for|person)\b|\bgo-to\b|\bwho(?:'s| is)? to (?:page|call|contact|ask|ping|wake)\b|\bowned by\b/,
  oncall: /\bon[- ]?call\b|\bon duty\b|\bpager ?duty\b|\brota\b|\bholds? the pager\b|\bhas the pager\b/,
  handover:
    /\bchange[ds]? hands\b|\bhand(?:ed|s|ing)?[- ]?(?:it )?over\b|\bhandover\b|\btook (?:it |⟨service⟩ )?over\b|\btake[ns]? (?:it |⟨service⟩ )?over\b|\b(?:previous|former|earlier|last|prior|old|original) (?:owner|maintainer)|\bused to own\b|\bowner(?:ship)? (?:of ⟨service⟩ )?(?:changed?|before)\b|\bowned (?:it|⟨service⟩) (?:before|previously|earlier|until)\b|\bown(?:ed|er|ership)? (?:history|change)|\bwho (?:owned|was the owner|maintained|was responsible)|\bsince when (?:does|is|has)\b.{0,40}\bown|\bwhen did\b.{0,40}\b(?:become|start|take|get|change|begin)\b.{0,30}\b(?:own|hands|over|responsib)/,
  author:
    /\bwho(?:'s| is| was)? (?:has |had |actually )?(?:the )?(?:wrote|written|authored?|committed|made|pushed|merged|created|submitted|landed|did|introduced|behind|wrote up)\b|\bauthor(?:ed|s)? (?:of|by|is)?|\bcommitter\b|\bwhose (?:commit|change) \b/,
  changes:
    /\bchang(?:e|es|ed|ing)\b|\bcommits?\b|\bcommitted\b|\bdeploy\w*\b|\bmerged?\b|\bshipped\b|\breleased?\b|\breleases\b|\brolled[- ](?:out|back)\b|\broll-?outs?\b|\brollbacks?\b|\bgo(?:es|ing)? live\b|\bwent live\b|\btouched\b|\bmodif(?:y|ied|ies|ications?)\b|\bpushed\b|\blanded\b|\bwent (?:out|in)\b|\bnew in\b|\bhappened to the code\b|\bpull requests?\b|\bupdated?\b/,
  fix: /\bfix(?:es|ed|ing)?\b|\bresolv(?:e|es|ed|ing)\b|\bclos(?:e|es|ed)\b|\brepair(?:s|ed)?\b|\bsolv(?:e|es|ed)\b|\bpatch(?:ed|es)?\b|\bremed(?:y|ied)\b|\baddress(?:es|ed)\b/,
  incidents:
    /\bincidents?\b|\btickets?\b|\boutages?\b|\bissues?\b|\bbugs?\b|\bsev ?-?\d\b|\bopen\b|\bongoing\b|\bunresolved\b|\bactive\b|\bfires?\b|\bproblems?\b|\balerts?\b(?! ?\()|\bin trouble\b/,
  reopened: /\bre-?open(?:ed|s)?\b|\bopened again\b|\bcome back\b|\bcame back\b/,
  duplicate: /\bduplicat\w*\b|\bsame as\b/,
  state:
    /\bopen\b|\bclosed?\b|\bresolved\b|\bdone\b|\bstatus\b|\bstate\b|\bstill\b|\bfixed\b|\bfinished\b|\bactive\b|\bover\b|\bongoing\b|\bin progress\b|\bpriority\b|\bseverity\b|\bassign\w*\b|\breport(?:ed|er)\b|\bopened\b|\bfiled\b|\braised\b|\bcreated\b|\bwhen\b/,
  depends:
    /\bdepend(?:s|ed|ing|enc(?:y|ies)|ents?|ant|ants)?\b|\bupstream\b|\bdownstream\b|\bus(?:e|es|ed(?! to\b)|ers?|ing)\b|\bcall(?:s|ed|ers?|ing)?\b|\bneed(?:s|ed)?\b|\brel(?:y|ies|ied|ying)\b|\btalks? to\b|\bconnects? to\b|\bblast radius\b|\bconsum(?:e|es|ers?)\b|\bclients? of\b|\breads? from\b|\bwrites? to\b|\brequires?\b|\bimpact(?:ed|s)?\b|\b(?:hit|affected|break(?:s|ing)?|broken|suffers?|fail(?:s|ing)?|happens?|impacted|hurt|lost|notices?|down) (?:if|when|once|should|by)\b|\b(?:goes?|went|is taken|were|was|being) (?:down|offline|away|unavailable)\b.{0,30}$|\bneighbou?rs?\b|\bsits? (?:behind|in front)\b|\bstands? behind\b|\bbehind ⟨service⟩|\binvok\w+\b|\bhops?\b/,
  logs: /\blogs?\b|\blogged\b|\blog lines?\b|\berrors?\b|\bexceptions?\b|\bstack ?traces?\b|\bwarnings?\b|\bsince when\b|\bfirst (?:error|symptom|seen)\b|\brefus(?:e|es|ing|ed)\b|\brestart(?:s|ing|ed)?\b|\bcrash\w*\b|\boomkill\w*\b|\bwhen did\b.{0,60}\b(?:start|begin|first)\b/,
  trace: /\btrace\b|\bpod\b|\bspan\b|\brequest id\b/,
  person:
    /\bwork(?:s|ing|ed)? on\b|\bup to\b|\bbusy with\b|\bdoing\b|\bwork\b|\bassigned\b|\bwho is\b|\bteam\b|\btickets?\b|\bcommits?\b|\bchanged?\b|\bwrit(?:e|ten)\b|\bwrote\b|\bmerged?\b/,
  symptom:
    /\bon fire\b|\bdead\b|\bcrash\w*\b|\bdown\b|\bslow\w*\b|\btim(?:es|ing|ed)? ?outs?\b|\b[45]\d\ds?\b|\b[45]xx\b|\bfail\w*\b|\berrors?\b|\bunreachable\b|\bunavailable\b|\bbroken\b|\bhangs?\b|\bstuck\b|\bhelp\b/,
  overview:
    /\beverything\b|\ball (?:about|on|you know)\b|\btell me (?:about|more)\b|\boverview\b|\bsummar\w+\b|\bprofile\b|\bbrief me\b|\binfo\w*\b|\bdetails\b|\bwhat do (?:you|we) know\b/,
  relation: /\bconcerns?\b|\brelat(?:ed?|es)\b|\bto do with\b|\binvolv(?:es?|ing)\b|\babout ⟨service⟩|\baffects?\b/,
} as const;

function intentsOf(seed: Seed): Intent[] {
  const { masked, services, tickets, commits, people, literals, ambiguous, window } = seed;
  const found = new Set<Intent>();
  const has = (pattern: RegExp): boolean => pattern.test(masked);
  const hasService = services.length > 0 || ambiguous.some(({ nodes }) => nodes[0]?.kind === "service");
  const hasTicket = tickets.length > 0;
  const hasCommit = commits.length > 0;
  const hasPerson = people.length > 0 || ambiguous.some(({ nodes }) => nodes[0]?.kind === "engineer");

  if (literals.length > 0 && (has(cue.trace) || !has(/\bwho\b/))) found.add("trace");
  if (has(cue.oncall)) return [...found.add("oncall")];
  if (hasTicket && hasService && has(/\baffect|\bimpact|\bhit\b|\bhurt\b/) && !has(cue.cause)) return [...found.add("ticket")];
  if (hasTicket && has(cue.duplicate)) return [...found.add("duplicate")];
  if (has(cue.reopened) && (hasTicket || has(cue.incidents))) return [...found.add("reopened")];

  if (hasCommit) {
    if (has(cue.author)) found.add("author");
    if (has(cue.cause) && has(/\bcaus|broke|\bintroduc|\btrigger|\bblame/) && !hasTicket && !hasService) found.add("fixed-by");
    else if (has(cue.fix) && !hasTicket) found.add("fixed-by");
    else if (!found.has("author") && !(hasTicket && has(cue.fix)) && !has(cue.cause)) found.add("commit");
  }
  const asksCause = has(cue.cause) && !(hasCommit && found.has("fixed-by"));
  if (asksCause) found.add("cause");
  if (!asksCause && has(cue.status)) found.add("status");
  if (hasTicket && has(cue.fix) && !has(/\bstill\b|\bwhen\b|^(?:is|are|was|has|have)\b/)) found.add(hasCommit ? "commit" : "fix");
  if (has(cue.handover)) found.add("handover");
  else if (
    has(cue.owner) &&
    !(
      asksCause && /\bresponsible for (?:the |this |that )?(?:⟨service⟩ )?(?:outage|incident|failure|breakage|errors?|problem)/.test(masked)
    )
  )
    found.add("owner");
  if (hasPerson && !found.has("owner") && !found.has("handover") && !hasCommit && (has(cue.person) || (!hasService && !hasTicket)))
    found.add("person");
  if (hasPerson && has(/\bchang|commit|merged?\b|wrote|written|deploy/)) found.add("person");

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
  } else if (!hasTicket && has(cue.incidents) && !found.has("person") && !found.has("fixed-by")) {
    if (!asksCause || has(/\bwhich tickets?\b|\btickets? (?:is|are)\b|\bopen (?:ticket|incident)s?\b/)) found.add("incidents");
  }
  if (hasService && !asksCause && has(cue.logs) && !found.has("changes") && !found.has("incidents")) found.add("logs");
  if (
    window !== null &&
    has(/\bhappen(?:ed|ing)?\b|\bwent on\b|\bgoing on\b|\bevents?\b|\btimeline\b/) &&
    (found.size === 0 || (found.size === 1 && found.has("status")))
  ) {
    found.delete("status");
    found.add("changes").add("incidents");
    if (hasService) found.add("logs");
  }
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

const graphNouns =
  /\b(?:owner|owners|team|teams|commit|commits|change|changes|ticket|tickets|incident|incidents|outage|outages|issue|issues|bug|bugs|service|services|dependenc(?:y|ies)|dependents?|callers?|clients?|consumers?|users|causes?|root|reasons?|culprit|status|state|health|impact|blast|logs?|traces?|errors?|warnings?|deployments?|deploys?|releases?|rollouts?|rollbacks?|author|authors|person|people|engineers?|developers?|severity|priority|assignee|reporter|fix|fixes|hops?|neighbou?rs?|pull|last|latest|newest|first|current|currently|previous|former|open|new|on-?call|happening|going|up|wrong|broken|down|failing|affected|it|he|she|they|that|this|there|⟨\w+⟩|upstream|downstream|pods?|changed|deployed|merged|fire|problems?|alerts?)\b/;
const measure = /\bhow (?:many|much|long|often|big|large|fast|old|far|high)\b ?((?:[a-z-]+ ?){0,3})/;
const askedNoun =
  /\b(?:what|which)(?:'s| is| are| was| were)? (?:the |an? |our |their )?((?:[a-z-]+ ){0,3}[a-z-]+?) (?:of|for|used|in|on|behind|that|to|per|from|at|did|does|do|has|have|is|was|were|are|can|should|must|will)\b/;
/** Things that no edge holds; asking for them is asking the texts. */
const foreign =
  /\b(?:phone|telephone|mobile|e-?mail address|address|salary|birthday|hobby|revenue|profit|turnover|price|cost|costs|money|dollars?|euros?|budget|password|passphrase|secret|api key|credentials?|customers?|shoppers?|visitors?|stock|weather|capital|population|age|hometown|languages?|framework|licen[cs]e|operating system|cloud provider|uptime|availability|throughput|qps|rps|cpu|vendor|hardware|whereabouts|connection string|slo|sla|ttl|timeout|port|version|runbook|definition|meaning|url|ip)\b/;

/** The thing asked for, where it is none that the graph holds; null where it is, or nothing is asked for by name. */
function attributeOf(masked: string): string | null {
  if (/\bwho (?:has |had )?(?:reviewed|approved|tested|verified)\b/.test(masked)) return "reviewers";
  // a service is called like the word: "the email of somebody"
  if (/⟨service⟩(?: address| number)? of ⟨person⟩|⟨person⟩(?:'s)? ⟨service⟩ (?:address|number)/.test(masked)) return "contact address";
  const many = measure.exec(masked);
  if (many) {
    const harmed = /\bhow many (?:[\p{L}-]+ ){1,4}?(?:⟨\w+⟩|hit|hurt|affected|impacted|complained|lost|suffered)/u.exec(masked)?.[0];
    if (harmed !== undefined && /\b(?:people|users?|customers?|persons|clients|accounts|shoppers?|visitors?|orders?)\b/.test(harmed))
      return harmed.replace(/ ⟨\w+⟩$| (?:did|were|was|has|have|had)(?: \S+)?$/g, "");
    const noun = (many[1] ?? "").trim();
    return /^how many/.test(many[0]) && graphNouns.test(noun) ? null : many[0].trim();
  }
  if (/\bwhere (?:is|are|was|'s) ⟨person⟩/.test(masked)) return "whereabouts";
  if (/\bwhen (?:will|is|are)\b.{0,40}\b(?:be|get|going to be|expected to be)\b|\beta\b/.test(masked)) return "eta";
  const noun = askedNoun.exec(masked)?.[1];
  if (noun !== undefined && !graphNouns.test(noun) && (foreign.test(noun) || /\bof ⟨(?:person|ticket|commit|team)⟩/.test(masked)))
    return noun;
  const loose = foreign.exec(masked)?.[0];
  return loose !== undefined &&
    /\b(?:what|which|how|tell me|give me|show me|where)\b/.test(masked) &&
    !/\bwhy\b|\bwho\b|\bwhat (?:made|caused|broke)\b/.test(masked)
    ? loose
    : null;
}

const questionWords = new Set(
  "what which who whom whose when where why how come see sees seen tell show give list name find please explain describe happen happened happening reason cause caused root break broke broken breaking down fail failing failed wrong issue problem incident outage ticket change changed service services system currently now right tonight today yesterday still anything something everything thing people person last past hours hour days day week month since between until evening morning blame fault culprit open state status".split(
    " ",
  ),
);

/** Stems of the words that say what a question is about. */
function topicOf(masked: string): string[] {
  const words = masked.replace(/⟨\w+⟩/g, " ").match(/[\p{L}\p{N}][\p{L}\p{N}.$%]*/gu) ?? [];
  return [...new Set(words.filter((word) => !questionWords.has(foldWord(word))).flatMap((word) => terms(word)))];
}
