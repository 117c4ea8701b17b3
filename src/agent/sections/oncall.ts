import type { GraphNode } from "../../core/graph.ts";
import type { Instant, RecordId, SourceRecord, Span } from "../../core/record.ts";
import { foldWord, terms } from "../../core/words.ts";
import { DAY, HOUR, isoWeek } from "../dates.ts";
import { type Desk, evidenceOf, listed, subjects } from "../desk.ts";
import { instant, parseWindow } from "../time.ts";
import type { View } from "../view.ts";

/** A longer stretch of time is no single turn of a rota: asked is who was on call at its beginning. */
const LONGEST_TURN = 8 * DAY;

interface Shift {
  /** The column's head, or what the row names: a team, a service, "primary". */
  readonly group: string;
  readonly person: string;
  /** Second in line, by the column's head: whoever is called when the first does not answer. */
  readonly second: boolean;
  readonly from: Instant | null;
  readonly to: Instant | null;
  readonly span: Span;
}

const FIRST = /on[- ]?call|primary|pager/i;
const SECOND = /\b(?:secondary|second|back-?up|escalation)\b/i;
/** "the second week", "the backup team" ask for nobody's second. */
const ASKS_SECOND = /\bsecondary\b|\b(?:second|back-?up) (?:person |engineer )?(?:on[- ]call|in line)\b|\bon[- ]call (?:backup|second)\b/;

/** Who is on call, by the rota that the sources hold: a table with dates in its first column, or with one row a team. */
export async function oncall(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const { window } = question;
  const at =
    window === null
      ? view.now
      : window.from !== null && window.to <= view.now && !window.moment && Date.parse(window.to) - Date.parse(window.from) > LONGEST_TURN
        ? window.from
        : midpoint(window.from, window.to, view.now, window.moment);
  const second = ASKS_SECOND.test(question.masked);
  const shifts = rotas(view)
    .flatMap((record) => shiftsOf(record))
    .filter((shift) => shift.second === second || SECOND.test(shift.group));
  const groups = groupsOf(desk, shifts);
  const current = shifts.filter(({ from, to }) => (from === null || from <= at) && (to === null || to > at));
  const fitting =
    groups.length === 0 ? current : current.filter(({ group }) => group !== "" && groups.some((name) => sameGroup(group, name)));
  const asked = question.people.map(({ label }) => foldWord(label));
  for (const { group, person, from, span } of fitting.slice(0, 8)) {
    const name = personName(view, person);
    if (asked.length > 0 && !asked.includes(foldWord(name)) && groups.length === 0) continue;
    const since = from === null ? "" : ` (rota from ${from.slice(0, 10)})`;
    const day = at === view.now ? "is" : at > view.now ? "will be" : "was";
    sheet.say(
      `${name} ${day} ${second ? "secondary on call" : "on call"}${group === "" || (second && SECOND.test(group)) ? "" : ` for ${group}`}${at === view.now ? "" : ` on ${at.slice(0, 10)}`}${since}.`,
      [span],
      0,
      0.9,
    );
  }
  if (fitting.length > 0) return;
  sheet.nothing(`rota${groups.length === 0 ? "" : ` of ${listed(groups)}`}`, at.slice(0, 10));
  // the rota is known, and the group that is asked for is not in it
  sheet.conclusive = shifts.length > 0 && groups.length > 0;
  // no rota covers today: whoever owns the service is the one to ask
  for (const service of at === view.now ? subjects(question) : []) {
    for (const edge of view.edges(service.id, ["owns"], "in")) {
      if (view.graph.node(edge.source)?.kind !== "engineer") continue;
      sheet.say(
        `No rota names who is on call for ${service.label}; its owner is ${view.nameOf(edge.source)}.`,
        evidenceOf([edge]),
        0,
        0.75,
      );
    }
  }
}

/** A moment asked about: the middle of a day or week, "tonight" is now or later. */
function midpoint(from: Instant | null, to: Instant, now: Instant, moment: boolean): Instant {
  if (from !== null && from <= now && to > now) return now;
  if (from === null) return now;
  const middle = (Date.parse(from) + Date.parse(to)) / 2;
  return new Date(moment ? Date.parse(from) + 12 * HOUR : middle).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** The teams that are asked about: named ones, or those of a named service; its own name, too; else what a rota is for. */
function groupsOf({ question, view }: Desk, shifts: readonly Shift[]): readonly string[] {
  const teams = question.teams.map(({ label }) => label);
  const services = subjects(question);
  const ofServices = services.flatMap((service) => [
    service.label,
    ...view.edges(service.id, ["owns"], "in").flatMap(({ source }) => {
      const node = view.graph.node(source);
      return node?.kind === "team" ? [node.label] : [];
    }),
  ]);
  if (teams.length + ofServices.length > 0) return [...teams, ...ofServices];
  const words = ` ${question.masked.replace(/[^\p{L}\p{N}-]+/gu, " ")} `;
  const ofRota = [...new Set(shifts.map(({ group }) => group))].filter(
    (group) => group !== "" && !FIRST.test(group) && !SECOND.test(group) && words.includes(` ${foldWord(group)} `),
  );
  if (ofRota.length > 0) return ofRota;
  const named =
    /\bon[- ]?call\b(?: \w+){0,3}? (?:for|in|at|of|on) (?:the )?([a-z][a-z -]{1,30}?)(?= team\b| tonight\b| today\b| now\b| this\b| next\b| in\b| on\b| at\b|[?.!,]|$)/.exec(
      question.masked,
    )?.[1];
  return named === undefined ? [] : [named];
}

function sameGroup(group: string, name: string): boolean {
  const a = foldWord(group)
    .replace(/\bteam\b/g, "")
    .trim();
  const b = foldWord(name)
    .replace(/\bteam\b/g, "")
    .trim();
  return a === b || a.split(/[\s,/&-]+/).includes(b) || b.split(/[\s,/&-]+/).includes(a);
}

/** Records that look like a rota, newest first. */
function rotas(view: View): readonly SourceRecord[] {
  const ids = new Set<RecordId>();
  for (const words of [terms("rota"), terms("on-call"), terms("oncall"), terms("pager duty"), terms("roster")]) {
    for (const { chunkId } of view.chunks.matchWords(words, 30, {})) {
      const chunk = view.chunks.get(chunkId);
      if (chunk !== null && (chunk.kind === "page" || chunk.kind === "file" || chunk.kind === "ticket")) ids.add(chunk.span.record);
    }
  }
  const records = [...ids].flatMap((id) => view.records.get(id) ?? []);
  return records
    .filter(
      (record) => /\brota\b|\bon[- ]?call\b|\broster\b|\bpager/i.test(record.body) && (record.createdAt ?? record.updatedAt) <= view.now,
    )
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}

/** Rows of tables whose cells are parted by "|". */
function shiftsOf(record: SourceRecord): readonly Shift[] {
  const shifts: Shift[] = [];
  let head: readonly string[] | null = null;
  let dated: Shift[][] = [];
  let offset = 0;
  const hour = /\b(\d{1,2}):(\d{2})\b/.exec(/hand-?over[^.\n]{0,60}/i.exec(record.body)?.[0] ?? "");
  const startsAt = hour === null ? "00:00" : `${(hour[1] ?? "0").padStart(2, "0")}:${hour[2]}`;
  for (const line of record.body.slice(0, record.proseEnd).split("\n")) {
    const span = { record: record.id, start: offset, end: offset + line.length };
    offset += line.length + 1;
    const week =
      /^\s*(?:[-*•] )?(?:week|kw|cw|calendar week) ?(\d{1,2})\b\s*(?:[:=|–—-]|->)\s*@?(\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]+){0,2})\s*$/iu.exec(
        line,
      );
    const monday = week === null ? null : isoWeek(Number(week[1]), Date.parse(record.createdAt ?? record.updatedAt));
    if (week?.[2] !== undefined && monday !== null) {
      const from = `${new Date(monday).toISOString().slice(0, 10)}T${startsAt}:00Z`;
      shifts.push({ group: "", person: week[2], second: false, from, to: instant(Date.parse(from) + 7 * DAY), span });
      continue;
    }
    const cells = line
      .replace(/^\s*\||\|\s*$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    if (cells.length < 2 || !line.includes("|")) {
      if (line.trim() === "") {
        shifts.push(...closed(dated));
        dated = [];
        head = null;
      }
      continue;
    }
    if (cells.every((cell) => /^:?-{2,}:?$/.test(cell) || cell === "")) continue;
    if (head === null) {
      head = cells;
      continue;
    }
    const date = dateOf(cells[0] ?? "", record) ?? mondayOf(head[0] ?? "", cells[0] ?? "", record);
    if (date !== null) {
      const row = head.slice(1).flatMap((group, at) => {
        const person = cells[at + 1] ?? "";
        return person === "" || dateOf(person, record) !== null
          ? []
          : [{ group, person, second: SECOND.test(group), from: `${date}T${startsAt}:00Z`, to: null, span }];
      });
      dated.push(row);
    } else if (/team|service|area|squad|system/i.test(head[0] ?? "") && head.some((cell) => FIRST.test(cell))) {
      const first = head.findIndex((cell) => FIRST.test(cell) && !SECOND.test(cell));
      for (const [column, second] of [
        [first, false],
        [head.findIndex((cell) => SECOND.test(cell)), true],
      ] as const) {
        const person = cells[column] ?? "";
        if (person !== "") shifts.push({ group: cells[0] ?? "", person, second, from: null, to: null, span });
      }
    }
  }
  shifts.push(...closed(dated));
  return shifts;
}

/** Each row lasts until the next one begins; the last one for as long as the one before it, or a week. */
function closed(rows: readonly (readonly Shift[])[]): Shift[] {
  const starts = [...new Set(rows.flatMap((row) => row.map(({ from }) => from ?? "")))].sort();
  return rows.flatMap((row) =>
    row.map((shift) => {
      const next = starts.find((start) => start > (shift.from ?? ""));
      const last = starts.length < 2 ? 7 * DAY : Date.parse(starts.at(-1) ?? "") - Date.parse(starts.at(-2) ?? "");
      return { ...shift, to: next ?? new Date(Date.parse(shift.from ?? "") + last).toISOString().replace(/\.\d{3}Z$/, "Z") };
    }),
  );
}

function dateOf(cell: string, record: SourceRecord): string | null {
  if (cell.length > 40 || !/\d/.test(cell)) return null;
  const iso = /\d{4}-\d{2}-\d{2}/.exec(cell)?.[0];
  if (iso !== undefined) return iso;
  return parseWindow(cell, new Date(record.updatedAt))?.from?.slice(0, 10) ?? null;
}

/** The first day of a week that a row tells by its number: "47" below "Week". */
function mondayOf(head: string, cell: string, record: SourceRecord): string | null {
  const week = /^(?:week|kw|cw|w)? ?(\d{1,2})$/i.exec(cell)?.[1];
  if (week === undefined || !/^(?:calendar )?(?:week|kw|cw)\b/i.test(head)) return null;
  const monday = isoWeek(Number(week), Date.parse(record.createdAt ?? record.updatedAt));
  return monday === null ? null : new Date(monday).toISOString().slice(0, 10);
}

function personName(view: View, cell: string): string {
  const found = view.graph.resolve(cell.replace(/^@/, ""), "engineer");
  const node: GraphNode | null = found.type === "one" ? found.node : null;
  return node?.label ?? cell.replace(/^@/, "");
}
