import type { Database } from "better-sqlite3";
import type { IndexReport, RunRow } from "../core/app.ts";
import type { RunTable } from "./store.ts";

interface Row {
  readonly id: string;
  readonly trigger: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly status: RunRow["status"];
  readonly report: string | null;
}

const COLUMNS = "id, trigger, started_at AS startedAt, ended_at AS endedAt, status, report";

/** Index runs, newest first: by when they were written down, since a clock may be set back. */
export function runTable(db: Database): RunTable {
  const start = db.prepare("INSERT INTO runs (id, trigger, started_at, status) VALUES (?, ?, ?, 'running')");
  const end = db.prepare("UPDATE runs SET status = ?, report = ?, ended_at = ? WHERE id = ?");
  const interrupt = db.prepare("UPDATE runs SET status = 'failed', ended_at = ? WHERE status = 'running'");
  const get = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM runs WHERE id = ?`);
  const list = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM runs ORDER BY rowid DESC LIMIT ?`);
  return {
    start(id, trigger, now) {
      start.run(id, trigger, now);
    },
    end(id, status, report, now) {
      end.run(status, report === null ? null : JSON.stringify(report), now, id);
    },
    interrupted: (now) => interrupt.run(now).changes,
    get(id) {
      const row = get.get(id);
      return row === undefined ? null : read(row);
    },
    list: (limit) => list.all(limit).map(read),
  };
}

function read(row: Row): RunRow {
  return { ...row, report: row.report === null ? null : (JSON.parse(row.report) as IndexReport) };
}
