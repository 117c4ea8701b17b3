import { fieldSpan } from "../../core/body.ts";
import type { NodeId } from "../../core/fact.ts";
import { labels } from "../../core/labels.ts";
import type { RecordId, SourceRecord, Span } from "../../core/record.ts";
import { terms } from "../../core/words.ts";
import { capital, type Desk, subjects } from "../desk.ts";
import { type Change, changeOf } from "../lookups.ts";
import { isWithin, spoken } from "../time.ts";
import { fieldPlace, headSpan, inQuotes, type View } from "../view.ts";
import { changeSentence, commitSpans } from "./changes.ts";
import { describe } from "./tickets.ts";

const numbered = /\bpull requests? #?(\d{1,6})\b/g;

/** The numbers of pull requests that a question names. */
export function pullNumbers(masked: string): readonly number[] {
  return [...masked.matchAll(numbered)].map((match) => Number(match[1]));
}

/** What one pull request is: its state, who opened it, what it was merged as, and what is asked for. */
export async function pull(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const { masked } = question;
  for (const number of pullNumbers(masked)) {
    const records = recordsOf(view, number);
    for (const record of records) sayPull(desk, record, number);
    // a flat record says nothing of its state; the commit that it was merged as does
    if (records.length > 0 && !(sheet.empty && records.every(({ fields }) => fields.status === undefined))) continue;
    const commits = question.attribute === null ? mergedAs(view, number) : [];
    for (const change of commits) sheet.say(changeSentence(view, change), commitSpans(view, change), 0, 0.9);
    if (commits.length > 0 || records.length > 0) continue;
    sheet.nothing(`pull request #${number}`);
    sheet.conclusive = true;
  }
}

function sayPull({ question, view, sheet, ...rest }: Desk, record: SourceRecord, number: number): void {
  const { masked } = question;
  const name = `pull request #${number} (${inQuotes(record.title, 120).slice(1, -1)})`;
  const place = (label: string): readonly Span[] => [fieldPlace(record, label)];
  if (/\breview|\bapprov/.test(masked)) {
    const found = fieldSpan(record, labels.reviewers);
    if (found !== null)
      sheet.say(`${capital(name)} names as ${record.body.slice(found.start, found.end).toLowerCase()}.`, place(labels.reviewers), 0, 0.9);
    else {
      sheet.nothing(`reviewers of pull request #${number}`);
      sheet.conclusive = true;
    }
    return;
  }
  const by = record.author?.name ?? record.author?.login ?? null;
  if (by !== null && /\bwho\b(?! merged)|\bauthor|\bwhose\b/.test(masked))
    sheet.say(`${by} opened ${name}.`, [...place(labels.author), headSpan(record)], 0, 0.95);
  const { mergeSha, mergedAt, status } = record.fields;
  const commit = mergeSha === undefined ? null : view.graph.resolve(mergeSha, "commit");
  if (mergeSha !== undefined && mergedAt !== undefined && mergedAt <= view.now) {
    const as = commit?.type === "one" ? view.name(commit.node) : `commit ${mergeSha.slice(0, 9)}`;
    sheet.say(
      `${capital(name)} was merged as ${as} on ${spoken(mergedAt)}.`,
      [...place(labels.mergeCommit), ...place(labels.merged)],
      0,
      0.95,
    );
    if (commit?.type === "one") {
      const change = changeOf(view, commit.node);
      if (change.services.length > 0) sheet.say(changeSentence(view, change), commitSpans(view, change), 1, 0.95);
    }
  } else if (status !== undefined && record.updatedAt <= view.now) {
    sheet.say(`${capital(name)}${by === null ? "" : ` by ${by}`} is ${status}.`, place(labels.status), 0, 0.9);
  }
  if (!/\bwho\b|\bwhen\b|\bwhich commit\b|\bmerged\b/.test(masked)) describe({ question, view, sheet, ...rest }, record);
}

/** Pull requests looked through for those that are asked for. */
const MOST_LOOKED_THROUGH = 500;
const MOST_LISTED = 12;

/** Pull requests of everybody or of one person, of all services or of one, open or merged, newest first. */
export async function pulls(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const { masked, window, people } = question;
  const services = subjects(question);
  const wanted = /\b(?:open|unmerged|pending)\b/.test(masked) ? "open" : /\bmerged\b/.test(masked) ? "merged" : null;
  const all = allPulls(view).filter(
    (record) =>
      (people.length === 0 || people.some(({ id }) => id === authorOf(view, record))) &&
      (services.length === 0 || services.some(({ id }) => servicesOf(view, record).includes(id))),
  );
  const fitting = all.filter(
    (record) =>
      (wanted === null || stateOf(view, record) === wanted) &&
      (window === null || isWithin((wanted === "merged" ? record.fields.mergedAt : null) ?? record.createdAt ?? record.updatedAt, window)),
  );
  if (/\bhow many\b/.test(masked) && fitting.length > 0)
    sheet.say(
      `${fitting.length} ${wanted === null ? "" : `${wanted} `}pull request${fitting.length === 1 ? " is" : "s are"} recorded.`,
      fitting.slice(0, 3).map((record) => fieldPlace(record, labels.status)),
      0,
      0.9,
    );
  for (const record of fitting.slice(0, MOST_LISTED)) sayState(desk, record);
  if (fitting.length > 0) return;
  sheet.nothing(`${wanted === null ? "" : `${wanted} `}pull requests`, window?.text ?? null);
  sheet.conclusive = true;
}

function sayState({ view, sheet }: Desk, record: SourceRecord): void {
  const by = record.author?.name ?? record.author?.login ?? null;
  const state = stateOf(view, record);
  const { mergedAt } = record.fields;
  const on = state === "merged" && mergedAt !== undefined ? ` on ${spoken(mergedAt)}` : "";
  sheet.say(
    `Pull request #${record.fields.number} (${inQuotes(record.title, 120).slice(1, -1)})${by === null ? "" : ` by ${by}`} ${state === "merged" ? "was" : "is"} ${state}${on}.`,
    [fieldPlace(record, labels.status), headSpan(record)],
    0,
    0.9,
  );
}

/** As it was known at the instant of the view. */
function stateOf(view: View, { fields }: SourceRecord): string {
  if (fields.mergedAt !== undefined) return fields.mergedAt <= view.now ? "merged" : "open";
  return fields.status ?? "recorded";
}

function allPulls(view: View): readonly SourceRecord[] {
  const ids = new Set(
    view.chunks
      .matchWords(terms("pull request status repository"), MOST_LOOKED_THROUGH, { kinds: ["pull"] })
      .flatMap(({ chunkId }) => view.chunks.get(chunkId)?.span.record ?? []),
  );
  return [...ids]
    .flatMap((id) => view.records.get(id) ?? [])
    .filter(({ fields, createdAt, updatedAt }) => fields.number !== undefined && (createdAt ?? updatedAt) <= view.now)
    .sort((a, b) => (b.createdAt ?? b.updatedAt).localeCompare(a.createdAt ?? a.updatedAt));
}

function authorOf(view: View, { author }: SourceRecord): NodeId | null {
  for (const name of [author?.login, author?.name]) {
    const found = name === undefined ? null : view.graph.resolve(name, "engineer");
    if (found?.type === "one") return found.node.id;
  }
  return null;
}

/** What its merge changed, or what its title names. */
function servicesOf(view: View, { title, fields }: SourceRecord): readonly NodeId[] {
  const commit = fields.mergeSha === undefined ? null : view.graph.resolve(fields.mergeSha, "commit");
  const modified = commit?.type === "one" ? changeOf(view, commit.node).services : [];
  const named = view.graph.mentions(title).flatMap(({ resolution }) => (resolution.type === "one" ? [resolution.node.id] : []));
  return [...modified, ...named];
}

function recordsOf(view: View, number: number): readonly SourceRecord[] {
  const ids = new Set<RecordId>();
  for (const { chunkId } of view.chunks.matchIdentifiers([`#${number}`], 60, {})) {
    const chunk = view.chunks.get(chunkId);
    if (chunk?.kind === "pull") ids.add(chunk.span.record);
  }
  return [...ids].flatMap((id) => {
    const record = view.records.get(id);
    return record?.fields.number === number && (record.createdAt ?? record.updatedAt) <= view.now ? [record] : [];
  });
}

/** Commits whose subject ends with the number, as a merge writes it. */
function mergedAs(view: View, number: number): readonly Change[] {
  return commitsWith(view, view.chunks.matchIdentifiers([`#${number}`], 60, {})).filter(({ node }) => node.label.endsWith(`(#${number})`));
}

/** Share of the words of a question that a commit's subject must hold. */
const LEAST_SHARE = 0.6;

/** Which change brought something in: the commits whose subject says so, of the service that is named. */
export async function introduced(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const topic = question.topic.filter(
    (word) => !terms("introduced added brought implemented removed dropped renamed created feature").includes(word),
  );
  const services = subjects(question);
  const wanted = [...topic, ...services.flatMap(({ label }) => terms(label))];
  const scored = commitsWith(view, view.chunks.matchWords(wanted, 80, {})).flatMap((change) => {
    if (change.at > view.now) return [];
    const held = new Set(terms(change.node.label));
    const share = topic.filter((word) => held.has(word)).length / Math.max(1, topic.length);
    const fits =
      services.length === 0 ||
      services.some(({ id, label }) => change.services.includes(id) || terms(label).every((word) => held.has(word)));
    return fits && share >= LEAST_SHARE ? [{ change, share }] : [];
  });
  const most = Math.max(0, ...scored.map(({ share }) => share));
  for (const { change } of scored.filter(({ share }) => share === most).slice(0, 3)) {
    sheet.say(changeSentence(view, change), commitSpans(view, change), 0, 0.9);
    const [, number] = / \(#(\d+)\)$/.exec(change.node.label) ?? [];
    if (number !== undefined && /\bpull request/.test(question.masked))
      sheet.say(`${capital(view.name(change.node))} came with pull request #${number}.`, commitSpans(view, change).slice(0, 1), 0, 0.95);
  }
  if (scored.length === 0) sheet.nothing("a change whose subject says so");
}

function commitsWith(view: View, hits: readonly { readonly chunkId: string }[]): readonly Change[] {
  const found = new Map<string, Change>();
  for (const { chunkId } of hits) {
    const chunk = view.chunks.get(chunkId);
    if (chunk?.kind !== "commit") continue;
    for (const id of view.graph.nodesOfRecord(chunk.span.record)) {
      const node = id.startsWith("commit:") ? view.graph.node(id) : null;
      if (node !== null && view.recordOf(node)?.id === chunk.span.record) found.set(node.id, changeOf(view, node));
    }
  }
  return [...found.values()];
}
