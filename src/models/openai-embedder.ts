import type OpenAI from "openai";
import type { Embedder } from "../core/chunk.ts";
import { ContextError } from "../core/errors.ts";
import { normalize } from "./vectors.ts";

export interface OpenAiEmbedderOptions {
  readonly model: string;
  readonly baseUrl: string | null;
  readonly apiKey: string;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
}

/** Texts sent in one request. */
const atOnce = 64;

/** Embeddings from any server that speaks OpenAI's protocol. Throws ContextError LLM_* with the server's status. */
export function openAiEmbedder({ model, baseUrl, apiKey, timeoutMs = 30_000 }: OpenAiEmbedderOptions): Embedder {
  let client: OpenAI | null = null;
  let dimensions = 0;
  return {
    id: `openai:${model}`,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, _kind, signal) {
      // loaded with the first call: a command that embeds nothing need not pay for it
      const { OpenAI: Client } = await import("openai");
      client ??= new Client({ apiKey, baseURL: baseUrl, timeout: timeoutMs, maxRetries: 2 });
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += atOnce) {
        const input = texts.slice(at, at + atOnce);
        const { data } = await client.embeddings.create({ model, input, encoding_format: "float" }, { signal }).catch((error: unknown) => {
          throw named(error, Client, model, signal);
        });
        if (data.length !== input.length) {
          throw new ContextError("LLM_BAD_REPLY", `${model} gave ${data.length} vectors for ${input.length} texts.`);
        }
        for (const { embedding } of [...data].sort((a, b) => a.index - b.index)) vectors.push(normalize(Float32Array.from(embedding)));
      }
      dimensions = vectors[0]?.length ?? dimensions;
      return vectors;
    },
  };
}

function named(error: unknown, Client: typeof OpenAI, model: string, signal: AbortSignal): ContextError {
  if (signal.aborted) return new ContextError("CANCELLED", "Stopped on request.", { cause: error });
  const status = error instanceof Client.APIError ? error.status : undefined;
  const code = status === 401 || status === 403 ? "LLM_UNAUTHORIZED" : status === 429 ? "LLM_RATE_LIMITED" : "LLM_UNAVAILABLE";
  const answered = status === undefined ? "did not answer" : `answered ${status}`;
  return new ContextError(code, `The embeddings endpoint for ${model} ${answered}.`, { cause: error });
}
