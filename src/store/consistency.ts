import type { Database } from "better-sqlite3";
import { passageText } from "../core/passage.ts";
import type { SourceRecord } from "../core/record.ts";
import { type ChunkRow, toChunk } from "./chunk-rows.ts";
import { contentHash } from "./hash.ts";
import { lexicalRow } from "./lexical-query.ts";
import type { Problem } from "./store.ts";

/** Most ids named for one kind of problem; their number is always said. */
const NAMED = 20;

/** Rows that belong to nothing, each kind with what it means; a clean store gives no row for any of them. */
const strays: readonly { readonly kind: string; readonly message: string; readonly sql: string }[] = [
  {
    kind: "record-without-manifest",
    message: "a record that was never read",
    sql: "SELECT id FROM records WHERE id NOT IN (SELECT record_id FROM manifest)",
  },
  {
    kind: "manifest-of-other-content",
    message: "what was derived is of another version of the record",
    sql: "SELECT m.record_id FROM manifest m JOIN records r ON r.id = m.record_id WHERE m.content_hash <> r.hash",
  },
  {
    kind: "record-without-source",
    message: "a record that no source holds",
    sql: "SELECT id FROM records WHERE id NOT IN (SELECT record_id FROM sightings)",
  },
  {
    kind: "chunk-without-record",
    message: "a chunk of a record that is gone",
    sql: "SELECT id FROM chunks WHERE record_id NOT IN (SELECT id FROM records)",
  },
  {
    kind: "chunk-without-words",
    message: "a chunk that word search cannot find",
    sql: "SELECT id FROM chunks WHERE seq NOT IN (SELECT rowid FROM lexical)",
  },
  {
    kind: "words-without-chunk",
    message: "words of a chunk that is gone",
    sql: "SELECT rowid FROM lexical WHERE rowid NOT IN (SELECT seq FROM chunks)",
  },
  {
    kind: "vector-without-chunk",
    message: "a vector of a passage that is gone",
    sql: "SELECT hex(passage) FROM vectors WHERE passage NOT IN (SELECT passage FROM chunks)",
  },
];

/** The same, where looking means to read every extraction. */
const deepStrays: typeof strays = [
  {
    kind: "node-without-row",
    message: "an extraction that is not found by a node it speaks of",
    sql: `SELECT DISTINCT record_id FROM extractions WHERE number IN (SELECT number FROM
      (SELECT number, node, said FROM nodes_of_extractions EXCEPT SELECT extraction, node, said FROM extraction_nodes))`,
  },
  {
    kind: "row-without-node",
    message: "a row of a node that its extraction does not speak of",
    sql: `SELECT DISTINCT node FROM
      (SELECT extraction, node, said FROM extraction_nodes EXCEPT SELECT number, node, said FROM nodes_of_extractions)`,
  },
];

/**
 * Checks the file itself and that every derived row has what it was derived from.
 * @param deep also makes every lexical row and content hash again and compares
 */
export function* checkStore(db: Database, deep: boolean): Generator<Problem, void> {
  for (const line of db.pragma("integrity_check(20)", { simple: false }) as { readonly integrity_check: string }[]) {
    if (line.integrity_check !== "ok") yield { kind: "file", id: db.name, message: line.integrity_check };
  }
  for (const row of db.pragma("foreign_key_check") as {
    readonly table: string;
    readonly rowid: number | null;
    readonly parent: string;
  }[]) {
    yield { kind: "reference", id: `${row.table} ${row.rowid ?? ""}`.trim(), message: `points to nothing in ${row.parent}` };
  }
  for (const { kind, message, sql } of strays) yield* named(kind, message, db.prepare<[], unknown>(sql).pluck().all().map(String));
  if (!deep) return;
  for (const { kind, message, sql } of deepStrays) yield* named(kind, message, db.prepare<[], unknown>(sql).pluck().all().map(String));
  yield* named("content-hash", "the record is not what its hash says", changedRecords(db));
  yield* named("words-differ", "the words indexed are not those of the chunk", changedWords(db));
}

function* named(kind: string, message: string, ids: readonly string[]): Generator<Problem, void> {
  for (const id of ids.slice(0, NAMED)) yield { kind, id, message };
  if (ids.length > NAMED) yield { kind, id: `and ${ids.length - NAMED} more`, message };
}

function changedRecords(db: Database): string[] {
  const rows = db.prepare<[], { id: string; hash: string; content: string }>("SELECT id, hash, content FROM records ORDER BY id");
  const changed: string[] = [];
  for (const { id, hash, content } of rows.iterate()) {
    if (contentHash(JSON.parse(content) as SourceRecord) !== hash) changed.push(id);
  }
  return changed;
}

/** Indexes all chunks anew in a temporary table of the same make and compares every posting. */
function changedWords(db: Database): string[] {
  const made = db.prepare<[], string>("SELECT sql FROM sqlite_master WHERE name = 'lexical'").pluck().get() as string;
  db.exec(`CREATE VIRTUAL TABLE temp.lexical_wanted ${made.slice(made.search(/\bUSING\b/i))}`);
  db.exec("CREATE VIRTUAL TABLE temp.lexical_has_terms USING fts5vocab ('main', 'lexical', 'instance')");
  db.exec("CREATE VIRTUAL TABLE temp.lexical_wanted_terms USING fts5vocab ('temp', 'lexical_wanted', 'instance')");
  try {
    const insert = db.prepare("INSERT INTO temp.lexical_wanted (rowid, words, identifiers) VALUES (?, ?, ?)");
    const page = db.prepare<[number], ChunkRow>("SELECT * FROM chunks WHERE seq > ? ORDER BY seq LIMIT 500");
    for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.seq ?? 0)) {
      for (const row of rows) {
        const { words, identifiers } = lexicalRow(passageText(toChunk(row)), row.record_id);
        insert.run(row.seq, words, identifiers);
      }
    }
    const columns = 'doc, term, col, "offset"';
    const differ = (a: string, b: string): string => `SELECT ${columns} FROM temp.${a} EXCEPT SELECT ${columns} FROM temp.${b}`;
    return db
      .prepare<[], string>(
        `SELECT DISTINCT coalesce(c.id, 'row ' || d.doc) FROM
           (SELECT * FROM (${differ("lexical_has_terms", "lexical_wanted_terms")})
            UNION SELECT * FROM (${differ("lexical_wanted_terms", "lexical_has_terms")})) d
         LEFT JOIN chunks c ON c.seq = d.doc ORDER BY 1`,
      )
      .pluck()
      .all() as string[];
  } finally {
    db.exec("DROP TABLE temp.lexical_has_terms; DROP TABLE temp.lexical_wanted_terms; DROP TABLE temp.lexical_wanted");
  }
}
