/**
 * npm run bench -- search-recall MODEL PASSAGES FOLDER...
 * How many of the exact nearest are among the rows that the scan of signs lets through, by how many it lets through: what
 * the depth in docsearch/engines/flat-vectors.ts is chosen by. A folder is a judged collection (corpus.jsonl,
 * queries.jsonl) or any folder of texts, cut every 900 characters; questions come from the collections alone. Measured
 * over all passages and over a half, a quarter and so on, taken at random.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { passageText } from "../src/core/passage.ts";
import { SignRows } from "../src/core/sign-rows.ts";
import { FlatVectors } from "../src/docsearch/engines/flat-vectors.ts";
import { cachedEmbedder } from "../src/eval/cached-embedder.ts";
import { randomFrom } from "../src/eval/random.ts";
import { loadEmbedder } from "../src/models/load.ts";
import { packVector } from "../src/store/vectors.ts";

const [model = "static-256", limit = "20000", ...folders] = process.argv.slice(2);
const depths = [250, 500, 1000, 2000, 4000, 8000, 16_000];
const asked = 150;
const fewest = 5000;
const pieceChars = 900;
const { signal } = new AbortController();

const passages = new Set<string>();
const questions: string[] = [];
for (const folder of folders) {
  if (existsSync(join(folder, "corpus.jsonl"))) {
    for (const { title = "", text = "" } of rowsOf(join(folder, "corpus.jsonl"))) add(passageText({ title, heading: [], text }));
    questions.push(...rowsOf(join(folder, "queries.jsonl")).map(({ text = "" }) => text));
  } else for (const text of textsBelow(folder)) for (let at = 0; at < text.length; at += pieceChars) add(text.slice(at, at + pieceChars));
}

using loaded = loadEmbedder(model);
const embedder = model === "bundled" ? cachedEmbedder(loaded, join(tmpdir(), "contextd-eval")) : loaded;
const vectors = shuffled(await embedAll([...passages], "passage"));
const queries = (await embedAll(questions, "query")).filter((_, i) => i % Math.ceil(questions.length / asked) === 0);
console.log(`${vectors.length} passages, ${queries.length} questions, ${model}`);

for (let count = vectors.length; count >= fewest; count = Math.floor(count / 2)) measure(vectors.slice(0, count));

function measure(rows: readonly Float32Array[]): void {
  const exact = new FlatVectors(embedder.dimensions, { signsFrom: Number.POSITIVE_INFINITY, rows: rows.length });
  const signs = new SignRows(embedder.dimensions);
  for (const [row, vector] of rows.entries()) {
    exact.put(row, packVector(vector));
    signs.set(row, vector);
  }
  const kept = depths.map(() => ({ ten: 0, fifty: 0 }));
  for (const query of queries) {
    const nearest = exact.search(query, 50).map(({ seq }) => seq);
    for (const [i, depth] of depths.entries()) {
      const likely = new Set(signs.likely(query, rows.length, depth));
      const counts = kept[i];
      if (counts === undefined) continue;
      counts.ten += nearest.slice(0, 10).filter((row) => likely.has(row)).length;
      counts.fifty += nearest.filter((row) => likely.has(row)).length;
    }
  }
  const share = (count: number, k: number) => (count / (queries.length * k)).toFixed(3);
  const shown = kept.map(({ ten, fifty }, i) => `${depths[i]}: ${share(ten, 10)} ${share(fifty, 50)}`);
  console.log(`${rows.length} rows; depth: recall@10 recall@50: ${shown.join(", ")}`);
}

function add(passage: string): void {
  if (passages.size < Number(limit) && /\p{L}{3}/u.test(passage)) passages.add(passage);
}

async function embedAll(texts: readonly string[], kind: "passage" | "query"): Promise<Float32Array[]> {
  const made: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += 256) made.push(...(await embedder.embed(texts.slice(at, at + 256), kind, signal)));
  return made;
}

function rowsOf(file: string): { readonly title?: string; readonly text?: string }[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as { title?: string; text?: string });
}

function* textsBelow(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (passages.size >= Number(limit)) return;
    if (entry.isFile() && /\.(?:md|txt|rst|html|json|[cm]?[jt]s|py|c|h)$/.test(entry.name)) {
      yield readFileSync(join(entry.parentPath, entry.name), "utf8").slice(0, 60_000);
    }
  }
}

function shuffled<T>(list: T[]): T[] {
  const random = randomFrom(7);
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
  return list;
}
