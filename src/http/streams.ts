import { EventEmitter } from "node:events";

/** One event of a stream, in order; its place is its id. */
interface Entry {
  readonly event: string;
  readonly data: unknown;
}

export interface Sent extends Entry {
  /** `${stream}.${place}`: what a client sends back as Last-Event-ID. */
  readonly id: string;
}

interface Stream {
  readonly id: string;
  readonly owner: string;
  readonly entries: Entry[];
  readonly grown: EventEmitter;
  readonly abort: AbortController;
  readers: number;
  ended: boolean;
  leaving: NodeJS.Timeout | null;
}

/** Streams that can be taken up again: those going on, and the last ones that ended. */
const KEPT = 64;

/**
 * Work whose events are kept, so that a client whose connection broke goes on where it was. When the last reader has left,
 * the work is stopped after a short time in which it may come back.
 */
export class Streams {
  readonly #streams = new Map<string, Stream>();
  readonly #graceMs: number;
  readonly #stopping: AbortSignal;
  readonly #newId: () => string;
  readonly #working = new Set<Promise<void>>();

  constructor(options: { readonly graceMs: number; readonly stopping: AbortSignal; readonly newId: () => string }) {
    this.#graceMs = options.graceMs;
    this.#stopping = options.stopping;
    this.#newId = options.newId;
  }

  /**
   * Starts work and returns its stream's id.
   * @param owner who may take it up again
   * @param work gets a way to send events and the signal to stop; it must not throw
   */
  start(owner: string, work: (send: (event: string, data: unknown) => void, signal: AbortSignal) => Promise<void>): string {
    const stream: Stream = {
      id: this.#newId(),
      owner,
      entries: [],
      grown: new EventEmitter().setMaxListeners(0),
      abort: new AbortController(),
      readers: 0,
      ended: false,
      leaving: null,
    };
    this.#streams.set(stream.id, stream);
    this.#forget();
    const send = (event: string, data: unknown): void => {
      stream.entries.push({ event, data });
      stream.grown.emit("grown");
    };
    const working = work(send, AbortSignal.any([stream.abort.signal, this.#stopping])).finally(() => {
      stream.ended = true;
      stream.grown.emit("grown");
      this.#working.delete(working);
    });
    this.#working.add(working);
    return stream.id;
  }

  /** Resolves when no work is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#working]);
  }

  #forget(): void {
    for (const [id, stream] of this.#streams) {
      if (this.#streams.size <= KEPT) return;
      if (stream.ended) this.#streams.delete(id);
    }
  }

  /** The stream and the place after the given event; null when it is not kept (any more) or belongs to somebody else. */
  find(lastEventId: string, owner: string): { readonly id: string; readonly next: number } | null {
    const dot = lastEventId.lastIndexOf(".");
    const stream = this.#streams.get(lastEventId.slice(0, dot));
    const place = Number(lastEventId.slice(dot + 1));
    if (stream === undefined || stream.owner !== owner || !Number.isInteger(place) || place < 0) return null;
    return { id: stream.id, next: place + 1 };
  }

  /** Events from a place on until the work has ended or the reader leaves. */
  async *read(id: string, next: number, signal: AbortSignal): AsyncGenerator<Sent, void> {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.readers += 1;
    if (stream.leaving !== null) clearTimeout(stream.leaving);
    try {
      for (let place = next; !signal.aborted; ) {
        const entry = stream.entries[place];
        if (entry !== undefined) {
          yield { id: `${id}.${place}`, ...entry };
          place += 1;
        } else if (stream.ended) return;
        else await grown(stream.grown, signal);
      }
    } finally {
      stream.readers -= 1;
      if (stream.readers === 0 && !stream.ended) stream.leaving = setTimeout(() => stream.abort.abort(), this.#graceMs);
    }
  }
}

function grown(emitter: EventEmitter, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      emitter.off("grown", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    emitter.once("grown", done);
    signal.addEventListener("abort", done, { once: true });
  });
}
