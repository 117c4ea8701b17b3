import { type Desk, evidenceOf } from "../desk.ts";
import { causesOf, type Incident } from "../lookups.ts";
import type { Clearance } from "../ruled-out.ts";
import { inQuotes } from "../view.ts";
import { accuses } from "./chosen-incident.ts";
import { incidentSpans } from "./incidents.ts";

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
        `No: ${view.name(incident.node)} rules out ${view.name(suspect)}: ${inQuotes(clearance.sentence, 260)}.`,
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
    else
      sheet.say(
        `Nothing recorded says that ${view.name(suspect)} caused ${view.name(incident.node)}.`,
        incidentSpans(view, incident),
        0,
        0.7,
      );
  }
}
