/**
 * npm run bench -- rerank [questions] [seats]
 * The bundled late-interaction reranker over passages of some 200 tokens: cold (no token vector is cached), and with
 * those of all candidates cached. Target: 150 ms for 20 cached ones. Passages are cut from ../shared/data/ir/mtrag.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledModels, encoderFiles } from "../src/models/files.ts";
import { openModels } from "../src/models/load.ts";
import { ModelTokenizer } from "../src/models/tokenize.ts";
import { shown, timeCalls } from "./search/measure.ts";

const [asked = 20, seats = 20] = process.argv.slice(2).map(Number);
const tokens = 200;
const { signal } = new AbortController();
const folder = join(import.meta.dirname, "../../shared/data/ir/mtrag");
const rows = (file: string) =>
  readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { readonly text: string }).text);
const files = encoderFiles(join(bundledModels, "minilm-l6-v2-int8"));
const tokenizer = new ModelTokenizer(files.tokenizer, files.tokenizerConfig, 512);

/** Words of the collection, one passage of the wanted length after the other. */
function* passages(): Generator<string> {
  let words: string[] = [];
  for (const word of rows("corpus.jsonl").flatMap((text) => text.split(/\s+/))) {
    words.push(word);
    if (words.length % 10 > 0 || tokenizer.encode(words.join(" ")).ids.length < tokens) continue;
    yield words.join(" ");
    words = [];
  }
}

using models = openModels({ embedding: "bundled", reranker: "bundled" });
const { reranker } = models;
if (reranker === null) throw new Error("The bundled reranker is missing.");
const questions = rows("queries.jsonl").slice(0, asked);
const source = passages();
const candidates = questions.map(() =>
  Array.from({ length: seats }, (_, i) => ({ chunkId: `${i}`, text: source.next().value ?? "", bm25: seats - i, cosine: 1 - i / seats })),
);
await reranker.rerank("ready", [{ chunkId: "0", text: "ready", bm25: 1, cosine: 1 }], signal);

const rerank = (n: number) => reranker.rerank(questions[n] ?? "", candidates[n] ?? [], signal, { termWeight: (word) => word.length });
console.log(`${seats} passages of ${tokens} tokens, cold: ${shown(await timeCalls(questions.length, rerank))}`);
console.log(`the same cached: ${shown(await timeCalls(questions.length, rerank))}`);
