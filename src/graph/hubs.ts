import { type EdgeEntry, type NodeEntry, order } from "./contributions.ts";
import { degreeOf } from "./fold.ts";

/** From so many edges on, a node's edges are kept in order rather than sorted for each look. */
const hubFrom = 200;

interface Row {
  readonly entry: EdgeEntry;
  readonly key: number;
}

interface Order {
  rows: readonly Row[];
  /** Entries whose place may have changed since. */
  readonly moved: Set<EdgeEntry>;
}

/** Orders the edges of hubs, most promising first; the order follows changes without being made anew. */
export class Hubs {
  private readonly orders = new Map<NodeEntry, Order>();
  private readonly keyOf: (entry: EdgeEntry) => number;

  /** @param keyOf higher is more promising */
  constructor(keyOf: (entry: EdgeEntry) => number) {
    this.keyOf = keyOf;
  }

  isHub(node: NodeEntry): boolean {
    return degreeOf(node) >= hubFrom;
  }

  /** The place of an edge at its ends may be another one now. */
  changed(entry: EdgeEntry): void {
    for (const end of [entry.source, entry.target]) {
      if (this.isHub(end)) this.orders.get(end)?.moved.add(entry);
      else this.orders.delete(end);
    }
  }

  *promising(hub: NodeEntry): Iterable<EdgeEntry> {
    for (const row of this.ordered(hub)) yield row.entry;
  }

  private ordered(hub: NodeEntry): readonly Row[] {
    const known = this.orders.get(hub);
    if (known === undefined) {
      const rows = Array.from(hub.edges, (entry) => ({ entry, key: this.keyOf(entry) })).sort(byKey);
      this.orders.set(hub, { rows, moved: new Set() });
      return rows;
    }
    if (known.moved.size > 0) {
      const edges = hub.edges instanceof Set ? hub.edges : new Set(hub.edges);
      const moved = [...known.moved]
        .filter((entry) => edges.has(entry))
        .map((entry) => ({ entry, key: this.keyOf(entry) }))
        .sort(byKey);
      known.rows = merged(
        known.rows.filter(({ entry }) => !known.moved.has(entry)),
        moved,
      );
      known.moved.clear();
    }
    return known.rows;
  }
}

function byKey(a: Row, b: Row): number {
  return b.key - a.key || order(a.entry.id, b.entry.id);
}

function merged(a: readonly Row[], b: readonly Row[]): Row[] {
  const rows: Row[] = [];
  let at = 0;
  for (const row of b) {
    for (let other = a[at]; other !== undefined && byKey(other, row) < 0; other = a[at]) {
      rows.push(other);
      at += 1;
    }
    rows.push(row);
  }
  return rows.concat(a.slice(at));
}
