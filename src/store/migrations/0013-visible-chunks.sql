-- Which chunks a set of scopes lets through is kept in memory (store/visible-chunks.ts). How often that changed for chunks
-- that were there already is counted here, so that every process notices.

CREATE TABLE visibility (
  changes     INTEGER NOT NULL
) STRICT;
INSERT INTO visibility (changes) VALUES (0);

CREATE TRIGGER sighting_moved AFTER UPDATE OF scope ON sightings WHEN new.scope <> old.scope BEGIN
  UPDATE visibility SET changes = changes + 1;
END;
CREATE TRIGGER sighting_came AFTER INSERT ON sightings WHEN EXISTS (SELECT 1 FROM chunks WHERE record_id = new.record_id) BEGIN
  UPDATE visibility SET changes = changes + 1;
END;
-- by the last source that held it: its chunks go as well
CREATE TRIGGER sighting_gone AFTER DELETE ON sightings WHEN EXISTS (SELECT 1 FROM sightings WHERE record_id = old.record_id) BEGIN
  UPDATE visibility SET changes = changes + 1;
END;

-- so that a record's scopes are read from the index alone
DROP INDEX sightings_by_record;
CREATE INDEX sightings_by_record ON sightings (record_id, scope);
