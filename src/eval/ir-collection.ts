import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ContextError } from "../core/errors.ts";

const Doc = z.object({ _id: z.string(), title: z.string().default(""), text: z.string() });
const Query = z.object({ _id: z.string(), text: z.string() });

/** A collection in BEIR form: corpus.jsonl, queries.jsonl, qrels.tsv. */
export interface IrCollection {
  readonly corpus: readonly z.infer<typeof Doc>[];
  /** Only queries with a judged relevant document. */
  readonly queries: readonly z.infer<typeof Query>[];
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** @throws ContextError USAGE naming the file and line that cannot be read */
export function readCollection(folder: string): IrCollection {
  const judged = new Map<string, Map<string, number>>();
  for (const line of linesOf(folder, "qrels.tsv").slice(1)) {
    const [query = "", document = "", score = ""] = line.split("\t");
    const grade = Number(score);
    if (!(grade > 0)) continue;
    const documents = judged.get(query) ?? new Map<string, number>();
    documents.set(document, grade);
    judged.set(query, documents);
  }
  const queries = rowsOf(folder, "queries.jsonl", Query).filter(({ _id }) => judged.has(_id));
  return { corpus: rowsOf(folder, "corpus.jsonl", Doc), queries, judged };
}

function rowsOf<T>(folder: string, file: string, shape: z.ZodType<T>): T[] {
  return linesOf(folder, file).map((line, i) => {
    try {
      return shape.parse(JSON.parse(line));
    } catch (cause) {
      throw new ContextError("USAGE", `Line ${i + 1} of ${join(folder, file)} is not of the expected shape.`, { cause });
    }
  });
}

function linesOf(folder: string, file: string): string[] {
  const path = join(folder, file);
  if (!existsSync(path))
    throw new ContextError("USAGE", `${folder} has no ${file}.`, {
      remedy: "Name a folder with corpus.jsonl, queries.jsonl and qrels.tsv.",
    });
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
