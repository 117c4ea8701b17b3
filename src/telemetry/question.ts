import type { Answer, AnswerEvent, AskOptions } from "../core/answer.ts";
import type { SpanAttributes, Spans } from "../core/spans.ts";

type Ask = (question: string, options: AskOptions) => AsyncGenerator<AnswerEvent, Answer>;

/**
 * The same `ask` with a span around each question, named by the GenAI conventions for agents.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/
 */
export function askWithSpans(ask: Ask, spans: Spans): Ask {
  return (question, options) => {
    const attributes: SpanAttributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "contextd",
      ...(spans.content ? { "gen_ai.input.messages": message("user", question) } : {}),
    };
    return spans.steps("invoke_agent contextd", { attributes, traceparent: options.traceparent }, async function* (span) {
      const answer = yield* ask(question, options);
      span.set(resultOf(answer));
      if (spans.content) span.set({ "gen_ai.output.messages": message("assistant", answer.answer) });
      return answer;
    });
  };
}

function resultOf({ id, status, refusal, route, citations, toolCalls, trace }: Answer): SpanAttributes {
  return {
    "contextd.answer.id": id,
    "contextd.answer.status": status,
    ...(refusal === null ? {} : { "contextd.answer.refusal": refusal }),
    "contextd.answer.route": route,
    "contextd.answer.citations": citations.length,
    "contextd.answer.retries": trace.retries,
    "contextd.answer.tool_calls": toolCalls.length,
    "contextd.llm.calls": trace.llm.calls,
    "contextd.llm.cost_usd": trace.llm.costUsd,
    "gen_ai.usage.input_tokens": trace.llm.inputTokens,
    "gen_ai.usage.output_tokens": trace.llm.outputTokens,
    ...(trace.degraded === undefined ? {} : { "contextd.answer.degraded": trace.degraded.map(({ code }) => code) }),
  };
}

/** One message in the conventions' own shape. */
function message(role: "user" | "assistant", content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}
