import type { Database } from "better-sqlite3";
import type { ManifestRow } from "../core/app.ts";
import type { Declaration, Extraction } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { extractionNodes } from "./extraction-nodes.ts";
import type { ExtractionTable } from "./store.ts";

/** Rows read at a time: no statement stays open, so that the caller may write in between. */
const PAGE = 500;

interface Row {
  readonly id: string;
  readonly key: string;
  readonly declarations: string | null;
  readonly result: string | null;
}

/**
 * What was read out of each record, and the manifest that says by which version and from which content.
 * A null version in the manifest is work still to be done, whatever happened to the process that meant to do it.
 */
export function extractionTable(db: Database): ExtractionTable {
  const columns =
    "m.record_id AS id, m.key AS key, d.rows AS declarations, e.result AS result FROM manifest m " +
    "LEFT JOIN declarations d ON d.record_id = m.record_id LEFT JOIN extractions e ON e.record_id = m.record_id";
  const get = db.prepare<[string], Row>(`SELECT ${columns} WHERE m.record_id = ?`);
  const page = db.prepare<[string, number], Row>(`SELECT ${columns} WHERE m.record_id > ? ORDER BY m.record_id LIMIT ?`);
  const manifest = db.prepare<[string, number], ManifestRow>(
    `SELECT m.record_id AS recordId, r.source AS source, m.content_hash AS contentHash, coalesce(m.extracted_with, '') AS extractorVersion,
       m.tier AS tier, m.indexed_at AS indexedAt
     FROM manifest m JOIN records r ON r.id = m.record_id WHERE m.record_id > ? ORDER BY m.record_id LIMIT ?`,
  );
  const putDeclarations = db.prepare(
    "INSERT INTO declarations (record_id, rows) VALUES (?, ?) ON CONFLICT (record_id) DO UPDATE SET rows = excluded.rows",
  );
  const dropDeclarations = db.prepare("DELETE FROM declarations WHERE record_id = ?");
  const declare = db.prepare(
    `INSERT INTO manifest (record_id, content_hash, key, declared_with, indexed_at) SELECT id, hash, '', ?, ? FROM records WHERE id = ?
     ON CONFLICT (record_id) DO UPDATE SET content_hash = excluded.content_hash, key = '', declared_with = excluded.declared_with,
       extracted_with = NULL, deepened_with = NULL, indexed_at = excluded.indexed_at`,
  );
  const putExtraction = db.prepare(
    "INSERT INTO extractions (record_id, result) VALUES (?, ?) ON CONFLICT (record_id) DO UPDATE SET result = excluded.result",
  );
  const extracted = db.prepare(
    "UPDATE manifest SET key = ?, extracted_with = ?, deepened_with = NULL, tier = ?, indexed_at = ? WHERE record_id = ?",
  );
  const deepened = db.prepare("UPDATE manifest SET deepened_with = ?, indexed_at = ? WHERE record_id = ?");
  const markStale = db.prepare("UPDATE manifest SET extracted_with = NULL WHERE record_id = ?");
  const stale = db.prepare<[string], string>("SELECT record_id FROM manifest WHERE extracted_with IS NOT ? ORDER BY record_id").pluck();
  const shallow = db
    .prepare<[string], string>("SELECT record_id FROM manifest WHERE tier > 1 AND deepened_with IS NOT ? ORDER BY record_id")
    .pluck();
  const undeclared = db
    .prepare<[string], string>(
      `SELECT r.id FROM records r LEFT JOIN manifest m ON m.record_id = r.id
       WHERE m.record_id IS NULL OR m.content_hash <> r.hash OR m.declared_with IS NOT ? ORDER BY r.id`,
    )
    .pluck();
  const chunked = db.prepare("UPDATE manifest SET chunked_with = ? WHERE record_id = ?");
  const unchunked = db.prepare<[string], string>("SELECT record_id FROM manifest WHERE chunked_with IS NOT ? ORDER BY record_id").pluck();
  const declarationPage = db.prepare<[string, number], { id: string; rows: string }>(
    "SELECT record_id AS id, rows FROM declarations WHERE record_id > ? ORDER BY record_id LIMIT ?",
  );

  function* pages<T extends { readonly id: string }>(read: (after: string, limit: number) => T[]): Generator<T, void> {
    for (let after = ""; ; ) {
      const rows = read(after, PAGE);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      after = last.id;
    }
  }

  return {
    ...extractionNodes(db),
    get(id) {
      const row = get.get(id);
      return row === undefined ? null : readRow(row);
    },
    declare(id, extractorVersion, declarations, now) {
      declare.run(extractorVersion, now, id);
      if (declarations.length > 0) putDeclarations.run(id, JSON.stringify(declarations));
      else dropDeclarations.run(id);
    },
    *declarations() {
      for (const { rows } of pages((after, limit) => declarationPage.all(after, limit))) yield* JSON.parse(rows) as Declaration[];
    },
    replace(id, key, extractorVersion, extraction, now) {
      putExtraction.run(id, JSON.stringify(extraction));
      extracted.run(key, extractorVersion, extraction.tier, now, id);
    },
    deepen(id, version, extraction, now) {
      putExtraction.run(id, JSON.stringify(extraction));
      deepened.run(version, now, id);
    },
    markStale(ids) {
      for (const id of ids) markStale.run(id);
    },
    stale: (extractorVersion) => stale.all(extractorVersion) as RecordId[],
    shallow: (version) => shallow.all(version) as RecordId[],
    undeclared: (extractorVersion) => undeclared.all(extractorVersion) as RecordId[],
    markChunked(id, version) {
      chunked.run(version, id);
    },
    unchunked: (version) => unchunked.all(version) as RecordId[],
    *all() {
      for (const row of pages((after, limit) => page.all(after, limit))) {
        if (row.result !== null) yield readRow(row);
      }
    },
    *manifest() {
      for (let after = ""; ; ) {
        const rows = manifest.all(after, PAGE);
        yield* rows;
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) return;
        after = last.recordId;
      }
    },
  };
}

function readRow(row: Row): { key: string; declarations: readonly Declaration[]; extraction: Extraction } {
  return {
    key: row.key,
    declarations: row.declarations === null ? [] : (JSON.parse(row.declarations) as Declaration[]),
    extraction:
      row.result === null
        ? { record: row.id as RecordId, facts: [], nodes: [], tier: 1, tierReason: "not read yet" }
        : (JSON.parse(row.result) as Extraction),
  };
}
