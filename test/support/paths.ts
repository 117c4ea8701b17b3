import assert from "node:assert/strict";
import { type End, isEnd, next, noRetries, type Retries, type StageName } from "../../src/answer/diagram.ts";

export interface Path {
  readonly steps: readonly (readonly [StageName, boolean])[];
  readonly end: End;
  readonly retries: Retries;
}

/** Every way that a question can take through the table of stages. */
export function everyPath(at: StageName = "guard", retries = noRetries, steps: Path["steps"] = []): Path[] {
  assert.ok(steps.length < 60, "a path does not end");
  return [true, false].flatMap((ok) => {
    const hop = next(at, ok, retries);
    const taken = [...steps, [at, ok] as const];
    return isEnd(hop.to) ? [{ steps: taken, end: hop.to, retries: hop.retries }] : everyPath(hop.to, hop.retries, taken);
  });
}
