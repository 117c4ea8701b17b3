import type { Passage } from "../core/chunk.ts";
import type { Span } from "../core/record.ts";

/** Numbers, from 1, of the passages that hold one of the places. */
export function numbersOfPlaces(passages: readonly Passage[], places: readonly Span[]): number[] {
  return passages.flatMap(({ chunk }, at) => (places.some((place) => overlap(chunk.span, place)) ? [at + 1] : []));
}

function overlap(a: Span, b: Span): boolean {
  return a.record === b.record && a.start < b.end && b.start < a.end;
}
