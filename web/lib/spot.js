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
