import type { Database } from "better-sqlite3";
import { z } from "zod";
import { Answer } from "../core/answer.ts";
import type { KeptAnswers } from "./store.ts";

const Cited = z.record(z.string(), z.string());
const Seen = z.array(z.int());

/**
 * Answers kept at most, about half a gigabyte: a dashboard that asks every second must not fill the disk before `retention` looks.
 * Each new one has a higher row number, so the oldest are those that lie so far behind it.
 */
const MOST_KEPT = 100_000;

/** Answers by id, and which of them may be served again. A row that an older version wrote and no longer parses counts as absent. */
export function answerTable(db: Database, mostKept = MOST_KEPT): KeptAnswers {
  const insert = db.prepare("INSERT OR REPLACE INTO answers (id, asked_at, answer, cited, seen) VALUES (?, ?, ?, ?, ?)");
  const select = db.prepare<[string], { answer: string; cited: string }>("SELECT answer, cited FROM answers WHERE id = ?");
  const seen = db.prepare<[string], string | null>("SELECT seen FROM answers WHERE id = ?").pluck();
  const sweep = db.prepare("DELETE FROM answer_cache WHERE generation <> ?");
  const trim = db.prepare("DELETE FROM answers WHERE rowid <= ?");
  const remember = db.prepare("INSERT OR REPLACE INTO answer_cache (key, generation, answer_id) VALUES (?, ?, ?)");
  const byKey = db.prepare<[string], { answer: string }>(
    "SELECT answers.answer FROM answer_cache JOIN answers ON answers.id = answer_cache.answer_id WHERE key = ?",
  );
  return {
    put(answer, now, options = {}) {
      const { lastInsertRowid } = insert.run(
        answer.id,
        now,
        JSON.stringify(answer),
        JSON.stringify(options.cited ?? {}),
        options.seen === undefined ? null : JSON.stringify(options.seen),
      );
      trim.run(Number(lastInsertRowid) - mostKept);
      if (options.cache === undefined) return;
      sweep.run(options.cache.generation);
      remember.run(options.cache.key, options.cache.generation, answer.id);
    },
    get: (id) => parse(select.get(id)?.answer),
    cited(id) {
      const row = select.get(id);
      return row === undefined ? {} : Cited.parse(JSON.parse(row.cited));
    },
    seen(id) {
      const scopes = seen.get(id) as string | null | undefined;
      return scopes == null ? null : Seen.parse(JSON.parse(scopes));
    },
    recall: (key) => parse(byKey.get(key)?.answer),
  };
}

function parse(json: string | undefined): Answer | null {
  return json === undefined ? null : (Answer.safeParse(JSON.parse(json)).data ?? null);
}
