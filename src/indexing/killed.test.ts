import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { indexDeps, runIndex, snapshot } from "../../test/support/indexing.ts";
import { hints, pagedSource, world } from "../../test/support/killed-run.ts";
import { encoder, stagedDeps } from "../../test/support/killed-stage.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { openStore } from "../store/open.ts";
import { loadGraph } from "./load.ts";
import { verifyIndex } from "./verify.ts";

const folder = mkdtempSync(join(tmpdir(), "contextd-killed-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const support = join(import.meta.dirname, "../../test/support");

function runToItsDeath(script: string, ...args: readonly string[]): Promise<{ readonly signal: string | null; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(support, script), ...args], (error, output) => resolve({ signal: error?.signal ?? null, output }));
  });
}

describe("a run that is killed", () => {
  // spread over the whole run: first page, pages with edits, sweep, fold, reading again
  for (const calls of [1, 17, 29, 41, 50]) {
    it(`at its call ${calls} of a rule is taken up by the next one, which ends where a clean run ends`, async () => {
      const path = join(folder, `${calls}.db`);
      {
        using store = openStore(path);
        await runIndex(indexDeps(store, [pagedSource(world("before"))], { hints: hints.before }));
      }

      const { signal, output } = await runToItsDeath("killed-run.ts", path, String(calls));
      assert.equal(signal, "SIGKILL", output);

      using store = openStore(path);
      const graph = new KnowledgeGraph();
      const deps = indexDeps(store, [pagedSource(world("after"))], { hints: hints.after, graph });
      loadGraph(deps);
      const { report } = await runIndex(deps);

      using cleanStore = openStore(":memory:");
      const clean = indexDeps(cleanStore, [pagedSource(world("after"))], { hints: hints.after });
      await runIndex(clean);
      assert.deepEqual(snapshot(store, graph), snapshot(cleanStore, clean.graph));
      assert.deepEqual(report.failures, []);
      assert.deepEqual(
        store.runs.list(10).map(({ status }) => status),
        ["done", "failed", "done"],
      );
      const verify = verifyIndex({ ...deps, newGraph: () => new KnowledgeGraph() }, { deep: true, signal: new AbortController().signal });
      assert.deepEqual((await verify.next()).value, []);
    });
  }

  const moments = [
    ["pull", 1],
    ["pull", 3],
    ["extract", 1],
    ["extract", 3],
    ["embedding", 1],
    ["embed", 1],
    ["embedding", 3],
    ["optimise", 1],
    ["optimise", 2],
  ] as const;
  for (const [stage, batch] of moments) {
    it(`in ${stage}, at its batch ${batch}, loses and doubles nothing`, async () => {
      const name = `${stage}-${batch}`;
      const path = join(folder, `${name}.db`);

      const { signal, output } = await runToItsDeath("killed-stage.ts", path, join(folder, name), stage, String(batch));
      assert.equal(signal, "SIGKILL", output);

      using store = openStore(path);
      const embedded = store.vectors.count("lengths");
      let batches = 0;
      const counting = encoder(() => {
        batches += 1;
      });
      const deps = stagedDeps(store, join(folder, name), counting);
      loadGraph(deps);
      const { report } = await runIndex(deps);
      using cleanStore = openStore(":memory:");
      const clean = stagedDeps(cleanStore, join(folder, `${name}-clean`));
      await runIndex(clean);
      assert.deepEqual(snapshot(store, deps.graph), snapshot(cleanStore, clean.graph));
      assert.deepEqual([...store.vectors.all("lengths")], [...cleanStore.vectors.all("lengths")]);
      assert.deepEqual(readdirSync(join(folder, name)).sort(), readdirSync(join(folder, `${name}-clean`)).sort());
      assert.deepEqual([report.failures, store.records.count()], [[], 120]);
      // what was embedded before is not embedded again
      assert.equal(batches, Math.ceil((120 - embedded) / 32));
      const verify = verifyIndex({ ...deps, newGraph: () => new KnowledgeGraph() }, { deep: true, signal: new AbortController().signal });
      let step = await verify.next();
      while (step.done !== true) step = await verify.next();
      assert.deepEqual(step.value, []);
    });
  }
});
