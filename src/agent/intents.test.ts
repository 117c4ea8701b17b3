import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { intentsOf } from "./intents.ts";

function intents(masked: string): readonly string[] {
  return intentsOf({ masked, services: [], tickets: [], commits: [], people: [], literals: [], ambiguous: [], window: null });
}

describe("what is asked for", () => {
  it("is for texts to say where an incident or a deployment only qualifies it", () => {
    for (const masked of ["what is the incident bridge number?", "where is the incident template?", "on which days do we deploy?"])
      assert.deepEqual(intents(masked), [], masked);
    for (const masked of ["what is the incident status?", "what is the open incident?", "which incident is open?"])
      assert.deepEqual(intents(masked), ["incidents"], masked);
    assert.deepEqual(intents("on which days did we deploy?"), ["changes"]);
  });
});
