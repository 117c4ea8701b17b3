import { z } from "zod";

/** Limits that every source reached over the network has, so that one of them cannot use up a token others share. */
export const pullLimits = {
  maxRequests: z.int().min(10).default(50_000).describe("Most requests in one run; the next run goes on where this one stopped."),
  concurrency: z.int().min(1).max(16).default(4).describe("Requests on their way at once."),
  timeoutSeconds: z.int().min(1).max(600).default(30).describe("Longest wait for one answer."),
  sweepHours: z.number().min(0).default(24).describe("How often the ids are listed to find what was deleted; 0 does it in every run."),
} as const;
