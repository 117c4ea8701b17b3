import type { Graph } from "../core/graph.ts";
import { type AgentRecords, type LogLine, readLogs } from "./view.ts";

/** Log lines, read once an index run. */
export function logCache(deps: { readonly graph: Graph; readonly records: AgentRecords; generation(): string }): () => readonly LogLine[] {
  let known: { readonly generation: string; readonly lines: readonly LogLine[] } | null = null;
  return () => {
    const generation = deps.generation();
    if (known?.generation !== generation) known = { generation, lines: readLogs(deps.graph, deps.records) };
    return known.lines;
  };
}
