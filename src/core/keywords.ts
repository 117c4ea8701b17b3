import { findIdentifiers } from "./identifiers.ts";
import { foldWord, isStopWord } from "./words.ts";

/** Identifiers and content words of a question in their order, without repeats; the question itself when nothing is left. */
export function keywords(question: string): string {
  const kept: string[] = [];
  const identifiers = new Set(findIdentifiers(question).map(({ text }) => text));
  for (const word of [...identifiers, ...(question.match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? [])]) {
    const bare = word.replace(/[.-]+$/, "");
    if (isStopWord(foldWord(bare)) || kept.includes(bare)) continue;
    kept.push(bare);
  }
  return kept.length === 0 ? question : kept.join(" ");
}
