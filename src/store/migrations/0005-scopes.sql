-- Where each record lies at its source: a space, a project, a repository, a folder. Who may see a scope is configured.

CREATE TABLE scopes (
  id          INTEGER PRIMARY KEY,
  source      TEXT NOT NULL,              -- label of the configured source
  place       TEXT NOT NULL,              -- as core/visibility.ts has it
  UNIQUE (source, place)
) STRICT;

ALTER TABLE sightings ADD COLUMN scope INTEGER NOT NULL DEFAULT 0;

CREATE TABLE places AS
  SELECT id, CASE
      WHEN source = 'confluence' THEN ifnull(json_extract(content, '$.fields.space'), '')
      WHEN source = 'jira' THEN rtrim(rtrim(ifnull(json_extract(content, '$.fields.key'), own), '0123456789'), '-')
      WHEN json_extract(content, '$.fields.repository') IS NOT NULL THEN json_extract(content, '$.fields.repository')
      WHEN source IN ('documents', 'logs') THEN rtrim(rtrim(own, replace(own, '/', '')), '/')
      ELSE '' END AS place
    FROM (SELECT id, source, content, substr(id, instr(id, ':') + 1) AS own FROM records);
CREATE UNIQUE INDEX places_by_id ON places (id);
INSERT OR IGNORE INTO scopes (source, place) SELECT DISTINCT s.source, p.place FROM sightings s JOIN places p ON p.id = s.record_id;
UPDATE sightings SET scope = (SELECT c.id FROM places p JOIN scopes c ON c.source = sightings.source AND c.place = p.place
  WHERE p.id = sightings.record_id);
DROP TABLE places;
