import type { GraphNode } from "../../core/graph.ts";
import { capital, type Desk, evidenceOf } from "../desk.ts";
import { isWithin, spoken } from "../time.ts";

/** Who owns something since a time of the window, where somebody else did before. */
export function newOwners({ question: { window }, view, sheet }: Desk, services: readonly GraphNode[]): void {
  for (const service of services.length > 0 ? services : view.graph.nodes("service")) {
    const edges = view.edges(service.id, ["owns"], "in", null);
    for (const edge of edges) {
      const before = edges.find(({ validTo }) => validTo !== null && validTo <= edge.validFrom);
      if (window === null || before === undefined || !isWithin(edge.validFrom, window)) continue;
      sheet.say(
        `${capital(view.nameOf(edge.source))} has owned ${service.label} since ${spoken(edge.validFrom)}; before that it was ${view.nameOf(before.source)}.`,
        evidenceOf([edge, before], 2),
        0,
        edge.confidence,
      );
    }
  }
}
