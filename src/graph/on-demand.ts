import { setImmediate as nextTurn } from "node:timers/promises";
import type { EdgeKind, Extraction, NodeId, NodeKind } from "../core/fact.ts";
import type { Side, StoredExtractions } from "../core/graph.ts";
import type { RecordId } from "../core/record.ts";
import type { Fold } from "./fold.ts";
import { sideOf, sidesOf } from "./links.ts";
import { bucketOf, isCommit, isShortSha } from "./shas.ts";

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
  /** Nodes of which everything that is said so is folded; of commits their buckets. */
  private readonly known = { itself: new Set<string>(), structure: new Set<string>(), events: new Set<string>() } as const;
  /** Commits that folded facts name by a prefix: which are meant must be known before anybody looks. */
  private readonly prefixes: string[] = [];
  /** How far the pass over all records has come; null before it began. */
  private after: RecordId | "" | null = null;
  private finished = false;

  private readonly isLeft = (record: RecordId): boolean => !this.fold.has(record);

  constructor(fold: Fold, stored: StoredExtractions) {
    this.fold = fold;
    this.stored = stored;
  }

  /** Whether all is folded but the documents that only say what they are. */
  get isFinished(): boolean {
    return this.finished;
  }

  /** Everything said of a node itself. */
  needStates(node: NodeId): void {
    if (this.finished && !isDocument(node)) return;
    if (isCommit(node)) this.needCommits(bucketOf(node));
    else this.need(node, "itself");
  }

  /** Every statement of an edge of these kinds that ends at a node. */
  needEdges(node: NodeId, kinds: readonly EdgeKind[]): void {
    if (this.finished) return;
    if (isCommit(node)) this.needCommits(bucketOf(node));
    else for (const side of sidesOf(kinds)) this.need(node, side);
  }

  needRecord(record: RecordId): void {
    const extraction = this.fold.has(record) ? null : this.stored.ofRecord(record);
    if (extraction !== null) this.put([extraction]);
  }

  /** Whether any record states an edge at a node; they need not be folded for that. */
  hasEdgesAt(node: NodeId): boolean {
    const bucket = bucketOf(node);
    if (this.finished || (this.known.structure.has(bucket) && this.known.events.has(bucket))) return false;
    return holdsAny(this.stored.speakers(bucket, "edges"));
  }

  /** Whether what is stored speaks of a document. */
  isStored(document: NodeId): boolean {
    return holdsAny(this.stored.speakers(document, "anything"));
  }

  /** How many documents are stored. */
  documents(): number {
    return this.stored.countNodes("doc");
  }

  /** Nodes of a kind that is not commits, whose ids prefixes stand for. */
  nodesOf(kind: Exclude<NodeKind, "commit">): Iterable<NodeId> {
    return this.stored.nodesOf(kind) as Iterable<NodeId>;
  }

  /**
   * Whether a changed record may stay where it is stored, since nobody has looked at what it speaks of: then it is folded
   * when somebody does. An index run over a million records folds none of them.
   */
  leaves(record: RecordId, extraction: Extraction | null): boolean {
    if (this.fold.has(record)) return false;
    if (extraction === null) return true;
    if (this.after !== null && !isLone(extraction)) return false; // the pass may be past it
    return (
      extraction.nodes.every(({ node }) => !this.known.itself.has(bucketOf(node))) &&
      extraction.facts.every(({ source, kind, target }) => {
        const known = this.known[sideOf(kind)];
        return !known.has(bucketOf(source)) && !known.has(bucketOf(target));
      })
    );
  }

  /** A record was folded from elsewhere: what it names by prefixes is looked up like what is folded from here. */
  took(extraction: Extraction): void {
    this.note(extraction);
    this.settle();
  }

  /** Folds all that is left, at once. */
  finish(): void {
    if (this.finished) {
      for (const node of this.nodesOf("doc")) this.needStates(node);
      return;
    }
    for (let after: string | null = ""; after !== null; ) {
      const { extractions, last } = this.stored.page(after, SLICE, this.isLeft);
      this.put(extractions);
      after = last;
    }
    this.finished = true;
  }

  /** Folds all that is left but lone documents, a few records at a time; false when it was stopped. */
  async finishInSlices(signal: AbortSignal): Promise<boolean> {
    do {
      await nextTurn();
      if (signal.aborted) return false;
    } while (this.next());
    return true;
  }

  /** Folds the next page; false when there was none. Read and folded in one go, so that nothing changes in between. */
  private next(): boolean {
    if (this.finished) return false;
    this.after ??= "";
    const { extractions, last } = this.stored.page(this.after, SLICE, this.isLeft);
    this.put(extractions.filter((extraction) => !isLone(extraction)));
    this.after = last ?? this.after;
    this.finished = last === null;
    return !this.finished;
  }

  private need(node: string, said: Side | "itself"): void {
    if (this.known[said].has(node)) return;
    this.known[said].add(node);
    this.put(this.read(node, said));
  }

  /** Only with everything said of all commits that begin alike it is known which names mean the same one. */
  private needCommits(bucket: string): void {
    this.prefixes.push(bucket);
    this.settle();
  }

  private read(bucket: string, said: Side | "itself" | "anything"): readonly Extraction[] {
    return this.stored.speakingOf(bucket, said, this.isLeft);
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

  private note({ facts, nodes }: Extraction): void {
    for (const { source, target } of facts) {
      if (isShortSha(source)) this.prefixes.push(bucketOf(source));
      if (isShortSha(target)) this.prefixes.push(bucketOf(target));
    }
    for (const { node } of nodes) if (isShortSha(node)) this.prefixes.push(bucketOf(node));
  }

  /** A list rather than a descent: commits that name each other by prefix can form long chains. */
  private settle(): void {
    if (this.finished) this.prefixes.length = 0;
    for (let bucket = this.prefixes.pop(); bucket !== undefined; bucket = this.prefixes.pop()) {
      if (this.known.itself.has(bucket)) continue;
      for (const known of [this.known.itself, this.known.structure, this.known.events]) known.add(bucket);
      this.take(this.read(bucket, "anything"));
    }
  }
}

function holdsAny(list: Iterable<unknown>): boolean {
  for (const _ of list) return true;
  return false;
}

/** No edge ever ends at a document. */
export function isDocument(node: NodeId): boolean {
  return node.startsWith("doc:");
}

/** A document that says nothing but what it is: there may be a million of them, and nothing leads to one but its name. */
function isLone({ facts, nodes }: Extraction): boolean {
  return facts.length === 0 && nodes.every(({ node }) => isDocument(node));
}
