/**
 * Indexing folders of documents: `npm run bench -- ingest [small files] [scanned files] [MB of varied documents] [kills]`.
 * The product itself with static-256, each run in a process of its own. Small files are indexed, looked at again with
 * nothing changed, then moved and looked at again; runs are killed and taken up; a great many files are scanned alone.
 * Target: peak memory of the ingester at most 500 MB, flat in the number of files; nothing lost or doubled by a kill.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { walk } from "../src/connectors/documents/walk.ts";
import { openStore } from "../src/store/open.ts";
import { sharedPath } from "../test/support/shared.ts";
import { existing, writeEmptyFiles, writeSmallFiles, writeVariants } from "./ingest/files.ts";
import type { Ingested } from "./ingest/run.ts";

const [small = 20_000, scanned = 200_000, megabytes = 50, kills = 5] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), "contextd-bench-"));

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
  await writeFile(
    manifest,
    JSON.stringify({
      name,
      sources: [{ kind: "documents", path: "files" }],
      models: { embedding: "static-256", reranker: "none" },
    }),
  );
  return { manifest, dataDir: join(root, "data"), files };
}

/** One run; null when it was killed after so many seconds. */
async function ingest({ manifest, dataDir }: Place, killAfter?: number): Promise<Ingested | null> {
  const profile = process.env.INGEST_PROFILE === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${process.env.INGEST_PROFILE}`];
  const child = spawn(process.execPath, [...profile, join(import.meta.dirname, "ingest", "run.ts"), manifest, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const timer = killAfter === undefined ? null : setTimeout(() => child.kill("SIGKILL"), killAfter * 1000);
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (timer !== null) clearTimeout(timer);
  if (signal === "SIGKILL") return null;
  if (code !== 0) throw new Error(`the run ended with ${code}`);
  return JSON.parse(out) as Ingested;
}

function report(name: string, done: Ingested | null): void {
  if (done === null) throw new Error(`${name}: was killed`);
  const { records, chunks, failures, seconds, cpuSeconds, startMb, peakMb, rssMb, stages } = done;
  const files = records.seen ?? 0;
  console.log(
    `${name}: ${files} files in ${seconds.toFixed(1)} s = ${Math.round(files / seconds)} files/s; processor ${cpuSeconds.toFixed(1)} s = ${Math.round(files / cpuSeconds)} files/s`,
  );
  console.log(`  ${JSON.stringify(records)} chunks ${JSON.stringify(chunks)} failures ${failures}`);
  console.log(`  RSS at start ${startMb.toFixed(0)} MB, peak ${peakMb.toFixed(0)} MB, by tenths of the time ${rssMb.join(" ")}`);
  console.log(
    `  ${Object.entries(stages)
      .map(([stage, took]) => `${stage} ${took.toFixed(1)} s`)
      .join(", ")}`,
  );
}

/** What a store holds, to be compared. */
function contents({ dataDir }: Place): {
  readonly records: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly problems: number;
} {
  using store = openStore(join(dataDir, "contextd.db"), { readonly: true });
  return {
    records: store.records.count(),
    chunks: store.chunks.count(),
    vectors: store.vectors.count(
      store.meta.get("embedding.model") === null ? "" : (JSON.parse(store.meta.get("embedding.model") ?? "{}") as { id: string }).id,
    ),
    problems: [...store.check(false)].length,
  };
}

try {
  if (small > 0) {
    const many = await place("small");
    writeSmallFiles(many.files, small);
    const first = await ingest(many);
    report("small files, first time", first);
    report("small files, nothing changed", await ingest(many));
    renameSync(join(many.files, "d0"), join(many.files, "moved"));
    report("a folder of them moved", await ingest(many));
    const whole = contents(many);
    await rm(many.dataDir, { recursive: true });
    for (let i = 1; i <= kills; i++) {
      const killed = await ingest(many, ((first?.seconds ?? 0) * 1.2 * i) / (kills + 1) / (i === 1 ? 1 : 2));
      console.log(`  run ${i} ${killed === null ? "killed" : "ended before it was killed"}`);
    }
    const last = await ingest(many);
    report(`taken up after ${kills} kills`, last);
    const resumed = contents(many);
    console.log(
      `  ${JSON.stringify(resumed) === JSON.stringify(whole) ? "the same as without kills" : "DIFFERS"}: ${JSON.stringify(resumed)} ${JSON.stringify(whole)}`,
    );
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
    const wide = join(folder, "wide");
    writeEmptyFiles(wide, scanned);
    const [started, before] = [performance.now(), process.cpuUsage()];
    let files = 0;
    for await (const _ of walk(wide, { include: [], exclude: [], ignoreFiles: true })) files += 1;
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `scan alone: ${files} files in ${seconds.toFixed(1)} s, processor ${((user + system) / 1e6).toFixed(1)} s, peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
