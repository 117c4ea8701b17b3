import { setImmediate as nextTurn } from "node:timers/promises";
import type { Extraction, NodeId, NodeKind } from "../core/fact.ts";
import type { StoredExtractions } from "../core/graph.ts";
import type { RecordId } from "../core/record.ts";
import type { Fold } from "./fold.ts";
import { bucketOf, isShortSha } from "./shas.ts";

/** Extractions folded between two turns of the event loop: some milliseconds. */
const SLICE = 200;

/**
 * Folds stored extractions where somebody looks, and the rest of them when all are needed. What was folded for a node is
 * all that any record says of it, so whoever looks sees the same graph as after a fold of everything; records that change
 * meanwhile are folded by the index run and are not read from here again.
 */
export class OnDemand {
  private readonly fold: Fold;
  private readonly stored: StoredExtractions;
  /** Buckets whose nodes' own statements are all folded, and those whose edges are. */
  private readonly states = new Set<string>();
  private readonly edges = new Set<string>();
  /** Commits that folded facts name by a prefix: which are meant must be known before anybody looks. */
  private readonly prefixes: string[] = [];
  private after = "";

  constructor(fold: Fold, stored: StoredExtractions) {
    this.fold = fold;
    this.stored = stored;
  }

  /** Everything said of a node itself. */
  needStates(node: NodeId): void {
    this.need(bucketOf(node), this.states, false);
  }

  /** Every statement of an edge that ends at a node. */
  needEdges(node: NodeId): void {
    this.need(bucketOf(node), this.edges, true);
  }

  needRecord(record: RecordId): void {
    const extraction = this.fold.has(record) ? null : this.stored.ofRecord(record);
    if (extraction !== null) this.put([extraction]);
  }

  /** Whether any record states an edge at a node; they need not be folded for that. */
  hasEdgesAt(node: NodeId): boolean {
    return this.edges.has(bucketOf(node)) ? false : this.stored.hasEdgesAt(bucketOf(node));
  }

  /** Nodes of a kind that is not commits, whose ids prefixes stand for. */
  nodesOf(kind: Exclude<NodeKind, "commit">): Iterable<NodeId> {
    return this.stored.nodesOf(kind) as Iterable<NodeId>;
  }

  /** A record was folded from elsewhere: what it names by prefixes is looked up like what is folded from here. */
  took(extraction: Extraction): void {
    this.note(extraction);
    this.settle();
  }

  /** Folds all that is left, at once. */
  finish(): void {
    while (this.next()) {
      // page by page
    }
  }

  /** Folds all that is left, a few records at a time; false when it was stopped. */
  async finishInSlices(signal: AbortSignal): Promise<boolean> {
    do {
      await nextTurn();
      if (signal.aborted) return false;
    } while (this.next());
    return true;
  }

  /** Folds the next page; false when there was none. Read and folded in one go, so that nothing changes in between. */
  private next(): boolean {
    const page = this.stored.page(this.after, SLICE);
    this.put(page.filter(({ record }) => !this.fold.has(record)));
    this.after = page.at(-1)?.record ?? this.after;
    return page.length === SLICE;
  }

  private need(bucket: string, known: Set<string>, edges: boolean): void {
    if (known.has(bucket)) return;
    known.add(bucket);
    this.put(this.read(bucket, edges));
  }

  private read(bucket: string, edges: boolean): readonly Extraction[] {
    return this.stored.speakingOf(bucket, edges, (record) => !this.fold.has(record));
  }

  private put(extractions: readonly Extraction[]): void {
    this.take(extractions);
    this.settle();
  }

  private take(extractions: readonly Extraction[]): void {
    for (const extraction of extractions) {
      this.fold.replace(extraction.record, extraction);
      this.note(extraction);
    }
  }

  private note(extraction: Extraction): void {
    for (const { source, target } of extraction.facts) {
      if (isShortSha(source)) this.prefixes.push(bucketOf(source));
      if (isShortSha(target)) this.prefixes.push(bucketOf(target));
    }
  }

  /** A list rather than a descent: commits that name each other by prefix can form long chains. */
  private settle(): void {
    for (let bucket = this.prefixes.pop(); bucket !== undefined; bucket = this.prefixes.pop()) {
      if (this.states.has(bucket)) continue;
      this.states.add(bucket);
      this.take(this.read(bucket, false));
    }
  }
}
