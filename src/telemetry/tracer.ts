import { AsyncLocalStorage } from "node:async_hooks";
import { toContextError } from "../core/errors.ts";
import type { OpenSpan, SpanAttributes, SpanOptions, Spans } from "../core/spans.ts";
import { parseTraceparent } from "./traceparent.ts";

/** A span that ended. */
export interface EndedSpan {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: "internal" | "client";
  /** Milliseconds since 1970, with fractions. */
  readonly start: number;
  readonly end: number;
  readonly attributes: SpanAttributes;
  /** Our code of what it failed with. */
  readonly error: string | null;
}

export interface TracerOptions {
  readonly content: boolean;
  /** Wall clock, read once a trace. */
  readonly now: () => Date;
  /** Monotonic milliseconds: durations do not jump with the wall clock. */
  readonly clock: () => number;
  /** `bytes` random bytes in hex. */
  readonly randomHex: (bytes: number) => string;
  readonly ended: (span: EndedSpan) => void;
}

/** Where new spans hang: the open one, or a caller's that is not to be recorded. */
interface Place {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
  /** What to add to the monotonic clock for the wall clock's time. */
  readonly offset: number;
}

/** Records spans; which one is the parent follows the work through awaits and generators. */
export function createTracer(options: TracerOptions): Spans {
  const current = new AsyncLocalStorage<Place>();

  function open(name: string, { attributes = {}, kind = "internal", traceparent }: SpanOptions) {
    const { clock, now, randomHex } = options;
    const caller = current.getStore() === undefined ? parseTraceparent(traceparent) : null;
    const parent = current.getStore() ?? caller;
    const place: Place = {
      traceId: parent?.traceId ?? randomHex(16),
      spanId: randomHex(8),
      sampled: parent?.sampled ?? true,
      offset: current.getStore()?.offset ?? now().getTime() - clock(),
    };
    const started = clock();
    let all = attributes;
    let error: string | null = null;
    const span: OpenSpan = {
      set(more) {
        all = { ...all, ...more };
      },
    };
    const failed = (thrown: unknown): void => {
      error = toContextError(thrown).code;
      span.set({ "error.type": error });
    };
    const end = (): void => {
      if (!place.sampled) return;
      const [start, ended] = [started + place.offset, clock() + place.offset];
      const { traceId, spanId } = place;
      options.ended({ traceId, spanId, parentId: parent?.spanId ?? null, name, kind, start, end: ended, attributes: all, error });
    };
    return { place, span, failed, end };
  }

  return {
    content: options.content,
    async during(name, spanOptions, work) {
      const { place, span, failed, end } = open(name, spanOptions);
      try {
        return await current.run(place, () => work(span));
      } catch (thrown) {
        failed(thrown);
        throw thrown;
      } finally {
        end();
      }
    },
    async *steps(name, spanOptions, work) {
      const { place, span, failed, end } = open(name, spanOptions);
      const inside = current.run(place, () => work(span));
      try {
        for (;;) {
          // each piece of the work runs inside the span, what its listener does in between does not
          const step = await current.run(place, () => inside.next());
          if (step.done) return step.value;
          yield step.value;
        }
      } catch (thrown) {
        failed(thrown);
        throw thrown;
      } finally {
        // a listener that stops early lets the work clean up
        await current.run(place, () => inside.return(undefined as never));
        end();
      }
    },
  };
}
