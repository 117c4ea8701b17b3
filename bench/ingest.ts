/**
 * npm run bench -- ingest [small files] [scanned files]
 * Files a second of the documents connector and its memory: many small files read for the first time and looked at again,
 * copies of the sample documents in all formats, and the scan alone over a great many files.
 * Target: peak memory of the ingester at most 500 MB, flat in the number of files.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { documents } from "../src/connectors/documents/index.ts";
import { walk } from "../src/connectors/documents/walk.ts";
import type { Io } from "../src/core/connector.ts";
import type { Json } from "../src/core/record.ts";
import { sharedPath } from "../test/support/shared.ts";

const small = Number(process.argv[2] ?? 20_000);
const scanned = Number(process.argv[3] ?? 200_000);
const known = new Map<string, string>();
const io = (root: string): Io => ({
  fetch,
  signal: new AbortController().signal,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  now: () => new Date(),
  root,
  known: (id) => (known.has(id) ? { fingerprint: known.get(id) ?? "" } : null),
});

interface Measured {
  readonly seconds: number;
  readonly files: number;
  readonly failed: number;
  readonly characters: number;
  readonly peakMb: number;
}

async function measured(work: () => Promise<Omit<Measured, "seconds" | "peakMb">>): Promise<Measured> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 50);
  const started = performance.now();
  const result = await work();
  clearInterval(watch);
  return { ...result, seconds: (performance.now() - started) / 1000, peakMb: Math.max(peak, process.memoryUsage().rss) / 2 ** 20 };
}

function pull(root: string): Promise<Measured> {
  return measured(async () => {
    let [files, failed, characters] = [0, 0, 0];
    for await (const one of documents.pull(documents.config.parse({ kind: "documents", path: "." }), io(root), null)) {
      if (one.type === "record" || one.type === "unchanged" || one.type === "failed") files += 1;
      if (one.type === "failed") failed += 1;
      if (one.type !== "record") continue;
      characters += one.record.body.length;
      known.set(one.record.id, (one.raw as { readonly [key: string]: Json }).fingerprint as string);
    }
    return { files, failed, characters };
  });
}

function report(name: string, { seconds, files, failed, characters, peakMb }: Measured): void {
  const rate = `${Math.round(files / seconds)} files/s`;
  console.log(
    `${name.padEnd(34)} ${String(files).padStart(8)} files ${rate.padStart(14)} ${(characters / 1e6).toFixed(1).padStart(8)} M chars  ${failed} failed  peak RSS ${peakMb.toFixed(0)} MB`,
  );
}

const folder = await mkdtemp(join(tmpdir(), "contextd-bench-"));
try {
  const many = join(folder, "small");
  const folders = Math.max(1, Math.round(small / 200));
  for (let i = 0; i < folders; i++) mkdirSync(join(many, `d${i}`), { recursive: true });
  const text = (i: number) =>
    `# Runbook ${i}\n\nTo drain queue-${i}, wait for the window and note ticket OPS-${i}.\n\n- step one of ${i}\n- step two\n`.repeat(4);
  for (let i = 0; i < small; i++) writeFileSync(join(many, `d${i % folders}`, `f${i}.${["md", "txt", "html"][i % 3]}`), text(i));
  report("small files, first time", await pull(many));
  report("small files, nothing changed", await pull(many));
  await rm(many, { recursive: true });

  const samples = sharedPath("data", "documents");
  if (samples !== null) {
    known.clear();
    const mixed = join(folder, "mixed");
    mkdirSync(mixed);
    for (const name of readdirSync(samples)) {
      if (name === "manifest.json" || name === "README.md" || name.startsWith("very-long") || !existsSync(join(samples, name))) continue;
      for (let i = 0; i < 10; i++)
        copyFileSync(join(samples, name), join(mixed, `${i}-${name.slice(0, -extname(name).length)}${extname(name)}`));
    }
    execFileSync("chmod", ["-R", "u+rw", mixed]);
    report("sample documents, ten copies", await pull(mixed));
  }

  const wide = join(folder, "wide");
  for (let i = 0; i < Math.ceil(scanned / 1000); i++) {
    mkdirSync(join(wide, `d${i}`), { recursive: true });
    for (let j = 0; j < 1000; j++) writeFileSync(join(wide, `d${i}`, `f${j}.txt`), "");
  }
  const scan = await measured(async () => {
    let files = 0;
    for await (const _ of walk(wide, { include: [], exclude: [], ignoreFiles: true })) files += 1;
    return { files, failed: 0, characters: 0 };
  });
  report("scan alone", scan);
} finally {
  await rm(folder, { recursive: true, force: true });
}
