import { readFileSync } from "node:fs";

/** Wall and processor time since it was made, as text. */
export function stopwatch(): () => string {
  const started = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return `${((performance.now() - started) / 1000).toFixed(2)} s, processor ${((user + system) / 1e6).toFixed(2)} s`;
  };
}

export interface Times {
  /** Wall milliseconds of each call, rising. */
  readonly wall: readonly number[];
  /** Processor milliseconds of each call, all threads, rising: what a loaded machine does not change much. */
  readonly cpu: readonly number[];
  /** Median of the reference loop that ran between the calls: how slow the machine was meanwhile. */
  readonly reference: number;
}

/** Runs `call` for each number below `count`, the reference loop before each. */
export async function timeCalls(count: number, call: (n: number) => unknown): Promise<Times> {
  const wall: number[] = [];
  const reference: number[] = [];
  const cpu: number[] = [];
  for (let n = 0; n < count; n++) {
    reference.push(referenceLoop());
    const before = process.cpuUsage();
    const started = performance.now();
    await call(n);
    wall.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  const rising = (list: number[]) => list.sort((a, b) => a - b);
  return { wall: rising(wall), cpu: rising(cpu), reference: percentile(rising(reference), 0.5) };
}

export function percentile(rising: readonly number[], share: number): number {
  return rising[Math.max(0, Math.ceil(share * rising.length) - 1)] ?? 0;
}

export function shown({ wall, cpu, reference }: Times): string {
  const at = (list: readonly number[]) => [0.5, 0.95, 0.99].map((share) => percentile(list, share).toFixed(1)).join(" / ");
  return `p50 / p95 / p99 ${at(wall)} ms; processor ${at(cpu)} ms; reference ${reference.toFixed(2)} ms`;
}

const numbers = Float64Array.from({ length: 100_000 }, (_, i) => i);

/** A fixed piece of work, milliseconds. */
function referenceLoop(): number {
  const started = performance.now();
  let total = 0;
  for (let round = 0; round < 10; round++) for (let i = 0; i < numbers.length; i++) total += (numbers[i] as number) * round;
  return total < 0 ? 0 : performance.now() - started;
}

export function memory(): string {
  const status = readFileSync("/proc/self/status", "utf8");
  const mb = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1000).toFixed(0);
  return `RssAnon ${mb("RssAnon")} MB, RSS ${mb("VmRSS")} MB, peak RSS ${mb("VmHWM")} MB`;
}
