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
    const runId = await runs.start({
      trigger: "http",
      ...(source === undefined ? {} : { source }),
      ...(full === undefined ? {} : { full }),
      ...(dryRun === undefined ? {} : { dryRun }),
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
  handle({ query, res }, { app, runs }) {
    const rows = app.runs(query.limit).map((row) => runs.view(row));
    const running = app.running?.runId ?? null;
    const missing = running === null || rows.some((row) => row.id === running) ? null : runs.find(running);
    res.json({ runs: missing === null ? rows : [missing, ...rows], running });
  },
});

/** Sends progress until the run has ended, then the whole run. A client that reconnects gets the present state first. */
async function follow(runId: string, stream: EventStream, { runs }: Context, signal: AbortSignal): Promise<void> {
  for await (const { version, progress } of runs.follow(runId, signal)) await stream.send("progress", progress, String(version));
  const run = runs.find(runId);
  if (!signal.aborted && run !== null) await stream.send("run", run);
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
    if (run === null) throw new ContextError("NOT_FOUND", `There is no index run "${rest}".`);
    if (!wantsEvents(req)) {
      res.json(run);
      return;
    }
    using stream = new EventStream(res, context.heartbeatMs);
    await follow(rest, stream, context, clientSignal(res, context.closing));
  },
});
