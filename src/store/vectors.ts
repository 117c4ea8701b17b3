import type { Database } from "better-sqlite3";
import { type ChunkRow, filterSql, toChunk } from "./chunk-rows.ts";
import type { PackedRow, VectorMark, VectorTable } from "./store.ts";
import { vectorBlocks } from "./vector-blocks.ts";
import { visibleChunks } from "./visible-chunks.ts";

const droppedAtOnce = 5000;

/**
 * Vectors by model and passage. Kept as int8 with one float32 scale: a quarter of the size, and the rounding moves a
 * cosine by less than 0.001, where the bundled encoder itself moves it by 0.008 with the batch.
 */
export function vectorTable(db: Database, visible = visibleChunks(db)): VectorTable {
  const modelId = db.prepare<[string], { id: number }>("SELECT id FROM embedding_models WHERE name = ?");
  const missing = db.prepare<{ model: number; from: number; limit: number }, ChunkRow>(
    `SELECT c.* FROM chunks c WHERE c.seq > @from
       AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = @model AND v.passage = c.passage) ORDER BY c.seq LIMIT @limit`,
  );
  const all = db.prepare<[number], { chunkId: string; vector: Buffer }>(
    "SELECT c.id AS chunkId, v.vector FROM chunks c JOIN vectors v ON v.model = ? AND v.passage = c.passage ORDER BY c.seq",
  );
  const some = db.prepare<{ model: number; ids: string }, { chunkId: string; vector: Buffer }>(
    `SELECT c.id AS chunkId, v.vector FROM json_each(@ids) j JOIN chunks c ON c.id = j.value
       JOIN vectors v ON v.model = @model AND v.passage = c.passage`,
  );
  const newVectors = db.prepare<{ model: number; number: number }, PackedRow>(
    `SELECT c.seq, v.vector FROM vectors v JOIN chunks c ON c.passage = v.passage WHERE v.number > @number AND v.model = @model`,
  );
  // no join: it is planned from the side of the vectors, a walk over all of them
  const newChunks = db.prepare<{ model: number; number: number; seq: number }, { seq: number; vector: Buffer | null }>(
    `SELECT c.seq, (SELECT v.vector FROM vectors v WHERE v.passage = c.passage AND v.model = @model AND v.number <= @number) AS vector
     FROM chunks c WHERE c.seq > @seq`,
  );
  const newest = db.prepare<[], VectorMark>(
    "SELECT (SELECT ifnull(max(number), 0) FROM vectors) AS number, (SELECT ifnull(max(seq), 0) FROM chunks) AS seq",
  );
  const present = db.prepare<[string], { seq: number; chunkId: string }>(
    "SELECT c.seq, c.id AS chunkId FROM json_each(?) j JOIN chunks c ON c.seq = j.value",
  );
  const count = db.prepare<[number], { n: number }>(
    "SELECT count(*) AS n FROM chunks c WHERE EXISTS (SELECT 1 FROM vectors v WHERE v.model = ? AND v.passage = c.passage)",
  );
  const shareOf = db.prepare(
    `INSERT OR IGNORE INTO vectors (model, passage, vector)
     SELECT v.model, c.passage, v.vector FROM chunks c, chunks f JOIN vectors v ON v.passage = f.passage WHERE c.id = ? AND f.id = ?`,
  );
  const any = db.prepare<[number], number>("SELECT 1 FROM vectors WHERE model = ? LIMIT 1").pluck();
  const dropSome = db.prepare(`DELETE FROM vectors WHERE number IN (SELECT number FROM vectors WHERE model = ? LIMIT ${droppedAtOnce})`);
  const blocks = vectorBlocks(db);
  /** How far `missing` has looked: chunks only get higher numbers, so a long run need not start over for each batch. */
  const looked = new Map<string, number>();

  const idOf = (model: string) => modelId.get(model)?.id ?? -1;

  return {
    put(model, rows) {
      if (rows.length === 0) return;
      db.prepare("INSERT OR IGNORE INTO embedding_models (name) VALUES (?)").run(model);
      const id = idOf(model);
      const put = db.prepare("INSERT OR REPLACE INTO vectors (model, passage, vector) SELECT ?, passage, ? FROM chunks WHERE id = ?");
      for (const { chunkId, vector } of rows) put.run(id, packVector(vector), chunkId);
    },
    share(chunkId, fromChunkId) {
      shareOf.run(chunkId, fromChunkId);
    },
    missing(model, limit) {
      const id = idOf(model);
      const from = looked.get(model) ?? 0;
      let rows = missing.all({ model: id, from, limit });
      if (rows.length < limit && from > 0) rows = missing.all({ model: id, from: 0, limit });
      looked.set(model, rows.length < limit ? 0 : (rows[0]?.seq ?? 1) - 1);
      return distinct(rows).map(toChunk);
    },
    *all(model) {
      for (const { chunkId, vector } of all.iterate(idOf(model))) yield { chunkId, vector: unpackVector(vector) };
    },
    get(model, chunkIds) {
      return new Map(
        some.all({ model: idOf(model), ids: JSON.stringify(chunkIds) }).map(({ chunkId, vector }) => [chunkId, unpackVector(vector)]),
      );
    },
    mark() {
      return newest.get() ?? { number: 0, seq: 0 };
    },
    has: (model) => any.get(idOf(model)) !== undefined,
    keepOnly(model) {
      const others = db.prepare<[string], number>("SELECT id FROM embedding_models WHERE name <> ?").pluck().all(model);
      for (const id of others) {
        // small transactions: a million rows in one would keep readers of the file waiting
        while (dropSome.run(id).changes > 0);
        db.prepare("DELETE FROM vector_blocks WHERE model = ?").run(id);
        db.prepare("DELETE FROM embedding_models WHERE id = ?").run(id);
      }
    },
    blocks: (model) => blocks.read(idOf(model)),
    optimise: (model) => blocks.build(idOf(model)),
    *since(model, mark) {
      const id = idOf(model);
      yield* newVectors.iterate({ model: id, number: mark.number });
      if (mark.seq === 0 && mark.number === 0) return;
      for (const { seq, vector } of newChunks.iterate({ model: id, number: mark.number, seq: mark.seq })) {
        if (vector !== null) yield { seq, vector };
      }
    },
    chunkIds(seqs, filter = {}) {
      const { sql, values } = filterSql(filter);
      const rows =
        sql === ""
          ? present.all(JSON.stringify(seqs))
          : db
              .prepare<unknown[], { seq: number; chunkId: string }>(
                `SELECT c.seq, c.id AS chunkId FROM json_each(?) j JOIN chunks c ON c.seq = j.value WHERE 1${sql}`,
              )
              .all(JSON.stringify(seqs), ...values);
      return new Map(rows.map(({ seq, chunkId }) => [seq, chunkId]));
    },
    seqs(filter) {
      const { scopes, ...others } = filter;
      if (scopes !== undefined && filterSql(others).sql === "") return visible(scopes).seqs();
      const { sql, values } = filterSql(filter);
      return db
        .prepare<unknown[], number>(`SELECT c.seq FROM chunks c WHERE 1${sql}`)
        .pluck()
        .all(...values);
    },
    count: (model) => count.get(idOf(model))?.n ?? 0,
  };
}

/** One chunk a passage: its double gets the same vector. */
function distinct(rows: readonly ChunkRow[]): ChunkRow[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = `${row.title}\u0000${row.heading}\u0000${row.text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** float32 scale (little endian), then one int8 a dimension: component = scale x int8. */
export function packVector(vector: Float32Array): Buffer {
  let most = 0;
  for (const component of vector) most = Math.max(most, Math.abs(component));
  const packed = Buffer.alloc(4 + vector.length);
  packed.writeFloatLE(most / 127, 0);
  if (most > 0) for (let i = 0; i < vector.length; i++) packed.writeInt8(Math.round(((vector[i] ?? 0) / most) * 127), 4 + i);
  return packed;
}

/** The vector again, made unit length (a vector of zeros stays so). */
export function unpackVector(packed: Uint8Array): Float32Array {
  const codes = new Int8Array(packed.buffer, packed.byteOffset + 4, packed.length - 4);
  const vector = Float32Array.from(codes);
  let square = 0;
  for (const component of vector) square += component * component;
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
  return vector;
}
