import { join } from "node:path";
import type { Embedder, Reranker } from "./core/chunk.ts";
import { openModels } from "./models/load.ts";

/** Models as the manifest names them, loaded when first used: a command that only looks at the graph does not wait for them. */
export function lazyModels(
  kinds: { readonly embedding: string; readonly reranker: string },
  options: { readonly root?: string; readonly dataDir?: string } = {},
): { readonly embedder: Embedder; readonly reranker: Reranker | null } {
  const { root, dataDir } = options;
  return openModels(kinds, {
    ...(root === undefined ? {} : { root }),
    ...(dataDir === undefined ? {} : { cacheDir: join(dataDir, "cache", "models") }),
  });
}
