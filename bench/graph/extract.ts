/**
 * Records a second through tier 1, by kind of record. `node bench/graph/extract.ts FOLDER` takes a world folder
 * (manifest-fragment.json, payloads); CPU time is measured beside wall time, since other work may share the cores.
 */

import { readWorld } from "../../src/eval/ground-truth.ts";
import { createTier1 } from "../../src/extract/tier1.ts";

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: extract.ts FOLDER");
const quiet = (): void => undefined;
const world = await readWorld(folder, { debug: quiet, info: quiet, warn: quiet, error: quiet }, new AbortController().signal);
const tier1 = createTier1();
const names = tier1.names(
  world.records.flatMap((record) => tier1.declare(record)),
  world.hints,
);
const kinds = [...new Set(world.records.map((record) => record.kind)), "all" as const];
for (const kind of kinds) {
  const records = world.records.filter((record) => kind === "all" || record.kind === kind);
  const characters = records.reduce((sum, record) => sum + record.body.length, 0);
  for (let round = 0; round < 3; round += 1) for (const record of records) tier1.extract(record, names);
  const cpu = process.cpuUsage();
  const started = performance.now();
  let rounds = 0;
  while (performance.now() - started < 1500) {
    for (const record of records) tier1.extract(record, names);
    rounds += 1;
  }
  const wall = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  const busy = (used.user + used.system) / 1_000_000;
  const total = records.length * rounds;
  console.log(
    `${kind}: ${records.length} records of ${Math.round(characters / records.length)} characters · ${Math.round(total / busy).toLocaleString("en")} records a CPU second (${Math.round(total / wall).toLocaleString("en")} by the clock) · ${((characters * rounds) / busy / 1e6).toFixed(1)} MB a CPU second`,
  );
}
