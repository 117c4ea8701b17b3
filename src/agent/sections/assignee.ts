import { labels } from "../../core/labels.ts";
import type { Desk } from "../desk.ts";
import { fieldPlace } from "../view.ts";
import { choose } from "./chosen-incident.ts";
import { incidentSentence, incidentSpans } from "./incidents.ts";

/** Who works on what is described: whom the ticket that fits is assigned to. */
export async function assignee(desk: Desk): Promise<void> {
  const { view, sheet } = desk;
  for (const one of await choose(desk)) {
    const { assignee: person } = one.node.attributes;
    if (person === undefined || one.record === null) {
      sheet.nothing(`assignee of ${view.name(one.node)}`);
      continue;
    }
    sheet.say(`${view.nameOf(person)} is assigned to ${view.name(one.node)}.`, [fieldPlace(one.record, labels.assignee)], 0, 0.9);
    sheet.say(incidentSentence(view, one), incidentSpans(view, one), 1, 0.9);
  }
  if (sheet.empty) sheet.conclusive = true;
}
