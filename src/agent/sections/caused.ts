import { type Desk, evidenceOf, leavesIn, subjects } from "../desk.ts";
import { causesOf, ticketsOf } from "../lookups.ts";
import { key } from "../view.ts";

/** Which tickets a service, or a change of it, is the stated cause of; which ones another ticket caused. */
export async function caused({ question, view, sheet }: Desk): Promise<void> {
  const onlyIncidents = /\bincidents?\b|\boutages?\b/.test(question.masked);
  const suspects = [...subjects(question), ...question.tickets];
  for (const suspect of suspects) {
    const before = sheet.length;
    for (const one of ticketsOf(view, null)) {
      if ((onlyIncidents && !one.incident) || !leavesIn(question, one.node.id) || one.duplicateOf !== null) continue;
      for (const edge of causesOf(view, one.node.id)) {
        if (edge.target === suspect.id)
          sheet.say(`${view.name(one.node)} was caused by ${view.name(suspect)}.`, evidenceOf([edge]), 0, edge.confidence);
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
