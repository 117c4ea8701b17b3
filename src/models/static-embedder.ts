import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { Embedder } from "../core/chunk.ts";
import { ContextError } from "../core/errors.ts";
import { fingerprint, missing } from "./files.ts";
import { normalize } from "./vectors.ts";
import { WordPiece } from "./wordpiece.ts";

const Config = z.object({
  type: z.literal("static-embedding"),
  dimensions: z.int().positive(),
  unknown_id: z.int(),
  max_tokens: z.int().positive(),
  matrix: z.string(),
  scales: z.string(),
  vocab: z.string(),
});

/** Texts embedded between two looks at the signal and the event loop. */
const texts = 64;

/** Whether a folder holds a table of token vectors instead of a network. */
export function isStaticModel(folder: string): boolean {
  const path = join(folder, "config.json");
  return existsSync(path) && existsSync(join(folder, "vocab.txt")) && /"static-embedding"/.test(readFileSync(path, "utf8"));
}

/**
 * Mean of token vectors from a table: thousands of texts a second, for corpora too large for a network.
 * @throws ContextError MODEL_MISSING
 */
export function staticEmbedder(folder: string): Embedder {
  const file = (name: string) => {
    if (!existsSync(join(folder, name))) throw missing(folder, name);
    return join(folder, name);
  };
  const parsed = Config.safeParse(JSON.parse(readFileSync(file("config.json"), "utf8")));
  if (!parsed.success) throw new ContextError("MODEL_MISSING", `${folder} is no static embedding model.`, { cause: parsed.error });
  const { dimensions, unknown_id: unknown, max_tokens: most } = parsed.data;
  const matrix = readFileSync(file(parsed.data.matrix));
  const codes = new Int8Array(matrix.buffer, matrix.byteOffset, matrix.length);
  const raw = readFileSync(file(parsed.data.scales));
  const scales = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  const words = new WordPiece(file(parsed.data.vocab));

  function embedOne(text: string): Float32Array {
    const vector = new Float32Array(dimensions);
    for (const id of words.encode(text, most)) {
      if (id === unknown) continue;
      const scale = scales[id] ?? 0;
      for (let i = 0, at = id * dimensions; i < dimensions; i++) vector[i] = (vector[i] as number) + scale * (codes[at + i] ?? 0);
    }
    return normalize(vector);
  }

  return {
    id: `${basename(folder)}@${fingerprint(join(folder, parsed.data.matrix))}`,
    dimensions,
    async embed(wanted, _kind, signal) {
      const vectors: Float32Array[] = [];
      for (const text of wanted) {
        if (vectors.length % texts === 0) {
          await new Promise((resolve) => setImmediate(resolve));
          signal.throwIfAborted();
        }
        vectors.push(embedOne(text));
      }
      return vectors;
    },
  };
}
