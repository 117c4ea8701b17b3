import type { Chunk } from "./chunk.ts";

/**
 * What search reads of a chunk: its record's title and headings, where the text does not begin with them, then the text.
 * A paragraph seldom says itself which service or page it is about. Embedder, lexical index and reranker all read this.
 */
export function passageText(chunk: Pick<Chunk, "title" | "heading" | "text">): string {
  const opening = chunk.text.slice(0, 400).toLowerCase();
  const context = [chunk.title, ...chunk.heading].filter((part) => part !== "" && !opening.includes(part.toLowerCase()));
  return context.length === 0 ? chunk.text : `${context.join(" \u203a ")}\n${chunk.text}`;
}
