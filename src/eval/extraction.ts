import { edgeKinds, type Tier } from "../core/fact.ts";
import { aliasTests, ambiguousNames, buildOf, estimate, type Measured, measure, replay, round, type Score } from "./extraction-measure.ts";
import { deepenAll, noSpend, pricedAs, runStub, type StubRun } from "./extraction-models.ts";
import { type Manner, manners } from "./extraction-stub.ts";
import { readWorld } from "./ground-truth.ts";
import { readSince } from "./since.ts";
import type { Suite, SuiteOptions, SuiteResult } from "./suite.ts";

/**
 * Measures records to edges against a world's ground truth: by rules, with models, with the user's aliases and without any.
 * Without a configured model the model tiers are driven by stubs that read well, carelessly and in bad faith.
 */
export const extraction: Suite = {
  name: "extraction",
  about: "Precision and recall of edges and entities of a world, share of records per tier, cost.",
  async run(options: SuiteOptions): Promise<SuiteResult> {
    const world = await readWorld(options.path, options.log, options.signal);
    options.progress("read", world.records.length, world.records.length);
    const build = buildOf(world, world.hints);
    const byRules = measure(world, build);
    const spent = options.complete === null ? noSpend : await deepenAll(build, options.complete, options);
    const measured = options.complete === null ? byRules : measure(world, build);
    const stubs = options.complete === null ? await runStubs(world, options) : [];
    const bare = measure(world, buildOf(world, { aliases: {}, sourcePaths: {} }));
    const aliases = aliasTests(world, build);
    const again = build.update([], []);
    const since = replay(build, await readSince(options.path));
    const records = world.records.length;
    const figures = {
      records,
      failures: world.failures.length,
      ...summary(measured),
      tierShares: shares(measured.tiers, records),
      entities: measured.entities,
      withoutAliases: summary(bare),
      aliasTests: { n: world.aliasTests.length, right: world.aliasTests.length - aliases.length },
      ambiguousNames: { n: world.ambiguous.length, reported: ambiguousNames(world, build) },
      since: { n: since.n, right: since.n - since.wrong.length },
      costUsd: spent.costUsd,
      llm: spent,
      ...(options.complete === null ? {} : { byRulesAlone: summary(byRules) }),
      estimatedCostUsd: estimate(measured.tiers),
      rebuild: { extracted: again.extracted, llmCalls: 0, costUsd: 0 },
      stubs: Object.fromEntries(stubs.map(([manner, run]) => [manner, stubFigures(run)])),
    };
    return {
      figures,
      table: tableOf(measured, bare, stubs),
      files: {
        "edges.txt": `${measured.lines.join("\n")}\n`,
        "edges-without-aliases.txt": `${bare.lines.join("\n")}\n`,
        ...Object.fromEntries(
          stubs.flatMap(([manner, run]) => [
            [`edges-${manner}-model.txt`, `${run.measured.lines.join("\n")}\n`],
            [`edges-${manner}-model-alone.txt`, `${run.alone.lines.join("\n")}\n`],
          ]),
        ),
        "aliases.txt": `${aliases.join("\n")}\n`,
        "since.txt": `${since.wrong.join("\n")}\n`,
        "tiers.jsonl": [...build.extractions.values()]
          .map((one) => JSON.stringify({ record: one.record, tier: one.tier, reason: one.tierReason }))
          .join("\n"),
      },
    };
  },
};

async function runStubs(
  world: Awaited<ReturnType<typeof readWorld>>,
  options: SuiteOptions,
): Promise<readonly (readonly [Manner, StubRun])[]> {
  const runs: [Manner, StubRun][] = [];
  for (const manner of manners) runs.push([manner, await runStub(world, manner, options)]);
  return runs;
}

function summary(measured: Measured): object {
  const { edges, overall, tiers, byTier, drawnNonEdges } = measured;
  return { edges, overall, tiers, byTier, nonEdgesDrawn: drawnNonEdges.length };
}

function stubFigures({ measured, withoutAliases, alone, first, rebuild }: StubRun): object {
  return { ...summary(measured), withoutAliases: summary(withoutAliases), alone: summary(alone), firstBuild: first, rebuild };
}

function shares(tiers: Readonly<Record<Tier, number>>, records: number): Record<Tier, number> {
  return { 1: round(tiers[1] / records), 2: round(tiers[2] / records), 3: round(tiers[3] / records) };
}

const tierNumbers: readonly Tier[] = [1, 2, 3];
const decimals = (value: number): string => value.toFixed(3);

function row(name: string, score: Score, bare: Score | null = null): string[] {
  const counted = [score.precision, score.recall, score.f1].map(decimals);
  const other = bare === null ? ["", "", ""] : [bare.precision, bare.recall, bare.f1].map(decimals);
  return [name, ...counted, String(score.wrong), String(score.missed), ...other];
}

function tableOf(measured: Measured, bare: Measured, stubs: readonly (readonly [Manner, StubRun])[]): string[][] {
  const rows = [["edge", "precision", "recall", "F1", "wrong", "missed", "no aliases: precision", "recall", "F1"]];
  for (const kind of edgeKinds) rows.push(row(kind, measured.edges[kind], bare.edges[kind]));
  rows.push(row("all edges", measured.overall, bare.overall));
  for (const [kind, score] of Object.entries(measured.entities)) rows.push(row(`entity ${kind}`, score, bare.entities[kind] ?? null));
  const records = Math.max(
    1,
    tierNumbers.reduce((sum, tier) => sum + measured.tiers[tier], 0),
  );
  for (const tier of tierNumbers) {
    const share = `${((100 * measured.tiers[tier]) / records).toFixed(1)} %`;
    rows.push(row(`tier ${tier}: ${measured.tiers[tier]} records, ${share}`, measured.byTier[tier], bare.byTier[tier]));
  }
  for (const [manner, run] of stubs) {
    for (const kind of edgeKinds) rows.push(row(`${manner} model: ${kind}`, run.measured.edges[kind], run.withoutAliases.edges[kind]));
    rows.push(row(`${manner} model: all edges`, run.measured.overall, run.withoutAliases.overall));
    for (const tier of tierNumbers.slice(1))
      rows.push(row(`${manner} model: tier ${tier}`, run.measured.byTier[tier], run.withoutAliases.byTier[tier]));
    rows.push(row(`${manner} model alone`, run.alone.overall));
    for (const [name, spent] of [
      ["first build", run.first],
      ["unchanged rebuild", run.rebuild],
    ] as const)
      rows.push([`${manner} model: ${name}`, `${spent.calls} calls`, `$${spent.costUsd.toFixed(4)}`, ...Array<string>(6).fill("")]);
  }
  const prices = stubs.length === 0 ? "" : `; stub runs as ${pricedAs.cheap} and ${pricedAs.frontier}`;
  rows.push([`estimate at the article's prices${prices}`, `$${estimate(measured.tiers)}`, ...Array<string>(7).fill("")]);
  return rows;
}
