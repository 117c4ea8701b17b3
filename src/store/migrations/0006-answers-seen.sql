-- What whoever asked could see, as a JSON list of scope ids; null: everything. Others get the answer only if they may see as much.
ALTER TABLE answers ADD COLUMN seen TEXT;
