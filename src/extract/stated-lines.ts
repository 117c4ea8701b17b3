import type { NodeAttributes } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
import { isStopWord } from "../core/words.ts";
import type { Place } from "./facts.ts";

/** A field that people wrote into the text of a ticket, one a line: "Status: Resolved". */
export interface StatedLine {
  readonly field: "status" | "severity" | "priority" | "assignee" | "author";
  readonly value: string;
  readonly place: Place;
}

const fieldOf: readonly (readonly [StatedLine["field"], RegExp])[] = [
  ["status", /^(?:status|state)$/i],
  ["severity", /^(?:severity|sev)$/i],
  ["priority", /^(?:priority|prio)$/i],
  ["assignee", /^(?:assignee|assigned to|owner|ticket owner|handled by)$/i],
  ["author", /^(?:reporter|reported by|opened by|raised by)$/i],
];
/** Lines that begin with one of some labels. */
function linesOf(labels: string): RegExp {
  return new RegExp(`^[ \\t*_•-]{0,6}(${labels}) {0,4}[*_]{0,2} ?[:|][*_]{0,2} {0,3}(\\S[^\\n]{0,80})$`, "gim");
}

const fieldLine = linesOf(
  "status|state|severity|sev|priority|prio|assignee|assigned to|owner|ticket owner|handled by|reporter|reported by|opened by|raised by",
);
const listLines = new Map<string, RegExp>();
/** Fields stand at the head of a text; further down "Status:" may speak of anything. */
const headLength = 1_500;

/** The fields that a ticket's text states and its source does not; the first line of a field counts. */
export function statedLines(record: SourceRecord): readonly StatedLine[] {
  const { fields } = record;
  const known = { ...fields, author: fields.reporter ?? record.author ?? undefined };
  const found: StatedLine[] = [];
  const head = record.body.slice(0, Math.min(record.proseEnd, headLength));
  for (const match of head.matchAll(fieldLine)) {
    const field = fieldOf.find(([, label]) => label.test(match[1] ?? ""))?.[0];
    const value = (match[2] ?? "").replace(/[*_|]+\s*$/, "").trim();
    if (field === undefined || value === "" || known[field] !== undefined || found.some((one) => one.field === field)) continue;
    found.push({ field, value, place: { start: match.index, end: match.index + match[0].length } });
  }
  return found;
}

/** A name in such a list, of three words at most: "paybox", "Cart Service". */
const listed = /^[\p{L}\p{N}][\p{L}\p{N}_./-]{0,40}(?: [\p{L}\p{N}_./-]{1,40}){0,2}$/u;

/** The names of a list that people wrote into a ticket's text, "Components: paybox, till"; null where none stands there or a sentence does. */
export function writtenList(record: SourceRecord, label: string): { readonly values: readonly string[]; readonly place: Place } | null {
  const lines = listLines.get(label) ?? linesOf(label.replace(/s$/, "s?"));
  listLines.set(label, lines);
  for (const match of record.body.slice(0, Math.min(record.proseEnd, headLength)).matchAll(lines)) {
    const values = (match[2] ?? "")
      .replace(/[*_|\s]+$/, "")
      .split(/[,;]\s*/)
      .map((one) => one.replace(/^[`"']|[`"']$/g, "").trim());
    if (!values.every((value) => listed.test(value) && !value.split(" ").some((word) => isStopWord(word.toLowerCase())))) continue;
    return { values, place: { start: match.index, end: match.index + match[0].length } };
  }
  return null;
}

/** Whether a status says that the ticket is open; null where it says neither. */
export function isOpenStatus(status: string): boolean | null {
  if (/^(?:resolved|done|closed|fixed|completed?|cancell?ed|won['’]t|rejected|duplicate|declined|released|shipped)\b/i.test(status))
    return false;
  if (/^(?:open|re-?opened|new|to ?do|in |investigating|identified|monitoring|triage|blocked|backlog|waiting|ongoing|active)/i.test(status))
    return true;
  return null;
}

/** What a stated line of plain text says of its ticket. */
export function attributesOf({ field, value }: StatedLine): NodeAttributes {
  if (field === "status") {
    const open = isOpenStatus(value);
    return { status: value, ...(open === null ? {} : { open }) };
  }
  return field === "severity" ? { severity: value } : field === "priority" ? { priority: value } : {};
}
