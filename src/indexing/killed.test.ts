import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { indexDeps, runIndex, snapshot } from "../../test/support/indexing.ts";
import { hints, pagedSource, world } from "../../test/support/killed-run.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { openStore } from "../store/open.ts";
import { loadGraph } from "./load.ts";
import { verifyIndex } from "./verify.ts";

const folder = mkdtempSync(join(tmpdir(), "contextd-killed-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const script = join(import.meta.dirname, "../../test/support/killed-run.ts");

function runToItsDeath(path: string, calls: number): Promise<{ readonly signal: string | null; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, path, String(calls)], (error, output) => resolve({ signal: error?.signal ?? null, output }));
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

      const { signal, output } = await runToItsDeath(path, calls);
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
});
