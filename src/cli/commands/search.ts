import type { Corpus } from "../../core/answer.ts";
import { searchReply } from "../../core/citation.ts";
import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { searchText } from "../render.ts";

const MOST = 50;

export const searchCommand: Command = {
  name: "search",
  usage: 'search "query" [--k 5] [--corpus records|documents|all] [--no-rerank]',
  about: "Finds the passages nearest to a query: words, vectors, fusion, reranking.",
  options: { k: { type: "string" }, corpus: { type: "string" }, "no-rerank": { type: "boolean" } },
  async run({ args, values, json, io, signal, open }) {
    const query = args.join(" ");
    if (query.trim() === "") throw new ContextError("USAGE", "search needs a query.");
    const k = wholeNumber("--k", values.k, 5, 1, MOST);
    const corpus = corpusOf(values.corpus);
    const app = await open();
    const result = await app.search(
      query,
      { k, rerank: values["no-rerank"] !== true, ...(corpus === undefined ? {} : { corpus }) },
      signal,
    );
    io.out(json ? JSON.stringify(searchReply(result)) : searchText(result));
    return 0;
  },
};

export function corpusOf(value: string | boolean | undefined): Corpus | undefined {
  if (typeof value !== "string") return undefined;
  if (value === "records" || value === "documents" || value === "all") return value;
  throw new ContextError("USAGE", `--corpus is records, documents or all, not "${value}".`);
}

/** A whole number given as an option, within bounds; throws USAGE otherwise. */
export function wholeNumber(option: string, value: string | boolean | undefined, fallback: number, least: number, most: number): number {
  if (typeof value !== "string") return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new ContextError("USAGE", `${option} takes a whole number from ${least} to ${most}, not "${value}".`);
  return number;
}
