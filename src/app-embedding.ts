import { z } from "zod";
import type { Embedder, Index } from "./core/chunk.ts";
import type { Log } from "./core/connector.ts";
import { ServedEmbedder } from "./docsearch/served-embedder.ts";
import type { IndexDeps } from "./indexing/deps.ts";
import { reembed } from "./indexing/embed.ts";
import { fillIndex, type Served } from "./indexing/served.ts";
import { type ModelOptions, openModels } from "./models/load.ts";
import type { Store } from "./store/store.ts";

/** Which model's vectors are whole, and the setting that loads it. */
const META = "embedding.model";
const Whole = z.object({ id: z.string(), setting: z.string() });

export interface EmbeddingParts {
  readonly store: Store;
  /** As configured, `models.embedding`. */
  readonly setting: string;
  readonly configured: Embedder;
  readonly options: ModelOptions;
  /** An engine of the configured model beside the one that is searched now; null where the store itself is searched. */
  readonly engine: ((embedder: Embedder) => Index) | null;
  readonly log: Log;
}

export interface Embedding extends AsyncDisposable {
  /** What searches ask. */
  readonly embedder: ServedEmbedder;
  readonly served: Served;
  /** From now on vectors are made between runs, until all of the configured model are there. */
  inBackground(deps: Pick<IndexDeps, "store" | "embedder" | "served" | "log">): void;
  /** Runs of this process leave them to `inBackground`, which will be called. */
  leaveToBackground(): void;
}

/**
 * The model that searches use: the configured one, unless the vectors in the store are another's and that one can still
 * be loaded; then it answers until the configured one has read everything.
 */
export function openEmbedding({ store, setting, configured, options, engine, log }: EmbeddingParts): Embedding {
  const former = formerModel(store, configured, options, log);
  const embedder = new ServedEmbedder(former?.embedder ?? configured);
  const stop = new AbortController();
  let left = false;
  let going: Promise<void> | null = null;
  return {
    embedder,
    served: {
      embedder,
      get inBackground() {
        return left;
      },
      ...(engine === null ? {} : { fill: (signal: AbortSignal) => fillIndex(store, engine(configured), signal) }),
      settle() {
        const made = JSON.stringify({ id: configured.id, setting });
        if (store.meta.get(META) !== made) store.meta.set(META, made);
        embedder.switchTo(configured);
        former?.[Symbol.dispose]();
      },
    },
    leaveToBackground() {
      left = true;
    },
    inBackground(deps) {
      left = true;
      going ??= reembed(deps, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) log.error({ err: error }, "passages could not be embedded again; searches stay with the former model");
      });
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await going;
      former?.[Symbol.dispose]();
    },
  };
}

/** The model whose vectors are in the store, where that is not the configured one; null when there is none, or it is gone. */
function formerModel(store: Store, configured: Embedder, options: ModelOptions, log: Log): ReturnType<typeof openModels> | null {
  const whole = Whole.nullable().parse(JSON.parse(store.meta.get(META) ?? "null"));
  if (whole === null || whole.id === configured.id || !store.vectors.has(whole.id)) return null;
  const models = openModels({ embedding: whole.setting, reranker: "none" }, options);
  if (models.embedder.id === whole.id) return models;
  models[Symbol.dispose]();
  log.warn({ model: whole.id }, "the former embedding model is no longer there: its vectors cannot be searched");
  return null;
}
