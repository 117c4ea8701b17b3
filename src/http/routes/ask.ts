import type { z } from "zod";
import { Answer, type AskOptions } from "../../core/answer.ts";
import { requestId } from "../access-log.ts";
import { callerKey } from "../auth.ts";
import type { Served } from "../originals.ts";
import { fromThrown, toProblem } from "../problem.ts";
import { type Call, type Context, clientSignal, defineRoute, goneSignal, wantsEvents } from "../route.ts";
import { AskBody } from "../schemas.ts";
import { EventStream } from "../sse.ts";

type Ask = Call<undefined, z.infer<typeof AskBody>>;

function optionsOf({ req, body }: Ask, signal: AbortSignal): AskOptions {
  const { traceparent } = req.headers;
  return {
    signal,
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    ...(body.now === undefined ? {} : { now: new Date(body.now) }),
    ...(body.corpus === undefined ? {} : { corpus: body.corpus }),
    ...(body.session === undefined ? {} : { session: body.session }),
    ...(body.llm === undefined ? {} : { llm: body.llm }),
  };
}

/** One reply: the answer, with status 503 when nothing could be gathered because something broke. */
async function answerWhole(call: Ask, app: Served, { metrics, settled }: Context, signal: AbortSignal): Promise<void> {
  const events = app.ask(call.body.question, optionsOf(call, signal));
  let step = await events.next();
  while (!step.done) {
    await settled();
    step = await events.next();
  }
  metrics.answered(step.value);
  call.res.setHeader("Cache-Control", "no-store");
  call.res.status(step.value.status === "unavailable" ? 503 : 200).json(step.value);
}

/** Answers, sending what happens; an error is an event too. Work goes on while its client is away for a moment. */
async function work(
  call: Ask,
  app: Served,
  context: Context,
  turn: Disposable,
  send: (event: string, data: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const { metrics, log, settled } = context;
  using _turn = turn;
  try {
    const events = app.ask(call.body.question, optionsOf(call, signal));
    let step = await events.next();
    for (; !step.done; step = await events.next()) {
      const event = step.value;
      switch (event.type) {
        case "stage":
          send("stage", { name: event.name, ms: event.ms, detail: event.detail });
          break;
        case "tool":
          send("tool", event.call);
          break;
        case "token":
          send("token", { text: event.text, verified: false });
          break;
        case "citation":
          send("citation", event.citation);
          break;
        case "verdict":
          send("verdict", { claims: event.claims });
          break;
      }
      if (event.type === "stage") await settled();
    }
    metrics.answered(step.value);
    send("answer", step.value);
  } catch (thrown) {
    const error = fromThrown(thrown);
    if (error.code === "INTERNAL")
      log.error({ requestId: requestId(call.req), error: error.message, stack: error.stack }, "question failed");
    send("error", toProblem(error, requestId(call.req)));
  }
}

async function answerLive(call: Ask, app: Served, context: Context): Promise<void> {
  const { req, res } = call;
  const { streams, limits, heartbeatMs } = context;
  const owner = callerKey(req, res);
  const gone = goneSignal(res);
  const last = req.headers["last-event-id"];
  let from = typeof last === "string" ? streams.find(last, owner) : null;
  if (from === null) {
    // before the first byte, so that a full queue is a 503
    const turn = await limits.enter(owner, AbortSignal.any([gone, context.stopping]));
    from = { id: streams.start(owner, (send, signal) => work(call, app, context, turn, send, signal)), next: 0 };
  }
  using stream = new EventStream(res, heartbeatMs);
  // until the work ends: a daemon that stops ends it, and says so in the last event
  for await (const { event, data, id } of streams.read(from.id, from.next, gone)) await stream.send(event, data, id);
}

export const ask = defineRoute({
  method: "post",
  path: "/api/ask",
  scope: "read",
  summary:
    "Answers a question, each sentence with its sources. With `Accept: text/event-stream` the events stage, tool, token, citation, verdict come as they happen, then answer or error; a broken stream goes on where Last-Event-ID says.",
  body: AskBody,
  replies: {
    200: { about: "The answer, or a refusal", schema: Answer, also: ["text/event-stream"] },
    503: { about: "Something broke; the answer has status unavailable and says what", schema: Answer },
  },
  async handle(call, context) {
    const caller = callerKey(call.req, call.res);
    const app = await context.reading(call.res);
    context.limits.spend(caller);
    if (call.body.stream === true || wantsEvents(call.req)) {
      await answerLive(call, app, context);
      return;
    }
    const signal = clientSignal(call.res, context.stopping);
    using _turn = await context.limits.enter(caller, signal);
    await answerWhole(call, app, context, signal);
  },
});
