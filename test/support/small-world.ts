import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { type AskDeps, createAsk } from "../../src/answer/ask.ts";
import { documentGatherer } from "../../src/answer/documents.ts";
import { nothing } from "../../src/answer/run.ts";
import type { Answer, AnswerEvent, AskOptions, Gather, Gathered, Statement } from "../../src/core/answer.ts";
import type { Chunk, Passage, Search } from "../../src/core/chunk.ts";
import { identifierTokens } from "../../src/core/identifiers.ts";
import type { RecordId, SourceRecord } from "../../src/core/record.ts";
import { terms } from "../../src/core/words.ts";
import { answerTable } from "../../src/store/answers.ts";
import { chunkOf, documentOf } from "./shapes.ts";

/** A handful of one-chunk records for tests, searched by shared words: small enough to foresee every answer. */
export function smallWorld(texts: Readonly<Record<string, string>>) {
  const records = new Map<string, SourceRecord>();
  const hashes = new Map<string, string>();
  const chunks = new Map<string, Chunk>();
  const put = (name: string, body: string): void => {
    const id: RecordId = `documents:${name}`;
    const url = `https://example.org/${name}`;
    records.set(id, documentOf(id, body, { title: name, url }));
    hashes.set(id, `${name}:${body.length}:${body}`);
    chunks.set(id, chunkOf(id, body, { revision: body, title: name, url }));
  };
  for (const [name, body] of Object.entries(texts)) put(name, body);

  const search: Search = async (query, options) => {
    const asked = new Set(terms(query));
    const identifiers = identifierTokens(query);
    const everything = new Set([...chunks.values()].flatMap(({ text }) => identifierTokens(text)));
    const passages = [...chunks.values()]
      .map((chunk): { passage: Passage; score: number } => {
        const held = new Set(terms(chunk.text));
        const score = [...asked].filter((word) => held.has(word)).length / Math.max(1, asked.size);
        const literal = identifiers.some((token) => identifierTokens(chunk.text).includes(token));
        const ranks = { bm25Rank: null, vectorRank: null, cosine: score, rrf: null, rerank: null, literal };
        return { passage: { chunk, edges: [], ranks }, score };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, options.k ?? 5)
      .map(({ passage }) => passage);
    return { query, identifiers, missing: identifiers.filter((token) => !everything.has(token)), passages, timings: {} };
  };

  const db = new Database(":memory:");
  for (const file of ["0003-answers.sql", "0006-answers-seen.sql"])
    db.exec(readFileSync(new URL(`../../src/store/migrations/${file}`, import.meta.url), "utf8"));
  let ids = 0;
  const state = { generation: 1, searches: 0 };
  const deps: AskDeps = {
    agent: null,
    documents: documentGatherer({
      search: (query, options, signal) => {
        state.searches += 1;
        return search(query, options, signal);
      },
      embedder: null,
    }),
    revision: (id) => hashes.get(id) ?? null,
    chunkAt: (record, start, end) => {
      const chunk = chunks.get(record);
      return chunk !== undefined && start >= chunk.span.start && end <= chunk.span.end ? chunk : null;
    },
    answers: answerTable(db),
    generation: () => String(state.generation),
    models: "none",
    coverage: () => [{ source: "documents", syncedUntil: "2026-03-12T00:00:00Z", stale: false }],
    complete: null,
    now: () => new Date("2026-03-12T02:10:00Z"),
    clock: () => 0,
    newId: () => `id${++ids}`,
  };
  return { deps, put, state, drop: (name: string) => void hashes.delete(`documents:${name}`) };
}

/** A gatherer that gives what it is told to. */
export function gathering(statements: readonly Statement[], also: Partial<Gathered> = {}): Gather {
  return async function* () {
    const call = { tool: "get_service_context", arguments: { service: "checkout-api" }, ms: 0, found: statements.length };
    yield { type: "tool", call };
    return { ...nothing, statements, toolCalls: [call], ...also };
  };
}

/** A gatherer that fails. */
export function breaking(error: Error): Gather {
  // biome-ignore lint/correctness/useYield: it fails before it reports anything
  return async function* () {
    throw error;
  };
}

export interface Asked {
  readonly answer: Answer;
  readonly events: readonly AnswerEvent[];
  /** "guard+", "verify-": the stages with their verdicts, in order. */
  readonly path: readonly string[];
}

export async function askOnce(deps: AskDeps, question: string, options: Partial<AskOptions> = {}): Promise<Asked> {
  const events: AnswerEvent[] = [];
  const run = createAsk(deps)(question, { signal: new AbortController().signal, ...options });
  for (;;) {
    const step = await run.next();
    if (step.done === true) {
      const path = step.value.trace.stages.map(({ name, detail }) =>
        name === "refuse" ? name : `${name}${detail.ok === true ? "+" : "-"}`,
      );
      return { answer: step.value, events, path };
    }
    events.push(step.value);
  }
}
