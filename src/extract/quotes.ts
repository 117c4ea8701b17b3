/**
 * Where a quote stands in a text, compared without case, white space, marks of emphasis, kinds of quotation marks and dashes,
 * and without the punctuation that a model adds around it.
 */
export function findQuote(text: string, quote: string): { readonly start: number; readonly end: number } | null {
  const asked = plain(quote).text;
  const bare = asked.replace(/^[."'[(]{1,3}|[.,;:"'\])]{1,3}$/g, "");
  if (bare.length < 4 || bare.length > 600) return null;
  const whole = plain(text);
  const exact = whole.text.indexOf(asked);
  const wanted = exact >= 0 ? asked : bare;
  const at = exact >= 0 ? exact : whole.text.indexOf(bare);
  if (at < 0) return null;
  const start = whole.offsets[at];
  const end = whole.offsets[at + wanted.length - 1];
  return start === undefined || end === undefined ? null : { start, end: end + 1 };
}

function plain(text: string): { readonly text: string; readonly offsets: readonly number[] } {
  let folded = "";
  const offsets: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    let character = text[at] ?? "";
    if (/[`*_\s…]/.test(character)) continue;
    if (/[“”„«»]/.test(character)) character = '"';
    else if (/[’‘]/.test(character)) character = "'";
    else if (/[–—]/.test(character)) character = "-";
    folded += character.toLowerCase()[0] ?? character;
    offsets.push(at);
  }
  return { text: folded, offsets };
}
