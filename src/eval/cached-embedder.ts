import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../core/chunk.ts";

const HASH_BYTES = 32;
/** Small batches: large ones do not pay on a CPU and cost memory. */
const BATCH = 4;

/**
 * An embedder that keeps every vector in a file of the folder, by model and hash of the text, so that a suite that runs again
 * embeds nothing. A file row is the sha256 of kind and text, then the vector as float32.
 */
export function cachedEmbedder(embedder: Embedder, folder: string): Embedder {
  const file = join(folder, `${embedder.id.replace(/[^\w.-]+/g, "_")}-${embedder.dimensions}.vectors`);
  const rowBytes = HASH_BYTES + embedder.dimensions * Float32Array.BYTES_PER_ELEMENT;
  const known = readRows(file, rowBytes);
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    async embed(texts, kind, signal) {
      const keys = texts.map((text) => createHash("sha256").update(`${kind}\n${text}`).digest());
      const missing = texts.map((_, at) => at).filter((at) => !known.has(hex(keys[at])));
      for (let from = 0; from < missing.length; from += BATCH) {
        const batch = missing.slice(from, from + BATCH);
        const vectors = await embedder.embed(
          batch.map((at) => texts[at] ?? ""),
          kind,
          signal,
        );
        for (const [index, at] of batch.entries()) {
          const key = keys[at];
          const vector = vectors[index];
          if (key === undefined || vector === undefined) continue;
          known.set(hex(key), Float32Array.from(vector));
          appendFileSync(file, Buffer.concat([key, Buffer.from(Float32Array.from(vector).buffer)]));
        }
      }
      return keys.map((key) => known.get(hex(key)) ?? new Float32Array(embedder.dimensions));
    },
  };
}

function hex(key: Buffer | undefined): string {
  return key?.toString("hex") ?? "";
}

/** A row that was cut off by a killed run is left out. */
function readRows(file: string, rowBytes: number): Map<string, Float32Array> {
  const rows = new Map<string, Float32Array>();
  if (!existsSync(file)) return rows;
  const bytes = readFileSync(file);
  for (let at = 0; at + rowBytes <= bytes.length; at += rowBytes) {
    const vector = bytes.subarray(at + HASH_BYTES, at + rowBytes);
    rows.set(bytes.subarray(at, at + HASH_BYTES).toString("hex"), new Float32Array(Uint8Array.from(vector).buffer));
  }
  return rows;
}
