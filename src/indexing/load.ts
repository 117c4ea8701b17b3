import type { Names } from "../core/extract.ts";
import type { NodeId } from "../core/fact.ts";
import type { Graph, StoredExtractions } from "../core/graph.ts";
import { countGraph } from "./count-graph.ts";
import type { GraphChange, IndexDeps } from "./deps.ts";

/**
 * The dictionary that the stored extractions were made with; one of hints alone before the first run. After an upgrade it is
 * folded anew from what they declare, so that questions are answered from them until the next run has read all records again.
 */
export function loadNames<N extends Names>({ store, extractor, hints }: Pick<IndexDeps<N>, "store" | "extractor" | "hints">): N {
  const stored = store.meta.get("names");
  if (stored !== null && store.meta.get("names.version") === extractor.version) return extractor.parseNames(JSON.parse(stored));
  return extractor.names(stored === null ? [] : store.extractions.declarations(), hints);
}

const SIZE = "graph.size";

/** A graph that folds what is stored where somebody looks, at start: nothing is read yet. */
export function openGraph<N extends Names>(
  deps: Pick<IndexDeps<N>, "store" | "extractor" | "hints"> & {
    readonly graph: Pick<IndexDeps<N>["graph"], "setNames"> & { readFrom(stored: StoredExtractions, size: Graph["size"] | null): void };
  },
): void {
  deps.graph.setNames(loadNames(deps));
  deps.graph.readFrom(deps.store.extractions, sizeNow(deps.store));
}

/** As it was counted last; a run that did not come to its end is not in it. */
export function keptSize(store: IndexDeps["store"]): Graph["size"] {
  const [, nodes = 0, edges = 0] = store.meta.get(SIZE)?.split(" ") ?? [];
  return { nodes: Number(nodes), edges: Number(edges) };
}

function sizeNow(store: IndexDeps["store"]): Graph["size"] | null {
  return store.meta.get(SIZE)?.split(" ")[0] === generationOf(store) ? keptSize(store) : null;
}

/** Counts the graph once a run has changed it, and keeps its size for the next start. */
export async function keepSize<N extends Names>(
  { store, graph }: Pick<IndexDeps<N>, "store" | "graph">,
  names: N,
  signal: AbortSignal,
): Promise<void> {
  if (sizeNow(store) !== null) return;
  const size = graph.counted ?? (await countGraph(store, nodesOf(names), signal));
  if (size === null) return;
  graph.sized(size);
  store.meta.set(SIZE, `${generationOf(store)} ${size.nodes} ${size.edges}`);
}

function* nodesOf(names: Names): Generator<NodeId, void> {
  for (const { node } of names.entries()) yield node;
}

function generationOf(store: IndexDeps["store"]): string {
  return store.meta.get("index.generation") ?? "0";
}

/** Folds all that is stored into an empty graph. */
export function loadGraph<N extends Names>(deps: Pick<IndexDeps<N>, "store" | "extractor" | "hints" | "graph">): void {
  deps.graph.setNames(loadNames(deps));
  deps.graph.apply(stored(deps.store));
}

function* stored(store: IndexDeps["store"]): Generator<GraphChange, void> {
  for (const { extraction } of store.extractions.all()) yield { record: extraction.record, extraction };
}
