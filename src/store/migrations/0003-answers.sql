-- Answers as they were given, with the revisions of the records they cite.
CREATE TABLE answers (
  id TEXT PRIMARY KEY,
  asked_at TEXT NOT NULL,
  answer TEXT NOT NULL,           -- JSON, as the contract has it
  cited TEXT NOT NULL             -- JSON: record id -> content hash at that time
) STRICT;

-- Which answer a question may be served again from; rows of an older index generation are swept when one is added.
CREATE TABLE answer_cache (
  key TEXT PRIMARY KEY,
  generation TEXT NOT NULL,
  answer_id TEXT NOT NULL REFERENCES answers (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX answer_cache_by_answer ON answer_cache (answer_id);

-- Models' replies by the hash of everything they were asked with.
CREATE TABLE llm_replies (
  key TEXT PRIMARY KEY,
  reply TEXT NOT NULL,
  model TEXT NOT NULL,            -- the one that really answered
  at TEXT NOT NULL
) STRICT;

-- One row a call: booked before it is made, settled after.
CREATE TABLE llm_spend (
  id INTEGER PRIMARY KEY,
  run_id TEXT,
  day TEXT NOT NULL,              -- UTC, "2026-03-12"
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  reserved_usd REAL NOT NULL,
  cost_usd REAL,                  -- null while the call is under way
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX llm_spend_by_day ON llm_spend (day);
CREATE INDEX llm_spend_by_run ON llm_spend (run_id) WHERE run_id IS NOT NULL;
