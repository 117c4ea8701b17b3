import type { Log } from "../core/connector.ts";
import type { SpanAttributes } from "../core/spans.ts";
import { otlpBody } from "./otlp.ts";
import type { EndedSpan } from "./tracer.ts";

export interface ExporterOptions {
  /** Where spans are posted: ends in /v1/traces with most collectors. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What sends: service.name and so on. */
  readonly resource: SpanAttributes;
  readonly version: string;
  readonly fetch: typeof fetch;
  readonly log: Log;
  readonly everyMs?: number;
  /** Longest wait for the collector, ms. */
  readonly timeoutMs?: number;
  /** Longest wait at the end, ms. */
  readonly lastMs?: number;
}

export interface Exporter extends AsyncDisposable {
  /** Takes a span at once; it is sent later. */
  add(span: EndedSpan): void;
}

const EVERY_MS = 2_000;
const TIMEOUT_MS = 10_000;
const LAST_MS = 3_000;
const MOST_AT_ONCE = 512;
/** More than that wait for no collector: the newest are dropped. */
const MOST_WAITING = 4_096;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Sends spans in batches, behind the work's back: a collector that is slow, away or refuses costs spans, never an answer.
 * What it could not take for now (network, 429, 502, 503, 504) is tried again after growing pauses; anything else is dropped.
 * Disposing sends what is left, for at most `lastMs`.
 */
export function createExporter(options: ExporterOptions): Exporter {
  const { url, headers, resource, version, log } = options;
  const everyMs = options.everyMs ?? EVERY_MS;
  const waiting: EndedSpan[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let failures = 0;
  let closed = false;
  const closing = new AbortController();

  async function send(limit: AbortSignal): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      const outcome = await post(batch, limit);
      if (outcome !== "later") waiting.splice(0, batch.length);
      if (outcome === "later") return;
    }
  }

  async function post(batch: readonly EndedSpan[], limit: AbortSignal): Promise<"taken" | "refused" | "later"> {
    let problem: Record<string, unknown>;
    let outcome: "refused" | "later" = "later";
    try {
      const reply = await options.fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(otlpBody(batch, resource, version)),
        redirect: "error",
        signal: AbortSignal.any([limit, AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)]),
      });
      await reply.body?.cancel();
      if (reply.ok) {
        failures = 0;
        return "taken";
      }
      problem = { status: reply.status };
      outcome = [429, 502, 503, 504].includes(reply.status) ? "later" : "refused";
    } catch (error) {
      problem = { err: error };
    }
    failures += 1;
    // once for each time it stops working, not for each batch
    if (failures === 1) log.warn({ ...problem, collector: new URL(url).host }, "the trace collector does not take spans");
    return outcome;
  }

  function plan(): void {
    if (timer !== null || closed) return;
    timer = setTimeout(
      () => {
        sending = send(closing.signal).finally(() => {
          timer = null;
          if (waiting.length > 0) plan();
        });
      },
      Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** Math.min(failures, 10)),
    );
    // a command that is done need not stay for its spans' turn: disposing sends them
    timer.unref();
  }

  return {
    add(span) {
      if (waiting.length >= MOST_WAITING) return;
      waiting.push(span);
      plan();
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer ?? undefined);
      const limit = AbortSignal.timeout(options.lastMs ?? LAST_MS);
      limit.addEventListener("abort", () => closing.abort(), { once: true });
      await sending;
      await send(limit);
    },
  };
}
