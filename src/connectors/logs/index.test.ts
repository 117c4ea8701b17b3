import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { sharedPath } from "../../../test/support/shared.ts";
import { fieldSpan } from "../../core/body.ts";
import { type Io, type Pulled, silent } from "../../core/connector.ts";
import type { SourceRecord } from "../../core/record.ts";
import { logs } from "./index.ts";

async function folderOf(t: Pick<TestContext, "after">): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "contextd-logs-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function ioAt(root: string): Io {
  return { fetch, signal: new AbortController().signal, log: silent, now: () => new Date("2026-08-21T00:00:00Z"), root };
}

interface Result {
  readonly records: SourceRecord[];
  readonly gone: string[];
  readonly failed: Extract<Pulled, { type: "failed" }>[];
  readonly scan: string;
  readonly cursor: string;
}

async function pull(root: string, config: object, since: string | null = null): Promise<Result> {
  const result: Result & { scan: string; cursor: string } = { records: [], gone: [], failed: [], scan: "", cursor: "" };
  for await (const one of logs.pull(logs.config.parse({ kind: "logs", paths: ["*.log"], ...config }), ioAt(root), since)) {
    if (one.type === "record") result.records.push(one.record);
    else if (one.type === "gone") result.gone.push(one.id);
    else if (one.type === "failed") result.failed.push(one);
    else if (one.type === "end") [result.scan, result.cursor] = [one.scan, one.cursor ?? ""];
  }
  return result;
}

/** What a store would hold after the given pulls. */
function held(...results: readonly Result[]): Record<string, string> {
  const kept = new Map<string, string>();
  for (const { records, gone } of results) {
    for (const record of records) kept.set(record.id, record.body);
    for (const id of gone) kept.delete(id);
  }
  return Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const line = (second: number, text: string) => `2026-08-20T20:52:${String(second % 60).padStart(2, "0")}Z ${text}\n`;
const byId = (records: readonly SourceRecord[], id: string) => {
  const found = records.find((record) => record.id === id);
  assert.ok(found, `${id} is among ${records.map((record) => record.id).join(", ")}`);
  return found;
};

describe("logs", () => {
  it("keeps every line of a small file, with what it states", async (t) => {
    const root = await folderOf(t);
    await writeFile(
      join(root, "shop.log"),
      line(1, "WARNING redis-0 accepted 10000 clients") +
        line(2, "ERROR checkout-api-7d9f8b6c5-x2x9p trace=9f1c2ab4 revision=a3f8c2 session store unavailable"),
    );

    const { records, scan } = await pull(root, {});

    assert.equal(scan, "full");
    assert.deepEqual(records.map((record) => record.id).sort(), ["log:shop.log:1", "log:shop.log:2"]);
    const { fields, createdAt, title } = byId(records, "log:shop.log:2");
    assert.deepEqual(
      { ...fields, createdAt, title },
      {
        level: "error",
        service: "checkout-api",
        pod: "checkout-api-7d9f8b6c5-x2x9p",
        traceId: "9f1c2ab4",
        revision: "a3f8c2",
        path: "shop.log",
        createdAt: "2026-08-20T20:52:02Z",
        title: "2026-08-20T20:52:02Z ERROR checkout-api-7d9f8b6c5-x2x9p trace=9f1c2ab4 revision=a3f8c2 session store unavailable",
      },
    );
    assert.equal(byId(records, "log:shop.log:1").fields.service, "redis");
  });

  it("states a template's count and times in the footer of its first line", async (t) => {
    const root = await folderOf(t);
    const many = Array.from({ length: 400 }, (_, i) => line(i, `ERROR cart slow request id=${i}a7 took ${i} ms`)).join("");
    await writeFile(join(root, "cart.log"), many);

    const { records } = await pull(root, {});

    assert.equal(records.length, 10);
    const first = byId(records, "log:cart.log:1");
    assert.deepEqual(
      [first.fields.count, first.fields.firstAt, first.fields.lastAt],
      [400, "2026-08-20T20:52:00Z", "2026-08-20T20:52:59Z"],
    );
    const span = fieldSpan(first, "Occurrences");
    assert.equal(span && first.body.slice(span.start, span.end), "Occurrences: 400");
  });

  it("marks a stack trace as quoted, so that nothing in it is read as a statement", async (t) => {
    const root = await folderOf(t);
    await writeFile(
      join(root, "a.log"),
      `${line(1, "ERROR app failed")}java.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)\nCaused by: java.net.ConnectException: refused\n`,
    );

    const [record] = (await pull(root, {})).records;

    assert.ok(record);
    const [span] = record.fields.code ?? [];
    assert.ok(span);
    assert.match(record.body.slice(span.start, span.end), /^java\.lang\.IllegalStateException[\s\S]*refused$/);
    assert.equal(record.fields.exception, "java.lang.IllegalStateException");
  });

  it("lets no secret through, not even in a title", async (t) => {
    const root = await folderOf(t);
    const source = sharedPath("data", "logs", "secrets-and-injection.log");
    if (source === null && process.env.CI !== "true") return t.skip("shared data is absent");
    await writeFile(join(root, "s.log"), await readFile(source ?? ""));

    const { records } = await pull(root, {});

    const all = JSON.stringify(records);
    for (const secret of ["hunter2", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI", "c2lnbmF0dXJl", "s3cr3t", "fakefake"])
      assert.ok(!all.includes(secret), secret);
    assert.equal(records.length, 6);
  });

  it("reads only what was added, and again the last entry, which may have grown", async (t) => {
    const root = await folderOf(t);
    const file = join(root, "a.log");
    await writeFile(file, `${line(1, "INFO one")}2026-08-20T20:52:02Z ERROR half a li`);
    const first = await pull(root, {});
    await appendFile(file, `ne\n\tat a.B.c(B.java:1)\n${line(3, "INFO three")}`);
    const second = await pull(root, {}, first.cursor);
    const third = await pull(root, {}, second.cursor);

    assert.deepEqual([second.scan, third.records.length, third.gone.length], ["delta", 0, 0]);
    assert.match(byId(second.records, "log:a.log:2").body, /ERROR half a line\n\tat a\.B/);
    assert.deepEqual(held(first, second), held(await pull(root, {})));
  });

  it("follows a file that was renamed and begun anew", async (t) => {
    const root = await folderOf(t);
    await writeFile(join(root, "a.log"), line(1, "INFO before"));
    const first = await pull(root, {});
    await appendFile(join(root, "a.log"), line(2, "ERROR at the last moment"));
    await rename(join(root, "a.log"), join(root, "a.log.1"));
    await writeFile(join(root, "a.log"), line(3, "INFO after"));
    const second = await pull(root, {}, first.cursor);
    await writeFile(join(root, "a.log.2.gz"), gzipSync(await readFile(join(root, "a.log.1"))));
    await rm(join(root, "a.log.1"));
    const third = await pull(root, {}, second.cursor);

    assert.match(byId(second.records, "log:a.log.1:2").body, /last moment/);
    assert.match(byId(second.records, "log:a.log:1").body, /after/);
    assert.deepEqual(third.gone.sort(), ["log:a.log.1:1", "log:a.log.1:2"]);
    assert.deepEqual(held(first, second, third), held(await pull(root, {})));
  });

  it("reads a file anew that was emptied in place", async (t) => {
    const root = await folderOf(t);
    const file = join(root, "a.log");
    await writeFile(file, line(1, "INFO one") + line(2, "INFO two two"));
    const first = await pull(root, {});
    await truncate(file);
    await appendFile(file, line(3, "INFO new"));
    const second = await pull(root, {}, first.cursor);

    assert.deepEqual(Object.keys(held(first, second)), ["log:a.log:1"]);
  });

  it("holds after any number of appends what one full read gives", async () => {
    const word = fc.constantFrom("alpha", "beta", "gamma", "id=7f3", "redis-0");
    const entry = fc.record({
      level: fc.constantFrom("INFO", "WARN", "ERROR"),
      words: fc.array(word, { minLength: 1, maxLength: 5 }),
      trace: fc.boolean(),
    });
    const steps = fc.array(fc.array(entry, { maxLength: 40 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(steps, async (parts) => {
        const root = await mkdtemp(join(tmpdir(), "contextd-logs-"));
        try {
          await writeFile(join(root, "a.log"), "");
          const results: Result[] = [];
          for (const part of parts) {
            const text = part
              .map(({ level, words, trace }, i) => line(i, `${level} ${words.join(" ")}`) + (trace ? "\tat a.B.c(B.java:1)\n" : ""))
              .join("");
            await appendFile(join(root, "a.log"), text);
            results.push(await pull(root, {}, results.at(-1)?.cursor ?? null));
          }
          assert.deepEqual(held(...results), held(await pull(root, {})));
        } finally {
          await rm(root, { recursive: true });
        }
      }),
      { numRuns: 25 },
    );
  });

  it("survives a line of five megabytes, and its neighbours with it", async (t) => {
    const root = await folderOf(t);
    await writeFile(join(root, "a.log"), `${line(1, "INFO before")}${"x".repeat(5 * 2 ** 20)}\n${line(3, "INFO after")}`);

    const { records } = await pull(root, {});

    assert.match(byId(records, "log:a.log:1").body, /INFO before/);
    assert.match(byId(records, "log:a.log:3").body, /INFO after/);
    assert.ok(records.every((record) => record.body.length < 20_000));
  });

  it("keeps what it could unpack of a cut archive and says that it is cut", async (t) => {
    const root = await folderOf(t);
    const whole = gzipSync(Buffer.from(Array.from({ length: 5000 }, (_, i) => line(i, `INFO line ${(i * 7919) % 65_537}`)).join("")));
    await writeFile(join(root, "a.log.1.gz"), whole.subarray(0, whole.length / 2));

    const { records, failed, cursor } = await pull(root, {});

    assert.ok(records.length > 0);
    assert.equal(failed[0]?.error.code, "FILE_UNREADABLE");
    assert.match(failed[0]?.error.message ?? "", /cut short/);
    const again = await pull(root, {}, cursor);
    assert.deepEqual([held(again), again.failed[0]?.error.message], [{}, failed[0]?.error.message]);
  });

  it("leaves out what is below the level or older than the window", async (t) => {
    const root = await folderOf(t);
    await writeFile(join(root, "a.log"), `2026-08-18T10:00:00Z ERROR old\n${line(1, "INFO small")}${line(2, "ERROR big")}`);

    const { records } = await pull(root, { level: "warn", windowHours: 24 });

    assert.deepEqual(
      records.map((record) => record.id),
      ["log:a.log:3"],
    );
  });

  it("reads stamps without a zone in the configured one, the first of an hour that comes twice", async (t) => {
    const root = await folderOf(t);
    await writeFile(
      join(root, "a.log"),
      "2026-10-25 02:15:00 ERROR twice\n2026-07-01 12:00:00 ERROR summer\n2026-03-29 02:30:00 ERROR never\n",
    );

    const { records } = await pull(root, { timezone: "Europe/Oslo" });

    assert.deepEqual(records.map((record) => record.createdAt).sort(), [
      "2026-03-29T01:30:00Z",
      "2026-07-01T10:00:00Z",
      "2026-10-25T00:15:00Z",
    ]);
  });

  it("names files of one name in two folders apart, and fails on a path that is not there", async (t) => {
    const root = await folderOf(t);
    await mkdir(join(root, "x"));
    await mkdir(join(root, "y"));
    await writeFile(join(root, "x", "a.log"), line(1, "INFO x"));
    await writeFile(join(root, "y", "a.log"), line(1, "INFO y"));

    const { records } = await pull(root, { paths: ["x/*.log", "y/*.log"] });

    assert.deepEqual(records.map((record) => record.id).sort(), ["log:a.log:1", "log:y/a.log:1"]);
    await assert.rejects(pull(root, { paths: ["nowhere.log"] }), { code: "FILE_NOT_FOUND" });
  });

  for (const world of ["tiny-18", "world-otel-demo"]) {
    it(`makes a record of each log line that ${world} speaks of`, async (t) => {
      const folder = sharedPath("data", world);
      if (folder === null && process.env.CI !== "true") return t.skip("shared data is absent");
      const wanted = (await readFile(join(folder ?? "", "records.jsonl"), "utf8"))
        .split("\n")
        .filter((one) => one !== "")
        .map((one) => JSON.parse(one) as { id: string; source: string; createdAt: string })
        .filter((one) => one.source === "logs");

      const { records } = await pull(join(folder ?? "", "logs"), { paths: ["*"] });

      assert.ok(wanted.length > 0);
      const seconds = (time: string | null) => time?.slice(0, 19);
      for (const { id, createdAt } of wanted) assert.equal(seconds(byId(records, id).createdAt), seconds(createdAt), id);
      assert.ok(records.length < 200, `${records.length} records`);
    });
  }
});
