import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Database } from "better-sqlite3";
import type { Json, RecordId, SourceRecord } from "../core/record.ts";
import { placeOf } from "../core/visibility.ts";
import { contentHash } from "./hash.ts";
import type { RecordTable, ScopeTable } from "./store.ts";

/** Rows read at a time by `all` and `ids`: no statement stays open, so that the caller may write in between. */
const PAGE = 500;

interface Kept {
  readonly hash: string;
  readonly owner: string;
  readonly updatedAt: string;
}

/**
 * Records with their raw payloads, and which configured source holds them.
 * Where two sources bring the same id, the first one's version stays until the other one's is newer, so that two
 * slightly different copies do not replace each other at every run.
 */
export function recordTable(db: Database, scopes: ScopeTable): RecordTable {
  const get = db.prepare<[string], string>("SELECT content FROM records WHERE id = ?").pluck();
  const raw = db.prepare<[string], Buffer | null>("SELECT raw FROM records WHERE id = ?").pluck();
  const kept = db.prepare<[string], Kept>("SELECT hash, owner, updated_at AS updatedAt FROM records WHERE id = ?");
  const put = db.prepare(
    `INSERT INTO records (id, owner, source, kind, hash, updated_at, stored_at, content, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, source = excluded.source, kind = excluded.kind, hash = excluded.hash,
       updated_at = excluded.updated_at, stored_at = excluded.stored_at, content = excluded.content, raw = excluded.raw`,
  );
  const sight = db.prepare(
    `INSERT INTO sightings (source, record_id, run_id, fingerprint, scope) SELECT ?, id, ?, ?, ? FROM records WHERE id = ?
     ON CONFLICT (source, record_id) DO UPDATE SET run_id = excluded.run_id, fingerprint = excluded.fingerprint, scope = excluded.scope`,
  );
  const see = db.prepare(
    `UPDATE sightings SET run_id = @runId, fingerprint = coalesce(@fingerprint, fingerprint)
     WHERE source = @source AND record_id = @id AND run_id <> @runId`,
  );
  const seeBelow = db.prepare(
    "UPDATE sightings SET run_id = @runId WHERE source = @source AND record_id >= @start AND record_id < @end AND run_id <> @runId",
  );
  const seenBy = db.prepare<[string, string], string>("SELECT run_id FROM sightings WHERE source = ? AND record_id = ?").pluck();
  const release = db.prepare("DELETE FROM sightings WHERE source = ? AND record_id = ?");
  const holder = db.prepare<[string], string>("SELECT source FROM sightings WHERE record_id = ? ORDER BY source LIMIT 1").pluck();
  const holds = db.prepare<[string, string], number>("SELECT 1 FROM sightings WHERE source = ? AND record_id = ?").pluck();
  const own = db.prepare("UPDATE records SET owner = ? WHERE id = ? AND owner = ?");
  const drop = db.prepare("DELETE FROM records WHERE id = ?");
  const unseen = db
    .prepare<{ source: string; runs: string; after: string; limit: number }, string>(
      `SELECT record_id FROM sightings WHERE source = @source AND record_id > @after
         AND run_id NOT IN (SELECT value FROM json_each(@runs)) ORDER BY record_id LIMIT @limit`,
    )
    .pluck();
  const unmet = db.prepare<[string, string], number>("SELECT count(*) FROM sightings WHERE source = ? AND run_id <> ?").pluck();
  const fingerprint = db
    .prepare<[string, string], string | null>("SELECT fingerprint FROM sightings WHERE source = ? AND record_id = ?")
    .pluck();
  const alike = db
    .prepare<[string, string, number], string>(
      "SELECT DISTINCT record_id FROM sightings WHERE fingerprint >= ? AND fingerprint < ? LIMIT ?",
    )
    .pluck();
  const sources = db.prepare<[], string>("SELECT DISTINCT source FROM sightings ORDER BY source").pluck();
  const count = db.prepare<[], number>("SELECT count(*) FROM records").pluck();
  const countOf = db.prepare<[string], number>("SELECT count(*) FROM sightings WHERE source = ?").pluck();
  const page = db.prepare<[string, number], { id: string; content: string }>(
    "SELECT id, content FROM records WHERE id > ? ORDER BY id LIMIT ?",
  );
  const idPage = db.prepare<[string, number], string>("SELECT id FROM records WHERE id > ? ORDER BY id LIMIT ?").pluck();
  const idPageOf = db
    .prepare<[string, string, number], string>(
      "SELECT record_id FROM sightings WHERE source = ? AND record_id > ? ORDER BY record_id LIMIT ?",
    )
    .pluck();

  return {
    get(id) {
      const content = get.get(id) as string | undefined;
      return content === undefined ? null : (JSON.parse(content) as SourceRecord);
    },
    raw(id) {
      const packed = raw.get(id) as Buffer | null | undefined;
      return packed == null ? null : (JSON.parse(zstdDecompressSync(packed).toString("utf8")) as Json);
    },
    hash: (id) => kept.get(id)?.hash ?? null,
    put(record, payload, source, runId, now) {
      const before = kept.get(record.id);
      const mark = fingerprintOf(payload);
      const scope = scopes.id(source, placeOf(record));
      const foreign = before !== undefined && before.owner !== source && holds.get(before.owner, record.id) !== undefined;
      if (foreign && record.updatedAt <= before.updatedAt) {
        sight.run(source, runId, mark, scope, record.id);
        return "unchanged";
      }
      const hash = contentHash(record);
      if (before?.hash !== hash) {
        const packed = payload === null ? null : pack(payload);
        put.run(record.id, source, record.source, record.kind, hash, record.updatedAt, now, JSON.stringify(record), packed);
      }
      sight.run(source, runId, mark, scope, record.id);
      if (before === undefined) return "added";
      return before.hash === hash ? "unchanged" : "changed";
    },
    seen: (id, source, runId, fingerprint) => see.run({ id, source, runId, fingerprint: fingerprint ?? null }).changes > 0,
    seenBelow: (start, source, runId) => seeBelow.run({ start, end: after(start), source, runId }).changes,
    seenBy: (id, source) => (seenBy.get(source, id) as string | undefined) ?? null,
    release(id, source) {
      release.run(source, id);
      const next = holder.get(id) as string | undefined;
      if (next === undefined) return true;
      own.run(next, id, source);
      return false;
    },
    drop(id) {
      drop.run(id);
    },
    unseen: (source, runs, after, limit) => unseen.all({ source, runs: JSON.stringify(runs), after, limit }) as RecordId[],
    unmet: (source, runId) => Number(unmet.get(source, runId)),
    fingerprint: (id, source) => (fingerprint.get(source, id) as string | null | undefined) ?? null,
    alike: (start, limit) => alike.all(start, after(start), limit) as RecordId[],
    sources: () => sources.all() as string[],
    *all() {
      for (let after = ""; ; ) {
        const rows = page.all(after, PAGE);
        for (const { content } of rows) yield JSON.parse(content) as SourceRecord;
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) return;
        after = last.id;
      }
    },
    *ids(source) {
      for (let after = ""; ; ) {
        const rows = (source === undefined ? idPage.all(after, PAGE) : idPageOf.all(source, after, PAGE)) as RecordId[];
        yield* rows;
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) return;
        after = last;
      }
    },
    count: (source) => Number(source === undefined ? count.get() : countOf.get(source)),
  };
}

/** Room for zstd's output: its own choice of 16 KB for each small payload is 50 MB of buffers before they are collected. */
const LEAST_ROOM = 256;
const MOST_ROOM = 64 * 1024;

function pack(payload: Json): Buffer {
  const json = Buffer.from(JSON.stringify(payload));
  return zstdCompressSync(json, { chunkSize: Math.min(MOST_ROOM, Math.max(LEAST_ROOM, json.length)) });
}

/** What follows every text that begins so. */
function after(start: string): string {
  return `${start}\u{10ffff}`;
}

/** What a connector put into its payload to know the file by without reading it again (see core Io.known). */
function fingerprintOf(payload: Json): string | null {
  if (payload === null || typeof payload !== "object" || Array.isArray(payload)) return null;
  const mark = (payload as { readonly [key: string]: Json }).fingerprint;
  return typeof mark === "string" ? mark : null;
}
