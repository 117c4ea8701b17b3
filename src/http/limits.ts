import { ContextError } from "../core/errors.ts";

export interface LimitOptions {
  /** Questions answered at the same time. */
  readonly concurrency: number;
  /** Questions that may wait for their turn, all callers together. */
  readonly queue: number;
  /** Most seconds a question waits. */
  readonly maxWaitMs: number;
  /** Requests one caller may send a minute; null: as many as it likes. */
  readonly perMinute: number | null;
  /** Monotonic clock in ms. */
  clock(): number;
  /** Waited for before each turn: what arrives is let in before the loop is kept busy. */
  settled?(): Promise<void>;
}

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Keeps work that costs (questions, uploads) within what the machine can do: a few run, some wait, the rest get 503 at once.
 * The queue is fair: callers take turns, so that one who sends a hundred questions delays nobody else by more than one.
 */
export class Limits {
  readonly #options: LimitOptions;
  readonly #queues = new Map<string, Waiting[]>();
  readonly #buckets = new Map<string, { tokens: number; at: number }>();
  #active = 0;
  #waiting = 0;

  constructor(options: LimitOptions) {
    this.#options = options;
  }

  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Takes one request from the caller's allowance, a bucket that refills evenly.
   * @throws ContextError RATE_LIMITED when it is empty
   */
  spend(caller: string): void {
    const { perMinute, clock } = this.#options;
    if (perMinute === null) return;
    const now = clock();
    const bucket = this.#buckets.get(caller) ?? { tokens: perMinute, at: now };
    const tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) / 60_000) * perMinute);
    if (tokens < 1) {
      const retryAfterSeconds = ((1 - tokens) / perMinute) * 60;
      throw new ContextError("RATE_LIMITED", `More than ${perMinute} requests a minute from one caller.`, {
        detail: { retryAfterSeconds },
      });
    }
    this.#buckets.set(caller, { tokens: tokens - 1, at: now });
    if (this.#buckets.size > 10_000) this.#forget(now);
  }

  #forget(now: number): void {
    for (const [caller, bucket] of this.#buckets) {
      if (now - bucket.at > 60_000) this.#buckets.delete(caller);
    }
  }

  /**
   * Waits for a turn; dispose what it returns when done.
   * @throws ContextError OVERLOADED when the queue is full or the wait too long
   */
  async enter(caller: string, signal: AbortSignal): Promise<Disposable> {
    if (this.#active < this.#options.concurrency) this.#active += 1;
    else if (this.#waiting >= this.#options.queue) throw overloaded("Too many questions are waiting.");
    else await this.#wait(caller, signal);
    const turn = this.#turn();
    await this.#options.settled?.();
    if (!signal.aborted) return turn;
    turn[Symbol.dispose]();
    throw cancelled();
  }

  /** Hands the place on when disposed; the count of active ones stays the same if somebody waits. */
  #turn(): Disposable {
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        const next = this.#next();
        if (next === null) this.#active -= 1;
        else next.resolve();
      },
    };
  }

  /** The one who waits longest of the caller whose turn it is; that caller then goes to the end of the round. */
  #next(): Waiting | null {
    for (const [caller, queue] of this.#queues) {
      this.#queues.delete(caller);
      const first = queue.shift();
      if (queue.length > 0) this.#queues.set(caller, queue);
      if (first !== undefined) return first;
    }
    return null;
  }

  async #wait(caller: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { resolve, reject };
    const queue = this.#queues.get(caller) ?? [];
    queue.push(waiting);
    this.#queues.set(caller, queue);
    this.#waiting += 1;
    const leave = (error: Error): void => {
      const rest = (this.#queues.get(caller) ?? []).filter((one) => one !== waiting);
      if (rest.length > 0) this.#queues.set(caller, rest);
      else this.#queues.delete(caller);
      reject(error);
    };
    const timer = setTimeout(() => leave(overloaded("The question waited too long for its turn.")), this.#options.maxWaitMs);
    const aborted = (): void => leave(cancelled());
    signal.addEventListener("abort", aborted, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
      this.#waiting -= 1;
    }
  }
}

function cancelled(): ContextError {
  return new ContextError("CANCELLED", "The client went away while it waited.");
}

function overloaded(message: string): ContextError {
  return new ContextError("OVERLOADED", message, { detail: { retryAfterSeconds: 2 } });
}
