import { toContextError } from "../core/errors.ts";
import type { Complete, CompleteOptions, Ledger, ModelTier, SpendLimits } from "../core/llm.ts";
import { costOf, estimateTokens, type Price, reasoningRoom } from "./prices.ts";

export interface BudgetOptions {
  readonly ledger: Ledger;
  /** US dollars; Infinity for no limit. */
  readonly limits: SpendLimits;
  /** What the per-run limit counts over; null when the call belongs to no run. */
  readonly runId: string | null;
  model(tier: ModelTier): string;
  price(model: string): Price;
  readonly now: () => Date;
}

/**
 * Books the most that a call can cost before it is made, and what it did cost after. So calls in parallel cannot overrun the
 * limit together. Throws LLM_BUDGET before the call when the day's or the run's limit would be overrun.
 */
export function withBudget(complete: Complete, options: BudgetOptions): Complete {
  return async (request, signal) => {
    const model = options.model(request.tier);
    const most = mostUsd(request, model, options.price(model));
    const reservation = options.ledger.reserve(options.runId, request.purpose, model, most, options.limits, options.now().toISOString());
    try {
      const reply = await complete(request, signal);
      options.ledger.settle(reservation, reply.usage);
      return reply;
    } catch (thrown) {
      const error = toContextError(thrown);
      // A reply that never came may still be billed: what was reserved stays booked. A refused call is not.
      const unknown = error.detail.timeout === true || error.code === "CANCELLED" || error.code === "LLM_BAD_REPLY";
      options.ledger.settle(reservation, { inputTokens: 0, outputTokens: 0, costUsd: unknown ? most : 0 });
      throw error;
    }
  };
}

/** The most a call can cost: its whole prompt, and a reply of full length. */
function mostUsd(request: Pick<CompleteOptions, "messages" | "tools" | "maxTokens">, model: string, price: Price): number {
  const prompt = request.messages.map(({ content }) => content).join("") + (request.tools ? JSON.stringify(request.tools) : "");
  return costOf(price, estimateTokens(prompt), request.maxTokens + reasoningRoom(model));
}
