import { related } from "./align.ts";
import { holds, isSlip } from "./asking.ts";
import { loadLexicon } from "./lexicon.ts";
import { stemOf, type Token } from "./tokens.ts";

const acronym = /^\p{Lu}{2,5}$/u;

/** By a word of its family, with a slip of the pen, in a joined word, by a synonym, an acronym or what that stands for. */
export function isSpokenOf(token: Token, here: readonly Token[], question: readonly Token[]): boolean {
  const parts = token.folded.split(/[-/._:@]/);
  if (parts.length > 1) return isJoinedSpokenOf(token, parts, here);
  if (here.some((other) => !other.mark && standsFor(token, other, question))) return true;
  // "rolling back" for a rollback
  if (here.some(({ stem }, at) => token.folded === stem + (here[at + 1]?.folded ?? ""))) return true;
  if (isSpelledOut(token.text, here)) return true;
  // "recovery time objective" for RTO
  const at = question.indexOf(token);
  return here.some(({ text, folded: { length }, folded }) => {
    return acronym.test(text) && initialsOf(question.slice(Math.max(0, at - length + 1), at + length)).includes(folded);
  });
}

/** "checkout-api" is neither "billing-api" nor a checkout: all of its parts in one word or one behind the other. */
function isJoinedSpokenOf(token: Token, parts: readonly string[], here: readonly Token[]): boolean {
  const compact = parts.join("");
  return here.some((_, at) => {
    let joined = "";
    for (const { folded } of here.slice(at, at + parts.length)) {
      joined += folded.replace(/[-/._:@]/g, "");
      if (joined === compact || stemOf(joined) === stemOf(compact)) return true;
    }
    return here[at]?.folded.includes(token.folded) === true;
  });
}

/** "Recovery time objective", where the question has RTO. */
export function isSpelledOut(word: string, here: readonly Token[]): boolean {
  return acronym.test(word) && initialsOf(here).includes(word.toLowerCase());
}

function standsFor(token: Token, other: Token, question: readonly Token[]): boolean {
  if (/\d/.test(token.folded)) return token.folded === other.folded || other.folded.split(/[-/._:@]/).includes(token.folded);
  if (holds([other], token) || isSlip(token, other) || related(token.stem, other.stem)) return true;
  // "rate" in BounceRateHigh
  if (token.folded.length >= 4 && other.folded.length > token.folded.length + 3 && other.folded.includes(token.folded)) return true;
  // a word that the question has itself stands for that one: a "tail" is also a "seat"
  if (question.some(({ stem }) => stem === other.stem)) return false;
  const { kind, relation } = loadLexicon();
  const [ours, theirs] = [token, other].map(({ folded }) => kind(folded, folded));
  // "red" and "blue" are near one another in a dictionary, and not the same; nor is the noun "seat" the verb "take"
  return ours === theirs && ours !== "adjective" && relation(token.folded, other.folded) === "same";
}

function initialsOf(tokens: readonly Token[]): string {
  return tokens.map(({ mark, folded }) => (mark ? " " : (folded[0] ?? ""))).join("");
}
