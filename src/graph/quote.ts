import type { SourceRecord, Span } from "../core/record.ts";
import { sentencesOf } from "../core/sentences.ts";

/** A sentence longer than this is mostly beside the point: then only what was read is quoted. */
const longest = 600;

/**
 * What a piece of evidence says, as it is to be read by people: the whole sentence, since a rule reads a part of it at a
 * time ("on A and on B" makes two edges), or the whole line of a file, a log or a stated field.
 */
export function quoteOf({ kind, body, proseEnd }: Pick<SourceRecord, "kind" | "body" | "proseEnd">, { start, end }: Span): string {
  const byLine = kind === "file" || kind === "log" || start >= proseEnd;
  const whole = byLine ? lineAround(body, start, end) : sentenceAround(body.slice(0, proseEnd), start, end);
  return whole !== null && whole.length <= longest ? whole : body.slice(start, end);
}

function lineAround(body: string, start: number, end: number): string {
  const after = body.indexOf("\n", Math.max(start, end - 1));
  return body.slice(body.lastIndexOf("\n", start - 1) + 1, after < 0 ? undefined : after).trim();
}

function sentenceAround(prose: string, start: number, end: number): string | null {
  const touched = sentencesOf(prose).filter((sentence) => sentence.start < end && sentence.end > start);
  const [first, last] = [touched[0], touched.at(-1)];
  return first === undefined || last === undefined ? null : prose.slice(Math.min(first.start, start), Math.max(last.end, end));
}
