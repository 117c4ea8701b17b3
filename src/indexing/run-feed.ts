import type { IndexEvent, IndexReport, RunId, RunListener, RunNews } from "../core/app.ts";
import { type ContextError, toContextError } from "../core/errors.ts";

/** Tells listeners of every run, whoever started it: command line, HTTP, schedule or webhook. */
export class RunFeed {
  private readonly listeners = new Set<RunListener>();

  watch(listener: RunListener): Disposable {
    this.listeners.add(listener);
    return { [Symbol.dispose]: () => void this.listeners.delete(listener) };
  }

  /**
   * A run that tells the listeners what it yields.
   * @param current the run in progress, if any
   */
  async *pass(
    run: AsyncGenerator<IndexEvent, IndexReport>,
    trigger: string,
    current: () => RunId | null,
  ): AsyncGenerator<IndexEvent, IndexReport> {
    const before = current();
    const first = run.next(); // it has its id by now, long before its first event
    const begun = current();
    const tell = (news: RunNews): void => {
      // where another one is under way this one throws, and is no run
      if (begun !== null && begun.runId !== before?.runId) for (const listener of this.listeners) listener(begun, news);
    };
    let report: IndexReport | null = null;
    let error: ContextError | null = null;
    try {
      tell({ type: "began", trigger });
      let step = await first;
      for (; step.done !== true; step = await run.next()) {
        tell({ type: "event", event: step.value });
        yield step.value;
      }
      report = step.value;
      return report;
    } catch (thrown) {
      error = toContextError(thrown);
      throw thrown;
    } finally {
      if (report === null && error === null) await run.return(undefined as never); // nobody listens to it any longer
      tell({ type: "ended", report, error });
    }
  }
}
