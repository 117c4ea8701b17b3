import express from "express";
import { z } from "zod";
import { Answer } from "../../core/answer.ts";
import { Alerts, alertQuestions } from "../alerts.ts";
import { callerKey } from "../auth.ts";
import { forward } from "../forward.ts";
import type { HookName } from "../hooks.ts";
import { clientSignal, defineRoute, type Route } from "../route.ts";

const HOOK_LIMIT = "5mb";
const Taken = z.object({ records: z.int(), repeated: z.boolean() });

function hook(name: HookName, title: string): Route {
  return defineRoute({
    method: "post",
    path: `/hooks/${name}`,
    scope: "public",
    summary: `Signed deliveries of ${title}: the records they name are read again within seconds.`,
    rawBody: { type: "application/json", about: "As the product sends it; the signature is checked over its bytes." },
    // no JSON parser before this: a re-serialised body has another signature
    before: [express.raw({ type: () => true, limit: HOOK_LIMIT })],
    replies: { 202: { about: "Taken", schema: Taken } },
    handle({ req, res }, { hooks }) {
      const headers: Record<string, string | undefined> = {};
      for (const [key, value] of Object.entries(req.headers)) headers[key] = Array.isArray(value) ? value[0] : value;
      const raw = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      res.status(202).json(hooks.take(name, headers, raw));
    },
  });
}

export const github = hook("github", "GitHub");
export const jira = hook("jira", "Jira");
export const confluence = hook("confluence", "Confluence");

export const alertmanager = defineRoute({
  method: "post",
  path: "/hooks/alertmanager",
  scope: "read",
  summary:
    "Alerts of Prometheus Alertmanager or Grafana: one answer for each service that they name, posted on to a channel where one is configured.",
  body: Alerts,
  replies: { 200: { about: "Answers; none when all is resolved", schema: z.object({ answers: z.array(Answer) }) } },
  async handle({ req, res, body }, { reading, forwardTo, limits, log, metrics, stopping }) {
    const app = await reading(res);
    const signal = clientSignal(res, stopping);
    const answers: Answer[] = [];
    for (const question of alertQuestions(body, app.graph)) {
      using _turn = await limits.enter(callerKey(req, res), signal);
      const events = app.ask(question, { signal });
      let step = await events.next();
      while (!step.done) step = await events.next();
      metrics.answered(step.value);
      answers.push(step.value);
    }
    res.json({ answers });
    if (forwardTo !== null) await forward(answers, forwardTo, { fetch, log });
  },
});
