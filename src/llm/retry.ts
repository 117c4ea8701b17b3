import { setTimeout as wait } from "node:timers/promises";
import { ContextError, toContextError } from "../core/errors.ts";
import type { Complete } from "../core/llm.ts";

export interface RetryOptions {
  /** Calls in all. */
  readonly attempts?: number;
  /** First wait; doubled each time. */
  readonly baseMs?: number;
  /** Longest single wait; a server that asks for more is given up at once. */
  readonly maxWaitMs?: number;
  /** 0 to 1; "full jitter", so that many callers do not come back together. */
  readonly random: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Tries again after 429, 5xx and network failures, honouring Retry-After. Not after a timeout (the user has waited enough),
 * and not once text was streamed (it would be shown twice).
 */
export function withRetry(complete: Complete, options: RetryOptions): Complete {
  const { attempts = 3, baseMs = 500, maxWaitMs = 8_000, random } = options;
  const sleep = options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal }));
  return async (request, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      let streamed = false;
      const { onToken } = request;
      try {
        const watched =
          onToken === undefined
            ? request
            : {
                ...request,
                onToken: (text: string): void => {
                  streamed = true;
                  onToken(text);
                },
              };
        return await complete(watched, signal);
      } catch (thrown) {
        const error = toContextError(thrown);
        const asked = typeof error.detail.retryAfterMs === "number" ? error.detail.retryAfterMs : null;
        const backoff = baseMs * 2 ** (attempt - 1);
        const ms = asked ?? Math.min(maxWaitMs, backoff / 2 + (backoff / 2) * random());
        if (streamed || attempt >= attempts || ms > maxWaitMs || !passing(error)) throw error;
        try {
          await sleep(ms, signal);
        } catch (cause) {
          throw new ContextError("CANCELLED", "Stopped while waiting to call the model again.", { cause });
        }
      }
    }
  };
}

function passing(error: ContextError): boolean {
  return error.code === "LLM_RATE_LIMITED" || (error.code === "LLM_UNAVAILABLE" && error.detail.timeout !== true);
}
