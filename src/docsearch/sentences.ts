/** Words that end with a full stop inside a sentence. */
const abbreviations = new Set(
  "e.g i.e etc vs cf al fig eq no nos vol pp approx ca mr mrs ms dr prof st jr sr inc ltd co corp dept est min max sec resp incl".split(
    " ",
  ),
);

const boundary = /[.!?\u2026]+["'\u201d\u2019)\]]*\s+|[\u3002\uff01\uff1f]+["'\u201d\u2019)\]]*\s*/gu;

/** Start offsets of the sentences of text[start, end), the first being `start` itself. Linear in the text. */
export function sentenceStarts(text: string, start: number, end: number): number[] {
  const starts = [start];
  boundary.lastIndex = start;
  for (let match = boundary.exec(text); match !== null && match.index < end; match = boundary.exec(text)) {
    const next = match.index + match[0].length;
    if (next >= end) break;
    if (endsSentence(text, match.index, next)) starts.push(next);
  }
  return starts;
}

function endsSentence(text: string, stop: number, next: number): boolean {
  if (text[stop] !== ".") return true;
  if (text[stop + 1] === ".") return true;
  const before = text[stop - 1] ?? "";
  if (before === " ") return true;
  const follows = String.fromCodePoint(text.codePointAt(next) ?? 0);
  if (/\p{Ll}/u.test(follows)) return false;
  const word = /[\p{L}.]{1,8}$/u.exec(text.slice(Math.max(0, stop - 8), stop))?.[0] ?? "";
  if (/^\p{Lu}$/u.test(word) && /\p{Lu}/u.test(follows)) return false;
  return !abbreviations.has(word.toLowerCase());
}
