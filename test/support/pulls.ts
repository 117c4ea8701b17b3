import assert from "node:assert/strict";
import { type Connector, type Io, type Pulled, silent } from "../../src/core/connector.ts";
import { ContextError } from "../../src/core/errors.ts";
import type { Json, RecordId, SourceRecord } from "../../src/core/record.ts";

/** The error that a run ends with; anything else is a fault. */
export async function failure(run: Promise<unknown>): Promise<ContextError> {
  return run.then(
    () => assert.fail("nothing was thrown"),
    (error) => {
      if (error instanceof ContextError) return error;
      throw error;
    },
  );
}

/** How a source should refuse: the code, what the message and the remedy say, and what no part of it may hold. */
export interface Refusal {
  readonly code: string;
  readonly message: RegExp;
  readonly remedy: RegExp;
  readonly secret: string;
}

export function assertRefused(error: ContextError, { code, message, remedy, secret }: Refusal): void {
  assert.equal(error.code, code);
  assert.match(error.message, message);
  assert.match(error.remedy, remedy);
  assert.ok(!JSON.stringify([error.message, error.remedy, error.detail, String(error.cause)]).includes(secret));
}

/** As fetch, but the source's clock is not told: ours counts. */
export const undated: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const headers = new Headers(response.headers);
  headers.delete("date");
  return new Response(response.body, { status: response.status, headers });
};

/** What a pull changed. */
export async function changes(counts: Promise<Counts>): Promise<Pick<Counts, "added" | "changed" | "gone">> {
  const { added, changed, gone } = await counts;
  return { added, changed, gone };
}

/** What an index keeps of a source: enough to see that pulls lose and double nothing. */
export class Shelf {
  readonly records = new Map<RecordId, SourceRecord>();
  readonly raw = new Map<RecordId, Json>();
  cursor: string | null = null;
  failures: { readonly id: string; readonly message: string }[] = [];
  waits: number[] = [];
  private readonly met = new Set<RecordId>();

  io(more: Partial<Io> = {}): Io {
    return {
      fetch: globalThis.fetch,
      signal: new AbortController().signal,
      log: silent,
      now: () => new Date(),
      root: "/",
      wait: async (ms) => void this.waits.push(ms),
      known: (id) => {
        const raw = this.raw.get(id);
        const fingerprint = raw !== null && typeof raw === "object" && "fingerprint" in raw ? raw.fingerprint : null;
        return typeof fingerprint === "string" ? { fingerprint } : null;
      },
      ...more,
    };
  }

  /**
   * One pull, kept as indexing keeps it: page by page with its cursor; a full end sweeps what this scan did not meet,
   * a scan that was cut off goes on being the same one.
   * @param stopAfter items after which the process "dies": what came since the last checkpoint is lost
   */
  async pull<C>(connector: Connector<C>, config: C, more: Partial<Io> = {}, stopAfter = Number.POSITIVE_INFINITY): Promise<Counts> {
    const counts: Counts = { added: 0, changed: 0, unchanged: 0, gone: 0, failed: 0, scan: null };
    let held: Pulled[] = [];
    let taken = 0;
    if (this.cursor === null) this.met.clear();
    for await (const pulled of connector.pull(config, this.io(more), this.cursor)) {
      if (pulled.type === "checkpoint" || pulled.type === "end") {
        for (const one of held) this.keep(one, counts);
        held = [];
        if (pulled.type === "checkpoint") this.cursor = pulled.cursor;
        else {
          if (pulled.scan === "full") for (const id of [...this.records.keys()]) if (!this.met.has(id)) this.drop(id, counts);
          this.met.clear();
          this.cursor = pulled.cursor ?? this.cursor;
          counts.scan = pulled.scan;
        }
      } else held.push(pulled);
      taken += 1;
      if (taken >= stopAfter) return counts;
    }
    return counts;
  }

  private keep(pulled: Pulled, counts: Counts): void {
    if (pulled.type === "record") {
      const { record, raw } = pulled;
      const before = this.records.get(record.id);
      const same = before !== undefined && JSON.stringify(before) === JSON.stringify(record);
      counts[before === undefined ? "added" : same ? "unchanged" : "changed"] += 1;
      this.records.set(record.id, record);
      this.raw.set(record.id, raw);
      this.met.add(record.id);
    } else if (pulled.type === "unchanged") {
      counts.unchanged += 1;
      this.met.add(pulled.id);
    } else if (pulled.type === "gone") this.drop(pulled.id, counts);
    else if (pulled.type === "failed") {
      counts.failed += 1;
      this.failures.push({ id: pulled.id, message: pulled.error.message });
    }
  }

  private drop(id: RecordId, counts: Counts): void {
    if (!this.records.delete(id)) return;
    this.raw.delete(id);
    counts.gone += 1;
  }
}

export interface Counts {
  added: number;
  changed: number;
  unchanged: number;
  gone: number;
  failed: number;
  scan: "full" | "delta" | null;
}
