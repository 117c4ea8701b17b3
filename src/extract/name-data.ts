import type { Ambiguity, Merge, NameEntry } from "../core/extract.ts";
import type { NodeId } from "../core/fact.ts";

/**
 * How sure a spelling is. The lowest class that knows a key decides; two nodes in that class make it ambiguous.
 * 0 manifest · 1 stated · 2 derived by a rule of spelling · 3 initial and surname · 4 given name or surname alone
 */
export type SpellingClass = 0 | 1 | 2 | 3 | 4;
export type Candidate = readonly [node: NodeId, spelling: SpellingClass];

/** Everything that extraction looks names up in, in a form that can be stored. */
export interface NameData {
  readonly entries: readonly NameEntry[];
  /** Folded key to what it means, per kind of thing. */
  readonly services: Readonly<Record<string, readonly Candidate[]>>;
  /** Keys of services whose name is written with full stops somewhere: "Orders.API". */
  readonly dotted: readonly string[];
  readonly engineers: Readonly<Record<string, readonly Candidate[]>>;
  readonly teams: Readonly<Record<string, readonly Candidate[]>>;
  /** "@login" and addresses, lower case. */
  readonly handles: Readonly<Record<string, NodeId>>;
  /** Path prefix to service. */
  readonly paths: Readonly<Record<string, NodeId>>;
  /** Prefixes of ticket keys that occur as a record's own key. */
  readonly projects: readonly string[];
  /** Former ticket key to the present node. */
  readonly moved: Readonly<Record<string, NodeId>>;
  readonly merges: readonly Merge[];
  readonly ambiguities: readonly Ambiguity[];
}

/** Folded spellings to what they may mean, while the dictionary is made. */
export type Spellings = Map<string, Candidate[]>;

/** By code units, the same on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As stored: keys in order, the surest meaning first. */
export function sorted(keys: Spellings): Record<string, readonly Candidate[]> {
  const rows = [...keys].map(([key, candidates]) => [key, candidates.sort((a, b) => a[1] - b[1] || compare(a[0], b[0]))] as const);
  return Object.fromEntries(rows.sort(([a], [b]) => compare(a, b)));
}

/** Adds a spelling of a node; the surest class that a node has for a spelling counts. */
export function add(keys: Spellings, key: string, node: NodeId, spelling: SpellingClass): void {
  if (key === "") return;
  const known = keys.get(key);
  if (known === undefined) keys.set(key, [[node, spelling]]);
  else {
    const at = known.findIndex((candidate) => candidate[0] === node);
    const before = known[at];
    if (before === undefined) known.push([node, spelling]);
    else if (before[1] > spelling) known[at] = [node, spelling];
  }
}

/** Notes the spellings that mean several nodes equally well. */
export function report(keys: Spellings, ambiguities: Ambiguity[], why: string): void {
  for (const [key, candidates] of keys) {
    const best = Math.min(...candidates.map((candidate) => candidate[1]));
    const nodes = candidates.filter((candidate) => candidate[1] === best).map((candidate) => candidate[0]);
    if (nodes.length > 1) ambiguities.push({ name: key, nodes: nodes.sort(), why });
  }
}

/** Own properties only: a text may hold the word "constructor". */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The surest meanings; several when they are equally sure. */
export function best(candidates: readonly Candidate[] | undefined): readonly NodeId[] {
  const first = candidates?.[0];
  if (candidates === undefined || first === undefined) return [];
  if (candidates.length === 1) return [first[0]];
  return candidates
    .filter((candidate) => candidate[1] === first[1])
    .map((candidate) => candidate[0])
    .sort(compare);
}
