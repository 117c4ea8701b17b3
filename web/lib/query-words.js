const WORD = /[\p{L}\p{N}_-]{3,}/gu;

/**
 * Where a text has the words of a query, in order; words are compared, never run as a pattern.
 * @returns {[number, number][]}
 */
export function wordSpots(text, query) {
  const wanted = new Set(query.toLowerCase().match(WORD) ?? []);
  return [...text.matchAll(WORD)]
    .filter(([word]) => wanted.has(word.toLowerCase()))
    .map(({ 0: word, index }) => [index, index + word.length]);
}

/** The part of a text, about `length` long, that has the most different words of the query; the beginning where none has more. */
export function excerpt(text, query, length) {
  if (text.length <= length) return text;
  const spots = wordSpots(text, query);
  let best = { words: 0, start: 0 };
  for (const [from] of spots) {
    const start = from < length / 2 ? 0 : text.lastIndexOf(" ", from - length / 6) + 1;
    const within = spots.filter(([a, b]) => a >= start && b <= start + length);
    const words = new Set(within.map(([a, b]) => text.slice(a, b).toLowerCase())).size;
    if (words > best.words) best = { words, start };
  }
  const end = best.start + length;
  return `${best.start > 0 ? "…" : ""}${text.slice(best.start, end).trimEnd()}${end < text.length ? "…" : ""}`;
}

/** A text as runs with and without marks: `[text, isMarked]`. */
export function runsOf(text, spots) {
  const runs = [];
  let at = 0;
  for (const [start, end] of spots) {
    runs.push([text.slice(at, start), false], [text.slice(start, end), true]);
    at = end;
  }
  return [...runs, [text.slice(at), false]].filter(([run]) => run !== "");
}
