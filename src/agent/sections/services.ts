import type { GraphEdge, GraphNode } from "../../core/graph.ts";
import type { Span } from "../../core/record.ts";
import { asksFewest, type Counted, compared } from "../counted.ts";
import { type Desk, evidenceOf, leavesIn, listed, serviceFirst } from "../desk.ts";
import { type Change, changesIn, ownedBy, problemsOf, ticketsOf } from "../lookups.ts";
import { instant, isWithin } from "../time.ts";
import { headSpan, type View } from "../view.ts";
import { commitSpans } from "./changes.ts";
import { ownedInWords } from "./texts.ts";

/** What is counted of one service or person, with places that show it. */
interface Count {
  readonly count: number;
  readonly names: readonly string[];
  readonly spans: readonly Span[];
}

const nouns: Readonly<Record<Counted, string>> = {
  owned: "services",
  authored: "commits",
  dependents: "services that depend on it",
  dependencies: "dependencies",
  incidents: "incidents",
  tickets: "tickets",
  commits: "commits",
  problems: "warnings and errors",
};
/** Counted are services, whose names are short; tickets and commits come with their titles. */
const ofServices: ReadonlySet<Counted> = new Set(["owned", "dependents", "dependencies"]);
const MOST_NAMED = 8;
const MOST_TITLES = 3;
const MOST_LISTED = 20;

/** Services, or who owns them, by what is counted of each; services that nobody owns. */
export async function services(desk: Desk): Promise<void> {
  const { question, view, sheet } = desk;
  const { masked } = question;
  const asked = compared(masked);
  if (asked === null) return withoutOwner(desk);
  const few = asksFewest(masked);
  const named = question.services.length > 1;
  const people = asked === "owned" || asked === "authored";
  const pool = named
    ? question.services
    : [...view.graph.nodes(people ? "engineer" : "service")].filter(({ attributes }) => attributes.bot !== true);
  const counts = pool
    .filter(({ id }) => leavesIn(question, id))
    .map((node) => ({ node, ...countOf(desk, asked, node) }))
    .filter(({ count }) => named || count > 0);
  const best = (few ? Math.min : Math.max)(...counts.map(({ count }) => count));
  const first = counts.filter(({ count }) => count === best);
  // of all services, one that nothing is recorded of has the fewest of everything
  if (first.length === 0 || (few && !named)) {
    sheet.nothing(`a comparison by ${nouns[asked]}`);
    sheet.conclusive = true;
    return;
  }
  const names = first.slice(0, MOST_NAMED).map(({ node }) => view.name(node));
  const [only, second] = first;
  const shown = only !== undefined && only.names.length > 0 && only.names.length <= (ofServices.has(asked) ? MOST_NAMED : MOST_TITLES);
  const detail = second === undefined && shown ? `: ${listed(only.names.slice(0, MOST_NAMED))}` : "";
  const open = asksOpen(masked) && (asked === "incidents" || asked === "tickets") ? "open " : "";
  sheet.say(
    `${people ? listed(names) : serviceFirst(names)} ${second === undefined ? "has" : "have"} the ${few ? "fewest" : "most"} ${open}${nouns[asked]} recorded, ${best}${second === undefined ? "" : " each"}${detail}.`,
    first.flatMap(({ node, spans }) => (spans.length > 0 ? spans : node.spans).slice(0, second === undefined ? 3 : 1)).slice(0, 3),
    0,
    0.85,
  );
  for (const { node, count, spans } of named ? counts.filter((one) => one.count !== best) : [])
    sheet.say(`${view.name(node)} has ${count}.`, (spans.length > 0 ? spans : node.spans).slice(0, 3), 1, 0.8);
}

function withoutOwner({ question, view, sheet }: Desk): void {
  const none = [...view.graph.nodes("service")]
    .filter(({ id }) => leavesIn(question, id) && view.edges(id, ["owns"], "in").length === 0)
    .map((node) => ({ node, edges: view.edges(node.id, ["depends_on", "affects", "modified", "caused_by"], "both", null) }))
    // a name that only the manifest holds has nobody to be owned by
    .filter(({ node, edges }) => node.spans.length + edges.length > 0 && !ownedInWords(view, node))
    .sort((a, b) => a.node.label.localeCompare(b.node.label));
  for (const { node, edges } of none.slice(0, MOST_LISTED))
    sheet.say(`No owner is recorded for ${node.label}.`, edges.length > 0 ? evidenceOf(edges, 1) : node.spans.slice(0, 1), 0, 0.8);
  if (none.length > 0) return;
  sheet.nothing("services without an owner");
  sheet.conclusive = true;
  const owned = [...view.graph.nodes("service")].flatMap(({ id, label }) => {
    const [edge] = view.edges(id, ["owns"], "in");
    return edge === undefined ? [] : [{ label, edge }];
  });
  const [one] = owned;
  if (one !== undefined)
    sheet.say(
      `No service without an owner is recorded; ${owned.length} have one, such as ${one.label}, which ${view.nameOf(one.edge.source)} owns.`,
      evidenceOf([one.edge], 1),
      0,
      0.75,
    );
}

function countOf({ view, question: { masked, window } }: Desk, asked: Counted, { id }: GraphNode): Count {
  const inWindow = (at: string | null): boolean => window === null || (at !== null && isWithin(at, window));
  const to = window?.to ?? instant(Date.parse(view.now) + 1000);
  switch (asked) {
    case "owned": {
      const owned = ownedBy(view, id);
      return { count: owned.length, names: owned.map(({ node }) => node.label), spans: evidenceOf(owned.map(({ edge }) => edge)) };
    }
    case "authored":
      return ofChanges(
        view,
        changesIn(view, null, window?.from ?? null, to).filter(({ node }) => node.attributes.author === id),
      );
    case "commits":
      return ofChanges(view, changesIn(view, [id], window?.from ?? null, to));
    case "dependents":
      return ofEdges(view.edges(id, ["depends_on"], "in"), ({ source }) => view.nameOf(source));
    case "dependencies":
      return ofEdges(view.edges(id, ["depends_on"], "out"), ({ target }) => view.nameOf(target));
    case "problems": {
      const lines = problemsOf(view, id, window?.from ?? null, to);
      return { count: lines.length, names: [], spans: lines.slice(0, 3).map(({ record }) => headSpan(record)) };
    }
    default: {
      const tickets = ticketsOf(view, id).filter(
        ({ incident, duplicateOf, state }) =>
          duplicateOf === null &&
          (asked === "tickets" || incident) &&
          (!asksOpen(masked) || state.open !== false) &&
          inWindow(state.opened),
      );
      return {
        count: tickets.length,
        names: tickets.map(({ node }) => view.name(node)),
        spans: tickets.slice(0, 3).flatMap(({ node }) => view.stateSpans(node).slice(0, 1)),
      };
    }
  }
}

function asksOpen(masked: string): boolean {
  return /\bopen\b|\bactive\b|\bongoing\b|\bright now\b|\bcurrently\b/.test(masked);
}

function ofEdges(edges: readonly GraphEdge[], name: (edge: GraphEdge) => string): Count {
  return { count: edges.length, names: edges.map(name), spans: evidenceOf(edges) };
}

function ofChanges(view: View, changes: readonly Change[]): Count {
  return {
    count: changes.length,
    names: changes.map(({ node }) => view.name(node)),
    spans: changes.slice(0, 3).flatMap((change) => commitSpans(view, change).slice(0, 1)),
  };
}
