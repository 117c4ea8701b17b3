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
  /** Relations by the passage's place in the batch; null for one that no usable reply spoke of, even after a repair. */
  readonly relations: readonly (readonly Relation[] | null)[];
  readonly model: string;
  readonly calls: number;
  readonly costUsd: number;
}

/** Tokens of reply for each passage; a relation takes about 60. */
const replyTokens = 400;

/**
 * Tier 2: several short texts in one call of the cheap model.
 * @throws ContextError LLM_* when no reply came at all
 */
export function readBatch(passages: readonly Passage[], names: Names, complete: Complete, signal: AbortSignal): Promise<Answered> {
  return ask(passages, names, complete, "cheap", signal);
}

/**
 * One call, and at most one repair, on the model of a tier. A reply that is no JSON of the asked shape is asked for once more,
 * with the error; of one that broke off, what came is kept and the passages that it had not reached are asked for once more.
 */
export async function ask(
  passages: readonly Passage[],
  names: Names,
  complete: Complete,
  tier: "cheap" | "frontier",
  signal: AbortSignal,
): Promise<Answered> {
  const relations: (readonly Relation[] | null)[] = passages.map(() => null);
  let messages = promptFor(passages, passages, names);
  let [calls, costUsd, model] = [0, 0, ""];
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
      for (const index of passages.keys()) relations[index] ??= reply.records.get(index + 1) ?? (reply.whole ? [] : null);
      const open = passages.filter((_, index) => relations[index] === null);
      if (open.length === 0) break;
      messages = promptFor(passages, open, names);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      messages = [
        ...messages,
        { role: "assistant", content: completion.text.slice(0, 4000) },
        { role: "user", content: repairPrompt(problem) },
      ];
    }
  }
  return { relations, model, calls, costUsd };
}

/** Passages keep their numbers in a batch, whichever of them are asked for. */
function promptFor(batch: readonly Passage[], asked: readonly Passage[], names: Names): Message[] {
  const shown = asked.map((passage) => shownRecord(passage.record, batch.indexOf(passage) + 1, passage.text, passage.own));
  const known = knownNames(names, asked.map((passage) => passage.text).join("\n"));
  return [
    { role: "system", content: system },
    { role: "user", content: userPrompt(shown, known) },
  ];
}
