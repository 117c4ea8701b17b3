import type { Database } from "better-sqlite3";
import type { ManifestRow } from "../core/app.ts";
import type { Declaration, Extraction } from "../core/fact.ts";
import type { RecordId } from "../core/record.ts";
import { extractionNodes } from "./extraction-nodes.ts";
import type { ExtractionTable, Page } from "./store.ts";

/** Rows read at a time: no statement stays open, so that the caller may write in between. */
const PAGE = 500;
const everything: Page = { after: "", limit: -1 };

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
  const isStale = db.prepare<[string, string], number>("SELECT 1 FROM manifest WHERE record_id = ? AND extracted_with IS NOT ?").pluck();
  const stale = work(db, "manifest WHERE extracted_with IS NOT @version", "record_id");
  const shallow = work(db, "manifest WHERE tier > 1 AND deepened_with IS NOT @version", "record_id");
  const undeclared = work(
    db,
    `records r LEFT JOIN manifest m ON m.record_id = r.id
       WHERE (m.record_id IS NULL OR m.content_hash <> r.hash OR m.declared_with IS NOT @version)`,
    "r.id",
  );
  const unchunked = work(db, "manifest WHERE chunked_with IS NOT @version", "record_id");
  const lists = { stale, shallow, undeclared, unchunked };
  const chunked = db.prepare("UPDATE manifest SET chunked_with = ? WHERE record_id = ?");
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
    stale: stale.ids,
    isStale: (id, extractorVersion) => isStale.get(id, extractorVersion) !== undefined,
    shallow: shallow.ids,
    undeclared: undeclared.ids,
    markChunked(id, version) {
      chunked.run(version, id);
    },
    unchunked: unchunked.ids,
    count: (list, version) => lists[list].count(version),
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

/** Records that a version has still to do, by a condition of ours with the parameter `@version`. */
function work(db: Database, rows: string, id: string) {
  const ids = db
    .prepare<{ version: string } & Page, string>(`SELECT ${id} FROM ${rows} AND ${id} > @after ORDER BY ${id} LIMIT @limit`)
    .pluck();
  const count = db.prepare<{ version: string }, number>(`SELECT count(*) FROM ${rows}`).pluck();
  return {
    ids: (version: string, page: Page = everything) => ids.all({ version, ...page }) as RecordId[],
    count: (version: string) => Number(count.get({ version })),
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
