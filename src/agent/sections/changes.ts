import { fieldSpan } from "../../core/body.ts";
import type { GraphNode } from "../../core/graph.ts";
import { labels } from "../../core/labels.ts";
import type { Instant, SourceRecord, Span } from "../../core/record.ts";
import { terms } from "../../core/words.ts";
import { capital, type Desk, evidenceOf, leavesIn, listed, serviceFirst, subjects } from "../desk.ts";
import { asksWhatHappened } from "../intents.ts";
import { type Change, changeOf, changesIn, type Deployment, deploymentsIn, edgesWith, incidentOf, ticketsOf } from "../lookups.ts";
import { isWithin, spoken, spokenLength } from "../time.ts";
import { getRecentChanges } from "../tools.ts";
import { heldIn } from "../understood-words.ts";
import { headSpan, inQuotes, key, shortSha, type View } from "../view.ts";
import { choose } from "./chosen-incident.ts";
import { incidentSentence, incidentSpans, sentencesLike } from "./incidents.ts";
import { newOwners } from "./new-owners.ts";

/** Asks for what was taken back. */
export const takingBack = /\broll(?:ed|s|ing)?[- ]?back\b|\brollbacks?\b|\brevert/;

/** What changed, in a window or last: commits, and roll-outs where they are asked for. */
export async function changes(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const services = subjects(question);
  const { window } = question;
  const newest =
    (window === null || window.from === null) &&
    /\b(?:last|latest|newest|most recent)(?: \w+)? (?:change|commit|deploy\w*|merge|release|update|rollout|modification)\b|\b(?:deployed|changed|merged|touched|released|updated|modified|rolled out)\b.{0,30}\blast\b|\b(?:last|latest) (?:deployed|changed|merged|touched|released|updated|modified|shipped|rolled out)\b|\b(?:last|latest|most recent) (?:thing|one|commit|change)\b|\b(?:shipped|landed|committed)\b.{0,30}\blast\b|\bmost recently\b/.test(
      question.masked,
    );
  const back = takingBack.test(question.masked);
  const ever = window === null && !newest && (back || /\b(?:ever|all|history)\b/.test(question.masked));
  const wantsRollouts =
    /\bdeploy|\brelease|\broll(?:ed|s|ing)?[- ]?(?:out|back)|\brollback|\blive\b|\bshipped\b|\bwent out\b|\brevert/.test(question.masked);
  const dependencies = /\bdepend|\bor what it\b|\bneighbou?r/.test(question.masked);
  const since = (newest && window === null) || ever ? "" : (window?.from ?? (window === null ? null : ""));
  const until = window === null || window.to > view.now ? null : window.to;
  if (asksWhatHappened(question.masked)) newOwners(desk, services);
  for (const service of services.length === 0 ? [null] : services) {
    const found = await calls.run(getRecentChanges, { service: service?.id ?? null, since, until, includeDependencies: dependencies });
    if (found?.value == null) continue;
    const { from, to, before } = found.value;
    const people = question.people.map(({ id }) => id);
    const all = found.value.changes.filter(
      ({ node }) => people.length === 0 || (node.attributes.author !== undefined && people.includes(node.attributes.author)),
    );
    const leftIn = all.filter(
      ({ node, services: of }) => leavesIn(question, node.id) && (of.length === 0 || of.some((id) => leavesIn(question, id))),
    );
    const about = service === null ? nearestSubject(leftIn, question.topic) : leftIn;
    const shown = newest ? about.slice(0, 1) : about;
    const scope = service === null ? "" : ` modified ${service.label}`;
    const period = from === null ? `until ${spoken(to)}` : `between ${spoken(from)} and ${spoken(to)}`;
    const onlyBack = back && !/\broll(?:ed|s|ing)?[- ]?out\b|\bdeploy/.test(question.masked);
    if ((shown.length > 7 && !onlyBack) || (/\bhow many\b/.test(question.masked) && shown.length > 0)) {
      sheet.say(
        `${shown.length} ${shown.length === 1 ? "commit" : "commits"}${scope === "" ? (shown.length === 1 ? " was made" : " were made") : scope} ${period}, the newest ${spoken(shown[0]?.at ?? to)}.`,
        shown.slice(0, 3).flatMap((change) => commitSpans(view, change)),
        0,
        0.9,
      );
    }
    const rollouts = newest ? (wantsRollouts ? found.value.deployments.slice(0, 1) : []) : found.value.deployments;
    if (wantsRollouts) sayRollouts(desk, rollouts, 0);
    // what was taken back is told by logs, by commits that say so, and by tickets; other commits are no answer to that
    if (onlyBack) {
      if (!rollouts.some(({ rollback }) => rollback)) takenBack(desk, service, shown);
      continue;
    }
    for (const change of shown) sheet.say(changeSentence(view, change), commitSpans(view, change), 0, 0.95);
    if (!wantsRollouts && service !== null) sayRollouts(desk, rollouts.slice(0, 3), 2);
    if (shown.length > 0 || (wantsRollouts && rollouts.length > 0)) continue;
    unchanged(desk, service, from, to, before);
  }
}

/** Of all changes, those whose subject holds most of what the question is about; all of them where none holds any of it. */
function nearestSubject(changes: readonly Change[], topic: readonly string[]): readonly Change[] {
  const scored = changes.map((change) => {
    const held = new Set(terms(change.node.label));
    return { change, hits: topic.filter((word) => heldIn(held, word)).length };
  });
  const most = Math.max(0, ...scored.map(({ hits }) => hits));
  return scored.filter(({ hits }) => hits === most).map(({ change }) => change);
}

/** What was taken back, as commits call themselves and tickets tell; nothing where neither does. */
function takenBack({ question: { window }, view, sheet }: Desk, service: GraphNode | null, changes: readonly Change[]): void {
  const before = sheet.length;
  for (const change of changes.filter(({ node }) => /^revert\b|\breverts?\b/i.test(node.label)))
    sheet.say(changeSentence(view, change), commitSpans(view, change), 0, 0.95);
  for (const { node, record, state } of ticketsOf(view, service?.id ?? null)) {
    const at = state.opened;
    if (record === null || (window !== null && (at === null || !isWithin(at, window)))) continue;
    for (const { sentence, span } of sentencesLike(record, /\broll(?:ed|ing)[- ]?back\b|\breverted\b/i, 1))
      sheet.say(`${view.name(node)} says: ${inQuotes(sentence, 260)}.`, [span, ...view.spansOf(node)], 0, 0.85);
  }
  if (sheet.length > before) return;
  sheet.nothing("roll-backs", window?.text ?? null);
  sheet.conclusive = true;
}

/** "No commit modified redis …", with the newest one before, and said only as far as the source is synced. */
function unchanged(desk: Desk, service: GraphNode | null, from: Instant | null, to: Instant, before: Change | null): void {
  const { view, sheet, coverage } = desk;
  const what = service === null ? "commits" : `commits that modified ${service.label}`;
  const window = from === null ? `until ${spoken(to)}` : `from ${spoken(from)} to ${spoken(to)}`;
  sheet.nothing(what, from === null ? null : spokenLength(from, to));
  const source = coverage.find((one) => /git/i.test(one.source));
  const partial =
    source?.syncedUntil != null && source.syncedUntil < to && (from === null || source.syncedUntil > from) ? source.syncedUntil : null;
  if (source !== undefined && from !== null && (source.syncedUntil === null ? source.stale : source.syncedUntil <= from)) {
    sheet.notes.push(`${source.source} was not synced for this window, so it is unknown whether anything changed`);
    return;
  }
  if (service !== null && filesUnknown(desk, service, from, to)) return;
  const qualified = partial === null ? "" : ` (as far as ${source?.source} is synced, until ${spoken(partial)})`;
  if (before !== null) {
    const subject = service === null ? "No commit is recorded" : `No commit modified ${service.label}`;
    sheet.say(
      `${subject} ${window}${qualified}; the newest before that is ${view.name(before.node)}${before.author === null ? "" : ` by ${before.author}`} of ${spoken(before.at)}.`,
      commitSpans(view, before),
      0,
      partial === null ? 0.9 : 0.7,
    );
    return;
  }
  if (service === null) return;
  const known = view.edges(service.id, ["owns", "affects", "depends_on"], "both");
  const places = known.length > 0 ? evidenceOf(known, 1) : service.spans.slice(0, 1);
  sheet.say(`No commit that modified ${service.label} is recorded ${window}${qualified}.`, places, 0, 0.7);
}

/**
 * Where commits of the window came without their changed files, nobody can say that none of them touched the service: those that
 * name it are listed, and that is all that is said.
 */
function filesUnknown({ view, sheet }: Desk, service: GraphNode, from: Instant | null, to: Instant): boolean {
  const blind = changesIn(view, null, from, to).filter(
    ({ node, edges }) => edges.length === 0 && view.recordOf(node)?.fields.files === undefined,
  );
  if (blind.length === 0) return false;
  sheet.notes.push(`${blind.length} commits of the window came without their changed files`);
  for (const change of blind) {
    const named = view.graph
      .mentions(change.node.label)
      .some(({ resolution }) => resolution.type === "one" && resolution.node.id === service.id);
    if (named)
      sheet.say(
        `${changeSentence(view, change).replace(/\.$/, "")}; it names ${service.label}, but its changed files are not known.`,
        commitSpans(view, change),
        0,
        0.7,
      );
  }
  return true;
}

function sayRollouts({ question, view, sheet }: Desk, rollouts: readonly Deployment[], rank: 0 | 2): void {
  const onlyBack = takingBack.test(question.masked) && !/\brolled out\b|\bdeploy/.test(question.masked);
  for (const { log, service, revision, rollback } of rollouts) {
    if (onlyBack && !rollback) continue;
    const name = service === null ? "A service" : serviceFirst([view.nameOf(service)]);
    const commit = view.graph.resolve(revision, "commit");
    const spans: Span[] = [headSpan(log.record)];
    const by = actorOf(view, log.record);
    const subject = commit.type === "one" ? view.name(commit.node) : `revision ${revision}`;
    sheet.say(
      `${name} was ${rollback ? "rolled back to" : "rolled out with"} ${subject} on ${spoken(log.at)}${by === null ? "" : ` by ${by}`}.`,
      spans,
      rank,
      0.9,
    );
  }
}

/** Who rolled it out, as the line says: "actor=jdoe"; a login that means one person is that person. */
function actorOf(view: View, record: SourceRecord): string | null {
  const login = /\b(?:actor|user|deployed_?by|triggered_?by|by)[=:]\s?"?@?([\w.-]{2,40})/i.exec(record.body)?.[1];
  if (login === undefined) return null;
  const found = view.graph.resolve(login, "engineer");
  return found.type === "one" ? found.node.label : login;
}

/** The commits that take this one back, as their messages say: "This reverts commit <sha>." */
function sayReverts({ view, sheet }: Desk, node: GraphNode): boolean {
  let found = false;
  for (const { chunkId } of view.chunks.matchWords(["revert"], 60, {})) {
    const chunk = view.chunks.get(chunkId);
    const match = chunk?.kind === "commit" ? /\brevert(?:s|ed|ing)? (?:commit )?([0-9a-f]{6,40})\b/i.exec(chunk.text) : null;
    if (chunk === null || match?.[1] === undefined || !key(node).startsWith(match[1].toLowerCase())) continue;
    const own = view.graph
      .nodesOfRecord(chunk.span.record)
      .map((id) => view.graph.node(id))
      .find((one) => one?.kind === "commit" && view.recordOf(one)?.id === chunk.span.record);
    if (own == null || own.id === node.id) continue;
    const start = chunk.span.start + match.index;
    const change = changeOf(view, own);
    sheet.say(changeSentence(view, change), commitSpans(view, change), 0, 0.95);
    const end = start + match[0].length;
    sheet.say(`Its message says: ${inQuotes(match[0], 80)}.`, [{ record: chunk.span.record, start, end }], 0, 0.95, "quote");
    found = true;
  }
  return found;
}

/** What one commit did: who, when, which services, which tickets it fixes or caused, where it was rolled out. */
export async function commit(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  for (const node of question.commits) {
    const change = changeOf(view, node);
    const record = view.recordOf(node);
    if (record === null) {
      sheet.nothing(`commit ${key(node)}`);
      mentioned(desk, node);
      continue;
    }
    if (/\brevert|\bundid\b|\bundone\b|\bundo\b|\brolled back\b|\bbacked out\b/.test(question.masked)) {
      if (!sayReverts(desk, node) && !sayRollbackOf(desk, change)) {
        sheet.nothing(`reverts of commit ${shortSha(node)}`);
        sheet.conclusive = true;
      }
      continue;
    }
    sheet.say(changeSentence(view, change), commitSpans(view, change), 0, 0.95);
    sayFixes(desk, node, 0);
    sayCaused(desk, node, 0);
    const rollouts = view
      .logs()
      .filter(
        ({ record: log, at }) =>
          log.fields.revision !== undefined && at <= view.now && key(node).startsWith(log.fields.revision.toLowerCase()),
      );
    sayRollouts(
      desk,
      rollouts.map((log) => ({
        log,
        service: log.service,
        revision: log.record.fields.revision ?? "",
        rollback: /\brolled? ?back|\brollback/i.test(log.record.title),
      })),
      2,
    );
    const files = fieldSpan(record, labels.changedFiles);
    if (/\bfiles?\b|\bpaths?\b/.test(question.masked) && files !== null) {
      sheet.say(`${record.body.slice(files.start, files.end).slice(0, 400)}.`, [{ record: record.id, ...files }], 0, 0.95, "quote");
    }
  }
}

/** A roll-back of a service that a commit modified, after the commit was made. */
function sayRollbackOf(desk: Desk, { at, services }: Change): boolean {
  const back = deploymentsIn(desk.view, services, at, desk.view.now).filter(({ rollback }) => rollback);
  sayRollouts(desk, back.slice(0, 2), 0);
  return back.length > 0;
}

export async function author(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  for (const node of question.commits) {
    const name = view.authorOf(node);
    const record = view.recordOf(node);
    if (name === null || record === null) {
      sheet.nothing(`author of commit ${key(node)}`);
      sheet.conclusive = true;
      continue;
    }
    const at = node.attributes.at ?? record.createdAt ?? record.updatedAt;
    sheet.say(`${name} wrote ${view.name(node)} on ${spoken(at)}.`, [...authorSpans(view, node), headSpan(record)], 0, 0.95);
  }
}

/** Which commits fixed a ticket. */
export async function fix(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const tickets = question.tickets.length > 0 ? question.tickets : (await choose(desk)).map(({ node }) => node);
  if (question.tickets.length === 0 && !tickets.some((ticket) => edgesWith(view, ticket.id, ["fixes"], "in").length > 0)) {
    if (sayFixing(desk)) return;
  }
  for (const ticket of tickets) {
    const commits = edgesWith(view, ticket.id, ["fixes"], "in");
    for (const { node, edge } of commits) {
      const by = view.authorOf(node);
      const at = node.attributes.at;
      sheet.say(
        `${capital(view.name(node))}${by === null ? "" : ` by ${by}`} fixed ${view.name(ticket)}${at === undefined ? "" : ` on ${spoken(at)}`}.`,
        [...evidenceOf([edge], 2), ...commitSpans(view, changeOf(view, node)).slice(0, 1)],
        0,
        edge.confidence,
      );
    }
    const { open, reopened, status } = view.stateOf(ticket);
    if (commits.length > 0 && open === true) {
      sheet.say(
        `${view.name(ticket)} is open all the same${reopened === null ? "" : `: it was reopened on ${spoken(reopened)}`}${status === null ? "" : `, its status is ${status}`}.`,
        view.stateSpans(ticket),
        0,
        0.9,
      );
    }
    if (commits.length === 0) {
      sheet.nothing(`commits that fix ${key(ticket)}`);
      // asked for the fix of what is open
      if (open === true && question.tickets.length > 0 && !/^(?:which|what) (?:commit|change|pull request)\b/.test(question.masked)) {
        const one = incidentOf(view, ticket);
        sheet.say(incidentSentence(view, one), incidentSpans(view, one), 0, 0.9);
      }
      // which ticket is meant was a guess where none was named: a text may know better
      sheet.conclusive = question.tickets.length > 0;
    }
  }
}

/** Commits that call themselves a fix of what the question describes, where no ticket does; whether there were any. */
function sayFixing({ question, view, sheet }: Desk): boolean {
  const topic = question.topic.filter((word) => !terms("fix fixed bug repair pull request commit change solve").includes(word));
  if (topic.length === 0) return false;
  const services = subjects(question);
  const fixes = changesIn(view, services.length === 0 ? null : services.map(({ id }) => id), null, view.now).filter(({ node }) => {
    const held = new Set(terms(node.label));
    return /\bfix|\brepair|\bresolve/i.test(node.label) && topic.every((word) => heldIn(held, word));
  });
  for (const change of fixes.slice(0, 3)) sheet.say(changeSentence(view, change), commitSpans(view, change), 0, 0.8);
  return fixes.length > 0;
}

/** Which tickets a commit fixed, or which it caused where that is asked. */
export async function fixedBy(desk: Desk): Promise<void> {
  const { question, sheet } = desk;
  const blame = /\bcaus|\bbroke|\bbreak|\bintroduc|\btrigger|\bblame/.test(question.masked);
  for (const node of question.commits) {
    const before = sheet.length;
    if (blame) sayCaused(desk, node, 0);
    else sayFixes(desk, node, 0);
    if (sheet.length > before || (blame && suspected(desk, node))) continue;
    sheet.nothing(`tickets that commit ${shortSha(node)} ${blame ? "caused" : "fixed"}`);
    sheet.conclusive = true;
  }
}

/** What tickets say of a commit that no edge calls a cause: a suspicion, in their own words. */
function suspected({ view, sheet }: Desk, node: GraphNode): boolean {
  let found = false;
  for (const { node: ticket, record } of ticketsOf(view, null)) {
    for (const { sentence, span } of record === null ? [] : sentencesLike(record, /\b[0-9a-f]{7,40}\b/i)) {
      if (!(sentence.match(/\b[0-9a-f]{7,40}\b/gi) ?? []).some((sha) => key(node).startsWith(sha.toLowerCase()))) continue;
      sheet.say(`${view.name(ticket)} says: ${inQuotes(sentence, 260)}.`, [span, ...view.spansOf(ticket)], 0, 0.8);
      found = true;
    }
  }
  return found;
}

function sayFixes({ view, sheet }: Desk, node: GraphNode, rank: 0 | 1): void {
  for (const { node: ticket, edge } of edgesWith(view, node.id, ["fixes"], "out")) {
    // the ticket's own words first: they are what a reader wants to see
    const spans = [...evidenceOf([edge], 3)].sort((a, b) => Number(isOf(view, b, ticket)) - Number(isOf(view, a, ticket)));
    sheet.say(
      `${capital(view.name(node))} fixed ${view.name(ticket)}.`,
      [...spans, ...view.spansOf(ticket)].slice(0, 3),
      rank,
      edge.confidence,
    );
  }
}

function sayCaused({ view, sheet }: Desk, node: GraphNode, rank: 0 | 1): void {
  for (const { node: ticket, edge } of edgesWith(view, node.id, ["caused_by"], "in")) {
    if (ticket.kind !== "ticket") continue;
    sheet.say(`${view.name(ticket)} was caused by ${view.name(node)}.`, evidenceOf([edge]), rank, edge.confidence);
  }
}

/** A sha that is only mentioned: what is said of it, though its commit is not indexed. */
function mentioned(desk: Desk, node: GraphNode): void {
  sayFixes(desk, node, 0);
  sayCaused(desk, node, 0);
}

export function changeSentence(view: View, { node, at, author: by, services }: Change): string {
  const names = services.map((id) => view.nameOf(id));
  const did = names.length === 0 ? "was made" : `modified ${listed(names)}`;
  return `${capital(view.name(node))}${by === null ? "" : ` by ${by}`} ${did} on ${spoken(at)}.`;
}

/** Subject, changed files, author and date of a commit. */
export function commitSpans(view: View, { node, edges }: Change): readonly Span[] {
  const record = view.recordOf(node);
  const places = record === null ? node.spans.slice(0, 1) : [headSpan(record)];
  return [...places, ...evidenceOf(edges.slice(0, 1), 1), ...authorSpans(view, node)];
}

function authorSpans(view: View, node: GraphNode): readonly Span[] {
  const record = view.recordOf(node);
  const place = record === null ? null : fieldSpan(record, labels.author);
  return record === null || place === null ? [] : [{ record: record.id, ...place }];
}

function isOf(view: View, span: Span, node: GraphNode): boolean {
  return view.recordOf(node)?.id === span.record;
}
