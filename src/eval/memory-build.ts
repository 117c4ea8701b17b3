import type { Extractor, NameHints, Names } from "../core/extract.ts";
import type { Declaration, Extraction } from "../core/fact.ts";
import type { RecordId, SourceRecord } from "../core/record.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";

/** What one round of changes cost. */
export interface BuildStep {
  /** Records that were read again. */
  readonly extracted: number;
  /** Of these, records that did not change themselves but whose names did. */
  readonly renamed: number;
}

/**
 * Records to graph without a store: what indexing does, in memory and in one step, for measuring and for tests.
 * Only records that changed, or that hold a name whose meaning changed, are read again.
 */
export class MemoryBuild<N extends Names> {
  readonly graph = new KnowledgeGraph();
  readonly records = new Map<RecordId, SourceRecord>();
  readonly extractions = new Map<RecordId, Extraction>();
  names: N;
  private readonly extractor: Extractor<N>;
  private readonly declarations = new Map<RecordId, readonly Declaration[]>();
  private hints: NameHints;

  constructor(extractor: Extractor<N>, hints: NameHints) {
    this.extractor = extractor;
    this.hints = hints;
    this.names = extractor.names([], hints);
    this.graph.setNames(this.names);
  }

  /** Puts, replaces (same id) and drops records, and changes the hints, in one step. */
  update(put: readonly SourceRecord[], drop: readonly RecordId[] = [], hints: NameHints = this.hints): BuildStep {
    const changed = new Map<RecordId, SourceRecord>();
    for (const id of drop) {
      this.records.delete(id);
      this.declarations.delete(id);
    }
    for (const record of put) {
      this.records.set(record.id, record);
      this.declarations.set(record.id, this.extractor.declare(record));
      changed.set(record.id, record);
    }
    this.hints = hints;
    const before = this.names;
    this.names = this.extractor.names([...this.declarations.values()].flat(), hints);
    const keys = this.extractor.changed(before, this.names);
    let renamed = 0;
    for (const record of keys.size === 0 ? [] : this.records.values()) {
      if (changed.has(record.id) || !this.extractor.touches(record, keys)) continue;
      changed.set(record.id, record);
      renamed += 1;
    }
    this.graph.setNames(this.names);
    for (const id of drop) this.extractions.delete(id);
    this.graph.apply(drop.map((record) => ({ record, extraction: null })));
    for (const record of changed.values()) {
      const extraction = this.extractor.extract(record, this.names);
      this.extractions.set(record.id, extraction);
      this.graph.apply([{ record: record.id, extraction }]);
    }
    return { extracted: changed.size, renamed };
  }

  /** Takes over what a model made of a record. */
  take(extraction: Extraction): void {
    this.extractions.set(extraction.record, extraction);
    this.graph.apply([{ record: extraction.record, extraction }]);
  }
}
