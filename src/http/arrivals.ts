import type { Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Turns of the loop that work is held back for at most; each takes one connection in. */
const MOST_TURNS = 1_000;

/**
 * Lets everybody in before work begins that keeps the event loop busy. Node accepts one connection a turn of its loop, so
 * where each turn answers a question, those who have a connection are served again and again while the others wait at the door.
 */
export class Arrivals {
  #accepted = 0;
  #last: Promise<void> = Promise.resolve();

  watch(server: Server): void {
    server.on("connection", () => {
      this.#accepted += 1;
    });
  }

  /** Resolves after a turn that brought nobody new; for one caller at a time, so that between two of them the loop looks around. */
  async settled(): Promise<void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      // to the end of this turn; what counts are whole ones
      await nextTurn();
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const accepted = this.#accepted;
        await nextTurn();
        if (this.#accepted === accepted) return;
      }
    } finally {
      resolve();
    }
  }
}
