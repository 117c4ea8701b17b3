import { z } from "zod";
import type { App, IndexEvent, IndexReport } from "../../core/app.ts";
import { ContextError, toContextError } from "../../core/errors.ts";
import { requestId } from "../access-log.ts";
import { isLocal } from "../auth.ts";
import { toProblem } from "../problem.ts";
import { type Context, clientSignal, defineRoute } from "../route.ts";
import { EventStream } from "../sse.ts";

const paths = z.array(z.string().min(1).max(2000)).min(1).max(100);
const Command = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("index"), source: z.string().max(100).optional(), full: z.boolean().optional() }),
  z.strictObject({ do: z.literal("ingest"), paths }),
  z.strictObject({ do: z.literal("forget"), paths }),
  z.strictObject({ do: z.literal("undo-merge"), id: z.string().min(1).max(500) }),
]);
type Command = z.infer<typeof Command>;

async function* carryOut(command: Command, app: App, signal: AbortSignal): AsyncGenerator<IndexEvent, IndexReport | null> {
  switch (command.do) {
    case "index": {
      const { source, full } = command;
      const chosen = { ...(source === undefined ? {} : { source }), ...(full === undefined ? {} : { full }) };
      return yield* app.index({ ...chosen, trigger: "cli", signal });
    }
    case "ingest":
      return yield* app.ingest(command.paths, signal);
    case "forget":
      return yield* app.forget(command.paths, signal);
    case "undo-merge":
      await app.undoMerge(command.id);
      return null;
  }
}

/** Sends what happens, then `done` with the report, or `error`. */
async function report(command: Command, stream: EventStream, { daemon, stopping }: Context, signal: AbortSignal): Promise<void> {
  const events = carryOut(command, daemon, AbortSignal.any([signal, stopping]));
  let step = await events.next();
  for (; !step.done; step = await events.next()) await stream.send("index", step.value);
  await stream.send("done", { report: step.value });
}

/**
 * What the command line asks of the daemon that holds the store it would write to. It names files of this machine, so who asks
 * must show that they can read the data folder: the key that lies there, which is another one after each start.
 */
export const local = defineRoute({
  method: "post",
  path: "/api/local",
  scope: "admin",
  summary:
    "For the command line on the same machine, with the key of the data folder: changes the index, events index, then done or error.",
  body: Command,
  replies: { 200: { about: "Events", type: "text/event-stream" } },
  async handle({ req, res, body }, context) {
    if (!isLocal(res)) {
      throw new ContextError("FORBIDDEN", "This is for the command line on the daemon's own machine.", {
        remedy: "Use POST /api/index and POST /api/documents, or run `contextd` where the daemon runs.",
      });
    }
    const { running } = context.daemon;
    // before anything is written down for a run that cannot begin
    if (running !== null)
      throw new ContextError("INDEX_RUNNING", `Index run ${running.runId} has been going on since ${running.startedAt}.`);
    using stream = new EventStream(res, context.heartbeatMs);
    try {
      await report(body, stream, context, clientSignal(res, context.stopping));
    } catch (thrown) {
      await stream.send("error", toProblem(toContextError(thrown), requestId(req)));
    }
  },
});
