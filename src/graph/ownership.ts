import type { NodeId } from "../core/fact.ts";
import type { Evidence, Graph, GraphEdge } from "../core/graph.ts";
import type { Instant } from "../core/record.ts";

const dayMs = 86_400_000;
/** After so many days without a trace an owner is worth asking about. */
const dormantAfterDays = 180;

export interface OwnerProof {
  readonly owner: NodeId;
  readonly edge: GraphEdge;
  /** The line, component or page that says so; the most authoritative, then the newest. */
  readonly proof: Evidence;
  /** How old that statement is. */
  readonly ageDays: number;
  /** The owner's last commit, ticket or statement; null when there is no trace of them. For a team, of any member. */
  readonly lastActivity: Instant | null;
  /** No trace of the owner for 180 days. */
  readonly dormant: boolean;
  /** Somebody else of the same kind is named as owner by another source at the same time. */
  readonly disputed: boolean;
}

/** Who owns a service at an instant, each with the place that shows it; best proof first. Disagreeing sources are both told. */
export function ownersOf(
  graph: Graph,
  service: NodeId,
  now: Instant,
  activity: ReadonlyMap<NodeId, Instant> = lastActivity(graph),
): readonly OwnerProof[] {
  const edges = graph.edgesOf(service, { kinds: ["owns"], direction: "in", at: now });
  const proofs: OwnerProof[] = [];
  for (const edge of edges) {
    const proof = edge.evidence.find((one) => !one.ends && one.at <= now) ?? edge.evidence.find((one) => !one.ends);
    if (proof === undefined) continue;
    const seen = activityOf(graph, edge.source, activity);
    proofs.push({
      owner: edge.source,
      edge,
      proof,
      ageDays: days(proof.at, now),
      lastActivity: seen,
      dormant: seen === null || days(seen, now) > dormantAfterDays,
      disputed: edges.some((other) => other !== edge && kindOf(other.source) === kindOf(edge.source) && !sameSource(other, edge)),
    });
  }
  return proofs.sort((a, b) => b.proof.authority - a.proof.authority || (a.proof.at < b.proof.at ? 1 : -1));
}

function kindOf(node: NodeId): string {
  return node.slice(0, node.indexOf(":"));
}

/** Two owners in one line of CODEOWNERS own together; two pages with one each disagree. */
function sameSource(a: GraphEdge, b: GraphEdge): boolean {
  return a.evidence.some((one) => b.evidence.some((other) => other.span.record === one.span.record));
}

function days(from: Instant, to: Instant): number {
  return Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / dayMs));
}

function activityOf(graph: Graph, owner: NodeId, activity: ReadonlyMap<NodeId, Instant>): Instant | null {
  let last = activity.get(owner) ?? null;
  for (const member of graph.node(owner)?.attributes.members ?? []) {
    const seen = activity.get(member);
    if (seen !== undefined && (last === null || seen > last)) last = seen;
  }
  return last;
}

/** When each engineer last left a trace: a commit they wrote, a ticket they wrote or are assigned to. */
export function lastActivity(graph: Graph): ReadonlyMap<NodeId, Instant> {
  const last = new Map<NodeId, Instant>();
  for (const kind of ["commit", "ticket"] as const) {
    for (const { attributes } of graph.nodes(kind)) {
      const at = attributes.resolvedAt ?? attributes.at;
      if (at === undefined) continue;
      for (const person of [attributes.author, attributes.assignee]) {
        if (person === undefined) continue;
        const before = last.get(person);
        if (before === undefined || before < at) last.set(person, at);
      }
    }
  }
  return last;
}
