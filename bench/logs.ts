/**
 * npm run bench -- logs [lines] [gigabytes]
 * Log lines a second by format, and the memory that a big file takes above what the process had before.
 * Targets: 100,000 lines a second; 300 MB above the start for 2 GB.
 */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logs } from "../src/connectors/logs/index.ts";
import { type Io, silent } from "../src/core/connector.ts";
import { randomFrom } from "../src/eval/random.ts";

const lines = Number(process.argv[2] ?? 500_000);
const gigabytes = Number(process.argv[3] ?? 2);

const random = randomFrom(7);
const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
const stamp = (i: number) => new Date(Date.UTC(2026, 7, 20) + i * 13).toISOString();
const services = ["checkout", "cart", "payment", "shipping", "quote", "ad"];
const messages = [
  () => `slow request id=${hex(12)} user=${Math.floor(random() * 1e6)} took ${Math.floor(random() * 9000)} ms`,
  () => `order placed order=${hex(8)} amount=${(random() * 500).toFixed(2)}`,
  () => `connection to 10.0.${Math.floor(random() * 255)}.${Math.floor(random() * 255)}:5432 refused`,
  () => `cache miss for key user:${Math.floor(random() * 1e6)}`,
];
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const level = () => (random() < 0.05 ? "ERROR" : random() < 0.1 ? "WARN" : "INFO");

const formats: Readonly<Record<string, (i: number) => string>> = {
  plain: (i) => `${stamp(i)} ${level()} ${pick(services)}-7d9f8b6c5-x2x9p ${pick(messages)()}`,
  json: (i) =>
    JSON.stringify({
      "@timestamp": stamp(i),
      "log.level": level(),
      message: pick(messages)(),
      service: { name: pick(services) },
      trace: { id: hex(32) },
    }),
  logfmt: (i) => `time=${stamp(i)} level=${level().toLowerCase()} service=${pick(services)} msg="${pick(messages)()}" trace_id=${hex(32)}`,
  nginx: (i) =>
    `10.2.8.${i % 255} - - [20/Aug/2026:22:50:01 +0200] "GET /api/item/${Math.floor(random() * 1e5)} HTTP/1.1" ${random() < 0.01 ? 502 : 200} 6353 "-" "k6/1.2"`,
  java: (i) =>
    `${stamp(i).replace("T", " ").replace(".", ",").replace("Z", "")} ${level()} [grpc-default-executor-${i % 8}] oteldemo.AdService - ${pick(messages)()}${i % 50 === 0 ? "\njava.lang.IllegalStateException: no ads\n\tat a.B.c(B.java:1)\n\tat d.E.f(E.java:2)" : ""}`,
};

const io: Io = {
  fetch,
  signal: new AbortController().signal,
  log: silent,
  now: () => new Date("2026-08-21T00:00:00Z"),
  root: "/",
};

async function write(path: string, line: (i: number) => string, enough: (bytes: number, count: number) => boolean): Promise<number> {
  const out = createWriteStream(path);
  // a block of varied lines, repeated: making two gigabytes of new ones would take longer than reading them
  const block = `${Array.from({ length: 20_000 }, (_, i) => line(i)).join("\n")}\n`;
  let [bytes, count] = [0, 0];
  while (!enough(bytes, count)) {
    if (!out.write(block)) await once(out, "drain");
    bytes += block.length;
    count += block.split("\n").length - 1;
  }
  out.end();
  await once(out, "close");
  return count;
}

async function read(path: string): Promise<{ seconds: number; cpuSeconds: number; records: number; peakMb: number }> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 50);
  const started = performance.now();
  const cpu = process.cpuUsage();
  let records = 0;
  for await (const one of logs.pull(logs.config.parse({ kind: "logs", paths: [path], rotated: false }), io, null))
    if (one.type === "record") records += 1;
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(watch);
  peak = Math.max(peak, process.memoryUsage().rss);
  return { seconds, cpuSeconds: (user + system) / 1e6, records, peakMb: (peak - before) / 2 ** 20 };
}

const folder = await mkdtemp(join(tmpdir(), "contextd-bench-"));
try {
  // a busy machine gives a process less than its core: lines a second of CPU time are what the code is worth
  console.log("format   lines      lines/s   lines/CPU-s records  MB above start");
  for (const [name, line] of Object.entries(formats)) {
    const path = join(folder, `${name}.log`);
    const count = await write(path, line, (_, written) => written >= lines);
    const { seconds, cpuSeconds, records, peakMb } = await read(path);
    console.log(
      `${name.padEnd(8)} ${String(count).padEnd(10)} ${String(Math.round(count / seconds)).padEnd(9)} ${String(Math.round(count / cpuSeconds)).padEnd(11)} ${String(records).padEnd(8)} ${peakMb.toFixed(0)}`,
    );
    await rm(path);
  }
  if (gigabytes > 0) {
    const path = join(folder, "big.log");
    const count = await write(path, formats.plain as (i: number) => string, (bytes) => bytes >= gigabytes * 1e9);
    const { size } = await stat(path);
    const { seconds, cpuSeconds, records, peakMb } = await read(path);
    console.log(
      `big      ${count} lines, ${(size / 1e9).toFixed(2)} GB: ${Math.round(count / seconds)} lines/s (${Math.round(count / cpuSeconds)} a CPU second), ${records} records, ${peakMb.toFixed(0)} MB above start`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
