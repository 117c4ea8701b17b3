import type { z } from "zod";
import type { Instant } from "./record.ts";

/** What a model is for: cheap for extraction and screening, frontier for hard prose and answers, judge for their verdict. */
export type ModelTier = "cheap" | "frontier" | "judge";

/** Model ids by what they are for; where no judge is named, the frontier judges. */
export interface ModelIds {
  readonly cheap: string;
  readonly frontier: string;
  readonly judge?: string;
}

/** The model id of a tier. */
export function modelOf({ cheap, frontier, judge = frontier }: ModelIds, tier: ModelTier): string {
  return { cheap, frontier, judge }[tier];
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, strict. */
  readonly parameters: Record<string, unknown>;
}

export interface ToolRequest {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it: JSON, maybe malformed. */
  readonly arguments: string;
}

export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolRequests?: readonly ToolRequest[] }
  | { readonly role: "tool"; readonly toolRequestId: string; readonly content: string };

export interface Usage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** US dollars; Infinity for no limit. */
export interface SpendLimits {
  readonly perRun: number;
  readonly perDay: number;
}

/** Where spending is booked. */
export interface Ledger {
  /** Books an amount before the call; throws LLM_BUDGET when the day's or run's limit would be overrun. */
  reserve(runId: string | null, purpose: string, model: string, usd: number, limits: SpendLimits, now: Instant): number;
  settle(reservation: number, usage: Omit<Usage, "model">): void;
}

export interface CompleteOptions {
  readonly tier: ModelTier;
  /** What it is for, in the ledger: "extract", "answer", "judge". */
  readonly purpose: string;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly tools?: readonly ToolSpec[];
  /** Ask for JSON of this shape; the caller still validates. */
  readonly schema?: { readonly name: string; readonly shape: z.ZodType };
  readonly onToken?: (text: string) => void;
}

export interface Completion {
  readonly text: string;
  readonly toolRequests: readonly ToolRequest[];
  readonly usage: Usage;
}

/**
 * A model behind one function; cache, budget and retries are wrappers of the same shape.
 * Throws ContextError LLM_* when no usable reply came.
 */
export type Complete = (options: CompleteOptions, signal: AbortSignal) => Promise<Completion>;
