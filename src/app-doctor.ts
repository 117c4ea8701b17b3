import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import type { Llm } from "./app-llm.ts";
import { connectorOf, type SourceConfig } from "./connectors/registry.ts";
import type { Embedder } from "./core/chunk.ts";
import type { Check, Io, Log } from "./core/connector.ts";
import { toContextError } from "./core/errors.ts";
import type { WebSearch } from "./core/web-search.ts";
import type { Store } from "./store/store.ts";

export interface DoctorParts {
  /** The manifest's, and what was ingested. */
  readonly sources: readonly SourceConfig[];
  readonly store: Store;
  readonly llm: Llm | null;
  readonly web: WebSearch | null;
  readonly embedder: Embedder;
  readonly io: Pick<Io, "fetch" | "root">;
  readonly now: () => Date;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Longest time for one check, ms. */
const LIMIT_MS = 20_000;

/** One row a check: store, sources, models, language model, web search. Nothing is changed; the least call of each source is made. */
export async function runChecks(parts: DoctorParts): Promise<readonly Check[]> {
  const checks: Check[] = [storeCheck(parts.store)];
  if (parts.sources.length === 0) checks.push(nothingToRead);
  for (const source of parts.sources) checks.push(...(await sourceChecks(parts, source)));
  checks.push(await embedderCheck(parts));
  checks.push(await llmCheck(parts));
  checks.push(...(await webChecks(parts)));
  return checks;
}

const nothingToRead: Check = {
  name: "sources",
  ok: false,
  detail: "there are none: nothing is indexed",
  remedy: "Name some under sources in the manifest, or run `contextd ingest PATH`.",
};

function storeCheck(store: Store): Check {
  const name = "store";
  try {
    accessSync(dirname(store.path), constants.W_OK);
    return { name, ok: true, detail: `${store.path}, ${store.records.count()} records, ${store.chunks.count()} chunks`, remedy: null };
  } catch (error) {
    return failed(name, error);
  }
}

async function sourceChecks(parts: DoctorParts, source: SourceConfig): Promise<readonly Check[]> {
  const connector = connectorOf(source);
  const signal = AbortSignal.any([parts.signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    return await connector.check(source, { ...parts.io, now: parts.now, log: parts.log, signal });
  } catch (error) {
    parts.signal.throwIfAborted();
    return [failed(connector.label(source), error)];
  }
}

async function embedderCheck({ embedder, signal }: DoctorParts): Promise<Check> {
  const name = `embedding model ${embedder.id}`;
  try {
    const [vector] = await embedder.embed(["ready"], "query", signal);
    const ok = vector?.length === embedder.dimensions;
    return { name, ok, detail: `${vector?.length ?? 0} dimensions`, remedy: ok ? null : "Set models.embedding to a model of this size." };
  } catch (error) {
    return failed(name, error);
  }
}

async function llmCheck({ llm, signal }: DoctorParts): Promise<Check> {
  if (llm === null) {
    return { name: "language model", ok: true, detail: "none configured: answers are made by rules and quotes", remedy: null };
  }
  const name = `language model ${llm.models.cheap}`;
  try {
    await llm.complete(
      { tier: "cheap", purpose: "doctor", messages: [{ role: "user", content: "Answer with the word ready." }], maxTokens: 8 },
      AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
    );
    return { name, ok: true, detail: "answers", remedy: null };
  } catch (error) {
    return failed(name, error);
  }
}

async function webChecks({ web, signal }: DoctorParts): Promise<readonly Check[]> {
  if (web !== null) return await web.check(AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]));
  return [{ name: "web search", ok: true, detail: "none configured: what the sources do not hold is refused", remedy: null }];
}

function failed(name: string, error: unknown): Check {
  const { message, remedy } = toContextError(error);
  return { name, ok: false, detail: message, remedy };
}
