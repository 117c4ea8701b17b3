import type { GraphNode } from "./graph.ts";

/** Whether a ticket tells of trouble, and is no task or wish: by its type, its severity, or its key. */
export function isIncident({ id, attributes: { ticketType, severity } }: GraphNode): boolean {
  return /incident|outage|\[system\]/i.test(ticketType ?? "") || graded(severity, ticketType) || /^ticket:(?:inc|incident)[-#]/i.test(id);
}

/** A severity makes an incident where it counts as those of incidents do; "low" on a bug does not. */
function graded(severity: string | undefined, ticketType: string | undefined): boolean {
  return severity !== undefined && (ticketType === undefined || /^(?:sev|s|p)[-_ ]?\d/i.test(severity));
}

const priorities = ["lowest", "low", "minor", "medium", "normal", "major", "high", "critical", "highest", "blocker"];

/** How grave a ticket is, 0 to 5, 0 where it says nothing: by its severity (SEV1, P2), else by its priority. */
export function gravity({ attributes: { severity, priority } }: GraphNode): number {
  const level = /^(?:sev|p|s)[-_ ]?(\d)/i.exec(severity ?? "")?.[1];
  return Math.max(0, level === undefined ? priorities.indexOf((priority ?? "").toLowerCase()) / 10 : 5 - Number(level));
}
