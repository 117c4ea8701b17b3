-- Records are the truth; everything else in this file can be made from them again.

CREATE TABLE records (
  id          TEXT PRIMARY KEY,
  owner       TEXT NOT NULL,              -- label of the configured source whose version is kept
  source      TEXT NOT NULL,
  kind        TEXT NOT NULL,
  hash        TEXT NOT NULL,              -- sha256 of the content
  updated_at  TEXT NOT NULL,
  stored_at   TEXT NOT NULL,
  content     TEXT NOT NULL,              -- the record as JSON
  raw         BLOB                        -- the payload as pulled, JSON, zstd
) STRICT;

-- Which configured source holds which record, and which run saw it last. Kept apart from the record,
-- so that an unchanged re-run rewrites a few bytes a record and not its text.
CREATE TABLE sightings (
  source      TEXT NOT NULL,
  record_id   TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
  run_id      TEXT NOT NULL,
  fingerprint TEXT,
  PRIMARY KEY (source, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sightings_by_record ON sightings (record_id);

-- The record manifest: what was derived from which content by which version. Null: still to be done.
CREATE TABLE manifest (
  record_id         TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
  content_hash      TEXT NOT NULL,
  key               TEXT NOT NULL,
  declared_with     TEXT,
  extracted_with    TEXT,
  deepened_with     TEXT,
  chunked_with      TEXT,
  tier              INTEGER NOT NULL DEFAULT 1,
  indexed_at        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE declarations (
  record_id   TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
  rows        TEXT NOT NULL               -- JSON, without the record's id in each span
) STRICT;

CREATE TABLE extractions (
  record_id   TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
  result      TEXT NOT NULL               -- JSON
) STRICT;

CREATE TABLE sources (
  source        TEXT PRIMARY KEY,
  kind          TEXT NOT NULL DEFAULT '',
  cursor        TEXT,
  cursor_at     TEXT,
  synced_until  TEXT,
  failed_at     TEXT,
  error         TEXT
) STRICT;

CREATE TABLE runs (
  id          TEXT PRIMARY KEY,
  trigger     TEXT NOT NULL,
  started_at  TEXT NOT NULL,
  ended_at    TEXT,
  status      TEXT NOT NULL CHECK (status IN ('running', 'done', 'partial', 'failed', 'cancelled')),
  report      TEXT
) STRICT;
CREATE INDEX runs_by_start ON runs (started_at DESC);

-- Chunks that an index outside this file has still to take in or let go. Written with the chunks, removed once the
-- index has said yes: a crash repeats work and never loses it.
CREATE TABLE outbox (
  engine      TEXT NOT NULL,
  chunk_id    TEXT NOT NULL,
  action      TEXT NOT NULL CHECK (action IN ('put', 'drop')),
  PRIMARY KEY (engine, chunk_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
