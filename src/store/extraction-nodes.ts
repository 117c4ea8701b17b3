import type { Database } from "better-sqlite3";
import type { Extraction } from "../core/fact.ts";
import type { StoredExtractions } from "../core/graph.ts";
import type { RecordId } from "../core/record.ts";

interface Row {
  readonly record: RecordId;
  readonly result: string;
}

/** Extractions by the nodes that they speak of. The rows that this looks in are kept by triggers (migration 8). */
export function extractionNodes(db: Database): StoredExtractions {
  const speaking = db.prepare<[string, number], Row>(
    `SELECT e.record_id AS record, e.result AS result FROM extraction_nodes n JOIN extractions e ON e.number = n.extraction
     WHERE n.node = ? AND n.edges = ?`,
  );
  const first = db.prepare<[string], number>("SELECT 1 FROM extraction_nodes WHERE node = ? AND edges = 1 LIMIT 1").pluck();
  // one step a node: a service has more rows than there are services
  const next = db
    .prepare<[string, string], string>("SELECT node FROM extraction_nodes WHERE node > ? AND node < ? ORDER BY node LIMIT 1")
    .pluck();
  const count = db
    .prepare<[string, string], number>("SELECT count(*) FROM (SELECT DISTINCT node FROM extraction_nodes WHERE node > ? AND node < ?)")
    .pluck();
  const ofRecord = db.prepare<[string], string>("SELECT result FROM extractions WHERE record_id = ?").pluck();
  const page = db
    .prepare<[string, number], string>("SELECT result FROM extractions WHERE record_id > ? ORDER BY record_id LIMIT ?")
    .pluck();
  const read = (result: string): Extraction => JSON.parse(result) as Extraction;

  return {
    speakingOf(node, edges, wanted) {
      const found: Extraction[] = [];
      for (const { record, result } of speaking.iterate(node, edges ? 1 : 0)) if (wanted(record)) found.push(read(result));
      return found;
    },
    hasEdgesAt: (node) => first.get(node) !== undefined,
    *nodesOf(kind) {
      // ";" follows ":"
      for (let node: string | undefined = `${kind}:`; ; ) {
        node = next.get(node, `${kind};`);
        if (node === undefined) return;
        yield node;
      }
    },
    countNodes: (kind) => Number(count.get(`${kind}:`, `${kind};`)),
    ofRecord(record) {
      const result = ofRecord.get(record);
      return result === undefined ? null : read(result);
    },
    page: (after, limit) => page.all(after, limit).map(read),
  };
}
