import type { Database } from "better-sqlite3";
import type { Extraction } from "../core/fact.ts";
import type { StoredExtractions } from "../core/graph.ts";
import type { Instant, RecordId } from "../core/record.ts";

/** Rows read at a time where the caller may stop: no statement stays open, so that it may write in between. */
const PAGE = 100;
/** What a commit's time is found by (migration 15). */
const TIME = "commit@";

/** What a row tells, as the table writes it (migration 15). */
const numbers = { itself: 0, structure: 1, events: 2 } as const;

interface TimedRow {
  readonly node: string;
  readonly number: number;
  readonly record: RecordId;
}

interface Row {
  readonly record: RecordId;
  readonly result: string;
}

/** Extractions by the nodes that they speak of. The rows that this looks in are kept by triggers (migration 15). */
export function extractionNodes(db: Database): StoredExtractions {
  const speaking = db.prepare<[string, number], Row>(
    `SELECT e.record_id AS record, e.result AS result FROM extraction_nodes n JOIN extractions e ON e.number = n.extraction
     WHERE n.node = ? AND n.said = ?`,
  );
  const speakingAnyhow = db.prepare<[string], Row>(
    `SELECT record_id AS record, result FROM extractions WHERE number IN (SELECT extraction FROM extraction_nodes WHERE node = ?)`,
  );
  // one step a node: a service has more rows than there are services
  const next = db
    .prepare<[string, string], string>("SELECT node FROM extraction_nodes WHERE node > ? AND node < ? ORDER BY node LIMIT 1")
    .pluck();
  const count = db
    .prepare<[string, string], number>("SELECT count(*) FROM (SELECT DISTINCT node FROM extraction_nodes WHERE node > ? AND node < ?)")
    .pluck();
  const ofRecord = db.prepare<[string], string>("SELECT result FROM extractions WHERE record_id = ?").pluck();
  const page = db.prepare<[string, number], Row>(
    "SELECT record_id AS record, result FROM extractions WHERE record_id > ? ORDER BY record_id LIMIT ?",
  );
  const speakers = db
    .prepare<[string, number], RecordId>(
      "SELECT e.record_id FROM extraction_nodes n JOIN extractions e ON e.number = n.extraction WHERE n.node = ? AND n.said >= ?",
    )
    .pluck();
  const timed = db.prepare<{ from: string; before: string; number: number }, TimedRow>(
    `SELECT n.node AS node, n.extraction AS number, e.record_id AS record FROM extraction_nodes n JOIN extractions e ON e.number = n.extraction
     WHERE n.node >= @from AND (n.node < @before OR n.node = @before AND n.extraction < @number) AND n.said = 0
     ORDER BY n.node DESC, n.extraction DESC LIMIT ${PAGE}`,
  );
  const read = (result: string): Extraction => JSON.parse(result) as Extraction;

  function* rowsOf(from: string, before: string): Generator<{ record: RecordId; at: Instant }, void> {
    for (let last = { node: before, number: 0 }; ; ) {
      const rows = timed.all({ from, before: last.node, number: last.number });
      for (const { node, record } of rows) yield { record, at: node.slice(TIME.length) };
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = end;
    }
  }

  return {
    speakingOf(node, said, wanted) {
      const found: Extraction[] = [];
      const rows = said === "anything" ? speakingAnyhow.iterate(node) : speaking.iterate(node, numbers[said]);
      for (const { record, result } of rows) if (wanted(record)) found.push(read(result));
      return found;
    },
    speakers: (node, of) => speakers.iterate(node, of === "edges" ? numbers.structure : numbers.itself),
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
    *commitTimes(from, before) {
      yield* rowsOf(`${TIME}${from ?? "0"}`, `${TIME}${before}`);
      yield* rowsOf(TIME, `${TIME}0`);
    },
    page(after, limit, wanted) {
      const rows = page.all(after, limit);
      const extractions = rows.flatMap(({ record, result }) => (wanted(record) ? read(result) : []));
      return { extractions, last: rows.length < limit ? null : (rows.at(-1)?.record ?? null) };
    },
  };
}
