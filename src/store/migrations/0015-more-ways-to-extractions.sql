-- Extractions are found by more. Rows of the few edges by which services hang together are apart from those of what happens
-- to them, so that a hub's owner is read without its changes. A commit is found by its time, as "commit@" and the time, so
-- that what changed in a window is told without reading all commits. And a row is taken away by its whole key: comparing
-- columns with a list made SQLite go through all rows of the node, 40,000 for a hub.

DROP TRIGGER extraction_came;
DROP TRIGGER extraction_goes;
DROP TRIGGER extraction_changes;
DROP TRIGGER extraction_changed;
DROP VIEW nodes_of_extractions;
DROP TABLE extraction_nodes;

CREATE TABLE extraction_nodes (
  node        TEXT NOT NULL,              -- node id; of a commit its first six characters, since records write prefixes
  said        INTEGER NOT NULL,           -- 0: something of the node itself; an edge that ends there, 1: owns, depends_on, 2: others
  extraction  INTEGER NOT NULL,
  PRIMARY KEY (node, said, extraction)
) STRICT, WITHOUT ROWID;

CREATE VIEW nodes_of_extractions (number, node, said) AS
  SELECT number, CASE substr(node, 1, 7) WHEN 'commit:' THEN substr(node, 1, 13) ELSE node END, said
  FROM (
    SELECT number, value ->> '$.node' AS node, 0 AS said FROM extractions, json_each(result, '$.nodes')
    UNION ALL SELECT number, value ->> '$.source', CASE WHEN value ->> '$.kind' IN ('owns', 'depends_on') THEN 1 ELSE 2 END
    FROM extractions, json_each(result, '$.facts')
    UNION ALL SELECT number, value ->> '$.target', CASE WHEN value ->> '$.kind' IN ('owns', 'depends_on') THEN 1 ELSE 2 END
    FROM extractions, json_each(result, '$.facts')
  )
  UNION ALL SELECT number, 'commit@' || coalesce(value ->> '$.attributes.at', ''), 0
  FROM extractions, json_each(result, '$.nodes') WHERE value ->> '$.node' GLOB 'commit:*';

INSERT INTO extraction_nodes (node, said, extraction) SELECT DISTINCT node, said, number FROM nodes_of_extractions;

CREATE TRIGGER extraction_came AFTER INSERT ON extractions BEGIN
  INSERT INTO extraction_nodes (node, said, extraction)
  SELECT DISTINCT node, said, number FROM nodes_of_extractions WHERE number = new.number;
END;
CREATE TRIGGER extraction_goes BEFORE DELETE ON extractions BEGIN
  DELETE FROM extraction_nodes WHERE said = 0 AND extraction = old.number AND node IN
    (SELECT node FROM nodes_of_extractions WHERE number = old.number AND said = 0);
  DELETE FROM extraction_nodes WHERE said = 1 AND extraction = old.number AND node IN
    (SELECT node FROM nodes_of_extractions WHERE number = old.number AND said = 1);
  DELETE FROM extraction_nodes WHERE said = 2 AND extraction = old.number AND node IN
    (SELECT node FROM nodes_of_extractions WHERE number = old.number AND said = 2);
END;
CREATE TRIGGER extraction_changes BEFORE UPDATE OF result ON extractions BEGIN
  DELETE FROM extraction_nodes WHERE said = 0 AND extraction = old.number AND node IN
    (SELECT node FROM nodes_of_extractions WHERE number = old.number AND said = 0);
  DELETE FROM extraction_nodes WHERE said = 1 AND extraction = old.number AND node IN
    (SELECT node FROM nodes_of_extractions WHERE number = old.number AND said = 1);
  DELETE FROM extraction_nodes WHERE said = 2 AND extraction = old.number AND node IN
    (SELECT node FROM nodes_of_extractions WHERE number = old.number AND said = 2);
END;
CREATE TRIGGER extraction_changed AFTER UPDATE OF result ON extractions BEGIN
  INSERT INTO extraction_nodes (node, said, extraction)
  SELECT DISTINCT node, said, number FROM nodes_of_extractions WHERE number = new.number;
END;
