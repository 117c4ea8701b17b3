-- Which extractions speak of which node, so that the graph around a node can be folded without reading all of them
-- (docs/decisions/0034). Kept by triggers: whatever writes an extraction, its rows are right.

CREATE TABLE extractions_numbered (
  number      INTEGER PRIMARY KEY,
  record_id   TEXT NOT NULL UNIQUE REFERENCES records (id) ON DELETE CASCADE,
  result      TEXT NOT NULL               -- JSON
) STRICT;
INSERT INTO extractions_numbered (record_id, result) SELECT record_id, result FROM extractions ORDER BY record_id;
DROP TABLE extractions;
ALTER TABLE extractions_numbered RENAME TO extractions;

CREATE TABLE extraction_nodes (
  node        TEXT NOT NULL,              -- node id; of a commit its first six characters, since records write prefixes
  edges       INTEGER NOT NULL,           -- 1: an edge has its end there; 0: something is said of the node itself
  extraction  INTEGER NOT NULL,
  PRIMARY KEY (node, edges, extraction)
) STRICT, WITHOUT ROWID;

CREATE VIEW nodes_of_extractions (number, node, edges) AS
  SELECT number, CASE substr(node, 1, 7) WHEN 'commit:' THEN substr(node, 1, 13) ELSE node END, edges
  FROM (
    SELECT number, value ->> '$.node' AS node, 0 AS edges FROM extractions, json_each(result, '$.nodes')
    UNION ALL SELECT number, value ->> '$.source', 1 FROM extractions, json_each(result, '$.facts')
    UNION ALL SELECT number, value ->> '$.target', 1 FROM extractions, json_each(result, '$.facts')
  );

INSERT INTO extraction_nodes (node, edges, extraction) SELECT DISTINCT node, edges, number FROM nodes_of_extractions;

CREATE TRIGGER extraction_came AFTER INSERT ON extractions BEGIN
  INSERT INTO extraction_nodes (node, edges, extraction)
  SELECT DISTINCT node, edges, number FROM nodes_of_extractions WHERE number = new.number;
END;
CREATE TRIGGER extraction_goes BEFORE DELETE ON extractions BEGIN
  DELETE FROM extraction_nodes WHERE (node, edges, extraction) IN
    (SELECT node, edges, number FROM nodes_of_extractions WHERE number = old.number);
END;
CREATE TRIGGER extraction_changes BEFORE UPDATE OF result ON extractions BEGIN
  DELETE FROM extraction_nodes WHERE (node, edges, extraction) IN
    (SELECT node, edges, number FROM nodes_of_extractions WHERE number = old.number);
END;
CREATE TRIGGER extraction_changed AFTER UPDATE OF result ON extractions BEGIN
  INSERT INTO extraction_nodes (node, edges, extraction)
  SELECT DISTINCT node, edges, number FROM nodes_of_extractions WHERE number = new.number;
END;
