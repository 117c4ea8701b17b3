import type { NodeAttributes } from "../core/fact.ts";
import type { SourceRecord } from "../core/record.ts";
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
const line = /^[ \t*_•-]{0,6}([A-Za-z][A-Za-z ]{2,20}?)[*_]{0,2} ?[:|][*_]{0,2} {0,3}(\S[^\n]{0,80})$/gm;
/** Fields stand at the head of a text; further down "Status:" may speak of anything. */
const headLength = 1_500;

/** The fields that a ticket's text states and its source does not; the first line of a field counts. */
export function statedLines(record: SourceRecord): readonly StatedLine[] {
  const { fields } = record;
  const known = { ...fields, author: fields.reporter ?? record.author ?? undefined };
  const found: StatedLine[] = [];
  const head = record.body.slice(0, Math.min(record.proseEnd, headLength));
  if (!head.includes(":") && !head.includes("|")) return found;
  for (const match of head.matchAll(line)) {
    const field = fieldOf.find(([, label]) => label.test((match[1] ?? "").trim()))?.[0];
    const value = (match[2] ?? "").replace(/[*_|]+\s*$/, "").trim();
    if (field === undefined || value === "" || known[field] !== undefined || found.some((one) => one.field === field)) continue;
    found.push({ field, value, place: { start: match.index, end: match.index + match[0].length } });
  }
  return found;
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
