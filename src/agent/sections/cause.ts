import type { NodeId } from "../../core/fact.ts";
import type { GraphEdge, GraphNode } from "../../core/graph.ts";
import type { Instant } from "../../core/record.ts";
import { HOUR } from "../dates.ts";
import { capital, type Desk, evidenceOf, listed, serviceFirst, subjects } from "../desk.ts";
import { causesOf, changeOf, type Incident, incidentOf } from "../lookups.ts";
import { type Clearance, clearancesOf } from "../ruled-out.ts";
import { firstSymptom, rankSuspects } from "../suspects.ts";
import { instant, spoken } from "../time.ts";
import { getActiveIncidents, getServiceContext, type ServiceContext } from "../tools.ts";
import { headSpan, inQuotes, key, messageOf, shortSha } from "../view.ts";
import { blameAsked } from "./blame.ts";
import { changeSentence, commitSpans } from "./changes.ts";
import { choose } from "./chosen-incident.ts";
import { incidentSentence, incidentSpans, nearestFact, none, sentencesLike } from "./incidents.ts";
import { logSentence } from "./logs.ts";
import { instantAsked } from "./owner.ts";

/** How tickets say that the cause is open, the plainest first. */
const undecided = [
  /\b(?:nothing|neither|none)(?: of [^.]{1,30})? (?:is |has been |was )?(?:proven|proved|confirmed|certain)\b|\b(?:not|un)[- ]?(?:yet )?(?:proven|proved|confirmed|known|clear)\b|\bcause (?:is )?(?:unknown|unclear|open)\b/i,
  /\bstill (?:looking|investigating|searching|digging|open)\b|\bunder investigation\b/i,
  /\bhypothes[ie]s\b|\bsuspect\w*\b/i,
];

/** How tickets tell a cause in words that name no change or service. */
const inWords = /\bturned out\b|\bbecause\b|\bdue to\b|\broot cause\b|\b(?:cause|reason) (?:is|was)\b|\bcaused by\b/i;

/** Why something is broken: the incident, its stated causes or the best suspects, who owns it, what stands behind it. */
export async function cause(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  // why somebody did something is no incident
  if (/^why (?:did|does|is|was|has|had) ⟨person⟩/.test(question.masked) && question.services.length + question.tickets.length === 0) {
    sheet.nothing("why somebody did it");
    sheet.conclusive = true;
    return;
  }
  const chosen = await choose(desk);
  const services = subjects(question);
  if (chosen.length === 0) {
    for (const service of services) await withoutIncident(desk, service);
    if (services.length === 0) {
      sheet.nothing("incidents that fit the question");
      // that something is down is for tickets to say; a text that names it would answer another question
      // that a commit was taken back is for commits to say
      sheet.conclusive =
        (question.commits.length > 0 && /\brevert|\broll(?:ed)? ?back|\bundone\b|\bbacked out\b/.test(question.masked)) ||
        /\bwhy (?:is|are|was|were) .{1,60}\b(?:down|broken|dead|failing|offline|unreachable|unavailable|on fire|crashing)\b/.test(
          question.masked,
        );
    }
    return;
  }
  for (const incident of chosen.slice(0, 2)) {
    const cleared = clearedOf(desk, incident);
    blameAsked(desk, incident, cleared);
    const causes = causesOf(view, incident.node.id).filter(({ target }) => !cleared.some(({ node }) => node === target));
    const changeAsked = /\b(?:which|what) (?:change|commit|deploy\w*|release|merge|update|pull request)\b/.test(question.masked);
    if (changeAsked && causes.length > 0 && !causes.some(({ target }) => target.startsWith("commit:")))
      sheet.say(`No commit is named as the cause of ${view.name(incident.node)}.`, incidentSpans(view, incident), 0, 0.8);
    for (const edge of causes) sayCause(desk, incident, edge);
    sheet.say(incidentSentence(view, incident), incidentSpans(view, incident), 0, 0.95);
    await context(desk, incident, causes, cleared);
  }
}

/** Is anything wrong: open incidents and what caused them. */
export async function status(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const services = subjects(question);
  const at = instantAsked(desk);
  for (const service of services.length === 0 ? [null] : services) {
    const found = await calls.run(getActiveIncidents, { service: service?.id ?? null, at: at === view.now ? null : at });
    if (found?.value == null) continue;
    const open = found.value.open.filter(({ incident, duplicateOf }) => incident && duplicateOf === null);
    if (at !== view.now && open.length === 0 && service !== null) {
      sheet.nothing(`open incidents of ${service.label}`, `at ${spoken(at)}`);
      const nearest = nearestFact(view, service);
      sheet.say(`No incident of ${service.label} was open at ${spoken(at)}; ${nearest.text}.`, nearest.spans, 0, 0.8);
      continue;
    }
    for (const incident of open.slice(0, 6)) {
      sheet.say(incidentSentence(view, incident), incidentSpans(view, incident), 0, 0.95);
      const cleared = clearedOf(desk, incident);
      for (const edge of causesOf(view, incident.node.id)) {
        if (!cleared.some(({ node }) => node === edge.target))
          sheet.say(
            `${view.name(incident.node)} was caused by ${view.nameOf(edge.target)}.`,
            evidenceOf([edge]),
            services.length > 0 ? 0 : 1,
            edge.confidence,
          );
      }
      if (service !== null && incident === open[0] && at === view.now)
        await context(desk, incident, causesOf(view, incident.node.id), cleared);
    }
    if (open.length > 0) continue;
    await calls.loadAll();
    none(desk, service, found.value, true, false);
  }
}

function sayCause({ question, view, sheet }: Desk, incident: Incident, edge: GraphEdge): void {
  const target = view.graph.node(edge.target);
  const name = view.name(incident.node);
  if (target?.kind === "commit") {
    const change = changeOf(view, target);
    const by = change.author === null ? "" : ` by ${change.author}`;
    const known = change.at === "" ? "" : ` of ${spoken(change.at)}`;
    const did = change.services.length === 0 ? "" : `, which modified ${listed(change.services.map((id) => view.nameOf(id)))}`;
    sheet.say(
      `${name} was caused by ${view.name(target)}${by}${known}${did}.`,
      [...evidenceOf([edge], 1), ...commitSpans(view, change).slice(0, 1), ...evidenceOf(change.edges, 1)],
      0,
      edge.confidence,
    );
    const [, pull] = / \(#(\d+)\)$/.exec(target.label) ?? [];
    if (pull !== undefined && /\bpull requests?\b/.test(question.masked))
      sheet.say(
        `${capital(`commit ${shortSha(target)}`)} came with pull request #${pull}.`,
        commitSpans(view, change).slice(0, 1),
        0,
        0.95,
      );
  } else if (target?.kind === "ticket") {
    const other = incidentOf(view, target);
    sheet.say(`${name} was caused by ${view.name(target)}.`, evidenceOf([edge]), 0, edge.confidence);
    if (other.record !== null) sheet.say(incidentSentence(view, other), incidentSpans(view, other), 1, 0.9);
    for (const next of causesOf(view, target.id))
      sheet.say(`${view.name(target)} in turn was caused by ${view.nameOf(next.target)}.`, evidenceOf([next]), 1, next.confidence);
  } else {
    sheet.say(`${name} was caused by ${view.nameOf(edge.target)}.`, evidenceOf([edge]), 0, edge.confidence);
  }
}

/** What belongs beside the cause: owner, what the logs blame, what was ruled out, what to do; suspects where no cause is stated. */
async function context(desk: Desk, incident: Incident, causes: readonly GraphEdge[], cleared: readonly Clearance[]): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const affected = affectedBy(desk, incident);
  const named = subjects(question).filter((service) => affected.some(({ id }) => id === service.id));
  const service = named[0] ?? affected[0];
  const found = service === undefined ? null : await calls.run(getServiceContext, { service: service.id, hops: 2 });
  const around = found?.value ?? null;
  const symptom = firstSymptom(view, incident, service?.id ?? null);
  const ranked = rankSuspects(view, incident, service ?? null, around, cleared, symptom);
  sheet.hypotheses.push(...ranked.hypotheses);
  sheet.notes.push(...ranked.notes);
  if (causes.length === 0) {
    sheet.nothing(`stated cause of ${key(incident.node)}`);
    const { record } = incident;
    const open =
      record === null ? [] : (undecided.map((pattern) => sentencesLike(record, pattern, 1)).find((found) => found.length > 0) ?? []);
    for (const { sentence, span } of open)
      sheet.say(`No cause of ${view.name(incident.node)} is proven; the ticket says: ${inQuotes(sentence, 260)}.`, [span], 0, 0.85);
    const told = record === null || open.length > 0 ? [] : sentencesLike(record, inWords, 1);
    for (const { sentence, span } of told)
      sheet.say(`${view.name(incident.node)} says: ${inQuotes(sentence, 260)}.`, [span, ...view.spansOf(incident.node)], 0, 0.85);
    if (open.length + told.length === 0)
      sheet.say(`No cause of ${view.name(incident.node)} is recorded.`, incidentSpans(view, incident), 0, 0.75);
    const suspect = ranked.suspect;
    if (suspect !== null && incident.state.open !== false)
      sheet.say(`A suspect, not proven: ${changeSentence(view, suspect.change)}`, commitSpans(view, suspect.change), 2, 0.6);
  }
  if (around !== null && service !== undefined) behind(desk, incident, around, causes, cleared, symptom);
  const remedies = causes.flatMap(({ target }) => (target.startsWith("commit:") ? (view.graph.node(target) ?? []) : []));
  for (const commit of incident.state.open === false ? [] : remedies) undo(desk, commit, symptom);
  const said = new Set(question.services.length > 1 || question.tickets.length > 0 ? question.services.map(({ id }) => id) : []);
  const others = cleared.filter(({ node }) => !affected.some(({ id }) => id === node) && !said.has(node));
  for (const sentence of [...new Set(others.map((one) => one.sentence))].slice(0, 2)) {
    const of = others.filter((one) => one.sentence === sentence);
    const names = of.map(({ node }) => view.nameOf(node));
    sheet.say(
      `${capital(key(incident.node))} rules out ${listed(names)}: ${inQuotes(sentence, 220)}.`,
      of.slice(0, 1).map(({ span }) => span),
      2,
      0.85,
    );
  }
}

/** What a ticket affects, first what its title names. */
function affectedBy({ view }: Desk, { node, affects }: Incident): readonly GraphNode[] {
  const title = node.label.toLowerCase();
  const inTitle = ({ label, aliases }: GraphNode): number => {
    const places = [label, ...aliases].map((name) => title.indexOf(name.toLowerCase())).filter((at) => at >= 0);
    return places.length === 0 ? 1_000 : Math.min(...places);
  };
  return affects.flatMap(({ target }) => view.graph.node(target) ?? []).sort((a, b) => inTitle(a) - inTitle(b));
}

/** The owner, and which dependency the logs blame. */
function behind(
  desk: Desk,
  incident: Incident,
  { service, owners, downstream, problems }: ServiceContext,
  causes: readonly GraphEdge[],
  cleared: readonly Clearance[],
  symptom: Instant | null,
): void {
  const { view, sheet } = desk;
  const engineers = owners.filter(({ node }) => node.kind === "engineer");
  for (const { node, edge } of (engineers.length > 0 ? engineers : owners).slice(0, 2))
    sheet.say(`${capital(view.name(node))} owns ${service.label}.`, evidenceOf([edge], 2), 1, edge.confidence);
  const until = incident.state.resolved ?? view.now;
  const blamed = new Set<NodeId>();
  for (const log of problems) {
    if (log.at > until || (symptom !== null && log.at < instant(Date.parse(symptom) - HOUR))) continue;
    for (const edge of causesOf(view, log.node)) {
      if (blamed.has(edge.target) || cleared.some(({ node }) => node === edge.target) || edge.target === service.id) continue;
      blamed.add(edge.target);
      const dependency = downstream.find(({ node, hop }) => node.id === edge.target && hop === 1);
      const name = view.nameOf(edge.target);
      sheet.say(
        `${dependency === undefined ? "" : `${serviceFirst([service.label])} depends on ${name}: `}${dependency === undefined ? logSentence(view, log).replace(/\.$/, `, which blames ${name}.`) : `it logged ${inQuotes(messageOf(log.record), 200)} at ${spoken(log.at)}.`}`,
        [...evidenceOf([edge], 1), ...(dependency === undefined ? [] : evidenceOf([dependency.edge], 1))],
        1,
        edge.confidence,
      );
    }
  }
  const [first] = problems.filter(({ at }) => symptom === null || at >= symptom);
  if (blamed.size === 0 && first !== undefined && first.at <= until && incident.state.open !== false)
    sheet.say(logSentence(view, first), [headSpan(first.record)], 2, 0.85);
  for (const { target } of causes) {
    for (const edge of target.startsWith("commit:") ? view.edges(target, ["modified"], "out", null) : []) {
      const dependency = downstream.find(({ node, hop }) => node.id === edge.target && hop === 1);
      if (dependency !== undefined && !blamed.has(edge.target))
        sheet.say(
          `${serviceFirst([service.label])} depends on ${dependency.node.label}.`,
          evidenceOf([dependency.edge], 2),
          1,
          dependency.edge.confidence,
        );
    }
  }
}

/** What can be done now: whether it was rolled back already, else which commit to revert. */
function undo({ view, sheet }: Desk, commit: GraphNode, symptom: Instant | null): void {
  const services = view.edges(commit.id, ["modified"], "out", null).map(({ target }) => target);
  const back = view
    .logs()
    .find(
      (log) =>
        log.at <= view.now &&
        (symptom === null || log.at >= symptom) &&
        log.service !== null &&
        services.includes(log.service) &&
        /\broll(?:ed)?[- ]?back|\brevert/i.test(log.record.body.slice(0, log.record.proseEnd)),
    );
  if (back !== undefined && back.service !== null) {
    sheet.say(
      `${serviceFirst([view.nameOf(back.service)])} was rolled back${back.record.fields.revision === undefined ? "" : ` to revision ${back.record.fields.revision}`} on ${spoken(back.at)}.`,
      [headSpan(back.record)],
      1,
      0.9,
    );
    return;
  }
  sheet.say(`What can be done now: revert commit ${shortSha(commit)}.`, view.spansOf(commit), 2, 0.8);
}

/** No incident is recorded: what the logs say, and which changes came just before. */
async function withoutIncident(desk: Desk, service: GraphNode): Promise<void> {
  const { view, calls, sheet, question } = desk;
  const found = await calls.run(getActiveIncidents, { service: service.id, at: null });
  if (found?.value == null) return;
  await calls.loadAll();
  none(desk, service, found.value, true, false);
  const around = (await calls.run(getServiceContext, { service: service.id, hops: 2 }))?.value;
  if (around == null) return;
  for (const log of around.problems.slice(-2)) sheet.say(logSentence(view, log), [headSpan(log.record)], 1, 0.85);
  const suspects = rankSuspects(view, null, service, around, [], around.problems.at(-1)?.at ?? null);
  sheet.hypotheses.push(...suspects.hypotheses);
  if (question.topic.length > 0) sheet.notes.push(`no ticket of ${service.label} speaks of ${question.topic.join(", ")}`);
}

/** What is ruled out as the cause of an incident, and is not stated as one. */
function clearedOf({ view }: Desk, { node, record }: Incident): readonly Clearance[] {
  const stated = new Set(causesOf(view, node.id).map(({ target }) => target));
  return clearancesOf(view, node, record).filter((one) => one.node !== node.id && !stated.has(one.node));
}
