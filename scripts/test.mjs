// npm test: types, lint, unused code, then every test; the last line is the runner's own count. Runs on any Node from 18 on.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const tool = (name) => join(root, "node_modules", ".bin", name);

check("types", tool("tsc"), ["-p", "."]);
check("lint", tool("biome"), ["check", "--error-on-warnings", "."]);
check("unused code", tool("knip"), ["--no-progress"]);

// Tests beside the code share one process (60 files in a second); those of the whole daemon get one each.
const counts = mkdtempSync(join(tmpdir(), "contextd-tests-"));
const total = { pass: 0, fail: 0, cancelled: 0, skipped: 0 };
let failed = 0;
const beside = tests("src");
const whole = tests("test");
if (beside.length === 0 || whole.length === 0) fail("no test files were found");
run(["--test", "--test-isolation=none", ...beside]);
run(["--test", "--test-concurrency=2", ...whole]);
rmSync(counts, { recursive: true, force: true });
console.log(`${total.pass} passed, ${total.fail + total.cancelled} failed, ${total.skipped} skipped`);
process.exit(failed);

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

/** Runs tests and adds their count, which a second reporter writes to a file. */
function run(args) {
  const file = join(counts, `${process.hrtime.bigint()}.tap`);
  const reporters = [
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=tap",
    `--test-reporter-destination=${file}`,
  ];
  const result = spawnSync(node, [...args.slice(0, 2), ...reporters, ...args.slice(2)], { cwd: root, stdio: "inherit" });
  const report = existsSync(file) ? readFileSync(file, "utf8") : "";
  for (const kind of Object.keys(total)) total[kind] += Number(new RegExp(`^# ${kind} (\\d+)$`, "m").exec(report)?.[1] ?? 0);
  if (result.status !== 0) failed = result.status ?? 1;
}

function fail(message) {
  console.error(`npm test: ${message}`);
  process.exit(1);
}
