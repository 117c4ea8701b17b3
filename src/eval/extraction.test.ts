import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { sharedPath } from "../../test/support/shared.ts";
import type { Log } from "../core/connector.ts";
import { edgeKinds } from "../core/fact.ts";
import { extraction } from "./extraction.ts";
import { aliasTests, buildOf, estimate, measure, replay, tiersOf } from "./extraction-measure.ts";
import { runStub } from "./extraction-models.ts";
import { readWorld, type World } from "./ground-truth.ts";
import { renamed } from "./renamed-world.ts";
import { readSince } from "./since.ts";

const quiet = (): void => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const signal = new AbortController().signal;

function folderOf(name: string, t: TestContext): string | null {
  const folder = sharedPath("data", name);
  if (folder === null && process.env.CI !== "true") t.skip("shared data is absent");
  else assert.ok(folder !== null, "shared data must be there in CI");
  return folder;
}

function assertGood(world: World, least: number): void {
  for (const hints of [world.hints, { aliases: {}, sourcePaths: {} }]) {
    const measured = measure(world, buildOf(world, hints));
    const wrong = measured.lines.filter((line) => !line.startsWith("missed"));
    for (const kind of edgeKinds) {
      assert.ok(measured.edges[kind].precision >= 0.95, `${kind}: ${wrong.join("\n")}`);
      assert.ok(measured.edges[kind].recall >= least, `${kind}: ${measured.lines.join("\n")}`);
    }
    assert.deepEqual(measured.drawnNonEdges, []);
    assert.ok(measured.tiers[1] / world.records.length >= 0.7, `tier 1 reads ${measured.tiers[1]} of ${world.records.length}`);
  }
}

describe("tier 1 on the sample worlds", () => {
  it("reads the eighteen records right and cheaply", async (t) => {
    const folder = folderOf("tiny-18", t);
    if (folder === null) return;

    const world = await readWorld(folder, log, signal);

    assertGood(world, 0.6);
    assert.ok(estimate(tiersOf(buildOf(world, world.hints).extractions.values())) <= 0.01);
  });

  it("reads the big world with high precision and recall, with and without the user's aliases", async (t) => {
    const folder = folderOf("world-otel-demo", t);
    if (folder === null) return;

    const world = await readWorld(folder, log, signal);

    assertGood(world, 0.9);
    assert.deepEqual(aliasTests(world, buildOf(world, world.hints)), []);
  });

  it("knows nobody by name: with all services, people and tickets renamed the figures stay within 0.02", async (t) => {
    const folder = folderOf("world-otel-demo", t);
    if (folder === null) return;
    const world = await readWorld(folder, log, signal);
    const before = measure(world, buildOf(world, world.hints));

    for (const seed of [1]) {
      const other = renamed(world, seed);
      const after = measure(other, buildOf(other, other.hints));

      for (const kind of edgeKinds) {
        assert.ok(Math.abs(after.edges[kind].precision - before.edges[kind].precision) <= 0.02, `${kind} ${after.lines.join("\n")}`);
        assert.ok(Math.abs(after.edges[kind].recall - before.edges[kind].recall) <= 0.02, `${kind} ${after.lines.join("\n")}`);
      }
    }
  });

  it("follows later edits, moves and deletions, and ends in the graph of a clean build", async (t) => {
    const folder = folderOf("world-otel-demo", t);
    if (folder === null) return;
    const world = await readWorld(folder, log, signal);
    const build = buildOf(world, world.hints);

    const { wrong } = replay(build, await readSince(folder));

    assert.deepEqual(wrong, []);
    const clean = buildOf({ ...world, records: [...build.records.values()].reverse() }, world.hints);
    assert.deepEqual([...build.graph.edges()], [...clean.graph.edges()]);
    assert.deepEqual([...build.graph.nodes()], [...clean.graph.nodes()]);
  });

  it("reads only what a changed alias concerns, and ends in the graph of a clean build", async (t) => {
    const folder = folderOf("world-otel-demo", t);
    if (folder === null) return;
    const world = await readWorld(folder, log, signal);
    const build = buildOf(world, world.hints);
    const [service] = Object.keys(world.hints.aliases);
    assert.ok(service !== undefined);
    const fewer = {
      ...world.hints,
      aliases: { ...world.hints.aliases, [service]: [] },
      sourcePaths: { ...world.hints.sourcePaths, [service]: [] },
    };

    const step = build.update([], [], fewer);

    assert.ok(step.renamed < world.records.length);
    const clean = buildOf(world, fewer);
    assert.equal(build.names.hash, clean.names.hash);
    assert.deepEqual([...build.graph.edges()], [...clean.graph.edges()]);
  });

  it("reports all of it as figures", async (t) => {
    const folder = folderOf("tiny-18", t);
    if (folder === null) return;

    const result = await extraction.run({ path: folder, complete: null, cacheDir: "", log, signal, progress: quiet });

    assert.equal(result.figures.records, 18);
    assert.equal(result.figures.costUsd, 0);
    assert.deepEqual(result.figures.tiers, { 1: 14, 2: 2, 3: 2 });
  });
});

describe("tier 1 on a world composed before it was read", () => {
  it("reads common words as services, folders named unlike them, fields in the text and logins without names", async () => {
    const folder = fileURLToPath(new URL("../../test/worlds/arena", import.meta.url));
    const world = await readWorld(folder, log, signal);

    const { overall, entities, drawnNonEdges, lines } = measure(world, buildOf(world, world.hints));

    assert.deepEqual(lines, []);
    assert.deepEqual(drawnNonEdges, []);
    assert.deepEqual([overall.precision, overall.recall], [1, 1]);
    for (const [kind, { precision, recall }] of Object.entries(entities)) assert.deepEqual([kind, precision, recall], [kind, 1, 1]);
  });
});

describe("tier 1 on worlds of payloads, composed before they were read", () => {
  for (const [name, statements] of [
    ["vineyard", 51],
    ["presshouse", 63],
  ] as const) {
    it(`reads nearly all that ${name} states, and next to nothing else`, async () => {
      const folder = fileURLToPath(new URL(`../../test/worlds/${name}`, import.meta.url));
      const world = await readWorld(folder, log, signal);
      const build = buildOf(world, world.hints);

      const { overall, drawnNonEdges, lines } = measure(world, build);
      const commit = (id: string): string => (id.startsWith("commit:") ? (build.graph.node(id as `commit:${string}`)?.id ?? id) : id);
      const read = world.edges.flatMap((edge) => {
        const found = build.graph.edge(`${commit(edge.source)}|${edge.kind}|${commit(edge.target)}`);
        return edge.records.filter(
          ({ id, quote }) => quote !== undefined && found?.evidence.some(({ span }) => span.record === id) === true,
        );
      });

      assert.deepEqual(world.failures, []);
      assert.deepEqual(drawnNonEdges, []);
      assert.ok(overall.precision >= 0.98 && overall.recall >= 0.94, lines.join("\n"));
      assert.ok(read.length >= statements, `${read.length} statements read`);
    });
  }
});

describe("the model tiers over whole worlds, driven by a stub over HTTP", () => {
  const options = { log, signal, progress: quiet };

  it("are worth their price where the model reads well, and cost nothing the second time", async (t) => {
    const folder = folderOf("tiny-18", t);
    if (folder === null) return;

    const run = await runStub(await readWorld(folder, log, signal), "good", options);

    assert.deepEqual([run.measured.overall.precision, run.measured.overall.recall, run.alone.overall.recall], [1, 1, 1]);
    assert.ok(run.first.calls > 0 && run.first.costUsd > 0 && run.first.costUsd <= 0.01, `$${run.first.costUsd}`);
    assert.deepEqual(run.rebuild, { calls: 0, costUsd: 0, failed: 0 });
  });

  for (const manner of ["sloppy", "hostile"] as const) {
    it(`draw no false edges where the model is ${manner}, not even without the rules`, async (t) => {
      const folder = folderOf("tiny-18", t);
      if (folder === null) return;
      const small = ["parcels", "arena"].map((name) => fileURLToPath(new URL(`../../test/worlds/${name}`, import.meta.url)));

      for (const path of [folder, ...small]) {
        const run = await runStub(await readWorld(path, log, signal), manner, options);

        for (const { overall, drawnNonEdges, lines } of [run.measured, run.withoutAliases, run.alone]) {
          assert.ok(overall.precision >= 0.95, lines.filter((line) => !line.startsWith("missed")).join("\n"));
          assert.deepEqual(drawnNonEdges, []);
        }
        assert.equal(run.measured.overall.recall, 1);
        assert.equal(run.rebuild.calls, 0);
      }
    });
  }
});
