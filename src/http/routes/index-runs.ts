import { ContextError } from "../../core/errors.ts";
import { type Context, clientSignal, defineRoute, wantsEvents } from "../route.ts";
import { IndexBody, Run, RunStarted, RunsQuery, RunsReply } from "../schemas.ts";
import { EventStream } from "../sse.ts";

export const startRun = defineRoute({
  method: "post",
  path: "/api/index",
  scope: "write",
  summary: "Starts an index run and replies at once; follow it at the given URL.",
  body: IndexBody,
  replies: { 202: { about: "It has begun", schema: RunStarted } },
  async handle({ body, res }, { runs }) {
    const { source, full, dryRun } = body;
    const runId = await runs
      .start({
        trigger: "http",
        ...(source === undefined ? {} : { source }),
        ...(full === undefined ? {} : { full }),
        ...(dryRun === undefined ? {} : { dryRun }),
      })
      .catch((thrown: unknown) => {
        if (!(thrown instanceof ContextError) || thrown.code !== "USAGE") throw thrown;
        throw new ContextError("NOT_FOUND", thrown.message, { cause: thrown, remedy: "Name a kind of source that manifest.json has." });
      });
    const url = `/api/index/runs/${encodeURIComponent(runId)}`;
    res.setHeader("Location", url);
    res.status(202).json({ runId, url });
  },
});

export const listRuns = defineRoute({
  method: "get",
  path: "/api/index/runs",
  scope: "read",
  summary: "Past index runs and the one going on, newest first.",
  query: RunsQuery,
  replies: { 200: { about: "Runs", schema: RunsReply } },
  async handle({ query, res }, { daemon, runs, reading }) {
    const { whole } = await reading(res);
    const rows = daemon.runs(query.limit).map((row) => runs.view(row));
    const running = daemon.running?.runId ?? null;
    const missing = running === null || rows.some((row) => row.id === running) ? null : runs.find(running);
    const all = missing === null ? rows : [missing, ...rows];
    res.json({ runs: whole ? all : all.map(uncounted), running });
  },
});

/** Without what counts all records, and names those that failed. */
function uncounted(run: Run): Run {
  return { ...run, progress: null, report: null };
}

/** Sends progress until the run has ended, then the whole run. A client that reconnects gets the present state first. */
async function follow(runId: string, whole: boolean, stream: EventStream, { runs }: Context, signal: AbortSignal): Promise<void> {
  for await (const { version, progress } of runs.follow(runId, signal)) {
    if (whole) await stream.send("progress", progress, String(version));
  }
  const run = runs.find(runId);
  if (!signal.aborted && run !== null) await stream.send("run", whole ? run : uncounted(run));
}

export const oneRun = defineRoute({
  method: "get",
  path: "/api/index/runs/{id}",
  scope: "read",
  summary: "One run with its progress or report; with `Accept: text/event-stream` as events progress, then run.",
  parameter: "Its id",
  replies: { 200: { about: "The run", schema: Run, also: ["text/event-stream"] } },
  async handle({ req, rest, res }, context) {
    const run = context.runs.find(rest);
    const { whole } = await context.reading(res);
    if (run === null) throw new ContextError("NOT_FOUND", `There is no index run "${rest}".`);
    if (!wantsEvents(req)) {
      res.json(whole ? run : uncounted(run));
      return;
    }
    using stream = new EventStream(res, context.heartbeatMs);
    await follow(rest, whole, stream, context, clientSignal(res, context.closing));
  },
});
