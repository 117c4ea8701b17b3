import { slipped } from "./near-names.ts";
import { functionWords, timeWords } from "./understood-words.ts";
import { talkWords } from "./vocabulary.ts";

const known = [functionWords, talkWords, timeWords];
const corrected = new Map<string, string>();
const MOST_KEPT = 2000;

/** A masked question with slips of the keyboard in the words of asking put right: "happend" is "happened". Names are masked before. */
export function spelled(masked: string): string {
  return masked.replace(/(?<![\p{L}\p{N}⟨_'’-])\p{L}{6,}(?![\p{L}\p{N}⟩_'’-])/gu, (word) => {
    const kept = corrected.get(word);
    if (kept !== undefined) return kept;
    const right = known.some((words) => words.has(word)) ? word : ([...talkWords].find((one) => slipped(word, one)) ?? word);
    if (corrected.size < MOST_KEPT) corrected.set(word, right);
    return right;
  });
}
