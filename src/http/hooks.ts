import { setTimeout as wait } from "node:timers/promises";
import type { App } from "../core/app.ts";
import type { Log } from "../core/connector.ts";
import { ContextError, toContextError } from "../core/errors.ts";
import type { RecordId } from "../core/record.ts";

type DeliveryHeaders = Readonly<Record<string, string | undefined>>;

/** What one product's deliveries look like; the connectors' own shape. */
export interface Webhook {
  isSigned(headers: DeliveryHeaders, raw: Uint8Array, secret: string): boolean;
  deliveryId(headers: DeliveryHeaders): string | null;
  records(headers: DeliveryHeaders, raw: Uint8Array): readonly RecordId[];
}

export interface ConfiguredHook {
  readonly webhook: Webhook;
  readonly secret: string;
}

export type HookName = "github" | "jira" | "confluence";

/** Deliveries come in bursts (a push, its comments, its labels): those of this time are read in one run. */
const GATHER_MS = 300;
const RETRY_MS = 1_000;
const REMEMBERED = 2_000;

/**
 * Takes signed deliveries and has the records they name read again. What a delivery says of a record is not believed:
 * it only tells which one to ask the source for.
 */
export class HookInbox {
  readonly #app: App;
  readonly #log: Log;
  readonly #hooks: Partial<Record<HookName, ConfiguredHook>>;
  readonly #stopping: AbortSignal;
  readonly #seen = new Set<string>();
  readonly #waiting = new Set<RecordId>();
  #worker: Promise<void> | null = null;

  constructor(app: App, log: Log, hooks: Partial<Record<HookName, ConfiguredHook>>, stopping: AbortSignal) {
    this.#app = app;
    this.#log = log;
    this.#hooks = hooks;
    this.#stopping = stopping;
  }

  /**
   * @param raw the body as it came, to the byte: the signature covers it
   * @returns how many records will be read again; the same delivery sent twice counts 0
   * @throws ContextError NOT_FOUND where no secret is configured, UNAUTHORIZED where the signature is wrong
   */
  take(name: HookName, headers: DeliveryHeaders, raw: Uint8Array): { readonly records: number; readonly repeated: boolean } {
    const hook = this.#hooks[name];
    if (hook === undefined) {
      throw new ContextError("NOT_FOUND", `No secret is configured for deliveries of ${name}.`, {
        remedy: `Set CONTEXTD_${name.toUpperCase()}_WEBHOOK_SECRET, and the same secret at ${name}.`,
      });
    }
    if (!hook.webhook.isSigned(headers, raw, hook.secret)) {
      throw new ContextError("UNAUTHORIZED", "The delivery's signature does not fit.", {
        remedy: "Give both sides the same webhook secret.",
      });
    }
    const delivery = hook.webhook.deliveryId(headers);
    if (delivery !== null && !this.#first(`${name} ${delivery}`)) return { records: 0, repeated: true };
    const ids = hook.webhook.records(headers, raw);
    for (const id of ids) this.#waiting.add(id);
    if (ids.length > 0)
      this.#worker ??= this.#work().finally(() => {
        this.#worker = null;
      });
    return { records: ids.length, repeated: false };
  }

  #first(delivery: string): boolean {
    if (this.#seen.has(delivery)) return false;
    this.#seen.add(delivery);
    for (const old of this.#seen) {
      if (this.#seen.size <= REMEMBERED) break;
      this.#seen.delete(old);
    }
    return true;
  }

  /** Reads what waits, run after run, and behind a run of somebody else's. */
  async #work(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        await wait(GATHER_MS, undefined, { signal: this.#stopping });
        while (this.#app.running !== null) await wait(RETRY_MS, undefined, { signal: this.#stopping });
        const records = [...this.#waiting];
        this.#waiting.clear();
        if (!(await this.#read(records))) {
          for (const id of records) this.#waiting.add(id);
          await wait(RETRY_MS, undefined, { signal: this.#stopping });
        }
      }
    } catch (error) {
      if (!this.#stopping.aborted) throw error;
    }
  }

  /** @returns false where another run was quicker, so that it has to be tried again */
  async #read(records: readonly RecordId[]): Promise<boolean> {
    try {
      const events = this.#app.index({ records, trigger: "webhook", signal: this.#stopping });
      while (!(await events.next()).done);
      return true;
    } catch (thrown) {
      const { code, message } = toContextError(thrown);
      if (code === "INDEX_RUNNING") return false;
      // the nightly run reads them anyway
      this.#log.warn({ code, error: message, records: records.length }, "records named by a webhook were not read");
      return true;
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#worker;
  }
}
