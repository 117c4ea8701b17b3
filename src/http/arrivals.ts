import type { Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";

/** How long the loop may be kept busy between two looks at who has come, in ms; looking costs some turns of it. */
const BUSY_MS = 5;
/** Turns of the loop that work is held back for at most; each takes one connection in. */
const MOST_TURNS = 1_000;

/**
 * Lets everybody in before work goes on that keeps the event loop busy. Node accepts one connection a turn of its loop, so
 * where each turn answers a question, those who have a connection are served again and again while the others wait at the door.
 */
export class Arrivals {
  readonly #clock: () => number;
  #accepted = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> = Promise.resolve();

  /** @param clock monotonic, in ms */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  watch(server: Server): void {
    server.on("connection", () => {
      this.#accepted += 1;
    });
  }

  /**
   * Resolves when the loop has looked around lately: at once, or after a turn that brought nobody new. Those who wait go on
   * one after the other, and after each the loop looks again if it took long.
   */
  async settled(): Promise<void> {
    const before = this.#looking;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#looking = promise;
    await before;
    if (this.#clock() - this.#lookedAt > BUSY_MS) await this.#look();
    resolve();
  }

  async #look(): Promise<void> {
    // to the end of this turn; what counts are whole ones
    await nextTurn();
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      const accepted = this.#accepted;
      await nextTurn();
      if (this.#accepted === accepted) break;
    }
    this.#lookedAt = this.#clock();
  }
}
