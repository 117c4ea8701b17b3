import type { Claim, Statement } from "../core/answer.ts";
import type { Passage } from "../core/chunk.ts";
import type { Span } from "../core/record.ts";
import { withoutMarks } from "./marks.ts";

/** Places shown for one claim and source. */
const MOST_PLACES = 3;

/**
 * Where the cited paragraphs show a claim: the places that the sentence was made from. A sentence that is worded from edges
 * of the graph stands nowhere letter for letter, so without them a reader would have to look for it.
 * @param sources [N] of the claim is `sources[N - 1]`
 * @returns none where the sentence was not made from places: written by a model
 */
export function placesOf(
  claim: Pick<Claim, "text" | "citations">,
  statements: readonly Statement[],
  sources: readonly Passage[],
): NonNullable<Claim["evidence"]> {
  const said = flat(claim.text);
  if (said === "") return [];
  const spans = statements.filter(({ text }) => isSame(flat(text), said)).flatMap((statement) => statement.spans);
  return claim.citations.flatMap((n) => {
    const chunk = sources[n - 1]?.chunk;
    if (chunk === undefined) return [];
    const places = spans.flatMap((span) => within(span, chunk.span)).map(({ start, end }) => ({ n, start, end }));
    return places
      .filter((one, at) => places.findIndex(({ start, end }) => start === one.start && end === one.end) === at)
      .slice(0, MOST_PLACES);
  });
}

/** A claim may be one clause of a sentence, and a sentence may have lost its beginning. */
function isSame(statement: string, claim: string): boolean {
  return statement.includes(claim) || (statement !== "" && claim.includes(statement));
}

function flat(text: string): string {
  return withoutMarks(text)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.!?;,]+$/, "")
    .toLowerCase();
}

/** The part of a span that lies in another one of the same record. */
function within(inner: Span, outer: Span): readonly Span[] {
  const start = Math.max(inner.start, outer.start);
  const end = Math.min(inner.end, outer.end);
  return inner.record === outer.record && start < end ? [{ record: inner.record, start, end }] : [];
}
