/**
 * Indexing folders of documents: `npm run bench -- ingest [small files] [scanned files] [MB of varied documents] [kills: 1 or 0]`.
 * The product itself with static-256, each run in a process of its own. Small files are indexed, looked at again with
 * nothing changed, then moved and looked at again; runs are killed in each stage and taken up; a great many files are
 * scanned and put into the manifest alone.
 * Target: peak memory of the ingester at most 500 MB, flat in the number of files; nothing lost or doubled by a kill.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedPath } from "../test/support/shared.ts";
import { contentsOf } from "./ingest/contents.ts";
import { existing, writeEmptyFiles, writeSmallFiles, writeVariants } from "./ingest/files.ts";
import type { Ingested } from "./ingest/measured.ts";

const [small = 20_000, scanned = 200_000, megabytes = 50, kills = 1] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(process.env.INGEST_FOLDER ?? tmpdir(), "contextd-bench-"));
/** Where runs are killed, one after the other on one store: at the nth batch that a stage shows. */
const deaths = ["pull:1", "pull:1500", "extract:1", "extract:20", "optimise:1", "embed:1", "embed:10"];

interface Place {
  readonly manifest: string;
  readonly dataDir: string;
  readonly files: string;
}

async function place(name: string): Promise<Place> {
  const root = join(folder, name);
  const files = join(root, "files");
  await mkdir(files, { recursive: true });
  const manifest = join(root, "manifest.json");
  const models = { embedding: "static-256", reranker: "none" };
  await writeFile(manifest, JSON.stringify({ name, sources: [{ kind: "documents", path: "files" }], models }));
  return { manifest, dataDir: join(root, "data"), files };
}

/** One run of a script beside this one; null when it was killed. */
async function run(script: string, ...args: readonly string[]): Promise<Ingested | null> {
  const profile = process.env.INGEST_PROFILE === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${process.env.INGEST_PROFILE}`];
  // as bin/contextd.mjs starts it
  const child = spawn(process.execPath, ["--max-semi-space-size=16", ...profile, join(import.meta.dirname, "ingest", script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return null;
  if (code !== 0) throw new Error(`the run ended with ${code}`);
  return JSON.parse(out) as Ingested;
}

const ingest = ({ manifest, dataDir }: Place, killAt = ""): Promise<Ingested | null> => run("run.ts", manifest, dataDir, killAt);

function report(name: string, done: Ingested | null): void {
  if (done === null) throw new Error(`${name}: was killed`);
  const { records, chunks, failures, seconds, cpuSeconds, startMb, peakMb, rssMb, stages } = done;
  const files = records.seen ?? 0;
  console.log(
    `${name}: ${files} files in ${seconds.toFixed(1)} s = ${Math.round(files / seconds)} files/s; processor ${cpuSeconds.toFixed(1)} s = ${Math.round(files / cpuSeconds)} files/s`,
  );
  console.log(`  ${JSON.stringify(records)} chunks ${JSON.stringify(chunks)} failures ${failures}`);
  console.log(
    `  RSS at start ${startMb.toFixed(0)} MB, peak ${peakMb.toFixed(0)} MB, the most until each tenth of the time ${rssMb.join(" ")}`,
  );
  console.log(
    `  ${Object.entries(stages)
      .map(([stage, took]) => `${stage} ${took.toFixed(1)} s`)
      .join(", ")}`,
  );
}

try {
  if (small > 0) {
    const many = await place("small");
    writeSmallFiles(many.files, small);
    report("small files, first time", await ingest(many));
    const whole = contentsOf(many.dataDir);
    report("small files, nothing changed", await ingest(many));
    renameSync(join(many.files, "d0"), join(many.files, "moved"));
    report("a folder of them moved", await ingest(many));
    renameSync(join(many.files, "moved"), join(many.files, "d0"));
    if (kills > 0) {
      await rm(many.dataDir, { recursive: true });
      for (const at of deaths) console.log(`  ${at}: ${(await ingest(many, at)) === null ? "killed" : "ended before it was killed"}`);
      report(`taken up after ${deaths.length} kills`, await ingest(many));
      const resumed = contentsOf(many.dataDir);
      const isSame = JSON.stringify(resumed) === JSON.stringify(whole);
      console.log(`  ${isSame ? "the same as without kills" : "DIFFERS"}: ${JSON.stringify(resumed)} ${JSON.stringify(whole)}`);
    }
    await rm(join(folder, "small"), { recursive: true });
  }

  const samples = existing(sharedPath("data", "documents"));
  if (samples !== null && megabytes > 0) {
    const varied = await place("varied");
    const files = writeVariants(samples, varied.files, megabytes * 1e6);
    console.log(`${files} varied documents, ${megabytes} MB`);
    report("varied documents", await ingest(varied));
    report("varied documents, nothing changed", await ingest(varied));
    await rm(join(folder, "varied"), { recursive: true });
  }

  if (scanned > 0) {
    const wide = await place("wide");
    writeEmptyFiles(wide.files, scanned);
    report("scan and manifest alone", await run("manifest.ts", wide.files, wide.dataDir));
    report("scan and manifest alone, nothing changed", await run("manifest.ts", wide.files, wide.dataDir));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
