import type { IndexEvent } from "../core/app.ts";
import type { CliIo } from "./command.ts";
import { failureText, progressText } from "./render.ts";

const REDRAW_MS = 80;

/** Runs a generator of index events to its end, with a progress line on a terminal and failures as they come. */
export async function drain<T>(events: AsyncGenerator<IndexEvent, T>, io: CliIo): Promise<T> {
  let drawn = 0;
  for (;;) {
    const step = await events.next();
    if (step.done === true) {
      io.status?.("");
      return step.value;
    }
    const event = step.value;
    if (event.type === "failure") {
      io.status?.("");
      io.note(`failed: ${failureText(event.failure)}`);
      continue;
    }
    const text = progressText(event);
    const now = performance.now();
    if (text !== null && io.status !== null && now - drawn >= REDRAW_MS) {
      drawn = now;
      io.status(text);
    }
  }
}
