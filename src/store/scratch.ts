import type { Database } from "better-sqlite3";
import type { Scratch } from "./store.ts";

/** Numbers scratch tables of all connections, so that two runs of a process never share one. */
let made = 0;

/** A table of SQLite's own temporary file; it is part of the open transaction, so what is rolled back was never noted. */
export function scratchTable(db: Database): Scratch {
  made += 1;
  const name = `temp.scratch_${made}`;
  db.exec(`CREATE TEMP TABLE scratch_${made} (id TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
  const set = db.prepare(`INSERT INTO ${name} (id, value) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value`);
  const get = db.prepare<[string], number>(`SELECT value FROM ${name} WHERE id = ?`).pluck();
  const count = db.prepare<{ value: number | null }, number>(`SELECT count(*) FROM ${name} WHERE value = ifnull(@value, value)`).pluck();
  return {
    set(id, value) {
      set.run(id, value);
    },
    get: (id) => (get.get(id) as number | undefined) ?? null,
    count: (value) => Number(count.get({ value: value ?? null })),
    [Symbol.dispose]() {
      if (db.open) db.exec(`DROP TABLE IF EXISTS ${name}`);
    },
  };
}
