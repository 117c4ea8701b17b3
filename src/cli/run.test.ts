import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ContextError } from "../core/errors.ts";
import type { Command } from "./command.ts";
import { failureText, reportText } from "./render.ts";
import { runCli } from "./run.ts";

const echo: Command = {
  name: "echo",
  usage: "echo [--loud] WORD",
  about: "Says it again.",
  options: { loud: { type: "boolean" } },
  async run({ args, values, io, json }) {
    const text = values.loud === true ? args.join(" ").toUpperCase() : args.join(" ");
    if (text === "nothing") throw new ContextError("USAGE", "There is nothing to say.");
    if (text === "boom") throw new Error("internal detail");
    if (text === "locked") throw new ContextError("STORE_LOCKED", "The store is in use by process 4711.");
    io.out(json ? JSON.stringify({ text }) : text);
    return 0;
  },
};

/** Tells what it would open. */
const where: Command = {
  name: "where",
  usage: "where",
  about: "Tells where.",
  options: {},
  async run({ open, io }) {
    io.out(await open().then(String, (error: Error) => error.message));
    return 0;
  },
};

async function run(...argv: string[]): Promise<{ exit: number; out: string; notes: string }> {
  const out: string[] = [];
  const notes: string[] = [];
  const exit = await runCli(argv, {
    commands: [echo, where],
    version: "1.2.3",
    cwd: "/somewhere",
    io: { out: (text) => out.push(text), note: (text) => notes.push(text), status: null },
    signal: new AbortController().signal,
    openApp: ({ manifest, dataDir }) => Promise.reject(new Error(JSON.stringify({ manifest, dataDir }))),
  });
  return { exit, out: out.join("\n"), notes: notes.join("\n") };
}

describe("the command line", () => {
  it("runs a command with its options", async () => {
    assert.deepEqual(await run("echo", "--loud", "hello"), { exit: 0, out: "HELLO", notes: "" });
  });

  it("lists the commands when none is given, and exits with 2", async () => {
    const { exit, out } = await run();

    assert.equal(exit, 2);
    assert.match(out, /echo {3}Says it again\./);
  });

  it("says that the command is missing where an option stands in its place", async () => {
    const { exit, notes } = await run("--manifest", "x.json");

    assert.equal(exit, 2);
    assert.match(notes, /The command is missing before "--manifest"\.\n {2}→ Usage: contextd <command> \[options\]/);
  });

  it("exits with 2 and names the nearest command for an unknown one", async () => {
    const { exit, notes } = await run("ecko");

    assert.equal(exit, 2);
    assert.match(notes, /There is no command "ecko"\. Did you mean "echo"\?/);
    assert.match(notes, /→ Run `contextd --help`/);
  });

  it("exits with 2 and shows the usage for an unknown option", async () => {
    const { exit, notes } = await run("echo", "--quiet");

    assert.equal(exit, 2);
    assert.match(notes, /--quiet/);
    assert.match(notes, /→ Usage: contextd echo \[--loud\] WORD/);
  });

  it("shows the usage of a command that was used wrongly", async () => {
    const { exit, notes } = await run("echo", "nothing");

    assert.equal(exit, 2);
    assert.equal(notes, "contextd: There is nothing to say.\n  → Usage: contextd echo [--loud] WORD (USAGE)");
  });

  it("helps with one command also as `help COMMAND`", async () => {
    assert.deepEqual(await run("help", "echo"), await run("echo", "--help"));
    assert.equal((await run("help", "nothing")).exit, 2);
  });

  it("keeps the data beside the manifest, unless told where", async () => {
    const at = async (...argv: string[]) => JSON.parse((await run("where", ...argv)).out) as unknown;

    assert.deepEqual(await at(), { manifest: "/somewhere/manifest.json", dataDir: "/somewhere/data" });
    assert.deepEqual(await at("--manifest", "/other/m.json"), { manifest: "/other/m.json", dataDir: "/other/data" });
    assert.deepEqual(await at("--manifest", "sub/m.json"), { manifest: "/somewhere/sub/m.json", dataDir: "/somewhere/sub/data" });
    assert.deepEqual(await at("--manifest", "/other/m.json", "--data-dir", "d"), { manifest: "/other/m.json", dataDir: "/somewhere/d" });
  });

  it("says its version", async () => {
    for (const option of ["--version", "-v"]) assert.deepEqual(await run(option), { exit: 0, out: "1.2.3", notes: "" });
  });

  it("names a failure's source and record once", () => {
    const at = (source: string, id: string, message: string) => failureText({ source, id, code: "X", message });

    assert.equal(at("records r.jsonl", "r.jsonl:11", "r.jsonl:11 is not JSON"), "records r.jsonl: r.jsonl:11 is not JSON (X)");
    assert.equal(at("documents /a", "documents /a", "There is no /a"), "documents /a: There is no /a (X)");
    assert.equal(at("documents a", "doc:a/b.pdf", "It is damaged"), "documents a: doc:a/b.pdf: It is damaged (X)");
  });

  it("shows message, remedy and code of an error, and takes its exit code", async () => {
    const { exit, notes } = await run("echo", "locked");

    assert.equal(exit, 1);
    assert.equal(
      notes,
      "contextd: The store is in use by process 4711.\n  → Stop the process that holds it, then try again. (STORE_LOCKED)",
    );
  });

  it("prints one JSON value also when it fails, and never a stack trace", async () => {
    const { exit, out, notes } = await run("echo", "boom", "--json");

    assert.equal(exit, 1);
    assert.equal(JSON.parse(out).error.code, "INTERNAL");
    assert.doesNotMatch(`${out}${notes}`, /at .*\.ts:\d+/);
  });
});

describe("what a run did", () => {
  const report = {
    runId: "r1",
    records: { seen: 2, added: 1, changed: 0, deleted: 0, unchanged: 0, failed: 1 },
    extraction: { tier1: 1, tier2: 0, tier3: 0, cached: 0, llmCalls: 0, costUsd: 0.0362 },
    graph: { nodes: 0, edges: 0 },
    chunks: { total: 0, added: 0, deleted: 0 },
    failures: [{ source: "documents", id: "doc:a.pdf", code: "FILE_EMPTY", message: "It is empty" }],
    durationMs: 1200,
  };

  it("tells a failure once: not again where it was shown as it came", () => {
    assert.match(reportText(report), /failed {6}documents: doc:a\.pdf: It is empty/);
    assert.doesNotMatch(reportText(report, { failuresTold: true }), /It is empty/);
  });

  it("says of a dry run what it may cost, and nothing of what is not known yet", () => {
    const text = reportText(report, { dryRun: true });

    assert.match(text, /estimated cost \$0\.0362/);
    assert.doesNotMatch(text, /nodes|chunks|model calls/);
  });
});
