import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import type { Command } from "./command.ts";
import { completionScript } from "./completion.ts";

const command = (name: string, usage: string, options: Command["options"]): Command => ({
  name,
  usage: `${name}${usage}`,
  about: `Does "${name}", it's said: well.`,
  options,
  run: async () => 0,
});

const commands = [
  command("ask", ' "question" [--corpus records|documents|all] [--now ISO]', { corpus: { type: "string" }, now: { type: "string" } }),
  command("graph", " show NAME [--hops 2] | why A B | diff --since ISO", { hops: { type: "string" }, since: { type: "string" } }),
  command("schedule", " [show | pause | resume]", {}),
  command("completion", " bash|zsh|fish", {}),
  command("ingest", " PATH…", {}),
];

/** What bash offers at the end of these words. */
function bash(...words: string[]): string[] {
  const script = [
    completionScript("bash", commands),
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _contextd; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join("\n");
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-u", "-c", script], { encoding: "utf8" });
  assert.equal(stderr, "");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("shell completion", () => {
  /** bash is on every machine that runs these tests; the others are tried where they are. */
  const has = (shell: string): boolean => spawnSync(shell, ["--version"]).error === undefined;

  it("offers commands, then what may follow each", () => {
    assert.deepEqual(bash("contextd", ""), ["ask", "graph", "schedule", "completion", "ingest", "--help", "--version"]);
    assert.deepEqual(bash("contextd", "gr"), ["graph"]);
    assert.deepEqual(bash("contextd", "graph", "wh"), ["why"]);
    assert.deepEqual(bash("contextd", "schedule", ""), ["show", "pause", "resume", "--manifest", "--data-dir", "--json", "--help"]);
    assert.deepEqual(bash("contextd", "completion", "f"), ["fish"]);
    assert.deepEqual(bash("contextd", "ask", "--c"), ["--corpus"]);
  });

  it("offers an option's choices, and nothing of its own where a path or text is due", () => {
    assert.deepEqual(bash("contextd", "ask", "--corpus", ""), ["records", "documents", "all"]);
    assert.deepEqual(bash("contextd", "ask", "--now", ""), []);
    assert.deepEqual(bash("contextd", "ask", "--manifest", "ma"), []);
    assert.deepEqual(bash("contextd", "unknown", ""), []);
  });

  for (const shell of (["bash", "zsh"] as const).filter(has)) {
    it(`is a script that ${shell} takes`, () => {
      const script = completionScript(shell, commands);

      const { status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });

      assert.deepEqual([status, stderr], [0, ""]);
    });
  }

  if (has("fish")) {
    it("is what fish offers", () => {
      const script = `${completionScript("fish", commands)}\ncomplete -C 'contextd ask --corpus '\ncomplete -C 'contextd gr'`;

      const { stdout } = spawnSync("fish", ["--no-config", "-c", script], { encoding: "utf8" });

      assert.deepEqual(stdout.trim().split("\n"), ["all", "documents", "records", 'graph\tDoes "graph", it\'s said: well.']);
    });
  }
});
