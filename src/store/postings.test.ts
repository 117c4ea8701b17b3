import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import fc from "fast-check";
import type { PostingSource } from "./posting-blocks.ts";
import { eachPosting, PostingList } from "./posting-list.ts";
import { BlockScores } from "./posting-scores.ts";
import { openPostings } from "./postings.ts";

/** Places below 512 with a frequency each, few of them or many. */
const places = 512;
const postingsOf = fc
  .uniqueArray(fc.integer({ min: 0, max: places - 1 }), { maxLength: 400 })
  .chain((found) =>
    fc
      .array(fc.integer({ min: 1, max: 255 }), { minLength: found.length, maxLength: found.length })
      .map((frequencies) => found.sort((x, y) => x - y).map((place, i) => ({ place, frequency: frequencies[i] ?? 1 }))),
  );

function listOf(postings: readonly { readonly place: number; readonly frequency: number }[]): PostingList {
  const list = new PostingList();
  for (const { place, frequency } of postings) list.add(place, frequency);
  return list;
}

function read(list: Uint8Array): { place: number; frequency: number }[] {
  const found: { place: number; frequency: number }[] = [];
  eachPosting(list, (place, frequency) => found.push({ place, frequency }));
  return found;
}

describe("PostingList", () => {
  it("gives back every place and frequency, stored as postings or as the frequency of each place", () => {
    fc.assert(
      fc.property(postingsOf, (postings) => {
        const list = listOf(postings);

        assert.equal(list.count, postings.length);
        assert.deepEqual(read(list.stored(places)), postings);
        assert.deepEqual(read(list.stored(2 ** 16)), postings);
        assert.equal(list.stored(places).length, postings.length >= places / 4 ? places : 3 * postings.length);
      }),
      { numRuns: 200 },
    );
  });

  it("holds places far apart, and no frequency above 255", () => {
    const list = listOf([
      { place: 3, frequency: 300 },
      { place: 65_535, frequency: 128 },
    ]);

    assert.deepEqual(read(list.stored(2 ** 16)), [
      { place: 3, frequency: 255 },
      { place: 65_535, frequency: 128 },
    ]);
  });

  it("joined from the lists of two ranges is the list of both", () => {
    fc.assert(
      fc.property(postingsOf, postingsOf, (first, second) => {
        const joined = listOf(first);

        joined.append(listOf(second).stored(places), places);

        const shifted = second.map(({ place, frequency }) => ({ place: place + places, frequency }));
        assert.deepEqual(read(joined.stored(2 * places)), [...first, ...shifted]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("BlockScores", () => {
  it("adds up BM25 of every place, from postings as from frequencies, block after block", () => {
    const scores = new BlockScores(places);
    const parts = fc.array(fc.record({ postings: postingsOf, idf: fc.double({ min: 0.1, max: 9, noNaN: true }) }), { maxLength: 4 });
    const lengths = fc.array(fc.integer({ min: 0, max: 65_535 }), { minLength: places, maxLength: places });
    fc.assert(
      fc.property(parts, lengths, (lists, terms) => {
        const expected = new Map<number, number>();
        scores.begin(Uint16Array.from(terms), 100);
        for (const [i, { postings, idf }] of lists.entries()) {
          scores.add(listOf(postings).stored(i % 2 === 0 ? places : 2 ** 16), idf);
          for (const { place, frequency } of postings) {
            const norm = 1.2 * (0.25 + (0.75 * (terms[place] ?? 0)) / 100);
            expected.set(place, (expected.get(place) ?? 0) + (idf * frequency * 2.2) / (frequency + norm));
          }
        }
        const least = 0.5;
        const found: number[] = [];
        scores.above(least, 0, places, (place, score) => {
          found.push(place);
          assert.ok(Math.abs(score - (expected.get(place) ?? 0)) < 1e-5 * Math.max(1, score), `${place}: ${score}`);
        });
        const near = (score: number) => Math.abs(score - least) < 1e-6;
        const wanted = [...expected].filter(([, score]) => score > least && !near(score)).map(([place]) => place);
        assert.deepEqual(
          found,
          found.toSorted((x, y) => x - y),
        );
        for (const place of wanted) assert.ok(found.includes(place), `${place}`);
        for (const place of found) assert.ok(wanted.includes(place) || near(expected.get(place) ?? 0), `${place}`);
      }),
      { numRuns: 100 },
    );
  });
});

/** BM25 as the textbook has it, every chunk scored. */
function reference(chunks: readonly PostingSource[], terms: readonly string[], k: number): { seq: number; score: number }[] {
  const average = chunks.reduce((total, chunk) => total + chunk.terms.length, 0) / chunks.length;
  const frequency = new Map([...new Set(terms)].map((term) => [term, chunks.filter((one) => one.terms.includes(term)).length]));
  return chunks
    .map((chunk) => {
      let score = 0;
      for (const term of new Set(terms)) {
        const tf = chunk.terms.filter((one) => one === term).length;
        const df = frequency.get(term) ?? 0;
        const idf = Math.log(1 + (chunks.length - df + 0.5) / (df + 0.5));
        score += (idf * tf * 2.2) / (tf + 1.2 * (1 - 0.75 + (0.75 * chunk.terms.length) / average));
      }
      return { seq: chunk.seq, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.seq - b.seq)
    .slice(0, k);
}

function open(chunks: PostingSource[]) {
  const db = new Database(":memory:");
  for (const file of ["0002-chunks", "0004-postings", "0007-index-blocks", "0011-chunk-places"])
    db.exec(readFileSync(new URL(`./migrations/${file}.sql`, import.meta.url), "utf8"));
  const insert = db.prepare(
    `INSERT INTO chunks (seq, id, record_id, ordinal, of, start, "end", heading, text, revision, title, source, kind, updated_at, passage)
     VALUES (?1, 'c' || ?1, 'r' || ?1, 1, 1, 0, 1, '[]', '', '', '', 'documents', 'file', '', x'00')`.replaceAll("?1", "@seq"),
  );
  db.transaction(() => {
    for (const { seq } of chunks) insert.run({ seq });
  })();
  const postings = openPostings(db, (from, to) => chunks.filter(({ seq }) => seq >= from && seq < to));
  return { db, insert, postings, chunks };
}

function sizes(db: InstanceType<typeof Database>): unknown[] {
  return db.prepare("SELECT size FROM posting_blocks ORDER BY start").pluck().all();
}

/** Chunks with Zipf-like words, spread over two large blocks, nine small ones and a tail; numbers with gaps, as deletions leave them. */
function world(count: number, spread = 75_000): PostingSource[] {
  let state = 5;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4294967296;
  };
  return Array.from({ length: count }, (_, i) => ({
    seq: 1 + Math.floor((i * spread) / count),
    terms: Array.from({ length: 5 + Math.floor(random() * 20) }, () => `w${Math.floor(1 / (random() + 0.004))}`),
  }));
}

describe("postings", () => {
  const same = (found: readonly { seq: number; score: number }[] | null, expected: readonly { seq: number; score: number }[]) => {
    assert.equal(found?.length, expected.length);
    for (const [i, { score }] of (found ?? []).entries()) assert.ok(Math.abs(score - (expected[i]?.score ?? 0)) < 1e-4, `${i}: ${score}`);
  };

  it("ranks exactly as BM25 over all chunks, in blocks or in none, and says when too many are in none", () => {
    const chunks = world(3000);
    const { db, postings } = open(chunks);
    const questions = [["w1", "w2"], ["w7", "w50", "w1"], ["w200"], ["nowhere"], [], ["w3", "w3", "w90"]];

    assert.equal(postings.search(["w1"], 20), null, "far too much is in no block");
    while (postings.build());
    for (const terms of questions) same(postings.search(terms, 20), reference(chunks, terms, 20));

    const few = chunks.filter(({ seq }) => seq < 8000);
    const unbuilt = open(few).postings;
    for (const terms of questions) same(unbuilt.search(terms, 20), reference(few, terms, 20));

    assert.deepEqual(sizes(db), [32_768, 32_768, ...Array<number>(9).fill(1024)]);
  });

  it("ranks exactly where words stand in most chunks of a block, small or made of small ones", () => {
    const chunks = world(34_900, 34_900);
    const { db, postings } = open(chunks);
    while (postings.build());
    const dense = db.prepare("SELECT count(*) FROM postings WHERE start = ? AND term <> '' AND length(list) % 3 <> 0").pluck();

    assert.deepEqual(sizes(db), [32_768, 1024, 1024]);
    assert.deepEqual([dense.get(0), dense.get(32_768)], [6, 6]);
    for (const terms of [
      ["w1", "w2", "w3"],
      ["w1", "w30"],
      ["w4", "w5", "w6", "w7", "w8"],
    ]) {
      same(postings.search(terms, 250), reference(chunks, terms, 250));
    }
  });

  it("makes a large block of small ones, and the same one as of the texts", () => {
    const chunks = world(2000);
    const grown = open(chunks.filter(({ seq }) => seq < 20_000));
    while (grown.postings.build());
    const small = sizes(grown.db);
    for (const chunk of chunks.filter(({ seq }) => seq >= 20_000)) {
      grown.chunks.push(chunk);
      grown.insert.run({ seq: chunk.seq });
      if (chunk.seq < 65_536) grown.postings.build();
    }
    while (grown.postings.build());

    const once = open(chunks);
    while (once.postings.build());

    assert.deepEqual(small, Array<number>(19).fill(1024));
    const rows = (db: typeof once.db) => db.prepare("SELECT * FROM postings ORDER BY start, term").all();
    assert.deepEqual(sizes(grown.db), sizes(once.db));
    assert.deepEqual(rows(grown.db), rows(once.db));
  });

  it("counts the chunks of a term over blocks and what came since", () => {
    const chunks = world(900);
    const { postings } = open(chunks);
    while (postings.build());

    for (const term of ["w1", "w40", "nowhere"]) {
      assert.equal(postings.frequency(term), chunks.filter(({ terms }) => terms.includes(term)).length, term);
    }
  });

  it("takes in chunks that come later", () => {
    const chunks = world(500);
    const { insert, postings } = open(chunks);
    while (postings.build());
    postings.search(["w1"], 5);

    const late = { seq: 75_500, terms: ["brandnew", "w1"] };
    chunks.push(late);
    insert.run({ seq: late.seq });

    assert.deepEqual(
      postings.search(["brandnew"], 5)?.map(({ seq }) => seq),
      [75_500],
    );
    same(postings.search(["w1", "w2"], 20), reference(chunks, ["w1", "w2"], 20));
  });

  it("builds a block again once a fifth of its chunks has gone", () => {
    const chunks = world(500);
    const { db, postings } = open(chunks);
    while (postings.build());
    const gone = chunks.filter(({ seq }, i) => seq < 32_768 && i % 3 === 0);
    for (const { seq } of gone) {
      db.prepare("DELETE FROM chunks WHERE seq = ?").run(seq);
      db.prepare("INSERT INTO chunks_gone VALUES (?, 1) ON CONFLICT DO UPDATE SET gone = gone + 1").run(Math.floor(seq / 1024));
    }
    for (const one of gone) chunks.splice(chunks.indexOf(one), 1);

    while (postings.build());

    same(postings.search(["w1", "w4"], 20), reference(chunks, ["w1", "w4"], 20));
  });
});
