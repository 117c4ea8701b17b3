import type { Names } from "../core/extract.ts";
import type { Extraction, NodeId } from "../core/fact.ts";
import type { Complete } from "../core/llm.ts";
import type { SourceRecord } from "../core/record.ts";
import { instructsReader } from "./guards.ts";
import { linkRelations, withModelFacts } from "./model-link.ts";
import type { Relation } from "./model-reply.ts";
import { promptVersion } from "./prompts.ts";
import { type Answered, readBatch } from "./tier2.ts";
import { readLong } from "./tier3.ts";

/** What a model made of a record, and what that cost. */
export interface Deepened {
  readonly extraction: Extraction;
  readonly calls: number;
  readonly costUsd: number;
}

export interface ModelReader {
  /** Names prompts and models; another version reads again. */
  readonly version: string;
  readonly concurrency: number;
  /** @throws ContextError LLM_* when no reply came; the record keeps its tier 1 result */
  deepen(record: SourceRecord, extraction: Extraction, names: Names, signal: AbortSignal): Promise<Deepened>;
}

interface Waiting {
  readonly record: SourceRecord;
  readonly extraction: Extraction;
  readonly names: Names;
  readonly signal: AbortSignal;
  readonly settle: (result: Deepened) => void;
  readonly fail: (error: unknown) => void;
}

/** Short records share a call up to these bounds. */
const mostInBatch = 8;
const mostCharacters = 6_000;
const longestShort = 2_500;

/**
 * Reads what the rules left open with models: tier 2 on the cheap one, several short records a call, tier 3 on the frontier
 * one. Records that are asked for at the same time are batched.
 * @param model names the models in the version, so that another model reads again
 */
export function createModelReader(complete: Complete, model: string, options: { readonly concurrency?: number } = {}): ModelReader {
  let queue: Waiting[] = [];
  const flush = (): void => {
    const waiting = queue;
    queue = [];
    for (const batch of batchesOf(waiting)) void readTogether(batch, complete);
  };
  return {
    version: `models ${promptVersion} ${model}`,
    concurrency: options.concurrency ?? mostInBatch,
    deepen(record, extraction, names, signal) {
      if (extraction.tier === 1 || instructsReader(record.body.slice(0, record.proseEnd)))
        return Promise.resolve({ extraction, calls: 0, costUsd: 0 });
      if (extraction.tier === 3 || record.proseEnd > longestShort) return deepenLong(record, extraction, names, complete, signal);
      return new Promise<Deepened>((settle, fail) => {
        if (queue.length === 0) queueMicrotask(flush);
        queue.push({ record, extraction, names, signal, settle, fail });
      });
    },
  };
}

function batchesOf(waiting: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = [];
  let characters = 0;
  for (const one of waiting) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= mostInBatch || characters + one.record.proseEnd > mostCharacters) {
      batches.push([one]);
      characters = one.record.proseEnd;
    } else {
      last.push(one);
      characters += one.record.proseEnd;
    }
  }
  return batches;
}

async function readTogether(batch: readonly Waiting[], complete: Complete): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  try {
    const passages = batch.map(({ record }) => ({ record, own: ownTicket(record), text: record.body.slice(0, record.proseEnd) }));
    const answered = await readBatch(passages, first.names, complete, first.signal);
    const characters = batch.reduce((sum, { record }) => sum + record.proseEnd, 0);
    for (const [index, one] of batch.entries()) {
      const share = characters === 0 ? 1 / batch.length : one.record.proseEnd / characters;
      one.settle(
        deepened(
          one.record,
          one.extraction,
          one.names,
          answered,
          answered.relations[index] ?? null,
          index === 0 ? answered.calls : 0,
          answered.costUsd * share,
        ),
      );
    }
  } catch (error) {
    for (const one of batch) one.fail(error);
  }
}

async function deepenLong(
  record: SourceRecord,
  extraction: Extraction,
  names: Names,
  complete: Complete,
  signal: AbortSignal,
): Promise<Deepened> {
  const answered = await readLong(record, ownTicket(record), names, complete, extraction.tier === 3 ? "frontier" : "cheap", signal);
  return deepened(record, extraction, names, answered, answered.relations[0] ?? null, answered.calls, answered.costUsd);
}

function deepened(
  record: SourceRecord,
  extraction: Extraction,
  names: Names,
  answered: Answered,
  relations: readonly Relation[] | null,
  calls: number,
  costUsd: number,
): Deepened {
  if (relations === null) {
    return {
      extraction: { ...extraction, tierReason: `${extraction.tierReason}; the reply of ${answered.model} could not be used` },
      calls,
      costUsd,
    };
  }
  const linked = linkRelations(record, ownTicket(record), relations, names, extraction.tier, answered.model);
  const reason = `${extraction.tierReason}; ${answered.model} stated ${relations.length}, borne out ${linked.facts.length}`;
  return { extraction: withModelFacts(extraction, linked.facts, reason), calls, costUsd };
}

function ownTicket(record: SourceRecord): NodeId | null {
  return (record.kind === "ticket" || record.kind === "issue") && record.fields.key !== undefined ? `ticket:${record.fields.key}` : null;
}
