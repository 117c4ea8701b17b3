import type { Database } from "better-sqlite3";
import type { Chunk } from "../core/chunk.ts";
import { passageText } from "../core/passage.ts";
import { lexicalRow, type WantedTokens } from "./lexical-query.ts";
import { visibleSql } from "./scopes.ts";
import type { LexicalHit } from "./store.ts";

/** Robertson and Zaragoza, "The probabilistic relevance framework", 2009; the values that FTS5 has. */
const k1 = 1.2;
const b = 0.75;
/** What FTS5 takes for a token that stands in more than half of the rows. */
const leastIdf = 1e-6;
/** Tokens remembered. */
const most = 20_000;
/** All is counted anew when this share of the chunks has come or gone. */
const stale = 0.01;

type Column = "words" | "identifiers";

/** Lexical rows remembered: making one parts and stems the whole passage, about 0.15 ms. A kilobyte each. */
const mostRows = 10_000;

/** A chunk's lexical row, remembered; shared by all that score. */
export function lexicalRows(): (chunk: Chunk) => ReturnType<typeof lexicalRow> {
  const known = new Map<string, ReturnType<typeof lexicalRow>>();
  return (chunk) => {
    const key = `${chunk.id} ${chunk.revision}`;
    const row = known.get(key) ?? lexicalRow(passageText(chunk), chunk.span.record);
    known.delete(key);
    known.set(key, row);
    const [oldest] = known.keys();
    if (known.size > mostRows && oldest !== undefined) known.delete(oldest);
    return row;
  };
}

/** Word statistics of what a set of scopes lets through. */
export interface VisibleWords {
  chunks(): number;
  /** In how many chunks a token stands. */
  of(column: Column, token: string): number;
  /** The chunks by BM25, best first, as if there were no others. */
  rank(chunks: Iterable<Chunk>, wanted: WantedTokens): LexicalHit[];
}

/**
 * FTS5 counts all rows alike, so its order tells a little of rows that are hidden: how often a word stands in them. For who
 * may not see everything its matches are scored again here, by FTS5's own formula over the visible rows alone.
 * @param changes counts the chunks that came and went through this connection
 */
export function visibleWords(
  db: Database,
  scopes: readonly number[],
  changes: () => number,
  rowOf: (chunk: Chunk) => ReturnType<typeof lexicalRow>,
): VisibleWords {
  const bound = JSON.stringify(scopes);
  const visible = visibleSql("c.record_id");
  const holding = db
    .prepare<[string, string], number>(
      `SELECT count(*) FROM lexical JOIN chunks c ON c.seq = lexical.rowid WHERE lexical MATCH ? AND ${visible}`,
    )
    .pluck();
  const sizes = db.prepare<[string], Buffer>(`SELECT d.sz FROM chunks c JOIN lexical_docsize d ON d.id = c.seq WHERE ${visible}`).pluck();
  const newest = db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM chunks").pluck();
  const known = new Map<string, number>();
  let chunks = -1;
  let average = 0;
  let newestThen = 0;
  let changesThen = 0;

  function refresh(): void {
    const now = Number(newest.get());
    if (chunks >= 0 && Math.abs(now - newestThen) <= chunks * stale && changes() - changesThen <= chunks * stale) return;
    known.clear();
    let rows = 0;
    let tokens = 0;
    for (const size of sizes.iterate(bound) as Iterable<Buffer>) {
      rows += 1;
      tokens += tokensOf(size);
    }
    chunks = rows;
    average = tokens / Math.max(1, rows);
    newestThen = now;
    changesThen = changes();
  }

  function of(column: Column, token: string): number {
    refresh();
    const key = `${column} : "${token.replaceAll('"', '""').replaceAll("\u0000", "")}"`;
    let found = known.get(key);
    if (found === undefined) {
      found = Number(holding.get(key, bound));
      if (known.size < most) known.set(key, found);
    }
    return found;
  }

  function idf(column: Column, token: string): number {
    const frequency = of(column, token);
    return Math.max(leastIdf, Math.log((chunks - frequency + 0.5) / (frequency + 0.5)));
  }

  return {
    of,
    chunks() {
      refresh();
      return chunks;
    },
    rank(found, wanted) {
      refresh();
      const weighed = (["words", "identifiers"] as const).flatMap((column) =>
        wanted[column].map((token) => ({ column, token, weight: idf(column, token) })),
      );
      const sought = { words: new Set(wanted.words), identifiers: new Set(wanted.identifiers) };
      const hits = Array.from(found, (chunk): LexicalHit => {
        const row = rowOf(chunk);
        const words = countsOf(row.words, sought.words);
        const identifiers = countsOf(row.identifiers, sought.identifiers);
        const counts = { words: words.of, identifiers: identifiers.of };
        const length = words.all + identifiers.all;
        const norm = k1 * (1 - b + (b * length) / Math.max(1, average));
        let score = 0;
        for (const { column, token, weight } of weighed) {
          const times = counts[column].get(token) ?? 0;
          score += (weight * (times * (k1 + 1))) / (times + norm);
        }
        return { chunkId: chunk.id, score };
      });
      return hits.toSorted((x, y) => y.score - x.score || (x.chunkId < y.chunkId ? -1 : 1));
    },
  };
}

/** How many tokens a row has, and how often each of those sought is among them. */
function countsOf(row: string, sought: ReadonlySet<string>): { readonly all: number; readonly of: ReadonlyMap<string, number> } {
  const of = new Map<string, number>();
  if (row === "") return { all: 0, of };
  const tokens = row.split(" ");
  for (const token of tokens) if (sought.has(token)) of.set(token, (of.get(token) ?? 0) + 1);
  return { all: tokens.length, of };
}

/** FTS5 keeps the tokens of each column as a varint: seven bits a byte, high ones first, the top bit set on all but the last. */
function tokensOf(size: Buffer): number {
  let total = 0;
  let value = 0;
  for (const byte of size) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      total += value;
      value = 0;
    }
  }
  return total;
}
