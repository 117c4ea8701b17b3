import type { GraphNode } from "../../core/graph.ts";
import { labels } from "../../core/labels.ts";
import type { Instant } from "../../core/record.ts";
import { capital, type Desk, evidenceOf, leavesIn, listed, subjects } from "../desk.ts";
import { dependenciesOf, edgesWith, type Owner, ownedBy } from "../lookups.ts";
import { spoken } from "../time.ts";
import { findOwner } from "../tools.ts";
import { fieldPlace, inQuotes, key } from "../view.ts";
import { choose } from "./chosen-incident.ts";
import { directionsOf } from "./direction.ts";
import { glossaryRow } from "./texts.ts";

/** The instant that a question about an owner or a dependency speaks of. */
export function instantAsked({ question: { window }, view }: Desk): Instant {
  if (window === null || (window.from !== null && window.from > view.now)) return view.now;
  if (window.to === view.now) return view.now;
  if (window.to > view.now) return window.moment && window.from !== null && window.from < view.now.slice(0, 10) ? window.from : view.now;
  if (!window.moment || window.from === null) return before(window.to);
  return new Date((Date.parse(window.from) + Date.parse(window.to)) / 2).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** Who owns what is asked about; what somebody owns; nothing said where nothing is recorded. */
export async function owner(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const services = /\bown\w* (?:of )?(?:those|them|these|each|everything|all|whatever|what)\b|\btheir owners?\b/.test(question.masked)
    ? neighbours(desk)
    : subjects(question);
  const at = instantAsked(desk);
  if (services.length === 0) {
    const holders = [...question.people, ...question.teams, ...ambiguousPeople(desk)];
    for (const { name, nodes } of question.ambiguous) {
      const people = nodes.filter(({ kind }) => kind === "engineer");
      if (people.length < 2) continue;
      const places = people.flatMap((one) => {
        const edges = view.edges(one.id, ["owns"], "out", null);
        return edges.length > 0 ? evidenceOf(edges, 1) : one.spans.slice(0, 1);
      });
      sheet.say(
        `The name "${name}" may mean ${listed(
          people.map(({ label }) => label),
          "or",
        )}.`,
        places,
        0,
        0.9,
      );
    }
    for (const holder of holders) owned(desk, holder, at);
    for (const ticket of question.tickets) assignee(desk, ticket);
    if (sheet.empty) await ownersOfTerm(desk, at);
    if (sheet.empty && holders.length === 0) await ownersOfTrouble(desk);
    if (sheet.empty) {
      sheet.nothing(`owner of ${question.unknown[0] ?? "what the question names"}`);
      sheet.conclusive = true;
    }
    return;
  }
  if (services.length > 1 && question.services.length === 0) {
    sheet.notes.push(
      `the name may mean ${listed(
        services.map(({ label }) => label),
        "or",
      )}`,
    );
  }
  accordingTo(desk, services);
  const wantsTeam = /\bteams?\b/.test(question.masked) && !/\bwho\b/.test(question.masked);
  for (const service of services) {
    const found = await calls.run(findOwner, { service: service.id, at });
    if (found?.value == null) continue;
    const { former } = found.value;
    const owners = found.value.owners.filter(({ node }) => leavesIn(question, node.id));
    sayWhether(desk, service, owners, former, at);
    if (owners.length === 0 && found.value.owners.length > 0) {
      const others = listed(found.value.owners.map(({ node }) => view.name(node)));
      sheet.say(
        `Nobody is recorded to own ${service.label} besides ${others}.`,
        evidenceOf(found.value.owners.map(({ edge }) => edge)),
        0,
        0.8,
      );
      continue;
    }
    const engineers = owners.filter(({ node }) => node.kind === "engineer");
    const teams = owners.filter(({ node }) => node.kind === "team");
    const [first, second] = wantsTeam ? [teams, engineers] : [engineers, teams];
    for (const one of first) sheet.say(sentence(desk, one, service, at), evidenceOf([one.edge]), 0, one.edge.confidence);
    for (const one of second)
      sheet.say(sentence(desk, one, service, at), evidenceOf([one.edge]), first.length === 0 ? 0 : 1, one.edge.confidence);
    if (engineers.length > 1)
      sheet.notes.push(`sources name several owners of ${service.label}: ${listed(engineers.map(({ node }) => node.label))}`);
    if (owners.length > 0) continue;
    const [next] = [...former].sort((a, b) => a.edge.validFrom.localeCompare(b.edge.validFrom)).filter(({ edge }) => edge.validFrom > at);
    if (next !== undefined) {
      sheet.say(
        `The first recorded owner of ${service.label} is ${view.name(next.node)}, since ${spoken(next.edge.validFrom)}.`,
        evidenceOf([next.edge]),
        0,
        0.7,
      );
    } else {
      sheet.nothing(`owner of ${service.label}`, at === view.now ? null : `at ${spoken(at)}`);
      sheet.conclusive = true;
    }
  }
}

/** The services beside the one that is named: "what depends on it, and who owns those?" */
function neighbours({ question, view }: Desk): readonly GraphNode[] {
  const [direction] = directionsOf(question.masked);
  const found = subjects(question).flatMap(({ id }) => dependenciesOf(view, id, direction ?? "downstream", 1));
  return found.length === 0 ? subjects(question) : found.map(({ node }) => node).slice(0, 6);
}

const termPlace =
  /\b(?:owns?|owner of|maintains?|looks? after|takes? care of|responsible for|in charge of|call about|ask about|page for) (?:the )?([a-z][a-z -]{2,30}?)[?.! ]*$/;

/** "Who owns the gateway?", where no service is called so: what the glossary means by it, and who owns that. */
async function ownersOfTerm({ question, view, calls, sheet }: Desk, at: Instant): Promise<void> {
  const term = termPlace.exec(question.masked)?.[1];
  const row = term === undefined ? null : glossaryRow(view, term);
  if (row === null) return;
  const meant = view.graph.mentions(row.text).flatMap(({ resolution }) => (resolution.type === "one" ? [resolution.node] : []));
  const services = meant.filter(({ kind }, index) => kind === "service" && meant.findIndex(({ id }) => id === meant[index]?.id) === index);
  if (services.length === 0) return;
  sheet.say(`${capital(row.term)}: ${row.text.replace(/[.\s]+$/, "")}.`, [row.span], 0, 0.9, "quote");
  for (const service of services.slice(0, 3)) {
    const found = await calls.run(findOwner, { service: service.id, at });
    const owners = found?.value?.owners ?? [];
    const engineers = owners.filter(({ node }) => node.kind === "engineer");
    for (const { node, edge } of engineers.length > 0 ? engineers : owners)
      sheet.say(`${capital(view.name(node))} owns ${service.label}.`, evidenceOf([edge]), 0, edge.confidence);
  }
}

/** "The orders page is down, who do I call?": whoever owns what the incident that fits affects. */
async function ownersOfTrouble(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  if (
    question.topic.length === 0 ||
    !/\bwho (?:should|must|can|could|has to|ought to) (?:fix|look|handle|take|repair|solve)\b|\b(?:down|broken|fail\w*|slow|dead|gone|errors?|5\d\ds?|unreachable|stuck|crash\w*|tim(?:e|es|ed|ing) ?outs?)\b|n't\b/.test(
      question.masked,
    )
  )
    return;
  for (const incident of (await choose(desk)).filter(({ state }) => state.open !== false).slice(0, 1)) {
    for (const { target, evidence } of incident.affects) {
      const engineers = view.edges(target, ["owns"], "in").filter(({ source }) => source.startsWith("engineer:"));
      for (const edge of engineers)
        sheet.say(
          `${view.nameOf(edge.source)} owns ${view.nameOf(target)}, which ${view.name(incident.node)} affects.`,
          [...evidenceOf([edge], 1), ...evidence.slice(0, 1).map(({ span }) => span)],
          0,
          0.85,
        );
    }
  }
}

/** "Does Jo own X?": yes, no longer, or nobody says so; before who does. */
function sayWhether(desk: Desk, service: GraphNode, owners: readonly Owner[], former: readonly Owner[], at: Instant): void {
  const { question, view, sheet } = desk;
  if (!/^(?:is|was|does|did|do|are)\b/.test(question.masked)) return;
  const ofThen = /^(?:did|was|were)\b/.test(question.masked);
  // "did A own it before B": asked is only of A
  const asked = /\b(?:before|after|until) ⟨(?:person|team)⟩/.test(question.masked)
    ? question.people.slice(0, 1)
    : [...question.people, ...question.teams];
  for (const one of asked) {
    const now = owners.find(({ node }) => node.id === one.id);
    const past = former.find(({ node }) => node.id === one.id);
    const name = capital(view.name(one));
    if (now !== undefined) sheet.say(`Yes: ${sentence(desk, now, service, at)}`, evidenceOf([now.edge]), 0, now.edge.confidence);
    else if (past?.edge.validTo != null)
      sheet.say(
        `${ofThen ? "Yes" : "No"}: ${name} owned ${service.label} until ${spoken(past.edge.validTo)}.`,
        evidenceOf([past.edge]),
        0,
        past.edge.confidence,
      );
    else if (owners.length > 0)
      sheet.say(
        `Nothing recorded says that ${name} owns ${service.label}.`,
        evidenceOf(
          owners.slice(0, 1).map(({ edge }) => edge),
          1,
        ),
        0,
        0.7,
      );
  }
}

/** "Who owns X according to TICKET": whether that record itself says so. */
function accordingTo({ question, view, sheet }: Desk, services: readonly GraphNode[]): void {
  if (!/\baccording to\b|\bdoes ⟨(?:ticket|doc)⟩ (?:say|state|claim)/.test(question.masked)) return;
  for (const node of [...question.tickets, ...question.docs]) {
    const record = view.recordOf(node);
    if (record === null) continue;
    for (const service of services) {
      const stated = view
        .edges(service.id, ["owns"], "in", null)
        .flatMap((edge) => edge.evidence.filter(({ span }) => span.record === record.id).map(({ span }) => ({ edge, span })));
      for (const { edge, span } of stated)
        sheet.say(
          `According to ${node.kind === "ticket" ? key(node) : view.name(node)}, ${view.nameOf(edge.source)} owns ${service.label}.`,
          [span],
          0,
          0.85,
        );
      if (stated.length > 0) continue;
      sheet.say(
        `${node.kind === "ticket" ? key(node) : view.name(node)} states no owner of ${service.label}.`,
        [fieldPlace(record, labels.key, labels.status)],
        1,
        0.8,
      );
    }
  }
}

/** Who owned a service before and since when it is another's. */
export async function handover(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  if (subjects(question).length === 0 && !/\bown/.test(question.masked)) {
    sheet.nothing("a change of owner");
    sheet.conclusive = true;
    return;
  }
  const at = instantAsked(desk);
  if (at !== view.now && !/\bchange|\bhand|\btook|\bwhen\b/.test(question.masked)) return owner(desk);
  const services = subjects(question);
  if (services.length === 0) return owner(desk);
  for (const service of services) {
    const found = await calls.run(findOwner, { service: service.id, at: null });
    if (found?.value == null) continue;
    const all = [...found.value.owners, ...found.value.former];
    const engineers = all.some(({ node }) => node.kind === "engineer") ? all.filter(({ node }) => node.kind === "engineer") : all;
    const former = engineers
      .filter(({ edge }) => edge.validTo !== null)
      .sort((a, b) => (b.edge.validTo ?? "").localeCompare(a.edge.validTo ?? ""));
    const current = engineers.filter(({ edge }) => edge.validTo === null);
    for (const one of former) {
      const until = one.edge.validTo ?? "";
      const next = current.find(({ edge }) => edge.validFrom >= until.slice(0, 10)) ?? (former.length === 1 ? current[0] : undefined);
      sheet.say(
        `${view.name(one.node)} owned ${service.label} until ${spoken(until)}.`,
        evidenceOf([one.edge, ...(next === undefined ? [] : [next.edge])], 3),
        0,
        one.edge.confidence,
      );
    }
    for (const one of current) {
      const unknownSince = former.length === 0 && /\bwhen\b|\bhow long\b/.test(question.masked) ? "; since when is not recorded" : "";
      const since = former.length === 0 ? "" : ` since ${spoken(one.edge.validFrom)}`;
      sheet.say(
        `${view.name(one.node)} ${former.length === 0 ? "owns" : "has owned"} ${service.label}${since}${saying(desk, one)}${unknownSince}.`,
        told(desk, one),
        0,
        one.edge.confidence,
      );
      if (former.length === 0) sheet.nothing(`former owner of ${service.label}`);
    }
    if (engineers.length === 0) {
      sheet.nothing(`owner of ${service.label}`);
      sheet.conclusive = true;
    }
  }
}

function sentence({ view }: Desk, { node, edge }: Owner, service: GraphNode, at: Instant): string {
  const name = node.kind === "team" ? view.name(node).replace(/^team /, "Team ") : view.name(node);
  const old = outdated(view, edge);
  if (old !== null && at === view.now)
    return `An outdated page, ${inQuotes(old, 100)}, names ${name} as the owner of ${service.label}; nothing newer does.`;
  if (at === view.now) return `${name} owns ${service.label}.`;
  const until = edge.validTo === null ? "" : `, until ${spoken(edge.validTo)}`;
  return `${name} owned ${service.label} on ${at.slice(0, 10)}${until}.`;
}

/** The title of the page, when all that states an edge calls itself outdated. */
function outdated(view: Desk["view"], edge: Owner["edge"]): string | null {
  const titles = edge.evidence.map(({ span }) => view.records.get(span.record)?.title ?? "");
  return titles.length > 0 &&
    titles.every((title) => /\b(?:outdated|obsolete|deprecated|archived?|superseded|historic(?:al)?|no longer maintained)\b/i.test(title))
    ? (titles[0] ?? null)
    : null;
}

function owned({ view, sheet }: Desk, holder: GraphNode, at: Instant): void {
  const all = ownedBy(view, holder.id, at);
  if (all.length === 0) {
    sheet.nothing(`services owned by ${holder.label}`);
    return;
  }
  for (const { spans, owners } of byRecord(all)) {
    sheet.say(
      `${view.name(holder)} ${at === view.now ? "owns" : `owned on ${at.slice(0, 10)}:`} ${listed(owners.map(({ node }) => node.label))}.`,
      spans,
      0,
      0.9,
    );
  }
}

/** Groups edges by the one record that states most of them, so that a sentence is shown whole by its citation. */
function byRecord(owners: readonly Owner[]): { readonly owners: readonly Owner[]; readonly spans: ReturnType<typeof evidenceOf> }[] {
  const left = new Set(owners);
  const groups: { owners: Owner[]; spans: ReturnType<typeof evidenceOf> }[] = [];
  while (left.size > 0) {
    const counts = new Map<string, Owner[]>();
    for (const one of left)
      for (const { span } of one.edge.evidence)
        counts.set(span.record, [...(counts.get(span.record) ?? []).filter((other) => other !== one), one]);
    const [record, group] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? [];
    if (record === undefined || group === undefined) break;
    for (const one of group) left.delete(one);
    const other = [...counts].find(([id, also]) => id !== record && also.length === group.length)?.[0];
    groups.push({
      owners: group,
      spans: [
        ...placesIn(group, record).slice(0, 1),
        ...(other === undefined ? [] : placesIn(group, other).slice(0, 1)),
        ...placesIn(group, record).slice(1),
      ],
    });
  }
  return groups;
}

function placesIn(owners: readonly Owner[], record: string): ReturnType<typeof evidenceOf> {
  return owners.flatMap(({ edge }) => edge.evidence.filter(({ span }) => span.record === record).slice(0, 1)).map(({ span }) => span);
}

function assignee({ view, sheet }: Desk, ticket: GraphNode): void {
  const { assignee: assigned } = ticket.attributes;
  const record = view.recordOf(ticket);
  if (assigned !== undefined && record !== null) {
    sheet.say(`${view.nameOf(assigned)} is assigned to ${view.name(ticket)}.`, [fieldPlace(record, labels.assignee)], 0, 0.9);
  }
  for (const { node, edge } of edgesWith(view, ticket.id, ["affects"], "out")) {
    for (const one of view.edges(node.id, ["owns"], "in")) {
      sheet.say(`${view.nameOf(one.source)} owns ${node.label}, which ${view.name(ticket)} affects.`, evidenceOf([one, edge]), 1, 0.9);
    }
  }
}

function ambiguousPeople({ question }: Desk): readonly GraphNode[] {
  return question.ambiguous.filter(({ nodes }) => nodes[0]?.kind === "engineer").flatMap(({ nodes }) => nodes);
}

/** The ticket or commit that states a change of owner, in words. */
function saying({ view }: Desk, { edge }: Owner): string {
  for (const { span } of edge.evidence) {
    const record = view.records.get(span.record);
    if (record?.kind !== "ticket" && record?.kind !== "commit" && record?.kind !== "issue") continue;
    for (const id of view.graph.nodesOfRecord(record.id)) {
      const node = view.graph.node(id);
      if (node !== null && (node.kind === "ticket" || node.kind === "commit") && view.recordOf(node)?.id === record.id)
        return `, as ${view.name(node)} says`;
    }
  }
  return "";
}

function told({ view }: Desk, { edge }: Owner): ReturnType<typeof evidenceOf> {
  const stated = edge.evidence.filter(({ span }) => ["ticket", "commit", "issue"].includes(view.records.get(span.record)?.kind ?? ""));
  const rest = edge.evidence.filter((one) => !stated.includes(one));
  return [...stated.slice(0, 2), ...rest].slice(0, 3).map(({ span }) => span);
}

function before(at: Instant): Instant {
  return new Date(Date.parse(at) - 1000).toISOString().replace(/\.\d{3}Z$/, "Z");
}
