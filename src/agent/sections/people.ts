import type { NodeId } from "../../core/fact.ts";
import type { GraphNode } from "../../core/graph.ts";
import { labels } from "../../core/labels.ts";
import type { SourceRecord } from "../../core/record.ts";
import { DAY } from "../dates.ts";
import { capital, type Desk, evidenceOf, listed } from "../desk.ts";
import { changesIn, edgesWith, ownedBy, ticketsOf } from "../lookups.ts";
import { instant, isWithin, spoken } from "../time.ts";
import { fieldPlace } from "../view.ts";
import { changeSentence, commitSpans } from "./changes.ts";

/** What somebody works on: open tickets, last commits, services. An ambiguous name stands for everybody it may mean. */
export async function person(desk: Desk): Promise<void> {
  const { question, sheet } = desk;
  for (const { name, nodes } of question.ambiguous) {
    const people = nodes.filter(({ kind }) => kind === "engineer");
    if (people.length < 2) continue;
    sheet.say(
      `The name "${name}" may mean ${listed(
        people.map(({ label }) => label),
        "or",
      )}.`,
      people.flatMap((one) => placesOf(desk, one)),
      0,
      0.9,
    );
    for (const one of people) about(desk, one, 2);
  }
  for (const one of question.people) about(desk, one, 5);
  if (sheet.empty) sheet.nothing("work of the person named");
}

function about(desk: Desk, node: GraphNode, most: number): void {
  const { question, view, sheet } = desk;
  const { masked, window } = question;
  const wantsCommits = /\bcommit|\bchang|\bmerge|\bwrote|\bwritten|\bdeploy|\bpush|\btouch|\bship|\bland(?:ed)?\b|\brelease/.test(masked);
  const last = /\b(?:last|latest|newest|most recent)\b(?! (?:week|month|day|year|hour|night|\d|few|couple|two|three))/.test(masked);
  const wantsTeam = /\bteam\b/.test(masked);
  const to = window === null || window.to > view.now ? instant(Date.parse(view.now) + 1000) : window.to;
  const from = window === null ? instant(Date.parse(view.now) - 14 * DAY) : window.from;
  if (wantsTeam) {
    for (const team of view.graph.nodes("team")) {
      if (team.attributes.members?.includes(node.id) === true)
        sheet.say(`${node.label} is a member of ${view.name(team)}.`, team.spans.slice(0, 1), 0, 0.9);
    }
  }
  if (
    /\b(?:rais|report|opened?|filed?|creat|submit)\w*\b|\b(?:tickets?|incidents?|bugs?|issues?) (?:by|from) ⟨person⟩/.test(masked) &&
    /\b(?:tickets?|incidents?|bugs?|issues?)\b/.test(masked)
  ) {
    const onlyIncidents = /\bincidents?\b/.test(masked) && !/\btickets?\b|\bbugs?\b|\bissues?\b/.test(masked);
    const reported = ticketsOf(view, null).filter(
      ({ record, incident, state: { opened } }) =>
        (window === null || (opened !== null && isWithin(opened, window))) &&
        record !== null &&
        (incident || !onlyIncidents) &&
        reporterOf(desk, record) === node.id,
    );
    for (const one of reported.slice(0, 12)) {
      if (one.record !== null)
        sheet.say(`${node.label} reported ${view.name(one.node)}.`, [fieldPlace(one.record, labels.reporter, labels.author)], 0, 0.9);
    }
    if (reported.length === 0) sheet.nothing(`tickets reported by ${node.label}`);
    return;
  }
  if (/\b(?:fix|resolv|solv|repair)\w*\b/.test(masked)) {
    const before = sheet.length;
    for (const change of changesIn(view, null, window?.from ?? null, to).filter(({ node: commit }) => commit.attributes.author === node.id))
      for (const { node: ticket, edge } of edgesWith(view, change.node.id, ["fixes"], "out"))
        sheet.say(
          `${capital(view.name(change.node))} by ${node.label} fixed ${view.name(ticket)} on ${spoken(change.at)}.`,
          [...evidenceOf([edge], 2), ...commitSpans(view, change).slice(0, 1)],
          0,
          edge.confidence,
        );
    if (sheet.length === before) {
      sheet.nothing(`tickets that ${node.label} fixed`, window?.text ?? null);
      sheet.conclusive = true;
    }
    return;
  }
  if (!wantsCommits && !wantsTeam) {
    const tickets = ticketsOf(view, null).filter(
      ({ node: ticket, state }) => ticket.attributes.assignee === node.id && state.open === true,
    );
    for (const ticket of tickets.slice(0, most)) {
      const record = ticket.record;
      if (record === null) continue;
      sheet.say(
        `${node.label} is assigned to ${view.name(ticket.node)}, which is open${ticket.state.status === null ? "" : ` (status ${ticket.state.status})`}.`,
        [fieldPlace(record, labels.assignee)],
        0,
        0.9,
      );
    }
    if (tickets.length === 0) sheet.nothing(`open tickets assigned to ${node.label}`);
  }
  const howMany = /\bhow many\b/.test(masked);
  const since = howMany && window === null ? null : from;
  const commits = changesIn(view, null, since, to).filter((change) => change.node.attributes.author === node.id);
  if (howMany && wantsCommits && commits.length > 0)
    sheet.say(
      `${commits.length} ${commits.length === 1 ? "commit" : "commits"} by ${node.label} ${commits.length === 1 ? "is" : "are"} recorded${window === null ? "" : ` from ${spoken(from ?? commits.at(-1)?.at ?? to)} to ${spoken(to)}`}.`,
      commits.slice(0, 3).flatMap((change) => commitSpans(view, change).slice(0, 1)),
      0,
      0.9,
    );
  for (const change of commits.slice(0, wantsCommits ? (last ? 1 : 20) : 2))
    sheet.say(changeSentence(view, change), commitSpans(view, change), wantsCommits ? 0 : 1, 0.9);
  if (commits.length === 0 && wantsCommits) {
    sheet.nothing(`commits by ${node.label}`, window?.text ?? "the last 14 days");
    const earlier = changesIn(view, null, null, to).filter((change) => change.node.attributes.author === node.id);
    const period = window === null ? "in the last 14 days" : `${from === null ? "until" : `from ${spoken(from)} to`} ${spoken(to)}`;
    for (const [index, last] of earlier.slice(0, window === null ? 3 : 1).entries())
      sheet.say(
        index === 0
          ? `No commit by ${node.label} is recorded ${period}; the last one before that is ${view.name(last.node)} of ${spoken(last.at)}.`
          : changeSentence(view, last),
        commitSpans(view, last),
        index === 0 ? 0 : 1,
        0.85,
      );
  }
  if (wantsCommits) return;
  const services = ownedBy(view, node.id);
  if (services.length > 0)
    sheet.say(
      `${node.label} owns ${listed(services.slice(0, 6).map((one) => one.node.label))}.`,
      evidenceOf(
        services.slice(0, 6).map(({ edge }) => edge),
        3,
      ),
      1,
      0.9,
    );
}

/** Who opened a ticket, as its fields say. */
function reporterOf({ view }: Desk, record: SourceRecord): NodeId | null {
  const person = record.fields.reporter ?? record.author;
  for (const name of [person?.login, person?.name, person?.email]) {
    const found = name === undefined ? null : view.graph.resolve(name, "engineer");
    if (found?.type === "one") return found.node.id;
  }
  return null;
}

function placesOf({ view }: Desk, node: GraphNode): ReturnType<typeof evidenceOf> {
  const edges = view.edges(node.id, ["owns"], "out", null);
  return edges.length > 0 ? evidenceOf(edges, 1) : node.spans.slice(0, 1);
}
