import { setImmediate as nextTurn } from "node:timers/promises";
import type { Extraction, NodeId } from "../core/fact.ts";
import type { Graph } from "../core/graph.ts";
import { edgeId } from "../graph/contributions.ts";
import { bucketOf, isCommit, isShortSha, Shas } from "../graph/shas.ts";
import type { Scratch, Store } from "../store/store.ts";

/** Extractions looked at between two turns of the event loop, and in one transaction. */
const SLICE = 200;
/** Beginnings of shas whose commits are remembered. */
const MOST_BUCKETS = 10_000;

/**
 * How many nodes and edges a fold of everything stored has, without folding it: ids are gathered on disk, so that a run
 * that nobody asks questions of needs no memory for its graph.
 * @param named nodes that the dictionary knows
 * @returns null when it was stopped
 */
export async function countGraph(store: Store, named: Iterable<NodeId>, signal: AbortSignal): Promise<Graph["size"] | null> {
  using nodes = store.scratch();
  using edges = store.scratch();
  const canonical = commitNames(store);
  for (let after: string | null = ""; after !== null; ) {
    await nextTurn();
    if (signal.aborted) return null;
    const { extractions, last } = store.extractions.page(after, SLICE, () => true);
    using tx = store.begin();
    for (const extraction of extractions) note(extraction, nodes, edges, canonical);
    tx.commit();
    after = last;
  }
  using tx = store.begin();
  for (const node of named) nodes.set(node, 1);
  tx.commit();
  return { nodes: nodes.count(), edges: edges.count() };
}

function note({ nodes: stated, facts }: Extraction, nodes: Scratch, edges: Scratch, canonical: (node: NodeId) => NodeId): void {
  for (const { node } of stated) nodes.set(canonical(node), 1);
  for (const fact of facts) {
    const [source, target] = [canonical(fact.source), canonical(fact.target)];
    nodes.set(source, 1);
    nodes.set(target, 1);
    // an end alone makes no edge
    if (fact.ends !== true) edges.set(edgeId(source, fact.kind, target), 1);
  }
}

/** The node that an id means, as the fold has it: a commit by a prefix of its sha is the one that begins so. */
function commitNames({ extractions }: Store): (node: NodeId) => NodeId {
  const known = new Map<string, Shas>();
  return (node) => {
    if (!isShortSha(node)) return node;
    const bucket = bucketOf(node);
    let shas = known.get(bucket);
    if (shas === undefined) {
      shas = new Shas();
      for (const one of extractions.speakingOf(bucket, "anything", () => true)) for (const id of idsIn(one)) if (isCommit(id)) shas.add(id);
      if (known.size >= MOST_BUCKETS) known.clear();
      known.set(bucket, shas);
    }
    return shas.canonical(node);
  };
}

function idsIn({ nodes, facts }: Extraction): NodeId[] {
  return [...nodes.map(({ node }) => node), ...facts.flatMap(({ source, target }) => [source, target])];
}
