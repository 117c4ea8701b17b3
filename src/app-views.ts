import { setImmediate as nextTurn } from "node:timers/promises";
import type { Reading } from "./core/app.ts";
import type { Log } from "./core/connector.ts";
import type { Extractor, NameHints, Names } from "./core/extract.ts";
import type { Declaration, Extraction } from "./core/fact.ts";
import type { RecordId, SourceRecord } from "./core/record.ts";
import type { Viewer, Visibility } from "./core/visibility.ts";
import { KnowledgeGraph } from "./graph/knowledge-graph.ts";
import { without } from "./graph/without.ts";
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
  /** The generation that it is up to date with. */
  generation: string;
  readonly viewer: Exclude<Viewer, "all">;
  readonly scopes: readonly number[];
  hidden: ReadonlySet<RecordId>;
  names: N;
  /** Records that its graph does not read from the store: hidden ones, and those folded as this view reads them. */
  readonly own: Set<RecordId>;
  readonly graph: KnowledgeGraph;
  readonly reading: Reading;
}

/**
 * What each group of readers sees: one graph for each different set of scopes, folded from the visible records alone and
 * with a dictionary of names that only they declare, as if nothing else had ever been indexed. Made when first asked for:
 * then it reads what is stored where somebody looks, but for records that have to be read with its own dictionary. Index runs
 * keep it up to date: each changed record is taken in or let go at once, and what follows from other names or other places
 * after the run, when somebody asks.
 */
export class Views<N extends Names> {
  readonly #deps: ViewsDeps<N>;
  readonly #views = new Map<string, View<N>>();
  readonly #building = new Map<string, Promise<View<N>>>();
  /** What changed while views were being made; they take it in when they are. */
  readonly #meanwhile = new Set<RecordId>();
  readonly #differences = new Map<string, ReadonlySet<string>>();

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
      const begun = known === undefined ? this.#build({ groups: JSON.parse(key) as string[] }) : this.#renew(known);
      building = begun.finally(() => this.#building.delete(key));
      this.#building.set(key, building);
      building.then(
        (view) => this.#keep(key, view),
        () => this.#views.delete(key),
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
      for (const { record, extraction } of changes) this.#takeIn(view, record, extraction);
    }
  }

  /** Takes a record into a view as it is stored now, or out where it is hidden or gone. */
  #takeIn(view: View<N>, id: RecordId, stored: Extraction | null): void {
    const record = this.#deps.store.scopes.sees(view.scopes, id) ? this.#deps.store.records.get(id) : null;
    this.#put(view, id, stored, record === null ? null : this.#read(view, record, stored));
  }

  /** @param read what the view makes of the record: it is left where it is stored unless it is something else */
  #put({ own, graph }: View<N>, id: RecordId, stored: Extraction | null, read: Extraction | null): void {
    const change = { record: id, extraction: read };
    if (read !== null && (read === stored || JSON.stringify(read) === JSON.stringify(stored))) {
      own.delete(id);
      graph.apply([change]);
    } else {
      own.add(id);
      graph.hold([change]);
    }
  }

  #read({ names }: View<N>, record: SourceRecord, stored: Extraction | null): Extraction | null {
    const { extractor, log } = this.#deps;
    if (stored !== null && !extractor.touches(record, this.#differing(names))) return stored;
    try {
      // what a model had found in it, knowing the names of hidden records, is not taken over
      return extractor.extract(record, names);
    } catch (err) {
      log.warn({ recordId: record.id, err }, "a rule failed on a record");
      return null;
    }
  }

  /** Null where it is to be read anew. */
  #stored(id: RecordId): Extraction | null {
    const { store, extractor } = this.#deps;
    return store.extractions.isStale(id, extractor.version) ? null : store.extractions.ofRecord(id);
  }

  async #takeAll(view: View<N>, ids: readonly RecordId[]): Promise<void> {
    for (const [done, id] of ids.entries()) {
      if (done % SLICE === SLICE - 1) await nextTurn();
      this.#takeIn(view, id, this.#stored(id));
    }
  }

  /** Names that mean something else to a view than in what is stored. */
  #differing(names: N): ReadonlySet<string> {
    const whole = this.#deps.names();
    const key = `${whole.hash} ${names.hash}`;
    let keys = this.#differences.get(key);
    if (keys === undefined) {
      keys = this.#deps.extractor.changed(whole, names);
      if (this.#differences.size >= MOST_VIEWS) this.#differences.clear();
      this.#differences.set(key, keys);
    }
    return keys;
  }

  async #build(viewer: Exclude<Viewer, "all">): Promise<View<N>> {
    const { store, extractor } = this.#deps;
    const generation = this.#deps.generation();
    const scopes = this.#scopesOf(viewer);
    const hidden = store.scopes.hidden(scopes);
    const names = this.#namesOf(hidden);
    const graph = new KnowledgeGraph();
    graph.setNames(names);
    const own = new Set(hidden);
    graph.readFrom(without(store.extractions, own));
    const reading = this.#deps.reading(graph, scopes, viewer);
    const view: View<N> = { generation, viewer, scopes, hidden, names, own, graph, reading };
    // what is stored of these rests on names that only hidden records declare, or on an older version of the rules
    await this.#takeAll(view, store.extractions.stale(extractor.version));
    await this.#readAgain(view, this.#differing(names));
    return this.#caughtUp(view);
  }

  /** Brings a view up to date with a run: its changed records are in it already. */
  async #renew(view: View<N>): Promise<View<N>> {
    const { store, extractor } = this.#deps;
    const generation = this.#deps.generation();
    const scopes = this.#scopesOf(view.viewer);
    if (scopes.join() !== view.scopes.join()) return this.#build(view.viewer);
    const hid = view.hidden;
    const hidden = store.scopes.hidden(scopes);
    const names = this.#namesOf(hidden);
    const changed = extractor.changed(view.names, names);
    view.hidden = hidden;
    view.names = names;
    view.graph.setNames(names);
    const [went, came] = [[...hidden].filter((id) => !hid.has(id)), [...hid].filter((id) => !hidden.has(id))];
    await this.#takeAll(view, [...went, ...came]);
    await this.#readAgain(view, changed);
    view.generation = generation;
    return this.#caughtUp(view);
  }

  #caughtUp(view: View<N>): View<N> {
    for (const id of this.#meanwhile) this.#takeIn(view, id, this.#stored(id));
    if (this.#building.size <= 1) this.#meanwhile.clear();
    return view;
  }

  #scopesOf(viewer: Exclude<Viewer, "all">): number[] {
    const visibility = this.#deps.visibility();
    const seen = this.#deps.store.scopes.all().filter((scope) => visibility.seesPlace(viewer, scope));
    return seen.map(({ id }) => id);
  }

  #namesOf(hidden: ReadonlySet<RecordId>): N {
    const { store, extractor, hints } = this.#deps;
    return extractor.names(visible(store.extractions.declarations(), hidden), hints());
  }

  /** Folds the records that hold one of these names as the view reads them now. */
  async #readAgain(view: View<N>, keys: ReadonlySet<string>): Promise<void> {
    if (keys.size === 0) return;
    const { store, extractor } = this.#deps;
    let done = 0;
    for (const record of store.records.all()) {
      if (!view.hidden.has(record.id) && extractor.touches(record, keys)) {
        const stored = this.#stored(record.id);
        this.#put(view, record.id, stored, this.#read(view, record, stored));
      }
      done += 1;
      if (done % SLICE === 0) await nextTurn();
    }
  }
}

function* visible(declarations: Iterable<Declaration>, hidden: ReadonlySet<RecordId>): Generator<Declaration, void> {
  for (const one of declarations) if (one.span === null || !hidden.has(one.span.record)) yield one;
}
