import type { z } from "zod";
import type { ToolCall } from "../core/answer.ts";
import type { Passage } from "../core/chunk.ts";
import { runTool, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** Most tool calls of one question; a repeated one counts, too. */
export const MOST_CALLS = 7;
/** Numbers that differ by less ask for nearly the same: 48 hours and 49, 5 results and 6. */
const NEAR_SHARE = 0.15;
const NEAR_COUNT = 1;

type Arguments = Readonly<Record<string, unknown>>;

/** Runs tools for one question: counts every call, answers repeats and near repeats from memory, stops at the cap. */
export class Calls {
  readonly #context: ToolContext;
  readonly #clock: () => number;
  readonly #memory: { readonly tool: string; readonly args: Arguments; readonly result: Promise<ToolResult<unknown>> }[] = [];
  readonly made: ToolCall[] = [];
  readonly passages: Passage[] = [];
  /** Calls that the cap kept from being made. */
  refused = 0;
  /** Calls that were answered from memory. */
  repeats = 0;
  #shown = 0;

  constructor(context: ToolContext, clock: () => number) {
    this.#context = context;
    this.#clock = clock;
  }

  /** Null when the cap is reached. */
  async run<Shape extends z.ZodObject, Value>(tool: Tool<Shape, Value>, args: z.infer<Shape>): Promise<ToolResult<Value> | null> {
    this.#context.signal.throwIfAborted();
    if (this.made.length >= MOST_CALLS) {
      this.refused += 1;
      return null;
    }
    const started = this.#clock();
    const known = this.#memory.find((one) => one.tool === tool.name && nearlyEqual(one.args, args))?.result as
      | Promise<ToolResult<Value>>
      | undefined;
    const call: ToolCall = { tool: tool.name, arguments: args, ms: 0, found: 0 };
    this.made.push(call);
    if (known !== undefined) this.repeats += 1;
    const running = known ?? runTool(tool, args, this.#context);
    if (known === undefined) this.#memory.push({ tool: tool.name, args, result: running });
    const result = await running;
    Object.assign(call, { ms: Math.max(0, this.#clock() - started), found: result.found });
    if (known === undefined) this.passages.push(...result.passages);
    return result;
  }

  /** Waits until the graph is loaded, for who looks through all of its nodes. */
  async loadAll(): Promise<void> {
    await this.#context.view.graph.load?.(this.#context.signal);
  }

  /** Counts a call that could not be run: an unknown tool, malformed arguments. False when the cap is reached. */
  wasted(name: string): boolean {
    if (this.made.length >= MOST_CALLS) {
      this.refused += 1;
      return false;
    }
    this.made.push({ tool: name.slice(0, 60), arguments: {}, ms: 0, found: 0 });
    return true;
  }

  /** Calls made since the last time, for the stream of events. */
  fresh(): readonly ToolCall[] {
    const calls = this.made.slice(this.#shown);
    this.#shown = this.made.length;
    return calls;
  }
}

/** Whether two calls of one tool ask for the same: left-out arguments are null, case and white space fold, numbers may be near. */
export function nearlyEqual(a: Arguments, b: Arguments): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => sameValue(a[name] ?? null, b[name] ?? null));
}

function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number")
    return a === b || (Math.abs(a - b) <= Math.max(NEAR_COUNT, NEAR_SHARE * Math.max(a, b)) && a > 2 && b > 2);
  if (typeof a === "string" && typeof b === "string") {
    const hours = [a, b].map((text) => /^(\d{1,4})\s*h(?:ours?)?$/i.exec(text.trim())?.[1]);
    if (hours[0] !== undefined && hours[1] !== undefined) return sameValue(Number(hours[0]), Number(hours[1]));
    return folded(a) === folded(b);
  }
  return JSON.stringify(a) === JSON.stringify(b);
}

function folded(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^service:/, "")
    .replace(/\s+/g, " ");
}
