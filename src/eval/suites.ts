import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { configuredLlm } from "../app-llm.ts";
import type { EvalOutcome, Evaluate } from "../cli/commands/eval.ts";
import type { Log } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import { makeFolder } from "../core/folder.ts";
import { noSpans } from "../core/spans.ts";
import { openStore } from "../store/open.ts";
import type { Suite } from "./suite.ts";

interface Entry {
  readonly name: string;
  readonly about: string;
  /** What is measured when no --data is given: a folder below `shared/data` beside the checkout, or "data/…" of our own. */
  readonly data: string;
  /** Loaded when run, so that the command line starts without the models. */
  load(): Promise<Suite>;
}

export const suites: readonly Entry[] = [
  {
    name: "retrieval",
    about: "BM25, vectors, fusion, reranking against relevance judgements",
    data: "ir/mtrag",
    load: async () => (await import("./retrieval.ts")).retrieval,
  },
  {
    name: "answers",
    about: "answerable and unanswerable questions over documents",
    data: "verify",
    load: async () => (await import("./answers.ts")).answers,
  },
  {
    name: "guardrail",
    about: "attacks stopped, harmless questions let through",
    data: "verify",
    load: async () => (await import("./guardrail.ts")).guardrail,
  },
  {
    name: "claims",
    about: "claims beside evidence: what the verifier keeps and what it catches",
    data: "verify",
    load: async () => (await import("./claims.ts")).claims,
  },
  {
    name: "hostile",
    about: "a model that lies: wrong sentences shown, right answers refused",
    data: "world-otel-demo",
    load: async () => (await import("./hostile.ts")).hostile,
  },
  {
    name: "extraction",
    about: "graph edges against a world's ground truth",
    data: "world-otel-demo",
    load: async () => (await import("./extraction.ts")).extraction,
  },
  {
    name: "agent",
    about: "operational questions over a world",
    data: "world-otel-demo",
    load: async () => (await import("./agent.ts")).agent,
  },
  {
    name: "documents",
    about: "text and pages found in files of many formats",
    data: "documents",
    load: async () => (await import("./documents.ts")).documents,
  },
  {
    name: "suite",
    about: "your own questions put to the daemon, with and without each stage; HTML report",
    data: "data/sample/suite.jsonl",
    load: async () => (await import("./question-suite.ts")).questions,
  },
];

/** Runs a suite by name and writes what its figures were computed from. */
export async function evaluate(
  name: string,
  options: Parameters<Evaluate>[1] & { readonly env: Readonly<Record<string, string | undefined>>; readonly log: Log },
): Promise<EvalOutcome> {
  const entry = suites.find((one) => one.name === name);
  if (entry === undefined)
    throw new ContextError("USAGE", `There is no suite "${name}"; there are ${suites.map((one) => one.name).join(", ")}.`);
  const path = options.path ?? usualData(entry.data);
  if (path === null || !existsSync(path)) {
    throw new ContextError("USAGE", `There is no data for ${name} at ${path ?? "shared/data"}.`, {
      remedy: "Name it with --data PATH.",
    });
  }
  const cacheDir = join(options.env.CONTEXTD_EVAL_CACHE ?? join(tmpdir(), "contextd-eval"));
  makeFolder(cacheDir);
  using ledger = openStore(":memory:");
  const llm = options.llm
    ? configuredLlm({}, options.env, { store: ledger, now: () => new Date(), random: Math.random, spans: noSpans })
    : null;
  const suite = await entry.load();
  const { log, signal, progress, out, env, manifest, manifestGiven, dataDir, compare, stages } = options;
  const configured = { manifest, manifestGiven, dataDir, env, compare, stages, now: () => new Date() };
  const result = await suite.run({ path, complete: llm?.complete ?? null, cacheDir, log, signal, progress, out, configured });
  if (options.out !== null) {
    makeFolder(options.out);
    for (const [file, text] of Object.entries(result.files)) writeFileSync(join(options.out, file), text);
  }
  return result;
}

/** Our own sample, or data beside the checkout; null where it is not there, as in an installed package. */
function usualData(data: string): string | null {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
  const found = data.startsWith("data/") ? join(root, data) : join(root, "..", "shared", "data", data);
  return existsSync(found) ? found : null;
}
