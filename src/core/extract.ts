import type { Declaration, Extraction } from "./fact.ts";
import type { SourceRecord } from "./record.ts";

/** What the user's manifest knows of names and paths. */
export interface NameHints {
  /** Canonical service name to its other spellings; always win over learned ones. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** Canonical service name to path prefixes of its files; the longest prefix wins. */
  readonly sourcePaths: Readonly<Record<string, readonly string[]>>;
}

/** The dictionary of all known spellings, folded from every record's declarations; independent of their order. */
export interface Names {
  /** Equal hashes mean equal dictionaries. */
  readonly hash: string;
  /** Can be stored and read back by `Extractor.parseNames`. */
  toJSON(): unknown;
}

/**
 * Tier 1. All of it is pure: the same record and names give the same result on every machine.
 * `extract` may depend on names only through spellings and paths that `touches` sees, so that a changed
 * dictionary re-reads only the records it concerns.
 */
export interface Extractor<N extends Names = Names> {
  /** Part of every cache key; raised with each change of a rule. */
  readonly version: string;
  /** Names that this record introduces, read without any dictionary. */
  declare(record: SourceRecord): readonly Declaration[];
  names(declarations: Iterable<Declaration>, hints: NameHints): N;
  parseNames(json: unknown): N;
  /** Keys whose meaning differs between two dictionaries. */
  changed(before: N, after: N): ReadonlySet<string>;
  /** Whether the record holds one of the keys, so that it must be read again. */
  touches(record: SourceRecord, keys: ReadonlySet<string>): boolean;
  extract(record: SourceRecord, names: N): Extraction;
}
