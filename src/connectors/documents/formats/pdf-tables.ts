import { type Fragment, LEADING, leastOf, mostOf } from "./pdf-columns.ts";

/** A line of a region, or a row of a table: pieces of text that belong together, cell by cell. */
export interface TableRow {
  readonly cells: readonly (readonly Fragment[])[];
  /** Baseline of its last line. */
  readonly bottom: number;
}

/** Gap, in font sizes, that parts cells wherever it stands; a narrower one does where the rows around have one at the same place. */
const CELL_GAP = 1.8;
/** Within this part of a font size, edges are one; those of a column are set as exactly as the last. */
const ALIGNED = 0.25;
const EXACT = 0.06;
/** How far the first line of a paragraph begins inside it, in font sizes. */
const MOST_INDENT = 3;

/** The dots that lead to a number. */
const LEADER = /(?:[ .]\.){2} *$|… *$/;

/** What stands before an item of a list, or a heading, and is no cell. */
const MARK = /^(?:[•◦▪‣∙·–—*§-]|\(?(?:\d{1,5}(?:\.\d{1,5}){0,4}|[a-zA-Z]|[ivxIVX]{1,5})[.)]?)$/;

/**
 * Rows as lines of text: cells where the gaps say so, and a cell's further lines put into it.
 * @param rows from top to bottom, each in reading order
 */
export function tableRows(rows: readonly (readonly Fragment[])[]): readonly TableRow[] {
  const edges = extent(rows.flat());
  const lines = besideOthers(rows).map(({ row, first, last }) => {
    if (first < last) return { cells: stacksOf(row), bottom: leastOf(row, (one) => one.y) };
    const around = [...rows.slice(Math.max(0, first - 2), first), ...rows.slice(last + 1, last + 3)];
    return { cells: cellsOf(row, around, edges), bottom: row[0]?.y ?? 0 };
  });
  const joined: TableRow[] = [];
  for (const line of lines) {
    const row = joined.at(-1);
    const grown = row === undefined ? null : goneOn(row, line);
    if (grown === null) joined.push(line);
    else joined[joined.length - 1] = grown;
  }
  return joined;
}

/** Lines closer than those of any text stand beside each other: cells that were centred against a higher one, or another column. */
const BESIDE = 0.9;

/** Rows, those beside each other as one, with the places of its first and last. */
function besideOthers(rows: readonly (readonly Fragment[])[]): readonly { row: readonly Fragment[]; first: number; last: number }[] {
  const groups: { row: readonly Fragment[]; first: number; last: number }[] = [];
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1];
    const group = groups.at(-1);
    const gap = (before?.[0]?.y ?? 0) - (row[0]?.y ?? 0);
    const isBeside =
      before !== undefined && gap < (row[0]?.size ?? 0) * BESIDE && !row.some((one) => before.some((other) => overlap(one, other)));
    if (group && isBeside) Object.assign(group, { row: [...group.row, ...row], last: i });
    else groups.push({ row, first: i, last: i });
  }
  // where several have many lines, they are columns: which line of one goes with which of the other is not known
  const isRow = ({ row }: { readonly row: readonly Fragment[] }) =>
    stacksOf(row).filter((stack) => new Set(stack.map(({ y }) => y)).size > 1).length < 2;
  return groups.flatMap((group) =>
    isRow(group)
      ? [group]
      : rows.slice(group.first, group.last + 1).map((row, i) => ({ row, first: group.first + i, last: group.first + i })),
  );
}

/** Pieces one above the other are of one cell. */
function stacksOf(row: readonly Fragment[]): readonly Fragment[][] {
  const stacks: Fragment[][] = [];
  for (const piece of row) {
    const stack = stacks.find((some) => some.some((one) => overlap(one, piece)));
    if (stack) stack.push(piece);
    else stacks.push([piece]);
  }
  const rtl = row.filter((one) => one.rtl).length > row.length / 2;
  return stacks.toSorted((a, b) => (rtl ? -1 : 1) * (extent(a)[0] - extent(b)[0]));
}

function overlap(one: Fragment, other: Fragment): boolean {
  return one.x < other.end && other.x < one.end;
}

/**
 * @param around the rows near by
 * @param edges left and right edge of the region
 */
function cellsOf(
  row: readonly Fragment[],
  around: readonly (readonly Fragment[])[],
  [left, right]: readonly [number, number],
): readonly Fragment[][] {
  const cells: Fragment[][] = [];
  const [from, to] = extent(row);
  const near = (row[0]?.size ?? 0) * ALIGNED;
  // lines with both edges in common (a first one is indented) may have been stretched to them: their blanks are wide
  const isFlush = around
    .map(extent)
    .some(([start, end]) => Math.abs(end - to) < near && from - start > -near && from - start < MOST_INDENT * (row[0]?.size ?? 0));
  const isEven = isFlush && hasEvenGaps(row);
  for (const fragment of row) {
    const before = cells.at(-1)?.at(-1);
    if (before && !parts(before, fragment)) cells.at(-1)?.push(fragment);
    else cells.push([fragment]);
  }
  return cells;

  function parts(before: Fragment, fragment: Fragment): boolean {
    const size = Math.max(before.size, fragment.size);
    const isLeftward = fragment.x < before.x;
    const gap = isLeftward ? before.x - fragment.end : fragment.x - before.end;
    if (gap > size * CELL_GAP) return !isEven;
    if ((before === row[0] && MARK.test(before.text.trim())) || LEADER.test(before.text) || (before.mono && fragment.mono)) return false;
    const edge = (one: Fragment) => (isLeftward ? one.end : one.x);
    const begins = isLeftward ? right : left;
    const isAligned = (one: Fragment) => Math.abs(edge(one) - edge(fragment)) <= size * EXACT && Math.abs(edge(one) - begins) > size;
    // a blank may stand above another by chance, hardly above two
    return around.filter((one) => one.some(isAligned)).length >= (isFlush ? 2 : 1);
  }
}

/** Whether a line of few words has several gaps, all of one width. */
function hasEvenGaps(row: readonly Fragment[]): boolean {
  const gaps = row.slice(1).map((one, i) => one.x - (row[i]?.end ?? 0));
  return gaps.length > 1 && Math.max(...gaps) - Math.min(...gaps) < (row[0]?.size ?? 0) * 0.1;
}

/** The row with a line that goes on with some of its cells; null when it does not: it has more cells, stands apart, or elsewhere. */
function goneOn(row: TableRow, line: TableRow): TableRow | null {
  const [first] = line.cells;
  const size = first?.[0]?.size ?? 0;
  const gap = row.bottom - line.bottom;
  if (row.cells.length < 2 || gap <= 0 || gap > size * LEADING) return null;
  // a line of all cells, or of nearly all, is the next row
  if (line.cells.length * 2 > row.cells.length) return null;
  const places = line.cells.map((cell) => columnOf(row, cell));
  // the first cell is what a row is called by: below it the next one begins
  if (places.some((place) => place === null || place === 0)) return null;
  const cells = row.cells.map((cell, i) => [...cell, ...line.cells.flatMap((more, at) => (places[at] === i ? more : []))]);
  return { cells, bottom: line.bottom };
}

/** The column that a piece stands in alone, by its left edge or by lying within; null when there is none. */
function columnOf({ cells }: TableRow, piece: readonly Fragment[]): number | null {
  const [left, right] = extent(piece);
  const size = piece[0]?.size ?? 0;
  const found = cells.flatMap((cell, i) => {
    const [from, to] = extent(cell);
    return Math.abs(left - from) <= size * ALIGNED || (left >= from - size && right <= to + size) ? [i] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Left and right edge. */
function extent(fragments: readonly Fragment[]): readonly [number, number] {
  return [leastOf(fragments, ({ x }) => x), mostOf(fragments, ({ end }) => end)];
}
