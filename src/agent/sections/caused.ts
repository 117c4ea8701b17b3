import type { NodeId } from "../../core/fact.ts";
import type { Span } from "../../core/record.ts";
import { type Desk, evidenceOf, leavesIn, subjects } from "../desk.ts";
import { causesOf, changeOf, ticketsOf } from "../lookups.ts";
import { key } from "../view.ts";
import { commitSpans } from "./changes.ts";

/** Which tickets a service, or a change of it, is the stated cause of; which ones another ticket caused. */
export async function caused(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const onlyIncidents = /\bincidents?\b|\boutages?\b/.test(question.masked);
  const suspects = [...subjects(question), ...question.tickets, ...question.people];
  for (const suspect of suspects) {
    const before = sheet.length;
    for (const one of ticketsOf(view, null)) {
      if ((onlyIncidents && !one.incident) || !leavesIn(question, one.node.id) || one.duplicateOf !== null) continue;
      for (const edge of causesOf(view, one.node.id)) {
        if (edge.target === suspect.id)
          sheet.say(`${view.name(one.node)} was caused by ${view.name(suspect)}.`, evidenceOf([edge]), 0, edge.confidence);
        if (suspect.kind === "engineer" && view.graph.node(edge.target)?.attributes.author === suspect.id)
          sheet.say(
            `${view.name(one.node)} was caused by ${view.nameOf(edge.target)}, a change by ${suspect.label}.`,
            [...evidenceOf([edge], 2), ...changedBy(desk, edge.target)],
            0,
            edge.confidence,
          );
        const [modified] =
          suspect.kind === "service"
            ? view.edges(edge.target, ["modified"], "out", null).filter(({ target }) => target === suspect.id)
            : [];
        if (modified !== undefined)
          sheet.say(
            `${view.name(one.node)} was caused by ${view.nameOf(edge.target)}, which modified ${view.name(suspect)}.`,
            evidenceOf([edge, modified], 3),
            0,
            edge.confidence,
          );
      }
    }
    if (sheet.length > before) continue;
    sheet.nothing(`incidents caused by ${suspect.kind === "ticket" ? key(suspect) : suspect.label}`);
    sheet.conclusive = true;
  }
}

function changedBy({ view }: Desk, commit: NodeId): readonly Span[] {
  const node = view.graph.node(commit);
  return node === null ? [] : commitSpans(view, changeOf(view, node)).slice(0, 1);
}
