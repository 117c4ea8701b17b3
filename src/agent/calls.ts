import type { z } from "zod";
import type { ToolCall } from "../core/answer.ts";
import type { Passage } from "../core/chunk.ts";
import type { Tool, ToolContext, ToolResult } from "./tools.ts";

/** Most tool calls of one question; a repeated one counts, too. */
export const MOST_CALLS = 7;

/** Runs tools for one question: counts every call, answers repeats from memory, stops at the cap. */
export class Calls {
  readonly #context: ToolContext;
  readonly #clock: () => number;
  readonly #memory = new Map<string, Promise<ToolResult<unknown>>>();
  readonly made: ToolCall[] = [];
  readonly passages: Passage[] = [];
  /** Calls that the cap kept from being made. */
  refused = 0;
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
    const memo = `${tool.name} ${canonical(args)}`;
    const known = this.#memory.get(memo) as Promise<ToolResult<Value>> | undefined;
    const call: ToolCall = { tool: tool.name, arguments: args, ms: 0, found: 0 };
    this.made.push(call);
    const running = known ?? tool.run(args, this.#context);
    if (known === undefined) this.#memory.set(memo, running);
    const result = await running;
    Object.assign(call, { ms: Math.max(0, this.#clock() - started), found: result.found });
    if (known === undefined) this.passages.push(...result.passages);
    return result;
  }

  /** Calls made since the last time, for the stream of events. */
  fresh(): readonly ToolCall[] {
    const calls = this.made.slice(this.#shown);
    this.#shown = this.made.length;
    return calls;
  }
}

/** Arguments as a key: names in order, case and white space folded, so that near repeats are repeats. */
export function canonical(args: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(args)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, typeof value === "string" ? value.trim().toLowerCase().replace(/\s+/g, " ") : value] as const)
    .sort(([a], [b]) => a.localeCompare(b));
  return JSON.stringify(entries);
}
