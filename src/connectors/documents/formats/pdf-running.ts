import type { PageLine, PageRegion } from "./pdf-lines.ts";

type Page = readonly PageRegion[];

/**
 * Pages without their running headers and footers. Of two pages only what stands in their margins can be told to be one.
 * @param isInMargin whether a line stands at the very edge of its page (by number from 0)
 */
export function dropRunningLines(
  pages: readonly Page[],
  isInMargin: (line: PageLine, quarter: number, page: number) => boolean,
): readonly Page[] {
  if (pages.length < 2) return pages;
  const isPair = pages.length === 2;
  const edges = isPair
    ? pages.map((regions, i) => new Set(regions.flatMap(({ lines, quarter }) => lines.filter((line) => isInMargin(line, quarter, i)))))
    : pages.map(edgeLines);
  const least = isPair ? 2 : Math.max(3, pages.length * 0.4);
  const repeated = repeatedLines(edges, least);
  const offset = isPair ? null : pageNumberOffset(edges, least);
  const runs = (line: PageLine, i: number) =>
    edgeKeys(line).every((key) => repeated.has(key)) || (offset !== null && line.text.length < 120 && numbersOf(line).includes(i + offset));
  return pages.map((regions, i) => {
    const kept = regions
      .map((region) => ({ ...region, lines: region.lines.filter((line) => !(edges[i]?.has(line) && runs(line, i))) }))
      .filter((region) => region.lines.length > 0);
    // a page that would be left empty has nothing but these lines to say
    return kept.length > 0 ? kept : regions;
  });
}

/** The two topmost and the two lowest lines. */
function edgeLines(regions: Page): ReadonlySet<PageLine> {
  const lines = regions.flatMap((region) => region.lines).toSorted((a, b) => b.y - a.y);
  return new Set([...lines.slice(0, 2), ...lines.slice(-2)]);
}

/** Lines at the same height that say the same on many pages, apart from the page number. */
function repeatedLines(edges: readonly ReadonlySet<PageLine>[], least: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const lines of edges) for (const key of new Set([...lines].flatMap(edgeKeys))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
}

/** Page numbers stand at either end of a line, or are called so; numbers in its middle belong to the text. */
const pageNumber =
  /^(?:\d{1,5}|[ivxlc]{1,7})(?=$|[\s|.:])|(?<=^|[\s|.:-])(?:\d{1,5}|[ivxlc]{1,7})$|\b\d{1,5} ?(?:of|\/|von|de|sur) ?\d{1,5}\b|(?<=\bpage )\d{1,5}\b/gi;

/** A header's left and right part may stand apart on one page and be one line on another. */
function edgeKeys(line: PageLine): readonly string[] {
  return line.text.split(" | ").map((part) => `${Math.round(line.y / 12)} ${part.replace(pageNumber, "#")}`);
}

/** A header may name the section it stands over; its page number gives it away: it runs along with the pages. */
function pageNumberOffset(edges: readonly ReadonlySet<PageLine>[], least: number): number | null {
  const counts = new Map<number, number>();
  for (const [i, lines] of edges.entries()) {
    for (const offset of new Set([...lines].flatMap(numbersOf).map((number) => number - i)))
      counts.set(offset, (counts.get(offset) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best && best[1] >= least ? best[0] : null;
}

/** Numbers with which a line begins or ends. */
function numbersOf(line: PageLine): readonly number[] {
  const [first, last] = [/^\d{1,5}(?=$|[\s|])/.exec(line.text)?.[0], /(?<=^|[\s|])\d{1,5}$/.exec(line.text)?.[0]];
  return [first, last].flatMap((number) => (number === undefined ? [] : [Number(number)]));
}
