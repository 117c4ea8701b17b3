import type { Database } from "better-sqlite3";
import type { CursorTable } from "./store.ts";

interface Row {
  readonly source: string;
  readonly kind: string;
  readonly syncedUntil: string | null;
  readonly failedAt: string | null;
  readonly error: string | null;
}

/** How far each configured source was read, until when it is complete, and what stopped it last. */
export function cursorTable(db: Database): CursorTable {
  const get = db.prepare<[string], string | null>("SELECT cursor FROM sources WHERE source = ?").pluck();
  const set = db.prepare(
    `INSERT INTO sources (source, cursor, cursor_at) VALUES (?, ?, ?)
     ON CONFLICT (source) DO UPDATE SET cursor = excluded.cursor, cursor_at = excluded.cursor_at`,
  );
  const drop = db.prepare("UPDATE sources SET cursor = NULL, cursor_at = NULL WHERE source = ?");
  const forget = db.prepare("DELETE FROM sources WHERE source = ?");
  const synced = db.prepare<[], Row>(
    "SELECT source, kind, synced_until AS syncedUntil, failed_at AS failedAt, error FROM sources ORDER BY source",
  );
  const markSynced = db.prepare(
    `INSERT INTO sources (source, kind, synced_until) VALUES (?, ?, ?)
     ON CONFLICT (source) DO UPDATE SET kind = excluded.kind, synced_until = excluded.synced_until, failed_at = NULL, error = NULL`,
  );
  const markFailed = db.prepare(
    `INSERT INTO sources (source, kind, failed_at, error) VALUES (?, ?, ?, ?)
     ON CONFLICT (source) DO UPDATE SET kind = excluded.kind, failed_at = coalesce(failed_at, excluded.failed_at), error = excluded.error`,
  );
  return {
    get: (source) => (get.get(source) as string | null | undefined) ?? null,
    set(source, cursor, now) {
      set.run(source, cursor, now);
    },
    drop(source) {
      drop.run(source);
    },
    forget(source) {
      forget.run(source);
    },
    synced: () => synced.all(),
    markSynced(source, kind, until) {
      markSynced.run(source, kind, until);
    },
    markFailed(source, kind, at, error) {
      markFailed.run(source, kind, at, error);
    },
  };
}
