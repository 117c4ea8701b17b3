// npm test: types, lint, unused code, then every test; the last line is the runner's own count. Runs on any Node from 18 on.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const tool = (name) => join(root, "node_modules", ".bin", name);

check("types", tool("tsc"), ["-p", "."]);
check("lint", tool("biome"), ["check", "--error-on-warnings", "."]);
check("unused code", tool("knip"), ["--no-progress"]);

// Tests beside the code share one process (60 files in a second); those of the whole daemon get one each.
const beside = tests("src");
const whole = tests("test");
if (beside.length === 0 || whole.length === 0) fail("no test files were found");
run(["--test", "--test-isolation=none", ...beside]);
run(["--test", "--test-concurrency=2", ...whole]);

function tests(folder) {
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name.endsWith(".test.ts")) found.push(join(entry.parentPath ?? entry.path, entry.name));
  }
  return found.sort();
}

function check(what, command, args) {
  const started = Date.now();
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
    maxBuffer: 64 * 2 ** 20,
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    console.error(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    fail(`${what}: failed`);
  }
  console.log(`${what}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

function run(args) {
  const result = spawnSync(node, args, { cwd: root, stdio: "inherit" });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

function fail(message) {
  console.error(`npm test: ${message}`);
  process.exit(1);
}
