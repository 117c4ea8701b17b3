-- A file that comes to another place is known by its content, which its fingerprint begins with.

CREATE INDEX sightings_by_fingerprint ON sightings (fingerprint) WHERE fingerprint IS NOT NULL;
