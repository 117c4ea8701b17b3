import type { GraphNode } from "../core/graph.ts";
import type { Instant } from "../core/record.ts";
import { amount, instant, lengthOf, unit, type Window } from "./time.ts";

interface Seed {
  readonly masked: string;
  readonly tickets: readonly GraphNode[];
  readonly commits: readonly GraphNode[];
}

const opened = "(?:opened|filed|reported|created|raised|declared|started|began|happened|came up)";
const over = "(?:resolved|closed|fixed|solved|over|done|ended)";
const was = "(?: (?:was|were|is|got|had been|has been|being|getting))?";
const thing = "(?:the )?(?:(?:deploy(?:ment)?|merge|rollout|release|start|opening|outage|incident) of )?⟨(ticket|commit)⟩";
const toSides = new RegExp(
  `\\b(before|prior to|after|since|following) ${thing}(?:${was} (?:(${over})|${opened}|merged|deployed|made|landed|shipped|written|committed))?`,
);
/** "in the 24 hours (before …)". */
const stretch = new RegExp(`(?:\\b(?:in|within|during|over) )?(?:\\bthe )?(?:\\blast )?\\b${amount}[ -]?${unit} $`);
const during = new RegExp(
  `\\b(?:between|from) ⟨ticket⟩${was} ${opened} (?:and|to|until) (?:it )?(?:was |being |got )?${over}|\\b(?:during|while) ⟨ticket⟩(?: was (?:open|on|ongoing))?`,
);

/**
 * The stretch of time that a question tells by a ticket or a commit: "before OPS-31 was opened", "since 4f2a1b9", "while OPS-31 was open".
 * @returns the window and the question without these words; null where there are none, or when it was is not known
 */
export function anchoredWindow(
  { masked, tickets, commits }: Seed,
  now: Instant,
): { readonly window: Window; readonly rest: string } | null {
  const inside = during.exec(masked);
  const [ticket, secondTicket] = tickets;
  if (inside !== null && ticket?.attributes.at !== undefined && secondTicket === undefined) {
    const window = { from: ticket.attributes.at, to: ticket.attributes.resolvedAt ?? now, moment: false, text: inside[0] };
    return { window, rest: without(masked, inside) };
  }
  const side = toSides.exec(masked);
  const [node, second] = side?.[1] === undefined ? [] : side[2] === "ticket" ? tickets : commits;
  if (side === null || node === undefined || second !== undefined) return null;
  const at = side[3] === undefined ? node.attributes.at : node.attributes.resolvedAt;
  if (at === undefined || at > now) return null;
  const before = side[1] === "before" || side[1] === "prior to";
  const reach = stretch.exec(masked.slice(0, side.index));
  const ms = reach === null ? null : lengthOf(reach[1], reach[2]);
  const from = before ? (ms === null ? null : instant(Date.parse(at) - ms)) : at;
  const to = before ? at : ms === null ? now : instant(Math.min(Date.parse(now), Date.parse(at) + ms));
  const whole = reach === null ? side : { index: reach.index, 0: `${reach[0]}${side[0]}` };
  return { window: { from, to, moment: false, text: whole[0] }, rest: without(masked, whole) };
}

function without(masked: string, match: { readonly index: number; readonly 0: string }): string {
  const rest = `${masked.slice(0, match.index)} ${masked.slice(match.index + match[0].length)}`;
  return rest
    .replace(/\s+(?=[?.!,])/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
