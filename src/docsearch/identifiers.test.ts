import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeIdentifierWorld } from "../../test/support/identifier-world.ts";
import { silent } from "../core/connector.ts";
import { passageText } from "../core/passage.ts";
import { openModels } from "../models/load.ts";
import { openStore } from "../store/open.ts";
import { EmbeddedVectorIndex } from "./engines/embedded.ts";
import { askedIdentifiers, holdsLookAlike, readIdentifiers } from "./identifiers.ts";
import { createSearch } from "./search.ts";

const asked = (question: string) => askedIdentifiers(question).map(({ text }) => text);

describe("askedIdentifiers", () => {
  it("reads keys, shas, versions, codes, file names and quoted phrases out of a question", () => {
    for (const [question, expected] of [
      ["What does CONF-1023 say about the Redis failover?", ["CONF-1023"]],
      ["why is jr-441 open", ["jr-441"]],
      ["When does CSCE 221 meet?", ["CSCE 221"]],
      ["What did a3f8c2 change?", ["a3f8c2"]],
      ["sha:a3f8c2d9 and sha:b4c5d6e7", ["a3f8c2d9", "b4c5d6e7"]],
      ["Is v2.4.1 affected, or 10.0.0.1?", ["v2.4.1", "10.0.0.1"]],
      ["What is new in version 7.2?", ["7.2"]],
      ["Why ERR_CONN_RESET and ECONNREFUSED and TS2322?", ["ERR_CONN_RESET", "ECONNREFUSED", "TS2322"]],
      ["Who wrote architecture.pdf and src/cart/main.go:42?", ["architecture.pdf", "src/cart/main.go"]],
      ['Who logs "connection pool exhausted"?', ["connection pool exhausted"]],
      ["What says “session store is read-only”?", ["session store is read-only"]],
      ['What is "CONF-1023"?', ["CONF-1023"]],
      ["`max_connections` of payments", ["max_connections"]],
      ["What closes #1234?", ["#1234"]],
      ["JR-441, JR-441 and JR-442", ["JR-441", "JR-442"]],
    ] as const) {
      assert.deepEqual(asked(question), [...expected], question);
    }
  });

  it("sees none in questions of ordinary words and numbers", () => {
    for (const question of [
      "Why is checkout broken?",
      "What changed in the last 48 h?",
      "Is the error rate above 99.9 or 0.5%?",
      "Who owns checkout-api?",
      "Why HTTP 503 since 2026-03-12?",
      "What happened at 02:10?",
      "Does Node.js 24 or node.js run it, on k8s with i18n?",
      "don't panic, it's fine",
      "WHY ARE THE TOP 10 SERVICES DOWN",
      "p99 of 24h",
    ]) {
      assert.deepEqual(asked(question), [], question);
    }
  });
});

describe("holdsLookAlike", () => {
  it("knows a neighbour by its family or by a letter or two, and ordinary ids by neither", () => {
    const alike = (text: string, question: string) => holdsLookAlike(readIdentifiers(text).tokens, askedIdentifiers(question));

    assert.equal(alike("CONF-1032 says so", "What does CONF-1023 say?"), true);
    assert.equal(alike("CSCE 222 meets", "When does CSCE 221 meet?"), true);
    assert.equal(alike("release 2.4.10", "What is in 2.4.1?"), true);
    assert.equal(alike("a3f8c3 changed it", "What did a3f8c2 change?"), true);
    assert.equal(alike("JR-12 is open", "What does CONF-1023 say?"), false);
    assert.equal(alike("deadbeef42 changed it", "What did a3f8c2 change?"), false);
    assert.equal(alike("nothing of the kind", "What does CONF-1023 say?"), false);
  });
});

describe("200 identifiers among look-alikes", () => {
  it("are each found among the first five of 10,000 chunks, and no look-alike with them", async () => {
    const signal = AbortSignal.timeout(120_000);
    const { embedder } = openModels({ embedding: "static-256", reranker: "none" });
    const world = makeIdentifierWorld(200, 10_000);
    using store = openStore(":memory:");
    {
      using tx = store.begin();
      for (const chunk of world.chunks) store.chunks.replace(chunk.span.record, [chunk]);
      const vectors = await embedder.embed(world.chunks.map(passageText), "passage", signal);
      store.vectors.put(
        embedder.id,
        world.chunks.flatMap(({ id: chunkId }, i) => (vectors[i] === undefined ? [] : [{ chunkId, vector: vectors[i] }])),
      );
      tx.commit();
    }
    const search = createSearch({ store, vectors: new EmbeddedVectorIndex({ store, embedder }), embedder, reranker: null, log: silent });

    const lost: string[] = [];
    for (const { question, chunkId, identifier } of world.questions) {
      const { passages, missing } = await search(question, { k: 5 }, signal);
      if (!passages.some(({ chunk }) => chunk.id === chunkId) || missing.length > 0) lost.push(identifier);
      const alike = passages.filter(
        ({ chunk, ranks }) => !ranks.literal && holdsLookAlike(readIdentifiers(chunk.text).tokens, askedIdentifiers(question)),
      );
      assert.deepEqual(alike, [], identifier);
    }

    assert.deepEqual(lost, []);
  });
});
