import type { Chunk, SearchFilter } from "../core/chunk.ts";
import { foldIdentifier } from "../core/identifiers.ts";
import { passageText } from "../core/passage.ts";
import { type Asked, holds, holdsLookAlike, readIdentifiers } from "./identifiers.ts";
import type { SearchStore } from "./search-store.ts";
import type { SearchSettings } from "./settings.ts";

export interface Literal {
  /** Chunks that hold an asked identifier letter for letter, best first for each identifier. */
  readonly chunkIds: ReadonlySet<string>;
  /** Identifiers, as written, that no chunk holds. */
  readonly missing: readonly string[];
}

/** Matches looked up for one identifier, and for one quoted phrase. */
type Limits = Pick<SearchSettings, "literals" | "phrases">;

/** Looks for each identifier of a question letter for letter. */
export function findLiterals(
  asked: readonly Asked[],
  { literals, phrases }: Limits,
  filter: SearchFilter,
  { chunks }: SearchStore,
): Literal {
  const chunkIds = new Set<string>();
  const missing: string[] = [];
  for (const one of asked) {
    const hits =
      one.kind === "phrase"
        ? chunks.matchPhrase(one.text, phrases, filter)
        : (spellings(one)
            .map((spelling) => chunks.matchIdentifiers([spelling], literals, filter))
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

/**
 * Says of a candidate whether it holds something asked for letter for letter, whether that is an identifier (not only a
 * quoted phrase), and whether it holds only look-alikes.
 */
export function judgeLiteral(
  chunk: Chunk,
  asked: readonly Asked[],
): { readonly literal: boolean; readonly named: boolean; readonly lookAlike: boolean } {
  if (asked.length === 0) return { literal: false, named: false, lookAlike: false };
  const record = chunk.span.record;
  const { tokens, flat } = readIdentifiers(`${passageText(chunk)}\n${record.slice(record.indexOf(":") + 1)}`);
  const held = asked.filter((one) =>
    spellings(one).some((text) => holds(tokens, flat, { ...one, token: one.kind === "phrase" ? one.token : foldIdentifier(text) })),
  );
  const named = held.some(({ kind }) => kind !== "phrase");
  return { literal: held.length > 0, named, lookAlike: held.length === 0 && holdsLookAlike(tokens, asked) };
}
