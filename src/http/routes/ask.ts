import type { z } from "zod";
import { Answer, type AskOptions } from "../../core/answer.ts";
import { requestId } from "../access-log.ts";
import { callerKey } from "../auth.ts";
import { fromThrown, toProblem } from "../problem.ts";
import { type Call, type Context, clientSignal, defineRoute, wantsEvents } from "../route.ts";
import { AskBody } from "../schemas.ts";
import { EventStream } from "../sse.ts";

type Ask = Call<undefined, z.infer<typeof AskBody>>;

function optionsOf({ body }: Ask, signal: AbortSignal): AskOptions {
  return {
    signal,
    ...(body.now === undefined ? {} : { now: new Date(body.now) }),
    ...(body.corpus === undefined ? {} : { corpus: body.corpus }),
    ...(body.session === undefined ? {} : { session: body.session }),
    ...(body.llm === undefined ? {} : { llm: body.llm }),
  };
}

/** One reply: the answer, with status 503 when nothing could be gathered because something broke. */
async function answerWhole(call: Ask, { app, metrics }: Context, signal: AbortSignal): Promise<void> {
  const events = app.ask(call.body.question, optionsOf(call, signal));
  let step = await events.next();
  while (!step.done) step = await events.next();
  metrics.answered(step.value);
  call.res.setHeader("Cache-Control", "no-store");
  call.res.status(step.value.status === "unavailable" ? 503 : 200).json(step.value);
}

/** Events as they come, then the whole answer; an error after the first byte is an event too. */
async function answerLive(call: Ask, { app, metrics, heartbeatMs, log }: Context, signal: AbortSignal): Promise<void> {
  using stream = new EventStream(call.res, heartbeatMs);
  let number = 0;
  const send = (event: string, data: unknown): Promise<void> => stream.send(event, data, String(++number));
  try {
    const events = app.ask(call.body.question, optionsOf(call, signal));
    let step = await events.next();
    for (; !step.done; step = await events.next()) {
      const event = step.value;
      switch (event.type) {
        case "stage":
          await send("stage", { name: event.name, ms: event.ms, detail: event.detail });
          break;
        case "tool":
          await send("tool", event.call);
          break;
        case "token":
          await send("token", { text: event.text, verified: false });
          break;
        case "citation":
          await send("citation", event.citation);
          break;
        case "verdict":
          await send("verdict", { claims: event.claims });
          break;
      }
    }
    metrics.answered(step.value);
    await send("answer", step.value);
  } catch (thrown) {
    const error = fromThrown(thrown);
    if (error.code === "INTERNAL")
      log.error({ requestId: requestId(call.req), error: error.message, stack: error.stack }, "question failed");
    await send("error", toProblem(error, requestId(call.req)));
  }
}

export const ask = defineRoute({
  method: "post",
  path: "/api/ask",
  scope: "read",
  summary:
    "Answers a question, each sentence with its sources. With `Accept: text/event-stream` the events stage, tool, token, citation, verdict come as they happen, then answer or error.",
  body: AskBody,
  replies: {
    200: { about: "The answer, or a refusal", schema: Answer, also: ["text/event-stream"] },
    503: { about: "Something broke; the answer has status unavailable and says what", schema: Answer },
  },
  async handle(call, context) {
    const signal = clientSignal(call.res, context.stopping);
    const caller = callerKey(call.req, call.res);
    context.limits.spend(caller);
    using _turn = await context.limits.enter(caller, signal);
    if (call.body.stream === true || wantsEvents(call.req)) await answerLive(call, context, signal);
    else await answerWhole(call, context, signal);
  },
});
