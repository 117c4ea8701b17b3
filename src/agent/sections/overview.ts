import { capital, type Desk, evidenceOf, listed, serviceFirst, subjects } from "../desk.ts";
import { getServiceContext } from "../tools.ts";
import { headSpan, inQuotes, type View } from "../view.ts";
import { changeSentence, commitSpans } from "./changes.ts";
import { incidentSentence, incidentSpans } from "./incidents.ts";

/** All that matters of a service at once: owner, open incidents, last change, what it needs and who needs it, its pages. */
export async function overview(desk: Desk): Promise<void> {
  const { view, calls, sheet } = desk;
  for (const service of subjects(desk.question).slice(0, 2)) {
    const around = (await calls.run(getServiceContext, { service: service.id, hops: 1 }))?.value;
    if (around == null) continue;
    const { owners, open, changes, downstream, upstream, docs } = around;
    for (const { node, edge } of owners.slice(0, 2))
      sheet.say(`${capital(view.name(node))} owns ${service.label}.`, evidenceOf([edge], 2), 0, edge.confidence);
    for (const one of open.filter(({ incident }) => incident).slice(0, 2))
      sheet.say(incidentSentence(view, one), incidentSpans(view, one), 0, 0.95);
    for (const change of changes.slice(0, 1)) sheet.say(changeSentence(view, change), commitSpans(view, change), 0, 0.95);
    const needs = downstream.slice(0, 8);
    if (needs.length > 0)
      sheet.say(
        `${serviceFirst([service.label])} depends on ${listed(needs.map(({ node }) => node.label))}.`,
        evidenceOf(
          needs.map(({ edge }) => edge),
          3,
        ),
        0,
        0.9,
      );
    const users = upstream.slice(0, 8);
    if (users.length > 0) {
      const names = users.map(({ node }) => node.label);
      sheet.say(
        `${serviceFirst(names)} ${names.length === 1 ? "depends" : "depend"} on ${service.label}.`,
        evidenceOf(
          users.map(({ edge }) => edge),
          3,
        ),
        0,
        0.9,
      );
    }
    for (const doc of docs.slice(0, 1)) sayPage(view, desk, doc.label, view.recordOf(doc)?.id ?? null, service.label);
  }
}

function sayPage(view: View, { sheet }: Desk, title: string, id: string | null, service: string): void {
  const record = id === null ? null : view.records.get(id as `${string}:${string}`);
  if (record !== null) sheet.say(`${inQuotes(title, 120)} is about ${service}.`, [headSpan(record)], 1, 0.8);
}
