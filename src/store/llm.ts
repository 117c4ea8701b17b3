import type { Database } from "better-sqlite3";
import { ContextError } from "../core/errors.ts";
import type { LlmTable } from "./store.ts";

type Spend = ReturnType<LlmTable["spend"]>[number];

/** The models' reply cache and the ledger of what they cost. */
export function llmTable(db: Database): LlmTable {
  const select = db.prepare<[string], { reply: string }>("SELECT reply FROM llm_replies WHERE key = ?");
  const insert = db.prepare("INSERT OR REPLACE INTO llm_replies (key, reply, model, at) VALUES (?, ?, ?, ?)");
  const ofDay = db.prepare<[string], { usd: number }>("SELECT total(coalesce(cost_usd, reserved_usd)) AS usd FROM llm_spend WHERE day = ?");
  const ofRun = db.prepare<[string], { usd: number }>(
    "SELECT total(coalesce(cost_usd, reserved_usd)) AS usd FROM llm_spend WHERE run_id = ?",
  );
  const book = db.prepare("INSERT INTO llm_spend (run_id, day, purpose, model, reserved_usd, at) VALUES (?, ?, ?, ?, ?, ?)");
  const settle = db.prepare("UPDATE llm_spend SET cost_usd = ?, input_tokens = ?, output_tokens = ? WHERE id = ?");
  const spend = db.prepare<[], Spend>(
    `SELECT day, purpose, model, sum(calls) AS calls, sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens,
            total(coalesce(cost_usd, reserved_usd)) AS costUsd
     FROM llm_spend GROUP BY day, purpose, model ORDER BY day DESC, purpose, model`,
  );
  return {
    cached: (key) => select.get(key)?.reply ?? null,
    cache(key, reply, model, now) {
      insert.run(key, reply, model, now);
    },
    reserve(runId, purpose, model, usd, limits, now) {
      const day = now.slice(0, 10);
      const today = ofDay.get(day)?.usd ?? 0;
      if (today + usd > limits.perDay) throw overrun("day", today, usd, limits.perDay);
      if (runId !== null) {
        const run = ofRun.get(runId)?.usd ?? 0;
        if (run + usd > limits.perRun) throw overrun("run", run, usd, limits.perRun);
      }
      return Number(book.run(runId, day, purpose, model, usd, now).lastInsertRowid);
    },
    settle(reservation, usage) {
      settle.run(usage.costUsd, usage.inputTokens, usage.outputTokens, reservation);
    },
    spend: () => spend.all(),
  };
}

function overrun(what: "day" | "run", spent: number, more: number, limit: number): ContextError {
  const message = `This model call could cost $${more.toFixed(4)}; the ${what} has spent $${spent.toFixed(4)} of $${limit.toFixed(2)}.`;
  return new ContextError("LLM_BUDGET", message, { detail: { what, spent, more, limit } });
}
