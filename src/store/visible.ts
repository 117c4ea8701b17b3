import type { Answer } from "../core/answer.ts";
import type { Chunk, SearchFilter } from "../core/chunk.ts";
import type { RecordId } from "../core/record.ts";
import type { AnswerTable, ChunkTable, RecordTable, Store } from "./store.ts";

/** What is read of a store to answer questions. */
export interface Reader {
  readonly records: Pick<RecordTable, "get" | "raw" | "hash" | "alike" | "ids" | "count">;
  readonly chunks: Pick<
    ChunkTable,
    "get" | "getMany" | "ofRecord" | "at" | "matchWords" | "matchIdentifiers" | "matchPhrase" | "documentFrequency" | "size"
  >;
  readonly vectors: Store["vectors"];
  readonly answers: AnswerTable;
}

/**
 * The store as it would be if it held only what is visible in some scopes: what is not does not exist here, and counts
 * nowhere. Each call asks the tables anew, so a record that became hidden is gone at once.
 */
export function visibleStore(store: Store, scopes: readonly number[]): Reader {
  const sees = (id: RecordId): boolean => store.scopes.sees(scopes, id);
  const within = (filter: SearchFilter): SearchFilter => ({ ...filter, scopes });
  const shown = (chunk: Chunk | null): Chunk | null => (chunk !== null && sees(chunk.span.record) ? chunk : null);
  /** Made by somebody who saw no more than this, of records that are still visible or gone altogether. */
  const mayShow = (answer: Answer | null): Answer | null => {
    const seen = answer === null ? null : store.answers.seen(answer.id);
    if (answer === null || seen === null || !seen.every((scope) => scopes.includes(scope))) return null;
    return answer.citations.every(({ recordId: id }) => sees(id as RecordId) || store.records.hash(id as RecordId) === null)
      ? answer
      : null;
  };
  return {
    records: {
      get: (id) => (sees(id) ? store.records.get(id) : null),
      raw: (id) => (sees(id) ? store.records.raw(id) : null),
      hash: (id) => (sees(id) ? store.records.hash(id) : null),
      alike: (start, limit) => store.records.alike(start, limit).filter(sees),
      *ids(source) {
        for (const id of store.records.ids(source)) if (sees(id)) yield id;
      },
      count: () => store.scopes.count(scopes),
    },
    chunks: {
      get: (id) => shown(store.chunks.get(id)),
      getMany: (ids) => new Map([...store.chunks.getMany(ids)].filter(([, chunk]) => sees(chunk.span.record))),
      ofRecord: (record) => (sees(record) ? store.chunks.ofRecord(record) : []),
      at: (record, start, end) => (sees(record) ? store.chunks.at(record, start, end) : null),
      matchWords: (words, k, filter) => store.chunks.matchWords(words, k, within(filter)),
      matchIdentifiers: (identifiers, k, filter) => store.chunks.matchIdentifiers(identifiers, k, within(filter)),
      matchPhrase: (phrase, k, filter) => store.chunks.matchPhrase(phrase, k, within(filter)),
      documentFrequency: (word) => store.chunks.documentFrequency(word, scopes),
      size: () => store.chunks.size(scopes),
    },
    // only ever asked for chunks that a search let through
    vectors: store.vectors,
    answers: {
      put: (answer, now, options) => store.answers.put(answer, now, { ...options, seen: scopes }),
      get: (id) => mayShow(store.answers.get(id)),
      cited: (id) => store.answers.cited(id),
      recall: (key) => mayShow(store.answers.recall(key)),
    },
  };
}
