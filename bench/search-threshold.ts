/**
 * How near must the best passage be for a question to have an answer here? Best cosines of three kinds of question over
 * one set of documents: answerable, unanswerable but on topic, and off topic (another collection's). Prints the curve
 * of docs/retrieval.md.
 *
 *   npm run bench -- search-threshold DOCUMENTS.jsonl QUESTIONS.jsonl OFF-TOPIC-QUERIES.jsonl
 */
import { readFileSync } from "node:fs";
import { passageText } from "../src/core/passage.ts";
import { loadEmbedder } from "../src/models/load.ts";

interface Row {
  readonly title?: string;
  readonly text?: string;
  readonly question?: string;
  readonly answerable?: boolean;
}

const [documents = "", questions = "", offTopic = ""] = process.argv.slice(2);
const signal = new AbortController().signal;
const rows = (file: string): Row[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

for (const model of ["bundled", "static-256"]) {
  using embedder = loadEmbedder(model);
  const passages = rows(documents).map(({ title = "", text = "" }) => passageText({ title, heading: [], text }));
  const vectors = await embedder.embed(passages, "passage", signal);
  const best = async (asked: readonly string[]): Promise<number[]> => {
    const found: number[] = [];
    for (const text of asked) {
      const [query] = await embedder.embed([text], "query", signal);
      const cosines = vectors.map((vector) => vector.reduce((total, component, i) => total + component * (query?.[i] ?? 0), 0));
      found.push(Math.max(...cosines));
    }
    return found;
  };
  const all = rows(questions);
  const kinds = {
    answerable: await best(all.filter(({ answerable }) => answerable).map(({ question = "" }) => question)),
    unanswerable: await best(all.filter(({ answerable }) => answerable === false).map(({ question = "" }) => question)),
    "off topic": await best(rows(offTopic).map(({ text = "" }) => text)),
  };
  console.log(`${model}: share of questions whose best cosine reaches the threshold`);
  console.log(["threshold", ...Object.keys(kinds)].join("\t"));
  for (let threshold = 0.2; threshold <= 0.701; threshold += 0.05) {
    const shares = Object.values(kinds).map((list) => (list.filter((cosine) => cosine >= threshold).length / list.length).toFixed(3));
    console.log([threshold.toFixed(2), ...shares].join("\t"));
  }
}
