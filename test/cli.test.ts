import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { openStore } from "../src/store/open.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "contextd-cli-"));
const manifest = join(folder, "manifest.json");
const data = join(folder, "data");

interface Ran {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

function contextd(...args: string[]): Ran {
  const result = spawnSync(process.execPath, [join(root, "bin", "contextd.mjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
  });
  return { exit: result.status, out: result.stdout, err: result.stderr };
}

function json<T = Record<string, unknown>>({ out }: Ran): T {
  return JSON.parse(out) as T;
}

interface Report {
  records: { seen: number; added: number; changed: number; deleted: number; unchanged: number; failed: number };
  extraction: { tier1: number; tier2: number; tier3: number; cached: number; llmCalls: number; costUsd: number };
  failures: { id: string; code: string; message: string }[];
}

interface Asked {
  status: string;
  refusal: string | null;
  answer: string;
  citations: { n: number; recordId: string; text: string }[];
  toolCalls: unknown[];
  trace: { llm: { calls: number } };
}

/** Sentences that state something without a [N]. */
function uncited(answer: string): string[] {
  return answer.split(/(?<=[.!?])\s+(?=[A-Z-])/).filter((sentence) => /\w/.test(sentence) && !/\[\d+\]/.test(sentence));
}

before(() => {
  cpSync(join(root, "manifest.json"), manifest);
  cpSync(join(root, "data", "sample"), join(folder, "data", "sample"), { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe("contextd on the sample world", () => {
  it("says that nothing is indexed yet, with the way out", () => {
    const ran = contextd("ask", "Who owns payments?");

    assert.equal(ran.exit, 1);
    assert.match(ran.err, /Nothing is indexed yet\.\n {2}→ .*contextd index.*INDEX_EMPTY/);
  });

  it("indexes every record and document at no cost", () => {
    const report = json<Report>(contextd("index", "--json"));

    assert.equal(report.records.added, 22);
    assert.equal(report.records.failed, 0);
    assert.equal(report.extraction.costUsd, 0);
    assert.deepEqual(report.failures, []);
  });

  it("does nothing on a second run", () => {
    const { records, extraction } = json<Report>(contextd("index", "--json"));

    assert.deepEqual(records, { seen: 22, added: 0, changed: 0, deleted: 0, unchanged: 22, failed: 0 });
    assert.equal(extraction.tier1 + extraction.tier2 + extraction.tier3, 0);
    assert.deepEqual([extraction.llmCalls, extraction.costUsd], [0, 0]);
  });

  it("names service, owner, ticket, commit and a dependency when asked why checkout is broken", () => {
    const answer = json<Asked>(contextd("ask", "Why is checkout broken?", "--json"));

    assert.equal(answer.status, "answered");
    for (const part of ["checkout-api", "Rahul Sharma", "JR-441", "a3f8c2", "redis"])
      assert.ok(answer.answer.includes(part), `${part} in ${answer.answer}`);
    assert.deepEqual(uncited(answer.answer), []);
    assert.ok(answer.toolCalls.length <= 7);
    assert.equal(answer.trace.llm.calls, 0);
    const given = new Set(answer.citations.map(({ n }) => n));
    for (const [, n] of answer.answer.matchAll(/\[(\d+)\]/g)) assert.ok(given.has(Number(n)));
  });

  it("answers about a numbered runbook from it and not from its look-alike", () => {
    const answer = json<Asked>(contextd("ask", "What does CONF-1023 say about the Redis failover?", "--json"));

    assert.equal(answer.status, "answered");
    assert.ok(answer.citations.length > 0);
    for (const { recordId } of answer.citations) assert.match(recordId, /1023/);
  });

  it("refuses in the exact words what no source says", () => {
    const answer = json<Asked>(contextd("ask", "What is the capital of France?", "--json"));

    assert.equal(answer.status, "refused");
    assert.equal(answer.refusal, "insufficient");
    assert.equal(answer.answer, "The provided documents do not contain enough information to answer this question.");
    assert.deepEqual(answer.citations, []);
  });

  it("takes a short question for the graph when it asks for a state", () => {
    const answer = json<Asked>(contextd("ask", "What is broken?", "--json"));

    assert.equal(answer.status, "answered");
    assert.match(answer.answer, /JR-441/);
    assert.ok(answer.toolCalls.length > 0);
  });

  it("reads exactly the one record that was edited, and lets go of one that was deleted with its edges", () => {
    const file = join(data, "sample", "world", "jira", "issues.jsonl");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const edited = lines.map((line) => (line.includes('"key":"JR-415"') ? line.replace("answers slowly", "answers very slowly") : line));
    writeFileSync(file, `${edited.join("\n")}\n`);

    const first = json<Report>(contextd("index", "--json"));
    assert.deepEqual([first.records.changed, first.extraction.tier1 + first.extraction.tier2 + first.extraction.tier3], [1, 1]);

    writeFileSync(file, `${edited.filter((line) => !line.includes('"key":"JR-441"')).join("\n")}\n`);
    const second = json<Report>(contextd("index", "--json"));
    assert.equal(second.records.deleted, 1);
    const shown = contextd("graph", "export", "--format", "json");
    assert.doesNotMatch(shown.out, /"source": "ticket:JR-441"/);
    const search = json<{ hits: { chunk: { recordId: string } }[] }>(contextd("search", "JR-441", "--json"));
    assert.ok(search.hits.every(({ chunk }) => chunk.recordId !== "jira:JR-441"));
  });
});

describe("contextd start", () => {
  it("is not ready during its first run, and answers a question that came meanwhile", async () => {
    const fresh = join(folder, "fresh-data");
    const daemon = spawn(
      process.execPath,
      [join(root, "bin", "contextd.mjs"), "start", "--port", "0", "--manifest", join(root, "manifest.json"), "--data-dir", fresh],
      {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    try {
      const url = await new Promise<string>((resolve) =>
        daemon.stderr.on("data", (text: Buffer) => {
          const found = /serves .* at (http:\S+)/.exec(String(text))?.[1];
          if (found !== undefined) resolve(found);
        }),
      );
      const [ready, asked] = await Promise.all([
        fetch(`${url}/readyz`),
        fetch(`${url}/api/ask`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ question: "Who owns payments?" }),
        }),
      ]);
      const answer = (await asked.json()) as Asked;

      assert.equal(ready.status, 503);
      assert.equal(asked.status, 200);
      assert.match(answer.answer, /Meera Iyer/);
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
    } finally {
      daemon.kill("SIGTERM");
      await new Promise((resolve) => daemon.once("exit", resolve));
    }
  });
});

describe("contextd with bad input", () => {
  it("names a missing manifest", () => {
    const ran = contextd("index", "--manifest", "nowhere.json");

    assert.equal(ran.exit, 2);
    assert.match(ran.err, /There is no manifest at .*nowhere\.json\.\n {2}→ Make one with `contextd init`/);
  });

  it("names every fault of a broken manifest", () => {
    writeFileSync(join(folder, "broken.json"), JSON.stringify({ nmae: "x", sources: [{ kind: "fax" }] }));
    const ran = contextd("index", "--manifest", "broken.json");

    assert.equal(ran.exit, 2);
    for (const part of ["nmae: is not a known key", "name:", "sources[0].kind"]) assert.ok(ran.err.includes(part), `${part} in ${ran.err}`);
    assert.doesNotMatch(ran.err, /at .*\.ts:\d+/);
  });

  it("keeps the rest when a line is no JSON and a PDF cannot be read", () => {
    const world = join(folder, "partly");
    mkdirSync(join(world, "docs"), { recursive: true });
    cpSync(join(root, "data", "sample", "world", "records.jsonl"), join(world, "records.jsonl"));
    appendFileSync(join(world, "records.jsonl"), '{"id": "jira:X-1", "source": \n');
    writeFileSync(join(world, "docs", "damaged.pdf"), "%PDF-1.7\nnothing of a PDF follows");
    writeFileSync(join(world, "docs", "fine.md"), "# Fine\n\nThe retry limit of the importer is 4.\n");
    writeFileSync(
      join(world, "manifest.json"),
      JSON.stringify({
        name: "partly",
        sources: [
          { kind: "records", path: "records.jsonl" },
          { kind: "documents", path: "docs" },
        ],
      }),
    );
    const options = ["--manifest", join(world, "manifest.json"), "--data-dir", join(world, "data"), "--json"];
    const ran = contextd("index", ...options);
    const report = json<Report>(ran);

    assert.equal(ran.exit, 3);
    assert.equal(report.records.added, 19);
    assert.equal(report.failures.length, 2);
    assert.ok(
      report.failures.some(({ message }) => /records\.jsonl.*19/.test(message)),
      JSON.stringify(report.failures),
    );
    assert.ok(report.failures.some(({ id }) => id.includes("damaged.pdf")));
    assert.match(json<Asked>(contextd("ask", "What is the retry limit of the importer?", ...options)).answer, /4 \[1\]/);
  });

  it("knows no such command", () => {
    assert.equal(contextd("indx").exit, 2);
  });

  it("names the port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const ran = contextd("start", "--port", String(port), "--no-index", "--data-dir", join(folder, "port"));
    other.close();

    assert.equal(ran.exit, 2);
    assert.match(ran.err, new RegExp(`${port}[\\s\\S]*→ .*--port`));
  });

  it("names a data folder that cannot be written", () => {
    writeFileSync(join(folder, "a-file"), "");
    const ran = contextd("index", "--data-dir", join(folder, "a-file", "below"));

    assert.equal(ran.exit, 2);
    assert.match(ran.err, /DATA_DIR_UNWRITABLE/);
  });

  it("refuses a store that a newer version wrote", () => {
    const newer = join(folder, "newer");
    mkdirSync(newer);
    openStore(join(newer, "contextd.db"))[Symbol.dispose]();
    const db = new Database(join(newer, "contextd.db"));
    db.pragma("user_version = 9999");
    db.close();
    const ran = contextd("index", "--data-dir", newer);

    assert.equal(ran.exit, 2);
    assert.match(ran.err, /STORE_NEWER/);
  });

  it("does not make a source of a path that is not there", () => {
    const ran = contextd("ingest", "fine.md", "nowhere.md", "--json");

    assert.equal(ran.exit, 2);
    assert.match(ran.err, /fine\.md[\s\S]*nothing was ingested[\s\S]*FILE_NOT_FOUND/);
    assert.deepEqual(json<Report>(contextd("index", "--json")).failures, []);
  });

  it("answers while the daemon holds the store, and says nothing of the store", async () => {
    const daemon = spawn(process.execPath, [join(root, "bin", "contextd.mjs"), "start", "--port", "0", "--no-index"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      await new Promise<void>((resolve) => daemon.stderr.on("data", (text: Buffer) => String(text).includes("serves") && resolve()));
      const ran = contextd("ask", "Who owns redis?");

      assert.equal(ran.exit, 0);
      assert.match(ran.out, /^Jonas Keller owns redis \[1\]/);
      assert.doesNotMatch(ran.out, /Note:/);
    } finally {
      daemon.kill("SIGTERM");
      await new Promise((resolve) => daemon.once("exit", resolve));
    }
  });

  it("tells a second writer who holds the store", async () => {
    const shared = join(folder, "shared-data");
    const daemon: ChildProcess = spawn(
      process.execPath,
      [join(root, "bin", "contextd.mjs"), "start", "--port", "0", "--no-index", "--data-dir", shared],
      { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
    );
    try {
      await new Promise<void>((resolve) => daemon.stderr?.on("data", (text: Buffer) => String(text).includes("serves") && resolve()));
      const ran = contextd("start", "--port", "0", "--no-index", "--data-dir", shared);

      assert.equal(ran.exit, 1);
      assert.match(ran.err, new RegExp(`\\b${daemon.pid}\\b[\\s\\S]*STORE_LOCKED`));
    } finally {
      daemon.kill("SIGTERM");
      await new Promise((resolve) => daemon.once("exit", resolve));
    }
    assert.equal(daemon.exitCode, 0);
  });
});
