import type { Instant, RecordId, Span } from "./record.ts";

/** What stands in the graph. */
export const nodeKinds = ["service", "engineer", "team", "ticket", "commit", "log", "doc"] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** "service:checkout-api", "ticket:JR-441", "commit:<full sha, or the prefix as written while no such commit is known>". */
export type NodeId = `${NodeKind}:${string}`;

/** How it hangs together, read as a sentence from source to target: a ticket `affects` a service. */
export const edgeKinds = ["owns", "affects", "fixes", "depends_on", "caused_by", "modified"] as const;
export type EdgeKind = (typeof edgeKinds)[number];

export type Tier = 1 | 2 | 3;

/** One statement found in one record. The graph is a fold over live facts, so no edge is without evidence. */
export interface Fact {
  readonly source: NodeId;
  readonly kind: EdgeKind;
  readonly target: NodeId;
  /** Where it stands. For structured fields it is the field's line in the record's body. */
  readonly span: Span;
  /** Name of the rule, or of the model, that read it. */
  readonly rule: string;
  readonly tier: Tier;
  /** 0 to 1. */
  readonly confidence: number;
  /** Since when it holds, as far as the record tells. */
  readonly at: Instant;
  /** The record says that it no longer holds (a removed dependency, a handed-over service): ends the edge at `at`. */
  readonly ends?: boolean;
  /** Higher wins where records contradict each other: CODEOWNERS over a page, a page over a passing remark. */
  readonly authority?: number;
}

/**
 * "At some time before": the start of what a record states without saying since when, such as a file whose date on disk
 * tells when it was copied.
 */
export const unknownStart: Instant = "1970-01-01T00:00:00Z";

/** What a record says of a node itself: its label, its state. Later records win, attribute by attribute. */
export interface NodeFact {
  readonly node: NodeId;
  readonly span: Span;
  readonly at: Instant;
  readonly attributes: NodeAttributes;
}

export interface NodeAttributes {
  readonly label?: string;
  readonly status?: string;
  readonly open?: boolean;
  readonly ticketType?: string;
  readonly severity?: string;
  readonly priority?: string;
  /** When it came to be: ticket opened, commit made, log line written. */
  readonly at?: Instant;
  readonly resolvedAt?: Instant;
  /** When the trouble began, where that is stated apart from when the ticket was opened. */
  readonly startedAt?: Instant;
  /** The service that a log line comes from. */
  readonly service?: NodeId;
  /** Trace ids and exception names, by which log lines and tickets find each other. */
  readonly marks?: readonly string[];
  readonly author?: NodeId;
  readonly assignee?: NodeId;
  readonly level?: string;
  readonly url?: string;
  readonly bot?: boolean;
  readonly members?: readonly NodeId[];
}

/** "These two names are one thing", as a row with its reason: undoing a merge is removing the row and folding again. */
export interface Declaration {
  readonly node: NodeId;
  /** The spelling as it stands in the record, or in the manifest. */
  readonly name: string;
  readonly rule: string;
  /** 0 to 1; manifest aliases are 1 and always win. */
  readonly score: number;
  /** Null when the manifest says so. */
  readonly span: Span | null;
}

/** What tier 1 made of one record, and what it thinks should read it next. */
export interface Extraction {
  readonly record: RecordId;
  readonly facts: readonly Fact[];
  readonly nodes: readonly NodeFact[];
  /** The cheapest tier that suffices: 1 when nothing is left unresolved. Stored even while no LLM is configured. */
  readonly tier: Tier;
  readonly tierReason: string;
}
