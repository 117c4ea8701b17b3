import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { configuredLlm } from "../app-llm.ts";
import type { EvalOutcome, Evaluate } from "../cli/commands/eval.ts";
import type { Log } from "../core/connector.ts";
import { ContextError } from "../core/errors.ts";
import { openStore } from "../store/open.ts";
import type { Suite } from "./suite.ts";

interface Entry {
  readonly name: string;
  readonly about: string;
  /** Folder below `shared/data` beside the checkout that is measured when no --data is given. */
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
];

/** Runs a suite by name and writes what its figures were computed from. */
export async function evaluate(
  name: string,
  options: Parameters<Evaluate>[1] & { readonly env: Readonly<Record<string, string | undefined>>; readonly log: Log },
): Promise<EvalOutcome> {
  const entry = suites.find((one) => one.name === name);
  if (entry === undefined)
    throw new ContextError("USAGE", `There is no suite "${name}"; there are ${suites.map((one) => one.name).join(", ")}.`);
  const path = options.path ?? sharedData(entry.data);
  if (path === null || !existsSync(path)) {
    throw new ContextError("USAGE", `There is no data for ${name} at ${path ?? "shared/data"}.`, {
      remedy: "Name the folder with --data PATH.",
    });
  }
  const cacheDir = join(options.env.CONTEXTD_EVAL_CACHE ?? join(tmpdir(), "contextd-eval"));
  mkdirSync(cacheDir, { recursive: true });
  using ledger = openStore(":memory:");
  const llm = options.llm ? configuredLlm({}, options.env, { store: ledger, now: () => new Date(), random: Math.random }) : null;
  const suite = await entry.load();
  const { log, signal, progress } = options;
  const result = await suite.run({ path, complete: llm?.complete ?? null, cacheDir, log, signal, progress });
  if (options.out !== null) {
    mkdirSync(options.out, { recursive: true });
    for (const [file, text] of Object.entries(result.files)) writeFileSync(join(options.out, file), text);
  }
  return result;
}

/** Data beside the checkout; null in an installed package. */
function sharedData(folder: string): string | null {
  const found = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "shared", "data", folder);
  return existsSync(found) ? found : null;
}
