import type { NameHints } from "../core/extract.ts";
import { type EdgeKind, type Extraction, edgeKinds, type Tier } from "../core/fact.ts";
import type { GraphEdge } from "../core/graph.ts";
import type { Complete } from "../core/llm.ts";
import { createModelReader } from "../extract/deepener.ts";
import type { NameBook } from "../extract/names.ts";
import { createTier1 } from "../extract/tier1.ts";
import { readWorld, type World, type WorldEdge } from "./ground-truth.ts";
import { MemoryBuild } from "./memory-build.ts";
import { readSince, type SinceEvent } from "./since.ts";
import type { Suite, SuiteOptions, SuiteResult } from "./suite.ts";

/** What the described system paid for one record of a tier, in US dollars. */
export const articlePrices = { 2: 0.0002, 3: 0.003 } as const;

interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
}

interface Measured {
  readonly edges: Readonly<Record<EdgeKind, Score>>;
  readonly entities: Readonly<Record<string, Score>>;
  readonly tiers: Readonly<Record<Tier, number>>;
  /** Edges that truth says must not be drawn from a record, and were. */
  readonly drawnNonEdges: readonly string[];
  readonly byTier: Readonly<Record<Tier, { readonly right: number; readonly wrong: number }>>;
  readonly lines: readonly string[];
}

/** Measures records to edges against a world's ground truth: with the user's aliases, and without any. */
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
    const bare = measure(world, buildOf(world, { aliases: {}, sourcePaths: {} }));
    const aliases = aliasTests(world, build);
    const ambiguous = ambiguousNames(world, build);
    const again = build.update([...world.records].slice(0, 0));
    const since = replay(build, await readSince(options.path));
    const records = world.records.length;
    const figures = {
      records,
      failures: world.failures.length,
      tiers: measured.tiers,
      tierShares: shares(measured.tiers, records),
      edges: measured.edges,
      overall: total(measured.edges),
      entities: measured.entities,
      nonEdgesDrawn: measured.drawnNonEdges.length,
      byTier: measured.byTier,
      withoutAliases: { edges: bare.edges, overall: total(bare.edges), tiers: bare.tiers, nonEdgesDrawn: bare.drawnNonEdges.length },
      aliasTests: { n: world.aliasTests.length, right: world.aliasTests.length - aliases.length },
      ambiguousNames: { n: world.ambiguous.length, reported: ambiguous },
      since: { n: since.n, right: since.n - since.wrong.length },
      costUsd: spent.costUsd,
      llm: spent,
      ...(options.complete === null ? {} : { byRulesAlone: { edges: byRules.edges, overall: total(byRules.edges) } }),
      estimatedCostUsd: estimate(measured.tiers),
      rebuild: { extracted: again.extracted, llmCalls: 0, costUsd: 0 },
    };
    return {
      figures,
      table: tableOf(measured, bare),
      files: {
        "edges.txt": `${measured.lines.join("\n")}\n`,
        "edges-without-aliases.txt": `${bare.lines.join("\n")}\n`,
        "aliases.txt": `${aliases.join("\n")}\n`,
        "since.txt": `${since.wrong.join("\n")}\n`,
        "tiers.jsonl": [...build.extractions.values()]
          .map((one) => JSON.stringify({ record: one.record, tier: one.tier, reason: one.tierReason }))
          .join("\n"),
      },
    };
  },
};

const noSpend = { calls: 0, costUsd: 0, failed: 0 } as const;

/** Tiers 2 and 3 over what the rules left open; a record whose call fails keeps the rules' result. */
async function deepenAll(
  build: MemoryBuild<NameBook>,
  complete: Complete,
  options: SuiteOptions,
): Promise<{ readonly calls: number; readonly costUsd: number; readonly failed: number }> {
  const reader = createModelReader(complete, "suite");
  const open = [...build.extractions.values()].filter((one) => one.tier > 1);
  let [calls, costUsd, failed] = [0, 0, 0];
  for (let at = 0; at < open.length; at += reader.concurrency) {
    const batch = open.slice(at, at + reader.concurrency);
    const results = await Promise.allSettled(
      batch.map((one) => {
        const record = build.records.get(one.record);
        return record === undefined ? Promise.reject(new Error("gone")) : reader.deepen(record, one, build.names, options.signal);
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

export function buildOf(world: World, hints: NameHints): MemoryBuild<NameBook> {
  const build = new MemoryBuild(createTier1(), hints);
  build.update(world.records);
  return build;
}

/** Precision over edges with evidence in fully annotated records; recall over all edges of the truth. */
export function measure(world: World, build: MemoryBuild<NameBook>): Measured {
  const canonical = (id: string): string => (id.startsWith("commit:") ? (build.graph.node(id as `commit:${string}`)?.id ?? id) : id);
  const key = (edge: WorldEdge): string => `${canonical(edge.source)}|${edge.kind}|${canonical(edge.target)}`;
  const truth = new Map(world.edges.map((edge) => [key(edge), edge]));
  const optional = new Set(world.optional.map(key));
  const forbidden = new Map<string, Set<string>>();
  for (const edge of world.nonEdges) forbidden.set(key(edge), (forbidden.get(key(edge)) ?? new Set()).add(edge.record ?? "*"));
  const counts = Object.fromEntries(edgeKinds.map((kind) => [kind, { right: 0, wrong: 0, found: 0, missed: 0 }])) as Record<
    EdgeKind,
    { right: number; wrong: number; found: number; missed: number }
  >;
  const byTier: Record<Tier, { right: number; wrong: number }> = {
    1: { right: 0, wrong: 0 },
    2: { right: 0, wrong: 0 },
    3: { right: 0, wrong: 0 },
  };
  const drawn: string[] = [];
  const lines: string[] = [];
  const predicted = new Set<string>();
  for (const edge of build.graph.edges()) {
    predicted.add(edge.id);
    const stated = edge.evidence.filter((one) => !one.ends);
    const bad = forbidden.get(edge.id);
    const from = bad === undefined ? [] : stated.filter((one) => bad.has("*") || bad.has(one.span.record));
    const scoped = stated.filter((one) => world.inScope(one.span.record, edge.kind));
    const tier = Math.min(...stated.map((one) => one.tier)) as Tier;
    if (from.length > 0) {
      drawn.push(edge.id);
      lines.push(`forbidden ${show(edge, build)}`);
    }
    if (scoped.length === 0 && from.length === 0) continue;
    if (truth.has(edge.id) && from.length === 0) {
      counts[edge.kind].right += 1;
      byTier[tier].right += 1;
    } else if (from.length > 0 || !optional.has(edge.id)) {
      counts[edge.kind].wrong += 1;
      byTier[tier].wrong += 1;
      lines.push(`wrong ${show(edge, build)}`);
    }
  }
  for (const [id, edge] of truth) {
    const count = counts[edge.kind as EdgeKind];
    if (count === undefined) continue;
    if (predicted.has(id)) count.found += 1;
    else {
      count.missed += 1;
      lines.push(`missed ${id} ${JSON.stringify(edge.records)}`);
    }
  }
  const edges = Object.fromEntries(
    edgeKinds.map((kind) => [kind, scoreOf(counts[kind].right, counts[kind].wrong, counts[kind].found, counts[kind].missed)]),
  ) as Record<EdgeKind, Score>;
  return { edges, entities: entityScores(world, build), tiers: tiersOf(build.extractions.values()), drawnNonEdges: drawn, byTier, lines };
}

function show(edge: GraphEdge, build: MemoryBuild<NameBook>): string {
  return `${edge.id} <- ${edge.evidence
    .slice(0, 3)
    .map(
      (one) =>
        `${one.rule} @${one.span.record} «${build.records.get(one.span.record)?.body.slice(one.span.start, one.span.end).replace(/\s+/g, " ").slice(0, 160)}»`,
    )
    .join("; ")}`;
}

function scoreOf(right: number, wrong: number, found: number, missed: number): Score {
  const precision = right + wrong === 0 ? 1 : right / (right + wrong);
  const recall = found + missed === 0 ? 1 : found / (found + missed);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision: round(precision), recall: round(recall), f1: round(f1), right, wrong, missed };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Nodes by kind; only kinds that truth lists. */
function entityScores(world: World, build: MemoryBuild<NameBook>): Record<string, Score> {
  const scores: Record<string, Score> = {};
  for (const kind of new Set(world.entities.map((entity) => entity.kind))) {
    const wanted = new Set(world.entities.filter((entity) => entity.kind === kind).map((entity) => entity.id));
    const have = new Set<string>();
    for (const node of build.graph.nodes()) {
      // truth lists documents of the wiki only, not the files of repositories
      const file = kind === "doc" && node.spans.every((span) => span.record.startsWith("github:"));
      if (node.kind === kind && !file) have.add(node.id);
    }
    const right = [...have].filter((id) => wanted.has(id)).length;
    scores[kind] = scoreOf(right, have.size - right, right, wanted.size - right);
  }
  return scores;
}

export function tiersOf(extractions: Iterable<Extraction>): Record<Tier, number> {
  const tiers: Record<Tier, number> = { 1: 0, 2: 0, 3: 0 };
  for (const one of extractions) tiers[one.tier] += 1;
  return tiers;
}

function shares(tiers: Readonly<Record<Tier, number>>, records: number): Record<Tier, number> {
  return { 1: round(tiers[1] / records), 2: round(tiers[2] / records), 3: round(tiers[3] / records) };
}

export function estimate(tiers: Readonly<Record<Tier, number>>): number {
  return round(tiers[2] * articlePrices[2] + tiers[3] * articlePrices[3]);
}

function total(edges: Readonly<Record<EdgeKind, Score>>): Score {
  let [right, wrong, found, missed] = [0, 0, 0, 0];
  for (const score of Object.values(edges)) {
    right += score.right;
    wrong += score.wrong;
    missed += score.missed;
    found += score.recall === 1 ? Math.max(score.right, 0) : Math.round((score.recall * score.missed) / (1 - score.recall));
  }
  return scoreOf(right, wrong, found, missed);
}

/** Spellings and what they must resolve to: a node, "ambiguous", or nothing. @returns what went wrong, a line each */
export function aliasTests(world: World, build: MemoryBuild<NameBook>): string[] {
  const wrong: string[] = [];
  for (const { text, expect } of world.aliasTests) {
    const found = build.graph.resolve(text);
    const got = found.type === "one" ? found.node.id : found.type === "many" ? "ambiguous" : null;
    if (got !== expect) wrong.push(`${text}: expected ${expect}, got ${got}`);
  }
  return wrong;
}

/** How many of the names that mean several things resolve to several, or to none. */
function ambiguousNames(world: World, build: MemoryBuild<NameBook>): number {
  return world.ambiguous.filter((one) => one.candidates.length > 1 && build.graph.resolve(one.name).type === "many").length;
}

/** Applies later changes one by one and checks what each must bring and take. */
export function replay(
  build: MemoryBuild<NameBook>,
  events: readonly SinceEvent[],
): { readonly n: number; readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  for (const event of events) {
    const gone = event.record === null || event.record.id !== event.id ? [event.id] : [];
    build.update(event.record === null ? [] : [event.record], gone);
    const holds = (edge: WorldEdge): boolean => build.graph.edge(`${edge.source}|${edge.kind}|${edge.target}`)?.validTo === null;
    const problems = [
      ...event.added.filter((edge) => !holds(edge)).map((edge) => `not added: ${edge.source} ${edge.kind} ${edge.target}`),
      ...event.removed.filter(holds).map((edge) => `not removed: ${edge.source} ${edge.kind} ${edge.target}`),
    ];
    if (problems.length > 0) wrong.push(`${event.at} ${event.op} ${event.id}: ${problems.join("; ")}`);
  }
  return { n: events.length, wrong };
}

function tableOf(measured: Measured, bare: Measured): string[][] {
  const rows = [["edge", "precision", "recall", "F1", "wrong", "missed", "no aliases: precision", "recall", "F1"]];
  const percent = (value: number): string => value.toFixed(3);
  for (const kind of edgeKinds) {
    const [a, b] = [measured.edges[kind], bare.edges[kind]];
    rows.push([
      kind,
      percent(a.precision),
      percent(a.recall),
      percent(a.f1),
      String(a.wrong),
      String(a.missed),
      percent(b.precision),
      percent(b.recall),
      percent(b.f1),
    ]);
  }
  for (const [kind, score] of Object.entries(measured.entities)) {
    rows.push([
      `entity ${kind}`,
      percent(score.precision),
      percent(score.recall),
      percent(score.f1),
      String(score.wrong),
      String(score.missed),
      "",
      "",
      "",
    ]);
  }
  const tiers = measured.tiers;
  const records = tiers[1] + tiers[2] + tiers[3];
  rows.push([
    `records ${records}`,
    `tier 1: ${tiers[1]}`,
    `tier 2: ${tiers[2]}`,
    `tier 3: ${tiers[3]}`,
    percent(tiers[1] / Math.max(1, records)),
    "",
    `est. $${estimate(tiers)}`,
    "",
    "",
  ]);
  return rows;
}
