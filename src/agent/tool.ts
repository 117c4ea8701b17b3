import type { z } from "zod";
import type { Passage, Search } from "../core/chunk.ts";
import type { NodeId } from "../core/fact.ts";
import type { GraphEdge, GraphNode } from "../core/graph.ts";
import type { Instant, Span } from "../core/record.ts";
import { noSpans, type Spans } from "../core/spans.ts";
import { HOUR } from "./dates.ts";
import type { Change, Incident } from "./lookups.ts";
import { instant, parseWindow } from "./time.ts";
import { clip, key, type View } from "./view.ts";

/** What every tool is made of: its shape, how a name becomes a service, how results are bounded. */

/** Most rows of one kind in a summary. */
export const MOST_ROWS = 12;
const DEFAULT_HOURS = 48;

export interface ToolContext {
  readonly view: View;
  readonly search: Search;
  /** Times calls for a trace; absent: none. */
  readonly spans?: Spans | undefined;
  readonly signal: AbortSignal;
}

/** A tool's result: typed for the planner, compact for a model, with the places that show it. */
export interface ToolResult<Value> {
  /** Null when the name asked for is unknown or ambiguous; `summary` then lists the nearest. */
  readonly value: Value | null;
  readonly found: number;
  /** What a model sees; most relevant first, bounded. */
  readonly summary: unknown;
  readonly spans: readonly Span[];
  readonly edges: readonly GraphEdge[];
  /** Passages that a search brought. */
  readonly passages: readonly Passage[];
}

export interface Tool<Shape extends z.ZodObject = z.ZodObject, Value = unknown> {
  readonly name: string;
  readonly description: string;
  readonly schema: Shape;
  /** Whether it looks through all nodes of a kind for these arguments, for which the graph has to be loaded whole. */
  everything?(args: z.infer<Shape>): boolean;
  run(args: z.infer<Shape>, context: ToolContext): Promise<ToolResult<Value>>;
}

export function define<Shape extends z.ZodObject, Value>(tool: Tool<Shape, Value>): Tool<Shape, Value> {
  return tool;
}

/** Runs a tool inside a span of its own. @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/#execute-tool-span */
export function runTool<Shape extends z.ZodObject, Value>(
  tool: Tool<Shape, Value>,
  args: z.infer<Shape>,
  context: ToolContext,
): Promise<ToolResult<Value>> {
  const { spans = noSpans } = context;
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool.name,
    "gen_ai.tool.type": "function",
    ...(spans.content ? { "gen_ai.tool.call.arguments": JSON.stringify(args) } : {}),
  };
  return spans.during(`execute_tool ${tool.name}`, { attributes }, async (span) => {
    if (tool.everything?.(args) === true) await context.view.graph.load?.(context.signal);
    const result = await tool.run(args, context);
    span.set({ "contextd.tool.found": result.found });
    return result;
  });
}

interface Unknown {
  readonly problem: "unknown" | "ambiguous";
  readonly name: string;
  readonly candidates: readonly GraphNode[];
}

/** The service that a name means; ids as the planner writes them, or anything a person would say. */
export function named(view: View, name: string): GraphNode | Unknown {
  const byId = name.startsWith("service:") ? view.graph.node(name as NodeId) : null;
  if (byId !== null) return byId;
  const resolution = view.graph.resolve(name, "service");
  if (resolution.type === "one") return resolution.node;
  if (resolution.type === "many") return { problem: "ambiguous", name, candidates: resolution.nodes };
  return { problem: "unknown", name, candidates: resolution.nearest };
}

export function unknown({ problem, name, candidates }: Unknown): ToolResult<never> {
  const nearest = candidates.slice(0, 5).map((node) => ({ id: node.id, name: node.label }));
  return {
    value: null,
    found: 0,
    summary: { error: `${problem} service`, name: clip(name, 80), nearest },
    spans: [],
    edges: [],
    passages: [],
  };
}

export function result<Value>(
  value: Value,
  found: number,
  edges: readonly GraphEdge[],
  summary: unknown,
  more: readonly Span[] = [],
): ToolResult<Value> {
  const spans = [...edges.flatMap(({ evidence }) => evidence.slice(0, 1).map(({ span }) => span)), ...more];
  return { value, found, summary, spans, edges, passages: [] };
}

/** The first rows, and how many more there are. */
export function rows<Item, Row>(items: readonly Item[], row: (item: Item) => Row, most = MOST_ROWS): readonly (Row | string)[] {
  const shown: (Row | string)[] = items.slice(0, most).map(row);
  if (items.length > most) shown.push(`${items.length - most} more`);
  return shown;
}

export function changeRow(view: View, { node, at: time, author, services }: Change): Record<string, unknown> {
  return { sha: key(node).slice(0, 12), at: time, author, subject: clip(node.label, 120), services: services.map((id) => view.nameOf(id)) };
}

export function incidentRow(view: View, { node, state, affects, incident, duplicateOf }: Incident): Record<string, unknown> {
  return {
    key: key(node),
    title: clip(node.label, 120),
    status: state.status,
    opened: state.opened,
    incident,
    affects: affects.map(({ target }) => view.nameOf(target)),
    ...(duplicateOf === null ? {} : { duplicateOf: view.nameOf(duplicateOf) }),
  };
}

export function timeOr(text: string | null | undefined, fallback: Instant): Instant {
  if (!text) return fallback;
  if (/^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text))) return instant(Date.parse(text));
  const window = parseWindow(text, new Date(fallback));
  return window === null ? fallback : (window.from ?? window.to);
}

export function sinceOr(text: string | null | undefined, until: Instant): Instant {
  const hours = /^(\d{1,4})\s*h(?:ours?)?$/i.exec(text?.trim() ?? "")?.[1];
  if (hours !== undefined) return instant(Date.parse(until) - Number(hours) * HOUR);
  return timeOr(text, instant(Date.parse(until) - DEFAULT_HOURS * HOUR));
}
