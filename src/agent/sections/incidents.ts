import { fieldSpan } from "../../core/body.ts";
import type { GraphNode } from "../../core/graph.ts";
import { labels } from "../../core/labels.ts";
import type { SourceRecord, Span } from "../../core/record.ts";
import { sentencesOf } from "../../core/sentences.ts";
import { terms } from "../../core/words.ts";
import { capital, type Desk, evidenceOf, listed, subjects } from "../desk.ts";
import { causesOf, type Incident, incidentOf, openTickets, ticketsOf } from "../lookups.ts";
import { type Clearance, clearances } from "../ruled-out.ts";
import { spoken } from "../time.ts";
import { type FoundIncidents, getActiveIncidents } from "../tools.ts";
import { headSpan, inQuotes, key, type View } from "../view.ts";

/** Tickets of a service or of all: open ones, or those of a window. */
export async function incidents(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const { masked, window } = question;
  const onlyIncidents =
    /\bincidents?\b|\boutages?\b|\bfires?\b|\bsev/.test(masked) && !/\btickets?\b|\bissues?\b|\bbugs?\b|\btasks?\b/.test(masked);
  const besideCause = question.intents.includes("cause");
  const bugs = /\bbugs?\b/.test(masked) && !onlyIncidents;
  const wantsClosed =
    /\bclosed\b|\bresolved\b|\bpast\b|\bprevious\b|\bhistory\b|\bever\b|\bfixed\b|\bhad\b|\bwere\b|\blast (?:incident|outage|ticket)\b|\bhappened\b|\bdid\b/.test(
      masked,
    ) && !/\bunresolved\b|\bopen\b|\bstill\b/.test(masked);
  const past =
    window !== null &&
    (window.to <= view.now || wantsClosed || /\bopened\b|\bhappen|\bnew\b|\bsince\b|\bwere\b|\bhad\b/.test(masked)) &&
    !/\bopen\b(?! since)|\bactive\b|\bongoing\b/.test(masked);
  const severity = /\bsev ?-?(\d)\b|\bp(\d)\b/.exec(masked);
  const level = severity?.[1] ?? severity?.[2] ?? null;
  const services = subjects(question);
  for (const service of services.length === 0 ? [null] : services) {
    const at = window !== null && window.to <= view.now && !past ? (window.from ?? window.to) : null;
    const found = await calls.run(getActiveIncidents, { service: service?.id ?? null, at });
    if (found?.value == null) continue;
    const topical = service === null && question.topic.length > 0 && /\b(?:about|regarding|concerning|mention(?:s|ing)?)\b/.test(masked);
    const pool = past || wantsClosed || topical ? [...found.value.open, ...found.value.closed] : found.value.open;
    const fitting = (topical ? nearestTopic(pool, question.topic) : pool)
      .filter(({ incident }) => !(onlyIncidents || besideCause) || incident)
      .filter(({ node }) => !bugs || /bug|defect|incident/i.test(node.attributes.ticketType ?? "bug"))
      .filter(
        ({ node }) =>
          level === null || new RegExp(`^(?:sev|p|s)[-_ ]?${level}$`, "i").test(node.attributes.severity ?? node.attributes.priority ?? ""),
      )
      .filter(({ state }) => !past || inWindow(state.opened, window) || inWindow(state.resolved, window))
      .filter(({ state }) => past || !wantsClosed || state.open === false);
    const shown =
      wantsClosed && !past
        ? fitting.sort((a, b) => (b.state.resolved ?? "").localeCompare(a.state.resolved ?? "")).slice(0, /\blast\b/.test(masked) ? 1 : 25)
        : fitting;
    if (/\bhow many\b/.test(masked) && shown.length > 0) {
      sheet.say(
        `${shown.length} such ${shown.length === 1 ? "ticket is" : "tickets are"} recorded${service === null ? "" : ` for ${service.label}`}.`,
        shown.slice(0, 3).flatMap(({ node }) => view.stateSpans(node).slice(0, 1)),
        0,
        0.9,
      );
    }
    for (const one of shown) sheet.say(incidentSentence(view, one), incidentSpans(view, one), 0, 0.95);
    if (shown.length === 0) none(desk, service, found.value, onlyIncidents || /\bincident|\boutage/.test(masked), past);
  }
}

/** The tickets that hold most of the words that the question is about. */
function nearestTopic(pool: readonly Incident[], topic: readonly string[]): readonly Incident[] {
  const scored = pool.map((one) => {
    const title = new Set(terms(one.node.label));
    const body = new Set(one.record === null ? [] : terms(one.record.body.slice(0, one.record.proseEnd)));
    return { one, hits: topic.reduce((sum, word) => sum + (title.has(word) ? 1 : body.has(word) ? 0.6 : 0), 0) };
  });
  const most = Math.max(0, ...scored.map(({ hits }) => hits));
  return most === 0 ? [] : scored.filter(({ hits }) => hits === most).map(({ one }) => one);
}

function inWindow(at: string | null, window: Desk["question"]["window"]): boolean {
  return at !== null && window !== null && at < window.to && (window.from === null || at >= window.from);
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
  const since = new Date(Date.parse(view.now) - 14 * 86_400_000).toISOString();
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

/** What one ticket is: its state, what it affects, its cause, and the field that is asked for. */
export async function ticket(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const { masked } = question;
  for (const node of question.tickets) {
    const one = incidentOf(view, node);
    const { record } = one;
    if (record === null) {
      sheet.nothing(`ticket ${key(node)}`);
      sheet.conclusive = true;
      continue;
    }
    const fields: readonly (readonly [RegExp, string, (value: string) => string])[] = [
      [/\bassign\w*\b|\bworking on\b|\bhandl\w+\b/, labels.assignee, (value) => `${value} is assigned to ${view.name(node)}.`],
      [
        /\breport\w*\b|\bopened by\b|\bfiled\b|\braised\b|\bwho (?:opened|created)\b/,
        labels.reporter,
        (value) => `${value} reported ${view.name(node)}.`,
      ],
      [/\bpriority\b/, labels.priority, (value) => `The priority of ${view.name(node)} is ${value}.`],
      [/\bsever\w+\b|\bsev\b/, labels.severity, (value) => `The severity of ${view.name(node)} is ${value}.`],
    ];
    let asked = false;
    for (const [pattern, label, sentence] of fields) {
      if (!pattern.test(masked)) continue;
      asked = true;
      const place = fieldSpan(record, label);
      if (place === null) sheet.nothing(`${label.toLowerCase()} of ${key(node)}`);
      else sheet.say(sentence(record.body.slice(place.start + label.length + 2, place.end)), [{ record: record.id, ...place }], 0, 0.95);
    }
    if (
      asked &&
      /\breport\w*\b|\bopened by\b|\bwho (?:opened|created|filed|raised)\b/.test(masked) &&
      sheet.empty &&
      record.author?.name !== undefined
    ) {
      sheet.say(`${record.author.name} reported ${view.name(node)}.`, authorPlace(record), 0, 0.9);
    }
    if (asked && sheet.empty) {
      sheet.conclusive = true;
      continue;
    }
    if (asked && !/\bwhen\b/.test(masked)) continue;
    for (const service of question.services) {
      if (one.affects.some(({ target }) => target === service.id)) continue;
      const [cleared] = clearances(record, view.graph).filter((clearance) => clearance.node === service.id);
      if (cleared === undefined)
        sheet.say(`Nothing recorded says that ${view.name(node)} affects ${service.label}.`, incidentSpans(view, one), 0, 0.75);
      else sheet.say(`${capital(key(node))} rules out ${service.label}: ${inQuotes(cleared.sentence, 240)}.`, [cleared.span], 0, 0.85);
    }
    sheet.say(incidentSentence(view, one), incidentSpans(view, one), 0, 0.95);
    for (const edge of causesOf(view, node.id))
      sheet.say(`${view.name(node)} was caused by ${view.nameOf(edge.target)}.`, evidenceOf([edge]), 1, edge.confidence);
    if (!/\bopen\b|\bclosed\b|\bstatus\b|\bstate\b|\bstill\b|\bresolved\b|\bfixed\b|\bdone\b/.test(masked)) describe(desk, record);
  }
}

function authorPlace(record: SourceRecord): readonly Span[] {
  const place = fieldSpan(record, labels.author) ?? fieldSpan(record, labels.reporter);
  return [place === null ? headSpan(record) : { record: record.id, ...place }];
}

/** The first sentences under the title, as they stand. */
function describe({ sheet }: Desk, record: SourceRecord): void {
  const head = headSpan(record).end;
  const prose = record.body.slice(head, record.proseEnd);
  for (const { start, end } of sentencesOf(prose).slice(0, 2)) {
    const text = prose.slice(start, end);
    if (text.length < 12 || text.length > 400) continue;
    sheet.say(text, [{ record: record.id, start: head + start, end: head + end }], 1, 0.9, "quote");
  }
}

/** Which ticket another one duplicates. */
export async function duplicate(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  for (const node of question.tickets) {
    const record = view.recordOf(node);
    if (record === null) continue;
    const before = sheet.length;
    if (/\bduplicates of\b/.test(question.masked)) {
      for (const one of ticketsOf(view, null)) {
        if (one.duplicateOf !== node.id) continue;
        sheet.say(`${view.name(one.node)} is a duplicate of ${key(node)}.`, incidentSpans(view, one), 0, 0.9);
      }
      if (sheet.length > before) continue;
    }
    for (const link of record.fields.links ?? []) {
      if (!/duplicat/i.test(link.phrase)) continue;
      const other = view.graph.resolve(link.key, "ticket");
      const name = other.type === "one" ? view.name(other.node) : link.key;
      const place = fieldSpan(record, labels.links) ?? headSpan(record);
      const spans = [{ record: record.id, start: place.start, end: place.end }];
      if (/\bduplicates\b|\bis (?:a )?duplicate of\b/i.test(link.phrase))
        sheet.say(`${view.name(node)} is a duplicate of ${name}.`, spans, 0, 0.95);
      else sheet.say(`${name} is a duplicate of ${view.name(node)}.`, spans, 0, 0.95);
    }
    if (sheet.length > before) continue;
    for (const { sentence, span } of sentencesLike(record, /\bduplicat\w*\b/i)) {
      if (
        view.graph
          .mentions(sentence)
          .some(({ resolution }) => resolution.type === "one" && resolution.node.kind === "ticket" && resolution.node.id !== node.id)
      ) {
        sheet.say(`${key(node)} says: ${inQuotes(sentence, 300)}.`, [span], 0, 0.85);
      }
    }
    if (sheet.length > before) continue;
    sheet.nothing(`duplicates of ${key(node)}`);
    sheet.conclusive = true;
  }
}

/** Whether a ticket was opened again, and when. */
export async function reopened(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  let tickets = question.tickets.map((node) => incidentOf(view, node));
  for (const service of question.tickets.length > 0 ? [] : subjects(question)) {
    const found = await calls.run(getActiveIncidents, { service: service.id, at: null });
    const all = [...(found?.value?.open ?? []), ...(found?.value?.closed ?? [])].filter(
      ({ incident }) => incident || !/\bincident|\boutage/.test(question.masked),
    );
    const again = all.filter((one) => reopening(view, one) !== null);
    tickets = [...tickets, ...(again.length > 0 ? again : all.slice(0, 1))];
  }
  if (question.tickets.length === 0 && subjects(question).length === 0) {
    const found = await calls.run(getActiveIncidents, { service: null, at: null });
    tickets = (found?.value?.open ?? []).filter((one) => reopening(view, one) !== null);
  }
  for (const one of tickets) {
    const found = reopening(view, one);
    if (found === null) {
      sheet.nothing(`reopening of ${key(one.node)}`);
      sheet.say(incidentSentence(view, one).replace(/\.$/, "; nothing says that it was reopened."), incidentSpans(view, one), 0, 0.8);
      continue;
    }
    if (found.at !== null) {
      sheet.say(
        `${view.name(one.node)} was reopened on ${spoken(found.at)}${one.state.status === null ? "" : `; its status is ${one.state.status}`}.`,
        [...found.spans, ...view.stateSpans(one.node)],
        0,
        0.95,
      );
    } else {
      sheet.say(`${view.name(one.node)} was reopened.`, [...found.spans, ...view.stateSpans(one.node)], 0, 0.9);
    }
    for (const { sentence, span } of one.record === null ? [] : sentencesLike(one.record, /\bre-?open(?:ed|s)?\b|\bopened again\b/i)) {
      sheet.say(`${key(one.node)} says: ${inQuotes(sentence, 300)}.`, [span], 1, 0.9);
    }
  }
  if (sheet.empty) sheet.conclusive = true;
}

function reopening(view: View, { node, record }: Incident): { readonly at: string | null; readonly spans: readonly Span[] } | null {
  const { reopened: at } = view.stateOf(node);
  const said = record === null ? [] : sentencesLike(record, /\bre-?opened\b|\bopened again\b/i).map(({ span }) => span);
  return at === null && said.length === 0 ? null : { at, spans: said };
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
