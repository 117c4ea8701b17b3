import { isPersonalName } from "./people.ts";

/** Tables as converters write them: one row a line, cells parted by "|", the first row the header. */

export interface Cell {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Row {
  readonly cells: readonly Cell[];
  readonly start: number;
  readonly end: number;
}

export interface Table {
  readonly header: Row;
  readonly rows: readonly Row[];
}

const arrow = /-[-.]*->|==>/;

/** The tables in a text up to `limit`, with places in the text. Diagram lines with labelled arrows are none. */
export function tablesOf(text: string, limit: number): Table[] {
  if (!text.includes("|")) return [];
  const tables: Table[] = [];
  let rows: Row[] = [];
  const close = (): void => {
    const [header, ...rest] = rows;
    if (header !== undefined && rest.length > 0) tables.push({ header, rows: rest });
    rows = [];
  };
  // from line to line with a bar
  for (let from = 0, bar = text.indexOf("|"); bar >= 0 && bar < limit; bar = text.indexOf("|", from)) {
    const start = Math.max(from, text.lastIndexOf("\n", bar) + 1);
    if (start > from) close();
    const newline = text.indexOf("\n", bar);
    const end = newline < 0 || newline > limit ? limit : newline;
    const line = text.slice(start, end);
    if (!arrow.test(line)) {
      if (!/^[\s|:-]+$/.test(line)) {
        const row = rowOf(line, start);
        if (row.cells.length > 1 && (rows.length === 0 || row.cells.length <= (rows[0]?.cells.length ?? 0) + 1)) rows.push(row);
        else close();
      }
    } else close();
    from = end + 1;
  }
  close();
  return tables;
}

function rowOf(line: string, offset: number): Row {
  const cells: Cell[] = [];
  const outer = line.trimStart().startsWith("|");
  let at = 0;
  const parts = line.split("|");
  for (const [index, part] of parts.entries()) {
    const edge = outer && (index === 0 || (index === parts.length - 1 && part.trim() === ""));
    if (!edge) {
      const lead = part.length - part.trimStart().length;
      const text = part.trim();
      cells.push({ text, start: offset + at + lead, end: offset + at + lead + text.length });
    }
    at += part.length + 1;
  }
  const lead = line.length - line.trimStart().length;
  return { cells, start: offset + lead, end: offset + line.trimEnd().length };
}

/** What a column is about, by its heading; null when it says nothing to us. "name" is whatever the rows are about, "identifier" how machines call it. */
export type Column = "service" | "name" | "identifier" | "alias" | "owner" | "team" | "dependency" | "dependent";

const columns: readonly (readonly [Column, RegExp])[] = [
  [
    "alias",
    /^(?:also (?:called|known as)|alias(?:es)?|aka|a\.k\.a\.?|(?:other|spoken|short|display|friendly|common|old|former|previous) names?|synonyms?|known as|formerly|nick ?names?|(?:people|we) (?:say|call it)|called|spitzname|auch (?:bekannt als|genannt)|weitere namen)$/i,
  ],
  [
    "owner",
    /^(?:(?:service |current |primary |code |main |technical |tech )?(?:owners?|maintainers?|responsible(?: (?:person|engineer))?|contact(?: person)?|lead(?: engineer)?|steward|keeper|custodian)|owned by|maintained by|looked after by|run by|dri|poc|point of contact|person in charge|in charge|accountable|who(?: (?:owns|runs|maintains|looks after|is responsible for) (?:it|this))?|who to (?:ask|call|page)|verantwortlich(?:er?|e person)?|zuständig|ansprechpartner(?:in)?|besitzer|eigentümer|responsable|owners? (?:in|since|until|as of|then|before) ?.{0,20})$/i,
  ],
  ["team", /^(?:(?:owning |responsible |owner )?(?:team|squad|group|crew|guild|tribe|unit|abteilung)|owned by team)$/i],
  ["dependent", /^(?:used by|called by|needed by|consumers?|clients|callers?|dependents)$/i],
  [
    "dependency",
    /^(?:(?:hard |runtime |service )?depend(?:s on|encies|ency)|uses|calls|requires|needs|relies on|talks to|backed by|what it (?:needs|uses|calls)|upstreams?(?: services?)?|abhängig von|abhängigkeiten|braucht|nutzt)$/i,
  ],
  [
    "service",
    /^(?:(?:micro)?services?(?: name)?|components?|systems?|applications?|apps?|workloads?|name of (?:the )?service|dienste?|anwendung(?:en)?)$/i,
  ],
  ["identifier", /^(?:repo(?:sitory)?|service id|id|slug|deployment|code name|technical name|chart|k8s name|container)$/i],
  ["name", /^(?:name|what|thing)$/i],
];

export function columnOf(heading: string): Column | null {
  const text = heading.trim().replace(/\s*\([^)]{0,30}\)$/, "");
  for (const [column, pattern] of columns) if (pattern.test(text)) return column;
  return null;
}

/** A list of services, by its headings: which column names them, which holds other names of theirs, and what the others say. */
export interface ServiceColumns {
  readonly roles: readonly (Column | null)[];
  /** The column under whose names the services are known: an identifier's before a spoken name's. */
  readonly service: number;
  /** Columns of further names of the same services. */
  readonly others: readonly number[];
}

const otherPeople =
  /back ?up|deput|second|substitut|vertret|stellvert|review|author|report|last|on[- ]?call|rota|since|escalat|approv|stakeholder|customer|former|previous|until|creat|changed|edited|incident/i;

/** Headings of a rota: who stands in it is called for a while, and need not own anything. */
const ofRota = /^(?:first|primary|secondary)\b|on[- ]?call|rota|\bweek\b|shift|pager|bereitschaft|schicht/i;

function isOfPeople(table: Table, column: number): boolean {
  const heading = table.header.cells[column]?.text ?? "";
  if (heading === "" || otherPeople.test(heading)) return false;
  const values = table.rows.map((row) => row.cells[column]?.text ?? "").filter((text) => /\p{L}/u.test(text));
  return values.length > 1 && values.every((text) => isPersonalName(text.replace(/^@/, "")));
}

/** The columns of a table whose rows are services; null for other tables. "Name" alone may head people or anything. */
export function serviceColumns(table: Table): ServiceColumns | null {
  const roles = table.header.cells.map((cell) => columnOf(cell.text));
  const named = roles.includes("service") ? roles.indexOf("service") : roles.indexOf("name");
  const identifier = roles.indexOf("identifier");
  const telling = ["identifier", "dependency", "alias"] as const;
  if (named < 0 || (roles[named] === "name" && !telling.some((role) => roles.includes(role)))) return null;
  if (!roles.includes("owner") && !table.header.cells.some(({ text }, index) => roles[index] === null && ofRota.test(text))) {
    // a column of nothing but people's names says who, whatever it is called, unless it names their deputies
    const people = roles.findIndex((role, index) => role === null && isOfPeople(table, index));
    if (people >= 0) roles[people] = "owner";
  }
  const machine = identifier >= 0 && table.rows.every((row) => /^[a-z0-9][a-z0-9._-]*$/.test(row.cells[identifier]?.text ?? ""));
  const others = roles.flatMap((role, index) => (role === "alias" ? [index] : []));
  return machine ? { roles, service: identifier, others: [named, ...others] } : { roles, service: named, others };
}
