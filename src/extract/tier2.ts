import type { Names } from "../core/extract.ts";
import type { NodeId } from "../core/fact.ts";
import type { Complete, Message } from "../core/llm.ts";
import type { SourceRecord } from "../core/record.ts";
import { parseReply, type Relation, Reply } from "./model-reply.ts";
import { knownNames, repairPrompt, shownRecord, system, userPrompt } from "./prompts.ts";

/** One text to be read: a short record whole, or a window of a long one. */
export interface Passage {
  readonly record: SourceRecord;
  readonly own: NodeId | null;
  readonly text: string;
}

export interface Answered {
  /** Relations by the passage's place in the batch; null when the reply could not be used, even after a repair. */
  readonly relations: readonly (readonly Relation[])[] | null;
  readonly model: string;
  readonly calls: number;
  readonly costUsd: number;
}

/** Tokens of reply for each passage; a relation takes about 60. */
const replyTokens = 400;

/**
 * Tier 2: several short texts in one call of the cheap model. A reply that is no JSON of the asked shape is asked for once
 * more, with the error; then it counts as unusable.
 * @throws ContextError LLM_* when no reply came at all
 */
export function readBatch(passages: readonly Passage[], names: Names, complete: Complete, signal: AbortSignal): Promise<Answered> {
  return ask(passages, names, complete, "cheap", signal);
}

/** One call, and at most one repair, on the model of a tier. */
export async function ask(
  passages: readonly Passage[],
  names: Names,
  complete: Complete,
  tier: "cheap" | "frontier",
  signal: AbortSignal,
): Promise<Answered> {
  const shown = passages.map((passage, index) => shownRecord(passage.record, index + 1, passage.text, passage.own));
  const known = knownNames(names, passages.map((passage) => passage.text).join("\n"));
  const messages: Message[] = [
    { role: "system", content: system },
    { role: "user", content: userPrompt(shown, known) },
  ];
  let calls = 0;
  let costUsd = 0;
  let model = "";
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const completion = await complete(
      {
        tier,
        purpose: "extract",
        messages,
        maxTokens: replyTokens * Math.max(2, passages.length),
        schema: { name: "relations", shape: Reply },
      },
      signal,
    );
    calls += 1;
    costUsd += completion.usage.costUsd;
    model = completion.usage.model;
    try {
      const reply = parseReply(completion.text);
      const relations = passages.map((_, index) =>
        reply.records.filter((record) => record.n === index + 1).flatMap((record) => record.relations),
      );
      return { relations, model, calls, costUsd };
    } catch (error) {
      messages.push(
        { role: "assistant", content: completion.text.slice(0, 4000) },
        { role: "user", content: repairPrompt(error instanceof Error ? error.message : String(error)) },
      );
    }
  }
  return { relations: null, model, calls, costUsd };
}
