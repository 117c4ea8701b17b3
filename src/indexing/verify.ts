import { setImmediate as nextTurn } from "node:timers/promises";
import type { Names } from "../core/extract.ts";
import type { Declaration, Extraction } from "../core/fact.ts";
import type { Graph } from "../core/graph.ts";
import type { SourceRecord } from "../core/record.ts";
import { stableJson } from "../store/hash.ts";
import type { Problem } from "../store/store.ts";
import type { GraphFold, IndexDeps } from "./deps.ts";
import { loadGraph } from "./load.ts";
import { stopIfAsked } from "./run-state.ts";

/** Records looked at between two turns of the event loop. */
const SLICE = 100;

export interface VerifyDeps<N extends Names> extends Pick<IndexDeps<N>, "store" | "extractor" | "hints" | "chunk" | "chunkerVersion"> {
  /** The graph in use. */
  readonly graph: Graph;
  /** An empty one, to fold into again. */
  readonly newGraph: () => Graph & GraphFold<N>;
}

/**
 * Whether everything derived agrees with what it was derived from: the file itself, every row with its record, words
 * with chunks, the graph in use with a fold of what is stored. Deep: records are declared, read and cut again, and the
 * results compared. Nothing is changed.
 * @returns progress as it goes, in the end all problems; none on a sound store
 */
export async function* verifyIndex<N extends Names>(
  deps: VerifyDeps<N>,
  options: { readonly deep: boolean; readonly signal: AbortSignal },
): AsyncGenerator<{ readonly done: number; readonly total: number }, readonly Problem[]> {
  const problems: Problem[] = [...deps.store.check(options.deep)];
  stopIfAsked(options.signal);
  problems.push(...compareGraphs(deps));
  if (!options.deep) return problems;

  const { store, extractor, hints, chunkerVersion } = deps;
  const names = extractor.names(store.extractions.declarations(), hints);
  const stored = store.meta.get("names");
  if (stored === null || extractor.parseNames(JSON.parse(stored)).hash !== names.hash) {
    problems.push({ kind: "names", id: "names", message: "the stored dictionary is not the fold of the records' declarations" });
  }
  const stale = new Set([...store.extractions.stale(extractor.version), ...store.extractions.undeclared(extractor.version)]);
  const uncut = new Set(store.extractions.unchunked(chunkerVersion));
  const total = store.records.count();
  let done = 0;
  for (const record of store.records.all()) {
    // what is marked as still to be done is no fault: the next run does it
    if (!stale.has(record.id)) problems.push(...compareExtraction(deps, record, names));
    if (!uncut.has(record.id)) problems.push(...compareChunks(deps, record));
    done += 1;
    if (done % SLICE === 0) {
      stopIfAsked(options.signal);
      yield { done, total };
      await nextTurn();
    }
  }
  return problems;
}

function* compareGraphs<N extends Names>(deps: VerifyDeps<N>): Generator<Problem> {
  const fresh = deps.newGraph();
  loadGraph({ ...deps, graph: fresh });
  for (const [kind, has, wanted] of [
    ["node", deps.graph.nodes(), fresh.nodes()],
    ["edge", deps.graph.edges(), fresh.edges()],
  ] as const) {
    const left = new Map<string, string>();
    for (const one of wanted) left.set(one.id, canonical(one));
    for (const one of has) {
      const again = left.get(one.id);
      left.delete(one.id);
      if (again === undefined) yield { kind: `graph-${kind}`, id: one.id, message: "is in the graph, but nothing stored says so" };
      else if (again !== canonical(one)) yield { kind: `graph-${kind}`, id: one.id, message: "is not what is stored says" };
    }
    for (const id of left.keys()) yield { kind: `graph-${kind}`, id, message: "is stored, but not in the graph" };
  }
}

/** Equal for equal content, whatever the order of lists: which of two like pieces of evidence stands first says nothing. */
function canonical(value: unknown): string {
  return stableJson(sortLists(value));
}

function sortLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => stableJson(sortLists(one))).sort();
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, sortLists(part)]));
}

function* compareExtraction<N extends Names>(deps: VerifyDeps<N>, record: SourceRecord, names: N): Generator<Problem> {
  const { store, extractor } = deps;
  const has = store.extractions.get(record.id);
  if (has === null) return; // said by the check of the file
  if (canonical(has.declarations) !== canonical(extractor.declare(record) satisfies readonly Declaration[])) {
    yield { kind: "declarations", id: record.id, message: "are not what the record says" };
  }
  if (canonical(byRules(has.extraction)) !== canonical(byRules(extractor.extract(record, names)))) {
    yield { kind: "extraction", id: record.id, message: "is not what the rules read" };
  }
}

/** What tier 1 found; what a model added cannot be made again for nothing. */
function byRules(extraction: Extraction): unknown {
  return { facts: extraction.facts.filter((fact) => fact.tier === 1), nodes: extraction.nodes };
}

function* compareChunks<N extends Names>(deps: VerifyDeps<N>, record: SourceRecord): Generator<Problem> {
  if (canonical(deps.store.chunks.ofRecord(record.id)) !== canonical(deps.chunk(record))) {
    yield { kind: "chunks", id: record.id, message: "are not what the record is cut into" };
  }
}
