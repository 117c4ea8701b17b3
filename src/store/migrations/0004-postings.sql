-- BM25 postings of large stores, delta-coded, one row for a term and a block of 32,768 chunk numbers. A cache of what
-- `lexical` holds, for which FTS5 is too slow above some 20,000 chunks (docs/decisions/0032).

CREATE TABLE posting_blocks (
  block       INTEGER PRIMARY KEY,
  chunks      INTEGER NOT NULL,           -- that were there when it was built
  lengths     BLOB NOT NULL               -- uint16 a chunk number: its terms
) STRICT;

CREATE TABLE postings (
  term        TEXT NOT NULL,
  block       INTEGER NOT NULL,
  chunks      INTEGER NOT NULL,
  list        BLOB NOT NULL,              -- varints: gap x 2, plus 1 where a frequency above 1 follows
  PRIMARY KEY (term, block)
) STRICT, WITHOUT ROWID;
