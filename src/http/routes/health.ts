import { z } from "zod";
import { defineRoute, needsWhole } from "../route.ts";
import { NotReady } from "../schemas.ts";

export const healthz = defineRoute({
  method: "get",
  path: "/healthz",
  scope: "public",
  summary: "200 while the process lives.",
  replies: { 200: { about: "It lives", schema: z.object({ status: z.literal("ok"), version: z.string() }) } },
  handle({ res }, { version }) {
    res.setHeader("Cache-Control", "no-store");
    res.json({ status: "ok", version });
  },
});

export const readyz = defineRoute({
  method: "get",
  path: "/readyz",
  scope: "public",
  summary: "200 when questions can be answered, else 503 with the reasons.",
  replies: { 200: { about: "Ready", schema: NotReady }, 503: { about: "Not yet, and why", schema: NotReady } },
  handle({ res }, { daemon, closing }) {
    const reasons = daemon.notReady().map(({ code, message, remedy }) => ({ code: code as string, message, remedy }));
    if (closing.aborted) reasons.push({ code: "OVERLOADED", message: "The daemon is shutting down.", remedy: "Ask the next one." });
    res.setHeader("Cache-Control", "no-store");
    res.status(reasons.length === 0 ? 200 : 503).json({ ready: reasons.length === 0, reasons });
  },
});

export const metrics = defineRoute({
  method: "get",
  path: "/metrics",
  scope: "read",
  summary: "Prometheus metrics.",
  replies: { 200: { about: "Text exposition format", type: "text/plain" } },
  async handle({ res }, context) {
    await needsWhole(res, context);
    res.setHeader("Content-Type", context.metrics.registry.contentType);
    res.setHeader("Cache-Control", "no-store");
    res.send(await context.metrics.registry.metrics());
  },
});
