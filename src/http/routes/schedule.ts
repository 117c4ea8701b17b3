import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineRoute, needsWhole } from "../route.ts";

const Schedule = z.object({
  cron: z.string(),
  timezone: z.string(),
  jitterSeconds: z.int(),
  pausedSince: z.string().nullable().describe("Planned runs are left out since then"),
  nextRun: z.string().nullable(),
  lastRun: z.string().nullable().describe("Id of the last planned run"),
});

function view(app: App): z.infer<typeof Schedule> {
  const { lastRun, ...status } = app.scheduleStatus();
  return { ...status, lastRun: lastRun?.id ?? null };
}

export const schedule = defineRoute({
  method: "get",
  path: "/api/schedule",
  scope: "read",
  summary: "When the index is brought up to date by itself.",
  replies: { 200: { about: "The schedule", schema: Schedule } },
  async handle({ res }, context) {
    await needsWhole(res, context);
    res.json(view(context.daemon));
  },
});

export const pauseSchedule = defineRoute({
  method: "post",
  path: "/api/schedule",
  scope: "admin",
  summary: "Leaves planned runs out from now on, or no longer; it stays so over restarts.",
  body: z.strictObject({ paused: z.boolean() }),
  replies: { 200: { about: "The schedule as it is now", schema: Schedule } },
  handle({ res, body }, { daemon }) {
    daemon.pauseSchedule(body.paused);
    res.json(view(daemon));
  },
});
