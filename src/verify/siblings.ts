import { calendars } from "../core/opposites.ts";
import type { Mismatch, ReadClaim } from "./agree.ts";
import type { Alignment } from "./align.ts";
import type { Evidence } from "./evidence.ts";
import type { Token } from "./tokens.ts";

const colours: ReadonlySet<string> = new Set("red orange yellow green blue purple violet brown black white grey gray pink".split(" "));
/** Written small these are other words. */
const alsoWords = /^(?:march|may|august)$/;

/** "On Tuesday" where the sentence and its neighbours have Wednesday only: a day, month or colour in the place of another. */
export function otherSibling(
  { tokens: all, values }: ReadClaim,
  { sentences, titleTokens }: Evidence,
  { window }: Alignment,
): Mismatch | null {
  // a month of a whole date is compared with its day and year
  const tokens = all.filter(({ start, end }) => !values.some((value) => value.kind === "date" && start < value.end && value.start < end));
  const near = sentences.filter((_, at) => window.some((one) => Math.abs(one - at) <= 1)).flatMap((sentence) => sentence.tokens);
  const said = window.flatMap((at) => sentences[at]?.tokens ?? []);
  for (const family of [...calendars, colours]) {
    const is = (token: Token): boolean => family.has(token.folded) && (token.capital || !alsoWords.test(token.folded));
    const own = new Set(tokens.filter(is).map(({ folded }) => folded));
    const rival = said.find((token) => is(token) && !own.has(token.folded));
    if (own.size === 0 || rival === undefined) continue;
    const missing = tokens.find((token) => is(token) && ![...near, ...titleTokens].some((other) => other.folded === token.folded));
    if (missing !== undefined)
      return { kind: family === colours ? "word" : "date", reason: `"${missing.text}" is not in the source, which says "${rival.text}"` };
  }
  return null;
}
