import type { Database } from "better-sqlite3";
import type { Store } from "./store.ts";

/** Small named values. */
export function metaTable(db: Database): Store["meta"] {
  const get = db.prepare<[string], string>("SELECT value FROM meta WHERE key = ?").pluck();
  const set = db.prepare("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value");
  return {
    get: (key) => (get.get(key) as string | undefined) ?? null,
    set(key, value) {
      set.run(key, value);
    },
  };
}
