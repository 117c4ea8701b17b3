import type { Declaration, Extraction, NodeId, NodeKind } from "./fact.ts";
import type { SourceRecord } from "./record.ts";

/** What the user's manifest knows of names and paths. */
export interface NameHints {
  /** Canonical service name to its other spellings; always win over learned ones. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** Canonical service name to path prefixes of its files; the longest prefix wins. */
  readonly sourcePaths: Readonly<Record<string, readonly string[]>>;
  /** Ids of merges that the user took back (`Merge.id`); the names stay apart. */
  readonly undo?: readonly string[];
}

/** One thing that has names: its node, the label to show, all spellings that mean it. */
export interface NameEntry {
  readonly node: NodeId;
  readonly label: string;
  readonly spellings: readonly string[];
}

/** A name found in a text. Several nodes: the spelling is ambiguous. */
export interface NameMatch {
  readonly start: number;
  readonly end: number;
  readonly nodes: readonly NodeId[];
  /** A single everyday word ("email", "quote") that only context makes a name. */
  readonly bare: boolean;
}

export interface ScanOptions {
  /** A question names things more freely than a record: given names in lower case, "any payment incident". */
  readonly question?: boolean;
}

/** Two groups of names that were taken for one thing, and why. */
export interface Merge {
  /** `${alias} = ${of}`; naming it in the manifest (`merges.undo`) takes the merge back. */
  readonly id: string;
  readonly alias: NodeId;
  readonly of: NodeId;
  readonly rule: string;
  /** Records whose declarations led to it. */
  readonly records: readonly string[];
}

/** A spelling that means several things; kept apart until the manifest decides. */
export interface Ambiguity {
  readonly name: string;
  readonly nodes: readonly NodeId[];
  readonly why: string;
}

/** The dictionary of all known spellings, folded from every record's declarations; independent of their order. */
export interface Names {
  /** Equal hashes mean equal dictionaries. */
  readonly hash: string;
  /** Can be stored and read back by `Extractor.parseNames`. */
  toJSON(): unknown;
  entries(): Iterable<NameEntry>;
  /** What a name (of a ticket too, which may have moved) by itself means; several when it is ambiguous, none when it is unknown. */
  find(name: string, kind?: NodeKind): readonly NodeId[];
  /** Names of services, engineers and teams in a text, longest first, without overlaps, in order. */
  scan(text: string, options?: ScanOptions): readonly NameMatch[];
  merges(): readonly Merge[];
  ambiguities(): readonly Ambiguity[];
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
