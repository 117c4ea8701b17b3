import type { Database } from "better-sqlite3";
import type { ErrorCode } from "../core/errors.ts";
import type { RecordId } from "../core/record.ts";
import type { Unread, UnreadTable } from "./store.ts";

/** What could not be read at each source, so that it is tried again when it may have changed, and only then. */
export function unreadTable(db: Database): UnreadTable {
  const get = db.prepare<[string, string], Unread>(
    "SELECT run_id AS runId, fingerprint, code, message, remedy FROM unread WHERE source = ? AND record_id = ?",
  );
  const put = db.prepare(
    `INSERT OR REPLACE INTO unread (source, record_id, run_id, fingerprint, code, message, remedy) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const drop = db.prepare("DELETE FROM unread WHERE source = ? AND record_id = ?");
  const pending = db
    .prepare<[string, string, number], string>("SELECT record_id FROM unread WHERE source = ? AND run_id <> ? ORDER BY record_id LIMIT ?")
    .pluck();
  const sweep = db.prepare("DELETE FROM unread WHERE source = ? AND run_id NOT IN (SELECT value FROM json_each(?))");
  return {
    get: (id, source) => get.get(source, id) ?? null,
    put(id, source, { runId, fingerprint, code, message, remedy }) {
      put.run(source, id, runId, fingerprint, code satisfies ErrorCode, message, remedy);
    },
    drop(id, source) {
      drop.run(source, id);
    },
    pending: (source, runId, limit) => pending.all(source, runId, limit) as RecordId[],
    sweep(source, runs) {
      sweep.run(source, JSON.stringify(runs));
    },
  };
}
