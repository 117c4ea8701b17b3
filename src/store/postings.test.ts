import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import fc from "fast-check";
import { addScores, PostingList } from "./posting-list.ts";
import { openPostings, type PostingSource } from "./postings.ts";

describe("PostingList", () => {
  it("gives back every place and frequency", () => {
    const postings = fc
      .uniqueArray(fc.integer({ min: 0, max: 100_000 }), { maxLength: 200 })
      .chain((places) =>
        fc.tuple(
          fc.constant(places.sort((a, b) => a - b)),
          fc.array(fc.integer({ min: 1, max: 500 }), { minLength: places.length, maxLength: places.length }),
        ),
      );
    fc.assert(
      fc.property(postings, ([places, frequencies]) => {
        const list = new PostingList();
        for (const [i, place] of places.entries()) list.add(place, frequencies[i] ?? 1);
        const scores = new Float32Array(100_001);

        // with k1 so large and norm 0 no score would tell frequencies apart; norm = 1 gives f (k1 + 1) / (f + 1)
        addScores(list.bytes(), 1, 0, new Float32Array(100_001).fill(1), scores);

        assert.equal(list.count, places.length);
        places.forEach((place, i) => {
          const frequency = frequencies[i] ?? 1;
          assert.ok(Math.abs((scores[place] ?? 0) - frequency / (frequency + 1)) < 1e-6);
        });
        assert.equal(scores.filter((score) => score > 0).length, places.length);
      }),
      { numRuns: 100 },
    );
  });
});

/** BM25 as the textbook has it, every chunk scored. */
function reference(chunks: readonly PostingSource[], terms: readonly string[], k: number): { seq: number; score: number }[] {
  const average = chunks.reduce((total, chunk) => total + chunk.terms.length, 0) / chunks.length;
  return chunks
    .map((chunk) => {
      let score = 0;
      for (const term of new Set(terms)) {
        const tf = chunk.terms.filter((one) => one === term).length;
        const df = chunks.filter((one) => one.terms.includes(term)).length;
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
  for (const file of ["0002-chunks", "0004-postings"]) db.exec(readFileSync(new URL(`./migrations/${file}.sql`, import.meta.url), "utf8"));
  const insert = db.prepare(
    `INSERT INTO chunks (seq, id, record_id, ordinal, of, start, "end", heading, text, revision, title, source, kind, updated_at, passage)
     VALUES (?1, 'c' || ?1, 'r' || ?1, 1, 1, 0, 1, '[]', '', '', '', 'documents', 'file', '', x'00')`.replaceAll("?1", "@seq"),
  );
  db.transaction(() => {
    for (const { seq } of chunks) insert.run({ seq });
  })();
  const postings = openPostings(db, (from, to) => chunks.filter(({ seq }) => seq >= from && seq < to));
  return { db, insert, postings };
}

/** Chunks with Zipf-like words, spread over two whole blocks and a tail; numbers with gaps, as deletions leave them. */
function world(count: number): PostingSource[] {
  let state = 5;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4294967296;
  };
  return Array.from({ length: count }, (_, i) => ({
    seq: 1 + Math.floor((i * 75_000) / count),
    terms: Array.from({ length: 5 + Math.floor(random() * 20) }, () => `w${Math.floor(1 / (random() + 0.004))}`),
  }));
}

describe("postings", () => {
  const same = (found: readonly { seq: number; score: number }[], expected: readonly { seq: number; score: number }[]) => {
    assert.equal(found.length, expected.length);
    for (const [i, { score }] of found.entries()) assert.ok(Math.abs(score - (expected[i]?.score ?? 0)) < 1e-4, `${i}: ${score}`);
  };

  it("ranks exactly as BM25 over all chunks, before and after blocks are built", () => {
    const chunks = world(3000);
    const { db, postings } = open(chunks);
    const questions = [["w1", "w2"], ["w7", "w50", "w1"], ["w200"], ["nowhere"], [], ["w3", "w3", "w90"]];

    for (const round of ["tail only", "built"]) {
      for (const terms of questions) same(postings.search(terms, 20), reference(chunks, terms, 20));
      if (round === "tail only") postings.build();
    }

    assert.equal(db.prepare("SELECT count(*) FROM posting_blocks").pluck().get(), 2);
  });

  it("takes in chunks that come later", () => {
    const chunks = world(500);
    const { insert, postings } = open(chunks);
    postings.build();
    postings.search(["w1"], 5);

    const late = { seq: 75_500, terms: ["brandnew", "w1"] };
    chunks.push(late);
    insert.run({ seq: late.seq });

    assert.deepEqual(
      postings.search(["brandnew"], 5).map(({ seq }) => seq),
      [75_500],
    );
    same(postings.search(["w1", "w2"], 20), reference(chunks, ["w1", "w2"], 20));
  });

  it("builds a block again once a fifth of its chunks has gone", () => {
    const chunks = world(500);
    const { db, postings } = open(chunks);
    postings.build();
    const gone = chunks.filter(({ seq }, i) => seq < 32_768 && i % 3 === 0);
    for (const { seq } of gone) db.prepare("DELETE FROM chunks WHERE seq = ?").run(seq);
    for (const one of gone) chunks.splice(chunks.indexOf(one), 1);

    postings.build();

    same(postings.search(["w1", "w4"], 20), reference(chunks, ["w1", "w4"], 20));
  });
});
