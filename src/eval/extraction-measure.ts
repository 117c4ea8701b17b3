import type { NameHints } from "../core/extract.ts";
import { type EdgeKind, type Extraction, edgeKinds, type Tier } from "../core/fact.ts";
import type { GraphEdge } from "../core/graph.ts";
import type { RecordId } from "../core/record.ts";
import type { NameBook } from "../extract/names.ts";
import { createTier1 } from "../extract/tier1.ts";
import type { World, WorldEdge } from "./ground-truth.ts";
import { MemoryBuild } from "./memory-build.ts";
import type { SinceEvent } from "./since.ts";

/** What the described system paid for one record of a tier, in US dollars. */
const articlePrices = { 2: 0.0002, 3: 0.003 } as const;

export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
}

export interface Measured {
  readonly edges: Readonly<Record<EdgeKind, Score>>;
  readonly overall: Score;
  readonly entities: Readonly<Record<string, Score>>;
  readonly tiers: Readonly<Record<Tier, number>>;
  /** Edges that truth says must not be drawn from a record, and were. */
  readonly drawnNonEdges: readonly string[];
  /** What the records of a tier gave: edges with evidence in them, and edges of the truth that they state. */
  readonly byTier: Readonly<Record<Tier, Score>>;
  readonly lines: readonly string[];
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
  const drawn: string[] = [];
  const lines: string[] = [];
  const predicted = new Set<string>();
  for (const edge of build.graph.edges()) {
    predicted.add(edge.id);
    const stated = edge.evidence.filter((one) => !one.ends);
    const bad = forbidden.get(edge.id);
    const from = bad === undefined ? [] : stated.filter((one) => bad.has("*") || bad.has(one.span.record));
    const scoped = stated.filter((one) => world.inScope(one.span.record, edge.kind));
    if (from.length > 0) {
      drawn.push(edge.id);
      lines.push(`forbidden ${show(edge, build)}`);
    }
    if (scoped.length === 0 && from.length === 0) continue;
    if (truth.has(edge.id) && from.length === 0) {
      counts[edge.kind].right += 1;
    } else if (from.length > 0 || !optional.has(edge.id)) {
      counts[edge.kind].wrong += 1;
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
  return {
    edges,
    overall: scoreOf(...sums(Object.values(counts))),
    entities: entityScores(world, build),
    tiers: tiersOf(build.extractions.values()),
    drawnNonEdges: drawn,
    byTier: { 1: tierScore(1), 2: tierScore(2), 3: tierScore(3) },
    lines,
  };

  function tierScore(tier: Tier): Score {
    const of = (record: string): boolean => build.extractions.get(record as RecordId)?.tier === tier;
    const count = { right: 0, wrong: 0, found: 0, missed: 0 };
    const shown = new Set<string>();
    for (const edge of build.graph.edges()) {
      const here = edge.evidence.filter((one) => !one.ends && of(one.span.record));
      if (here.length > 0) shown.add(edge.id);
      if (!here.some((one) => world.inScope(one.span.record, edge.kind))) continue;
      if (truth.has(edge.id)) count.right += 1;
      else if (!optional.has(edge.id)) count.wrong += 1;
    }
    for (const [id, edge] of truth) {
      if (edge.records.some((one) => of(one.id))) count[shown.has(id) ? "found" : "missed"] += 1;
    }
    return scoreOf(count.right, count.wrong, count.found, count.missed);
  }
}

interface Count {
  readonly right: number;
  readonly wrong: number;
  readonly found: number;
  readonly missed: number;
}

function sums(counts: readonly Count[]): [number, number, number, number] {
  const sum = (part: keyof Count): number => counts.reduce((total, count) => total + count[part], 0);
  return [sum("right"), sum("wrong"), sum("found"), sum("missed")];
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

export function round(value: number): number {
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

export function estimate(tiers: Readonly<Record<Tier, number>>): number {
  return round(tiers[2] * articlePrices[2] + tiers[3] * articlePrices[3]);
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
export function ambiguousNames(world: World, build: MemoryBuild<NameBook>): number {
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
