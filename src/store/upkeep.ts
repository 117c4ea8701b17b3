import type { Database } from "better-sqlite3";
import type { UpkeepTable } from "./store.ts";

/** Rows of a table that one call takes: a few ms, so that questions are answered between two calls. */
const ROWS = 500;
/** Free pages given back by one call. */
const PAGES = 1000;
/** Newest runs that stay however old they are. */
const RUNS_KEPT = 100;
/** Bytes: a file without an incremental vacuum is rewritten as a whole up to this size, which takes about a second. */
const MOST_REWRITTEN = 256e6;
/** Part of a file that must be free before it is rewritten as a whole. */
const WORTH_REWRITING = 0.2;

/** Brings SQLite's statistics up to date, and the log into the file. */
export function settle(db: Database): void {
  db.pragma("optimize");
  db.pragma("wal_checkpoint(TRUNCATE)");
}

/** Lets old rows go and puts the file in order, a little at a time. */
export function upkeepTable(db: Database): UpkeepTable {
  const one = (pragma: string): number => Number(db.pragma(pragma, { simple: true }));
  const isIncremental = (): boolean => one("auto_vacuum") === 2;
  return {
    fold(before) {
      const day = db
        .prepare<[string], string>("SELECT day FROM llm_spend WHERE day < ? GROUP BY day, purpose, model HAVING count(*) > 1 LIMIT 1")
        .pluck()
        .get(before.slice(0, "2026-03-12".length));
      if (day === undefined) return false;
      db.transaction(() => {
        const last = db.prepare<[], number>("SELECT max(id) FROM llm_spend").pluck().get();
        db.prepare(
          `INSERT INTO llm_spend (day, purpose, model, reserved_usd, cost_usd, input_tokens, output_tokens, at, calls)
             SELECT day, purpose, model, 0, total(coalesce(cost_usd, reserved_usd)), sum(input_tokens), sum(output_tokens), max(at), sum(calls)
             FROM llm_spend WHERE day = ? GROUP BY purpose, model`,
        ).run(day);
        db.prepare("DELETE FROM llm_spend WHERE day = ? AND id <= ?").run(day, last);
      })();
      return true;
    },
    sweep({ runsBefore, answersBefore, repliesBefore }) {
      const runs = db
        .prepare(
          `DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE started_at < @before AND status <> 'running'
             AND id NOT IN (SELECT id FROM runs ORDER BY started_at DESC, rowid DESC LIMIT ${RUNS_KEPT})
             AND started_at < (SELECT max(started_at) FROM runs WHERE status IN ('done', 'partial')) LIMIT ${ROWS})`,
        )
        .run({ before: runsBefore }).changes;
      const answers = db
        .prepare(`DELETE FROM answers WHERE id IN (SELECT id FROM answers WHERE asked_at < ? LIMIT ${ROWS})`)
        .run(answersBefore).changes;
      const replies = db
        .prepare(`DELETE FROM llm_replies WHERE key IN (SELECT key FROM llm_replies WHERE at < ? LIMIT ${ROWS})`)
        .run(repliesBefore).changes;
      return { runs, answers, replies };
    },
    release() {
      const free = one("freelist_count");
      if (free === 0) return 0;
      if (isIncremental()) {
        db.pragma(`incremental_vacuum(${PAGES})`);
        return free - one("freelist_count");
      }
      const pages = one("page_count");
      if (free < pages * WORTH_REWRITING || pages * one("page_size") > MOST_REWRITTEN) return 0;
      db.pragma("auto_vacuum = INCREMENTAL"); // takes hold with the next statement
      db.exec("VACUUM");
      return free;
    },
    settle: () => settle(db),
  };
}
