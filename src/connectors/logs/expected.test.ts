import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { sharedPath } from "../../../test/support/shared.ts";
import { ContextError } from "../../core/errors.ts";
import { Collector } from "./collect.ts";
import type { Entry } from "./entry.ts";
import { Folder } from "./fold.ts";
import { readLines } from "./lines.ts";

interface Expected {
  readonly lines?: number;
  readonly entries: number | string;
  readonly first?: Readonly<Record<string, unknown>>;
  readonly exceptionTypes?: readonly string[];
  readonly min?: string;
  readonly max?: string;
  readonly utc?: readonly (string | null)[];
  readonly counts?: readonly number[];
}

async function read(path: string): Promise<{ lines: number; entries: Entry[]; error: ContextError | null }> {
  const folder = new Folder({ zone: "UTC", reference: new Date("2026-08-21T00:00:00Z") });
  const entries: Entry[] = [];
  let lines = 0;
  let error: ContextError | null = null;
  try {
    for await (const batch of readLines(path, { offset: 0, line: 0 }, new AbortController().signal)) {
      lines += batch.length;
      for (const line of batch) entries.push(...folder.push(line.text, line.number));
    }
  } catch (thrown) {
    assert.ok(thrown instanceof ContextError);
    error = thrown;
  }
  entries.push(...folder.end());
  return { lines, entries, error };
}

const instant = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : new Date(ms).toISOString());

describe("the log samples, by their own expected values", () => {
  const folder = sharedPath("data", "logs");
  const expected: Record<string, Expected> = folder ? JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) : {};

  it("are there in a full checkout", (t) => {
    if (folder === null && process.env.CI !== "true") return t.skip("shared data is absent");
    assert.ok(folder !== null && Object.keys(expected).length > 20);
  });

  for (const [file, want] of Object.entries(expected)) {
    it(`reads ${file}`, async () => {
      const { lines, entries, error } = await read(join(folder ?? "", file));

      if (typeof want.entries === "number") {
        assert.equal(entries.length, want.entries);
        assert.equal(error, null);
      } else {
        assert.match(error?.message ?? "", /cut short/);
        assert.ok(entries.length > 1900 && entries.length < 2100, `${entries.length} entries`);
      }
      if (want.lines !== undefined) assert.equal(lines, want.lines);
      const first = entries[0];
      for (const [key, value] of Object.entries(want.first ?? {})) {
        if (key === "note") continue;
        assert.ok(first);
        if (key === "time") {
          // null: the line alone does not tell, so what we have is assumed
          if (value === null) assert.ok(first.timeAssumed);
          else assert.deepEqual([instant(first.ms), first.timeAssumed], [value, false]);
        } else assert.equal(first[key as keyof Entry], value, key);
      }
      if (want.exceptionTypes) assert.deepEqual(new Set(entries.flatMap((entry) => entry.exceptions)), new Set(want.exceptionTypes));
      const times = entries.map((entry) => entry.ms).filter((ms) => ms !== null);
      if (want.min) assert.equal(instant(Math.min(...times)), want.min);
      if (want.max) assert.equal(instant(Math.max(...times)), want.max);
      want.utc?.forEach((utc, i) => {
        const [time, assumed] = (utc ?? "").split(" ", 2);
        assert.equal(instant(entries[i]?.ms), utc === null ? null : new Date(time ?? "").toISOString(), `line ${i + 1}`);
        assert.equal(entries[i]?.timeAssumed, utc === null || assumed !== undefined, `line ${i + 1}`);
      });
      if (want.counts) {
        const collector = new Collector({ name: file, path: file, fallback: "2026-08-21T00:00:00Z" });
        for (const entry of entries) collector.add(entry);
        const counts = collector.state.clusters.map((cluster) => cluster.count).sort((a, b) => b - a);
        assert.deepEqual(counts, want.counts);
      }
    });
  }
});
