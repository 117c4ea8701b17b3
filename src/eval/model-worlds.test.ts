import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { runStub } from "./extraction-models.ts";
import { readWorld } from "./ground-truth.ts";

const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const { signal } = new AbortController();

describe("model tiers on worlds whose prose the rules were not written for", () => {
  for (const [name, leastWithModel] of [
    ["waterworks", 0.85],
    ["airwaves", 0.8],
  ] as const) {
    it(`add much of what rules leave unread in ${name}, and a model in bad faith adds nothing wrong`, async () => {
      const folder = fileURLToPath(new URL(`../../test/worlds/${name}`, import.meta.url));
      const world = await readWorld(folder, log, signal);

      const good = await runStub(world, "good", { log, signal, progress: quiet });
      const hostile = await runStub(world, "hostile", { log, signal, progress: quiet });

      assert.deepEqual(world.failures, []);
      assert.ok(good.measured.overall.recall >= leastWithModel, `${good.measured.overall.recall}`);
      assert.ok(good.measured.overall.recall > hostile.measured.overall.recall + 0.1);
      for (const { measured, alone } of [good, hostile])
        assert.deepEqual([measured.overall.precision, alone.overall.precision, measured.drawnNonEdges], [1, 1, []]);
      assert.ok(good.first.costUsd < 0.02);
      assert.equal(good.rebuild.calls, 0);
    });
  }
});
