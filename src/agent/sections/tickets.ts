import { fieldSpan } from "../../core/body.ts";
import type { GraphNode } from "../../core/graph.ts";
import { labels } from "../../core/labels.ts";
import type { SourceRecord, Span } from "../../core/record.ts";
import { sentencesOf } from "../../core/sentences.ts";
import { capital, type Desk, evidenceOf, subjects } from "../desk.ts";
import { causesOf, edgesWith, type Incident, incidentOf, ticketsOf } from "../lookups.ts";
import { clearancesOf } from "../ruled-out.ts";
import { duration } from "../ticket-filter.ts";
import { spoken, spokenDuration } from "../time.ts";
import { getActiveIncidents } from "../tools.ts";
import { fieldPlace, headSpan, inQuotes, key, type View } from "../view.ts";
import { incidentSentence, incidentSpans, sentencesLike } from "./incidents.ts";

/** What one ticket is: its state, what it affects, its cause, and the field that is asked for. */
export async function ticket(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const { masked } = question;
  if (sayOlder(desk)) return;
  for (const node of question.tickets) {
    const one = incidentOf(view, node);
    const { record } = one;
    if (record === null) {
      sheet.nothing(`ticket ${key(node)}`);
      sheet.conclusive = true;
      continue;
    }
    const fields: readonly (readonly [RegExp, string, (value: string) => string])[] = [
      [
        /\bassign\w*\b|\bworking on\b|\bhandl\w+\b|\blooking (?:at|into)\b|\bdealing with\b|\binvestigating\b|\bwho is on (?:it|this|that)\b/,
        labels.assignee,
        (value) => `${value} is assigned to ${view.name(node)}.`,
      ],
      [
        /\breport\w*\b|\bopened by\b|\bfiled\b|\braised\b|\bwho (?:opened|created)\b/,
        labels.reporter,
        (value) => `${value} reported ${view.name(node)}.`,
      ],
      [/\bpriority\b/, labels.priority, (value) => `The priority of ${view.name(node)} is ${value}.`],
      [/\bsever\w+\b|\bsev\b/, labels.severity, (value) => `The severity of ${view.name(node)} is ${value}.`],
    ];
    let asked = false;
    const missing: string[] = [];
    for (const [pattern, label, sentence] of fields) {
      if (!pattern.test(masked)) continue;
      asked = true;
      const place = fieldSpan(record, label);
      const written = place === null ? writtenField(record, label) : null;
      if (written !== null) sheet.say(sentence(written.value), [written.span], 0, 0.85);
      else if (place === null) missing.push(label);
      else sheet.say(sentence(record.body.slice(place.start + label.length + 2, place.end)), [{ record: record.id, ...place }], 0, 0.95);
    }
    if (
      asked &&
      /\breport\w*\b|\bopened by\b|\bwho (?:opened|created|filed|raised)\b/.test(masked) &&
      sheet.empty &&
      record.author?.name !== undefined
    ) {
      sheet.say(`${record.author.name} reported ${view.name(node)}.`, authorPlace(record), 0, 0.9);
      missing.splice(0, missing.length, ...missing.filter((label) => label !== labels.reporter));
    }
    for (const label of missing) sheet.leftOut(`${label.toLowerCase()} of ${key(node)}`);
    if (asked && sheet.empty && /^(?:is|was|has)\b/.test(masked) && record.fields.status !== undefined && /\bassign/.test(masked)) {
      sheet.say(`${view.name(node)} is unassigned.`, incidentSpans(view, one), 0, 0.8);
      continue;
    }
    if (asked && sheet.empty) {
      sheet.conclusive = true;
      continue;
    }
    if (asked && !/\bwhen\b/.test(masked)) continue;
    if (lasting(desk, one) || ending(desk, one) || linked(desk, one)) continue;
    for (const service of question.services) {
      if (one.affects.some(({ target }) => target === service.id)) continue;
      const [cleared] = clearancesOf(view, node, record).filter((clearance) => clearance.node === service.id);
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

const writtenNames: Readonly<Record<string, string>> = {
  [labels.assignee]: "assignee|assigned to|assigned",
  [labels.reporter]: "reporter|reported by|opened by",
  [labels.priority]: "priority|prio",
  [labels.severity]: "severity|sev",
};

/** A field that stands in a line of the text, where the source has none of its own: "Assigned to: Jo Doe". */
function writtenField(record: SourceRecord, label: string): { readonly value: string; readonly span: Span } | null {
  const names = writtenNames[label];
  const prose = record.body.slice(0, record.proseEnd);
  const match = names === undefined ? null : new RegExp(`^[ \\t*-]{0,4}(?:${names})[ \\t]*[:=][ \\t]*(\\S[^\\n]{0,60})$`, "im").exec(prose);
  if (match?.[1] === undefined) return null;
  return {
    value: match[1].trim().replace(/[.,;]$/, ""),
    span: { record: record.id, start: match.index, end: match.index + match[0].length },
  };
}

/** "Which tickets is it related to?": what its links say. */
function linked({ question: { masked, tickets }, view, sheet }: Desk, { node, record }: Incident): boolean {
  if (!/\brelat(?:ed?|es)\b|\blink(?:ed|s)?\b/.test(masked) || record === null) return false;
  const others = tickets.filter(({ id }) => id !== node.id);
  for (const { phrase, key: other } of record.fields.links ?? []) {
    const found = view.graph.resolve(other, "ticket");
    if (others.length > 0 && !(found.type === "one" && others.some(({ id }) => id === found.node.id))) continue;
    const name = found.type === "one" ? view.name(found.node) : other;
    sheet.say(`${view.name(node)} ${phrase} ${name}.`, [fieldPlace(record, labels.links)], 0, 0.9);
  }
  return !sheet.empty;
}

/** "Which of the two is older?" */
function sayOlder({ question, view, sheet }: Desk): boolean {
  if (question.tickets.length !== 2 || !/\b(?:older|oldest|earlier|newer|younger|later)\b/.test(question.masked)) return false;
  const dated = question.tickets.flatMap((node) => {
    const { opened } = view.stateOf(node);
    return opened === null ? [] : [{ node, opened }];
  });
  const [first, second] = dated.sort((a, b) => a.opened.localeCompare(b.opened));
  if (first === undefined || second === undefined) return false;
  sheet.say(
    `${view.name(first.node)} is older, opened on ${spoken(first.opened)}; ${view.name(second.node)} was opened on ${spoken(second.opened)}.`,
    [...view.stateSpans(first.node).slice(0, 1), ...view.stateSpans(second.node).slice(0, 1)],
    0,
    0.9,
  );
  return true;
}

/** "How long was it open?": from when to when, or since when. */
function lasting({ question: { masked }, view, sheet }: Desk, one: Incident): boolean {
  if (!/\bhow long\b/.test(masked)) return false;
  const { opened, resolved, open } = one.state;
  const took = duration(one);
  if (opened !== null && resolved !== null && took !== null)
    sheet.say(
      `${view.name(one.node)} was open for ${spokenDuration(took)}, from ${spoken(opened)} to ${spoken(resolved)}.`,
      incidentSpans(view, one),
      0,
      0.9,
    );
  else if (opened !== null && open === true)
    sheet.say(
      `${view.name(one.node)} has been open for ${spokenDuration(Date.parse(view.now) - Date.parse(opened))}, since ${spoken(opened)}.`,
      incidentSpans(view, one),
      0,
      0.9,
    );
  else {
    sheet.nothing(`how long ${key(one.node)} was open`);
    sheet.conclusive = true;
  }
  return true;
}

/** "When was it resolved?", of one that is open, or of which nobody knows. */
function ending({ question: { masked }, view, sheet }: Desk, one: Incident): boolean {
  if (!/\bwhen\b.*\b(?:resolved|closed|fixed|solved|over|done|repaired|end(?:ed)?|finished)\b/.test(masked) || one.state.resolved !== null)
    return false;
  const fixes = edgesWith(view, one.node.id, ["fixes"], "in");
  for (const { node, edge } of fixes)
    if (node.attributes.at !== undefined)
      sheet.say(
        `${capital(view.name(node))} fixed ${view.name(one.node)} on ${spoken(node.attributes.at)}.`,
        evidenceOf([edge], 2),
        0,
        edge.confidence,
      );
  if (one.state.open === true) sheet.say(incidentSentence(view, one), incidentSpans(view, one), 0, 0.95);
  if (sheet.empty) {
    sheet.nothing(`when ${key(one.node)} was resolved`);
    sheet.conclusive = true;
  }
  return true;
}

function authorPlace(record: SourceRecord): readonly Span[] {
  return [fieldPlace(record, labels.author, labels.reporter)];
}

/** The first sentences under the title, as they stand. */
export function describe({ sheet }: Desk, record: SourceRecord): void {
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
      if (sheet.length === before) sayDuplicates(desk, node);
      if (sheet.length > before) continue;
    }
    for (const link of record.fields.links ?? []) {
      if (!/duplicat/i.test(link.phrase)) continue;
      const other = view.graph.resolve(link.key, "ticket");
      const name = other.type === "one" ? view.name(other.node) : link.key;
      const spans = [fieldPlace(record, labels.links)];
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

/** Tickets that call themselves a duplicate of this one, in words only. */
function sayDuplicates({ view, sheet }: Desk, node: GraphNode): void {
  for (const one of ticketsOf(view, null)) {
    if (one.record === null || one.node.id === node.id) continue;
    for (const { sentence, span } of sentencesLike(one.record, /\bduplicat\w* (?:of|to)\b|\bsame as\b/i, 1)) {
      const named = view.graph.mentions(sentence).some(({ resolution }) => resolution.type === "one" && resolution.node.id === node.id);
      if (named) sheet.say(`${view.name(one.node)} says: ${inQuotes(sentence, 300)}.`, [span, ...view.spansOf(one.node)], 0, 0.85);
    }
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
    for (const { sentence, span } of one.record === null ? [] : sentencesLike(one.record, /\bre-?open(?:ed|s|ing)?\b|\bopened again\b/i)) {
      sheet.say(`${key(one.node)} says: ${inQuotes(sentence, 300)}.`, [span], 1, 0.9);
    }
  }
  if (sheet.empty) sheet.conclusive = true;
}

function reopening(view: View, { node, record }: Incident): { readonly at: string | null; readonly spans: readonly Span[] } | null {
  const { reopened: at } = view.stateOf(node);
  const said = record === null ? [] : sentencesLike(record, /\bre-?open(?:ed|ing)\b|\bopened again\b/i).map(({ span }) => span);
  return at === null && said.length === 0 ? null : { at, spans: said };
}
