import type { GraphNode } from "../../core/graph.ts";
import { capital, type Desk, evidenceOf } from "../desk.ts";
import { causesOf, type Incident } from "../lookups.ts";
import type { Clearance } from "../ruled-out.ts";
import { inQuotes, key, shortSha } from "../view.ts";
import { accuses } from "./chosen-incident.ts";
import { incidentSpans, sentencesLike } from "./incidents.ts";

/** "Is X to blame": yes, no, or nobody says so. */
export function blameAsked(desk: Desk, incident: Incident, cleared: readonly Clearance[]): void {
  const { question, view, sheet } = desk;
  if (!accuses(question.masked)) return;
  const affected = new Set(incident.affects.map(({ target }) => target));
  const causes = causesOf(view, incident.node.id);
  for (const suspect of [...question.services, ...question.commits].filter(
    ({ id }) => !affected.has(id) || cleared.some(({ node }) => node === id),
  )) {
    const clearance = cleared.find(({ node }) => node === suspect.id);
    const stated = causes.find(
      ({ target }) => target === suspect.id || view.edges(target, ["modified"], "out", null).some((edge) => edge.target === suspect.id),
    );
    if (clearance !== undefined)
      sheet.say(
        `${/^why\b/.test(question.masked) ? "" : "No: "}${capital(view.name(incident.node))} rules out ${view.name(suspect)}: ${inQuotes(clearance.sentence, 260)}.`,
        [clearance.span, ...(suspect.kind === "commit" ? view.spansOf(suspect) : [])],
        0,
        0.9,
      );
    else if (stated !== undefined)
      sheet.say(
        `Yes: ${view.name(incident.node)} was caused by ${view.nameOf(stated.target)}${stated.target === suspect.id ? "" : `, which modified ${view.name(suspect)}`}.`,
        evidenceOf([stated]),
        0,
        stated.confidence,
      );
    else if (!mentions(desk, incident, suspect))
      sheet.say(
        `Nothing recorded says that ${view.name(suspect)} caused ${view.name(incident.node)}.`,
        incidentSpans(view, incident),
        0,
        0.7,
      );
  }
}

/** Where the ticket speaks of a commit that nobody calls its cause, its own words are the answer. */
function mentions({ view, sheet }: Desk, { node, record }: Incident, suspect: GraphNode): boolean {
  if (record === null || suspect.kind !== "commit") return false;
  const [found] = sentencesLike(record, new RegExp(`\\b${key(suspect).slice(0, 7)}[0-9a-f]*\\b`, "i"), 1);
  if (found === undefined) return false;
  sheet.say(
    `${capital(view.name(node))} says of commit ${shortSha(suspect)} only: ${inQuotes(found.sentence, 260)}.`,
    [found.span, ...view.spansOf(node)],
    0,
    0.8,
  );
  return true;
}
