import type { Names } from "../core/extract.ts";
import type { Graph, StoredExtractions } from "../core/graph.ts";
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
  deps.graph.readFrom(deps.store.extractions, keptSize(deps.store));
}

function keptSize(store: IndexDeps["store"]): Graph["size"] | null {
  const [generation, nodes, edges] = store.meta.get(SIZE)?.split(" ") ?? [];
  return generation === generationOf(store) ? { nodes: Number(nodes), edges: Number(edges) } : null;
}

/** Keeps the size of the graph for the next start, since counting means to fold all of it; where it is kept, nothing is folded. */
export async function keepSize({ store, graph }: Pick<IndexDeps, "store" | "graph">, signal: AbortSignal): Promise<void> {
  if (keptSize(store) !== null) return;
  await graph.load?.(signal);
  if (signal.aborted) return;
  const { nodes, edges } = graph.size;
  store.meta.set(SIZE, `${generationOf(store)} ${nodes} ${edges}`);
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
