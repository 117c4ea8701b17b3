import type { Database } from "better-sqlite3";

/** Terms remembered; a question has a few, and Zipf's law does the rest. */
const most = 50_000;
/** They are counted anew when this share of the chunks has come or gone. */
const stale = 0.01;

export interface TermFrequencies {
  /** In how many chunks a term stands. */
  of(term: string): number;
  /** How many chunks there are, to within a hundredth. */
  chunks(): number;
  /** Says that so many chunks came or went through this connection. */
  changed(count: number): void;
}

/**
 * Document frequencies. FTS5 keeps none: counting a common word is a walk over all its postings, and counting the
 * chunks one over a whole index, so both are remembered until a hundredth of the chunks has changed.
 */
export function termFrequencies(db: Database): TermFrequencies {
  const frequency = db.prepare<[string], number>("SELECT doc FROM lexical_terms WHERE term = ? AND col = 'words'").pluck();
  const count = db.prepare<[], number>("SELECT count(*) FROM chunks").pluck();
  const newest = db.prepare<[], number>("SELECT ifnull(max(seq), 0) FROM chunks").pluck();
  const known = new Map<string, number>();
  let chunks = -1;
  let newestThen = 0;
  let changes = 0;

  function refresh(): void {
    const now = newest.get() ?? 0;
    if (chunks >= 0 && Math.abs(now - newestThen) <= chunks * stale && changes <= chunks * stale) return;
    known.clear();
    chunks = count.get() ?? 0;
    newestThen = now;
    changes = 0;
  }

  return {
    of(term) {
      refresh();
      let found = known.get(term);
      if (found === undefined) {
        found = frequency.get(term) ?? 0;
        if (known.size < most) known.set(term, found);
      }
      return found;
    },
    chunks() {
      refresh();
      return chunks;
    },
    changed(count) {
      changes += count;
    },
  };
}
