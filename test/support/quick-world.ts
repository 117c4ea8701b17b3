import { fileURLToPath } from "node:url";
import { type AgentDeps, createAgent } from "../../src/agent/gather.ts";
import type { Gather } from "../../src/core/answer.ts";
import { silent } from "../../src/core/connector.ts";
import { type AgentWorld, agentWorld } from "../../src/eval/agent-world.ts";

/** The small world that the agent's own tests ask about, and when they ask. */
export const harbour = fileURLToPath(new URL("../worlds/harbour", import.meta.url));
export const harbourNow = new Date("2027-02-18T22:15:00Z");

/** A world that is there in a moment: words only, no model. */
export function quickWorld(folder: string): Promise<AgentWorld> {
  const { signal } = new AbortController();
  return agentWorld(folder, { cacheDir: "", complete: null, vectors: false, log: silent, signal, progress() {} });
}

/** The agent over what a world holds, with its own parts where a test gives none. */
export function agentOver({ graph, store: { records, chunks }, search }: AgentWorld, more: Partial<AgentDeps> = {}): Gather {
  return createAgent({
    graph,
    generation: () => "1",
    records,
    chunks,
    search,
    quote: async () => [],
    coverage: () => [],
    clock: () => performance.now(),
    ...more,
  });
}
