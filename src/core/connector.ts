import type { z } from "zod";
import type { ContextError } from "./errors.ts";
import type { Json, RecordId, SourceRecord } from "./record.ts";

export type Pulled =
  /** `raw` is the payload as the source gave it, secrets redacted; kept for provenance, read by no rule. */
  | {
      readonly type: "record";
      readonly record: SourceRecord;
      readonly raw: Json;
      /** The record whose content this one has, under another id: what was made from that one alone need not be made again. */
      readonly from?: RecordId;
    }
  | { readonly type: "gone"; readonly id: RecordId }
  /** Still there and not read again: a full end must not sweep it. `fingerprint`: what it is known by from now on, where that changed. */
  | { readonly type: "unchanged"; readonly id: RecordId; readonly fingerprint?: string }
  /** This one only; the pull goes on. */
  | {
      readonly type: "failed";
      readonly id: string;
      readonly error: ContextError;
      /** What the connector knows it by: `Io.unread` tells of it until it is read. */
      readonly fingerprint?: string;
      /** The id is that of a folder which cannot be looked into: all records whose ids begin so are kept. */
      readonly below?: boolean;
    }
  /** What came before may be committed. */
  | { readonly type: "checkpoint"; readonly cursor: string }
  /** Only after a full end are records that were not seen swept. */
  | { readonly type: "end"; readonly scan: "full" | "delta"; readonly cursor?: string };

export type Log = Record<"debug" | "info" | "warn" | "error", (fields: object, message: string) => void>;

/** Keeps nothing of what it is told. */
export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

export interface Io {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly log: Log;
  now(): Date;
  /** Waits, in milliseconds, between two requests; the real clock unless a test brings its own. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Folder that relative paths of the manifest start from. */
  readonly root: string;
  /**
   * Whether a file of this size and time was already indexed and need not be read again.
   * A connector that skips one says so with `unchanged`. The fingerprint is what the connector itself put into
   * the raw payload as `fingerprint`; null when the record is new, or when everything is to be read again.
   */
  readonly known?: (id: RecordId) => { readonly fingerprint: string } | null;
  /** Why a file could not be read when it had this fingerprint; null when it was read, or when everything is to be read again. */
  readonly unread?: (id: RecordId) => { readonly fingerprint: string; readonly error: ContextError } | null;
  /** A record whose fingerprint begins so, as it is stored; null when there is none, or when everything is to be read again. */
  readonly alike?: (start: string) => { readonly record: SourceRecord; readonly raw: Json } | null;
}

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy: string | null;
}

/** A source kind. Adding one touches its folder and one line of the registry. */
export interface Connector<Config> {
  readonly kind: string;
  /** Its block of manifest.json. */
  readonly config: z.ZodType<Config>;
  /** Names one configured source in runs, cursors and failures: "jira https://acme.atlassian.net". Holds no secret. */
  label(config: Config): string;
  check(config: Config, io: Io): Promise<readonly Check[]>;
  /** `since` is the last saved cursor, null for a first or full pull. A throw ends the pull and sweeps nothing. */
  pull(config: Config, io: Io, since: string | null): AsyncGenerator<Pulled, void>;
  /** Yields whenever something may have changed, until the signal of `io` aborts; absent where a source cannot tell. */
  watch?(config: Config, io: Io): AsyncGenerator<void, void>;
  /** One record again, for webhooks; null when it is gone. */
  read?(config: Config, io: Io, id: RecordId): Promise<{ readonly record: SourceRecord; readonly raw: Json } | null>;
}

/** Keeps the config's type from schema to pull. */
export function defineConnector<Config>(connector: Connector<Config>): Connector<Config> {
  return connector;
}
