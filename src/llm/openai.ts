import type OpenAI from "openai";
import type { APIError } from "openai";
import type { ChatCompletion, ChatCompletionCreateParamsBase, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { z } from "zod";
import { ContextError } from "../core/errors.ts";
import {
  type Complete,
  type CompleteOptions,
  type Completion,
  type Message,
  type ModelIds,
  modelOf,
  type ToolRequest,
  type Usage,
} from "../core/llm.ts";
import { costOf, estimateTokens, type Price, priceOf, reasoningRoom } from "./prices.ts";

export interface OpenAiOptions {
  /** Ends in /v1 with most servers; null for OpenAI itself. */
  readonly baseUrl: string | null;
  /** Null for a server that wants none. */
  readonly apiKey: string | null;
  readonly models: ModelIds;
  /** Longest wait for a whole reply, ms. */
  readonly timeoutMs?: number;
  readonly prices?: Readonly<Record<string, Price>>;
  readonly fetch?: typeof fetch;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** Where OpenAI itself answers. */
export const OPENAI_URL = "https://api.openai.com/v1";

/**
 * `Complete` over any server that speaks OpenAI's chat completions.
 * Errors: LLM_UNAUTHORIZED, LLM_RATE_LIMITED (`detail.retryAfterMs` when the server said so), LLM_UNAVAILABLE (network, 5xx,
 * no reply in time: `detail.timeout`), LLM_BAD_REPLY (malformed, empty, refused request), CANCELLED when `signal` says so.
 * It calls once; retries, cache and budget are wrappers of the same shape.
 */
export function openAiComplete(options: OpenAiOptions): Complete {
  let library: Promise<Library> | null = null;
  let client: OpenAI | null = null;
  const clientOptions = {
    baseURL: options.baseUrl ?? OPENAI_URL,
    apiKey: options.apiKey ?? "none",
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    logLevel: "off" as const,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  };
  const official = options.baseUrl === null || new URL(options.baseUrl).hostname === "api.openai.com";
  return async (request, signal) => {
    if (signal.aborted) throw new ContextError("CANCELLED", "Stopped before the model was called.", { cause: signal.reason });
    const limit = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const both = AbortSignal.any([signal, limit]);
    const model = modelOf(options.models, request.tier);
    library ??= import("openai");
    const openai = await library;
    client ??= new openai.OpenAI(clientOptions);
    const opened = client;
    const call = (asked: CompleteOptions): Promise<Reply> => callOnce(opened, paramsOf(asked, model, official), both, asked.onToken);
    try {
      const reply = await call(request).catch((error: unknown) => {
        // a server that knows no JSON schema; the prompt asks for the shape as well, and the caller validates
        if (!(error instanceof openai.APIError && error.status === 400 && error.code !== "context_length_exceeded")) throw error;
        const { schema, ...plain } = request;
        if (schema === undefined) throw error;
        return call(plain);
      });
      if (reply.text.trim() === "" && reply.toolRequests.length === 0) {
        throw new ContextError("LLM_BAD_REPLY", `${model} sent an empty reply (${reply.finish ?? "no reason given"}).`, {
          detail: { model, empty: true },
        });
      }
      const usage = usageOf(reply, model, request, options);
      return { text: reply.text, toolRequests: reply.toolRequests, usage } satisfies Completion;
    } catch (error) {
      throw mapped(error, openai, model, signal, limit);
    }
  };
}

/** Loaded with the first call: a command that asks no model need not pay for it. */
type Library = typeof import("openai");

async function callOnce(
  client: OpenAI,
  params: Omit<ChatCompletionCreateParamsBase, "stream">,
  signal: AbortSignal,
  onToken: ((text: string) => void) | undefined,
): Promise<Reply> {
  if (onToken !== undefined) return readStream(client, params, signal, onToken);
  return readReply(await abortable(client.chat.completions.create({ ...params, stream: false }, { signal }), signal));
}

interface Reply {
  text: string;
  toolRequests: readonly ToolRequest[];
  model: string | null;
  finish: string | null;
  tokens: { readonly input: number; readonly output: number } | null;
}

function paramsOf(request: CompleteOptions, model: string, official: boolean): Omit<ChatCompletionCreateParamsBase, "stream"> {
  // OpenAI's reasoning models refuse a temperature and the older name of the length limit; most other servers know only the older.
  const room = official ? reasoningRoom(model) : 0;
  return {
    model,
    messages: request.messages.map(toParam),
    ...(official ? { max_completion_tokens: request.maxTokens + room } : { max_tokens: request.maxTokens }),
    ...(room > 0 ? {} : { temperature: 0 }),
    ...(request.tools === undefined || request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: "function" as const,
            function: { name, description, parameters, strict: true },
          })),
        }),
    ...(request.schema === undefined
      ? {}
      : {
          response_format: {
            type: "json_schema" as const,
            json_schema: { name: request.schema.name, schema: jsonSchema(request.schema.shape), strict: true },
          },
        }),
  };
}

/** Without "$schema", which strict servers refuse. */
function jsonSchema(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape);
  return schema;
}

function toParam(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case "tool":
      return { role: "tool", tool_call_id: message.toolRequestId, content: message.content };
    case "assistant":
      return {
        role: "assistant",
        content: message.content,
        ...(message.toolRequests === undefined || message.toolRequests.length === 0
          ? {}
          : {
              tool_calls: message.toolRequests.map(({ id, name, arguments: args }) => ({
                id,
                type: "function" as const,
                function: { name, arguments: args },
              })),
            }),
      };
    default:
      return message;
  }
}

/** What of a reply is used; servers leave out or add the rest. */
const WholeReply = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string().default("{}") }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

function readReply(body: ChatCompletion): Reply {
  const parsed = WholeReply.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || choice === undefined) {
    throw new ContextError("LLM_BAD_REPLY", "The model endpoint's reply is not a chat completion.", { cause: parsed.error });
  }
  const { usage } = parsed.data;
  return {
    text: choice.message.content ?? "",
    toolRequests: (choice.message.tool_calls ?? []).map(({ id, function: call }) => ({ id, name: call.name, arguments: call.arguments })),
    model: parsed.data.model ?? null,
    finish: choice.finish_reason ?? null,
    tokens: usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : null,
  };
}

const Piece = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.int().nonnegative(),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .default([]),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

async function readStream(
  client: OpenAI,
  params: Omit<ChatCompletionCreateParamsBase, "stream">,
  signal: AbortSignal,
  onToken: (text: string) => void,
): Promise<Reply> {
  const stream = await abortable(
    client.chat.completions.create({ ...params, stream: true, stream_options: { include_usage: true } }, { signal }),
    signal,
  );
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  const reply: Reply = { text: "", toolRequests: [], model: null, finish: null, tokens: null };
  for await (const raw of stream) {
    const parsed = Piece.safeParse(raw);
    if (!parsed.success)
      throw new ContextError("LLM_BAD_REPLY", "A piece of the streamed reply has the wrong shape.", { cause: parsed.error });
    const piece = parsed.data;
    reply.model = piece.model ?? reply.model;
    if (piece.usage) reply.tokens = { input: piece.usage.prompt_tokens, output: piece.usage.completion_tokens };
    const choice = piece.choices[0];
    if (choice === undefined) continue;
    reply.finish = choice.finish_reason ?? reply.finish;
    const text = choice.delta?.content ?? "";
    if (text !== "") {
      reply.text += text;
      onToken(text);
    }
    for (const part of choice.delta?.tool_calls ?? []) {
      const call = calls.get(part.index) ?? { id: "", name: "", arguments: "" };
      call.id = part.id ?? call.id;
      call.name += part.function?.name ?? "";
      call.arguments += part.function?.arguments ?? "";
      calls.set(part.index, call);
    }
  }
  // the iteration ends quietly when it is aborted in between
  signal.throwIfAborted();
  if (reply.finish === null && (reply.text !== "" || calls.size > 0)) {
    throw new ContextError("LLM_UNAVAILABLE", "The model's stream broke off before its end.");
  }
  reply.toolRequests = [...calls.entries()].sort(([a], [b]) => a - b).map(([index, call]) => ({ ...call, id: call.id || `call-${index}` }));
  return reply;
}

function usageOf(reply: Reply, model: string, request: CompleteOptions, options: OpenAiOptions): Usage {
  const input = reply.tokens?.input ?? estimateTokens(request.messages.map(({ content }) => content).join(""));
  const output = reply.tokens?.output ?? estimateTokens(reply.text);
  const name = reply.model ?? model;
  return { model: name, inputTokens: input, outputTokens: output, costUsd: costOf(priceFor(name, options), input, output) };
}

/** A model on this machine costs nothing; an unknown one elsewhere is booked dear. */
export function priceFor(model: string, options: Pick<OpenAiOptions, "baseUrl" | "prices">): Price {
  const host = options.baseUrl === null ? "" : new URL(options.baseUrl).hostname;
  const own = host === "localhost" || host === "[::1]" || /^127\./.test(host);
  return own && options.prices === undefined ? { input: 0, output: 0 } : priceOf(model, options.prices);
}

/** The client's own abort waits for its internals; this one does not. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function mapped(error: unknown, openai: Library, model: string, signal: AbortSignal, limit: AbortSignal): ContextError {
  if (signal.aborted) return new ContextError("CANCELLED", "Stopped while the model was answering.", { cause: error });
  if (limit.aborted) return timedOut(error, model);
  if (error instanceof ContextError) return error;
  if (error instanceof openai.APIUserAbortError)
    return new ContextError("CANCELLED", "Stopped while the model was answering.", { cause: error });
  if (error instanceof openai.APIConnectionError) {
    if (error.constructor.name === "APIConnectionTimeoutError") return timedOut(error, model);
    return new ContextError("LLM_UNAVAILABLE", "The model endpoint could not be reached.", { cause: error, detail: { model } });
  }
  if (error instanceof openai.APIError && typeof error.status === "number") return byStatus(error, error.status, model);
  if (error instanceof SyntaxError) {
    return new ContextError("LLM_BAD_REPLY", "The model endpoint's reply is not JSON.", { cause: error, detail: { model } });
  }
  if (error instanceof openai.APIError) {
    return new ContextError("LLM_BAD_REPLY", "The model endpoint reported an error inside its reply.", { cause: error, detail: { model } });
  }
  return new ContextError("LLM_UNAVAILABLE", "The model call failed.", { cause: error, detail: { model } });
}

function timedOut(cause: unknown, model: string): ContextError {
  return new ContextError("LLM_UNAVAILABLE", `${model} did not answer in time.`, { cause, detail: { model, timeout: true } });
}

function byStatus(error: APIError, status: number, model: string): ContextError {
  const detail = { model, status };
  if (status === 401 || status === 403) {
    return new ContextError("LLM_UNAUTHORIZED", `The model endpoint answered ${status}.`, { cause: error, detail });
  }
  if (status === 429) {
    const retryAfterMs = retryAfter(error.headers);
    return new ContextError("LLM_RATE_LIMITED", "The model endpoint answered 429.", {
      cause: error,
      detail: retryAfterMs === null ? detail : { ...detail, retryAfterMs },
    });
  }
  if (status >= 500 || status === 408) {
    const retryAfterMs = retryAfter(error.headers);
    return new ContextError("LLM_UNAVAILABLE", `The model endpoint answered ${status}.`, {
      cause: error,
      detail: retryAfterMs === null ? detail : { ...detail, retryAfterMs },
    });
  }
  const tooLong = error.code === "context_length_exceeded";
  const what = tooLong ? "the prompt is longer than the model's context" : `the endpoint answered ${status}`;
  return new ContextError("LLM_BAD_REPLY", `The model refused the request: ${what}.`, {
    cause: error,
    detail: { ...detail, ...(tooLong ? { tooLong } : {}) },
  });
}

/** Retry-After in ms: seconds, or OpenAI's own `retry-after-ms`; the date form is left to the default wait. */
function retryAfter(headers: Headers | undefined): number | null {
  const ms = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const seconds = Number(headers?.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
