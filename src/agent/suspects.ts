import type { Hypothesis } from "../core/answer.ts";
import type { NodeId } from "../core/fact.ts";
import type { GraphNode } from "../core/graph.ts";
import type { Instant } from "../core/record.ts";
import { HOUR } from "./dates.ts";
import { type Change, causesOf, changeOf, changesIn, type Incident, problemsOf } from "./lookups.ts";
import type { Clearance } from "./ruled-out.ts";
import { instant, spoken, spokenLength } from "./time.ts";
import type { ServiceContext } from "./tools.ts";
import { key, shortSha, type View } from "./view.ts";

export interface Suspects {
  readonly hypotheses: readonly Hypothesis[];
  /** The best of those that nobody states, when it stands out. */
  readonly suspect: { readonly change: Change; readonly score: number } | null;
  readonly notes: readonly string[];
}

/** How long before the first symptom a change may have been made to be suspected. */
const SUSPECT_DAYS = 7;
/** A derived cause is never more certain than this: no source says so. */
const MOST_DERIVED = 0.6;
const STANDS_OUT = 0.4;
const MOST_HYPOTHESES = 5;

/** When it was first seen: the ticket's stated start, else its first error in the six hours before it was opened, else its opening. */
export function firstSymptom(view: View, incident: Incident, service: NodeId | null): Instant | null {
  const { opened } = incident.state;
  const stated = incident.record?.fields.startedAt;
  if (stated !== undefined) return stated;
  if (opened === null || service === null) return opened;
  const [first] = problemsOf(view, service, instant(Date.parse(opened) - 6 * HOUR), opened).filter(({ level }) => !/^warn/.test(level));
  return first?.at ?? opened;
}

/**
 * Causes that somebody states, and changes that may be one: made within a week before the first symptom, to the service or to
 * what it depends on. The score of a derived one is 0.2, plus up to 0.25 for being recent (halved every 12 hours, by its
 * roll-out where a log tells of it), 0.2 for the service itself or 0.1 for a dependency, 0.1 when the logs blame what it changed.
 */
export function rankSuspects(
  view: View,
  incident: Incident | null,
  service: GraphNode | null,
  around: ServiceContext | null,
  cleared: readonly Clearance[],
  symptom: Instant | null,
): Suspects {
  const hypotheses: Hypothesis[] = [];
  const notes: string[] = [];
  const stated = incident === null ? [] : causesOf(view, incident.node.id);
  for (const edge of stated) {
    const out = cleared.find(({ node }) => node === edge.target);
    const target = view.graph.node(edge.target);
    const at = target?.kind === "commit" ? changeOf(view, target).at : null;
    const late = at !== null && at !== "" && symptom !== null && at > symptom;
    hypotheses.push({
      statement: `${incident === null ? "" : `${view.name(incident.node)} was caused by `}${view.nameOf(edge.target)}`,
      cause: edge.target,
      confidence: round(Math.max(0, edge.confidence - (out ? 0.6 : 0) - (late ? 0.3 : 0))),
      basis: "stated",
      for: [
        ...edge.evidence.slice(0, 3).map(({ span, rule }) => `stated by ${span.record} (${rule})`),
        ...(at && symptom !== null && !late ? [`made ${spokenLength(at, symptom)} before the first symptom at ${spoken(symptom)}`] : []),
      ],
      against: [...(out ? [`ruled out: "${out.sentence}"`] : []), ...(late ? ["it was made after the first symptom"] : [])],
    });
  }
  const derived: { change: Change; score: number }[] = [];
  if (symptom !== null && service !== null) {
    const near = new Map<NodeId, number>([
      [service.id, 0],
      ...(around?.downstream ?? []).filter(({ hop }) => hop === 1).map(({ node }) => [node.id, 1] as const),
    ]);
    const blamed = new Set((around?.problems ?? []).flatMap((log) => causesOf(view, log.node).map(({ target }) => target)));
    const from = instant(Date.parse(symptom) - SUSPECT_DAYS * 24 * HOUR);
    let unlinked = 0;
    for (const change of changesIn(view, null, from, instant(Date.parse(symptom) + HOUR))) {
      if (stated.some(({ target }) => target === change.node.id)) continue;
      const distance = Math.min(9, ...change.services.map((id) => near.get(id) ?? 9));
      const live = wentLive(view, change, symptom);
      if (distance === 9) {
        if (live > instant(Date.parse(symptom) - 24 * HOUR)) unlinked += 1;
        continue;
      }
      const out = cleared.find(({ node }) => node === change.node.id || (change.services.length === 1 && node === change.services[0]));
      if (live > symptom) {
        if (hypotheses.length < MOST_HYPOTHESES) notes.push(`commit ${shortSha(change.node)} came after the first symptom`);
        continue;
      }
      const hours = (Date.parse(symptom) - Date.parse(live)) / HOUR;
      const blames = change.services.some((id) => blamed.has(id));
      const score = out
        ? 0.05
        : Math.min(MOST_DERIVED, 0.2 + 0.25 * 0.5 ** (hours / 12) + (distance === 0 ? 0.2 : 0.1) + (blames ? 0.1 : 0));
      derived.push({ change, score });
      hypotheses.push({
        statement: `${view.name(change.node)} may have caused it`,
        cause: change.node.id,
        confidence: round(score),
        basis: "derived",
        for: [
          `${live === change.at ? "made" : "rolled out"} ${spokenLength(live, symptom)} before the first symptom at ${spoken(symptom)}`,
          distance === 0
            ? `modified ${service.label} itself`
            : `modified what ${service.label} depends on: ${change.services
                .filter((id) => near.has(id))
                .map((id) => view.nameOf(id))
                .join(", ")}`,
          ...(blames ? ["the logs blame what it changed"] : []),
        ],
        against: out ? [`ruled out: "${out.sentence}"`] : [],
      });
    }
    if (unlinked > 0)
      notes.push(`${unlinked} other changes of the last 24 hours before the first symptom have no link to ${service.label}`);
  }
  hypotheses.sort((a, b) => (a.basis === b.basis ? b.confidence - a.confidence : a.basis === "stated" ? -1 : 1));
  derived.sort((a, b) => b.score - a.score);
  const [first, second] = derived;
  const standsOut = first !== undefined && first.score >= STANDS_OUT && (second === undefined || first.score - second.score >= 0.03);
  if (stated.length === 0 && derived.length > 0 && !standsOut) notes.push("no change stands out as the cause");
  return { hypotheses: hypotheses.slice(0, MOST_HYPOTHESES), suspect: standsOut && first !== undefined ? first : null, notes };
}

/** When a commit reached production: its first roll-out before the symptom that a log tells of, else when it was made. */
function wentLive(view: View, change: Change, symptom: Instant): Instant {
  const sha = key(change.node);
  const rollout = view
    .logs()
    .find(
      ({ at, record: { fields } }) =>
        fields.revision !== undefined && at >= change.at && at <= symptom && sha.startsWith(fields.revision.toLowerCase()),
    );
  return rollout?.at ?? change.at;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
