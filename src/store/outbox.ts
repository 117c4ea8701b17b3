import type { Database } from "better-sqlite3";
import type { OutboxTable } from "./store.ts";

/** Chunks that an index outside the file has still to take in or let go. */
export function outboxTable(db: Database): OutboxTable {
  const add = db.prepare(
    "INSERT INTO outbox (engine, chunk_id, action) VALUES (?, ?, ?) ON CONFLICT (engine, chunk_id) DO UPDATE SET action = excluded.action",
  );
  const next = db
    .prepare<[string, string, number], string>("SELECT chunk_id FROM outbox WHERE engine = ? AND action = ? ORDER BY chunk_id LIMIT ?")
    .pluck();
  const done = db.prepare("DELETE FROM outbox WHERE engine = ? AND chunk_id = ? AND action = ?");
  const count = db.prepare<[string], number>("SELECT count(*) FROM outbox WHERE engine = ?").pluck();
  return {
    add(engine, chunkIds, action) {
      for (const id of chunkIds) add.run(engine, id, action);
    },
    next: (engine, action, limit) => next.all(engine, action, limit) as string[],
    done(engine, chunkIds, action) {
      for (const id of chunkIds) done.run(engine, id, action);
    },
    count: (engine) => Number(count.get(engine)),
  };
}
