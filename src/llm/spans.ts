import { type Complete, type Message, type ModelIds, modelOf } from "../core/llm.ts";
import type { SpanAttributes, Spans } from "../core/spans.ts";

/**
 * The same `complete` with a span around each call, named by the GenAI conventions. Goes innermost: a call that is tried again is
 * another span, and what a cache answers is none.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function withSpans(
  complete: Complete,
  spans: Spans,
  { models, baseUrl }: { readonly models: ModelIds; readonly baseUrl: string },
): Complete {
  const { hostname, port, protocol } = new URL(baseUrl);
  const server: SpanAttributes = {
    // the protocol's name where the server behind it is not known
    "gen_ai.provider.name": "openai",
    "server.address": hostname,
    "server.port": port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
  };
  return (request, signal) => {
    const model = modelOf(models, request.tier);
    const attributes: SpanAttributes = {
      ...server,
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": model,
      "gen_ai.request.max_tokens": request.maxTokens,
      "contextd.llm.purpose": request.purpose,
      ...(request.schema === undefined ? {} : { "gen_ai.output.type": "json" }),
      ...(spans.content ? { "gen_ai.input.messages": JSON.stringify(request.messages.map(partsOf)) } : {}),
    };
    return spans.during(`chat ${model}`, { kind: "client", attributes }, async (span) => {
      const reply = await complete(request, signal);
      span.set({
        "gen_ai.response.model": reply.usage.model,
        "gen_ai.usage.input_tokens": reply.usage.inputTokens,
        "gen_ai.usage.output_tokens": reply.usage.outputTokens,
        "contextd.llm.cost_usd": reply.usage.costUsd,
      });
      if (spans.content)
        span.set({
          "gen_ai.output.messages": JSON.stringify([partsOf({ role: "assistant", content: reply.text, toolRequests: reply.toolRequests })]),
        });
      return reply;
    });
  };
}

/** A message in the conventions' own shape. */
function partsOf(message: Message): object {
  if (message.role === "tool")
    return { role: "tool", parts: [{ type: "tool_call_response", id: message.toolRequestId, response: message.content }] };
  const calls = message.role === "assistant" ? (message.toolRequests ?? []) : [];
  return {
    role: message.role,
    parts: [
      ...(message.content === "" ? [] : [{ type: "text", content: message.content }]),
      ...calls.map(({ id, name, arguments: args }) => ({ type: "tool_call", id, name, arguments: args })),
    ],
  };
}
