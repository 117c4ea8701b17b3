/** A citation mark with the white space before it: "[3]", " [1][2]". */
const MARKS = /\s*\[\d+\](?:\s*\[\d+\])*/y;

/** Emphasis and code marks, which claims come without. */
const EMPHASIS = /\*\*|__|`/y;

/** The text without citation and emphasis marks, and for each of its signs where it stood. */
function plainOf(text) {
  let plain = "";
  const origin = [];
  for (let i = 0; i < text.length; i += 1) {
    const skipped = matchAt(MARKS, text, i) ?? matchAt(EMPHASIS, text, i);
    if (skipped !== null) {
      i += skipped.length - 1;
      continue;
    }
    const sign = /\s/.test(text[i]) ? " " : text[i];
    if (sign === " " && plain.endsWith(" ")) continue;
    plain += sign;
    origin.push(i);
  }
  return { plain, origin };
}

/** What a sticky expression matches at a place, or null. */
function matchAt(expression, text, at) {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? null;
}

/**
 * Cuts an answer into its sentences, each with the claim that was checked for it.
 * Text that no claim covers comes as pieces of its own, so nothing of the answer is ever left out.
 * @returns {{ text: string, claim: object | null }[]}
 */
export function sentencesOf(answer, claims) {
  const { plain, origin } = plainOf(answer);
  const spans = [];
  let from = 0;
  for (const claim of claims) {
    const wanted = plainOf(claim.text)
      .plain.trim()
      .replace(/[.!?]$/, "");
    const found = wanted === "" ? -1 : plain.indexOf(wanted, from);
    if (found < 0) continue;
    spans.push({ start: origin[found], claim });
    from = found + wanted.length;
  }
  const starts = spans.map(({ start }) => start);
  const pieces = spans.map(({ start, claim }, at) => ({ start, end: starts[at + 1] ?? answer.length, claim }));
  if (starts[0] !== 0) pieces.unshift({ start: 0, end: starts[0] ?? answer.length, claim: null });
  return whole(pieces, answer).map(({ start, end, claim }) => ({ text: withoutBullets(answer.slice(start, end)), claim }));
}

function withoutBullets(text) {
  return text
    .trim()
    .replace(/^[-*•](\s+|$)/, "")
    .replace(/\s+[-*•]$/, "");
}

const RANK = ["SUPPORTED", "UNCERTAIN", "UNSUPPORTED"];

/** Joins pieces of one sentence that was checked in parts: it is as good as its worst part. Empty ones are left out. */
function whole(pieces, answer) {
  const sentences = [];
  let open = null;
  for (const piece of pieces) {
    const text = withoutBullets(answer.slice(piece.start, piece.end));
    if (text === "") continue;
    open = open === null ? piece : { start: open.start, end: piece.end, claim: worse(open.claim, piece.claim) };
    if (!/[.!?:;"”)\]]$/.test(text)) continue;
    sentences.push(open);
    open = null;
  }
  return open === null ? sentences : [...sentences, open];
}

function worse(a, b) {
  if (a === null || b === null) return a ?? b;
  const worst = RANK.indexOf(a.label) > RANK.indexOf(b.label) ? a : b;
  const evidence = [...(a.evidence ?? []), ...(b.evidence ?? [])];
  return evidence.length === 0 ? worst : { ...worst, evidence };
}

/** A text as runs of words and citation numbers: ["Redis has a TTL ", 1, "."]. */
export function withNumbers(text) {
  return text.split(/\[(\d+)\]/).map((part, at) => (at % 2 === 1 ? Number(part) : part));
}
