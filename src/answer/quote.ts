import type { Statement } from "../core/answer.ts";
import type { Embedder, Passage } from "../core/chunk.ts";
import { sentencesOf } from "../core/sentences.ts";
import { terms } from "../core/words.ts";
import { speaksToAssistant } from "./instructions.ts";

export interface QuoteOptions {
  readonly embedder: Embedder | null;
  readonly signal: AbortSignal;
}

/** Answers by quoting: the sentences of the passages that answer the question, best first; none when support is too thin. */
export async function quote(question: string, passages: readonly Passage[], options: QuoteOptions): Promise<Statement[]> {
  const asked = new Set(terms(question));
  if (asked.size === 0) return [];
  const candidates = passages.flatMap((passage) => {
    const { text, span } = passage.chunk;
    return sentencesOf(text).flatMap(({ start, end }) => {
      const sentence = text.slice(start, end);
      if (speaksToAssistant(sentence)) return [];
      const held = new Set(terms(sentence));
      const share = [...asked].filter((word) => held.has(word)).length / asked.size;
      return [{ sentence, share, span: { record: span.record, start: span.start + start, end: span.start + end } }];
    });
  });
  candidates.sort((a, b) => b.share - a.share);
  options.signal.throwIfAborted();
  return candidates
    .filter(({ share }) => share >= 0.6)
    .slice(0, 2)
    .map(({ sentence, share, span }): Statement => ({ text: sentence, spans: [span], confidence: share, from: "quote" }));
}
