/** A text with white space as single spaces and in lower case, and where each of its signs stood. */
function folded(text) {
  let plain = "";
  const origin = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = /\s/.test(text[at]) ? " " : text[at];
    if (sign === " " && (plain === "" || plain.endsWith(" "))) continue;
    plain += sign.toLowerCase().slice(0, 1);
    origin.push(at);
  }
  return { plain, origin };
}

/**
 * The places that a claim names in one of its sources, as places in the paragraph that is shown; overlapping ones as one.
 * @returns {[number, number][]} in order
 */
export function namedSpots(citation, claim) {
  const length = citation.text.length;
  const spots = (claim?.evidence ?? [])
    .filter(({ n }) => n === citation.n)
    .map(({ start, end }) => [Math.max(0, start - citation.charStart), Math.min(length, end - citation.charStart)])
    .filter(([start, end]) => start < end)
    .sort((a, b) => a[0] - b[0]);
  const joined = [];
  for (const [start, end] of spots) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/**
 * Where a paragraph says what a sentence says: the sentence itself, or what it quotes.
 * @returns {[number, number] | null} start and end in the paragraph; null: as a whole
 */
export function spotOf(paragraph, sentence) {
  const { plain, origin } = folded(paragraph);
  const whole = sentence
    .replace(/\s*\[\d+\]/g, "")
    .replace(/\s+[-*•]$/, "")
    .trim();
  const quoted = whole.split(/["“”]/).filter((part, at) => at % 2 === 1 && part.length >= 8);
  for (const wanted of [whole, ...quoted]) {
    const text = folded(wanted)
      .plain.trim()
      .replace(/[.!?]$/, "")
      .replace(/^[-*•]\s+/, "");
    const start = text.length < 4 ? -1 : plain.indexOf(text);
    if (start >= 0) return [origin[start], origin[start + text.length - 1] + 1];
  }
  return null;
}
