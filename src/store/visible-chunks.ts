import type { Database } from "better-sqlite3";
import { visibleSql } from "./scopes.ts";

/** Sets of scopes whose chunks are kept. */
const most = 16;

/** The chunks that a set of scopes lets through, a bit for each chunk number; never changed once it is given out. */
export interface VisibleChunks {
  readonly count: number;
  has(seq: number): boolean;
  /** Their numbers, rising. */
  seqs(): number[];
}

interface Kept {
  readonly chunks: Bits;
  /** Chunk numbers up to this one are in it. */
  readonly newest: number;
  readonly changes: number;
}

/**
 * Gives the chunks that are visible in a set of scopes. They are read as a whole the first time, a second or two for a
 * million chunks, and again when records that have chunks already came to another scope; chunks that came since are
 * looked up one by one. A chunk that has gone stays in, as it does in the indexes, which leave it out of what they find.
 */
export function visibleChunks(db: Database): (scopes: readonly number[]) => VisibleChunks {
  const kept = new Map<string, Kept>();
  // not before they are needed: an index of chunks alone has no sightings
  let statements: ReturnType<typeof prepare> | null = null;

  return (scopes) => {
    statements ??= prepare(db);
    const key = scopes.join(" ");
    const bound = JSON.stringify(scopes);
    const before = kept.get(key);
    const changes = Number(statements.changes.get());
    const newest = Number(statements.newest.get());
    kept.delete(key);
    const now = update(before, { changes, newest }, bound, statements);
    kept.set(key, now);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return now.chunks;
  };
}

function update(
  before: Kept | undefined,
  now: Omit<Kept, "chunks">,
  bound: string,
  { all, since }: Pick<ReturnType<typeof prepare>, "all" | "since">,
): Kept {
  if (before === undefined || before.changes !== now.changes) return { ...now, chunks: new Bits(now.newest, all.iterate(bound)) };
  if (before.newest >= now.newest) return before;
  return { ...now, chunks: new Bits(now.newest, since.iterate(before.newest, bound), before.chunks) };
}

function prepare(db: Database) {
  return {
    changes: db.prepare<[], number>("SELECT changes FROM visibility").pluck(),
    newest: db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM chunks").pluck(),
    all: db
      .prepare<[string], number>(
        `SELECT c.seq FROM (SELECT record_id FROM sightings GROUP BY record_id HAVING min(scope IN (SELECT value FROM json_each(?))) = 1) v
         JOIN chunks c ON c.record_id = v.record_id`,
      )
      .pluck(),
    since: db.prepare<[number, string], number>(`SELECT c.seq FROM chunks c WHERE c.seq > ? AND ${visibleSql("c.record_id")}`).pluck(),
  };
}

class Bits implements VisibleChunks {
  readonly #bits: Uint8Array;
  #count = 0;

  constructor(highest: number, added: Iterable<number>, before?: Bits) {
    this.#bits = new Uint8Array((highest >>> 3) + 1);
    if (before !== undefined) {
      this.#bits.set(before.#bits);
      this.#count = before.#count;
    }
    for (const seq of added) {
      this.#bits[seq >>> 3] = (this.#bits[seq >>> 3] as number) | (1 << (seq & 7));
      this.#count++;
    }
  }

  get count(): number {
    return this.#count;
  }

  has(seq: number): boolean {
    return (((this.#bits[seq >>> 3] ?? 0) >>> (seq & 7)) & 1) === 1;
  }

  seqs(): number[] {
    const found: number[] = [];
    for (let at = 0; at < this.#bits.length; at++) {
      if (this.#bits[at] === 0) continue;
      for (let seq = at * 8; seq < at * 8 + 8; seq++) if (this.has(seq)) found.push(seq);
    }
    return found;
  }
}
