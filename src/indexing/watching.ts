import type { Io, Log } from "../core/connector.ts";
import { toContextError } from "../core/errors.ts";
import type { IndexSource } from "./deps.ts";

/** How long a run that is in the way is waited for before looking again. */
const BUSY_MS = 1_000;
/** After a run, so many times what it took: a folder in which something always happens takes a quarter of the time. */
const REST_FACTOR = 3;
const LEAST_REST_MS = 500;

export interface WatchingDeps {
  /** As they are configured now. */
  readonly sources: () => readonly IndexSource[];
  readonly io: Pick<Io, "fetch" | "root" | "now">;
  /** One index run over the source of this label. @throws ContextError INDEX_RUNNING while another one goes on */
  readonly run: (label: string, signal: AbortSignal) => Promise<void>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly log: Log;
}

interface Watched {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Indexes sources again soon after they say that something changed, one at a time and never in a hurry. */
export class Watching implements AsyncDisposable {
  readonly #deps: WatchingDeps;
  readonly #stop = new AbortController();
  readonly #watched = new Map<string, Watched>();
  readonly #changed = new Set<string>();
  #news = Promise.withResolvers<void>();
  #going: Promise<void> | null = null;
  #isListening = false;

  constructor(deps: WatchingDeps) {
    this.#deps = deps;
  }

  /** Begins to listen; runs wait for `start`. */
  listen(): void {
    this.#isListening = !this.#stop.signal.aborted;
    this.renew();
  }

  /** Listens to sources that came, and lets those go that are no longer configured; before `listen` it does nothing. */
  renew(): void {
    if (!this.#isListening) return;
    const sources = this.#deps.sources();
    const labels = new Set(sources.map(({ label }) => label));
    for (const [label, { stop }] of this.#watched) {
      if (labels.has(label)) continue;
      stop.abort();
      this.#watched.delete(label);
    }
    for (const source of sources) {
      if (source.watch === undefined || this.#watched.has(source.label)) continue;
      const stop = new AbortController();
      this.#watched.set(source.label, { stop, ended: this.#follow(source, stop.signal) });
    }
  }

  /** From now on changes lead to runs; those heard of before lead to one now. */
  start(): void {
    this.listen();
    this.#going ??= this.#work();
  }

  async #follow(source: IndexSource, signal: AbortSignal): Promise<void> {
    const { io, log } = this.#deps;
    try {
      for await (const _ of source.watch?.({ ...io, log, signal }) ?? []) {
        this.#changed.add(source.label);
        this.#news.resolve();
      }
    } catch (error) {
      log.warn({ source: source.label, err: error }, "a source can no longer be watched: planned runs read it");
    }
  }

  async #work(): Promise<void> {
    const { run, wait, clock, log } = this.#deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#news.promise;
      this.#news = Promise.withResolvers();
      for (const label of this.#changed) {
        if (signal.aborted) return;
        this.#changed.delete(label);
        if (!this.#watched.has(label)) continue;
        const began = clock();
        try {
          await run(label, signal);
        } catch (error) {
          if (signal.aborted) return;
          const known = toContextError(error);
          if (known.code === "INDEX_RUNNING") {
            this.#changed.add(label);
            await wait(BUSY_MS, signal).catch(() => {});
            continue;
          }
          log.error({ source: label, code: known.code, err: known }, "an index run after a change failed");
        }
        await wait(Math.max(LEAST_REST_MS, REST_FACTOR * (clock() - began)), signal).catch(() => {});
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isListening = false;
    this.#stop.abort();
    this.#news.resolve();
    for (const { stop } of this.#watched.values()) stop.abort();
    await Promise.all([this.#going, ...Array.from(this.#watched.values(), ({ ended }) => ended)]);
  }
}
