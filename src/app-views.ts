import { setImmediate as nextTurn } from "node:timers/promises";
import type { Reading } from "./core/app.ts";
import type { Log } from "./core/connector.ts";
import type { Extractor, NameHints, Names } from "./core/extract.ts";
import type { Declaration, Extraction } from "./core/fact.ts";
import type { RecordId } from "./core/record.ts";
import type { Viewer, Visibility } from "./core/visibility.ts";
import { KnowledgeGraph } from "./graph/knowledge-graph.ts";
import type { GraphChange, GraphFold } from "./indexing/deps.ts";
import type { Store } from "./store/store.ts";

/** Views kept; the longest unused goes first. There are at most as many as sets of groups that somebody is in. */
const MOST_VIEWS = 8;
/** Records looked at between two turns of the event loop. */
const SLICE = 200;

export interface ViewsDeps<N extends Names> {
  readonly store: Store;
  readonly extractor: Extractor<N>;
  readonly hints: () => NameHints;
  /** The dictionary that the stored extractions were made with. */
  readonly names: () => N;
  readonly visibility: () => Visibility;
  readonly generation: () => string;
  readonly isRunning: () => boolean;
  readonly whole: () => Reading;
  readonly reading: (graph: KnowledgeGraph, scopes: readonly number[], viewer: Viewer) => Reading;
  readonly log: Log;
}

interface View<N extends Names> {
  readonly generation: string;
  readonly scopes: readonly number[];
  readonly names: N;
  readonly graph: KnowledgeGraph;
  readonly reading: Reading;
}

/**
 * What each group of readers sees: one graph for each different set of scopes, folded from the visible records alone and
 * with a dictionary of names that only they declare, as if nothing else had ever been indexed. Made when first asked for, and
 * again after an index run; during one, each changed record is taken in or let go at once.
 */
export class Views<N extends Names> {
  readonly #deps: ViewsDeps<N>;
  readonly #views = new Map<string, View<N>>();
  readonly #building = new Map<string, Promise<View<N>>>();
  /** What changed while views were being made; they take it in when they are. */
  readonly #meanwhile = new Set<RecordId>();

  constructor(deps: ViewsDeps<N>) {
    this.#deps = deps;
  }

  async as(viewer: Viewer): Promise<Reading> {
    const key = this.#deps.visibility().key(viewer);
    if (key === "all") return this.#deps.whole();
    const known = this.#views.get(key);
    if (known !== undefined && (known.generation === this.#deps.generation() || this.#deps.isRunning())) {
      this.#keep(key, known);
      return known.reading;
    }
    let building = this.#building.get(key);
    if (building === undefined) {
      building = this.#build({ groups: JSON.parse(key) as string[] }).finally(() => this.#building.delete(key));
      this.#building.set(key, building);
      building.then(
        (view) => this.#keep(key, view),
        () => {},
      );
    }
    return (await building).reading;
  }

  /** The main graph and all views as one: what an index run folds into. */
  foldInto(graph: KnowledgeGraph): GraphFold<N> {
    const take = (changes: readonly GraphChange[]): void => this.#take(changes);
    return {
      setNames: (names) => graph.setNames(names),
      apply(changes) {
        const all = [...changes];
        graph.apply(all);
        take(all);
      },
      get counted() {
        return graph.counted;
      },
      sized: (size) => graph.sized(size),
    };
  }

  #keep(key: string, view: View<N>): void {
    this.#views.delete(key);
    this.#views.set(key, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MOST_VIEWS && oldest !== undefined) this.#views.delete(oldest);
  }

  #take(changes: readonly GraphChange[]): void {
    if (this.#building.size > 0) for (const { record } of changes) this.#meanwhile.add(record);
    for (const view of this.#views.values()) {
      view.graph.apply(changes.map(({ record }) => ({ record, extraction: this.#extract(record, view) })));
    }
  }

  /** A record as a view reads it; null where it is hidden or gone. */
  #extract(id: RecordId, { scopes, names }: Pick<View<N>, "scopes" | "names">): Extraction | null {
    const { store, extractor, log } = this.#deps;
    const record = store.scopes.sees(scopes, id) ? store.records.get(id) : null;
    if (record === null) return null;
    try {
      return extractor.extract(record, names);
    } catch (err) {
      log.warn({ recordId: id, err }, "a rule failed on a record");
      return null;
    }
  }

  async #build(viewer: Exclude<Viewer, "all">): Promise<View<N>> {
    const { store, extractor, hints } = this.#deps;
    const generation = this.#deps.generation();
    const visibility = this.#deps.visibility();
    const scopes = store.scopes
      .all()
      .filter((scope) => visibility.seesPlace(viewer, scope))
      .map(({ id }) => id);
    const hidden = store.scopes.hidden(scopes);
    const names = extractor.names(visible(store.extractions.declarations(), hidden), hints());
    const again = await this.#readAgain(names, hidden);
    const graph = new KnowledgeGraph();
    graph.setNames(names);
    let done = 0;
    for (const { extraction } of store.extractions.all()) {
      const { record } = extraction;
      if (!hidden.has(record)) {
        graph.apply([{ record, extraction: again.has(record) ? this.#extract(record, { scopes, names }) : extraction }]);
      }
      done += 1;
      if (done % SLICE === 0) await nextTurn();
    }
    graph.apply([...this.#meanwhile].map((record) => ({ record, extraction: this.#extract(record, { scopes, names }) })));
    if (this.#building.size <= 1) this.#meanwhile.clear();
    return { generation, scopes, names, graph, reading: this.#deps.reading(graph, scopes, viewer) };
  }

  /**
   * Records whose stored extraction rests on names that only hidden records declare: they are read by rules again, with the
   * names that are left. What a model found in them is not taken over.
   */
  async #readAgain(names: N, hidden: ReadonlySet<RecordId>): Promise<ReadonlySet<RecordId>> {
    const { store, extractor } = this.#deps;
    const again = new Set(store.extractions.stale(extractor.version));
    const changed = extractor.changed(this.#deps.names(), names);
    if (changed.size === 0) return again;
    let done = 0;
    for (const record of store.records.all()) {
      if (!hidden.has(record.id) && extractor.touches(record, changed)) again.add(record.id);
      done += 1;
      if (done % SLICE === 0) await nextTurn();
    }
    return again;
  }
}

function* visible(declarations: Iterable<Declaration>, hidden: ReadonlySet<RecordId>): Generator<Declaration, void> {
  for (const one of declarations) if (one.span === null || !hidden.has(one.span.record)) yield one;
}
