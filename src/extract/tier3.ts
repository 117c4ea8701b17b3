import type { Names } from "../core/extract.ts";
import type { NodeId } from "../core/fact.ts";
import type { Complete } from "../core/llm.ts";
import type { SourceRecord } from "../core/record.ts";
import type { Relation } from "./model-reply.ts";
import { type Answered, ask } from "./tier2.ts";

/** Characters shown at a time, about 3,000 tokens: a model overlooks relations in longer texts. */
const windowSize = 12_000;
const mostWindows = 4;

/**
 * One long text, window by window: tier 3 on the frontier model, tier 2 on the cheap one. Of a very long page the windows that name the most are
 * read, in their order, so that a handbook of 26,000 words can not cost a hundred times what a page costs.
 * @throws ContextError LLM_*
 */
export async function readLong(
  record: SourceRecord,
  own: NodeId | null,
  names: Names,
  complete: Complete,
  tier: "cheap" | "frontier",
  signal: AbortSignal,
): Promise<Answered> {
  const relations: Relation[] = [];
  let [calls, costUsd, model, usable] = [0, 0, "", 0];
  for (const text of windowsOf(record.body.slice(0, record.proseEnd), names)) {
    const answered = await ask([{ record, own, text }], names, complete, tier, signal);
    calls += answered.calls;
    costUsd += answered.costUsd;
    model = answered.model;
    const [found] = answered.relations;
    if (!found) continue;
    usable += 1;
    relations.push(...found);
  }
  return { relations: [usable === 0 ? null : relations], model, calls, costUsd };
}

/** Windows cut at blank lines, the most promising ones in their order. */
export function windowsOf(text: string, names: Names): string[] {
  if (text.length <= windowSize) return [text];
  const windows: { readonly text: string; readonly at: number; readonly named: number }[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + windowSize);
    if (end < text.length) {
      const paragraph = text.lastIndexOf("\n\n", end);
      if (paragraph > start + windowSize / 2) end = paragraph;
    }
    const part = text.slice(start, end);
    windows.push({ text: part, at: start, named: new Set(names.scan(part).flatMap((match) => match.nodes)).size });
    start = end;
  }
  return windows
    .sort((a, b) => b.named - a.named || a.at - b.at)
    .slice(0, mostWindows)
    .sort((a, b) => a.at - b.at)
    .map((window) => window.text);
}
