import type { Chunk, SearchFilter } from "../core/chunk.ts";
import { passageText } from "../core/passage.ts";
import { type Asked, holds, holdsLookAlike, readIdentifiers } from "./identifiers.ts";
import type { SearchStore } from "./search-store.ts";

export interface Literal {
  /** Chunks that hold an asked identifier letter for letter, best first for each identifier. */
  readonly chunkIds: ReadonlySet<string>;
  /** Identifiers, as written, that no chunk holds. */
  readonly missing: readonly string[];
}

/** Looks for each identifier of a question letter for letter. */
export function findLiterals(asked: readonly Asked[], most: number, filter: SearchFilter, { chunks }: SearchStore): Literal {
  const chunkIds = new Set<string>();
  const missing: string[] = [];
  for (const one of asked) {
    const hits =
      one.kind === "phrase"
        ? chunks.matchPhrase(one.text, most, filter)
        : (spellings(one)
            .map((spelling) => chunks.matchIdentifiers([spelling], most, filter))
            .find((found) => found.length > 0) ?? []);
    if (hits.length === 0) missing.push(one.text);
    for (const { chunkId } of hits) chunkIds.add(chunkId);
  }
  return { chunkIds, missing };
}

/** As written first; a course or error number may also stand with a hyphen, joined, or with a blank. */
function spellings({ kind, text }: Asked): readonly string[] {
  const parts = /^(\p{L}{2,8})([ -])(\d+[A-Za-z]?)$/u.exec(text);
  if (kind !== "key" || parts === null) return [text];
  const [, letters, mark, number] = parts;
  return mark === " " ? [text, `${letters}-${number}`, `${letters}${number}`] : [text];
}

/** Says of each candidate whether it holds an asked identifier, and whether it only holds look-alikes. */
export function judgeLiteral(
  chunk: Chunk,
  asked: readonly Asked[],
  known: ReadonlySet<string>,
): { readonly literal: boolean; readonly lookAlike: boolean } {
  if (asked.length === 0) return { literal: false, lookAlike: false };
  if (known.has(chunk.id)) return { literal: true, lookAlike: false };
  const record = chunk.span.record;
  const { tokens, flat } = readIdentifiers(`${passageText(chunk)}\n${record.slice(record.indexOf(":") + 1)}`);
  const literal = asked.some((one) => holds(tokens, flat, one));
  return { literal, lookAlike: !literal && holdsLookAlike(tokens, asked) };
}
