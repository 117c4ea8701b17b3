import { ContextError } from "../core/errors.ts";
import type { NameHints } from "../core/extract.ts";
import type { Extraction } from "../core/fact.ts";
import { type Complete, modelOf } from "../core/llm.ts";
import type { SourceRecord } from "../core/record.ts";
import { createModelReader } from "../extract/deepener.ts";
import type { NameBook } from "../extract/names.ts";
import { withBudget } from "../llm/budget.ts";
import { withCache } from "../llm/cache.ts";
import { openAiComplete, priceFor } from "../llm/openai.ts";
import { listPrices } from "../llm/prices.ts";
import { openStore } from "../store/open.ts";
import { buildOf, type Measured, measure } from "./extraction-measure.ts";
import { type Manner, stubReply } from "./extraction-stub.ts";
import type { World } from "./ground-truth.ts";
import type { MemoryBuild } from "./memory-build.ts";
import { scriptedModel } from "./scripted-model.ts";
import type { SuiteOptions } from "./suite.ts";

/** What reading with models cost. */
export interface Spent {
  readonly calls: number;
  readonly costUsd: number;
  /** Records whose call failed; they keep the rules' result. */
  readonly failed: number;
}

export const noSpend: Spent = { calls: 0, costUsd: 0, failed: 0 };

/** Models whose list prices a run over a stub is booked at: the class of a hosted Gemma 27B, and a frontier model. */
export const pricedAs = { cheap: "gpt-4.1-nano", frontier: "gpt-4.1" } as const;

/** A world read by rules and by a stub: what came of it, what the first build cost, and what the same build costs again. */
export interface StubRun {
  readonly measured: Measured;
  readonly withoutAliases: Measured;
  /** All pages and tickets read by the models alone, without what rules find in their prose. */
  readonly alone: Measured;
  readonly first: Spent;
  readonly rebuild: Spent;
}

type Limits = Pick<SuiteOptions, "log" | "signal" | "progress">;

/** Tiers 2 and 3 over what the rules left open; a record whose call fails keeps the rules' result. */
export async function deepenAll(build: MemoryBuild<NameBook>, complete: Complete, options: Limits): Promise<Spent> {
  const reader = createModelReader(complete, "suite");
  const open = [...build.extractions.values()].filter((one) => one.tier > 1);
  let [calls, costUsd, failed] = [0, 0, 0];
  for (let at = 0; at < open.length; at += reader.concurrency) {
    const batch = open.slice(at, at + reader.concurrency);
    const results = await Promise.allSettled(
      batch.map((one) => {
        const record = build.records.get(one.record);
        if (record === undefined) throw new ContextError("INTERNAL", `${one.record} was extracted and is no record.`);
        return reader.deepen(record, one, build.names, options.signal);
      }),
    );
    for (const result of results) {
      if (result.status === "rejected") {
        failed += 1;
        options.log.warn({ reason: String(result.reason) }, "a record was not read by a model");
        continue;
      }
      calls += result.value.calls;
      costUsd += result.value.costUsd;
      build.take(result.value.extraction);
    }
    options.progress("models", Math.min(at + batch.length, open.length), open.length);
  }
  return { calls, costUsd, failed };
}

/** Reads a world with a stub over HTTP, through the budget and the cache that a deployment has. */
export async function runStub(world: World, manner: Manner, options: Limits): Promise<StubRun> {
  let requests = 0;
  const reply = stubReply(world, manner);
  await using server = await scriptedModel((request) => {
    requests += 1;
    return reply(request);
  });
  using store = openStore(":memory:");
  const now = (): Date => new Date(0);
  const raw = openAiComplete({ baseUrl: server.url, apiKey: null, models: pricedAs, prices: listPrices });
  const complete = withCache(
    withBudget(raw, {
      ledger: store.llm,
      limits: { perRun: Number.POSITIVE_INFINITY, perDay: Number.POSITIVE_INFINITY },
      runId: null,
      model: (tier) => modelOf(pricedAs, tier),
      price: (model) => priceFor(model, { baseUrl: server.url, prices: listPrices }),
      now,
    }),
    { table: store.llm, identity: (tier) => modelOf(pricedAs, tier), version: "suite", now },
  );
  const run = async (hints: NameHints, alone = false): Promise<{ readonly measured: Measured; readonly spent: Spent }> => {
    const build = buildOf(world, hints);
    if (alone) for (const extraction of build.extractions.values()) build.take(unread(extraction, build.records.get(extraction.record)));
    const before = requests;
    const { costUsd, failed } = await deepenAll(build, complete, options);
    return { measured: measure(world, build), spent: { calls: requests - before, costUsd, failed } };
  };
  const first = await run(world.hints);
  const again = await run(world.hints);
  const bare = await run({ aliases: {}, sourcePaths: {} });
  const alone = await run(world.hints, true);
  return {
    measured: first.measured,
    withoutAliases: bare.measured,
    alone: alone.measured,
    first: first.spent,
    rebuild: again.spent,
  };
}

const fieldRules =
  /^(?:component|affected services|issue link|closing word|changed files|scope of|CODEOWNERS|configuration|catalogue|table|diagram|list)/;

/** The extraction of a page or ticket as it would be if no rule read prose. */
function unread(extraction: Extraction, record: SourceRecord | undefined): Extraction {
  if (record === undefined || !["page", "ticket", "issue", "file"].includes(record.kind) || /ya?ml$|CODEOWNERS$/.test(record.id))
    return extraction;
  const facts = extraction.facts.filter((fact) => fieldRules.test(fact.rule));
  return { ...extraction, facts, tier: record.proseEnd > 800 ? 3 : 2 };
}
