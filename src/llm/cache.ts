import { createHash } from "node:crypto";
import { z } from "zod";
import type { Complete, CompleteOptions, Completion, ModelTier } from "../core/llm.ts";

/** Where replies are kept; `LlmTable` of the store fits. */
export interface ReplyCache {
  cached(key: string): string | null;
  cache(key: string, reply: string, model: string, now: string): void;
}

export interface CacheOptions {
  readonly table: ReplyCache;
  /** Everything about the endpoint that shapes a reply: model of the tier, base URL, parameters. */
  identity(tier: ModelTier): string;
  /** Raised when a prompt's meaning changes without its words. */
  readonly version: string;
  readonly now: () => Date;
}

const Stored = z.object({
  text: z.string(),
  toolRequests: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  /** The model that really answered, which need not be the one that was asked for. */
  model: z.string(),
});

/**
 * Serves a reply again when everything it was asked with is the same. A hit costs nothing and keeps the name of the model that
 * wrote it. A stored reply that no longer parses is asked for again.
 */
export function withCache(complete: Complete, options: CacheOptions): Complete {
  return async (request, signal) => {
    const key = replyKey(request, options);
    const stored = read(options.table.cached(key));
    if (stored !== null) {
      if (stored.text !== "") request.onToken?.(stored.text);
      const usage = { model: stored.model, inputTokens: 0, outputTokens: 0, costUsd: 0 };
      return { text: stored.text, toolRequests: stored.toolRequests, usage } satisfies Completion;
    }
    const reply = await complete(request, signal);
    const value = { text: reply.text, toolRequests: reply.toolRequests, model: reply.usage.model };
    options.table.cache(key, JSON.stringify(value), reply.usage.model, options.now().toISOString());
    return reply;
  };
}

/** sha256 over prompt, tools, schema, length limit, purpose, endpoint and prompt version. */
export function replyKey(request: CompleteOptions, options: Pick<CacheOptions, "identity" | "version">): string {
  const { tier, purpose, messages, maxTokens, tools, schema } = request;
  const shape = schema === undefined ? null : { name: schema.name, shape: z.toJSONSchema(schema.shape) };
  const asked = {
    identity: options.identity(tier),
    version: options.version,
    tier,
    purpose,
    messages,
    maxTokens,
    tools: tools ?? null,
    shape,
  };
  return createHash("sha256").update(JSON.stringify(asked)).digest("hex");
}

function read(text: string | null): z.infer<typeof Stored> | null {
  if (text === null) return null;
  try {
    return Stored.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
