import { foldIdentifier } from "../../core/identifiers.ts";
import { terms } from "../../core/words.ts";
import { type Desk, serviceFirst, subjects } from "../desk.ts";
import { asksFailedRuns } from "../intents.ts";
import { problemsOf } from "../lookups.ts";
import { instant, isWithin, spoken } from "../time.ts";
import { headSpan, inQuotes, isProblem, type LogLine, messageOf, type View } from "../view.ts";
import { sentencesLike } from "./incidents.ts";

/** Warnings and errors of a service: since when, or the latest, as the topic of the question narrows them. */
export async function logs(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const { window, masked } = question;
  if (asksFailedRuns(masked)) return failedRuns(desk);
  const to = window === null || window.to > view.now ? instant(Date.parse(view.now) + 1000) : window.to;
  if (subjects(question).length === 0) return aroundMoment(desk);
  const sinceWhen = /\bsince when\b|\bwhen did\b|\bfirst\b|\bhow long has\b|\bstart/.test(masked);
  for (const service of subjects(question)) {
    const all = problemsOf(view, service.id, window?.from ?? null, to).filter(
      ({ record }) => !/\bsucceeded\b|\brecovered\b|\bis healthy\b/i.test(record.title),
    );
    const topic = question.topic.filter(
      (word) => !/^(?:log|error|warn|except|data|first|start|begin|line|since|latest|recent|show|run|out|get)$/.test(word),
    );
    const about =
      topic.length === 0
        ? all
        : all.filter(({ record }) => {
            const held = new Set(terms(record.body.slice(0, record.proseEnd)));
            return topic.some((word) => held.has(word));
          });
    const pool = about.length > 0 ? about : sinceWhen && topic.length > 0 ? [] : all;
    if (pool.length === 0) {
      sheet.nothing(
        `warnings and errors of ${service.label}${topic.length === 0 ? "" : ` about ${topic.join(", ")}`}`,
        window?.text ?? null,
      );
      // asked of a stretch of time, nothing else tells it
      if (window !== null && /^(?:did|has|have|was|were)\b/.test(masked)) sheet.conclusive = true;
      continue;
    }
    const [first] = pool;
    if (sinceWhen && first !== undefined) {
      sheet.say(
        `${serviceFirst([service.label])} has logged ${inQuotes(messageOf(first.record), 200)} since ${spoken(first.at)}${count(first)}.`,
        [headSpan(first.record)],
        0,
        0.9,
      );
      continue;
    }
    for (const log of distinctMessages(pool).slice(0, 6)) sheet.say(logSentence(view, log), [headSpan(log.record)], 0, 0.9);
  }
}

const NEAR_MS = 5 * 60_000;

/** What any service logged within minutes of a time of day, or what went wrong in a night, the nearest of each wording; warnings and errors before the rest. */
function aroundMoment({ question: { window }, view, sheet }: Desk): void {
  if (window === null || window.from === null) return;
  const middle = (Date.parse(window.from) + Date.parse(window.to)) / 2;
  const apart = (log: LogLine): number => Math.abs(Date.parse(log.at) - middle);
  const fits = (log: LogLine): boolean => (window.moment ? apart(log) <= NEAR_MS : isProblem(log) && isWithin(log.at, window));
  const near = view
    .logs()
    .filter((log) => log.at <= view.now && fits(log))
    .sort((a, b) => Number(isProblem(b)) - Number(isProblem(a)) || apart(a) - apart(b));
  const chosen = distinctMessages(near).slice(0, 6);
  for (const log of chosen.sort((a, b) => a.at.localeCompare(b.at))) sheet.say(logSentence(view, log), [headSpan(log.record)], 0, 0.9);
  if (near.length === 0) sheet.nothing("log lines", window.text);
}

/** Deployments and checks of a repository that failed, the latest first; that none did, shown by the last one; nothing else answers it. */
function failedRuns({ question, view, sheet }: Desk): void {
  const { window, masked } = question;
  const checks = /\bchecks?\b|\bbuilds?\b|\bpipelines?\b|\bworkflows?\b|\bci\b/.test(masked);
  const services = subjects(question);
  const runs = view
    .logs()
    .filter(
      (log) =>
        log.record.fields.repository !== undefined &&
        checks === /\bcheck\b/i.test(log.record.title.split(" ", 1)[0] ?? "") &&
        log.at <= view.now &&
        (window === null || isWithin(log.at, window)) &&
        (services.length === 0 || services.some(({ id }) => id === log.service)),
    );
  const failed = runs.filter(isProblem);
  for (const { record, at } of failed.slice(-6).reverse())
    sheet.say(`${record.title} (${record.fields.repository}) on ${spoken(at)}.`, [headSpan(record)], 0, 0.95);
  if (failed.length > 0) return;
  sheet.nothing(`failed ${checks ? "checks" : "deployments"}`, window?.text ?? null);
  // shown by the last one that went well
  const last = runs.at(-1);
  if (last === undefined) sheet.conclusive = true;
  else
    sheet.say(
      `No ${checks ? "check" : "deployment"} is recorded as failed; the last one is "${last.record.title}" (${last.record.fields.repository}) on ${spoken(last.at)}.`,
      [headSpan(last.record)],
      0,
      0.8,
    );
}

/** What is known of a trace, pod or other literal: its log lines in order, and the tickets that name it. */
export async function trace(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  for (const literal of question.literals) {
    const hits = view.chunks.matchIdentifiers([foldIdentifier(literal)], 40, {});
    const records = new Set(hits.flatMap(({ chunkId }) => view.chunks.get(chunkId)?.span.record ?? []));
    const lines = view
      .logs()
      .filter(
        ({ record, at }) =>
          at <= view.now && (records.has(record.id) || record.fields.pod === literal || record.fields.traceId === literal),
      );
    const grave = lines.filter(isProblem);
    for (const log of distinctMessages(grave.length > 0 ? grave : lines).slice(0, 4))
      sheet.say(logSentence(view, log), [headSpan(log.record)], 0, 0.95);
    for (const id of records) {
      const record = view.records.get(id);
      if (record === null || record.kind === "log" || (record.createdAt ?? record.updatedAt) > view.now) continue;
      const node = view.graph
        .nodesOfRecord(id)
        .map((one) => view.graph.node(one))
        .find((one) => one !== null && view.recordOf(one)?.id === id);
      const pattern = new RegExp(literal.replace(/[^a-z0-9]/gi, "."), "i");
      for (const { sentence, span } of sentencesLike(record, pattern, 1)) {
        const name = node === null || node === undefined ? inQuotes(record.title, 100) : view.name(node);
        sheet.say(`${name} names it: ${inQuotes(sentence, 300)}.`, [span], 1, 0.9);
      }
    }
    if (sheet.empty) {
      sheet.nothing(literal);
      sheet.conclusive = true;
    }
  }
}

export function logSentence(view: View, log: LogLine): string {
  const who = log.service === null ? "The log" : serviceFirst([view.nameOf(log.service)]);
  const level = log.level === "" ? "" : ` (${log.level})`;
  return `${who} logged ${inQuotes(messageOf(log.record), 200)}${level} at ${spoken(log.at)}${count(log)}.`;
}

function count({ record }: LogLine): string {
  const { count: times, lastAt } = record.fields;
  return times === undefined || times < 2 ? "" : `, ${times} times${lastAt === undefined ? "" : ` until ${spoken(lastAt)}`}`;
}

/** One line of each wording, the earliest. */
export function distinctMessages(lines: readonly LogLine[]): readonly LogLine[] {
  const seen = new Set<string>();
  return lines.filter(({ record }) => {
    const wording = (record.fields.template ?? messageOf(record)).replace(/\d+/g, "#").slice(0, 120);
    return seen.has(wording) ? false : seen.add(wording);
  });
}
