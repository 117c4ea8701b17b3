import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../store/store.ts";

const DAY_MS = 86_400_000;
/** Longest time for all of it; what is left is done the next night. */
const LIMIT_MS = 60_000;

/** For how many days each model call has its own row: a run under way asks what it has spent itself. */
const CALLS_APART_DAYS = 7;

/** For how many days what can be asked for again is kept. */
export interface Retention {
  readonly runDays: number;
  readonly answerDays: number;
  readonly replyDays: number;
}

export interface UpkeepReport {
  readonly runs: number;
  readonly answers: number;
  readonly replies: number;
  /** Pages given back to the file system. */
  readonly pages: number;
}

/** Lets old runs, answers and model replies go, puts old model calls together, then gives their room back; in small steps, and bounded. */
export async function upkeep(
  store: Store,
  retention: Retention,
  { now, clock, signal }: { readonly now: Date; readonly clock: () => number; readonly signal: AbortSignal },
): Promise<UpkeepReport> {
  const until = clock() + LIMIT_MS;
  const before = (days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString();
  const limits = {
    runsBefore: before(retention.runDays),
    answersBefore: before(retention.answerDays),
    repliesBefore: before(retention.replyDays),
  };
  const done = { runs: 0, answers: 0, replies: 0, pages: 0 };
  const goOn = async (): Promise<boolean> => {
    await nextTurn();
    signal.throwIfAborted();
    return clock() < until;
  };
  while (await goOn()) {
    const swept = store.upkeep.sweep(limits);
    done.runs += swept.runs;
    done.answers += swept.answers;
    done.replies += swept.replies;
    if (swept.runs + swept.answers + swept.replies === 0) break;
  }
  while ((await goOn()) && store.upkeep.fold(before(CALLS_APART_DAYS)));
  while (await goOn()) {
    const pages = store.upkeep.release();
    if (pages === 0) break;
    done.pages += pages;
  }
  store.upkeep.settle();
  return done;
}
