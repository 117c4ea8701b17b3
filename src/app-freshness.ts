import type { Coverage } from "./core/answer.ts";
import type { Freshness, RunRow } from "./core/app.ts";
import { ContextError } from "./core/errors.ts";
import type { Store } from "./store/store.ts";

/** Runs looked back for one that ended. */
export const RUNS_LOOKED_AT = 100;
/** A source that was not synced for this long is called stale. */
const STALE_AFTER_MS = 36 * 3_600_000;

/** The newest run that brought something in. */
export function lastEnded(store: Store): RunRow | undefined {
  return store.runs.list(RUNS_LOOKED_AT).find(({ status }) => status === "done" || status === "partial");
}

/** Why there is nothing to answer from: no run has ended, or the sources held nothing. */
export function nothingIndexed(store: Store): ContextError {
  if (lastEnded(store) === undefined) return new ContextError("INDEX_EMPTY", "Nothing is indexed yet.");
  return new ContextError("INDEX_EMPTY", "The sources held no records at the last run.", {
    remedy: "Check the sources in the manifest; `contextd runs` shows what each run found.",
  });
}

/** Until when each kind of source is known to be complete: the laggard of its kind counts. */
export function coverageOf(store: Store, now: Date, isSeen: (source: string) => boolean): Coverage[] {
  const kinds = new Map<string, Coverage>();
  for (const { source, kind, syncedUntil, failedAt } of store.cursors.synced()) {
    if (!isSeen(source)) continue;
    const known = kinds.get(kind);
    const until =
      known === undefined || (syncedUntil !== null && known.syncedUntil !== null && syncedUntil < known.syncedUntil)
        ? syncedUntil
        : known.syncedUntil;
    const stale = until === null || failedAt !== null || now.getTime() - Date.parse(until) > STALE_AFTER_MS;
    kinds.set(kind, { source: kind, syncedUntil: until, stale: stale || known?.stale === true });
  }
  return [...kinds.values()];
}

/** How old the index and each kind of source are, on the real clock: a world whose clock is fixed ages too. */
export function freshnessOf(store: Store, now: Date): Omit<Freshness, "paused"> {
  const since = (at: string): number => Math.max(0, (now.getTime() - Date.parse(at)) / 1000);
  const last = lastEnded(store);
  const sources = new Map<string, Freshness["sources"][number]>();
  for (const { kind, syncedUntil, failedAt } of store.cursors.synced()) {
    const known = sources.get(kind);
    const lag = syncedUntil === null || known?.lag === null ? null : Math.max(since(syncedUntil), known?.lag ?? 0);
    sources.set(kind, { source: kind, lag, failing: failedAt !== null || known?.failing === true });
  }
  return { indexAge: last?.endedAt == null ? null : since(last.endedAt), sources: [...sources.values()] };
}
