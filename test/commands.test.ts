import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { openStore } from "../src/store/open.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const top = mkdtempSync(join(tmpdir(), "contextd-commands-"));
after(() => rmSync(top, { recursive: true, force: true }));

function folder(name: string): string {
  const path = join(top, name);
  mkdirSync(path);
  return path;
}

function contextd(cwd: string, ...args: string[]): { readonly exit: number | null; readonly out: string; readonly err: string } {
  const entry = join(root, "bin", "contextd.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], { cwd, encoding: "utf8", timeout: 120_000 });
  return { exit: status, out: stdout, err: stderr };
}

describe("contextd init", () => {
  it("makes a manifest that indexes the folder's docs, and never over one that is there", () => {
    const at = folder("shop");
    mkdirSync(join(at, "docs"));
    writeFileSync(join(at, "docs", "runbook.md"), "# Redis\n\nRestart redis with the blue button.\n");

    const made = contextd(at, "init");
    assert.equal(made.exit, 0);
    assert.match(made.err, /"kind": "jira"/);
    const manifest = JSON.parse(readFileSync(join(at, "manifest.json"), "utf8")) as { name: string; sources: unknown };
    assert.deepEqual([manifest.name, manifest.sources], ["shop", [{ kind: "documents", path: "docs" }]]);
    assert.ok(existsSync(join(at, "manifest.schema.json")));

    assert.equal(contextd(at, "init").exit, 2);
    const indexed = JSON.parse(contextd(at, "index", "--json").out) as { records: { added: number } };
    assert.equal(indexed.records.added, 1);
  });

  it("copies the sample world where it is asked to", () => {
    const at = folder("try");

    assert.equal(contextd(at, "init", "--sample").exit, 0);
    assert.ok(existsSync(join(at, "data", "sample", "world")));
    assert.equal(readFileSync(join(at, "manifest.json"), "utf8"), readFileSync(join(root, "manifest.json"), "utf8"));
  });
});

describe("commands that change the index while the daemon runs", () => {
  const at = folder("served");
  for (const name of ["first", "second"]) {
    mkdirSync(join(at, name));
    writeFileSync(
      join(at, name, "note.md"),
      `# Redis\n\nThe ${name} runbook of redis names the ${name === "first" ? "zircon" : "basalt"} switch.\n`,
    );
  }
  writeFileSync(join(at, "manifest.json"), JSON.stringify({ name: "served", sources: [] }));
  const file = join(at, "data", "daemon.json");

  it("are done by the daemon, with the same words and exit codes", async () => {
    const daemon = spawn(process.execPath, [join(root, "bin", "contextd.mjs"), "start", "--port", "0"], {
      cwd: at,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const gone = once(daemon, "exit");
    try {
      for await (const line of createInterface({ input: daemon.stderr })) if (line.startsWith("Ready:")) break;
      daemon.stderr.resume();
      const { url, key } = JSON.parse(readFileSync(file, "utf8")) as { url: string; key: string };
      assert.equal(statSync(file).mode & 0o077, 0, "nobody else may read the key");

      const ingested = contextd(at, "ingest", "first", "second", "--json");
      assert.deepEqual([ingested.exit, (JSON.parse(ingested.out) as { files: { added: number } }).files.added], [0, 2]);
      assert.match(ingested.err, /The daemon at http:\S+ does this\./);
      const found = (await (await fetch(`${url}/api/search?q=basalt`)).json()) as { hits: { chunk: { text: string } }[] };
      assert.match(found.hits[0]?.chunk.text ?? "", /basalt switch/);
      assert.deepEqual(JSON.parse(contextd(at, "forget", "--json").out), { paths: [join(at, "first"), join(at, "second")] });

      const mistyped = contextd(at, "ingest", "nowhere");
      assert.equal(mistyped.exit, 2, "nothing was done, not even in part");
      assert.match(
        mistyped.err,
        /^contextd: There is no folder or file \S+nowhere\.\n {2}→ Check the path; nothing was ingested\. \(FILE_NOT_FOUND\)$/m,
      );
      assert.doesNotMatch(mistyped.err, /does this/);
      const unknown = contextd(at, "forget", "nowhere");
      assert.equal(unknown.exit, 1);
      assert.match(unknown.err, /nowhere was not ingested\.\n {2}→ `contextd forget` lists what was.*NOT_FOUND/);
      const forgot = JSON.parse(contextd(at, "forget", "second", "--json").out) as { files: { deleted: number }; chunks: number };
      assert.deepEqual([forgot.files.deleted, forgot.chunks], [1, 1]);
      const run = contextd(at, "index", "--json");
      assert.deepEqual([run.exit, (JSON.parse(run.out) as { records: { unchanged: number } }).records.unchanged], [0, 1]);
      assert.match(contextd(at, "graph", "merges", "--undo", "none").err, /There is no merge "none"/);

      const ask = (headers: Record<string, string>) =>
        fetch(`${url}/api/local`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ do: "ingest", paths: ["/etc"] }),
        });
      assert.deepEqual([(await ask({})).status, (await ask({ authorization: `Bearer ${key}x` })).status], [403, 401]);
    } finally {
      daemon.kill("SIGTERM");
      await gone;
    }
    assert.equal(existsSync(file), false);
    assert.equal(contextd(at, "forget", "first").exit, 0, "and by the command itself when it is gone");
  });
});

describe("contextd forget", () => {
  const at = folder("forgetful");
  const note = (name: string, text: string): string => {
    mkdirSync(join(at, name), { recursive: true });
    writeFileSync(join(at, name, "note.md"), text);
    return join(at, name);
  };
  writeFileSync(join(at, "manifest.json"), JSON.stringify({ name: "forgetful", sources: [] }));
  const kept = note("kept", "# Kept\n\nThe zebra stands in the stable.\n");
  const lost = note("lost", "# Lost\n\nThe walrus stands on the ice.\n");
  const found = (query: string): string =>
    (JSON.parse(contextd(at, "search", query, "--json").out) as { hits: { chunk: { text: string } }[] }).hits
      .map((hit) => hit.chunk.text)
      .join("\n");

  it("lists what was ingested", () => {
    assert.deepEqual(JSON.parse(contextd(at, "forget", "--json").out), { paths: [] });
    const empty = contextd(at, "doctor");
    assert.equal(empty.exit, 1);
    assert.match(empty.out, /^FAILED sources: there are none: nothing is indexed\n +→ .*`contextd ingest PATH`/m);
    assert.equal(contextd(at, "ingest", "kept", "lost").exit, 0);
    assert.match(contextd(at, "doctor").out, /^ok {5}documents \S+kept: readable, for example note\.md$/m);

    assert.deepEqual(JSON.parse(contextd(at, "forget", "--json").out), { paths: [kept, lost] });
    assert.match(found("walrus"), /walrus/);
  });

  it("takes a path out of every index, for good, and leaves the files", () => {
    const forgot = contextd(at, "forget", "lost", "--json");

    const { forgotten, files } = JSON.parse(forgot.out) as { forgotten: string[]; files: { deleted: number } };
    assert.deepEqual([forgot.exit, forgotten, files.deleted], [0, [lost], 1]);
    assert.doesNotMatch(found("walrus"), /walrus/);
    assert.match(found("zebra"), /zebra/);
    assert.ok(existsSync(join(lost, "note.md")));
    assert.equal(contextd(at, "index").exit, 0);
    assert.doesNotMatch(found("walrus"), /walrus/);
    using store = openStore(join(at, "data", "contextd.db"));
    assert.equal(store.records.count(), 1);
    assert.deepEqual([...store.check(true)], []);
  });

  it("knows nothing of other paths, and then forgets none", () => {
    const ran = contextd(at, "forget", "kept", "nowhere");

    assert.match(ran.err, /nowhere was not ingested\.\n {2}→ `contextd forget` lists what was.*NOT_FOUND/);
    assert.deepEqual(JSON.parse(contextd(at, "forget", "--json").out), { paths: [kept] });
  });
});

describe("contextd backup", () => {
  it("never writes over a file that is there, unless told to", () => {
    const at = folder("backed-up");
    writeFileSync(join(at, "manifest.json"), JSON.stringify({ name: "backed-up", sources: [] }));
    writeFileSync(join(at, "copy.db"), "mine");

    const refused = contextd(at, "backup", "copy.db");
    assert.deepEqual([refused.exit, readFileSync(join(at, "copy.db"), "utf8")], [2, "mine"]);
    assert.match(refused.err, /copy\.db exists already\.\n {2}→ Name another file, or replace it with --force\. \(USAGE\)/);

    assert.equal(contextd(at, "backup", "copy.db", "--force").exit, 0);
    assert.notEqual(readFileSync(join(at, "copy.db"), "latin1"), "mine");
  });
});

describe("contextd ask", () => {
  it("says of sources that held no records that they did, and not that no run has been", () => {
    const at = folder("bare");
    writeFileSync(join(at, "none.jsonl"), "");
    writeFileSync(join(at, "manifest.json"), JSON.stringify({ name: "bare", sources: [{ kind: "records", path: "none.jsonl" }] }));

    assert.match(contextd(at, "ask", "Who owns payments?").err, /Nothing is indexed yet\./);
    assert.equal(contextd(at, "index").exit, 0);
    const ran = contextd(at, "ask", "Who owns payments?");

    assert.equal(ran.exit, 1);
    assert.match(ran.err, /The sources held no records at the last run\./);
  });
});

describe("contextd schedule and runs", () => {
  it("pauses and resumes, from another folder too, for the data beside the manifest", () => {
    const at = folder("planned");
    const manifest = join(at, "manifest.json");
    const schedule = { cron: "30 4 * * *", timezone: "Europe/Berlin", jitterSeconds: 60 };
    writeFileSync(manifest, JSON.stringify({ name: "planned", sources: [], schedule }));
    const status = (...args: string[]) =>
      JSON.parse(contextd(top, "schedule", ...args, "--manifest", manifest, "--json").out) as Record<string, unknown>;

    const before = status();
    assert.deepEqual([before.cron, before.pausedSince, before.lastRun], ["30 4 * * *", null, null]);
    assert.match(String(before.nextRun), /T0[23]:30:00\.000Z$/);

    const paused = status("pause");
    assert.equal(paused.nextRun, null);
    assert.equal(status().pausedSince, paused.pausedSince);
    assert.ok(existsSync(join(at, "data", "schedule-paused")));
    assert.equal(status("resume").pausedSince, null);
    assert.equal(contextd(at, "schedule", "stop").exit, 2);
  });

  it("names a data folder that cannot be made, and does not try for ever", { skip: !existsSync("/proc") }, () => {
    const ran = contextd(root, "schedule", "pause", "--data-dir", "/proc/nope");

    assert.equal(ran.exit, 2);
    assert.match(ran.err, /cannot be written .*DATA_DIR_UNWRITABLE/s);
  });

  it("tells in the history which records a run changed", () => {
    const at = folder("history");
    const world = join(at, "records.jsonl");
    const line = (id: string, text: string): string =>
      JSON.stringify({ id, source: "jira", kind: "issue", title: id, text, updatedAt: "2026-03-01T00:00:00Z" });
    writeFileSync(join(at, "manifest.json"), JSON.stringify({ name: "history", sources: [{ kind: "records", path: "records.jsonl" }] }));
    writeFileSync(world, `${line("A-1", "one")}\n${line("A-2", "two")}\n`);
    contextd(at, "index");
    writeFileSync(world, `${line("A-2", "two, otherwise")}\n${line("A-3", "three")}\n`);
    const { runId } = JSON.parse(contextd(at, "index", "--json").out) as { runId: string };

    const { report } = JSON.parse(contextd(at, "runs", runId, "--json").out) as { report: { changes: Record<string, string[]> } };
    const text = contextd(at, "runs", runId).out;

    assert.deepEqual(
      Object.values(report.changes).map((ids) => ids.map((id) => id.replace(/^jira:/, ""))),
      [["A-3"], ["A-2"], ["A-1"]],
    );
    assert.match(text, /added +\S*A-3\nchanged +\S*A-2\ndeleted +\S*A-1/);
    assert.equal(contextd(at, "runs", "none").exit, 1);
  });

  it("refuses a schedule that means nothing, by name", () => {
    const at = folder("wrong");
    writeFileSync(join(at, "manifest.json"), JSON.stringify({ name: "wrong", sources: [], schedule: { cron: "0 25 * * *" } }));

    const { exit, err } = contextd(at, "index");

    assert.equal(exit, 2);
    assert.match(err, /manifest\.json: schedule: hour/);
  });
});

describe("contextd index", () => {
  it("says what to do when the disk takes no more, and goes on when it does", { skip: process.platform === "win32" }, () => {
    const at = folder("narrow");
    mkdirSync(join(at, "docs"));
    const paragraph = (n: number): string => Array.from({ length: 60 }, (_, word) => `word${(n * 60 + word) % 5000}`).join(" ");
    for (let n = 0; n < 40; n += 1) {
      const text = Array.from({ length: 100 }, (_, i) => paragraph(n * 100 + i)).join("\n\n");
      writeFileSync(join(at, "docs", `${n}.md`), `# Note ${n}\n\n${text}\n`);
    }
    const models = { embedding: "static-256", reranker: "none" };
    writeFileSync(join(at, "manifest.json"), JSON.stringify({ name: "narrow", sources: [{ kind: "documents", path: "docs" }], models }));

    // no file may grow beyond 4 MB
    const limited = `trap '' XFSZ; ulimit -f 4000; exec "$0" "$@"`;
    const entry = join(root, "bin", "contextd.mjs");
    const full = spawnSync("bash", ["-c", limited, process.execPath, entry, "index"], { cwd: at, encoding: "utf8", timeout: 120_000 });
    assert.match(full.stderr, /^contextd: \S+contextd\.db cannot be read or written \(SQLITE_IOERR\w*\)\.\n {2}→ Look at the disk .*\n$/);
    assert.equal(full.status, 2);

    assert.equal(contextd(at, "index").exit, 0);
    assert.equal(contextd(at, "verify", "--deep").out, "Consistent.\n");
  });
});

describe("contextd start", () => {
  it("stops in good order when one request to stop comes twice, as from a terminal and its wrapper", async () => {
    const at = folder("stopped");
    writeFileSync(join(at, "manifest.json"), JSON.stringify({ name: "stopped", sources: [] }));
    const child = spawn(process.execPath, [join(root, "bin", "contextd.mjs"), "start", "--port", "0"], { cwd: at });
    let said = "";
    await new Promise<void>((resolve) => {
      child.stderr.on("data", (part: Buffer) => {
        said += part.toString();
        if (said.includes("Ready:")) resolve();
      });
      child.on("exit", () => resolve());
    });

    child.kill("SIGTERM");
    child.kill("SIGTERM");
    const exit = child.exitCode ?? (await new Promise((resolve) => child.on("exit", resolve)));

    assert.equal(exit, 0, said);
    assert.match(said, /Stopping/);
    assert.equal(existsSync(join(at, "data", "contextd.db-wal")), false, "the log was not brought into the file");
  });
});
