import type { Manifest } from "./config/manifest.ts";
import type { Tier } from "./core/fact.ts";
import { type Complete, type ModelIds, modelOf } from "./core/llm.ts";
import type { SourceRecord } from "./core/record.ts";
import type { Spans } from "./core/spans.ts";
import { withBudget } from "./llm/budget.ts";
import { withCache } from "./llm/cache.ts";
import { OPENAI_URL, openAiComplete, priceFor } from "./llm/openai.ts";
import { costOf, estimateTokens, type Price } from "./llm/prices.ts";
import { withRetry } from "./llm/retry.ts";
import { withSpans } from "./llm/spans.ts";
import type { Store } from "./store/store.ts";

/** Names used where only an endpoint or a key is given: a Gemma-27B-class model for the cheap tier. */
const defaultModels: Readonly<Record<"openai" | "other", ModelIds>> = {
  openai: { cheap: "gpt-4.1-mini", frontier: "gpt-4.1" },
  other: { cheap: "google/gemma-3-27b-it", frontier: "google/gemma-3-27b-it" },
};

const PROMPTS_VERSION = "1";

export interface Llm {
  /** For answers: priced, budgeted, retried; not cached, since answers have their own cache. */
  readonly complete: Complete;
  /** For extraction: cached too, so that an unchanged record is never paid twice. */
  extraction(runId: string): Complete;
  /** Names the models, for cache keys. */
  readonly id: string;
  readonly models: ModelIds;
  /** What reading a record by a tier is estimated at, US dollars. */
  recordPrice(tier: Tier, record: SourceRecord): number;
}

/** Tokens that instructions, known names and the reply take beside a record's own text. */
const EXTRACTION_OVERHEAD = { input: 700, output: 250 } as const;

/**
 * The configured model, or null when neither an endpoint nor a key is given.
 * The environment wins over the manifest: CONTEXTD_LLM_BASE_URL, OPENAI_API_KEY, CONTEXTD_LLM_CHEAP, CONTEXTD_LLM_FRONTIER, CONTEXTD_LLM_JUDGE.
 */
export function configuredLlm(
  manifest: Pick<Manifest, "llm">,
  env: Readonly<Record<string, string | undefined>>,
  parts: { readonly store: Store; readonly now: () => Date; readonly random: () => number; readonly spans: Spans },
): Llm | null {
  const baseUrl = env.CONTEXTD_LLM_BASE_URL || manifest.llm?.baseUrl || null;
  const apiKey = env.OPENAI_API_KEY || null;
  if (baseUrl === null && apiKey === null) return null;
  const fallback = defaultModels[baseUrl === null ? "openai" : "other"];
  const frontier = env.CONTEXTD_LLM_FRONTIER || manifest.llm?.frontier || fallback.frontier;
  const models = {
    cheap: env.CONTEXTD_LLM_CHEAP || manifest.llm?.cheap || fallback.cheap,
    frontier,
    judge: env.CONTEXTD_LLM_JUDGE || manifest.llm?.judge || frontier,
  } satisfies ModelIds;
  const overrides = pricesOf(manifest);
  const prices = overrides === null ? {} : { prices: overrides };
  const { store, now, random, spans } = parts;
  const limits = manifest.llm?.budgetUsd ?? { perRun: 1, perDay: 5 };
  const price = (model: string): Price => priceFor(model, { baseUrl, ...prices });
  const timeoutMs = (manifest.llm?.timeoutSeconds ?? 60) * 1000;
  const server = openAiComplete({ baseUrl, apiKey, models, timeoutMs, ...prices });
  const raw = withSpans(server, spans, { models, baseUrl: baseUrl ?? OPENAI_URL });
  const budgeted = (runId: string | null): Complete =>
    withBudget(withRetry(raw, { random }), { ledger: store.llm, limits, runId, model: (tier) => modelOf(models, tier), price, now });
  return {
    complete: budgeted(null),
    extraction: (runId) =>
      withCache(budgeted(runId), {
        table: store.llm,
        identity: (tier) => `${baseUrl ?? "openai"} ${modelOf(models, tier)}`,
        version: PROMPTS_VERSION,
        now,
      }),
    id: `${baseUrl ?? "openai"} ${models.cheap} ${models.frontier} ${models.judge}`,
    models,
    recordPrice(tier, record) {
      if (tier === 1) return 0;
      const model = models[tier === 2 ? "cheap" : "frontier"];
      const input = estimateTokens(record.body.slice(0, record.proseEnd)) + EXTRACTION_OVERHEAD.input;
      return costOf(price(model), input, EXTRACTION_OVERHEAD.output);
    },
  };
}

function pricesOf({ llm }: Pick<Manifest, "llm">): Readonly<Record<string, Price>> | null {
  const entries = Object.entries(llm?.prices ?? {});
  if (entries.length === 0) return null;
  return Object.fromEntries(entries.map(([model, price]) => [model, { input: price.inputPerMillion, output: price.outputPerMillion }]));
}
