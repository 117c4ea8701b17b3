import { fieldSpan } from "../../core/body.ts";
import type { GraphNode } from "../../core/graph.ts";
import { labels } from "../../core/labels.ts";
import type { SourceRecord, Span } from "../../core/record.ts";
import { sentencesOf } from "../../core/sentences.ts";
import { terms } from "../../core/words.ts";
import { DAY } from "../dates.ts";
import { capital, type Desk, evidenceOf, leavesIn, listed, subjects } from "../desk.ts";
import { causesOf, IN_TEXT, type Incident, openTickets, ticketsOf } from "../lookups.ts";
import { type Clearance, clearances } from "../ruled-out.ts";
import { duration, type Superlative, superlative, ticketFilter, unassigned } from "../ticket-filter.ts";
import { isWithin, spoken, spokenDuration } from "../time.ts";
import { type FoundIncidents, getActiveIncidents } from "../tools.ts";
import { functionWords, heldIn, timeWords } from "../understood-words.ts";
import { fieldPlace, inQuotes, type View } from "../view.ts";
import { talkWords } from "../vocabulary.ts";

/** "Which tickets are open?", "any open incidents now?": nothing more is asked. */
const openList =
  /^(?:(?:which|what|list|show|are|is) )?(?:there )?(?:me )?(?:any |all |the )?(?:(?:open|active|ongoing|unresolved) (?:tickets?|incidents?|outages?|issues?|bugs?)|(?:tickets?|incidents?|outages?|issues?|bugs?) (?:is |are )?(?:still |currently )?(?:open|active|ongoing|unresolved))(?: now| right now| at the moment)? ?\??$/;

/** Tickets of a service or of all: open ones, or those of a window. */
export async function incidents(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const { masked, window } = question;
  const onlyIncidents =
    /\bincidents?\b|\boutages?\b|\bfires?\b|\bsev/.test(masked) && !/\btickets?\b|\bissues?\b|\bbugs?\b|\btasks?\b/.test(masked);
  const besideCause = question.intents.includes("cause");
  const bugs = /\bbugs?\b/.test(masked) && !onlyIncidents;
  // the last one, open or not
  const newest =
    window === null && /\b(?:last|latest|newest|most recent)(?: \w+)? (?:incident|outage|ticket|bug|issue|problem)\b/.test(masked);
  const still = /\bstill (?:open|unresolved|ongoing|unfixed)\b/.test(masked);
  const wantsClosed =
    /\bclosed\b|\bresolved\b|\bpast\b|\bprevious\b|\bhistory\b|\bever\b|\bfixed\b|\bhad\b|\bwere\b|\blast (?:incident|outage|ticket)\b|\bhappened\b|\bdid\b/.test(
      masked,
    ) && !/\bunresolved\b|\bopen\b|\bstill\b/.test(masked);
  const past =
    window !== null &&
    (window.to <= view.now || wantsClosed || spansDays(window) || /\bopened\b|\bhappen|\bnew\b|\bsince\b|\bwere\b|\bhad\b/.test(masked)) &&
    (still || !/\bopen\b(?! since)|\bactive\b|\bongoing\b/.test(masked));
  const severity = /\bsev ?-?(\d)s?\b|\bp(\d)s?\b/.exec(masked);
  const level = severity?.[1] ?? severity?.[2] ?? null;
  const services = subjects(question);
  for (const service of services.length === 0 ? [null] : services) {
    const at = window !== null && window.to <= view.now && !past ? (window.from ?? window.to) : null;
    const found = await calls.run(getActiveIncidents, { service: service?.id ?? null, at });
    if (found?.value == null) continue;
    const topical = question.topic.length > 0 && /\b(?:about|regarding|concerning|mention(?:s|ing)?)\b/.test(masked);
    const all = [...found.value.open, ...found.value.closed];
    const filter = ticketFilter(masked, all);
    // words beside those of asking pick some of all tickets
    const words = question.topic.filter((word) => !asking.has(word));
    const picks = service === null && words.length > 0 && filter === null && window === null && superlative(masked, all) === null;
    const pool =
      (past && !still) || wantsClosed || newest || topical || ofAllTimes(masked)
        ? [...found.value.open, ...found.value.closed]
        : found.value.open;
    // where nothing is called a bug, incidents are what comes nearest
    const bugTypes = all.some(({ node }) => /bug|defect/i.test(node.attributes.ticketType ?? "")) ? /bug|defect/i : /incident/i;
    const picked = picks && !topical ? nearestTopic(pool, words) : [];
    const aboutIt = service !== null && topical ? ticketsOf(view, null).filter((one) => speaksOf(view, one, service)) : [];
    const fitting = (aboutIt.length > 0 ? aboutIt : topical ? nearestTopic(pool, question.topic) : picked.length > 0 ? picked : pool)
      .filter((one) => filter === null || filter(one))
      .filter(({ node, affects }) => leavesIn(question, node.id) && affects.every(({ target }) => leavesIn(question, target)))
      .filter(({ incident }) => !(onlyIncidents || besideCause) || incident)
      .filter(({ node }) => !bugs || bugTypes.test(node.attributes.ticketType ?? "bug"))
      .filter(
        ({ node }) =>
          level === null || new RegExp(`^(?:sev|p|s)[-_ ]?${level}$`, "i").test(node.attributes.severity ?? node.attributes.priority ?? ""),
      )
      .filter(({ state }) => !past || inWindow(state.opened, window) || inWindow(state.resolved, window))
      .filter(({ state }) => past || newest || !wantsClosed || state.open === false);
    const shown = newest
      ? [...fitting].sort((a, b) => (b.state.opened ?? "").localeCompare(a.state.opened ?? "")).slice(0, 1)
      : wantsClosed && !past
        ? fitting.sort((a, b) => (b.state.resolved ?? "").localeCompare(a.state.resolved ?? "")).slice(0, /\blast\b/.test(masked) ? 1 : 25)
        : fitting;
    const best = superlative(masked, fitting);
    if (best !== null && !newest) {
      sayBest(desk, best, fitting);
      continue;
    }
    if (filter !== null && shown.length === 0) {
      sheet.nothing("tickets of that kind");
      sheet.conclusive = true;
      continue;
    }
    const reporterAsked = /^who (?:has |had |first )?(?:opened|filed|reported|raised|created|wrote)\b/.test(masked);
    if (reporterAsked && shown.length === 1 && shown[0] !== undefined) {
      sayReporter(desk, shown[0]);
      continue;
    }
    if (/\bhow many\b/.test(masked) && shown.length > 0) {
      sheet.say(
        `${counted(desk, shown)} recorded${service === null ? "" : ` for ${service.label}`}.`,
        shown.slice(0, 3).flatMap(({ node }) => view.stateSpans(node).slice(0, 1)),
        0,
        0.9,
      );
    }
    for (const one of shown)
      sheet.say(`${incidentSentence(view, one).slice(0, -1)}${remark(masked, one)}.`, incidentSpans(view, one), 0, 0.95);
    if (shown.length === 0) none(desk, service, found.value, onlyIncidents || /\bincident|\boutage/.test(masked), past);
    // which tickets are open is for the graph alone to know, where it holds any of whatever time
    if (service === null && shown.length === 0 && sheet.empty && openList.test(masked) && [...view.graph.nodes("ticket")].length > 0)
      sheet.conclusive = true;
  }
}

/** "1 open incident is", "3 tickets are". */
function counted({ question: { masked } }: Desk, shown: readonly Incident[]): string {
  const noun = shown.every(({ incident }) => incident) ? "incident" : "ticket";
  const open = shown.every(({ state }) => state.open === true) ? "open " : "";
  const such = /\bsev ?-?\d|\bp\d\b|\bpriorit|\bunassigned\b/.test(masked) ? "such " : "";
  return `${shown.length} ${such}${open}${noun}${shown.length === 1 ? " is" : "s are"}`;
}

/** "This month" means what was opened in it, "today" what there is now. */
function spansDays({ from, to }: NonNullable<Desk["question"]["window"]>): boolean {
  return from !== null && Date.parse(to) - Date.parse(from) > 2 * DAY;
}

/** Stems of the words that ask for tickets, whichever. */
const asking: ReadonlySet<string> = new Set([...functionWords, ...talkWords, ...timeWords].flatMap((word) => terms(word)));

/** Whether a ticket affects a service or is caused by it, or its title names it. */
function speaksOf(view: View, { node, affects }: Incident, service: GraphNode): boolean {
  return (
    affects.some(({ target }) => target === service.id) ||
    causesOf(view, node.id).some(({ target }) => target === service.id) ||
    view.graph.mentions(node.label).some(({ resolution }) => resolution.type === "one" && resolution.node.id === service.id)
  );
}

/** Whether tickets that are over are asked for, too, since nothing says that only open ones are. */
function ofAllTimes(masked: string): boolean {
  return (
    /\b(?:longest|shortest|quickest|fastest|took|hit|affected|hurt|duplicates?|sev ?-?\d|p\d)\b/.test(masked) &&
    !/\bopen\b|\bongoing\b|\bactive\b|\bstill\b/.test(masked)
  );
}

/** What was asked for and the sentence of a ticket does not say. */
function remark(masked: string, { node, record }: Incident): string {
  const nobody = node.attributes.assignee === undefined && record?.fields.assignee === undefined;
  return `${nobody && unassigned.test(masked) ? "; it is unassigned" : ""}${/\bpriorit/.test(masked) && node.attributes.priority !== undefined ? `; its priority is ${node.attributes.priority}` : ""}`;
}

/** The oldest, the worst, the one that took longest: first that it is, then what it is. */
function sayBest(desk: Desk, { called, first }: Superlative, all: readonly Incident[]): void {
  const { question, view, sheet } = desk;
  if (/\bhow many\b/.test(question.masked))
    sheet.say(
      `${counted(desk, all)} recorded.`,
      first.slice(0, 3).flatMap(({ node }) => view.stateSpans(node).slice(0, 1)),
      0,
      0.9,
    );
  for (const one of first.slice(0, 5)) {
    const took = duration(one);
    const lasted = (called === "longest" || called === "shortest") && took !== null ? `, open for ${spokenDuration(took)}` : "";
    const place = first.length === 1 ? `The ${called} of them is` : `One of the ${called} is`;
    sheet.say(`${place} ${view.name(one.node)}${lasted}.`, incidentSpans(view, one), 0, 0.85);
  }
  for (const one of first.slice(0, 3)) sheet.say(incidentSentence(view, one), incidentSpans(view, one), 1, 0.95);
}

/** Who opened a ticket, as its fields say; nothing where they do not. */
export function sayReporter({ view, sheet }: Desk, { node, record }: Incident): void {
  const name = record?.fields.reporter?.name ?? record?.author?.name ?? record?.author?.login;
  if (record === null || name === undefined) {
    sheet.nothing(`reporter of ${view.name(node)}`);
    return;
  }
  sheet.say(`${name} reported ${view.name(node)}.`, [fieldPlace(record, labels.reporter, labels.author)], 0, 0.9);
}

/** Share of the words of a question that a ticket must hold, those of its text counting little more than half. */
const LEAST_TOPIC = 0.4;

/** The tickets that hold most of the words that the question is about. */
function nearestTopic(pool: readonly Incident[], topic: readonly string[]): readonly Incident[] {
  const scored = pool.map((one) => {
    const title = new Set(terms(one.node.label));
    const body = new Set(one.record === null ? [] : terms(one.record.body.slice(0, one.record.proseEnd)));
    return { one, hits: topic.reduce((sum, word) => sum + (heldIn(title, word) ? 1 : heldIn(body, word) ? IN_TEXT : 0), 0) };
  });
  const most = Math.max(0, ...scored.map(({ hits }) => hits));
  return most < LEAST_TOPIC * topic.length ? [] : scored.filter(({ hits }) => hits === most).map(({ one }) => one);
}

function inWindow(at: string | null, window: Desk["question"]["window"]): boolean {
  return at !== null && window !== null && isWithin(at, window);
}

/** "No open incident is recorded for payment", shown by the last one that was closed. */
export function none(
  { question, view, sheet }: Desk,
  service: GraphNode | null,
  found: FoundIncidents,
  onlyIncidents: boolean,
  past: boolean,
): void {
  const noun = onlyIncidents ? "incident" : "ticket";
  const period =
    past && question.window !== null
      ? ` from ${question.window.from === null ? "the beginning" : spoken(question.window.from)} to ${spoken(question.window.to)}`
      : "";
  if (service !== null && period === "" && byTitle({ view, sheet }, service, onlyIncidents)) {
    for (const one of found.open.slice(0, 3)) sheet.say(incidentSentence(view, one), incidentSpans(view, one), 1, 0.85);
    return;
  }
  sheet.nothing(
    `${period === "" ? "open " : ""}${noun}s${service === null ? "" : ` of ${service.label}`}`,
    period === "" ? null : period.trim(),
  );
  const last = found.closed.find(({ incident }) => !onlyIncidents || incident);
  const place = service === null ? "" : ` for ${service.label}`;
  if (period !== "") {
    if (service !== null) {
      const nearest = nearestFact(view, service);
      sheet.say(`No ${noun} is recorded for ${service.label}${period}; ${nearest.text}.`, nearest.spans, 0, 0.8);
    }
    return;
  }
  // what is open all the same, a bug say, is named as what it is
  const others = service === null ? [] : found.open.slice(0, 3);
  const such = found.open.some(({ incident }) => !onlyIncidents || incident) ? "such " : "";
  let head = `No ${such}open ${noun} is recorded${place}; `;
  const say = (text: string, spans: readonly Span[], confidence: number): void => {
    sheet.say(`${head}${text}`, spans, 0, confidence);
    head = "";
  };
  for (const one of others) say(incidentSentence(view, one), incidentSpans(view, one), 0.85);
  const cleared = service === null ? null : clearedBy(view, service, question.intents.includes("cause"));
  if (cleared !== null) {
    const { one, clearance } = cleared;
    const past = one.state.open === false && one.state.opened !== null ? `, opened on ${spoken(one.state.opened)} and closed since,` : "";
    say(`${view.name(one.node)}${past} says: ${inQuotes(clearance.sentence, 240)}.`, [clearance.span, ...view.spansOf(one.node)], 0.9);
  }
  if (last !== undefined && others.length === 0) {
    const when = last.state.resolved === null ? "is closed" : `was resolved on ${spoken(last.state.resolved)}`;
    say(`${head === "" ? "The" : "the"} last ${noun} ${when}.`, [...view.stateSpans(last.node), ...evidenceOf(last.affects, 1)], 0.85);
  } else if (service !== null && others.length === 0 && cleared === null) {
    const nearest = nearestFact(view, service);
    say(`${nearest.text}.`, nearest.spans, 0.75);
  }
}

/** The newest ticket of the last two weeks, or an open one, that says that a service is well; of any age where it is suspected. */
function clearedBy(view: View, service: GraphNode, suspected: boolean): { readonly one: Incident; readonly clearance: Clearance } | null {
  const since = new Date(Date.parse(view.now) - 14 * DAY).toISOString();
  for (const one of [...ticketsOf(view, null)].sort((a, b) => (b.state.opened ?? "").localeCompare(a.state.opened ?? ""))) {
    if (one.record === null || (!suspected && one.state.open === false && (one.state.opened ?? "") < since)) continue;
    const clearance = clearances(one.record, view.graph).find(({ node }) => node === service.id);
    if (clearance !== undefined) return { one, clearance };
  }
  return null;
}

/** What a place that shows that a service is known says of it, so that the place is cited for what it says. */
export function nearestFact(view: View, service: GraphNode): { readonly text: string; readonly spans: readonly Span[] } {
  const [owns] = view.edges(service.id, ["owns"], "in");
  if (owns !== undefined) return { text: `its recorded owner is ${view.nameOf(owns.source)}`, spans: evidenceOf([owns], 1) };
  const [needs] = view.edges(service.id, ["depends_on"], "out");
  if (needs !== undefined)
    return { text: `what is recorded is that it depends on ${view.nameOf(needs.target)}`, spans: evidenceOf([needs], 1) };
  const [needed] = view.edges(service.id, ["depends_on"], "in");
  if (needed !== undefined)
    return { text: `what is recorded is that ${view.nameOf(needed.source)} depends on it`, spans: evidenceOf([needed], 1) };
  const [modified] = view.edges(service.id, ["modified"], "in");
  if (modified !== undefined)
    return { text: `what is recorded is that ${view.nameOf(modified.source)} modified it`, spans: evidenceOf([modified], 1) };
  return { text: "the sources do name it", spans: service.spans.slice(0, 1) };
}

/** Open tickets that name a service in their title, though no field or sentence says that they affect it. */
function byTitle({ view, sheet }: Pick<Desk, "view" | "sheet">, service: GraphNode, onlyIncidents: boolean): boolean {
  let found = false;
  for (const one of openTickets(view, null)) {
    if ((onlyIncidents && !one.incident) || one.affects.some(({ target }) => target === service.id)) continue;
    if (!view.graph.mentions(one.node.label).some(({ resolution }) => resolution.type === "one" && resolution.node.id === service.id))
      continue;
    sheet.say(incidentSentence(view, one).replace(/\.$/, `; its title names ${service.label}.`), incidentSpans(view, one), 0, 0.7);
    found = true;
  }
  return found;
}

export function incidentSentence(view: View, { node, state, incident, affects, duplicateOf }: Incident): string {
  const services = [...new Set(affects.map(({ target }) => view.nameOf(target)))];
  const noun = incident ? "incident" : (node.attributes.ticketType?.toLowerCase() ?? "ticket");
  const severity = node.attributes.severity === undefined ? "" : `${node.attributes.severity} `;
  const status = state.status === null ? "" : ` (status ${state.status})`;
  const kind =
    state.open === null
      ? `is ${article(severity || noun)} ${severity}${noun} (whether it is open is not recorded)`
      : state.open
        ? `is an open ${severity}${noun}${status}`
        : `is a closed ${severity}${noun}${status}`;
  // when it began is only known where a source says so; a ticket is opened later
  const { startedAt } = node.attributes;
  const since =
    startedAt !== undefined ? ` since ${spoken(startedAt)}` : state.opened === null ? "" : `, opened on ${spoken(state.opened)}`;
  const until = state.open === false && state.resolved !== null ? `, resolved on ${spoken(state.resolved)}` : "";
  const opened = state.open === false ? (state.opened === null ? "" : `, opened on ${spoken(state.opened)}`) : since;
  const target = services.length === 0 ? "" : ` that affects ${listed(services)}`;
  const double = duplicateOf === null ? "" : `; it is a duplicate of ${view.nameOf(duplicateOf)}`;
  return `${capital(view.name(node))} ${kind}${target}${opened}${until}${double}.`;
}

function article(word: string): string {
  return /^[aeiou]/i.test(word) ? "an" : "a";
}

export function incidentSpans(view: View, { node, affects, record }: Incident): readonly Span[] {
  const started = node.attributes.startedAt === undefined || record === null ? null : fieldSpan(record, labels.started);
  return [
    ...evidenceOf(affects.slice(0, 1), 1),
    ...view.stateSpans(node),
    ...(started === null || record === null ? [] : [{ record: record.id, ...started }]),
  ];
}

/** Sentences of a record's prose that match, with their places. */
export function sentencesLike(record: SourceRecord, pattern: RegExp, most = 3): { readonly sentence: string; readonly span: Span }[] {
  const prose = record.body.slice(0, record.proseEnd);
  const found: { sentence: string; span: Span }[] = [];
  for (const { start, end } of sentencesOf(prose)) {
    const sentence = prose.slice(start, end);
    if (sentence.length <= 500 && pattern.test(sentence)) found.push({ sentence, span: { record: record.id, start, end } });
    if (found.length >= most) break;
  }
  return found;
}
