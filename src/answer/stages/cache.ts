import type { Answer } from "../../core/answer.ts";
import { toContextError } from "../../core/errors.ts";
import { degradation, quiet, type Run, type Stage } from "../run.ts";

export interface CacheDeps {
  /** The answer kept under a key, with the content hashes of the records it cited. */
  recall(key: string): { readonly answer: Answer; readonly cited: Readonly<Record<string, string>> } | null;
  /** Content hash of a record now; null when it is gone. */
  revision(recordId: string): string | null;
}

/** Yes when the same question was answered over the same index and no record that the answer cites has changed since. */
export function cache({ recall, revision }: CacheDeps): Stage {
  return quiet(async (run: Run) => {
    if (run.cacheKey === null) return { ok: false, detail: { used: false } };
    try {
      const found = recall(run.cacheKey);
      if (found === null) return { ok: false, detail: { hit: false } };
      const stale = Object.entries(found.cited).filter(([id, hash]) => revision(id) !== hash);
      if (stale.length > 0) return { ok: false, detail: { hit: false, changed: stale.map(([id]) => id) } };
      return { ok: true, set: { replay: found.answer }, detail: { hit: true } };
    } catch (thrown) {
      // a cache that fails is done without
      return { ok: false, set: { degraded: [...run.degraded, degradation(toContextError(thrown))] }, detail: { hit: false } };
    }
  });
}
