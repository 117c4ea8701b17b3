/**
 * npm run bench -- search-identifiers [chunks] [identifiers]
 * Identifiers among look-alikes (test/support/identifier-world.ts), vectors by static-256, no reranking: how many are
 * among the first five, and how often a chunk about a look-alike is. Target: recall@5 = 1 and none.
 */

import { silent } from "../src/core/connector.ts";
import { passageText } from "../src/core/passage.ts";
import { EmbeddedVectorIndex } from "../src/docsearch/engines/embedded.ts";
import { askedIdentifiers, holdsLookAlike, readIdentifiers } from "../src/docsearch/identifiers.ts";
import { createSearch } from "../src/docsearch/search.ts";
import { openModels } from "../src/models/load.ts";
import { openStore } from "../src/store/open.ts";
import { makeIdentifierWorld } from "../test/support/identifier-world.ts";
import { shown, stopwatch, timeCalls } from "./search/measure.ts";

const [total = 100_000, identifiers = 200] = process.argv.slice(2).map(Number);
const page = 1000;
const { signal } = new AbortController();
const { embedder } = openModels({ embedding: "static-256", reranker: "none" });
const world = makeIdentifierWorld(identifiers, total);
using store = openStore("");

const watch = stopwatch();
for (let at = 0; at < world.chunks.length; at += page) {
  const chunks = world.chunks.slice(at, at + page);
  const vectors = await embedder.embed(chunks.map(passageText), "passage", signal);
  using tx = store.begin();
  for (const chunk of chunks) store.chunks.replace(chunk.span.record, [chunk]);
  store.vectors.put(
    embedder.id,
    chunks.flatMap(({ id: chunkId }, i) => (vectors[i] === undefined ? [] : [{ chunkId, vector: vectors[i] }])),
  );
  tx.commit();
}
while (store.chunks.optimise());
while (store.vectors.optimise(embedder.id));
console.log(`${world.chunks.length} chunks with static-256: ${watch()}`);

const search = createSearch({ store, vectors: new EmbeddedVectorIndex({ store, embedder }), embedder, reranker: null, log: silent });
const lost: string[] = [];
let alike = 0;
const times = await timeCalls(world.questions.length, async (n) => {
  const asked = world.questions[n];
  if (asked === undefined) return;
  const { passages } = await search(asked.question, { k: 5 }, signal);
  if (!passages.some(({ chunk }) => chunk.id === asked.chunkId)) lost.push(asked.identifier);
  const about = askedIdentifiers(asked.question);
  alike += passages.filter(({ chunk, ranks }) => !ranks.literal && holdsLookAlike(readIdentifiers(chunk.text).tokens, about)).length;
});
console.log(
  `recall@5 ${(1 - lost.length / world.questions.length).toFixed(3)}; look-alikes shown ${alike}; lost: ${lost.join(", ") || "none"}`,
);
console.log(shown(times));
