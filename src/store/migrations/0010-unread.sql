-- What could not be read, with the reason: a file is not tried again until its fingerprint changes, however many there are.

CREATE TABLE unread (
  source      TEXT NOT NULL,
  record_id   TEXT NOT NULL,
  run_id      TEXT NOT NULL,              -- that met it last
  fingerprint TEXT,                       -- what the connector knows it by; null: it is to be asked for again
  code        TEXT NOT NULL,
  message     TEXT NOT NULL,
  remedy      TEXT NOT NULL,
  PRIMARY KEY (source, record_id)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO unread (source, record_id, run_id, code, message, remedy)
  SELECT substr(m.key, 8), j.value, '', 'SOURCE_UNAVAILABLE', '', '' FROM meta m, json_each(m.value) j WHERE m.key GLOB 'failed:*';
DELETE FROM meta WHERE key GLOB 'failed:*';

-- Whether every record was declared is asked by each run: without this, by reading all of their texts.
CREATE INDEX records_by_hash ON records (id, hash);
