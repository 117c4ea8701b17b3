import { setImmediate as nextTurn } from "node:timers/promises";
import { type EdgeEntry, type NodeEntry, order } from "./contributions.ts";
import { Crowd, type Links, sideOf } from "./links.ts";

/** From so many edges on, a node's edges are kept in order rather than sorted for each look. */
const hubFrom = 200;
/** Edges put in order between two turns of the event loop. */
const SLICE = 5_000;

interface Order {
  entries: EdgeEntry[];
  /** Those whose place may have changed since. */
  readonly moved: Set<EdgeEntry>;
}

/** Keeps the edges of hubs in order, most promising first; the order follows changes without being made anew. */
export class Hubs {
  private readonly orders = new Map<Crowd, Order>();
  private readonly keyOf: (entry: EdgeEntry) => number;

  /** @param keyOf higher is more promising */
  constructor(keyOf: (entry: EdgeEntry) => number) {
    this.keyOf = keyOf;
  }

  /** Whether these are the edges of a hub. */
  isHub(links: Links): links is Crowd {
    return links instanceof Crowd && links.size >= hubFrom;
  }

  /** The place of an edge at its ends may be another one now. */
  changed(entry: EdgeEntry): void {
    if (this.orders.size === 0) return;
    for (const end of [entry.source, entry.target]) {
      const links = end[sideOf(entry.kind)];
      if (!(links instanceof Crowd)) continue;
      if (this.isHub(links)) this.orders.get(links)?.moved.add(entry);
      else this.orders.delete(links);
    }
  }

  /** Orders the hubs among these before anybody looks. */
  async order(nodes: Iterable<NodeEntry>, signal: AbortSignal): Promise<void> {
    let done = 0;
    const crowds = [...nodes].flatMap(({ structure, events }) => [structure, events].filter((links) => this.isHub(links)));
    // they may change between two turns
    for (const crowd of crowds) {
      if (this.isHub(crowd)) this.promising(crowd);
      done += crowd.size;
      if (done < SLICE) continue;
      done = 0;
      await nextTurn();
      if (signal.aborted) return;
    }
  }

  promising(hub: Crowd): Iterable<EdgeEntry> {
    const known = this.orders.get(hub);
    if (known === undefined || known.moved.size > known.entries.length / 8) {
      const entries = this.sorted(hub);
      this.orders.set(hub, { entries, moved: new Set() });
      return entries;
    }
    if (known.moved.size > 0) {
      known.entries = known.entries.filter((entry) => !known.moved.has(entry));
      for (const entry of known.moved) if (hub.has(entry)) known.entries.splice(this.placeOf(entry, known.entries), 0, entry);
      known.moved.clear();
    }
    return known.entries;
  }

  private sorted(entries: Iterable<EdgeEntry>): EdgeEntry[] {
    // one number a row: comparing times as strings took most of the first look at a hub of 20,000 edges
    return Array.from(entries, (entry) => ({ entry, key: this.keyOf(entry) }))
      .sort((a, b) => b.key - a.key || byEnds(a.entry, b.entry))
      .map(({ entry }) => entry);
  }

  /** Where an entry belongs, by halving. */
  private placeOf(entry: EdgeEntry, entries: readonly EdgeEntry[]): number {
    const key = this.keyOf(entry);
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = entries[middle] as EdgeEntry;
      if ((this.keyOf(other) - key || byEnds(entry, other)) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function byEnds(a: EdgeEntry, b: EdgeEntry): number {
  return order(a.source.id, b.source.id) || order(a.target.id, b.target.id) || order(a.kind, b.kind);
}
