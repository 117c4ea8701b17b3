import type { Names } from "../core/extract.ts";
import type { Extraction } from "../core/fact.ts";
import type { IndexDeps } from "./deps.ts";

/** Extractions folded at a time: the fold sees large batches, the memory never the whole table. */
const BATCH = 2000;

/** The dictionary that the stored extractions were made with; one of hints alone before the first run. */
export function loadNames<N extends Names>({ store, extractor, hints }: Pick<IndexDeps<N>, "store" | "extractor" | "hints">): N {
  const stored = store.meta.get("names");
  return stored === null || store.meta.get("names.version") !== extractor.version
    ? extractor.names([], hints)
    : extractor.parseNames(JSON.parse(stored));
}

/** Folds what is stored into an empty graph, at start: nothing is read again. */
export function loadGraph<N extends Names>(deps: Pick<IndexDeps<N>, "store" | "extractor" | "hints" | "graph">): void {
  const { store, graph } = deps;
  graph.setNames(loadNames(deps));
  let put: Extraction[] = [];
  for (const { extraction } of store.extractions.all()) {
    put.push(extraction);
    if (put.length < BATCH) continue;
    graph.apply({ put, drop: [] });
    put = [];
  }
  if (put.length > 0) graph.apply({ put, drop: [] });
}
