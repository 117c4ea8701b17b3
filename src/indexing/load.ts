import type { Names } from "../core/extract.ts";
import type { GraphChange, IndexDeps } from "./deps.ts";

/** The dictionary that the stored extractions were made with; one of hints alone before the first run. */
export function loadNames<N extends Names>({ store, extractor, hints }: Pick<IndexDeps<N>, "store" | "extractor" | "hints">): N {
  const stored = store.meta.get("names");
  return stored === null || store.meta.get("names.version") !== extractor.version
    ? extractor.names([], hints)
    : extractor.parseNames(JSON.parse(stored));
}

/** Folds what is stored into an empty graph, at start: nothing is read again. */
export function loadGraph<N extends Names>(deps: Pick<IndexDeps<N>, "store" | "extractor" | "hints" | "graph">): void {
  deps.graph.setNames(loadNames(deps));
  deps.graph.apply(stored(deps.store));
}

function* stored(store: IndexDeps["store"]): Generator<GraphChange, void> {
  for (const { extraction } of store.extractions.all()) yield { record: extraction.record, extraction };
}
