-- Chunks, their lexical rows and their vectors: all made from records, and let go with them.

CREATE TABLE chunks (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT, -- rowid of the lexical row; never used twice
  id          TEXT NOT NULL UNIQUE,
  record_id   TEXT NOT NULL,
  ordinal     INTEGER NOT NULL,
  of          INTEGER NOT NULL,
  start       INTEGER NOT NULL,           -- UTF-16 code units in the record's body
  "end"       INTEGER NOT NULL,
  page        INTEGER,
  heading     TEXT NOT NULL,              -- JSON list
  text        TEXT NOT NULL,
  revision    TEXT NOT NULL,
  title       TEXT NOT NULL,
  source      TEXT NOT NULL,
  kind        TEXT NOT NULL,
  url         TEXT,
  updated_at  TEXT NOT NULL,
  passage     BLOB NOT NULL               -- hash of what the embedder reads: equal passages share one vector
) STRICT;
CREATE UNIQUE INDEX chunks_by_record ON chunks (record_id, ordinal);
CREATE INDEX chunks_by_passage ON chunks (passage);

-- Both columns hold tokens made by core/words.ts and core/identifiers.ts, joined by blanks. The tokenizer only parts
-- them again; its token characters are those that identifiers are joined by.
CREATE VIRTUAL TABLE lexical USING fts5 (
  words, identifiers,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 tokenchars '-_./:#@+~'"
);
CREATE VIRTUAL TABLE lexical_terms USING fts5vocab ('lexical', 'col');

CREATE TABLE embedding_models (
  id          INTEGER PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE vectors (
  number      INTEGER PRIMARY KEY AUTOINCREMENT, -- an index in memory takes in what is above the last it knows
  model       INTEGER NOT NULL REFERENCES embedding_models (id),
  passage     BLOB NOT NULL,
  vector      BLOB NOT NULL,              -- float32 scale, then one int8 a dimension
  UNIQUE (passage, model)
) STRICT;
