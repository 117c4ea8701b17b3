import { z } from "zod";
import { defineRoute, needsWhole } from "../route.ts";

const SpendRow = z.object({
  day: z.string(),
  purpose: z.string(),
  model: z.string(),
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
});

export const cost = defineRoute({
  method: "get",
  path: "/api/cost",
  scope: "read",
  summary: "What models cost, by day, purpose and model.",
  replies: { 200: { about: "Spend, newest first", schema: z.object({ rows: z.array(SpendRow), totalUsd: z.number() }) } },
  async handle({ res }, context) {
    await needsWhole(res, context);
    const rows = context.daemon.spend().toSorted((a, b) => b.day.localeCompare(a.day) || b.costUsd - a.costUsd);
    res.json({ rows, totalUsd: rows.reduce((sum, row) => sum + row.costUsd, 0) });
  },
});
