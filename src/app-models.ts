import type { Embedder, Reranker } from "./core/chunk.ts";
import { type LocalModels, loadBundled } from "./models/load.ts";

/** Threads of the model runtime: the machine is shared with everything else the daemon does. */
const THREADS = 2;

/**
 * The bundled models, loaded when first used: a command that only looks at the graph does not wait for them.
 * The embedder's id and size are known before it is loaded.
 */
export function lazyModels(kinds: { readonly embedding: string; readonly reranker: string }): {
  readonly embedder: Embedder;
  readonly reranker: Reranker | null;
} {
  let loading: Promise<LocalModels> | null = null;
  const load = (): Promise<LocalModels> => {
    loading ??= loadBundled(THREADS);
    return loading;
  };
  return {
    embedder: {
      id: "minilm-l6-v2-int8",
      dimensions: 384,
      embed: async (texts, kind, signal) => (await load()).embedder.embed(texts, kind, signal),
    },
    reranker:
      kinds.reranker === "none"
        ? null
        : {
            id: "bundled:late-interaction",
            rerank: async (query, candidates, signal) => (await (await load()).reranker?.rerank(query, candidates, signal)) ?? [],
          },
  };
}
