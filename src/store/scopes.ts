import type { Database } from "better-sqlite3";
import type { RecordId } from "../core/record.ts";
import type { Scope } from "../core/visibility.ts";
import type { ScopeTable } from "./store.ts";

/**
 * The condition that a record is visible in the scopes of one bound JSON list: every source that holds it lets it be seen.
 * A record that no source holds is not.
 * @param record an SQL expression for its id
 */
export function visibleSql(record: string): string {
  return `(SELECT min(s.scope IN (SELECT value FROM json_each(?))) FROM sightings s WHERE s.record_id = ${record}) = 1`;
}

/** Where records lie, and which of them a set of scopes lets through. */
export function scopeTable(db: Database): ScopeTable {
  const find = db.prepare<[string, string], number>("SELECT id FROM scopes WHERE source = ? AND place = ?").pluck();
  const add = db.prepare("INSERT INTO scopes (source, place) VALUES (?, ?)");
  const all = db.prepare<[], Scope>("SELECT id, source, place FROM scopes ORDER BY id");
  const sees = db.prepare<[string, string], number>(`SELECT ${visibleSql("r.id")} FROM records r WHERE r.id = ?`).pluck();
  const hidden = db.prepare<[string], RecordId>(`SELECT r.id FROM records r WHERE ${visibleSql("r.id")} IS NOT TRUE`).pluck();
  const count = db.prepare<[string], number>(`SELECT count(*) FROM records r WHERE ${visibleSql("r.id")}`).pluck();
  return {
    id: (source, place) => Number(find.get(source, place) ?? add.run(source, place).lastInsertRowid),
    all: () => all.all(),
    sees: (scopes, id) => sees.get(JSON.stringify(scopes), id) === 1,
    hidden: (scopes) => new Set(hidden.all(JSON.stringify(scopes)) as RecordId[]),
    count: (scopes) => Number(count.get(JSON.stringify(scopes))),
  };
}
