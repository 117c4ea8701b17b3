/** A record's id: the connector's prefix, then the id at the source; the same on every pull ("jira:JR-441"). */
export type RecordId = `${string}:${string}`;

/** ISO 8601 in UTC, for example "2026-03-12T02:10:00Z". */
export type Instant = string;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where a record came from, as citations show it. */
export type SourceKind = "jira" | "github" | "confluence" | "logs" | "documents" | "web";

export type RecordKind = "ticket" | "commit" | "pull" | "issue" | "page" | "log" | "file";

/** Somebody as one source knows them; at least one property is set. */
export interface Person {
  readonly name?: string;
  readonly login?: string;
  readonly email?: string;
  readonly accountId?: string;
}

export interface IssueLink {
  /** The phrase read from this ticket to the other one: "is caused by", "duplicates", "blocks". */
  readonly phrase: string;
  readonly key: string;
}

export interface FieldChange {
  readonly at: Instant;
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * What the source itself states in structured form, so that rules need not read it out of prose.
 * Every property is optional: a source sets what it knows.
 */
export interface RecordFields {
  // tickets (Jira issues, GitHub issues)
  readonly key?: string;
  readonly formerKeys?: readonly string[];
  readonly ticketType?: string;
  readonly status?: string;
  readonly open?: boolean;
  readonly priority?: string;
  readonly severity?: string;
  readonly resolution?: string;
  readonly resolvedAt?: Instant;
  readonly components?: readonly string[];
  /** Services that a ticket field of its own names as affected, apart from its components. */
  readonly affected?: readonly string[];
  /** When the trouble began, where the ticket states it apart from when it was opened. */
  readonly startedAt?: Instant;
  readonly labels?: readonly string[];
  readonly assignee?: Person;
  readonly reporter?: Person;
  readonly links?: readonly IssueLink[];
  readonly changes?: readonly FieldChange[];
  // code
  readonly repository?: string;
  readonly sha?: string;
  readonly parents?: readonly string[];
  readonly files?: readonly string[];
  readonly number?: number;
  readonly mergedAt?: Instant;
  readonly mergeSha?: string;
  readonly reviewers?: readonly Person[];
  readonly path?: string;
  // pages and documents
  readonly space?: string;
  readonly version?: number;
  readonly ancestors?: readonly string[];
  readonly mediaType?: string;
  /** Offset into the body where each page starts; page 1 is the first. */
  readonly pageStarts?: readonly number[];
  /** Where the lines of its pages stand, packed as core/lines.ts says. */
  readonly lines?: readonly number[];
  /** Spans of the body that were read from a picture, and how sure the reader was of them, 0 to 1. */
  readonly ocr?: readonly { readonly start: number; readonly end: number; readonly confidence: number }[];
  /** Headings with the offset where each begins and its level (1 to 6). */
  readonly headings?: readonly { readonly at: number; readonly level: number; readonly text: string }[];
  /** Spans of the body that are quoted code, logs or stack traces: never read as statements. */
  readonly code?: readonly { readonly start: number; readonly end: number }[];
  // logs
  readonly level?: string;
  readonly service?: string;
  readonly pod?: string;
  readonly traceId?: string;
  readonly exception?: string;
  readonly revision?: string;
  readonly template?: string;
  readonly count?: number;
  readonly firstAt?: Instant;
  readonly lastAt?: Instant;
  // everybody the record names in structured form (author, assignee, reviewers, mentions)
  readonly people?: readonly Person[];
}

/** The one thing that every source becomes. Records are the truth; graph and index are views of them. */
export interface SourceRecord {
  readonly id: RecordId;
  readonly source: SourceKind;
  readonly kind: RecordKind;
  readonly title: string;
  /** Link to the original, null where there is none. */
  readonly url: string | null;
  readonly author: Person | null;
  readonly bot: boolean;
  readonly createdAt: Instant | null;
  readonly updatedAt: Instant;
  /**
   * Plain text, NFC, "\n" line ends, secrets redacted: the only text that a span points into.
   * First what people wrote (title included), then from `proseEnd` on the stated fields, one "Label: value" line each.
   */
  readonly body: string;
  readonly proseEnd: number;
  readonly fields: RecordFields;
}

/** A place in a record's body, in UTF-16 code units, end excluded. The only currency of provenance. */
export interface Span {
  readonly record: RecordId;
  readonly start: number;
  readonly end: number;
}
