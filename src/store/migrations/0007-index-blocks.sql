-- Caches of what `chunks`, `lexical` and `vectors` hold, laid out for large stores (docs/decisions/0033): dropping any of
-- the three tables loses nothing. Blocks are of chunk numbers, follow each other from 0, and take in whole ranges only.

DROP TABLE postings;
DROP TABLE posting_blocks;

-- How many chunks of each 1,024 numbers have gone: a block that lost many is built again.
CREATE TABLE chunks_gone (
  range       INTEGER PRIMARY KEY,        -- chunk number / 1,024
  gone        INTEGER NOT NULL
) STRICT;

CREATE TABLE posting_blocks (
  start       INTEGER PRIMARY KEY,        -- first chunk number
  size        INTEGER NOT NULL,           -- 1,024 or 32,768 chunk numbers
  chunks      INTEGER NOT NULL,           -- that were there when it was built
  terms       INTEGER NOT NULL,           -- of all of them
  gone        INTEGER NOT NULL            -- sum over chunks_gone when it was built
) STRICT;

CREATE TABLE postings (
  start       INTEGER NOT NULL,
  term        TEXT NOT NULL,              -- '' for the chunks' lengths: uint16 a chunk number, how many terms it has
  chunks      INTEGER NOT NULL,
  list        BLOB NOT NULL,              -- varints: gap x 2, plus 1 where a frequency above 1 follows
  PRIMARY KEY (start, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE vector_blocks (
  model       INTEGER NOT NULL REFERENCES embedding_models (id),
  start       INTEGER NOT NULL,           -- first of 4,096 chunk numbers
  chunks      INTEGER NOT NULL,
  gone        INTEGER NOT NULL,
  number      INTEGER NOT NULL,           -- newest of `vectors` when it was built
  rows        BLOB NOT NULL,              -- store/vector-blocks.ts
  PRIMARY KEY (model, start)
) STRICT;
