import type { Toolbox } from "../core/app.ts";
import type { GraphEdge } from "../core/graph.ts";
import type { AgentDeps } from "./gather.ts";
import { logCache } from "./log-cache.ts";
import { instant } from "./time.ts";
import { runTool, type Tool, type ToolResult } from "./tool.ts";
import { parseArguments, toolSpecs, tools } from "./tools.ts";
import { clip, View } from "./view.ts";

/** Most places that a result shows. */
const MOST_EVIDENCE = 12;

/** The six tools for callers outside: each result with the places that show it, as chunk ids and quotes. */
export function createToolbox(deps: Pick<AgentDeps, "graph" | "generation" | "records" | "chunks" | "search" | "spans">): Toolbox {
  const logs = logCache(deps);
  return {
    specs: toolSpecs(),
    async call(name, args, now, signal) {
      const tool = (tools as readonly Tool[]).find((one) => one.name === name);
      if (tool === undefined)
        return { content: { error: `unknown tool; there are ${tools.map((one) => one.name).join(", ")}` }, isError: true };
      const parsed = parseArguments(tool, args);
      if (!parsed.success) {
        const issues = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
        return { content: { error: `malformed arguments: ${issues.join("; ")}` }, isError: true };
      }
      const view = new View(deps.graph, deps.records, deps.chunks, instant(now.getTime()), logs);
      const result = await runTool(tool, parsed.data, { view, search: deps.search, spans: deps.spans, signal });
      const evidence = evidenceIn(result, view);
      // a name that is unknown, or means several things, was not looked up
      return { content: { ...(result.summary as object), ...(evidence.length === 0 ? {} : { evidence }) }, isError: result.value === null };
    },
  };
}

interface Shown {
  readonly edge?: string;
  readonly record: string;
  readonly chunk: string | null;
  readonly quote: string;
}

function evidenceIn({ edges, spans }: ToolResult<unknown>, view: View): readonly Shown[] {
  const shown: Shown[] = [];
  const add = (span: { readonly record: string; readonly start: number; readonly end: number }, edge?: GraphEdge): void => {
    const record = view.records.get(span.record as `${string}:${string}`);
    if (record === null || shown.length >= MOST_EVIDENCE) return;
    const quote = clip(record.body.slice(span.start, span.end), 240);
    if (shown.some((one) => one.record === record.id && one.quote === quote)) return;
    shown.push({
      ...(edge === undefined ? {} : { edge: edge.id }),
      record: record.id,
      chunk: view.chunks.at(record.id, span.start, span.end)?.id ?? null,
      quote,
    });
  };
  for (const edge of edges) for (const { span } of edge.evidence.slice(0, 1)) add(span, edge);
  for (const span of spans) add(span);
  return shown;
}
