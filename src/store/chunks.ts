import type { Database } from "better-sqlite3";
import type { Chunk, SearchFilter } from "../core/chunk.ts";
import { passageText } from "../core/passage.ts";
import { foldWord, terms } from "../core/words.ts";
import { type ChunkRow, filterSql, toChunk, toRow } from "./chunk-rows.ts";
import { identifiersExpression, lexicalRow, phraseExpression, postingTerms, wantedTokens, wordsExpression } from "./lexical-query.ts";
import { smallBlock } from "./posting-blocks.ts";
import { openPostings } from "./postings.ts";
import type { ChunkTable, LexicalHit } from "./store.ts";
import { termFrequencies } from "./term-frequencies.ts";
import { visibleChunks } from "./visible-chunks.ts";
import { lexicalRows, type VisibleWords, visibleWords } from "./visible-words.ts";

/** Ids bound in one statement. */
const atOnce = 500;

/** Rows of a phrase's stems that are read to find it letter for letter. */
const phraseCandidates = 200;

/** From this many chunks on, words are looked up in posting lists: FTS5 takes tens of milliseconds and more. */
const largeStore = 5_000;
/** Hits looked at beyond those asked for, since some may have gone from the store. */
const spare = 50;
/** With a filter, so many times the hits asked for are looked at before FTS5 is asked instead. */
const widened = 10;
const mostTerms = 64;
/** Matches scored again for who may not see everything. */
const rescored = 150;
/** Sets of scopes whose word statistics are kept. */
const views = 16;
/** FTS5 pages merged at the end of a run on a large store; merging all of them would take minutes. */
const mergedPages = 2000;
/** Of them at a time: some tenths of a second. */
const mergedAtOnce = 250;
/** A small store's word index is put in order when one in so many chunks came or went. */
const worthOptimising = 10;

interface Present {
  readonly seq: number;
  readonly chunkId: string;
}

/** Chunks and their lexical rows, always written together; the caller holds the transaction. */
export function chunkTable(
  db: Database,
  {
    largeFrom = largeStore,
    visible = visibleChunks(db),
  }: { readonly largeFrom?: number; readonly visible?: ReturnType<typeof visibleChunks> } = {},
): ChunkTable {
  const frequencies = termFrequencies(db);
  let changes = 0;
  const rowOf = lexicalRows();
  const statistics = new Map<string, VisibleWords>();
  function seenBy(scopes: readonly number[]): VisibleWords {
    const key = scopes.join(" ");
    const known = statistics.get(key) ?? visibleWords(db, scopes, () => changes, rowOf);
    statistics.delete(key);
    statistics.set(key, known);
    const [oldest] = statistics.keys();
    if (statistics.size > views && oldest !== undefined) statistics.delete(oldest);
    return known;
  }
  const read = {
    byId: db.prepare<[string], ChunkRow>("SELECT * FROM chunks WHERE id = ?"),
    many: db.prepare<[string], ChunkRow>("SELECT c.* FROM chunks c JOIN json_each(?) j ON c.id = j.value"),
    ofRecord: db.prepare<[string], ChunkRow & { passage: Buffer }>("SELECT * FROM chunks WHERE record_id = ? ORDER BY ordinal"),
    at: db.prepare<{ record: string; start: number; end: number }, ChunkRow>(
      `SELECT * FROM chunks WHERE record_id = @record AND start < max(@end, @start + 1) AND "end" > @start
       ORDER BY min("end", @end) - max(start, @start) DESC, ordinal LIMIT 1`,
    ),
    range: db.prepare<[number, number], ChunkRow>("SELECT * FROM chunks WHERE seq >= ? AND seq < ? ORDER BY seq"),
    page: db.prepare<[number, number], ChunkRow>("SELECT * FROM chunks WHERE seq > ? ORDER BY seq LIMIT ?"),
  };
  const columns =
    'id, record_id, ordinal, of, start, "end", page, heading, text, revision, title, source, kind, url, updated_at, lines, ocr, passage';
  const named = columns.replaceAll('"', "").replace(/\w+/g, "@$&");
  const insert = db.prepare(`INSERT INTO chunks (${columns}) VALUES (${named})`);
  const insertLexical = db.prepare("INSERT INTO lexical (rowid, words, identifiers) VALUES (?, ?, ?)");
  const removeLexical = db.prepare("DELETE FROM lexical WHERE rowid = ?");
  const remove = db.prepare("DELETE FROM chunks WHERE seq = ?");
  const countGone = db.prepare("INSERT INTO chunks_gone (range, gone) VALUES (?, 1) ON CONFLICT (range) DO UPDATE SET gone = gone + 1");
  const renumber = db.prepare("UPDATE chunks SET ordinal = -seq WHERE record_id = ?");
  const removeVectors = db.prepare(
    "DELETE FROM vectors WHERE passage = @passage AND NOT EXISTS (SELECT 1 FROM chunks WHERE passage = @passage)",
  );
  const touch = db.prepare(
    `UPDATE chunks SET of = @of, ordinal = @ordinal, start = @start, "end" = @end, page = @page, revision = @revision, source = @source,
         kind = @kind, url = @url, updated_at = @updated_at, lines = @lines, ocr = @ocr, heading = @heading, title = @title WHERE id = @id`,
  );

  const postings = openPostings(db, function* (from, to) {
    for (const row of read.range.iterate(from, to)) yield { seq: row.seq, terms: postingTerms(passageText(toChunk(row)), row.record_id) };
  });

  const presentSql = "SELECT c.seq, c.id AS chunkId FROM json_each(?) j JOIN chunks c ON c.seq = j.value WHERE 1";
  const present = db.prepare<[string], Present>(presentSql);

  const isLarge = (): boolean => frequencies.chunks() >= largeFrom;

  /** Null where FTS5 is to be asked: the store is small, its lists are not built, or the filter leaves too little of what the lists rank first. */
  function byPostings(words: readonly string[], k: number, filter: SearchFilter): LexicalHit[] | null {
    if (!isLarge()) return null;
    const { scopes, ...others } = filter;
    const filtered = filterSql(filter);
    // what others than scopes let through is not known before it is found
    const wanted = filterSql(others).sql !== "" ? k * widened : k + spare;
    const found = postings.search(
      postingTerms(words.join(" ")).slice(0, mostTerms),
      wanted,
      scopes === undefined ? undefined : visible(scopes),
    );
    if (found === null) return null;
    const seqs = JSON.stringify(found.map(({ seq }) => seq));
    const rows =
      filtered.sql === ""
        ? present.all(seqs)
        : db.prepare<unknown[], Present>(`${presentSql}${filtered.sql}`).all(seqs, ...filtered.values);
    const ids = new Map(rows.map(({ seq, chunkId }) => [seq, chunkId]));
    const hits = found.flatMap(({ seq, score }) => {
      const chunkId = ids.get(seq);
      return chunkId === undefined ? [] : [{ chunkId, score }];
    });
    return hits.length >= k || found.length < wanted ? hits.slice(0, k) : null;
  }

  function match(expression: string | null, k: number, filter: SearchFilter): LexicalHit[] {
    if (expression === null || k < 1) return [];
    const { sql, values } = filterSql(filter);
    // without a filter only the best k rows are joined to their chunks
    const statement =
      sql === ""
        ? `SELECT c.id AS chunkId, -m.score AS score FROM
             (SELECT rowid, rank AS score FROM lexical WHERE lexical MATCH ? ORDER BY rank LIMIT ?) m JOIN chunks c ON c.seq = m.rowid
           ORDER BY m.score, c.id`
        : `SELECT c.id AS chunkId, -lexical.rank AS score FROM lexical JOIN chunks c ON c.seq = lexical.rowid
           WHERE lexical MATCH ?${sql} ORDER BY lexical.rank, c.id LIMIT ?`;
    return db.prepare<unknown[], LexicalHit>(statement).all(expression, ...values, Math.floor(k));
  }

  /** Chunks that came or went since the word index was put in order, and FTS5 pages still to be merged for that. */
  let unsettled = 0;
  let pagesToMerge = 0;

  function write(chunk: Chunk): void {
    const { lastInsertRowid } = insert.run(toRow(chunk));
    const { words, identifiers } = lexicalRow(passageText(chunk), chunk.span.record);
    insertLexical.run(lastInsertRowid, words, identifiers);
    // during a long run too, so that a search in the meantime has little to read that is in no block
    if (Number(lastInsertRowid) % smallBlock !== 0 || !isLarge()) return;
    // two, so that what an older version left unbuilt becomes less
    if (postings.build()) postings.build();
  }

  function erase(seq: number): void {
    removeLexical.run(seq);
    remove.run(seq);
    countGone.run(Math.floor(seq / smallBlock));
  }

  return {
    replace(record, chunks) {
      const before = new Map(read.ofRecord.all(record).map((row) => [row.id, row]));
      const gone: Buffer[] = [];
      const added: Chunk[] = [];
      if (before.size > 0) renumber.run(record);
      for (const chunk of chunks) {
        const row = toRow(chunk);
        const old = before.get(chunk.id);
        before.delete(chunk.id);
        if (old?.passage.equals(row.passage)) {
          touch.run(row);
          continue;
        }
        if (old !== undefined) {
          erase(old.seq);
          gone.push(old.passage);
        }
        write(chunk);
        added.push(chunk);
      }
      for (const old of before.values()) {
        erase(old.seq);
        gone.push(old.passage);
      }
      for (const passage of gone) removeVectors.run({ passage });
      frequencies.changed(added.length + before.size);
      unsettled += added.length + before.size;
      changes += added.length + before.size;
      return { added, dropped: [...before.keys()] };
    },
    get(id) {
      const row = read.byId.get(id);
      return row === undefined ? null : toChunk(row);
    },
    getMany(ids) {
      const found = new Map<string, Chunk>();
      for (let at = 0; at < ids.length; at += atOnce) {
        for (const row of read.many.all(JSON.stringify(ids.slice(at, at + atOnce)))) found.set(row.id, toChunk(row));
      }
      return found;
    },
    ofRecord: (record) => read.ofRecord.all(record).map(toChunk),
    at(record, start, end) {
      const row = read.at.get({ record, start, end });
      return row === undefined ? null : toChunk(row);
    },
    matchWords(words, k, filter) {
      const wanted = wantedTokens(words);
      if (k < 1) return [];
      const exact = byPostings(words, k, filter);
      if (exact !== null) return exact;
      const found = (most: number) => match(wordsExpression(wanted), most, filter);
      if (filter.scopes === undefined) return found(k);
      const candidates = this.getMany(found(Math.max(k, rescored)).map(({ chunkId }) => chunkId));
      return seenBy(filter.scopes).rank(candidates.values(), wanted).slice(0, k);
    },
    matchIdentifiers: (identifiers, k, filter) => match(identifiersExpression(identifiers), k, filter),
    matchPhrase(phrase, k, filter) {
      const wanted = flat(phrase);
      const hits = match(phraseExpression(phrase), Math.max(k, phraseCandidates), filter);
      const texts = this.getMany(hits.map(({ chunkId }) => chunkId));
      return hits.filter(({ chunkId }) => flat(passageText(texts.get(chunkId) ?? nothing)).includes(wanted)).slice(0, k);
    },
    documentFrequency(word, scopes) {
      const [term] = terms(word);
      if (term === undefined) return 0;
      const counted = isLarge() ? postings.frequency(term, scopes === undefined ? undefined : visible(scopes)) : null;
      return counted ?? (scopes === undefined ? frequencies.of(term) : seenBy(scopes).of("words", term));
    },
    size(scopes) {
      if (scopes === undefined) return frequencies.chunks();
      return isLarge() ? visible(scopes).count : seenBy(scopes).chunks();
    },
    count(filter = {}) {
      const { sql, values } = filterSql(filter);
      const row = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM chunks c WHERE 1${sql}`).get(...values);
      return row?.n ?? 0;
    },
    *all() {
      for (let rows = read.page.all(0, atOnce); rows.length > 0; rows = read.page.all(rows.at(-1)?.seq ?? 0, atOnce))
        yield* rows.map(toChunk);
    },
    optimise() {
      if (!isLarge()) {
        if (unsettled * worthOptimising <= frequencies.chunks()) return false;
        db.exec("INSERT INTO lexical (lexical) VALUES ('optimize')");
        unsettled = 0;
        return true;
      }
      if (unsettled > 0) pagesToMerge = mergedPages;
      unsettled = 0;
      if (pagesToMerge <= 0) return postings.build();
      db.exec(`INSERT INTO lexical (lexical, rank) VALUES ('merge', ${mergedAtOnce})`);
      pagesToMerge -= mergedAtOnce;
      return true;
    },
  };
}

const nothing = { title: "", heading: [], text: "" };

/** Folded, white space made one blank: the form in which a quoted phrase is looked for. */
function flat(text: string): string {
  return foldWord(text)
    .replace(/[\s\u2018\u2019]+/g, (run) => (/\s/.test(run) ? " " : "'"))
    .trim();
}
