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
  for (let start = 0; start < limit; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 || newline > limit ? limit : newline;
    const line = text.slice(start, end);
    if (line.includes("|") && !arrow.test(line)) {
      if (!/^[\s|:-]+$/.test(line)) {
        const row = rowOf(line, start);
        if (row.cells.length > 1 && (rows.length === 0 || row.cells.length <= (rows[0]?.cells.length ?? 0) + 1)) rows.push(row);
        else close();
      }
    } else close();
    start = end + 1;
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

/** What a column is about, by its heading; null when it says nothing to us. */
export type Column = "service" | "alias" | "owner" | "team" | "dependency";

const columns: readonly (readonly [Column, RegExp])[] = [
  [
    "alias",
    /^(?:also (?:called|known as)|alias(?:es)?|aka|other names?|synonyms?|known as|former(?:ly| names?)?|old names?|short names?)$/i,
  ],
  [
    "owner",
    /^(?:(?:service |current |primary |code )?(?:owners?|maintainers?|responsible|owned by|contact|lead|dri|person in charge)|owners? (?:in|since|until|as of) .{1,20})$/i,
  ],
  ["team", /^(?:(?:owning |responsible )?(?:team|squad|group|crew|guild))$/i],
  ["dependency", /^(?:depend(?:s on|encies|ency)|uses|calls|requires|needs|upstreams?(?: services?)?)$/i],
  ["service", /^(?:(?:micro)?services?(?: name)?|components?|systems?|applications?|apps?|workloads?|name of (?:the )?service)$/i],
];

export function columnOf(heading: string): Column | null {
  const text = heading.trim().replace(/\s*\([^)]{0,30}\)$/, "");
  for (const [column, pattern] of columns) if (pattern.test(text)) return column;
  return null;
}
