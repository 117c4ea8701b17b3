import { z } from "zod";
import type { SearchFilter } from "../core/chunk.ts";
import type { GraphEdge, GraphNode } from "../core/graph.ts";
import type { ToolSpec } from "../core/llm.ts";
import type { Instant } from "../core/record.ts";
import {
  type Change,
  changesIn,
  type Dependency,
  type Deployment,
  type Direction,
  dependenciesOf,
  deploymentsIn,
  docsOf,
  type Incident,
  lastBefore,
  type Owner,
  openTickets,
  ownersOf,
  problemsOf,
  ticketsOf,
} from "./lookups.ts";
import { instant } from "./time.ts";
import {
  changeRow,
  define,
  incidentRow,
  MOST_ROWS,
  named,
  result,
  rows,
  sinceOr,
  type Tool,
  type ToolResult,
  timeOr,
  unknown,
} from "./tool.ts";
import { clip, headSpan, type LogLine, messageOf } from "./view.ts";

/** The six tools, as plain functions: for the planner, for a model, for MCP. */

const service = z.string().min(1).max(200).describe("Name, alias or id of a service.");
const at = z.string().max(60).nullable().describe("ISO 8601 instant or date; null: now.");

interface FoundOwners {
  readonly service: GraphNode;
  readonly owners: readonly Owner[];
  readonly former: readonly Owner[];
}

export const findOwner = define({
  name: "find_owner",
  description: "Who owns a service, engineers and teams, now or at a time, with former owners.",
  schema: z.strictObject({ service, at }),
  async run(args, { view }): Promise<ToolResult<FoundOwners>> {
    const node = named(view, args.service);
    if (!("id" in node)) return unknown(node);
    const time = timeOr(args.at, view.now);
    const owners = ownersOf(view, node.id, time);
    const former = ownersOf(view, node.id, null).filter(({ edge }) => !owners.some((owner) => owner.edge.id === edge.id));
    const edges = [...owners, ...former].map(({ edge }) => edge);
    return result({ service: node, owners, former }, owners.length, edges, {
      service: node.label,
      at: time,
      owners: rows(owners, (owner) => ({
        name: view.name(owner.node),
        kind: owner.node.kind,
        since: owner.edge.validFrom,
        edge: owner.edge.id,
      })),
      former: rows(former, (owner) => ({
        name: view.name(owner.node),
        from: owner.edge.validFrom,
        until: owner.edge.validTo,
        edge: owner.edge.id,
      })),
    });
  },
});

interface FoundChanges {
  readonly services: readonly GraphNode[];
  readonly from: Instant | null;
  readonly to: Instant;
  readonly changes: readonly Change[];
  readonly deployments: readonly Deployment[];
  /** The newest change before the window, when nothing is in it. */
  readonly before: Change | null;
}

export const getRecentChanges = define({
  name: "get_recent_changes",
  description:
    "Commits and deployments of a window, newest first, of one service or of all. Say includeDependencies to see what it depends on as well.",
  schema: z.strictObject({
    service: service.nullable().describe("Name, alias or id of a service; null: all."),
    since: z.string().max(60).nullable().describe('ISO 8601 instant, or hours as "48h"; null: 48 hours before `until`.'),
    until: at,
    includeDependencies: z.boolean().nullable(),
  }),
  everything: ({ service: name, since }) => name === null && since === "",
  async run(args, { view }): Promise<ToolResult<FoundChanges>> {
    const services: GraphNode[] = [];
    if (args.service !== null) {
      const node = named(view, args.service);
      if (!("id" in node)) return unknown(node);
      services.push(node);
      if (args.includeDependencies === true)
        services.push(...dependenciesOf(view, node.id, "downstream", 1).map((dependency) => dependency.node));
    }
    const to = timeOr(args.until, view.now);
    const from = args.since === "" ? null : sinceOr(args.since, to);
    const ids = services.length === 0 ? null : services.map(({ id }) => id);
    const inclusive = to === view.now ? instant(Date.parse(to) + 1000) : to;
    const changes = changesIn(view, ids, from, inclusive);
    const deployments = deploymentsIn(view, ids, from, inclusive);
    const before = changes.length > 0 || from === null ? null : lastBefore(view, ids, from);
    const edges = changes.slice(0, MOST_ROWS).flatMap((change) => change.edges);
    const spans = changes.slice(0, MOST_ROWS).flatMap((change) => view.spansOf(change.node));
    return result(
      { services, from, to, changes, deployments, before },
      changes.length + deployments.length,
      edges,
      {
        from,
        to,
        commits: rows(changes, (change) => changeRow(view, change)),
        deployments: rows(deployments, ({ log, rollback, revision, service: of }) => ({
          at: log.at,
          service: of && view.nameOf(of),
          revision,
          rollback,
          record: log.record.id,
        })),
        ...(before === null ? {} : { newestBefore: changeRow(view, before) }),
      },
      [...spans, ...deployments.slice(0, MOST_ROWS).map(({ log }) => headSpan(log.record))],
    );
  },
});

export interface FoundIncidents {
  readonly service: GraphNode | null;
  readonly at: Instant;
  readonly open: readonly Incident[];
  /** Tickets of the service that were closed by then, newest first. */
  readonly closed: readonly Incident[];
}

export const getActiveIncidents = define({
  name: "get_active_incidents",
  description: "Open tickets at a time, incidents and grave ones first, of one service or of all.",
  schema: z.strictObject({ service: service.nullable().describe("Name, alias or id of a service; null: all."), at }),
  everything: ({ service: name }) => name === null,
  async run(args, { view }) {
    let node: GraphNode | null = null;
    if (args.service !== null) {
      const found = named(view, args.service);
      if (!("id" in found)) return unknown(found);
      node = found;
    }
    const time = timeOr(args.at, view.now);
    const all = ticketsOf(view, node?.id ?? null, time);
    const open = all.filter(({ state }) => state.open !== false);
    const closed = all
      .filter(({ state }) => state.open === false)
      .sort((a, b) => (b.state.resolved ?? "").localeCompare(a.state.resolved ?? ""));
    return result(
      { service: node, at: time, open, closed },
      open.length,
      open.slice(0, MOST_ROWS).flatMap(({ affects }) => affects),
      { service: node?.label ?? null, at: time, open: rows(open, (incident) => incidentRow(view, incident)), closed: closed.length },
      open.slice(0, MOST_ROWS).flatMap((incident) => view.stateSpans(incident.node)),
    );
  },
});

interface FoundDependencies {
  readonly service: GraphNode;
  readonly direction: Direction;
  readonly dependencies: readonly Dependency[];
  /** Former ones that no longer hold. */
  readonly ended: readonly GraphEdge[];
}

export const getDependencies = define({
  name: "get_dependencies",
  description: "What a service depends on (downstream) or what depends on it (upstream), up to 2 hops.",
  schema: z.strictObject({
    service,
    direction: z.enum(["downstream", "upstream"]).describe("downstream: what it needs; upstream: who needs it."),
    hops: z.int().min(1).max(2).nullable(),
    at,
  }),
  async run(args, { view }): Promise<ToolResult<FoundDependencies>> {
    const node = named(view, args.service);
    if (!("id" in node)) return unknown(node);
    const time = timeOr(args.at, view.now);
    const dependencies = dependenciesOf(view, node.id, args.direction, args.hops ?? 1, time);
    const ended = view
      .edges(node.id, ["depends_on"], args.direction === "downstream" ? "out" : "in", null)
      .filter((edge) => edge.validTo !== null && edge.validTo <= time);
    return result(
      { service: node, direction: args.direction, dependencies, ended },
      dependencies.length,
      dependencies.map(({ edge }) => edge),
      {
        service: node.label,
        direction: args.direction,
        at: time,
        services: rows(dependencies, (dependency) => ({ name: dependency.node.label, hop: dependency.hop, edge: dependency.edge.id }), 40),
        ended: rows(ended, (edge) => ({ edge: edge.id, until: edge.validTo })),
      },
    );
  },
});

export interface ServiceContext {
  readonly service: GraphNode;
  readonly owners: readonly Owner[];
  readonly open: readonly Incident[];
  readonly changes: readonly Change[];
  readonly downstream: readonly Dependency[];
  readonly upstream: readonly Dependency[];
  readonly problems: readonly LogLine[];
  readonly docs: readonly GraphNode[];
}

export const getServiceContext = define({
  name: "get_service_context",
  description:
    "All that matters of one service at once: owners, open tickets, last commits, dependencies both ways, warnings and errors, pages.",
  schema: z.strictObject({ service, hops: z.int().min(1).max(2).nullable() }),
  async run(args, { view }) {
    const node = named(view, args.service);
    if (!("id" in node)) return unknown(node);
    const hops = args.hops ?? 2;
    const value: ServiceContext = {
      service: node,
      owners: ownersOf(view, node.id),
      open: openTickets(view, node.id),
      changes: changesIn(view, [node.id], null, instant(Date.parse(view.now) + 1000)).slice(0, 10),
      downstream: dependenciesOf(view, node.id, "downstream", hops),
      upstream: dependenciesOf(view, node.id, "upstream", hops),
      problems: problemsOf(view, node.id, null, instant(Date.parse(view.now) + 1000)),
      docs: docsOf(view, node),
    };
    const { owners, open, changes, downstream, upstream, problems, docs } = value;
    const edges = [...owners.map(({ edge }) => edge), ...open.flatMap(({ affects }) => affects), ...downstream.map(({ edge }) => edge)];
    return result(
      value,
      owners.length + open.length + changes.length + downstream.length + upstream.length + problems.length,
      edges,
      {
        service: node.label,
        owners: rows(owners, (owner) => view.name(owner.node)),
        openTickets: rows(open, (incident) => incidentRow(view, incident)),
        lastCommits: rows(changes, (change) => changeRow(view, change), 5),
        dependsOn: rows(downstream, (dependency) => ({ name: dependency.node.label, hop: dependency.hop }), 30),
        usedBy: rows(upstream, (dependency) => ({ name: dependency.node.label, hop: dependency.hop }), 30),
        problems: rows(
          [...problems].reverse(),
          (log) => ({ at: log.at, level: log.level, message: clip(messageOf(log.record), 160), record: log.record.id }),
          6,
        ),
        pages: docs.map((doc) => doc.label),
      },
      [
        ...open.slice(0, 6).flatMap((incident) => view.stateSpans(incident.node)),
        ...changes.slice(0, 5).flatMap((change) => view.spansOf(change.node)),
        ...problems.slice(-6).map((log) => headSpan(log.record)),
      ],
    );
  },
});

export const semanticSearch = define({
  name: "semantic_search",
  description: "Passages of records and documents nearest in words and meaning to a query. For anything that the other tools do not hold.",
  schema: z.strictObject({
    query: z.string().min(1).max(1000),
    k: z.int().min(1).max(10).nullable(),
    kinds: z
      .array(z.enum(["ticket", "commit", "pull", "issue", "page", "log", "file"]))
      .max(7)
      .nullable(),
    since: at,
  }),
  async run(args, { search, signal }) {
    const filter: SearchFilter = {
      ...(args.kinds === null || args.kinds.length === 0 ? {} : { kinds: args.kinds }),
      ...(args.since === null ? {} : { since: args.since }),
    };
    const found = await search(args.query, { k: args.k ?? 5, filter, rerank: false }, signal);
    return {
      value: found,
      found: found.passages.length,
      summary: {
        passages: found.passages.map(({ chunk }) => ({ chunk: chunk.id, title: chunk.title, text: clip(chunk.text, 600) })),
        ...(found.missing.length === 0 ? {} : { inNoSource: found.missing }),
      },
      spans: [],
      edges: [],
      passages: found.passages,
    };
  },
});

export const tools = [
  semanticSearch,
  getServiceContext,
  findOwner,
  getRecentChanges,
  getActiveIncidents,
  getDependencies,
] as const satisfies readonly Tool[];

/** The tools as a model is told of them: strict JSON Schema, every property required, null where it may be left open. */
export function toolSpecs(): readonly ToolSpec[] {
  return tools.map(({ name, description, schema }) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(schema, { target: "draft-7" }) as Record<string, unknown>;
    return { name, description, parameters };
  });
}

/** Arguments as a caller sent them: what is left out counts as null; then checked. */
export function parseArguments(tool: Tool, value: unknown): z.ZodSafeParseResult<Record<string, unknown>> {
  const given = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const filled = Object.fromEntries(Object.keys(tool.schema.shape).map((name) => [name, null]));
  return tool.schema.safeParse({ ...filled, ...given });
}
