import type { NodeKind } from "../core/fact.ts";
import type { StoredExtractions } from "../core/graph.ts";
import type { RecordId } from "../core/record.ts";

/**
 * Stored extractions without those of some records, as if these had never been stored. The set may grow and shrink meanwhile;
 * a graph that has read a record already is told of it by `hold`.
 */
export function without(stored: StoredExtractions, left: ReadonlySet<RecordId>): StoredExtractions {
  const isSeen = (record: RecordId): boolean => !left.has(record);
  const isSpokenOf = (node: string): boolean => {
    for (const record of stored.speakers(node, "anything")) if (isSeen(record)) return true;
    return false;
  };
  function* nodesOf(kind: NodeKind): Generator<string, void> {
    for (const node of stored.nodesOf(kind)) if (isSpokenOf(node)) yield node;
  }
  return {
    speakingOf: (node, said, wanted) => stored.speakingOf(node, said, (record) => isSeen(record) && wanted(record)),
    *speakers(node, of) {
      for (const record of stored.speakers(node, of)) if (isSeen(record)) yield record;
    },
    nodesOf,
    countNodes(kind) {
      let count = 0;
      for (const _ of nodesOf(kind)) count += 1;
      return count;
    },
    ofRecord: (record) => (isSeen(record) ? stored.ofRecord(record) : null),
    *commitTimes(from, before) {
      for (const row of stored.commitTimes(from, before)) if (isSeen(row.record)) yield row;
    },
    page: (after, limit, wanted) => stored.page(after, limit, (record) => isSeen(record) && wanted(record)),
  };
}
