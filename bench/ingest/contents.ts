import { createHash } from "node:crypto";
import { join } from "node:path";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";

/** What a store holds: how many of each, a hash over all of it in a fixed order, and what its check finds. */
export interface Contents {
  readonly records: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly hash: string;
  readonly problems: number;
}

/** Reads it from the store of a data folder. */
export function contentsOf(dataDir: string): Contents {
  using store = openStore(join(dataDir, "contextd.db"), { readonly: true });
  const setting = store.meta.get("embedding.model");
  const model = setting === null ? "" : (JSON.parse(setting) as { readonly id: string }).id;
  const hash = createHash("sha256");
  for (const id of store.records.ids()) {
    const chunks = store.chunks.ofRecord(id);
    const vectors = store.vectors.get(
      model,
      chunks.map((chunk) => chunk.id),
    );
    const ofChunks = chunks.map((chunk) => [chunk, [...(vectors.get(chunk.id) ?? [])]]);
    hash.update(JSON.stringify([store.records.get(id), withoutTimes(store, id), ofChunks]));
  }
  return {
    records: store.records.count(),
    chunks: store.chunks.count(),
    vectors: store.vectors.count(model),
    hash: hash.digest("hex"),
    problems: [...store.check(false)].length,
  };
}

function withoutTimes(store: Store, id: Parameters<Store["extractions"]["get"]>[0]): unknown {
  const { declarations, extraction } = store.extractions.get(id) ?? {};
  return [declarations, extraction];
}
