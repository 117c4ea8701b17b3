/** A run of text on one baseline, without a gap wide enough to be a gutter. Coordinates in points, y upwards. */
export interface Fragment {
  readonly text: string;
  readonly x: number;
  readonly end: number;
  readonly y: number;
  /** Font size. */
  readonly size: number;
  readonly mono: boolean;
  readonly rtl: boolean;
}

/** Baselines of one text lie no further apart, in font sizes. */
export const LEADING = 1.45;

/** Words (or a third as many East Asian characters) that a line of running prose has at least. */
const PROSE_WORDS = 4;

/**
 * Fragments of a page as regions in reading order: each region is read line by line, columns one after the other.
 *
 * An XY-cut that looks for columns of prose only: a gutter is the left edge that many fragments share, with prose on both
 * sides of it. Lines that cross it (titles, full-width paragraphs) part the page into bands; in each the left column comes
 * first. Tables have aligned edges, too, but cells are not prose: they stay rows.
 */
export function readingOrder(fragments: readonly Fragment[], depth = 0): readonly (readonly Fragment[])[] {
  const gutter = depth < 3 ? findGutter(fragments) : null;
  if (gutter === null) return fragments.length === 0 ? [] : [fragments];
  return bandsOf(rowsOf(fragments), gutter).flatMap(({ rows, isFull }) => {
    const all = rows.flat();
    if (isFull) return [all];
    const rtl = all.filter((one) => one.rtl).length > all.length / 2;
    return (rtl ? [1, -1] : [-1, 1]).flatMap((which) =>
      readingOrder(
        all.filter((one) => side(one, gutter) === which),
        depth + 1,
      ),
    );
  });
}

type PageRow = readonly Fragment[];

interface Band {
  /** Lines that cross the gutter, or tables; else two columns. */
  readonly isFull: boolean;
  readonly rows: PageRow[];
}

/** Rows from top to bottom as bands. What stands beside a line that crosses the gutter is of its row: cells of a table. */
function bandsOf(rows: readonly PageRow[], gutter: number): readonly Band[] {
  const bands: Band[] = [];
  for (const row of rows) {
    const isFull = row.some((one) => side(one, gutter) === 0);
    const last = bands.at(-1);
    if (last?.isFull === isFull) last.rows.push(row);
    else bands.push({ isFull, rows: [row] });
  }
  const isCells = (row: PageRow | undefined) => row !== undefined && row.length > 1;
  const joined: Band[] = [];
  for (const band of bands) {
    const last = joined.at(-1);
    if (band.isFull && last?.isFull) last.rows.push(...band.rows);
    else if (band.isFull) {
      // the head of a table may cross no gutter; three pieces side by side are no columns of prose
      const head: PageRow[] = [];
      while (isCells(band.rows[0]) && last && (last.rows.at(-1)?.length ?? 0) > 2) head.unshift(last.rows.pop() as PageRow);
      if (last?.rows.length === 0) joined.pop();
      joined.push({ isFull: true, rows: [...head, ...band.rows] });
    } else {
      const rows = [...band.rows];
      // lines close below a row of a table are what its cells go on with
      while (last?.isFull && isCells(last.rows.at(-1)) && goesOn(last.rows.at(-1), rows[0])) last.rows.push(rows.shift() as PageRow);
      if (rows.length > 0) joined.push({ isFull: false, rows });
    }
  }
  return joined;
}

/** Whether a row has fewer pieces than the one above it, as close below as lines of one text. */
function goesOn(above: PageRow | undefined, row: PageRow | undefined): boolean {
  const [upper, lower] = [above?.[0], row?.[0]];
  return (
    upper !== undefined && lower !== undefined && (row?.length ?? 0) < (above?.length ?? 0) && upper.y - lower.y <= lower.size * LEADING
  );
}

/** -1 left of the gutter, 1 right of it, 0 across. */
function side(fragment: Fragment, gutter: number): -1 | 0 | 1 {
  if (fragment.x >= gutter - fragment.size * 0.3) return 1;
  return fragment.end <= gutter + fragment.size * 0.2 ? -1 : 0;
}

/** The x where a right column begins, null when the fragments stand in one column. */
function findGutter(fragments: readonly Fragment[]): number | null {
  if (fragments.length < 8) return null;
  const left = leastOf(fragments, (one) => one.x);
  const right = mostOf(fragments, (one) => one.end);
  const width = right - left;
  const edges = fragments.map((one) => one.x).filter((x) => x > left + width * 0.2 && x < right - width * 0.15);
  const counts = new Map<number, number>();
  for (const x of edges) counts.set(Math.round(x / 3), (counts.get(Math.round(x / 3)) ?? 0) + 1);
  const candidates = [...counts].filter(([, count]) => count >= 3).sort((a, b) => b[1] - a[1]);
  let [best, least] = [null as number | null, Number.POSITIVE_INFINITY];
  for (const [bucket] of candidates.slice(0, 6)) {
    const gutter = leastOf(
      edges.filter((x) => Math.abs(x / 3 - bucket) <= 1),
      (x) => x,
    );
    const crossing = crossingShare(fragments, gutter);
    // the edge of an inner list has more lines across it than the column it stands in
    if (crossing < least) [best, least] = [gutter, crossing];
  }
  return best;
}

/** Share of the lines that cross a gutter where both columns run side by side; infinite when it parts no columns of prose. */
function crossingShare(fragments: readonly Fragment[], gutter: number): number {
  const lefts = fragments.filter((one) => side(one, gutter) === -1);
  const rights = fragments.filter((one) => side(one, gutter) === 1);
  if (lefts.length < 3 || rights.length < 3) return Number.POSITIVE_INFINITY;
  const top = Math.min(
    mostOf(lefts, (one) => one.y),
    mostOf(rights, (one) => one.y),
  );
  const bottom = Math.max(
    leastOf(lefts, (one) => one.y),
    leastOf(rights, (one) => one.y),
  );
  const beside = (one: Fragment) => one.y <= top + 1 && one.y >= bottom - 1;
  const crossing = fragments.filter((one) => side(one, gutter) === 0 && beside(one)).length;
  const share = crossing / (lefts.filter(beside).length + rights.filter(beside).length);
  // labels beside their explanations are a table, but beside a justified column anything is a column
  return share <= 0.25 && isProse(lefts) && (isProse(rights) || isJustified(lefts)) ? share : Number.POSITIVE_INFINITY;
}

/** Whether about half of the lines reach the column's right edge. */
function isJustified(fragments: readonly Fragment[]): boolean {
  const ends = rowsOf(fragments).map((row) => mostOf(row, (one) => one.end));
  const size = fragments[0]?.size ?? 0;
  // a single longer line (a title) does not set the edge
  const edge = ends.toSorted((a, b) => a - b)[Math.floor(ends.length * 0.9)] ?? 0;
  return ends.filter((end) => Math.abs(end - edge) <= size).length > ends.length * 0.4;
}

/** Whether the lines of a column mostly hold running text. */
function isProse(fragments: readonly Fragment[]): boolean {
  const rows = rowsOf(fragments).map((row) => row.reduce((sum, one) => sum + wordCount(one.text), 0));
  const sorted = rows.toSorted((a, b) => a - b);
  return rows.length >= 3 && (sorted[Math.floor(sorted.length / 2)] ?? 0) >= PROSE_WORDS;
}

/** Words of letters: the numbers of a table are none. */
function wordCount(text: string): number {
  const eastAsian = text.match(/[\u3040-\u30ff\u3400-\u9fff]/g)?.length ?? 0;
  return (text.match(/\p{L}{2,}/gu)?.length ?? 0) + eastAsian / 3;
}

/** Least value over a list of any length (Math.min takes no more arguments than the stack holds); infinite for none. */
export function leastOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((least, item) => Math.min(least, value(item)), Number.POSITIVE_INFINITY);
}

/** Greatest value over a list of any length; minus infinity for none. */
export function mostOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((most, item) => Math.max(most, value(item)), Number.NEGATIVE_INFINITY);
}

interface Row {
  readonly y: number;
  readonly size: number;
  readonly fragments: Fragment[];
}

/** Fragments on one baseline belong to one row, top row first, left to right within (right to left in such scripts). */
export function rowsOf(fragments: readonly Fragment[]): readonly (readonly Fragment[])[] {
  const rows: Row[] = [];
  for (const fragment of fragments.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const last = rows.at(-1);
    if (last && Math.abs(last.y - fragment.y) <= Math.max(last.size, fragment.size) * 0.35) last.fragments.push(fragment);
    else rows.push({ y: fragment.y, size: fragment.size, fragments: [fragment] });
  }
  return withScripts(rows).map(({ fragments }) => {
    const length = (some: readonly Fragment[]) => some.reduce((sum, one) => sum + one.text.length, 0);
    const rtl = length(fragments.filter((one) => one.rtl)) > length(fragments) / 2;
    return fragments.toSorted((a, b) => (rtl ? b.x - a.x : a.x - b.x));
  });
}

/** Superscripts and subscripts, smaller and touching a piece of the row below or above, belong to that row. */
function withScripts(rows: readonly Row[]): readonly Row[] {
  for (const [i, row] of rows.entries()) {
    for (const piece of [...row.fragments]) {
      const host = [rows[i + 1], rows[i - 1]].find((other) => other?.fragments.some((one) => isScript(piece, one)));
      if (!host) continue;
      row.fragments.splice(row.fragments.indexOf(piece), 1);
      host.fragments.push(piece);
    }
  }
  return rows.filter((row) => row.fragments.length > 0);
}

function isScript(piece: Fragment, host: Fragment): boolean {
  const raised = piece.y - host.y;
  // a browser sets them hardly smaller than the rest; such a piece must be as short as they are
  const most = host.size * (piece.text.trim().length <= 3 && Math.abs(raised) > host.size * 0.25 ? 1 : 0.85);
  if (piece.size > most || raised > host.size * 0.7 || raised < host.size * -0.5) return false;
  return Math.min(Math.abs(piece.x - host.end), Math.abs(host.x - piece.end)) < host.size * 0.3;
}
